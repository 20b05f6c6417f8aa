/*
 * Ownership of file descriptors. C, because the C adapters hold descriptors in structs allocated by `calloc`.
 *
 * A descriptor in a struct is an `owned_fd`, never an `int`. All zero means none, so zeroed memory owns nothing
 * (an `int` would mean descriptor 0). A ledger lists all owned descriptors. `owned_fd_close` closes a descriptor
 * only if the ledger lists it for this owner, and it still refers to the same file.
 */
#ifndef CDESCRIPTORS_H
#define CDESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	int plus_one;	 /* the number plus one; 0: none */
	uint32_t serial; /* distinguishes this owner from an earlier one of the same number */
} owned_fd;

/* Adds `number` to the ledger. `owner` is not copied; it must live as long as the process. Negative: none. */
owned_fd owned_fd_take(int number, const char *owner);

/* -1: none. */
static inline int owned_fd_number(owned_fd fd) { return fd.plus_one - 1; }

static inline bool owned_fd_is_open(owned_fd fd) { return fd.plus_one != 0; }

/* Closes it and sets it to none. If other code closed the descriptor, it is left alone, reported and counted. */
void owned_fd_close(owned_fd *fd);

typedef struct {
	int number;
	const char *owner;
	bool lost; /* closed or replaced by another file without its owner's knowledge */
} owned_fd_entry;

/* A descriptor that other code owns and closes. All zero means none, too. */
typedef struct {
	int plus_one;
} lent_fd;

static inline lent_fd lent_fd_of(int number) { return (lent_fd){number >= 0 ? number + 1 : 0}; }

static inline int lent_fd_number(lent_fd fd) { return fd.plus_one - 1; }

/* Writes up to `capacity` entries, sorted by number. Returns the total number of entries. */
size_t owned_fd_list(owned_fd_entry *entries, size_t capacity);

/* How often code tried to close a descriptor that it no longer owned. 0 in a correct program. */
uint32_t owned_fd_refusals(void);

#endif
