/* C, because libgcrypt hands out most of its functions as macros and handles, and because a secret is wiped here after its use. */
#include "csecretexchange.h"

#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

static const char PRIME[] =
	"FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD1"
	"29024E088A67CC74020BBEA63B139B22514A08798E3404DD"
	"EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245"
	"E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
	"EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3D"
	"C2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
	"83655D23DCA3AD961C62F356208552BB9ED529077096966D"
	"670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF";

enum { KEY = 16, HASH = 32 };

struct csx_pair {
	gcry_mpi_t prime, secret, own;
	uint8_t key[KEY];
	int has_key;
};

static void wipe(void *place, size_t size) {
	volatile uint8_t *bytes = place;
	while (size-- > 0)
		*bytes++ = 0;
}

csx_pair *csx_new(void) {
	if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) {
		if (gcry_check_version(NULL) == NULL)
			return NULL;
		/* Locked memory is scarce, and the password passes through other memory anyway. */
		gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
		gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	}
	csx_pair *pair = calloc(1, sizeof(*pair));
	if (pair == NULL)
		return NULL;
	gcry_mpi_t base = gcry_mpi_set_ui(NULL, 2);
	if (gcry_mpi_scan(&pair->prime, GCRYMPI_FMT_HEX, PRIME, 0, NULL) != 0) {
		gcry_mpi_release(base);
		csx_free(pair);
		return NULL;
	}
	pair->secret = gcry_mpi_new(8 * CSX_NUMBER);
	pair->own = gcry_mpi_new(8 * CSX_NUMBER);
	/* Below the prime, and with all of its bits by chance. */
	gcry_mpi_randomize(pair->secret, 8 * CSX_NUMBER - 1, GCRY_STRONG_RANDOM);
	gcry_mpi_powm(pair->own, base, pair->secret, pair->prime);
	gcry_mpi_release(base);
	return pair;
}

void csx_free(csx_pair *pair) {
	if (pair == NULL)
		return;
	gcry_mpi_release(pair->prime);
	gcry_mpi_release(pair->secret);
	gcry_mpi_release(pair->own);
	wipe(pair->key, KEY);
	free(pair);
}

size_t csx_public(const csx_pair *pair, uint8_t out[CSX_NUMBER]) {
	size_t length = 0;
	if (gcry_mpi_print(GCRYMPI_FMT_USG, out, CSX_NUMBER, &length, pair->own) != 0)
		return 0;
	return length;
}

static int hmac(const uint8_t *key, size_t key_length, const uint8_t *text, size_t length, uint8_t out[HASH]) {
	gcry_md_hd_t hash;
	if (gcry_md_open(&hash, GCRY_MD_SHA256, GCRY_MD_FLAG_HMAC) != 0)
		return -1;
	int status = gcry_md_setkey(hash, key, key_length) == 0 ? 0 : -1;
	if (status == 0) {
		gcry_md_write(hash, text, length);
		memcpy(out, gcry_md_read(hash, GCRY_MD_SHA256), HASH);
	}
	gcry_md_close(hash);
	return status;
}

int csx_meet(csx_pair *pair, const uint8_t *other, size_t length) {
	gcry_mpi_t number = NULL, last = gcry_mpi_new(8 * CSX_NUMBER), shared = gcry_mpi_new(8 * CSX_NUMBER);
	uint8_t padded[CSX_NUMBER] = {0}, bare[CSX_NUMBER], salt[HASH] = {0}, first[HASH], second[HASH];
	static const uint8_t one[] = {1};
	size_t size = 0;
	int status = -1;
	gcry_mpi_sub_ui(last, pair->prime, 1);
	if (length <= CSX_NUMBER && gcry_mpi_scan(&number, GCRYMPI_FMT_USG, other, length, NULL) == 0 && gcry_mpi_cmp_ui(number, 1) > 0 &&
		gcry_mpi_cmp(number, last) < 0) {
		gcry_mpi_powm(shared, number, pair->secret, pair->prime);
		if (gcry_mpi_print(GCRYMPI_FMT_USG, bare, sizeof(bare), &size, shared) == 0) {
			memcpy(padded + CSX_NUMBER - size, bare, size);
			if (hmac(salt, HASH, padded, CSX_NUMBER, first) == 0 && hmac(first, HASH, one, sizeof(one), second) == 0) {
				memcpy(pair->key, second, KEY);
				pair->has_key = 1;
				status = 0;
			}
		}
	}
	wipe(padded, sizeof(padded));
	wipe(bare, sizeof(bare));
	wipe(first, sizeof(first));
	wipe(second, sizeof(second));
	gcry_mpi_release(number);
	gcry_mpi_release(last);
	gcry_mpi_release(shared);
	return status;
}

static gcry_cipher_hd_t cipher(const csx_pair *pair, const uint8_t iv[CSX_IV]) {
	gcry_cipher_hd_t handle = NULL;
	if (!pair->has_key || gcry_cipher_open(&handle, GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_CBC, 0) != 0)
		return NULL;
	if (gcry_cipher_setkey(handle, pair->key, KEY) == 0 && gcry_cipher_setiv(handle, iv, CSX_IV) == 0)
		return handle;
	gcry_cipher_close(handle);
	return NULL;
}

size_t csx_encrypt(const csx_pair *pair, const uint8_t *text, size_t length, uint8_t iv[CSX_IV], uint8_t *out) {
	size_t pad = CSX_IV - length % CSX_IV, whole = length + pad;
	gcry_create_nonce(iv, CSX_IV);
	gcry_cipher_hd_t handle = cipher(pair, iv);
	if (handle == NULL)
		return 0;
	memcpy(out, text, length);
	memset(out + length, (int)pad, pad);
	int failed = gcry_cipher_encrypt(handle, out, whole, NULL, 0) != 0;
	gcry_cipher_close(handle);
	if (failed)
		wipe(out, whole);
	return failed ? 0 : whole;
}

long csx_decrypt(const csx_pair *pair, const uint8_t *data, size_t length, const uint8_t iv[CSX_IV], uint8_t *out) {
	if (length == 0 || length % CSX_IV != 0)
		return -1;
	gcry_cipher_hd_t handle = cipher(pair, iv);
	if (handle == NULL)
		return -1;
	int failed = gcry_cipher_decrypt(handle, out, length, data, length) != 0;
	gcry_cipher_close(handle);
	size_t pad = failed ? 0 : out[length - 1];
	if (pad == 0 || pad > CSX_IV)
		return -1;
	for (size_t i = length - pad; i < length; i++)
		if (out[i] != pad)
			return -1;
	return (long)(length - pad);
}
