/* Touch delivery. Clients without wl_touch get the first finger as a pointer: otherwise they could not be used. */
#include "seat.h"

#include <linux/input-event-codes.h>
#include <stdlib.h>

struct mw_touch *mw_touch_find(mw_seat *seat, int32_t id) {
	struct mw_touch *touch;
	wl_list_for_each(touch, &seat->touches, link) {
		if (touch->id == id)
			return touch;
	}
	return NULL;
}

void mw_touch_forget(struct mw_touch *touch) {
	mw_unlisten(&touch->surface_destroy);
	wl_list_remove(&touch->link);
	free(touch);
}

static void on_surface_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_touch *touch = wl_container_of(listener, touch, surface_destroy);
	/* The client is told that the touch ended: wlroots would say nothing until the finger lifts. */
	mw_touch_end(touch->seat, touch, mw_now());
	wlr_seat_touch_notify_frame(touch->seat->wlr);
	mw_unlisten(&touch->surface_destroy);
}

static bool knows_touch(mw_seat *seat, struct wlr_surface *surface) {
	return wlr_surface_accepts_touch(seat->wlr, surface);
}

static bool pointer_taken(mw_seat *seat) {
	struct mw_touch *touch;
	wl_list_for_each(touch, &seat->touches, link) {
		if (touch->as_pointer)
			return true;
	}
	return mw_pointer_held(seat);
}

static struct mw_touch *touch_new(mw_seat *seat, int32_t id) {
	struct mw_touch *touch = mw_touch_find(seat, id);
	if (touch != NULL) {
		/* A device that forgot to lift it. */
		mw_touch_end(seat, touch, mw_now());
		mw_touch_forget(touch);
	}
	touch = calloc(1, sizeof(*touch));
	if (touch == NULL)
		return NULL;
	touch->seat = seat;
	touch->id = id;
	wl_list_insert(&seat->touches, &touch->link);
	return touch;
}

bool mw_touch_begin(mw_seat *seat, enum mw_aim target, struct wlr_surface *surface, int32_t id,
		double x, double y, double sx, double sy, int64_t when) {
	struct mw_touch *touch = mw_surface_stalled(seat->server, surface) ? NULL : touch_new(seat, id);
	if (touch == NULL)
		return false;
	touch->target = target;
	touch->surface = surface;
	touch->origin_x = x - sx;
	touch->origin_y = y - sy;
	mw_listen(&surface->events.destroy, &touch->surface_destroy, on_surface_destroy);
	uint32_t before = wl_display_get_serial(seat->server->display);
	if (knows_touch(seat, surface)) {
		touch->serial = wlr_seat_touch_notify_down(seat->wlr, surface, MW_MS(when), id, sx, sy);
	} else if (!pointer_taken(seat)) {
		touch->as_pointer = true;
		mw_pointer_to(seat, surface, sx, sy, when);
		touch->serial = mw_pointer_button(seat, BTN_LEFT, true, when);
		mw_pointer_framed(seat);
	}
	mw_seat_delivered(seat, before);
	return true;
}

void mw_touch_move(mw_seat *seat, struct mw_touch *touch, double x, double y, int64_t when) {
	if (touch->surface == NULL)
		return;
	double sx = x - touch->origin_x, sy = y - touch->origin_y;
	if (touch->as_pointer) {
		mw_pointer_moved(seat, sx, sy, when);
		mw_pointer_framed(seat);
		return;
	}
	touch->owed = mw_surface_stalled(seat->server, touch->surface);
	touch->sx = sx;
	touch->sy = sy;
	if (!touch->owed)
		wlr_seat_touch_notify_motion(seat->wlr, MW_MS(when), touch->id, sx, sy);
}

/* A client that was behind has read on: it is told where its fingers are now. */
void mw_touches_caught_up(mw_seat *seat, struct wl_client *client) {
	struct mw_touch *touch;
	bool any = false;
	wl_list_for_each(touch, &seat->touches, link) {
		if (!touch->owed || touch->surface == NULL || wl_resource_get_client(touch->surface->resource) != client)
			continue;
		touch->owed = false;
		wlr_seat_touch_notify_motion(seat->wlr, MW_MS(mw_now()), touch->id, touch->sx, touch->sy);
		any = true;
	}
	if (any)
		wlr_seat_touch_notify_frame(seat->wlr);
}

/* The finger lifted, or what it was on went away. The touch itself stays known until forgotten by the caller. */
void mw_touch_end(mw_seat *seat, struct mw_touch *touch, int64_t when) {
	if (touch->surface == NULL)
		return;
	touch->surface = NULL;
	uint32_t before = wl_display_get_serial(seat->server->display);
	if (touch->as_pointer) {
		touch->as_pointer = false;
		mw_pointer_button(seat, BTN_LEFT, false, when);
		mw_pointer_framed(seat);
		/* No pointer hovers where a finger was. */
		if (seat->cursor_hidden) {
			seat->pointer.target = MW_AIM_NONE;
			wlr_seat_pointer_notify_clear_focus(seat->wlr);
		}
	} else {
		wlr_seat_touch_notify_up(seat->wlr, MW_MS(when), touch->id);
	}
	mw_seat_delivered(seat, before);
}

bool mw_seat_touch_down(mw_server *server, mw_window *window, int32_t id, double x, double y, int64_t when) {
	double sx = 0, sy = 0;
	struct wlr_surface *surface = mw_lock_is_locked(server) ? NULL : mw_window_surface_at(window, x, y, &sx, &sy);
	return surface != NULL && mw_touch_begin(server->seat, MW_AIM_WINDOW, surface, id, x, y, sx, sy, when);
}

bool mw_seat_touch_down_background(mw_server *server, mw_output *output, int32_t id, double x, double y, int64_t when) {
	double sx = 0, sy = 0;
	struct wlr_surface *surface = mw_lock_is_locked(server) ? NULL : mw_layers_surface_at(output, 0, 1, x, y, &sx, &sy);
	return surface != NULL && mw_touch_begin(server->seat, MW_AIM_BACKGROUND, surface, id, x, y, sx, sy, when);
}

void mw_seat_touch_motion(mw_server *server, int32_t id, double x, double y, int64_t when) {
	mw_seat *seat = server->seat;
	struct mw_touch *touch = mw_touch_find(seat, id);
	if (touch != NULL && touch->target != MW_AIM_LAYER && seat->wlr->drag == NULL)
		mw_touch_move(seat, touch, x, y, when);
}

void mw_seat_touch_up(mw_server *server, int32_t id, int64_t when) {
	mw_seat *seat = server->seat;
	struct mw_touch *touch = mw_touch_find(seat, id);
	if (touch == NULL || touch->target == MW_AIM_LAYER)
		return;
	mw_touch_end(seat, touch, when);
	mw_touch_forget(touch);
}

void mw_seat_touch_frame(mw_server *server) {
	wlr_seat_touch_notify_frame(server->seat->wlr);
}

/* A cancelled press must not look like a click: the pointer leaves before the button is let go. */
static void cancel_as_pointer(mw_seat *seat) {
	wlr_seat_pointer_clear_focus(seat->wlr);
	wlr_seat_pointer_notify_button(seat->wlr, MW_MS(mw_now()), BTN_LEFT, 0);
}

void mw_seat_touch_cancel(mw_server *server) {
	mw_seat *seat = server->seat;
	if (seat->wlr->drag != NULL && seat->wlr->drag->grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH)
		wlr_seat_touch_end_grab(seat->wlr);
	struct mw_touch *touch, *next;
	wl_list_for_each_safe(touch, next, &seat->touches, link) {
		if (touch->as_pointer)
			cancel_as_pointer(seat);
		mw_touch_forget(touch);
	}
	/* wl_touch.cancel is for all points of a client at once. */
	while (!wl_list_empty(&seat->wlr->touch_state.touch_points)) {
		struct wlr_touch_point *point = wl_container_of(seat->wlr->touch_state.touch_points.next, point, link);
		struct wlr_seat_touch_grab *grab = seat->wlr->touch_state.grab;
		bool sends = grab->interface->wl_cancel != NULL;
#if WLR18
		if (!sends)   /* a grab by popups has no way to send it */
			wlr_seat_touch_send_cancel(seat->wlr, point->client);
		wlr_seat_touch_notify_cancel(seat->wlr, point->client);
#else
		if (point->surface == NULL) {
			wlr_seat_touch_notify_up(seat->wlr, MW_MS(mw_now()), point->touch_id);
			continue;
		}
		if (!sends)
			wlr_seat_touch_send_cancel(seat->wlr, point->surface);
		wlr_seat_touch_notify_cancel(seat->wlr, point->surface);
#endif
	}
}

void mw_touches_finish(mw_seat *seat) {
	struct mw_touch *touch, *next;
	wl_list_for_each_safe(touch, next, &seat->touches, link)
		mw_touch_forget(touch);
}
