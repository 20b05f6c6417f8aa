/* What seat.c, keyboard.c, pointer.c, cursor.c, drag.c and input.c share beside mullion_seat.h. */
#ifndef MULLION_SEAT_H
#define MULLION_SEAT_H

#include "internal.h"
#include "mullion_seat.h"

#include <wlr/types/wlr_input_method_v2.h>
#include <wlr/util/box.h>

#define MW_MS(when) ((uint32_t)((when) / 1000000))


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


/* seat.c */
int64_t mw_seat_time(uint32_t milliseconds);   /* of an event; now if the device's clock is another */
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
/* Compositor/Text */
bool mw_text_init(mw_seat *seat);
void mw_text_finish(mw_seat *seat);
/* The input method's hold on this keyboard's keys, NULL if they are the app's. */
struct wlr_input_method_keyboard_grab_v2 *mw_text_keyboard_grab(mw_seat *seat, struct wlr_keyboard *keyboard, struct wl_client *client);
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
bool mw_drag_touch(mw_seat *seat, int32_t id, double x, double y, int64_t when);
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
