/*
 * Who owns which file descriptor. C, because the C adapters hold descriptors in structs that `calloc` makes.
 *
 * A descriptor in a struct is an `owned_fd`, never an `int`: all zero means none, so memory that nobody filled in owns nothing
 * (as an `int` it would own descriptor 0). A ledger lists every descriptor that is owned. `owned_fd_close` closes a
 * descriptor only if the ledger still lists it for this owner and it is still the same file.
 */
#ifndef CDESCRIPTORS_H
#define CDESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	int plus_one;        /* the number and one; 0: none */
	uint32_t serial;     /* tells this owner from an earlier one of the same number */
} owned_fd;

/* Takes `number` into the ledger. `owner` is kept as it is: a string that lives as long as the program. Negative: none. */
owned_fd owned_fd_take(int number, const char *owner);

/* -1: none. */
static inline int owned_fd_number(owned_fd fd) { return fd.plus_one - 1; }

static inline bool owned_fd_is_open(owned_fd fd) { return fd.plus_one != 0; }

/* Closes it and sets it to none. A descriptor that somebody else closed is left alone, reported and counted. */
void owned_fd_close(owned_fd *fd);

typedef struct {
	int number;
	const char *owner;
	bool lost;           /* closed, or another file now, without its owner's knowledge */
} owned_fd_entry;

/* A descriptor that somebody else owns and closes. All zero means none, too. */
typedef struct {
	int plus_one;
} lent_fd;

static inline lent_fd lent_fd_of(int number) { return (lent_fd){ number >= 0 ? number + 1 : 0 }; }

static inline int lent_fd_number(lent_fd fd) { return fd.plus_one - 1; }

/* Writes up to `capacity` entries in order of their numbers; returns how many there are. */
size_t owned_fd_list(owned_fd_entry *entries, size_t capacity);

/* How often something was to be closed that was not its owner's any more. 0 in a correct program. */
uint32_t owned_fd_refusals(void);

#endif
