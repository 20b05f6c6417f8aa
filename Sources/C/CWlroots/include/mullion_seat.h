/* The seat, as C and Swift both know it: what is still kept in C, and what each asks of the other. */
#ifndef MULLION_SEAT_STATE_H
#define MULLION_SEAT_STATE_H

#include "mullion_wayland.h"

#include <wlr/interfaces/wlr_keyboard.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/types/wlr_xcursor_manager.h>
#if WLR_VERSION_NUM < 0x001200
#include <wlr/interfaces/wlr_input_device.h>
#endif

typedef struct mw_seat mw_seat;

/* Whose the pointer or a touch is. */
enum mw_aim { MW_AIM_NONE, MW_AIM_WINDOW, MW_AIM_BACKGROUND, MW_AIM_LAYER };

struct mw_seat {
	mw_server *server;
	struct wlr_seat *wlr;
	struct wl_listener new_input, new_virtual_keyboard, new_virtual_pointer;
	struct wl_listener request_set_cursor, request_set_selection, request_set_primary_selection;
	struct wl_listener request_start_drag, start_drag, pointer_focus_change;
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

	/* pointer.c */
	struct {
		enum mw_aim target;
		mw_window *window;
		double x, y;                             /* last, in the target's coordinates */
		double origin_x, origin_y;               /* of the focused surface, in the same */
		bool owed;                               /* a motion to sx, sy was held back */
		double sx, sy;
		uint32_t dropped;                        /* buttons whose press was held back, by their number from BTN_MOUSE */
	} pointer;

	/* Compositor/Input */
	void *input;                                 /* the Swift object, from mw_input_begin to mw_input_end */
	double touch_x, touch_y;                     /* where the last finger was, output points */

	/* cursor.c */
	struct wlr_cursor *cursor;
	struct wlr_xcursor_manager *xcursors;
	struct mw_cursor_name {
		char name[24], x11[24];
	} shell_cursor, client_shape;                /* client_shape: instead of a surface; "": none */
	struct wlr_surface *client_cursor;
	int32_t hotspot_x, hotspot_y;
	bool client_cursor_set;                      /* the focused client has said something, maybe NULL */
	bool cursor_hidden;                          /* by touch */
	struct wl_event_source *cursor_timer;        /* its picture, after the first frame */
	struct wl_listener client_cursor_destroy;
	struct wl_listener cursor_events[10];

	/* drag.c */
	struct wl_listener drag_destroy, drag_client_destroy, icon_destroy;
	struct wlr_drag *drag;
	double drag_x, drag_y;                       /* output points */
	double icon_dx, icon_dy;                     /* from the attach offsets of the icon */
	uint32_t dropped_button;                     /* its release went to the drag, not to a client */
	struct wl_listener icon_commit;

	struct mw_switches *switches;                /* switches.c; NULL unless on a console of our own */
	struct wl_event_source *switches_idle;
	struct mw_pens *pens;                        /* globals/pen.c */
	struct mw_injected_pen *injected_pen;        /* globals/pen_injected.c */

	/* seat.c: which serials came with a press, a touch or a key, and when */
	struct { uint32_t first, last; int64_t when; } serials[64];
	size_t serial_count;
};

/* seat.c */
void mw_seat_delivered(mw_seat *seat, uint32_t before);  /* real input: its serials are those after `before` */
bool mw_seat_serial_recent(mw_server *server, uint32_t serial, int64_t not_before);  /* real input after that time */
bool mw_client_stalled(mw_server *server, struct wl_client *client);
void mw_limits_keymap(struct wl_client *client);
mw_seat *mw_server_seat_state(mw_server *server);        /* NULL while there is none */
/* pointer.c */
void mw_pointer_to(mw_seat *seat, struct wlr_surface *surface, double sx, double sy, int64_t when);
void mw_pointer_refresh(mw_seat *seat);
/* To the focused surface, unless its client is behind (stalled.c). */
void mw_pointer_moved(mw_seat *seat, double sx, double sy, int64_t when);
void mw_pointer_framed(mw_seat *seat);
void mw_pointer_caught_up(mw_seat *seat, struct wl_client *client);
bool mw_pointer_held(mw_seat *seat);
bool mw_device_button(mw_seat *seat, struct wlr_input_device *wlr, uint32_t button, bool pressed);   /* false: nothing that a device can do */
uint32_t mw_pointer_button(mw_seat *seat, uint32_t button, bool pressed, int64_t when);
void mw_pointer_axis(mw_seat *seat, int32_t orientation, int32_t source, double value, int32_t discrete, int64_t when);
/* Compositor/Input/TouchDelivery.swift; -1 for a finger that is not on a surface of a client. */
int32_t mw_touch_target(mw_seat *seat, int32_t id);
void mw_touch_begin_on_panel(mw_seat *seat, struct wlr_surface *surface, int32_t id, double x, double y, double sx, double sy, int64_t when);
void mw_touch_move(mw_seat *seat, int32_t id, double x, double y, int64_t when);
void mw_touch_end(mw_seat *seat, int32_t id, int64_t when);
void mw_touch_forget(mw_seat *seat, int32_t id);
bool mw_touch_stands_in(mw_seat *seat, int32_t id);  /* for the pointer */
bool mw_touches_on_panel(mw_seat *seat);
bool mw_touches_hold(mw_seat *seat, struct wl_client *client, uint32_t serial, int32_t *id);   /* serial 0: any */
void mw_touches_surface_gone(mw_seat *seat, struct wlr_surface *surface);
void mw_touches_caught_up(mw_seat *seat, struct wl_client *client);
/* Compositor/Input/InputRouting.swift. The seat is there, and its devices are not yet. */
void mw_input_begin(mw_seat *seat);
void mw_input_end(mw_seat *seat);
/* What Swift asks of C about where things are, and who does not read. */
bool mw_surface_stalled(mw_server *server, struct wlr_surface *surface);   /* of its client; false for NULL */
struct wlr_surface *mw_window_surface_at(mw_window *window, double x, double y, double *sx, double *sy);
struct wlr_surface *mw_layers_surface_at(mw_output *output, int32_t first_layer, int32_t last_layer, double x, double y, double *sx, double *sy);

#endif
