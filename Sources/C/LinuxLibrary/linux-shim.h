// Interfaces of Linux and glibc that Swift's Glibc module lacks.
#ifndef MULLION_LINUX_SHIM_H
#define MULLION_LINUX_SHIM_H

#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

// The module is compiled without _GNU_SOURCE, which hides these.
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif
int memfd_create(const char *name, unsigned flags);
int dup3(int from, int to, int flags);
int pipe2(int ends[2], int flags);
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

ssize_t preadv2(int file, const struct iovec *pieces, int count, off_t offset, int flags);
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif
// Reads bytes that are in memory already. Fails with EAGAIN or EOPNOTSUPP instead of waiting.
static inline ssize_t mullion_read_at_once(int file, const struct iovec *piece, off_t offset) {
	return preadv2(file, piece, 1, offset, RWF_NOWAIT);
}

// Swift cannot call variadic functions. This process gets the signal when its parent exits.
static inline int mullion_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }
static inline int mullion_prctl(int option, unsigned long value, const void *data) { return prctl(option, value, data, 0, 0); }
// For tests of filters, which make calls without a function in glibc.
long syscall(long number, ...);
static inline long mullion_syscall(long number, long a, long b, long c, long d, long e, long f) {
	return syscall(number, a, b, c, d, e, f);
}
int unshare(int flags);
int capset(void *header, const void *sets);

#endif
