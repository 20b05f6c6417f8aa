/*
 * Preloaded into the shell: the wall clock is off by the number of seconds in the file that WALLCLOCK_FILE names, and a timer on
 * the wall clock leaves a line in the file of that name with ".timers".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long jump(void) {
	const char *path = getenv("WALLCLOCK_FILE");
	int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	char text[32] = "";
	if (file < 0)
		return 0;
	ssize_t count = read(file, text, sizeof(text) - 1);
	close(file);
	return count > 0 ? atoll(text) : 0;
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

int clock_gettime(clockid_t clock, struct timespec *now) {
	int status = (int)syscall(SYS_clock_gettime, clock, now);
	if (status == 0 && is_wall(clock))
		now->tv_sec += jump();
	return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
	(void)zone;
	struct timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *result) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (result != NULL)
		*result = now.tv_sec;
	return now.tv_sec;
}

int timerfd_create(int clock, int flags) {
	const char *path = getenv("WALLCLOCK_FILE");
	char name[4096];
	if (is_wall(clock) && path != NULL && snprintf(name, sizeof(name), "%s.timers", path) < (int)sizeof(name)) {
		int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		dprintf(file, "%d\n", getpid());
		close(file);
	}
	return (int)syscall(SYS_timerfd_create, clock, flags);
}
