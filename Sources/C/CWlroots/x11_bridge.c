/* What Swift's X11 windows need of structs that Swift does not see. It goes with the last of those structs. */
#include "seat.h"

mw_window *mw_window_new_x11(mw_server *server, struct wlr_xwayland_surface *x, void *role) {
	mw_window *window = mw_window_new(server);
	if (window != NULL) {
		window->xsurface = x;
		window->role = role;
	}
	return window;
}

struct mw_window_parts mw_window_parts(mw_window *window) {
	return (struct mw_window_parts){ &window->surface, window->xsurface, window->role, &window->state, &window->wanted };
}

void mw_seat_x11_window_gone(mw_server *server) {
	(void)server;   /* on 0.18 */
#if !WLR18
	mw_drag_x11_window_gone(server->seat);
#endif
}

void *mw_server_user(mw_server *server) {
	return server->on.user;
}

struct wlr_compositor *mw_server_compositor(mw_server *server) {
	return server->compositor;
}
