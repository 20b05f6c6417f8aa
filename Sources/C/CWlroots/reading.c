/* C, because it runs before each request of each client. */
/*
 * Limits how much of a client is read per turn of the loop. libwayland reads until its buffer is full, so the
 * default of 4096 bytes limits what a flooding client costs the others. But since 1.23, a message that does not
 * fit is never read, and the loop spins. So the buffer of a client that is stuck in such a message grows to the
 * size of the longest message, and shrinks again after the next request. Older versions disconnect the client.
 */
#include "internal.h"

#include <wayland-version.h>

#if WAYLAND_VERSION_MAJOR > 1 || WAYLAND_VERSION_MINOR >= 23

#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* The longest message that a header can describe. */
#define LONGEST_BYTES (1 << 16)

/* A client that is temporarily read in larger pieces. */
struct stuck {
	struct wl_list link;
	struct wl_client *client;
	bool went_on;
	struct wl_listener destroy;
};

static void stuck_free(struct stuck *stuck) {
	wl_list_remove(&stuck->link);
	mw_unlisten(&stuck->destroy);
	free(stuck);
}

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct stuck *stuck = wl_container_of(listener, stuck, destroy);
	stuck_free(stuck);
}

static struct stuck *stuck_of(mw_server *server, struct wl_client *client) {
	struct stuck *stuck;
	wl_list_for_each(stuck, &server->stuck, link) {
		if (stuck->client == client)
			return stuck;
	}
	return NULL;
}

static void grow(mw_server *server, struct wl_client *client) {
	int waiting = 0;
	if (ioctl(wl_client_get_fd(client), FIONREAD, &waiting) != 0 || waiting == 0 || stuck_of(server, client) != NULL)
		return;
	struct stuck *stuck = calloc(1, sizeof(*stuck));
	if (stuck == NULL)
		return;
	stuck->client = client;
	wl_list_insert(&server->stuck, &stuck->link);
	stuck->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(client, &stuck->destroy);
	wl_client_set_max_buffer_size(client, LONGEST_BYTES);
}

void mw_reading_request(mw_server *server, struct wl_client *client) {
	server->asked = true;
	if (wl_list_empty(&server->stuck))
		return;
	struct stuck *stuck = stuck_of(server, client);
	if (stuck != NULL)
		stuck->went_on = true;
}

void mw_reading_turn(mw_server *server) {
	struct stuck *stuck, *next;
	wl_list_for_each_safe(stuck, next, &server->stuck, link) {
		if (!stuck->went_on)
			continue;
		wl_client_set_max_buffer_size(stuck->client, server->options.pace.bytes_at_once);
		stuck_free(stuck);
	}
	struct pollfd loop = {.fd = wl_event_loop_get_fd(server->loop), .events = POLLIN};
	if (server->asked || poll(&loop, 1, 0) <= 0) {
		server->asked = false;
		server->idle_turns = 0;
		return;
	}
	if ((uint32_t)++server->idle_turns < server->options.pace.stuck_turns)
		return;
	server->idle_turns = 0;
	struct wl_client *client;
	wl_client_for_each(client, wl_display_get_client_list(server->display)) grow(server, client);
}

void mw_reading_init(mw_server *server) { wl_list_init(&server->stuck); }

void mw_reading_finish(mw_server *server) {
	struct stuck *stuck, *next;
	wl_list_for_each_safe(stuck, next, &server->stuck, link) stuck_free(stuck);
}

#else

void mw_reading_request(mw_server *server, struct wl_client *client) { (void)server, (void)client; }
void mw_reading_turn(mw_server *server) { (void)server; }
void mw_reading_init(mw_server *server) { (void)server; }
void mw_reading_finish(mw_server *server) { (void)server; }

#endif
