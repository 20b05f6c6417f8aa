/*
 * ext-foreign-toplevel-list: the names of all mapped windows, for programs that show or record them.
 *
 * wlroots 0.18 has it; for 0.15 it is written here.
 */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#if WLR18

#include <wlr/types/wlr_ext_foreign_toplevel_list_v1.h>

struct mw_toplevel_list {
	struct wlr_ext_foreign_toplevel_list_v1 *wlr;
};

static struct wlr_ext_foreign_toplevel_handle_v1_state state_of(mw_window *window) {
	struct mw_window_info info;
	mw_window_fill_info(window, &info);
	return (struct wlr_ext_foreign_toplevel_handle_v1_state){ .title = info.title, .app_id = info.app_id };
}

void mw_toplevel_list_add(mw_window *window) {
	struct mw_toplevel_list *list = window->server->toplevel_list;
	if (list == NULL || window->listed != NULL)
		return;
	struct wlr_ext_foreign_toplevel_handle_v1_state state = state_of(window);
	window->listed = wlr_ext_foreign_toplevel_handle_v1_create(list->wlr, &state);
}

void mw_toplevel_list_update(mw_window *window) {
	struct wlr_ext_foreign_toplevel_handle_v1_state state = state_of(window);
	if (window->listed != NULL)
		wlr_ext_foreign_toplevel_handle_v1_update_state(window->listed, &state);
}

void mw_toplevel_list_remove(mw_window *window) {
	if (window->listed != NULL)
		wlr_ext_foreign_toplevel_handle_v1_destroy(window->listed);
	window->listed = NULL;
}

bool mw_toplevel_list_init(mw_server *server) {
	struct mw_toplevel_list *list = server->toplevel_list = calloc(1, sizeof(*list));
	if (list == NULL)
		return false;
	list->wlr = wlr_ext_foreign_toplevel_list_v1_create(server->display, 1);
	return list->wlr != NULL;
}

void mw_toplevel_list_finish(mw_server *server) {
	free(server->toplevel_list);
	server->toplevel_list = NULL;
}

#else

#include "ext-foreign-toplevel-list-v1-protocol.h"

struct mw_toplevel_list {
	mw_server *server;
	struct wl_global *global;
	struct wl_list resources;            /* of the list; those that were stopped are in no list */
	uint64_t session;                    /* differs from run to run */
};

/* A window that is in the list. */
struct mw_listed {
	mw_window *window;
	struct wl_list resources;            /* of its handles */
	uint64_t number;
};

static void destroy_resource(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static void on_resource_destroy(struct wl_resource *resource) {
	wl_list_remove(wl_resource_get_link(resource));
}

static void forget(struct wl_resource *resource) {
	wl_list_remove(wl_resource_get_link(resource));
	wl_list_init(wl_resource_get_link(resource));
}

/* ---- handles ---- */

static const struct ext_foreign_toplevel_handle_v1_interface handle_implementation = { .destroy = destroy_resource };

static void send_names(mw_window *window, struct wl_resource *handle) {
	struct mw_window_info info;
	mw_window_fill_info(window, &info);
	ext_foreign_toplevel_handle_v1_send_title(handle, info.title);
	ext_foreign_toplevel_handle_v1_send_app_id(handle, info.app_id);
}

static void send_handle(struct mw_listed *listed, struct wl_resource *list_resource) {
	struct mw_toplevel_list *list = listed->window->server->toplevel_list;
	struct wl_resource *handle = wl_resource_create(wl_resource_get_client(list_resource),
		&ext_foreign_toplevel_handle_v1_interface, wl_resource_get_version(list_resource), 0);
	if (handle == NULL) {
		wl_resource_post_no_memory(list_resource);
		return;
	}
	wl_resource_set_implementation(handle, &handle_implementation, NULL, on_resource_destroy);
	wl_list_insert(&listed->resources, wl_resource_get_link(handle));
	ext_foreign_toplevel_list_v1_send_toplevel(list_resource, handle);
	/* At most 32 characters. */
	char identifier[33];
	snprintf(identifier, sizeof(identifier), "%016" PRIx64 "%016" PRIx64, list->session, listed->number);
	ext_foreign_toplevel_handle_v1_send_identifier(handle, identifier);
	send_names(listed->window, handle);
	ext_foreign_toplevel_handle_v1_send_done(handle);
}

void mw_toplevel_list_add(mw_window *window) {
	struct mw_toplevel_list *list = window->server->toplevel_list;
	static uint64_t last;
	if (list == NULL || window->listed != NULL)
		return;
	struct mw_listed *listed = window->listed = calloc(1, sizeof(*listed));
	if (listed == NULL)
		return;
	listed->window = window;
	listed->number = ++last;   /* a window that was away and comes again is another one */
	wl_list_init(&listed->resources);
	struct wl_resource *resource;
	wl_resource_for_each(resource, &list->resources)
		send_handle(listed, resource);
}

void mw_toplevel_list_update(mw_window *window) {
	if (window->listed == NULL)
		return;
	struct wl_resource *handle;
	wl_resource_for_each(handle, &window->listed->resources) {
		send_names(window, handle);
		ext_foreign_toplevel_handle_v1_send_done(handle);
	}
}

void mw_toplevel_list_remove(mw_window *window) {
	if (window->listed == NULL)
		return;
	struct wl_resource *handle, *next;
	wl_resource_for_each_safe(handle, next, &window->listed->resources) {
		ext_foreign_toplevel_handle_v1_send_closed(handle);
		forget(handle);
	}
	free(window->listed);
	window->listed = NULL;
}

/* ---- the list ---- */

static void stop(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	forget(resource);
	ext_foreign_toplevel_list_v1_send_finished(resource);
}

static const struct ext_foreign_toplevel_list_v1_interface list_implementation = {
	.stop = stop,
	.destroy = destroy_resource,
};

static void on_bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct mw_toplevel_list *list = data;
	struct wl_resource *resource = wl_resource_create(client, &ext_foreign_toplevel_list_v1_interface, (int)version, id);
	if (resource == NULL) {
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(resource, &list_implementation, list, on_resource_destroy);
	wl_list_insert(&list->resources, wl_resource_get_link(resource));
	mw_window *window;
	wl_list_for_each(window, &list->server->windows, link) {
		if (window->listed != NULL)
			send_handle(window->listed, resource);
	}
}

bool mw_toplevel_list_init(mw_server *server) {
	struct mw_toplevel_list *list = server->toplevel_list = calloc(1, sizeof(*list));
	if (list == NULL)
		return false;
	list->server = server;
	wl_list_init(&list->resources);
	if (getrandom(&list->session, sizeof(list->session), GRND_NONBLOCK) != sizeof(list->session))
		list->session = (uint64_t)mw_now();
	list->global = wl_global_create(server->display, &ext_foreign_toplevel_list_v1_interface, 1, list, on_bind);
	return list->global != NULL;
}

/* The clients are gone by now, and with them every object. */
void mw_toplevel_list_finish(mw_server *server) {
	struct mw_toplevel_list *list = server->toplevel_list;
	if (list == NULL)
		return;
	if (list->global != NULL)
		wl_global_destroy(list->global);
	server->toplevel_list = NULL;
	free(list);
}

#endif
