/*
 * libwayland and wlroots for Swift: their own headers, and functions for what Swift cannot import (macros,
 * variadic functions, structs around a listener). Nothing here decides anything.
 */
#ifndef MULLION_WAYLAND_H
#define MULLION_WAYLAND_H

#ifndef WLR_USE_UNSTABLE
#define WLR_USE_UNSTABLE
#endif

#include "mullion_protocols.h"
#include "mullion_wlr.h"

#include <wayland-server-core.h>
#include <wlr/version.h>
#include <wlr/types/wlr_compositor.h>
#include <wlr/types/wlr_buffer.h>
#include <wlr/types/wlr_cursor.h>
#include <wlr/types/wlr_foreign_toplevel_management_v1.h>
#include <wlr/types/wlr_gamma_control_v1.h>
#include <wlr/types/wlr_idle_inhibit_v1.h>
#include <wlr/types/wlr_layer_shell_v1.h>
#include <wlr/types/wlr_output.h>
#include <wlr/types/wlr_output_management_v1.h>
#include <wlr/types/wlr_output_power_management_v1.h>
#include <wlr/types/wlr_pointer.h>
#include <wlr/types/wlr_pointer_constraints_v1.h>
#include <wlr/types/wlr_pointer_gestures_v1.h>
#include <wlr/types/wlr_presentation_time.h>
#include <wlr/types/wlr_seat.h>
#include <wlr/types/wlr_input_method_v2.h>
#include <wlr/types/wlr_text_input_v3.h>
#include <wlr/types/wlr_xdg_activation_v1.h>
#include <wlr/types/wlr_server_decoration.h>
#include <wlr/types/wlr_xdg_decoration_v1.h>
#include <wlr/types/wlr_xdg_shell.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/util/box.h>
#include <wlr/xwayland.h>
#include "pointer-gestures-unstable-v1-protocol.h"
#include "presentation-time-protocol.h"
#if WLR_VERSION_NUM >= 0x001200
#include <wlr/interfaces/wlr_buffer.h>
#include <wlr/types/wlr_ext_foreign_toplevel_list_v1.h>
#include <wlr/types/wlr_subcompositor.h>
#include <wlr/types/wlr_session_lock_v1.h>
#include <wlr/types/wlr_single_pixel_buffer_v1.h>
#else
#include <wlr/types/wlr_region.h>
#include <wlr/types/wlr_surface.h>
#endif

/* A listener and its owner. The listener is the first member, so both have the same address. */
struct mw_listener {
	struct wl_listener listener;
	void *owner;
};

/* A single-pixel buffer, and the Swift object that keeps it. */
struct mw_pixel_buffer {
	struct wlr_buffer base;
	uint32_t argb; /* premultiplied, as received */
	void *owner;
};

typedef struct wl_buffer_interface wl_buffer_requests;
static inline const struct wl_interface *mw_interface_wl_buffer(void) { return &wl_buffer_interface; }

static inline void mw_post_error(struct wl_resource *resource, uint32_t code, const char *text) {
	wl_resource_post_error(resource, code, "%s", text);
}

static inline void mw_post_implementation_error(struct wl_client *client, const char *text) {
	wl_client_post_implementation_error(client, "%s", text);
}

/* ---- Queries from Swift ---- */

struct wl_event_loop *mw_server_loop(mw_server *server);
bool mw_server_is_ending(mw_server *server);
/* Pixels per point of the first screen; 0 if there is none. */
double mw_server_scale(mw_server *server);
/* The window of any surface of its tree, including popups, or NULL. */
mw_window *mw_window_of_surface(mw_server *server, struct wlr_surface *surface);

/* Fills in the current facts about a window. The texts are valid until it changes. */
void mw_window_fill_info(mw_window *window, struct mw_window_info *out);
/* Its title, app id, parent or type may have changed. Reported only if it did. */
void mw_window_report_renamed(mw_window *window);
/* The state of a window for taskbars. */
struct mw_window_sight {
	bool mapped, shown, activated;
	bool arranged, fullscreen; /* as its app was told */
	mw_window *parent;		   /* NULL: none */
};
void mw_window_get_sight(mw_window *window, struct mw_window_sight *out);
/* `kind`: enum mw_request_kind */
void mw_window_report_request(mw_window *window, int32_t kind, int32_t value);
/* Another client asks in the name of its app. */
void mw_window_wants_fullscreen(mw_window *window, bool wanted);
bool mw_lock_is_locked(mw_server *server);
struct wlr_backend *mw_server_backend(mw_server *server);
/* NULL while there is none. */
struct wlr_output *mw_server_first_output(mw_server *server);
/* The window of a toplevel; NULL if it has none (yet). */
mw_window *mw_xdg_window(struct wlr_xdg_surface *surface);
/* NULL if it is gone. */

/* Where a surface was last drawn on the screen, in points; false if it is not visible. */
bool mw_surface_seen(mw_server *server, struct wlr_surface *surface, struct wlr_fbox *out);

/* Screens (output.c). NULL precedes the first and follows the last. */
mw_output *mw_next_output(mw_server *server, mw_output *output);
struct wlr_output_mode *mw_next_mode(struct wlr_output *output, struct wlr_output_mode *mode);
struct wlr_output_configuration_head_v1 *mw_next_head(struct wlr_output_configuration_v1 *configuration,
													  struct wlr_output_configuration_head_v1 *head);
mw_output *mw_output_of(mw_server *server, struct wlr_output *output);
struct wlr_output *mw_output_wlr(mw_output *output);
/* Around the commit of a change: its effects are reported once, at its end. */
void mw_output_set_changing(struct wlr_output *output, bool changing);
bool mw_output_is_virtual(struct wlr_output *output);
/* The last entries of the gamma ramps of a virtual output, for tests (MULLION_VIRTUAL_GAMMA). */
bool mw_virtual_output_gamma(struct wlr_output *output, uint16_t top[3]);
bool mw_output_is_nested(mw_output *output);
/* It was enabled and reported to the shell. */
bool mw_output_is_announced(mw_output *output);
/* The size that the parent of a nested screen requested before it was enabled; false: none. */
bool mw_output_asked_size(mw_output *output, int32_t *width, int32_t *height);
void mw_output_report(mw_output *output); /* if it changed since the last report */
void mw_output_forget_schedule(mw_output *output);

/* The locked session (lock.c). */
void mw_lock_set(mw_server *server, bool locked);
/* Sets the surface that a locked screen shows. A hidden or destroyed surface is not shown any more. */
void mw_lock_show(mw_server *server, struct wlr_output *output, struct wlr_surface *surface);
void mw_lock_hide(mw_server *server, struct wlr_surface *surface);
/* Shows this one window in the locked session, with its content at a point of the screen, this many times as large; NULL: none. */
void mw_lock_let_in(mw_server *server, mw_window *window, double x, double y, double scale);
/* Whether no screen is visible: there is none, it is off, or another console is active. */
bool mw_server_is_dark(mw_server *server);
/* Its size in points; false if it is not one of the shell's. */
bool mw_output_points(mw_server *server, struct wlr_output *output, double *width, double *height);

/* xdg-shell windows (xdg.c). */
struct wlr_xdg_toplevel *mw_xdg_toplevel_of(struct wl_resource *resource); /* NULL if it is gone */
struct wl_signal *mw_xdg_destroy_signal(struct wlr_xdg_toplevel *toplevel);
/* The toplevel of a surface; NULL if it has another role or none. */
struct wlr_xdg_toplevel *mw_xdg_toplevel_on(struct wlr_surface *surface);
/* Of any client; NULL for none. */
void mw_xdg_set_parent(struct wlr_xdg_toplevel *child, struct wlr_xdg_toplevel *parent);
bool mw_xdg_has_committed(struct wlr_xdg_toplevel *toplevel);

/* Clients. */
/* Never reused, unlike the pointer. 0: out of memory. */
uint64_t mw_client_identity(struct wl_client *client);
void mw_unmap_later(mw_server *server,
					struct wl_resource *buffer); /* unmapping.c: of wl_shm, about to be destroyed, and the last user of its pool */
/* accept.c: accepts from a socket that another process also accepts from. Returns a negative errno on failure;
 * -EINTR: it had to wait. `patience` in nanoseconds, less than a second: the longest wait. */
int mw_accept_at_once(int listening, int64_t patience);

/* ---- X11 (x11_bridge.c and others) ---- */

/* The `user` pointer that mw_server_create got for the handlers. */
void *mw_server_user(mw_server *server);
struct wlr_compositor *mw_server_compositor(mw_server *server);
/* Assigns an id and adds it to the list; reports nothing. NULL: out of memory. */
mw_window *mw_window_new_x11(mw_server *server, struct wlr_xwayland_surface *x, void *role);
struct mw_window_parts {
	struct wlr_surface **surface;
	struct wlr_xwayland_surface *xsurface; /* NULL: not an X11 window */
	void *role;
	struct mw_window_state *state;
	struct mw_configure *wanted; /* as last sent */
};
struct mw_window_parts mw_window_parts(mw_window *window);
void mw_window_report_created(mw_window *window);
void mw_window_report_mapped(mw_window *window);
void mw_window_report_unmapped(mw_window *window);
void mw_window_report_commit(mw_window *window, bool same_shape);
void mw_window_report_popups(mw_window *window, bool grabbing);
void mw_window_report_later(mw_window *window);
void mw_window_free(mw_window *window);
void mw_window_log(mw_window *window, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void mw_window_log_line(mw_window *window, const char *line) { mw_window_log(window, "%s", line); }
void mw_requests_asked_x11(mw_server *server);
/* handover.c: asks the owner of a source for what was wanted while it had to wait. `kept`: the descriptor that waited;
 * `fd`: another one of the same pipe, which wlroots closes. */
void mw_paste_goes(mw_server *server, void *source, bool primary, const char *type, int32_t kept, int32_t fd);
struct mw_requests;
mw_server *mw_requests_server(const struct mw_requests *requests);
/* Keeps a reference for the leak sanitizer. */
static inline void mw_x11_leave_behind(struct wlr_xwm *xwm) {
	static struct wlr_xwm *left;
	left = xwm;
	(void)left;
}

#endif
