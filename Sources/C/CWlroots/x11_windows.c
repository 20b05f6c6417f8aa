/*
 * X11 windows that are put into others, or taken out of them: trays, and terminals that show a program's window as their own.
 * wlroots hears of the root's windows alone, and does not know this event. A window that went into another it would keep for
 * ever, and one that comes to the root it would never show; so they go and come, for it.
 */
#include "x11.h"

#include <stdlib.h>

static bool is_known(const struct mw_xwayland *xwayland, xcb_window_t window) {
	const struct x11 *item;
	wl_list_for_each(item, &xwayland->surfaces, link) {
		if (item->x->window_id == window)
			return true;
	}
	return false;
}

static bool is_root(xcb_connection_t *connection, xcb_window_t window) {
	return xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root == window;
}

void mw_x11_left_the_root(struct mw_xwayland *xwayland, xcb_connection_t *connection, xcb_generic_event_t *event) {
	const xcb_reparent_notify_event_t *moved = (xcb_reparent_notify_event_t *)event;
	/* What both begin with is the same. A client may say such a thing, too, and is not believed. */
	if (event->response_type == XCB_REPARENT_NOTIFY && !is_root(connection, moved->parent) && is_known(xwayland, moved->window))
		event->response_type = XCB_DESTROY_NOTIFY;
}

void mw_x11_came_to_the_root(struct mw_xwayland *xwayland, xcb_connection_t *connection, xcb_generic_event_t *event) {
	const xcb_reparent_notify_event_t moved = *(xcb_reparent_notify_event_t *)event;
	const xcb_setup_t *setup = xcb_get_setup(connection);
	if (event->response_type != XCB_REPARENT_NOTIFY || !is_root(connection, moved.parent) || is_known(xwayland, moved.window) ||
			(moved.window & ~setup->resource_id_mask) == setup->resource_id_base)
		return;
	xcb_generic_error_t *error = NULL;
	xcb_get_geometry_reply_t *place = xcb_get_geometry_reply(connection, xcb_get_geometry(connection, moved.window), &error);
	if (error == NULL) {
		/* If there is no answer yet, what it is told when it is placed says how large it is. */
		*(xcb_create_notify_event_t *)event = (xcb_create_notify_event_t){
			.response_type = XCB_CREATE_NOTIFY, .sequence = moved.sequence, .parent = moved.parent, .window = moved.window,
			.x = moved.x, .y = moved.y, .override_redirect = moved.override_redirect,
			.width = place != NULL ? place->width : 1, .height = place != NULL ? place->height : 1,
		};
	}
	free(error);
	free(place);
}
