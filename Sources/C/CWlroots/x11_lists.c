/*
 * Lists of windows. wlroots tells Xwayland all of them anew for each that comes or goes: a program with some hundred of them
 * has it say more than Xwayland can read meanwhile. So a long list waits, and only the last one is sent.
 */
#include "x11.h"

#include <stdlib.h>
#include <string.h>

/* Shorter ones are sent at once, as wlroots has it. */
#define LONG 32
#define LATER_MS 50

/* Of properties that list windows: all, and all as they stand upon each other. */
#define LISTS 2

struct list {
	xcb_window_t window;                 /* none: nothing waits here */
	xcb_atom_t property;
	uint32_t count;
	uint32_t *windows;
};

struct mw_x11_lists {
	struct mw_xwayland *xwayland;
	xcb_connection_t *connection;
	struct wl_event_source *timer;
	struct list lists[LISTS];
};

static void forget(struct list *list) {
	free(list->windows);
	*list = (struct list){ 0 };
}

static int on_later(void *data) {
	struct mw_x11_lists *lists = data;
	if (mw_x11_of(lists->connection) != lists->xwayland)
		return 0;
	if (!mw_x11_may_be_told(lists->xwayland)) {
		wl_event_source_timer_update(lists->timer, LATER_MS);
		return 0;
	}
	for (int i = 0; i < LISTS; i++) {
		struct list *list = &lists->lists[i];
		if (list->window != 0)
			LIBXCB(xcb_change_property)(lists->connection, XCB_PROP_MODE_REPLACE, list->window, list->property, XCB_ATOM_WINDOW, 32,
				list->count, list->windows);
		forget(list);
	}
	xcb_flush(lists->connection);
	return 0;
}

static struct mw_x11_lists *lists_of(struct mw_xwayland *xwayland, xcb_connection_t *connection) {
	/* There are none of an Xwayland before this one. */
	if (xwayland->lists != NULL)
		return xwayland->lists;
	struct mw_x11_lists *lists = calloc(1, sizeof(*lists));
	if (lists == NULL)
		return NULL;
	lists->xwayland = xwayland;
	lists->connection = connection;
	lists->timer = wl_event_loop_add_timer(xwayland->server->loop, on_later, lists);
	if (lists->timer == NULL) {
		free(lists);
		return NULL;
	}
	return xwayland->lists = lists;
}

/* Where a list waits; else, if it is asked for, where one can; or NULL. */
static struct list *place_of(struct mw_x11_lists *lists, xcb_window_t window, xcb_atom_t property, bool wanted) {
	struct list *empty = NULL;
	for (int i = 0; i < LISTS; i++) {
		struct list *list = &lists->lists[i];
		if (list->window == window && list->property == property)
			return list;
		if (list->window == 0)
			empty = list;
	}
	return wanted ? empty : NULL;
}

/* Whether it waits now. */
static bool keep(struct mw_xwayland *xwayland, xcb_connection_t *connection, const struct list *told) {
	struct mw_x11_lists *lists = lists_of(xwayland, connection);
	struct list *list = lists != NULL ? place_of(lists, told->window, told->property, true) : NULL;
	uint32_t *windows = list != NULL ? realloc(list->windows, told->count * sizeof(*windows)) : NULL;
	if (windows == NULL)
		return false;
	memcpy(windows, told->windows, told->count * sizeof(*windows));
	if (list->window == 0)
		wl_event_source_timer_update(lists->timer, LATER_MS);
	*list = (struct list){ told->window, told->property, told->count, windows };
	return true;
}

INSTEAD xcb_void_cookie_t xcb_change_property(xcb_connection_t *connection, uint8_t mode, xcb_window_t window, xcb_atom_t property,
		xcb_atom_t type, uint8_t format, uint32_t count, const void *data) {
	struct mw_xwayland *xwayland = mode == XCB_PROP_MODE_REPLACE && type == XCB_ATOM_WINDOW && format == 32 ? mw_x11_of(connection) : NULL;
	const struct list told = { window, property, count, (uint32_t *)data };
	if (xwayland != NULL && count > LONG && keep(xwayland, connection, &told))
		return (xcb_void_cookie_t){ 0 };   /* wlroots does not look at it */
	/* What waited is older. */
	struct list *older = xwayland != NULL && xwayland->lists != NULL ? place_of(xwayland->lists, window, property, false) : NULL;
	if (older != NULL)
		forget(older);
	return LIBXCB(xcb_change_property)(connection, mode, window, property, type, format, count, data);
}

void mw_x11_lists_end(struct mw_xwayland *xwayland) {
	struct mw_x11_lists *lists = xwayland->lists;
	if (lists == NULL)
		return;
	wl_event_source_remove(lists->timer);
	for (int i = 0; i < LISTS; i++)
		forget(&lists->lists[i]);
	free(lists);
	xwayland->lists = NULL;
}
