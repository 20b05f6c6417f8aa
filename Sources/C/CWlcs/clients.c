/* C, because it modifies wlroots' own structs, for the conformance tests only. */
/*
 * Connections of test clients, and the surfaces that their proxies stand for.
 *
 * Also works around a bug in WLCS: its helpers attach a buffer to a new surface without waiting for the first
 * configure, which is a protocol error, and nearly every test uses them. Only here, a surface counts as configured
 * from its first commit on (docs/conformance.md).
 */
#include "cwlcs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wayland-client-core.h>
#include <wayland-server-core.h>
#include <wlr/types/wlr_compositor.h>
#include <wlr/types/wlr_layer_shell_v1.h>
#include <wlr/types/wlr_xdg_shell.h>
#include <wlr/version.h>
#if WLR_VERSION_NUM >= 0x001200
#include <wlr/types/wlr_subcompositor.h>
#endif
#if WLR_VERSION_NUM < 0x001200
#include <wlr/types/wlr_surface.h>
#endif

struct cw_clients {
	struct wl_display *display;
	struct wl_protocol_logger *logger;
	struct wl_list list; /* struct client, newest first */
};

struct client {
	struct wl_list link;
	struct wl_client *wl;
	int fd; /* the client's end, for comparison only */
	struct wl_listener destroy;
};

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct client *client = wl_container_of(listener, client, destroy);
	wl_list_remove(&client->link);
	wl_list_remove(&client->destroy.link);
	free(client);
}

int cw_clients_connect(struct cw_clients *clients) {
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	struct client *client = calloc(1, sizeof(*client));
	if (client != NULL)
		client->wl = wl_client_create(clients->display, ends[0]);
	if (client == NULL || client->wl == NULL) {
		free(client);
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	client->fd = ends[1];
	client->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(client->wl, &client->destroy);
	wl_list_insert(&clients->list, &client->link);
	return ends[1];
}

static void measure(struct wlr_surface *surface, int32_t *dx, int32_t *dy) {
	*dx = *dy = 0;
	struct wlr_surface *root = surface;
#if WLR_VERSION_NUM < 0x001200
	while (wlr_surface_is_subsurface(root)) {
		struct wlr_subsurface *sub = wlr_subsurface_from_wlr_surface(root);
#else
	struct wlr_subsurface *sub;
	while ((sub = wlr_subsurface_try_from_wlr_surface(root)) != NULL) {
#endif
		if (sub == NULL || sub->parent == NULL)
			return;
		*dx += sub->current.x;
		*dy += sub->current.y;
		root = sub->parent;
	}
#if WLR_VERSION_NUM < 0x001200
	struct wlr_xdg_surface *xdg = wlr_surface_is_xdg_surface(root) ? wlr_xdg_surface_from_wlr_surface(root) : NULL;
	struct wlr_box geometry = {0};
	if (root != surface && xdg != NULL)
		wlr_xdg_surface_get_geometry(xdg, &geometry);
#else
	struct wlr_xdg_surface *xdg = wlr_xdg_surface_try_from_wlr_surface(root);
	struct wlr_box geometry = root != surface && xdg != NULL ? xdg->current.geometry : (struct wlr_box){0};
#endif
	*dx -= geometry.x;
	*dy -= geometry.y;
}

struct wlr_surface *cw_clients_surface(struct cw_clients *clients, struct wl_display *display, struct wl_proxy *surface, int32_t *dx,
									   int32_t *dy) {
	int fd = wl_display_get_fd(display);
	struct client *client;
	wl_list_for_each(client, &clients->list, link) {
		if (client->fd != fd)
			continue;
		struct wl_resource *resource = wl_client_get_object(client->wl, wl_proxy_get_id(surface));
		if (resource == NULL || strcmp(wl_resource_get_class(resource), "wl_surface") != 0)
			return NULL;
		struct wlr_surface *found = wlr_surface_from_resource(resource);
		measure(found, dx, dy);
		return found;
	}
	return NULL;
}

bool cw_place_layer(struct wlr_surface *surface, int32_t x, int32_t y) {
#if WLR_VERSION_NUM < 0x001200
	struct wlr_layer_surface_v1 *layer = wlr_surface_is_layer_surface(surface) ? wlr_layer_surface_v1_from_wlr_surface(surface) : NULL;
#else
	struct wlr_layer_surface_v1 *layer = wlr_layer_surface_v1_try_from_wlr_surface(surface);
#endif
	if (layer == NULL)
		return false;
	layer->pending.anchor = ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP | ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT;
	layer->pending.margin.left = x;
	layer->pending.margin.top = y;
	layer->pending.committed |= WLR_LAYER_SURFACE_V1_STATE_ANCHOR | WLR_LAYER_SURFACE_V1_STATE_MARGIN;
#if WLR_VERSION_NUM >= 0x001200
	layer->current = layer->pending;
#endif
	surface->role->commit(surface);
	wl_signal_emit_mutable(&surface->events.commit, surface);
	return true;
}

/* ---- workaround: buffers before the first configure ---- */

static bool has_buffer(struct wlr_surface *surface) {
#if WLR_VERSION_NUM < 0x001200
	return (surface->pending.committed & WLR_SURFACE_STATE_BUFFER) && surface->pending.buffer != NULL;
#else
	return (surface->pending.committed & WLR_SURFACE_STATE_BUFFER) && surface->pending_buffer_resource != NULL;
#endif
}

#if WLR_VERSION_NUM >= 0x001200
/* 0.18 expects an empty initial commit. If the first commit brings a buffer, it is split in two, the first one
 * empty. */
static void begin(struct wlr_surface *surface) {
	surface->unmap_commit = false;
	surface->current.committed = 0;
	surface->role->commit(surface);
	wl_signal_emit_mutable(&surface->events.commit, surface);
}
#endif

static enum wl_iterator_result forgive(struct wl_resource *resource, void *data) {
	struct wlr_surface *surface = data;
	const char *class = wl_resource_get_class(resource);
	if (strcmp(class, "xdg_surface") == 0) {
		struct wlr_xdg_surface *xdg = wl_resource_get_user_data(resource);
		if (xdg == NULL || xdg->surface != surface || xdg->role == WLR_XDG_SURFACE_ROLE_NONE)
			return WL_ITERATOR_CONTINUE;
#if WLR_VERSION_NUM >= 0x001200
		if (!has_buffer(surface))
			return WL_ITERATOR_CONTINUE;
		if (!xdg->initialized) {
			xdg->current = xdg->pending;
			if (xdg->role == WLR_XDG_SURFACE_ROLE_TOPLEVEL && xdg->toplevel != NULL)
				xdg->toplevel->current = xdg->toplevel->pending;
			begin(surface);
			if (xdg->role == WLR_XDG_SURFACE_ROLE_POPUP && xdg->popup != NULL) {
				/* As if the client had acked its scheduled geometry. */
				xdg->popup->pending.geometry = xdg->popup->scheduled.geometry;
				xdg->popup->pending.reactive = xdg->popup->scheduled.rules.reactive;
			}
		}
#endif
		xdg->configured = true;
	} else if (strcmp(class, "zwlr_layer_surface_v1") == 0) {
		struct wlr_layer_surface_v1 *layer = wl_resource_get_user_data(resource);
		if (layer == NULL || layer->surface != surface)
			return WL_ITERATOR_CONTINUE;
		if (!has_buffer(surface))
			return WL_ITERATOR_CONTINUE;
#if WLR_VERSION_NUM < 0x001200
		/* 0.15 accepts no buffer in the first commit at all. */
		if (!layer->added)
			surface->role->commit(surface);
#else
		if (!layer->initialized) {
			layer->current = layer->pending;
			begin(surface);
		}
#endif
		layer->configured = true;
	}
	return WL_ITERATOR_CONTINUE;
}

static void on_message(void *user, enum wl_protocol_logger_type type, const struct wl_protocol_logger_message *message) {
	(void)user;
	if (type != WL_PROTOCOL_LOGGER_REQUEST || strcmp(message->message->name, "commit") != 0 ||
		strcmp(wl_resource_get_class(message->resource), "wl_surface") != 0)
		return;
	struct wlr_surface *surface = wlr_surface_from_resource(message->resource);
	if (surface != NULL)
		wl_client_for_each_resource(wl_resource_get_client(message->resource), forgive, surface);
}

/* ---- life cycle ---- */

struct cw_clients *cw_clients_create(struct wl_display *display) {
	struct cw_clients *clients = calloc(1, sizeof(*clients));
	if (clients == NULL)
		return NULL;
	clients->display = display;
	wl_list_init(&clients->list);
	clients->logger = wl_display_add_protocol_logger(display, on_message, clients);
	return clients;
}

void cw_clients_destroy(struct cw_clients *clients) {
	wl_protocol_logger_destroy(clients->logger);
	struct client *client, *next;
	wl_list_for_each_safe(client, next, &clients->list, link) on_client_destroy(&client->destroy, NULL);
	free(clients);
}

/* ---- the event loop for calls ---- */

int cw_wake_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cw_loop_fd(struct wl_event_loop *loop) { return wl_event_loop_get_fd(loop); }

void cw_loop_dispatch(struct wl_event_loop *loop) { wl_event_loop_dispatch(loop, 0); }
