/*
 * xx-pip, a draft: a window that is Picture in Picture by its role.
 *
 * The role is one of xdg_surface, and xdg_surface is wlroots', which knows toplevels and popups. So wlroots makes a
 * toplevel, for a client that nobody is: an object in that client's name takes what wlroots tells the toplevel, and no
 * request can be made of it. The app has its xdg_surface and its xx_pip_v1. To wlroots and to the rest of this target
 * the window is a toplevel like any other, in whatever order its objects and its client end.
 */
#include "internal.h"

#include "xx-pip-v1-protocol.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
/* Its head of an object, of which the implementation is wanted, is in the older header alone. */
#include <wayland-server.h>

struct mw_pictures {
	mw_server *server;
	struct wl_global *global;
	struct wl_list list;
	struct wl_client *nobody;            /* in whose name wlroots makes toplevels; made with the first one */
	owned_fd other_end;                  /* of its connection: open, and never read */
	struct wl_listener nobody_destroy;
	struct mw_picture *making;
};

struct box { int32_t x, y; uint32_t width, height; };
struct size { int32_t width, height; };

struct mw_picture {
	struct wl_list link;
	struct mw_pictures *all;
	struct wl_resource *resource;        /* the app's */
	struct wl_resource *toplevel;        /* nobody's; NULL once it is gone. Its xdg_toplevel may be gone before */
	struct wl_listener toplevel_destroy;
	bool closed;                         /* it was told so, and is shown no more */
	struct wl_event_source *closing;
	struct size bounds, bounds_before;   /* last told; in force until that was answered, 0: none */
	uint32_t bounds_serial;
};

/* ---- surfaces keep their role for good ---- */

struct mark {
	struct wl_listener destroy;
};

static void on_marked_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mark *mark = wl_container_of(listener, mark, destroy);
	mw_unlisten(&mark->destroy);
	free(mark);
}

static bool is_marked(struct wlr_surface *surface) {
	return wl_signal_get(&surface->events.destroy, on_marked_destroy) != NULL;
}

static bool mark_surface(struct wlr_surface *surface) {
	if (is_marked(surface))
		return true;
	struct mark *mark = calloc(1, sizeof(*mark));
	if (mark == NULL)
		return false;
	mw_listen(&surface->events.destroy, &mark->destroy, on_marked_destroy);
	return true;
}

void mw_pictures_refuse_toplevel(struct wl_resource *xdg_surface) {
	struct wlr_xdg_surface *xdg = wlr_xdg_surface_from_resource(xdg_surface);
	if (xdg != NULL && is_marked(xdg->surface))
		wl_resource_post_error(xdg->client->resource, XDG_WM_BASE_ERROR_ROLE, "wl_surface@%u has the role xx_pip_v1",
			wl_resource_get_id(xdg->surface->resource));
}

/* ---- nobody ---- */

static const void *implementation_of(struct wl_resource *resource) {
	return ((struct wl_object *)resource)->implementation;
}

static void on_nobody_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_pictures *all = wl_container_of(listener, all, nobody_destroy);
	mw_unlisten(&all->nobody_destroy);
	all->nobody = NULL;
	owned_fd_close(&all->other_end);
}

static struct wl_client *nobody(struct mw_pictures *all) {
	int ends[2];
	if (all->nobody != NULL)
		return all->nobody;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
		return NULL;
	all->server->nobody = true;
	all->nobody = wl_client_create(all->server->display, ends[0]);
	all->server->nobody = false;
	if (all->nobody == NULL) {
		close(ends[0]);
		close(ends[1]);
		return NULL;
	}
	all->other_end = owned_fd_take(ends[1], "connection of the client that is nobody");
	all->nobody_destroy.notify = on_nobody_destroy;
	wl_client_add_destroy_listener(all->nobody, &all->nobody_destroy);
	/* A client in error is sent nothing, and is ended by libwayland only when something comes from it. */
	wl_client_post_implementation_error(all->nobody, "nobody");
	return all->nobody;
}

bool mw_pictures_have_nobody(mw_server *server) {
	return server->pictures != NULL && server->pictures->nobody != NULL;
}

/* ---- the window of a picture, and the picture of a window ---- */

static struct wlr_xdg_toplevel *toplevel_of(struct mw_picture *picture) {
	return picture != NULL && picture->toplevel != NULL ? mw_xdg_toplevel_of(picture->toplevel) : NULL;
}

static mw_window *window_of(struct mw_picture *picture) {
	struct wlr_xdg_toplevel *toplevel = toplevel_of(picture);
	return toplevel != NULL ? mw_xdg_window(toplevel->base) : NULL;
}

struct mw_picture *mw_picture_of(mw_server *server, struct wlr_xdg_toplevel *toplevel) {
	struct mw_pictures *all = server->pictures;
	if (all == NULL || all->nobody == NULL || wl_resource_get_client(toplevel->resource) != all->nobody)
		return NULL;
	struct mw_picture *picture;
	wl_list_for_each(picture, &all->list, link) {
		if (picture->toplevel == toplevel->resource)
			return picture;
	}
	return all->making;
}

bool mw_picture_is_closed(const struct mw_picture *picture) {
	return picture != NULL && picture->closed;
}

void mw_picture_configured(mw_window *window, uint32_t serial, int32_t width, int32_t height) {
	struct mw_picture *picture = window->picture;
	mw_output *output = mw_output_first(window->server);
	if (output != NULL) {
		double right = 0, bottom = 0;
		mw_output_size(output, &right, &bottom);
		/* The shell's own wish goes first: a person may have it in a larger place than the screen is now. */
		struct size bounds = { (int32_t)right > width ? (int32_t)right : width, (int32_t)bottom > height ? (int32_t)bottom : height };
		if (bounds.width != picture->bounds.width || bounds.height != picture->bounds.height) {
			picture->bounds = bounds;
			picture->bounds_serial = serial;
		}
		xx_pip_v1_send_configure_bounds(picture->resource, bounds.width, bounds.height);
	}
	xx_pip_v1_send_configure_size(picture->resource, width, height);
}

bool mw_picture_committed(mw_window *window) {
	struct mw_picture *picture = window->picture;
	struct wlr_xdg_surface *xdg = window->toplevel->base;
	if (picture->closed)
		return false;
	if (xdg->configured && (int32_t)(xdg->current.configure_serial - picture->bounds_serial) >= 0)
		picture->bounds_before = picture->bounds;
	const struct size *most = &picture->bounds_before;
	if (most->width > 0 && (window->surface->current.width > most->width || window->surface->current.height > most->height))
		wl_resource_post_error(picture->resource, XX_PIP_V1_ERROR_INVALID_SIZE, "%dx%d is more than %dx%d",
			window->surface->current.width, window->surface->current.height, most->width, most->height);
	return true;
}

void mw_pictures_screen_changed(mw_server *server) {
	struct mw_picture *picture;
	if (server->pictures == NULL)
		return;
	wl_list_for_each(picture, &server->pictures->list, link) {
		mw_window *window = window_of(picture);
		if (window != NULL && window->mapped && !picture->closed)
			wlr_xdg_surface_schedule_configure(window->toplevel->base);
	}
}

/* Not inside the call that wanted it closed, which may be in the middle of something. */
static void close_now(void *data) {
	struct mw_picture *picture = data;
	picture->closing = NULL;
	mw_window *window = window_of(picture);
	if (window != NULL)
		mw_window_report_unmapped(window);
}

void mw_picture_close(mw_window *window) {
	struct mw_picture *picture = window->picture;
	if (picture->closed)
		return;
	picture->closed = true;
	xx_pip_v1_send_closed(picture->resource);
	picture->closing = wl_event_loop_add_idle(window->server->loop, close_now, picture);
}

/* ---- requests ---- */

static void destroy_resource(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static void set_app_id(struct wl_client *client, struct wl_resource *resource, const char *app_id) {
	(void)client;
	struct mw_picture *picture = wl_resource_get_user_data(resource);
	if (toplevel_of(picture) == NULL)
		return;
	const struct xdg_toplevel_interface *wlr = implementation_of(picture->toplevel);
	wlr->set_app_id(picture->all->nobody, picture->toplevel, app_id);
}

/* Where a picture came out of is no matter to a shell that lets it grow in its corner. */
static void set_origin(struct wl_client *client, struct wl_resource *resource, struct wl_resource *origin) {
	(void)client;
	struct wlr_xdg_toplevel *toplevel = toplevel_of(wl_resource_get_user_data(resource));
	if (toplevel != NULL && toplevel->base->surface == wlr_surface_from_resource(origin))
		wl_resource_post_error(resource, XX_PIP_V1_ERROR_INVALID_ORIGIN, "wl_surface@%u is the window itself",
			wl_resource_get_id(origin));
}

static void set_origin_rect(struct wl_client *client, struct wl_resource *resource, int32_t x, int32_t y, uint32_t width,
		uint32_t height) {
	(void)client, (void)resource, (void)x, (void)y, (void)width, (void)height;
}

static void request(struct wl_resource *resource, int32_t kind, uint32_t serial) {
	struct mw_picture *picture = wl_resource_get_user_data(resource);
	struct wlr_xdg_toplevel *toplevel = toplevel_of(picture);
	if (toplevel == NULL || picture->closed)
		return;
	if (!toplevel->base->configured) {
		wl_resource_post_error(toplevel->base->resource, XDG_SURFACE_ERROR_NOT_CONSTRUCTED,
			"xdg_surface@%u was not configured yet", wl_resource_get_id(toplevel->base->resource));
		return;
	}
	mw_window *window = window_of(picture);
	if (window != NULL)
		mw_xdg_request_with_serial(window, kind, serial);
}

static void move(struct wl_client *client, struct wl_resource *resource, struct wl_resource *seat, uint32_t serial) {
	(void)client, (void)seat;
	request(resource, MW_REQUEST_MOVE, serial);
}

static void resize(struct wl_client *client, struct wl_resource *resource, struct wl_resource *seat, uint32_t serial, uint32_t edges) {
	(void)client, (void)seat;
	/* Neither both of two opposite ones, nor what is none. */
	if (edges > XX_PIP_V1_RESIZE_EDGE_BOTTOM_RIGHT || (edges & 3) == 3) {
		wl_resource_post_error(resource, XX_PIP_V1_ERROR_INVALID_RESIZE_EDGE, "%u is no edge", edges);
		return;
	}
	if (edges != XX_PIP_V1_RESIZE_EDGE_NONE)
		request(resource, MW_REQUEST_RESIZE, serial);
}

static const struct xx_pip_v1_interface picture_implementation = {
	.destroy = destroy_resource,
	.set_app_id = set_app_id,
	.set_origin = set_origin,
	.set_origin_rect = set_origin_rect,
	.move = move,
	.resize = resize,
};

/* ---- lifetime ---- */

static void on_toplevel_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_picture *picture = wl_container_of(listener, picture, toplevel_destroy);
	mw_unlisten(&picture->toplevel_destroy);
	picture->toplevel = NULL;
}

/* The app gave its object back, or is gone. What wlroots holds of it goes first: its window knows of this. */
static void picture_free(struct mw_picture *picture) {
	if (picture->toplevel != NULL)
		wl_resource_destroy(picture->toplevel);
	if (picture->closing != NULL)
		wl_event_source_remove(picture->closing);
	wl_list_remove(&picture->link);
	free(picture);
}

static void on_resource_destroy(struct wl_resource *resource) {
	struct mw_picture *picture = wl_resource_get_user_data(resource);
	if (picture != NULL)
		picture_free(picture);
}

static bool has_content(const struct wlr_surface *surface) {
#if WLR18
	if (surface->pending_buffer_resource != NULL)
		return true;
#endif
	return surface->buffer != NULL || ((surface->pending.committed & WLR_SURFACE_STATE_BUFFER) && surface->pending.buffer != NULL);
}

static bool has_role(struct wlr_xdg_surface *xdg) {
	if (xdg->toplevel != NULL || xdg->popup != NULL)
		return true;
#if WLR18
	return (xdg->role != WLR_XDG_SURFACE_ROLE_NONE && !is_marked(xdg->surface)) || xdg->role_resource != NULL;
#else
	return xdg->surface->role != NULL && !is_marked(xdg->surface);
#endif
}

/* wlroots makes its toplevel as if nobody had asked. */
static bool make_toplevel(struct mw_picture *picture, struct wlr_xdg_surface *xdg) {
	struct mw_pictures *all = picture->all;
	struct wl_client *client = xdg->client->client;
	const struct xdg_surface_interface *wlr = implementation_of(xdg->resource);
	if (nobody(all) == NULL || !mark_surface(xdg->surface))
		return false;
	all->making = picture;
	xdg->client->client = all->nobody;
	wlr->get_toplevel(all->nobody, xdg->resource, 0);
	xdg->client->client = client;
	all->making = NULL;
	if (xdg->toplevel == NULL)
		return false;
	picture->toplevel = xdg->toplevel->resource;
	picture->toplevel_destroy.notify = on_toplevel_destroy;
	wl_resource_add_destroy_listener(picture->toplevel, &picture->toplevel_destroy);
	return true;
}

static void get_pip(struct wl_client *client, struct wl_resource *shell, uint32_t id, struct wl_resource *xdg_surface) {
	struct mw_pictures *all = wl_resource_get_user_data(shell);
	struct wlr_xdg_surface *xdg = wlr_xdg_surface_from_resource(xdg_surface);
	if (xdg != NULL && has_role(xdg)) {
		wl_resource_post_error(shell, XX_PIP_SHELL_V1_ERROR_ROLE, "xdg_surface@%u has a role already", wl_resource_get_id(xdg_surface));
		return;
	}
	if (xdg != NULL && has_content(xdg->surface)) {
		wl_resource_post_error(shell, XX_PIP_SHELL_V1_ERROR_ALREADY_CONSTRUCTED, "wl_surface@%u has content already",
			wl_resource_get_id(xdg->surface->resource));
		return;
	}
	struct mw_picture *picture = xdg != NULL ? calloc(1, sizeof(*picture)) : NULL;
	struct wl_resource *resource = wl_resource_create(client, &xx_pip_v1_interface, wl_resource_get_version(shell), id);
	if (resource == NULL || (picture == NULL && xdg != NULL)) {
		wl_client_post_no_memory(client);
		free(picture);
		if (resource != NULL)
			wl_resource_destroy(resource);
		return;
	}
	wl_resource_set_implementation(resource, &picture_implementation, picture, on_resource_destroy);
	if (picture == NULL)
		return;   /* of a surface that is gone: it means nothing */
	picture->all = all;
	picture->resource = resource;
	wl_list_insert(&all->list, &picture->link);
	if (!make_toplevel(picture, xdg))
		wl_client_post_no_memory(client);
}

static const struct xx_pip_shell_v1_interface shell_implementation = {
	.destroy = destroy_resource,
	.get_pip = get_pip,
};

static void on_bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &xx_pip_shell_v1_interface, (int)version, id);
	if (resource == NULL)
		wl_client_post_no_memory(client);
	else
		wl_resource_set_implementation(resource, &shell_implementation, data, NULL);
}

bool mw_pictures_init(mw_server *server) {
	struct mw_pictures *all = server->pictures = calloc(1, sizeof(*all));
	if (all == NULL)
		return false;
	all->server = server;
	wl_list_init(&all->list);
	all->global = wl_global_create(server->display, &xx_pip_shell_v1_interface, 1, all, on_bind);
	return all->global != NULL;
}

void mw_pictures_finish(mw_server *server) {
	struct mw_pictures *all = server->pictures;
	if (all == NULL)
		return;
	/* All clients are gone, nobody too, and what they had with them. */
	if (all->global != NULL)
		wl_global_destroy(all->global);
	server->pictures = NULL;
	free(all);
}
