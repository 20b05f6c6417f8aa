/* Shared by xdg.c and xdg_requests.c. */
#ifndef MULLION_XDG_H
#define MULLION_XDG_H

#include "internal.h"

struct toplevel {
	mw_window *window;
	struct wlr_xdg_toplevel *xdg;
	bool owed;		/* a request of the client must be answered by a configure even if nothing changes */
	bool held;		/* that configure waits until the client has read, or acked, the earlier ones */
	bool begun;		/* a configure has been scheduled since the last (re)initial commit */
	bool unmapping; /* this commit removed the buffer */
	bool small;		/* its size was smaller than configured, and it has not been visible since */
	bool nudged;	/* a configure with a wrong size is being sent, and must be followed by the right one */
#if WLR18
	struct wlr_xdg_toplevel *named_parent; /* that was not mapped when it was set, so that 0.18 ignored it */
	struct wl_listener named_parent_destroy;
#endif
	struct shape {
		bool is_simple;
		int32_t width, height;
		struct wlr_box geometry;
		pixman_box32_t input;
	} shape; /* at the last commit */
	struct wl_listener map, unmap, destroy, commit, configure;
	struct wl_listener set_title, set_app_id, set_parent;
	struct wl_listener request_fullscreen, request_maximize, request_minimize, request_move, request_resize;
};

/* xdg.c */
bool mw_xdg_may_configure(struct wlr_xdg_surface *surface);

/* xdg_requests.c */
void mw_xdg_requests_listen(struct toplevel *toplevel);
#if WLR18
void mw_xdg_forget_named(struct toplevel *toplevel);
#else
void mw_xdg_check_parent(struct toplevel *toplevel);
#endif

#endif
