/* The ledger of file descriptors. C, because CWlroots and CPipeWire hold descriptors in structs (cdescriptors.h). */
#include "cdescriptors.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
	uint32_t serial; /* 0: the number has no owner */
	const char *owner;
	dev_t device;
	ino_t inode;
};

/* Tests run several shells in one process, on several threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;
static size_t room;
static uint32_t last_serial, refusals;

static bool make_room(size_t number) {
	if (number < room)
		return true;
	size_t more = room > 0 ? room : 64;
	while (more <= number)
		more *= 2;
	struct entry *grown = realloc(entries, more * sizeof(*grown));
	if (grown == NULL)
		return false;
	for (size_t i = room; i < more; i++)
		grown[i] = (struct entry){0};
	entries = grown;
	room = more;
	return true;
}

static bool is_same_file(int number, const struct entry *entry) {
	struct stat now;
	return fstat(number, &now) == 0 && now.st_dev == entry->device && now.st_ino == entry->inode;
}

owned_fd owned_fd_take(int number, const char *owner) {
	struct stat file;
	if (number < 0 || fstat(number, &file) != 0)
		return (owned_fd){0};
	pthread_mutex_lock(&lock);
	uint32_t serial = 0;
	if (make_room((size_t)number)) {
		if (++last_serial == 0)
			last_serial = 1;
		serial = last_serial;
		entries[number] = (struct entry){serial, owner, file.st_dev, file.st_ino};
	}
	pthread_mutex_unlock(&lock);
	/* If the ledger has no memory, the owner still gets the descriptor. Serial 0 means that it is not listed. */
	return (owned_fd){number + 1, serial};
}

/* Returns true if this owner may close it. */
static bool leave_ledger(owned_fd fd) {
	int number = owned_fd_number(fd);
	if (fd.serial == 0)
		return true;
	pthread_mutex_lock(&lock);
	struct entry *entry = &entries[number];
	bool listed = entry->serial == fd.serial;
	bool own = listed && is_same_file(number, entry);
	if (!own) {
		refusals++;
		fprintf(stderr, "mullion: descriptor %d (%s) was closed by somebody else; it is left alone\n", number,
				listed ? entry->owner : "another owner's by now");
	}
	if (listed)
		*entry = (struct entry){0};
	pthread_mutex_unlock(&lock);
	return own;
}

void owned_fd_close(owned_fd *fd) {
	int saved = errno;
	if (owned_fd_is_open(*fd) && leave_ledger(*fd))
		close(owned_fd_number(*fd));
	*fd = (owned_fd){0};
	errno = saved;
}

size_t owned_fd_list(owned_fd_entry *out, size_t capacity) {
	size_t count = 0;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < room; i++) {
		if (entries[i].serial == 0)
			continue;
		if (count < capacity)
			out[count] = (owned_fd_entry){(int)i, entries[i].owner, !is_same_file((int)i, &entries[i])};
		count++;
	}
	pthread_mutex_unlock(&lock);
	return count;
}

uint32_t owned_fd_refusals(void) {
	pthread_mutex_lock(&lock);
	uint32_t count = refusals;
	pthread_mutex_unlock(&lock);
	return count;
}
