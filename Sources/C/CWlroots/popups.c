/* xdg_popup: where they may go, their grabs, and what the shell is told of them. */
#include "internal.h"
#include "client_limits.h"

#include <stdlib.h>

struct mw_popup {
	struct wl_list link;                 /* mw_shell.popups, newest first */
	mw_shell *shell;
	struct wlr_xdg_popup *xdg;
	bool mapped;
	bool held;                           /* it moved, and was not told because it is behind or does not answer */
	struct wl_listener map, unmap, commit, destroy, reposition, configure;
};

/* The surface at the foot of a chain of popups: a toplevel's or a layer's. NULL if the chain is broken. */
static struct wlr_surface *root_of(struct wlr_xdg_popup *popup) {
	struct wlr_surface *surface = popup->parent;
	for (int depth = 0; surface != NULL && depth < MW_LIMIT_DEPTH; depth++) {
		struct wlr_xdg_surface *parent = mw_xdg_surface_of(surface);
		if (parent == NULL || parent->role != WLR_XDG_SURFACE_ROLE_POPUP)
			return surface;
		if (parent->popup == NULL)
			return NULL;
		surface = parent->popup->parent;
	}
	return NULL;
}

static mw_window *window_of(struct wlr_xdg_popup *popup) {
	struct wlr_surface *root = root_of(popup);
	return root != NULL ? mw_xdg_window(mw_xdg_surface_of(root)) : NULL;
}

struct wlr_surface *mw_popups_grabbing(mw_server *server, struct wlr_surface *root) {
	struct mw_popup *popup;
	if (root == NULL)
		return NULL;
	wl_list_for_each(popup, &server->shell->popups, link) {
		if (popup->mapped && popup->xdg->seat != NULL && root_of(popup->xdg) == root)
			return popup->xdg->base->surface;
	}
	return NULL;
}

static void report(mw_shell *shell, mw_window *window) {
	if (window == NULL)
		return;
	mw_window_report_popups(window, mw_popups_grabbing(shell->server, window->surface) != NULL);
	mw_seat_window_changed(shell->server, window);
}

struct place { struct wlr_surface *surface; double x, y; bool found; };

static void find_place(struct wlr_surface *surface, double x, double y, void *data) {
	struct place *place = data;
	if (surface == place->surface) {
		place->x = x;
		place->y = y;
		place->found = true;
	}
}

/* Popups of a layer surface may fill its output. */
static bool layer_bounds(mw_server *server, struct wlr_surface *root, struct wlr_box *box) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		struct place place = { .surface = root };
		for (int32_t layer = 0; layer <= 3 && !place.found; layer++)
			mw_layers_each_surface(output, layer, find_place, &place);
		if (!place.found)
			continue;
		wlr_output_effective_resolution(output->wlr, &box->width, &box->height);
		box->x = -place.x;
		box->y = -place.y;
		return true;
	}
	return false;
}

/* wlroots wants the box that popups may fill in the coordinates of the root surface. */
static void unconstrain(struct mw_popup *popup) {
	struct wlr_surface *root = root_of(popup->xdg);
	mw_window *window = window_of(popup->xdg);
	if (root == NULL)
		return;
	struct wlr_box box = {0};
	if (window != NULL) {
		struct wlr_box geometry = {0};
		mw_window_geometry(window, &geometry);
		if (window->popup_bounds.width > 0 && window->popup_bounds.height > 0) {
			box.x = window->popup_bounds.x;
			box.y = window->popup_bounds.y;
			box.width = window->popup_bounds.width;
			box.height = window->popup_bounds.height;
		} else {
			box.width = geometry.width;
			box.height = geometry.height;
		}
		box.x += geometry.x;
		box.y += geometry.y;
	} else if (!layer_bounds(popup->shell->server, root, &box)) {
#if WLR18
		wlr_xdg_surface_schedule_configure(popup->xdg->base);
#endif
		return;
	}
	wlr_xdg_popup_unconstrain_from_box(popup->xdg, &box);
}

/* What it stands on is elsewhere. */
static void move(struct mw_popup *popup) {
	struct wlr_xdg_surface *base = popup->xdg->base;
	popup->held = !mw_may_tell(popup->shell->server, base->surface, &base->configure_list);
	if (!popup->held)
		unconstrain(popup);
}

static void on_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_popup *popup = wl_container_of(listener, popup, commit);
#if WLR18
	if (popup->xdg->base->initial_commit) {
		unconstrain(popup);
		return;
	}
#endif
	if (popup->held)
		move(popup);
	if (popup->mapped)
		report(popup->shell, window_of(popup->xdg));
}

static void on_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_popup *popup = wl_container_of(listener, popup, map);
	popup->mapped = true;
	report(popup->shell, window_of(popup->xdg));
	mw_seat_refresh_focus(popup->shell->server);
}

/* 0.15 ends pointer and keyboard grabs with the last grabbing popup but forgets the touch grab,
 * which then swallows the next touch on any other client. */
static void end_stale_touch_grab(mw_shell *shell) {
	struct wlr_seat *seat = mw_seat_wlr(shell->server);
	struct wlr_xdg_popup_grab *grab;
	wl_list_for_each(grab, &shell->xdg->popup_grabs, link) {
		if (wl_list_empty(&grab->popups) && seat->touch_state.grab == &grab->touch_grab) {
			wlr_seat_touch_end_grab(seat);
			return;
		}
	}
}

static void gone(struct mw_popup *popup) {
	mw_shell *shell = popup->shell;
	if (!popup->mapped)
		return;
	popup->mapped = false;
	if (shell->server->destroying)
		return;
#if !WLR18
	/* 0.15 clears this only after it has said so, and what is told and hit from here must be without it. */
	popup->xdg->base->mapped = false;
#endif
	report(shell, window_of(popup->xdg));
	mw_seat_refresh_focus(shell->server);
}

static void on_unmap(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_popup *popup = wl_container_of(listener, popup, unmap);
	gone(popup);
}

static void popup_free(struct mw_popup *popup) {
	struct wl_listener *all[] = { &popup->map, &popup->unmap, &popup->commit, &popup->destroy, &popup->reposition, &popup->configure };
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
	wl_list_remove(&popup->link);
	free(popup);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_popup *popup = wl_container_of(listener, popup, destroy);
	mw_shell *shell = popup->shell;
	gone(popup);
	popup_free(popup);
	end_stale_touch_grab(shell);
	if (!shell->server->destroying)
		mw_seat_refresh_focus(shell->server);
}

static void on_configure(struct wl_listener *listener, void *data) {
	(void)listener;
	struct wlr_xdg_surface *surface = ((struct wlr_xdg_surface_configure *)data)->surface;
	mw_limits_configures(surface->client->client, &surface->configure_list);
}

#if WLR18
static void on_reposition(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_popup *popup = wl_container_of(listener, popup, reposition);
	unconstrain(popup);
}
#endif

static bool is_in_ring(const struct wlr_xdg_popup *popup) {
	const struct wlr_xdg_popup *ancestor = popup;
	for (int steps = 0; ancestor != NULL && ancestor->parent != NULL && steps < MW_LIMIT_POPUPS; steps++) {
		struct wlr_xdg_surface *parent = mw_xdg_surface_of(ancestor->parent);
		ancestor = parent != NULL && parent->role == WLR_XDG_SURFACE_ROLE_POPUP ? parent->popup : NULL;
		if (ancestor == popup)
			return true;
	}
	return false;
}

/* A popup may not be its own ancestor: 0.15 recurses without end, 0.18 says nothing. True if it is not to be used. */
static bool refuse_loop(struct wlr_xdg_popup *popup) {
	if (popup->parent == NULL)
		return !WLR18;   /* 0.18 announces a popup of a layer surface before that is named */
	if (root_of(popup) != NULL)
		return false;
	struct wl_resource *resource = popup->base->client->resource;
	uint32_t id = wl_resource_get_id(popup->resource);
	if (is_in_ring(popup))
		wl_resource_post_error(resource, XDG_WM_BASE_ERROR_INVALID_POPUP_PARENT, "xdg_popup@%u is its own ancestor", id);
	else
		wl_resource_post_error(resource, XDG_WM_BASE_ERROR_INVALID_POPUP_PARENT,
			"xdg_popup@%u stands in more than %d others, or in one that is gone", id, MW_LIMIT_DEPTH);
	wl_list_remove(&popup->link);
	wl_list_init(&popup->link);
	popup->parent = NULL;
	return true;
}

void mw_popup_new(mw_shell *shell, struct wlr_xdg_popup *xdg) {
	if (refuse_loop(xdg))
		return;
	struct mw_popup *popup = calloc(1, sizeof(*popup));
	if (popup == NULL) {
		wl_resource_post_no_memory(xdg->resource);
		return;
	}
	popup->shell = shell;
	popup->xdg = xdg;
	wl_list_insert(&shell->popups, &popup->link);
	struct wlr_surface *surface = xdg->base->surface;
	mw_listen(&surface->events.commit, &popup->commit, on_commit);
	mw_listen(&xdg->base->events.configure, &popup->configure, on_configure);
#if WLR18
	mw_listen(&surface->events.map, &popup->map, on_map);
	mw_listen(&surface->events.unmap, &popup->unmap, on_unmap);
	mw_listen(&xdg->events.destroy, &popup->destroy, on_destroy);
	mw_listen(&xdg->events.reposition, &popup->reposition, on_reposition);
#else
	mw_listen(&xdg->base->events.map, &popup->map, on_map);
	mw_listen(&xdg->base->events.unmap, &popup->unmap, on_unmap);
	mw_listen(&xdg->base->events.destroy, &popup->destroy, on_destroy);
	/* This is the first commit; the configure goes out at the end of this turn of the loop. */
	unconstrain(popup);
#endif
}

/* Popups that asked for it are placed anew when their window is elsewhere. 0.15 knows of none. */
void mw_popups_bounds_changed(mw_window *window) {
#if WLR18
	struct mw_popup *popup;
	wl_list_for_each(popup, &window->server->shell->popups, link) {
		if (popup->mapped && popup->xdg->current.reactive && window_of(popup->xdg) == window)
			move(popup);
	}
#else
	(void)window;
#endif
}

void mw_popups_caught_up(mw_server *server, struct wl_client *client) {
	struct mw_popup *popup;
	wl_list_for_each(popup, &server->shell->popups, link) {
		if (popup->held && wl_resource_get_client(popup->xdg->resource) == client)
			move(popup);
	}
}

void mw_popups_dismiss(mw_window *window) {
	mw_shell *shell = window->server->shell;
	struct wlr_seat *seat = mw_seat_wlr(window->server);
	/* popup_done only: the client destroys them itself. Destroying here would make a commit that is already on
	 * its way a protocol error. */
	bool grabbing = mw_popups_grabbing(window->server, window->surface) != NULL;
	struct mw_popup *popup;
	wl_list_for_each(popup, &shell->popups, link) {
		if (popup->mapped && popup->xdg->seat == NULL && window_of(popup->xdg) == window)
			xdg_popup_send_popup_done(popup->xdg->resource);
	}
	if (grabbing && wlr_seat_pointer_has_grab(seat) && seat->drag == NULL)
		wlr_seat_pointer_end_grab(seat);   /* sends popup_done to those that grab */
}

void mw_popups_dismiss_layers(mw_server *server) {
	struct wlr_seat *seat = mw_seat_wlr(server);
	struct mw_popup *popup;
	wl_list_for_each(popup, &server->shell->popups, link) {
		if (popup->mapped && popup->xdg->seat != NULL && window_of(popup->xdg) == NULL) {
			if (wlr_seat_pointer_has_grab(seat) && seat->drag == NULL)
				wlr_seat_pointer_end_grab(seat);
			return;
		}
	}
}

void mw_popups_finish(mw_shell *shell) {
	struct mw_popup *popup, *next;
	wl_list_for_each_safe(popup, next, &shell->popups, link)
		popup_free(popup);
}
