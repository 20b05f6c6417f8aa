/* The seat, as C and Swift both know it: what is still kept in C, and what each asks of the other. */
#ifndef MULLION_SEAT_STATE_H
#define MULLION_SEAT_STATE_H

#include "mullion_wayland.h"

#include <wlr/interfaces/wlr_keyboard.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/types/wlr_xcursor_manager.h>
#include <wlr/types/wlr_relative_pointer_v1.h>
#include <wlr/types/wlr_output_layout.h>
#include <wlr/types/wlr_tablet_tool.h>
#include <wlr/types/wlr_tablet_v2.h>
#include <wlr/types/wlr_touch.h>
#include <wlr/interfaces/wlr_tablet_tool.h>
#include <wlr/backend/session.h>
#include <linux/input.h>
#if WLR_VERSION_NUM < 0x001200
#include <wlr/interfaces/wlr_input_device.h>
#endif

typedef struct mw_seat mw_seat;

struct mw_seat {
	mw_server *server;
	struct wlr_seat *wlr;
	struct wl_listener new_input, new_virtual_keyboard, new_virtual_pointer;
	struct wl_listener request_set_selection, request_set_primary_selection;
	struct wl_list devices;

	/* keyboard.c */
	struct wl_list keyboards;
	struct wlr_keyboard own_keyboard;            /* always there, and soon with a keymap: clients break on a seat without one */
#if WLR_VERSION_NUM < 0x001200
	struct wlr_input_device own_device;
#endif
	struct mw_keyboard *own;
	mw_window *focus;                            /* as the shell wants it */
	int32_t target;                              /* enum mw_keyboard_target */
	uint32_t panel;                              /* the panel that has the keys */

	/* Compositor/Input */
	void *input;                                 /* the Swift object, from mw_input_begin to mw_input_end */

	/* seat.c: which serials came with a press, a touch or a key, and when */
	struct { uint32_t first, last; int64_t when; } serials[64];
	size_t serial_count;
};

/* seat.c */
void mw_seat_delivered(mw_seat *seat, uint32_t before);  /* real input: its serials are those after `before` */
bool mw_seat_serial_recent(mw_server *server, uint32_t serial, int64_t not_before);  /* real input after that time */
bool mw_client_stalled(mw_server *server, struct wl_client *client);
mw_seat *mw_server_seat_state(mw_server *server);        /* NULL while there is none */
void mw_seat_new_device(mw_seat *seat, struct wlr_input_device *device);
bool mw_device_button(mw_seat *seat, struct wlr_input_device *wlr, uint32_t button, bool pressed);   /* false: nothing that a device can do */
bool mw_touches_hold(mw_seat *seat, struct wl_client *client, uint32_t serial, int32_t *id);   /* serial 0: any */
void mw_touches_surface_gone(mw_seat *seat, struct wlr_surface *surface);
struct wlr_relative_pointer_manager_v1 *mw_protocols_relative_pointer(mw_server *server);
/* NULL unless on a console of our own. */
struct wlr_session *mw_server_session(mw_server *server);
struct wlr_output_layout *mw_server_layout(mw_server *server);
struct wlr_surface *mw_lock_surface_at(mw_output *output, double x, double y, double *sx, double *sy);
uint32_t mw_layers_panel_of(mw_server *server, struct wlr_surface *surface);       /* 0: none */
/* shown.c: the topmost surface that takes input at a point of the screen, as it was drawn last. NULL: none. */
struct wlr_surface *mw_drawn_surface_at(mw_server *server, const struct wlr_surface *except, double x, double y, double *sx, double *sy);
/* What Swift asks of C about where things are, and who does not read. */
bool mw_surface_stalled(mw_server *server, struct wlr_surface *surface);   /* of its client; false for NULL */
struct wlr_surface *mw_window_surface_at(mw_window *window, double x, double y, double *sx, double *sy);
struct wlr_surface *mw_layers_surface_at(mw_output *output, int32_t first_layer, int32_t last_layer, double x, double y, double *sx, double *sy);

#endif
