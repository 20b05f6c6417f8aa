/* The pointer: focus, implicit grab, delivery. */
#include "seat.h"

#include <linux/input-event-codes.h>
#include <math.h>
#include <stdlib.h>

bool mw_pointer_held(mw_seat *seat) {
	return seat->wlr->pointer_state.button_count > 0;
}

void mw_pointer_moved(mw_seat *seat, double sx, double sy, int64_t when) {
	seat->pointer.owed = mw_surface_stalled(seat->server, seat->wlr->pointer_state.focused_surface);
	seat->pointer.sx = sx;
	seat->pointer.sy = sy;
	if (!seat->pointer.owed)
		wlr_seat_pointer_notify_motion(seat->wlr, MW_MS(when), sx, sy);
}

void mw_pointer_framed(mw_seat *seat) {
	if (!mw_surface_stalled(seat->server, seat->wlr->pointer_state.focused_surface))
		wlr_seat_pointer_notify_frame(seat->wlr);
}

/* A client that was behind has read on: it is told where the pointer is now. */
void mw_pointer_caught_up(mw_seat *seat, struct wl_client *client) {
	struct wlr_surface *focused = seat->wlr->pointer_state.focused_surface;
	if (focused == NULL || wl_resource_get_client(focused->resource) != client) {
		mw_pointer_refresh(seat);
		return;
	}
	if (seat->pointer.owed)
		mw_pointer_moved(seat, seat->pointer.sx, seat->pointer.sy, mw_now());
	mw_pointer_framed(seat);
}

/* Gives the pointer to a surface. Entering twice is entering once. */
void mw_pointer_to(mw_seat *seat, struct wlr_surface *surface, double sx, double sy, int64_t when) {
	struct wlr_surface *before = seat->wlr->pointer_state.focused_surface;
	if (surface != before && mw_surface_stalled(seat->server, surface)) {
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
		return;
	}
	wlr_seat_pointer_notify_enter(seat->wlr, surface, sx, sy);
	if (seat->wlr->pointer_state.focused_surface == before)
		mw_pointer_moved(seat, sx, sy, when);
}

static void aim(mw_seat *seat, enum mw_aim target, mw_window *window, double x, double y) {
	seat->pointer.target = target;
	seat->pointer.window = window;
	seat->pointer.x = x;
	seat->pointer.y = y;
}

/* While a button is down the surface that got the press keeps the pointer, wherever it goes. */
static bool grabbed(mw_seat *seat, double x, double y, int64_t when) {
	if (!mw_pointer_held(seat) || seat->wlr->pointer_state.focused_surface == NULL)
		return false;
	seat->pointer.x = x;
	seat->pointer.y = y;
	mw_pointer_moved(seat, x - seat->pointer.origin_x, y - seat->pointer.origin_y, when);
	return true;
}

static bool point_at(mw_seat *seat, enum mw_aim target, mw_window *window, struct wlr_surface *surface,
		double x, double y, double sx, double sy, int64_t when) {
	aim(seat, target, window, x, y);
	if (mw_pen_to(seat, surface, x, y, sx, sy))
		return true;
	if (surface == NULL) {
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
		return false;
	}
	seat->pointer.origin_x = x - sx;
	seat->pointer.origin_y = y - sy;
	mw_pointer_to(seat, surface, sx, sy, when);
	return true;
}

bool mw_seat_pointer_on_window(mw_server *server, mw_window *window, double x, double y, int64_t when) {
	mw_seat *seat = server->seat;
	if (mw_lock_is_locked(server))
		return false;
	if (seat->wlr->drag != NULL)
		return true;   /* the drag finds its targets itself */
	if (seat->pointer.target == MW_AIM_WINDOW && seat->pointer.window == window &&
			(mw_pen_grabbed(seat, x, y) || grabbed(seat, x, y, when)))
		return true;
	double sx = 0, sy = 0;
	struct wlr_surface *surface = mw_window_surface_at(window, x, y, &sx, &sy);
	return point_at(seat, MW_AIM_WINDOW, window, surface, x, y, sx, sy, when);
}

bool mw_seat_pointer_on_background(mw_server *server, mw_output *output, double x, double y, int64_t when) {
	mw_seat *seat = server->seat;
	if (mw_lock_is_locked(server))
		return false;
	if (seat->wlr->drag != NULL)
		return true;
	if (seat->pointer.target == MW_AIM_BACKGROUND && (mw_pen_grabbed(seat, x, y) || grabbed(seat, x, y, when)))
		return true;
	double sx = 0, sy = 0;
	struct wlr_surface *surface = mw_layers_surface_at(output, 0, 1, x, y, &sx, &sy);
	return point_at(seat, MW_AIM_BACKGROUND, NULL, surface, x, y, sx, sy, when);
}

void mw_seat_pointer_clear(mw_server *server) {
	mw_seat *seat = server->seat;
	if (mw_lock_is_locked(server))
		return;
	aim(seat, MW_AIM_NONE, NULL, NAN, NAN);
	mw_pen_off(seat);
	if (seat->wlr->drag == NULL)
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
	mw_cursor_update(seat);
}

/* What lies under a pointer that did not move may be another surface by now. */
void mw_pointer_refresh(mw_seat *seat) {
	mw_window *window = seat->pointer.window;
	if (seat->pointer.target != MW_AIM_WINDOW || window == NULL || !window->mapped || mw_pointer_held(seat) ||
			seat->wlr->drag != NULL || isnan(seat->pointer.x) || mw_pen_held(seat))
		return;
	double sx = 0, sy = 0;
	struct wlr_surface *surface = mw_window_surface_at(window, seat->pointer.x, seat->pointer.y, &sx, &sy);
	struct wlr_surface *focused = seat->wlr->pointer_state.focused_surface;
	if (surface == focused && (surface == NULL || (seat->pointer.origin_x == seat->pointer.x - sx &&
			seat->pointer.origin_y == seat->pointer.y - sy)))
		return;
	point_at(seat, MW_AIM_WINDOW, window, surface, seat->pointer.x, seat->pointer.y, sx, sy, mw_now());
	mw_pointer_framed(seat);
}

void mw_seat_window_changed(mw_server *server, mw_window *window) {
	if (server->seat != NULL && server->seat->pointer.window == window)
		mw_pointer_refresh(server->seat);
}

/* The press of a button is held back from a client that is behind, and then its release too. */
static bool button_dropped(mw_seat *seat, uint32_t button, bool pressed) {
	uint32_t bit = button - BTN_MOUSE < 32 ? 1u << (button - BTN_MOUSE) : 0;
	if (pressed && mw_surface_stalled(seat->server, seat->wlr->pointer_state.focused_surface)) {
		seat->pointer.dropped |= bit;
		return true;
	}
	bool dropped = (seat->pointer.dropped & bit) != 0;
	seat->pointer.dropped &= ~bit;
	return dropped && !pressed;
}

uint32_t mw_pointer_button(mw_seat *seat, uint32_t button, bool pressed, int64_t when) {
	if (button_dropped(seat, button, pressed))
		return 0;
	/* A grab of popups ends at a press outside; find out what is under the pointer only afterwards. */
	uint32_t before = wl_display_get_serial(seat->server->display);
	uint32_t serial = wlr_seat_pointer_notify_button(seat->wlr, MW_MS(when), button,
#if WLR18
		pressed ? WL_POINTER_BUTTON_STATE_PRESSED : WL_POINTER_BUTTON_STATE_RELEASED);
#else
		pressed ? WLR_BUTTON_PRESSED : WLR_BUTTON_RELEASED);
#endif
	mw_seat_delivered(seat, before);
	if (!pressed && !mw_pointer_held(seat))
		mw_pointer_refresh(seat);
	return serial;
}

void mw_seat_pointer_button(mw_server *server, uint32_t button, bool pressed, int64_t when) {
	mw_seat *seat = server->seat;
	if (!pressed && seat->dropped_button == button) {
		seat->dropped_button = 0;   /* the drag has had it on its way in (input.c) */
		return;
	}
	if (!mw_pen_button(seat, button, pressed))
		mw_pointer_button(seat, button, pressed, when);
}

void mw_pointer_axis(mw_seat *seat, int32_t orientation, int32_t source, double value, int32_t discrete, int64_t when) {
	struct wlr_seat_pointer_state *state = &seat->wlr->pointer_state;
	if (mw_surface_stalled(seat->server, state->focused_surface))
		return;
	/* wlroots asserts that one frame has one source. */
	if (state->sent_axis_source && (int32_t)state->cached_axis_source != source)
		mw_pointer_framed(seat);
	if (state->sent_axis_source && state->focused_client == NULL)
		state->sent_axis_source = false;
#if WLR18
	wlr_seat_pointer_notify_axis(seat->wlr, MW_MS(when), orientation, value, discrete, source,
		WL_POINTER_AXIS_RELATIVE_DIRECTION_IDENTICAL);
#else
	/* 0.15 counts whole clicks. */
	wlr_seat_pointer_notify_axis(seat->wlr, MW_MS(when), orientation, value, discrete / 120, source);
#endif
}

void mw_seat_pointer_axis(mw_server *server, int32_t orientation, int32_t source, double value, int32_t discrete, int64_t when) {
	mw_pointer_axis(server->seat, orientation, source, value, discrete, when);
}

void mw_seat_pointer_frame(mw_server *server) {
	mw_pointer_framed(server->seat);
}
