/* C until windows move to Swift: accesses structs that Swift does not see. */
/* Accessors for Swift's X11 windows. They disappear with the last of these structs. */
#include "internal.h"

mw_window *mw_window_new_x11(mw_server *server, struct wlr_xwayland_surface *x, void *role) {
	mw_window *window = mw_window_new(server);
	if (window != NULL) {
		window->xsurface = x;
		window->role = role;
	}
	return window;
}

struct mw_window_parts mw_window_parts(mw_window *window) {
	return (struct mw_window_parts){&window->surface, window->xsurface, window->role, &window->state, &window->wanted};
}

void *mw_server_user(mw_server *server) { return server->on.user; }

struct wlr_compositor *mw_server_compositor(mw_server *server) {
	return server->compositor;
}
