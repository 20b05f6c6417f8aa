/*
 * Which globals a client gets to see. The answer is the handlers'; this knows who is asking.
 *
 * A client is looked at the moment it connects, while the process that connected can be told from one that may have its
 * number later. What a sandbox engine said of it (security-context) comes with the first question.
 */
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

struct mw_privileges {
	mw_server *server;
	struct wl_list clients;
	struct wl_listener client_created;
};

struct client {
	struct wl_list link;
	mw_server *server;
	struct wl_client *wl;
	uint64_t identity;
	bool asked;
	struct wl_listener destroy;
};

static void client_free(struct client *client) {
	wl_list_remove(&client->link);
	wl_list_remove(&client->destroy.link);
	free(client);
}

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct client *client = wl_container_of(listener, client, destroy);
	mw_server *server = client->server;
	uint64_t identity = client->identity;
	mw_xwayland_client_gone(server, client->wl);
	client_free(client);
	if (!server->destroying)
		server->on.client_gone(server->on.user, identity);
}

static struct client *client_of(struct wl_client *wl) {
	struct wl_listener *listener = wl_client_get_destroy_listener(wl, on_client_destroy);
	struct client *client = NULL;
	return listener != NULL ? wl_container_of(listener, client, destroy) : NULL;
}

/* The process that connected lives, so its number was not another's while we looked. Old kernels cannot say. */
static bool still_lives(struct wl_client *wl) {
	int fd = -1;
	socklen_t size = sizeof(fd);
	if (getsockopt(wl_client_get_fd(wl), SOL_SOCKET, SO_PEERPIDFD, &fd, &size) != 0 || fd < 0)
		return errno == ENOPROTOOPT;
	struct pollfd entry = { .fd = fd, .events = POLLIN };
	bool ended = poll(&entry, 1, 0) > 0;
	close(fd);
	return !ended;
}

static void on_client_created(struct wl_listener *listener, void *data) {
	struct mw_privileges *privileges = wl_container_of(listener, privileges, client_created);
	mw_server *server = privileges->server;
	struct wl_client *wl = data;
	struct client *client = server->nobody ? NULL : calloc(1, sizeof(*client));
	if (client == NULL)
		return;   /* unknown to the filter, which then shows it nothing privileged */
	client->server = server;
	client->wl = wl;
	client->identity = mw_client_identity(wl);
	wl_list_insert(&privileges->clients, &client->link);
	client->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(wl, &client->destroy);
	pid_t pid = 0;
	wl_client_get_credentials(wl, &pid, NULL, NULL);
	server->on.client_connected(server->on.user, client->identity, pid);
	if (!still_lives(wl))
		server->on.client_connected(server->on.user, client->identity, 0);
}

/* 0.18 offers this to everybody and ends whoever takes it up. */
static bool only_for_xwayland(const char *interface) {
	return strcmp(interface, "xwayland_shell_v1") == 0;
}

static bool filter(const struct wl_client *asking, const struct wl_global *global, void *data) {
	mw_server *server = data;
	struct wl_client *wl = (struct wl_client *)asking;
	const char *interface = wl_global_get_interface(global)->name;
	if (server->destroying)
		return true;
	if (only_for_xwayland(interface))
		return mw_xwayland_is_client(server, wl);
	struct client *client = client_of(wl);
	if (client == NULL)
		return server->on.global_allowed(server->on.user, 0, interface);
	if (!client->asked) {
		client->asked = true;
		struct mw_sandbox sandbox;
		if (mw_security_context_of(server, wl, &sandbox))
			server->on.client_sandboxed(server->on.user, client->identity, &sandbox);
	}
	return server->on.global_allowed(server->on.user, client->identity, interface);
}

bool mw_privileges_init(mw_server *server) {
	struct mw_privileges *privileges = server->privileges = calloc(1, sizeof(*privileges));
	if (privileges == NULL)
		return false;
	privileges->server = server;
	wl_list_init(&privileges->clients);
	privileges->client_created.notify = on_client_created;
	wl_display_add_client_created_listener(server->display, &privileges->client_created);
	wl_display_set_global_filter(server->display, filter, server);
	return mw_security_context_init(server);
}

void mw_privileges_finish(mw_server *server) {
	struct mw_privileges *privileges = server->privileges;
	if (privileges == NULL)
		return;
	mw_security_context_finish(server);
	struct client *client, *next;
	wl_list_for_each_safe(client, next, &privileges->clients, link)
		client_free(client);
	wl_list_remove(&privileges->client_created.link);
	server->privileges = NULL;
	free(privileges);
}
