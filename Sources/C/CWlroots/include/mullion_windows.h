/* Windows, popups and panels, shared by C and Swift. */
#ifndef MULLION_WINDOWS_H
#define MULLION_WINDOWS_H

#include "mullion_wayland.h"
#include "xdg-shell-protocol.h"
#include "xx-pip-v1-protocol.h"

/* The first members of struct mw_window, which Swift can access. */
#define MW_WINDOW_FIELDS                                                                                                                   \
	mw_server *server;                                                                                                                     \
	uint32_t id;                                                                                                                           \
	struct wlr_surface *surface;		   /* NULL for an X11 window that has none yet */                                                  \
	struct wlr_xdg_toplevel *toplevel;	   /* xdg, else NULL */                                                                            \
	struct wlr_xwayland_surface *xsurface; /* X11, else NULL */                                                                            \
	void *role;							   /* xdg.c's own struct, or Swift's X11Window, with the listeners */                              \
	uint64_t client;					   /* a copy of mw_client_identity, which a client that is going away no longer has */             \
	void *pip;							   /* PipWindow if it has the Picture in Picture role, else NULL */                                \
	bool created, mapped;				   /* as reported */                                                                               \
	bool shown, activated;				   /* visible, and active, as last announced */                                                    \
	struct mw_window_state state;                                                                                                          \
	bool configured;			/* `wanted` holds something */                                                                             \
	struct mw_configure wanted; /* last mw_window_configure */                                                                             \
	struct mw_box popup_bounds;
struct mw_window_fields {
	MW_WINDOW_FIELDS
};
static inline struct mw_window_fields *mw_window_fields(mw_window *window) { return (struct mw_window_fields *)window; }
/* In surface coordinates. */
void mw_window_geometry(mw_window *window, struct wlr_box *out);
/* NULL if it is none. */
struct wlr_xdg_surface *mw_xdg_surface_of(struct wlr_surface *surface);
struct wlr_xdg_shell *mw_server_xdg_shell(mw_server *server);
void mw_limits_configures(struct wl_client *client, const struct wl_list *unanswered); /* of one surface */

/* Visits the trees of surfaces (surfaces.c). x, y relative to the window geometry's origin, back to front. */
typedef void (*mw_surface_iterator)(struct wlr_surface *surface, double x, double y, void *data);
void mw_window_each_surface(mw_window *window, mw_surface_iterator iterator, void *data);			/* the toplevel and its subsurfaces */
void mw_window_each_own_popup_surface(mw_window *window, mw_surface_iterator iterator, void *data); /* without those of an input method */
struct wlr_surface *mw_popups_grabbing(mw_server *server,
									   struct wlr_surface *root); /* topmost popup with a grab on a window's or layer's surface, or NULL */

void mw_xdg_request_with_serial(mw_window *window, int32_t kind, uint32_t serial); /* ignored unless a press on the client is held */
/* Fields of a union in wlroots 0.15. */
static inline struct wlr_xdg_toplevel *mw_xdg_toplevel_in(struct wlr_xdg_surface *xdg) { return xdg->toplevel; }
static inline bool mw_xdg_has_object(struct wlr_xdg_surface *xdg) { return xdg->toplevel != NULL || xdg->popup != NULL; }

mw_server *mw_output_server(mw_output *output);
/* The surface at the root of subsurfaces and popups; NULL if the chain is broken. */
struct wlr_surface *mw_surface_root(struct wlr_surface *surface);
/* stalled.c: whether its client reads, and may be sent another configure besides these unacked ones. */
bool mw_may_tell(mw_server *server, struct wlr_surface *surface, const struct wl_list *configures);

#endif
