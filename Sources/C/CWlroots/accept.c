/* Accepting a connection without ever waiting long: signals and timers of the kernel, which Swift's Glibc cannot name. */
#include "mullion_wayland.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* glibc names it since 2.39. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* So long may a connection keep us that was there and is gone. */
#define PATIENCE_NS 5000000
/* Nobody else sends it. */
#define INTERRUPTION (SIGRTMAX - 3)

static void on_interruption(int number) {
	(void)number;
}

/*
 * Whether `accept` waits is said of the open socket, which the engine has, too: it may take the connection that the loop has heard
 * of, and have us wait for the next one. So a timer interrupts this thread, again and again lest it come before the wait. With it
 * alone there is a wait at most of that length; without it (no memory for a timer) nothing is taken.
 */
int mw_accept_at_once(int listening) {
	struct sigaction action = { .sa_handler = on_interruption }, before;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = INTERRUPTION };
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	const struct itimerspec often = { { 0, PATIENCE_NS }, { 0, PATIENCE_NS } };
	timer_t timer;
	sigset_t wanted, mask;
	sigemptyset(&wanted);
	sigaddset(&wanted, INTERRUPTION);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		return -errno;
	sigaction(INTERRUPTION, &action, &before);
	pthread_sigmask(SIG_UNBLOCK, &wanted, &mask);
	int fd = -1;
	if (timer_settime(timer, 0, &often, NULL) == 0)
		fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	int reason = errno;
	timer_delete(timer);
	/* One that is still under way comes before this returns, while somebody listens to it. */
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	sigaction(INTERRUPTION, &before, NULL);
	return fd >= 0 ? fd : -reason;
}
