/* Xwayland's command line and its window manager's connection. C, because it redefines functions that wlroots
 * calls. */
#include "guards.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

/* ---- the command line ---- */

/* This and libc's function are read after fork, where little more than exec is allowed. */
static char authority[108];
static __typeof__(execvp) *own_execvp;

bool x11_guards_set_authority(const char *path) {
	own_execvp = LIBXCB(execvp);
	int length = snprintf(authority, sizeof(authority), "%s", path != NULL ? path : "");
	if (length >= 0 && (size_t)length < sizeof(authority))
		return true;
	authority[0] = '\0';
	return false;
}

/*
 * wlroots builds Xwayland's command line itself and has no option for this. With at least one cookie in the file,
 * Xwayland no longer admits every program of the same user. The window manager's own connection needs no cookie.
 */
INSTEAD int execvp(const char *file, char *const arguments[]) {
	static char option[] = "-auth";
	char *more[72];
	size_t count = 0;
	while (arguments[count] != NULL && count + 3 < COUNT(more)) {
		more[count] = arguments[count];
		count++;
	}
	bool is_xwayland = count > 0 && strcmp(arguments[0], "Xwayland") == 0 && authority[0] != '\0' && arguments[count] == NULL;
	if (is_xwayland) {
		more[count++] = option;
		more[count++] = authority;
		more[count] = NULL;
	}
	__typeof__(execvp) *own = own_execvp != NULL ? own_execvp : LIBXCB(execvp);
	return own(file, is_xwayland ? more : arguments);
}

/* ---- the connection ---- */

/* The newest connection made from a descriptor. Only window managers do that. */
static xcb_connection_t *newest;

INSTEAD xcb_connection_t *xcb_connect_to_fd(int fd, xcb_auth_info_t *info) {
	newest = LIBXCB(xcb_connect_to_fd)(fd, info);
	return newest;
}

struct xcb_connection_t *x11_guards_newest_connection(void) {
	return newest;
}

static void remove_listeners_in(struct wl_signal *signal, const char *object) {
	struct wl_listener *listener, *next;
	wl_list_for_each_safe(listener, next, &signal->listener_list, link) {
		const char *place = (const char *)listener;
		if (place < object || place >= object + malloc_usable_size((void *)object))
			continue;
		wl_list_remove(&listener->link);
		wl_list_init(&listener->link);
	}
}

/* Before 0.18.2, wlroots' window manager keeps listening to a drag that outlives it. It has forgotten the seat by now. */
void x11_guards_leave_drag(x11_guards *guards, struct wlr_seat *seat) {
	const char *object = (const char *)guards->xwm;
	struct wlr_drag *drag = seat->drag;
	if (drag != NULL) {
		remove_listeners_in(&drag->events.focus, object);
		remove_listeners_in(&drag->events.motion, object);
		remove_listeners_in(&drag->events.drop, object);
		remove_listeners_in(&drag->events.destroy, object);
		if (drag->source != NULL)
			remove_listeners_in(&drag->source->events.destroy, object);
	}
	if (seat->drag_source != NULL)
		remove_listeners_in(&seat->drag_source->events.destroy, object);
}

void x11_guards_keep_drop(x11_guards *guards, struct wlr_drag *drag) {
	remove_listeners_in(&drag->events.focus, (const char *)guards->xwm);
}

/* The last call of wlroots' window manager. */
INSTEAD void xcb_disconnect(xcb_connection_t *connection) {
	x11_guards *guards = guards_of(connection);
	if (guards != NULL) {
		guards->on.disconnecting(guards->on.user);
		answers_over(guards);
	}
	if (newest == connection)
		newest = NULL;
	LIBXCB(xcb_disconnect)(connection);
}

/* ---- lists of windows ---- */

INSTEAD xcb_void_cookie_t xcb_change_property(xcb_connection_t *connection, uint8_t mode, xcb_window_t window, xcb_atom_t property,
											  xcb_atom_t type, uint8_t format, uint32_t count, const void *data) {
	x11_guards *guards = mode == XCB_PROP_MODE_REPLACE && type == XCB_ATOM_WINDOW && format == 32 ? guards_of(connection) : NULL;
	if (guards != NULL && guards->on.windows_listed(guards->on.user, connection, window, property, data, count))
		return (xcb_void_cookie_t){0}; /* wlroots ignores it */
	return LIBXCB(xcb_change_property)(connection, mode, window, property, type, format, count, data);
}

void x11_guards_list_windows(struct xcb_connection_t *connection, uint32_t window, uint32_t property, const uint32_t *windows,
							 uint32_t count) {
	LIBXCB(xcb_change_property)(connection, XCB_PROP_MODE_REPLACE, window, property, XCB_ATOM_WINDOW, 32, count, windows);
	xcb_flush(connection);
}
