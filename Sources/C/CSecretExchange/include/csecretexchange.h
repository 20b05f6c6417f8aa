/* One side of the exchange "sx-aes-1" by which the keyring and its prompter keep a password from the bus: Diffie-Hellman in the group
 * modp 1536 (RFC 2409, group 5), HKDF-SHA256 without salt and info, AES-128-CBC with PKCS#7 padding. */
#ifndef MULLION_CSECRETEXCHANGE_H
#define MULLION_CSECRETEXCHANGE_H

#include <stddef.h>
#include <stdint.h>

enum { CSX_NUMBER = 192, CSX_IV = 16 };

typedef struct csx_pair csx_pair;

/* A new pair of keys; NULL if the library cannot make one. */
csx_pair *csx_new(void);
void csx_free(csx_pair *pair);

/* The own public key, without leading zeros. Returns its length. */
size_t csx_public(const csx_pair *pair, uint8_t out[CSX_NUMBER]);

/* Takes the other side's public key. Returns 0, or -1 if it is none: 0, 1, p - 1 or larger would make the key known to everybody. */
int csx_meet(csx_pair *pair, const uint8_t *other, size_t length);

/* Encrypts `text` into `out`, which has room for `length` + 16 bytes. Returns the length of the result, or 0. */
size_t csx_encrypt(const csx_pair *pair, const uint8_t *text, size_t length, uint8_t iv[CSX_IV], uint8_t *out);

/* Decrypts into `out`, which has room for `length` bytes. Returns the length of the text, or -1. */
long csx_decrypt(const csx_pair *pair, const uint8_t *data, size_t length, const uint8_t iv[CSX_IV], uint8_t *out);

#endif
