/* What xwayland.c and the files around it share. */
#ifndef MULLION_X11_H
#define MULLION_X11_H

#include "internal.h"

#include <dlfcn.h>
#include <xcb/xcb.h>

/* The program's symbols come before those of libraries, also for libraries. */
#define INSTEAD __attribute__((visibility("default")))
/* The function of a library, as libxcb, that has one of ours instead. */
#define LIBXCB(function) (__extension__ ({ \
	static __typeof__(function) *own; \
	own != NULL ? own : (own = (__typeof__(own))dlsym(RTLD_NEXT, #function)); \
}))

/* In the kind of an event that no X server made. */
#define SENT_BY_A_CLIENT 0x80

struct mw_xwayland {
	struct wl_list link;                 /* running */
	mw_server *server;
	struct wlr_xwayland *wlr;
	struct wl_list surfaces;             /* struct x11, newest first */
	uint32_t surface_message;            /* the atom of WL_SURFACE_ID once it is known */
	uint32_t serial_message;             /* of WL_SURFACE_SERIAL, which 0.15 does not know */
	struct mw_x11_answers *answers;      /* of the one that runs, or ran last */
	struct mw_x11_flood *flood;          /* likewise */
	struct mw_x11_lists *lists;          /* likewise; NULL until there is a long one */
	struct wl_event_source *ending;      /* of an Xwayland that has lost its window manager: */
	pid_t unmanaged;
	struct wl_listener new_surface, ready, server_ready;
};

struct x11 {
	struct wl_list link;
	struct mw_xwayland *xwayland;
	struct wlr_xwayland_surface *x;
	mw_window *window;                   /* managed: its window, made when it first maps */
	mw_window *owner;                    /* a menu: the window it belongs to */
	bool mapped, menu;
	struct wl_listener destroy, map, unmap, commit, associate, dissociate, map_request;
	struct wl_listener request_configure, request_fullscreen, request_maximize, request_minimize, request_activate;
	struct wl_listener request_move, request_resize;
	struct wl_listener set_title, set_class, set_parent, set_pid, set_override_redirect, set_geometry;
};

/* xwayland.c */
uint16_t mw_x11_clamp(int32_t size);                 /* to what X11 can say */

/* x11_requests.c */
void mw_x11_requests_listen(struct x11 *item);

/* x11_menus.c */
mw_window *mw_x11_find_owner(struct x11 *menu);
void mw_x11_menus_changed(mw_window *owner);
void mw_x11_orphans_changed(mw_server *server);
bool mw_x11_wants_keys(const struct x11 *item);      /* a menu */
void mw_x11_adopt_orphans(struct mw_xwayland *xwayland);

/* x11_answers.c: once wlroots' window manager is there, and at the end */
void mw_x11_answers_begin(struct mw_xwayland *xwayland);
void mw_x11_answers_end(struct mw_xwayland *xwayland);
void mw_x11_answers_over(struct mw_xwayland *xwayland);

bool mw_x11_may_be_told(const struct mw_xwayland *xwayland);   /* much at once: it listens, and has read what it was told */

/* x11_lists.c */
void mw_x11_lists_end(struct mw_xwayland *xwayland);

/* x11_flood.c: whether events are handled on in this turn of the loop, and whether one is none for wlroots */
void mw_x11_flood_begin(struct mw_xwayland *xwayland);
void mw_x11_flood_end(struct mw_xwayland *xwayland);
bool mw_x11_maps_are_many(struct mw_xwayland *xwayland, xcb_connection_t *connection);   /* the next events wait */
bool mw_x11_turn_goes_on(struct mw_xwayland *xwayland);
void mw_x11_look_again(struct mw_xwayland *xwayland);   /* soon: events may have been read */
bool mw_x11_is_forged(const xcb_generic_event_t *event);
void mw_x11_selection_wanted(struct mw_xwayland *xwayland, xcb_window_t requestor);   /* by wlroots: one answer is heard */
bool mw_x11_passed_over(struct mw_xwayland *xwayland, xcb_connection_t *connection, const xcb_generic_event_t *event);

/* x11_answers.c: whose window manager's connection it is, if it is one's */
struct mw_xwayland *mw_x11_of(xcb_connection_t *connection);

/* x11_windows.c: makes events that wlroots knows of those that tell of windows put elsewhere; the latter asks Xwayland */
void mw_x11_left_the_root(struct mw_xwayland *xwayland, xcb_connection_t *connection, xcb_generic_event_t *event);
void mw_x11_came_to_the_root(struct mw_xwayland *xwayland, xcb_connection_t *connection, xcb_generic_event_t *event);

/* x11_properties.c: how many words to ask for instead of as many as wlroots asks for; before a program's ask is answered */
uint32_t mw_x11_words(bool deletes, uint32_t words);
void mw_x11_asked(unsigned int sequence, xcb_window_t window, xcb_atom_t property);
void mw_x11_selection_asked(struct mw_xwayland *xwayland, xcb_connection_t *connection, const xcb_selection_request_event_t *asked);

/* x11_access.c */
void mw_x11_access_prepare(void);       /* before wlroots looks for a free display */
bool mw_x11_access_init(struct mw_xwayland *xwayland);         /* before any client is let in */
void mw_x11_access_finish(void);
void mw_x11_access_disconnected(const xcb_connection_t *connection);

/* x11_server.c */
void mw_x11_server_watch(struct mw_xwayland *xwayland);
void mw_x11_server_finish(struct mw_xwayland *xwayland);

#endif
