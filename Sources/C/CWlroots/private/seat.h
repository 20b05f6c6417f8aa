/* What seat.c and keyboard.c share beside mullion_seat.h. */
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


/* keyboard.c */
bool mw_keyboards_init(mw_seat *seat);
void mw_keyboards_finish(mw_seat *seat);
void mw_keyboard_add(mw_seat *seat, struct wlr_input_device *device, struct wlr_keyboard *keyboard, struct wl_client *client);  /* client: of a virtual one, which brings its keymap */
void mw_keyboard_apply_focus(mw_seat *seat);
/* Compositor/Text. The input method's hold on this keyboard's keys, NULL if they are the app's. */
struct wlr_input_method_keyboard_grab_v2 *mw_text_keyboard_grab(mw_seat *seat, struct wlr_keyboard *keyboard, struct wl_client *client);
/* Compositor/Input/InputCalls.swift says what each does. */
bool mw_input_begin(mw_seat *seat);
bool mw_input_listen(mw_seat *seat);
void mw_input_quiet(mw_seat *seat);
void mw_input_end(mw_seat *seat);
void mw_input_caught_up(mw_seat *seat, struct wl_client *client);
void mw_pointer_window_gone(mw_seat *seat, mw_window *window);
void mw_cursor_update(mw_seat *seat);
void mw_cursor_map_device(mw_seat *seat, struct wlr_input_device *device, const char *output_name);
void mw_drag_finish(mw_seat *seat);
void mw_drag_surface_gone(mw_seat *seat, struct wlr_surface *surface);
void mw_pen_add_tablet(mw_seat *seat, struct wlr_input_device *device);
bool mw_pen_serial_held(mw_seat *seat, struct wl_client *client, uint32_t serial);
void mw_switches_device_added(mw_seat *seat);
int64_t mw_seat_time(uint32_t milliseconds);   /* of an event; now if the device has a clock of another kind */
#if !WLR18
void mw_drag_x11_window_gone(mw_seat *seat);
#endif

#endif
