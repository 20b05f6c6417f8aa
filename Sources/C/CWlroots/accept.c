/* C, because it uses kernel signals and timers that Swift's Glibc lacks. Accepts a connection without blocking for long. */
#include "mullion_wayland.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* In glibc since 2.39. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* No other code sends it. */
#define INTERRUPTION (SIGRTMAX - 3)

static void on_interruption(int number) { (void)number; }

/*
 * O_NONBLOCK belongs to the open file description, which the sandbox engine shares and may change. The engine may
 * also accept the connection that woke the loop, so that this call waits for the next one. So a timer interrupts
 * this thread, repeatedly, in case it fires before the wait begins. The wait is then limited to the interval.
 * Without memory for a timer, nothing is accepted.
 */
int mw_accept_at_once(int listening, int64_t patience) {
	struct sigaction action = {.sa_handler = on_interruption}, before;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = INTERRUPTION};
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	const struct itimerspec often = {{0, patience}, {0, patience}};
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
	/* A signal that is still pending is delivered before this returns, while there is a handler for it. */
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	sigaction(INTERRUPTION, &before, NULL);
	return fd >= 0 ? fd : -reason;
}
