/* C, because it runs before each event to each client. */
/*
 * A client that does not read its socket (stopped, hung, swapped out) must neither use memory nor be disconnected
 * because of events sent to it. The kernel's socket buffer is finite, and libwayland disconnects a client whose
 * buffer is full. So a client is *stalled* when a quarter of its buffer is used. Then nothing new begins for it:
 * motion, presses, keys and configures are held back, but messages that end something are always sent. When it has caught
 * up, it is told the current state (law 7).
 */
#include "internal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct mw_stalled {
	struct wl_list link;
	mw_server *server;
	struct wl_client *client;
	owned_fd fd; /* a duplicate, because libwayland polls the original for reading */
	struct wl_event_source *source;
	struct wl_listener destroy;
};

static void stalled_free(struct mw_stalled *stalled) {
	mw_unlisten(&stalled->destroy);
	wl_list_remove(&stalled->link);
	if (stalled->source != NULL)
		wl_event_source_remove(stalled->source);
	owned_fd_close(&stalled->fd);
	free(stalled);
}

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_stalled *stalled = wl_container_of(listener, stalled, destroy);
	stalled_free(stalled);
}

/* Linux reports a Unix socket as writable when less than a quarter of its buffer is used. */
static bool has_room(int fd) {
	struct pollfd entry = {.fd = fd, .events = POLLOUT};
	return poll(&entry, 1, 0) != 0;
}

static int on_room(int fd, uint32_t mask, void *data) {
	(void)fd;
	struct mw_stalled *stalled = data;
	mw_server *server = stalled->server;
	struct wl_client *client = stalled->client;
	stalled_free(stalled);
	if (mask & (WL_EVENT_HANGUP | WL_EVENT_ERROR))
		return 0;
	mw_seat_caught_up(server, client);
	mw_xdg_caught_up(server, client);
	mw_popups_caught_up(server, client);
	mw_layers_caught_up(server, client);
	return 0;
}

static void watch(mw_server *server, struct wl_client *client) {
	struct mw_stalled *stalled = calloc(1, sizeof(*stalled));
	if (stalled == NULL)
		return;
	stalled->server = server;
	stalled->client = client;
	wl_list_insert(&server->stalled, &stalled->link);
	stalled->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(client, &stalled->destroy);
	stalled->fd = owned_fd_take(fcntl(wl_client_get_fd(client), F_DUPFD_CLOEXEC, 0), "client that does not read");
	if (owned_fd_is_open(stalled->fd))
		stalled->source = wl_event_loop_add_fd(server->loop, owned_fd_number(stalled->fd), WL_EVENT_WRITABLE, on_room, stalled);
	if (stalled->source == NULL)
		stalled_free(stalled);
}

bool mw_client_stalled(mw_server *server, struct wl_client *client) {
	struct mw_stalled *stalled;
	wl_list_for_each(stalled, &server->stalled, link) {
		if (stalled->client == client)
			return true;
	}
	if (server->roomy.client == client && server->roomy.left > 0) {
		server->roomy.left--;
		return false;
	}
	if (has_room(wl_client_get_fd(client))) {
		server->roomy.client = client;
		server->roomy.left = server->options.pace.events_per_check;
		return false;
	}
	/* A client that is being destroyed will not catch up, and does not signal its end again. */
	if (!mw_client_is_ending(client))
		watch(server, client);
	return true;
}

bool mw_surface_stalled(mw_server *server, struct wlr_surface *surface) {
	return surface != NULL && mw_client_stalled(server, wl_resource_get_client(surface->resource));
}

/* A client that reads but does not ack would make wlroots keep each of its configures. */
bool mw_may_tell(mw_server *server, struct wlr_surface *surface, const struct wl_list *configures) {
	return (uint32_t)wl_list_length(configures) < server->options.pace.held_configures && !mw_surface_stalled(server, surface);
}

static void on_client_created(struct wl_listener *listener, void *data) {
	mw_server *server = wl_container_of(listener, server, client_created);
	int room = (int)server->options.pace.socket_bytes;
	setsockopt(wl_client_get_fd(data), SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
}

void mw_stalled_init(mw_server *server) {
	server->client_created.notify = on_client_created;
	wl_display_add_client_created_listener(server->display, &server->client_created);
}

void mw_stalled_finish(mw_server *server) {
	mw_unlisten(&server->client_created);
	struct mw_stalled *stalled, *next;
	wl_list_for_each_safe(stalled, next, &server->stalled, link) stalled_free(stalled);
}
