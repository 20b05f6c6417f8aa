/* C, because it makes kernel signals and timers, and every event of the loop passes through it. */
/* The event loop for Swift: descriptors, timers and signals besides the Wayland clients. */
#include "internal.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct mw_source {
	struct wl_list link;
	mw_callback callback;
	void *user;
	struct wl_event_source *event;
	owned_fd timer; /* none unless a timer */
};

int64_t mw_now(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint32_t wl_mask(bool read, bool write) { return (read ? WL_EVENT_READABLE : 0) | (write ? WL_EVENT_WRITABLE : 0); }

static mw_source *source_new(mw_server *server, mw_callback callback, void *user) {
	mw_source *source = calloc(1, sizeof(*source));
	if (source == NULL)
		return NULL;
	source->callback = callback;
	source->user = user;
	wl_list_insert(&server->sources, &source->link);
	return source;
}

static mw_source *source_or_nothing(mw_source *source) {
	if (source->event != NULL)
		return source;
	mw_remove_source(source);
	return NULL;
}

static int on_fd(int fd, uint32_t mask, void *data) {
	(void)fd;
	mw_source *source = data;
	int32_t events = 0;
	if (mask & WL_EVENT_READABLE)
		events |= EPOLLIN;
	if (mask & WL_EVENT_WRITABLE)
		events |= EPOLLOUT;
	if (mask & (WL_EVENT_HANGUP | WL_EVENT_ERROR))
		events |= EPOLLHUP;
	source->callback(source->user, events);
	return 0;
}

static int on_timer(int fd, uint32_t mask, void *data) {
	(void)mask;
	mw_source *source = data;
	uint64_t times;
	if (read(fd, &times, sizeof(times)) == sizeof(times))
		source->callback(source->user, 0);
	return 0;
}

static int on_signal(int number, void *data) {
	(void)number;
	mw_source *source = data;
	source->callback(source->user, 0);
	return 0;
}

mw_source *mw_add_fd(mw_server *server, int fd, bool read, bool write, mw_callback callback, void *user) {
	mw_source *source = source_new(server, callback, user);
	if (source == NULL)
		return NULL;
	source->event = wl_event_loop_add_fd(server->loop, fd, wl_mask(read, write), on_fd, source);
	return source_or_nothing(source);
}

void mw_update_fd(mw_source *source, bool read, bool write) { wl_event_source_fd_update(source->event, wl_mask(read, write)); }

mw_source *mw_add_timer(mw_server *server, mw_callback callback, void *user) {
	mw_source *source = source_new(server, callback, user);
	if (source == NULL)
		return NULL;
	source->timer = owned_fd_take(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timer of the loop");
	if (owned_fd_is_open(source->timer))
		source->event = wl_event_loop_add_fd(server->loop, owned_fd_number(source->timer), WL_EVENT_READABLE, on_timer, source);
	return source_or_nothing(source);
}

void mw_arm(mw_source *source, int64_t deadline_ns) {
	/* A deadline of 0 would disarm the timer, but a deadline in the past must fire at once. */
	struct itimerspec spec = {
		.it_value = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000},
	};
	timerfd_settime(owned_fd_number(source->timer), TFD_TIMER_ABSTIME, &spec, NULL);
}

mw_source *mw_add_signal(mw_server *server, int signal_number, mw_callback callback, void *user) {
	mw_source *source = source_new(server, callback, user);
	if (source == NULL)
		return NULL;
	source->event = wl_event_loop_add_signal(server->loop, signal_number, on_signal, source);
	return source_or_nothing(source);
}

void mw_remove_source(mw_source *source) {
	if (source == NULL)
		return;
	if (source->event != NULL)
		wl_event_source_remove(source->event);
	owned_fd_close(&source->timer);
	wl_list_remove(&source->link);
	free(source);
}

void mw_sources_finish(mw_server *server) {
	mw_source *source, *next;
	wl_list_for_each_safe(source, next, &server->sources, link) mw_remove_source(source);
}

void mw_server_flush(mw_server *server) { wl_display_flush_clients(server->display); }

void mw_server_dispatch(mw_server *server, int32_t timeout_ms) {
	/* Events that were deferred while the caller was outside the loop (such as configures) must be sent before the wait. */
	wl_event_loop_dispatch_idle(server->loop);
	wl_display_flush_clients(server->display);
	wl_event_loop_dispatch(server->loop, timeout_ms);
	mw_reading_turn(server);
	mw_guard_blame(server);
}

size_t mw_client_descriptors(mw_server *server, int32_t *numbers, size_t capacity) {
	size_t count = 0;
	struct wl_client *client;
	wl_client_for_each(client, wl_display_get_client_list(server->display)) {
		if (count < capacity)
			numbers[count] = wl_client_get_fd(client);
		count++;
	}
	return count;
}

int mw_server_loop_fd(mw_server *server) { return wl_event_loop_get_fd(server->loop); }
