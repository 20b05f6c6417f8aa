/* Menus, tooltips and other override-redirect X11 windows: whose they are and where. */
#include "x11.h"

static struct x11 *of_surface(struct mw_xwayland *xwayland, struct wlr_xwayland_surface *x) {
	struct x11 *item;
	wl_list_for_each(item, &xwayland->surfaces, link) {
		if (item->x == x)
			return item;
	}
	return NULL;
}

static mw_window *mapped_window(struct x11 *item) {
	return item != NULL && item->window != NULL && item->window->mapped ? item->window : NULL;
}

mw_window *mw_x11_find_owner(struct x11 *menu) {
	struct mw_xwayland *xwayland = menu->xwayland;
	struct wlr_xwayland_surface *parent = menu->x->parent;
	for (int depth = 0; parent != NULL && depth < 16; depth++, parent = parent->parent) {
		struct x11 *item = of_surface(xwayland, parent);
		if (mapped_window(item) != NULL)
			return item->window;
		if (item != NULL && item->owner != NULL)
			return item->owner;
	}
	mw_window *focused = mw_seat_focused_window(xwayland->server);
	if (focused != NULL && (focused->xsurface == NULL || !focused->mapped))
		focused = NULL;
	if (focused != NULL && focused->xsurface->pid == menu->x->pid)
		return focused;
	struct x11 *item;
	wl_list_for_each(item, &xwayland->surfaces, link) {
		if (mapped_window(item) != NULL && menu->x->pid != 0 && item->x->pid == menu->x->pid)
			return item->window;
	}
	return focused;
}

/* ---- those that belong to none: dmenu over a Wayland window, a picture before the first window ---- */

static bool is_orphan(const struct x11 *item) {
	return item->menu && item->mapped && item->owner == NULL && item->x->surface != NULL;
}

void mw_x11_orphans_changed(mw_server *server) {
	mw_output *output = mw_output_first(server);
	if (output != NULL)
		mw_output_schedule(output);
	if (!server->destroying)
		server->on.x11_menus_want_keys(server->on.user, mw_x11_orphan_keyboard_focus(server) != NULL);
	mw_seat_refresh_focus(server);   /* another of them may be the topmost */
}

void mw_x11_each_orphan_surface(mw_server *server, mw_surface_iterator iterator, void *data) {
	if (server->xwayland == NULL)
		return;
	struct x11 *item;
	/* Newest is first in the list and lies on top. */
	wl_list_for_each_reverse(item, &server->xwayland->surfaces, link) {
		if (is_orphan(item))
			iterator(item->x->surface, item->x->x, item->x->y, data);
	}
}

bool mw_x11_is_orphan(mw_server *server, const struct wlr_surface *surface) {
	struct x11 *item;
	if (server->xwayland == NULL)
		return false;
	wl_list_for_each(item, &server->xwayland->surfaces, link) {
		if (is_orphan(item) && item->x->surface == surface)
			return true;
	}
	return false;
}

struct wlr_surface *mw_x11_orphan_at(mw_server *server, double x, double y, double *sx, double *sy) {
	struct x11 *item;
	if (server->xwayland == NULL)
		return NULL;
	wl_list_for_each(item, &server->xwayland->surfaces, link) {
		if (!is_orphan(item) || !wlr_surface_point_accepts_input(item->x->surface, x - item->x->x, y - item->x->y))
			continue;
		*sx = x - item->x->x;
		*sy = y - item->x->y;
		return item->x->surface;
	}
	return NULL;
}

struct wlr_surface *mw_x11_orphan_keyboard_focus(mw_server *server) {
	struct x11 *item;
	if (server->xwayland == NULL)
		return NULL;
	wl_list_for_each(item, &server->xwayland->surfaces, link) {
		if (is_orphan(item) && mw_x11_wants_keys(item))
			return item->x->surface;
	}
	return NULL;
}

bool mw_x11_wants_keys(const struct x11 *item) {
	return wlr_xwayland_or_surface_wants_focus(item->x) &&
		wlr_xwayland_icccm_input_model(item->x) != WLR_ICCCM_INPUT_MODEL_NONE;
}

void mw_x11_menus_changed(mw_window *owner) {
	if (owner == NULL)
		return;
	mw_window_report_popups(owner, false);
	mw_seat_window_changed(owner->server, owner);
}

void mw_x11_adopt_orphans(struct mw_xwayland *xwayland) {
	struct x11 *item;
	wl_list_for_each(item, &xwayland->surfaces, link) {
		if (item->menu && item->mapped && item->owner == NULL) {
			item->owner = mw_x11_find_owner(item);
			mw_x11_menus_changed(item->owner);
		}
	}
	mw_x11_orphans_changed(xwayland->server);
}

void mw_x11_window_gone(mw_window *window) {
	struct mw_xwayland *xwayland = window->server->xwayland;
	if (xwayland == NULL)
		return;
	struct x11 *item;
	wl_list_for_each(item, &xwayland->surfaces, link) {
		if (item->owner == window)
			item->owner = NULL;
	}
	if (!window->server->destroying)
		mw_x11_adopt_orphans(xwayland);
}

void mw_x11_each_menu_surface(mw_window *window, mw_surface_iterator iterator, void *data) {
	struct mw_xwayland *xwayland = window->server->xwayland;
	if (xwayland == NULL)
		return;
	struct x11 *item;
	/* Newest is first in the list and lies on top. */
	wl_list_for_each_reverse(item, &xwayland->surfaces, link) {
		if (item->menu && item->mapped && item->owner == window && item->x->surface != NULL)
			iterator(item->x->surface, item->x->x - window->xsurface->x, item->x->y - window->xsurface->y, data);
	}
}
