/*
 * Events on their way in, from devices, virtual devices and injection alike. Top and overlay layer surfaces (panels,
 * on-screen keyboards, launchers) lie above everything the shell arranges and are served here; the rest is the
 * handlers' to decide. While the session is locked, lock surfaces are served in the same way and the handlers hear nothing.
 */
#include "seat.h"

#include <math.h>

static struct wlr_surface *layer_at(mw_server *server, double x, double y, double *sx, double *sy) {
	mw_output *output = mw_output_first(server);
	if (output == NULL)
		return NULL;
	if (mw_lock_is_locked(server))
		return mw_lock_surface_at(output, x, y, sx, sy);
	return mw_layers_surface_at(output, 2, 3, x, y, sx, sy);
}

static void press_panel(mw_server *server, struct wlr_surface *surface) {
	uint32_t panel = mw_lock_is_locked(server) ? 0 : mw_layers_panel_of(server, surface);
	if (panel != 0)
		server->on.panel_pressed(server->on.user, panel);
}

/* ---- pointer ---- */

/* True if a layer surface has the pointer. */
static bool motion_on_layer(mw_seat *seat, int64_t when, double x, double y) {
	if (mw_pen_held(seat))
		return false;
	if (mw_pointer_held(seat)) {
		if (seat->pointer.target != MW_AIM_LAYER)
			return false;
		mw_pointer_moved(seat, x - seat->pointer.origin_x, y - seat->pointer.origin_y, when);
		return true;
	}
	double sx = 0, sy = 0;
	struct wlr_surface *surface = layer_at(seat->server, x, y, &sx, &sy);
	if (surface == NULL) {
		if (seat->pointer.target == MW_AIM_LAYER) {
			seat->pointer.target = MW_AIM_NONE;
			wlr_seat_pointer_notify_clear_focus(seat->wlr);
		}
		return false;
	}
	mw_pen_off(seat);
	seat->pointer.target = MW_AIM_LAYER;
	seat->pointer.window = NULL;
	seat->pointer.origin_x = x - sx;
	seat->pointer.origin_y = y - sy;
	mw_pointer_to(seat, surface, sx, sy, when);
	return true;
}

void mw_input_pointer_motion(mw_server *server, int64_t when, double x, double y, double dx, double dy) {
	mw_seat *seat = server->seat;
	mw_protocols_activity(server);
	if (fabs(seat->cursor->x - x) > 1e-6 || fabs(seat->cursor->y - y) > 1e-6) {
		wlr_cursor_warp_closest(seat->cursor, NULL, x, y);
		x = seat->cursor->x;
		y = seat->cursor->y;
	}
	mw_cursor_hide(seat, false);
	if (!mw_drag_pointer(seat, x, y, when) && motion_on_layer(seat, when, x, y))
		return;
	if (mw_lock_is_locked(server))
		return;
	server->on.pointer_motion(server->on.user, when, x, y, dx, dy);
	seat->server->on.pointer_hold_changed(seat->server->on.user);   /* it may have come into a region */
}

void mw_input_pointer_button(mw_server *server, int64_t when, uint32_t button, bool pressed) {
	mw_seat *seat = server->seat;
	mw_protocols_activity(server);
	if (seat->pointer.target == MW_AIM_LAYER && seat->drag == NULL) {
		if (pressed && seat->wlr->pointer_state.focused_surface != NULL)
			press_panel(server, seat->wlr->pointer_state.focused_surface);
		mw_pointer_button(seat, button, pressed, when);
		return;
	}
	if (mw_lock_is_locked(server)) {
		/* What was pressed before is let go. */
		if (!pressed)
			mw_pointer_button(seat, button, false, when);
		return;
	}
	if (seat->drag != NULL && !pressed && seat->drag->grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER) {
		mw_pointer_button(seat, button, false, when);
		seat->dropped_button = button;
	} else if (pressed) {
		seat->dropped_button = 0;
	}
	server->on.pointer_button(server->on.user, when, button, pressed);
}

void mw_input_pointer_axis(mw_server *server, int64_t when, int32_t orientation, int32_t source, double value, int32_t discrete) {
	mw_seat *seat = server->seat;
	mw_protocols_activity(server);
	if (seat->pointer.target == MW_AIM_LAYER)
		mw_pointer_axis(seat, orientation, source, value, discrete, when);
	else if (!mw_lock_is_locked(server))
		server->on.pointer_axis(server->on.user, when, orientation, source, value, discrete);
}

void mw_input_pointer_frame(mw_server *server) {
	if (server->seat->pointer.target == MW_AIM_LAYER)
		mw_pointer_framed(server->seat);
	else if (!mw_lock_is_locked(server))
		server->on.pointer_frame(server->on.user);
}

/* ---- touch ---- */

static void remember_place(mw_seat *seat, double x, double y) {
	seat->touch_x = x;
	seat->touch_y = y;
}

void mw_input_touch_down(mw_server *server, int64_t when, int32_t id, double x, double y) {
	mw_seat *seat = server->seat;
	mw_protocols_activity(server);
	remember_place(seat, x, y);
	mw_cursor_hide(seat, true);
	double sx = 0, sy = 0;
	struct wlr_surface *surface = layer_at(server, x, y, &sx, &sy);
	if (surface != NULL) {
		press_panel(server, surface);
		mw_touch_begin_on_panel(seat, surface, id, x, y, sx, sy, when);
		return;
	}
	if (mw_lock_is_locked(server))
		return;
	server->on.touch_down(server->on.user, when, id, x, y);
}

void mw_input_touch_motion(mw_server *server, int64_t when, int32_t id, double x, double y) {
	mw_seat *seat = server->seat;
	bool on_layer = mw_touch_target(seat, id) == MW_AIM_LAYER;
	remember_place(seat, x, y);
	if (!mw_drag_touch(seat, id, x, y, when) && on_layer) {
		mw_touch_move(seat, id, x, y, when);
		return;
	}
	if (!on_layer && !mw_lock_is_locked(server))
		server->on.touch_motion(server->on.user, when, id, x, y);
}

void mw_input_touch_up(mw_server *server, int64_t when, int32_t id) {
	mw_seat *seat = server->seat;
	mw_protocols_activity(server);
	if (mw_touch_target(seat, id) == MW_AIM_LAYER) {
		mw_touch_end(seat, id, when);
		mw_touch_forget(seat, id);
		return;
	}
	if (seat->drag != NULL)
		mw_touch_end(seat, id, when);   /* the drop */
	if (!mw_lock_is_locked(server))
		server->on.touch_up(server->on.user, when, id);
}

void mw_input_touch_cancel(mw_server *server, int64_t when, int32_t id) {
	if (mw_touch_target(server->seat, id) == MW_AIM_LAYER)
		mw_seat_touch_cancel(server);
	else if (!mw_lock_is_locked(server))
		server->on.touch_cancel(server->on.user, when, id);
}

void mw_input_touch_frame(mw_server *server) {
	if (mw_touches_on_panel(server->seat))
		wlr_seat_touch_notify_frame(server->seat->wlr);
	if (!mw_lock_is_locked(server))
		server->on.touch_frame(server->on.user);
}

/* ---- injection ---- */

void mw_inject_pointer_absolute(mw_server *server, double x, double y, int64_t when) {
	mw_pen_leave(server->seat);
	mw_cursor_move_to(server->seat, NULL, x, y, when);
	mw_input_pointer_frame(server);
}

void mw_inject_pointer_relative(mw_server *server, double dx, double dy, int64_t when) {
	mw_cursor_move(server->seat, NULL, dx, dy, dx, dy, when);
	mw_input_pointer_frame(server);
}

void mw_inject_pointer_button(mw_server *server, uint32_t button, bool pressed, int64_t when) {
	mw_pen_leave(server->seat);
	mw_input_pointer_button(server, when, button, pressed);
	mw_input_pointer_frame(server);
}

void mw_inject_pointer_axis(mw_server *server, int32_t orientation, double value, int64_t when) {
	/* A wheel: one click is 15 points. */
	mw_input_pointer_axis(server, when, orientation, 0, value, (int32_t)(value / 15 * 120));
	mw_input_pointer_frame(server);
}

void mw_inject_touch_down(mw_server *server, int32_t touch, double x, double y, int64_t when) {
	mw_input_touch_down(server, when, touch, x, y);
	mw_input_touch_frame(server);
}

void mw_inject_touch_motion(mw_server *server, int32_t touch, double x, double y, int64_t when) {
	mw_input_touch_motion(server, when, touch, x, y);
	mw_input_touch_frame(server);
}

void mw_inject_touch_up(mw_server *server, int32_t touch, int64_t when) {
	mw_input_touch_up(server, when, touch);
	mw_input_touch_frame(server);
}

void mw_inject_touch_cancel(mw_server *server, int32_t touch, int64_t when) {
	mw_input_touch_cancel(server, when, touch);
	mw_input_touch_frame(server);
}
