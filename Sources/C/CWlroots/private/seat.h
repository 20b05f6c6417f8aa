/* What seat.c, keyboard.c, pointer.c, touch.c, cursor.c, drag.c and input.c share. */
#ifndef MULLION_SEAT_H
#define MULLION_SEAT_H

#include "internal.h"

#include <wlr/interfaces/wlr_keyboard.h>
#include <wlr/types/wlr_input_method_v2.h>
#include <wlr/util/box.h>
#if !WLR18
#include <wlr/interfaces/wlr_input_device.h>
#endif

#define MW_MS(when) ((uint32_t)((when) / 1000000))


/* Whose the pointer or a touch is. */
enum mw_aim { MW_AIM_NONE, MW_AIM_WINDOW, MW_AIM_BACKGROUND, MW_AIM_LAYER };

struct mw_touch {
	struct wl_list link;
	mw_seat *seat;
	int32_t id;
	enum mw_aim target;
	bool handed_over;            /* the handlers were told of it (not a layer's) */
	bool as_pointer;             /* the client knows no touch: the pointer stands in */
	struct wlr_surface *surface; /* NULL once it is gone */
	double origin_x, origin_y;   /* of the surface, in the coordinates the touch comes in */
	bool owed;                   /* a motion to sx, sy was held back */
	double sx, sy;
	uint32_t serial;
	struct wl_listener surface_destroy;
};

struct mw_keyboard {
	struct wl_list link;
	mw_seat *seat;
	struct wlr_keyboard *wlr;
	struct wlr_input_device *device;
	struct wl_client *client;    /* of a virtual keyboard, else NULL */
	struct mw_codes { uint32_t list[16]; size_t count; }
		kept,                    /* pressed keys that the shell kept for itself */
		sent,                    /* pressed keys that went on to whoever has the focus */
		composed;                /* pressed keys that the input method got */
	struct wl_listener key, modifiers, destroy;
};

/* wlroots' seat counts no more of them either. */
#define MW_DEVICE_BUTTONS 16

struct mw_device {               /* pointer or touch screen */
	struct wl_list link;
	mw_seat *seat;
	struct wlr_input_device *device;
	char *output_name;
	uint32_t buttons[MW_DEVICE_BUTTONS];     /* that are down */
	size_t button_count;
	struct wl_listener destroy;
};

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
#if !WLR18
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

	/* touch.c */
	struct wl_list touches;
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

	struct mw_text *text;                        /* text.c */
	struct mw_switches *switches;                /* switches.c; NULL unless on a console of our own */
	struct wl_event_source *switches_idle;
	struct mw_pens *pens;                        /* globals/pen.c */
	struct mw_injected_pen *injected_pen;        /* globals/pen_injected.c */

	/* seat.c: which serials came with a press, a touch or a key, and when */
	struct { uint32_t first, last; int64_t when; } serials[64];
	size_t serial_count;
};

/* seat.c */
int64_t mw_seat_time(uint32_t milliseconds);   /* of an event; now if the device's clock is another */
void mw_seat_delivered(mw_seat *seat, uint32_t before);  /* real input: its serials are those after `before` */
void mw_seat_new_device(mw_seat *seat, struct wlr_input_device *device);
/* switches.c */
bool mw_switches_init(mw_seat *seat);
void mw_switches_finish(mw_seat *seat);
void mw_switches_device_added(mw_seat *seat);
/* keyboard.c */
bool mw_keyboards_init(mw_seat *seat);
void mw_keyboards_finish(mw_seat *seat);
void mw_keyboard_add(mw_seat *seat, struct wlr_input_device *device, struct wlr_keyboard *keyboard, struct wl_client *client);  /* client: of a virtual one, which brings its keymap */
void mw_keyboard_apply_focus(mw_seat *seat);
/* text.c */
bool mw_text_init(mw_seat *seat);
void mw_text_finish(mw_seat *seat);
/* The input method's hold on this keyboard's keys, NULL if they are the app's. */
struct wlr_input_method_keyboard_grab_v2 *mw_text_keyboard_grab(mw_seat *seat, const struct mw_keyboard *keyboard);
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
/* touch.c */
struct mw_touch *mw_touch_find(mw_seat *seat, int32_t id);
bool mw_touch_begin(mw_seat *seat, enum mw_aim target, struct wlr_surface *surface, int32_t id,
	double x, double y, double sx, double sy, int64_t when);
void mw_touch_move(mw_seat *seat, struct mw_touch *touch, double x, double y, int64_t when);
void mw_touch_end(mw_seat *seat, struct mw_touch *touch, int64_t when);
void mw_touch_forget(struct mw_touch *touch);
void mw_touches_caught_up(mw_seat *seat, struct wl_client *client);
void mw_touches_finish(mw_seat *seat);
/* cursor.c */
bool mw_cursor_init(mw_seat *seat);
void mw_cursor_finish(mw_seat *seat);
void mw_cursor_update(mw_seat *seat);
/* A device that moves relatively; NULL: none that wlroots knows. */
void mw_cursor_move(mw_seat *seat, struct wlr_input_device *device, double dx, double dy, double raw_dx, double raw_dy, int64_t when);
void mw_cursor_hide(mw_seat *seat, bool hidden);
void mw_cursor_map_device(mw_seat *seat, struct mw_device *device);
/* A device moves the cursor to a point of the screen; everybody is told. `device` NULL: none in particular. */
void mw_cursor_move_to(mw_seat *seat, struct wlr_input_device *device, double x, double y, int64_t when);
/* What the client under the pointer or pen wants to be seen; the caller has asked whether it may. */
void mw_cursor_set_client(mw_seat *seat, struct wlr_surface *surface, int32_t hotspot_x, int32_t hotspot_y);
void mw_cursor_forget_client(mw_seat *seat);
/* drag.c */
void mw_drag_init(mw_seat *seat);
void mw_drag_finish(mw_seat *seat);
bool mw_drag_pointer(mw_seat *seat, double x, double y, int64_t when);       /* false: no drag by pointer */
bool mw_drag_touch(mw_seat *seat, struct mw_touch *touch, double x, double y, int64_t when);
void mw_drag_surface_gone(mw_seat *seat, struct wlr_surface *surface);
#if !WLR18
void mw_drag_x11_window_gone(mw_seat *seat);
#endif
/* globals/pen.c, globals/pen_injected.c */
bool mw_pens_init(mw_seat *seat);
void mw_pens_finish(mw_seat *seat);
void mw_injected_pen_finish(mw_seat *seat);
void mw_pen_add_tablet(mw_seat *seat, struct wlr_input_device *device);
void mw_pen_leave(mw_seat *seat);                    /* another device moves the pointer */
void mw_pen_off(mw_seat *seat);                      /* what is under it is no app that knows pens */
/* The pen is what moved, and the app of the surface takes it: no pointer then. */
bool mw_pen_to(mw_seat *seat, struct wlr_surface *surface, double x, double y, double sx, double sy);
bool mw_pen_on_surface(mw_seat *seat);
bool mw_pen_held(mw_seat *seat);                     /* its tip or a button is down on an app's surface */
bool mw_pen_grabbed(mw_seat *seat, double x, double y);
bool mw_pen_button(mw_seat *seat, uint32_t button, bool pressed);   /* false: the pointer's */
bool mw_pen_serial_held(mw_seat *seat, struct wl_client *client, uint32_t serial);

#endif
