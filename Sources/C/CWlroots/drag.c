/* Drag and drop. While it lasts, targets are found among what is on the screen, not by what the shell says. */
#include "draw.h"
#include "seat.h"

#include <stdlib.h>

/* ---- where it is ---- */

struct hit {
	struct wlr_surface *surface;
	double sx, sy;
};

/* From buffer pixels back to points of the output; false if the node shows no live surface. */
static bool node_box(const struct mw_node *node, const struct mw_target *target, struct wlr_fbox *out) {
	const struct mw_rect *dst = &node->look.dst;
	if (node->kind != MW_NODE_SURFACE || node->surface == NULL || dst->x2 <= dst->x1 || dst->y2 <= dst->y1)
		return false;
	struct wlr_fbox box = { dst->x1, dst->y1, dst->x2 - dst->x1, dst->y2 - dst->y1 };
	wlr_fbox_transform(&box, &box, target->transform, target->width, target->height);
	*out = (struct wlr_fbox){ box.x / target->scale_x, box.y / target->scale_y, box.width / target->scale_x, box.height / target->scale_y };
	return true;
}

static bool node_hit(const struct mw_node *node, const struct mw_target *target, double x, double y, struct hit *hit) {
	struct wlr_fbox box;
	if (!node_box(node, target, &box))
		return false;
	double sx = (x - box.x) * node->surface->current.width / box.width;
	double sy = (y - box.y) * node->surface->current.height / box.height;
	if (!wlr_surface_point_accepts_input(node->surface, sx, sy))
		return false;
	*hit = (struct hit){ node->surface, sx, sy };
	return true;
}

bool mw_surface_seen(mw_server *server, struct wlr_surface *surface, struct wlr_fbox *out) {
	mw_output *output = mw_output_first(server);
	if (output == NULL || output->draw == NULL)
		return false;
	const struct mw_draw_state *draw = output->draw;
	for (size_t i = draw->nodes.count; i-- > 0;)
		if (draw->nodes.list[i].surface == surface && node_box(&draw->nodes.list[i], &draw->target, out))
			return true;
	return false;
}

static struct hit find(mw_seat *seat, double x, double y) {
	struct hit hit = {0};
	mw_output *output = mw_output_first(seat->server);
	if (output == NULL || output->draw == NULL)
		return hit;
	struct wlr_surface *icon = seat->drag->icon != NULL ? seat->drag->icon->surface : NULL;
	const struct mw_draw_state *draw = output->draw;
	for (size_t i = draw->nodes.count; i-- > 0;) {
		const struct mw_node *node = &draw->nodes.list[i];
		if (node->surface != icon && node_hit(node, &draw->target, x, y, &hit))
			return hit;
	}
	return hit;
}

static void moved(mw_seat *seat, double x, double y) {
	seat->drag_x = x;
	seat->drag_y = y;
	mw_output *output = mw_output_first(seat->server);
	if (output != NULL && seat->drag->icon != NULL)
		mw_output_schedule(output);
}

bool mw_drag_pointer(mw_seat *seat, double x, double y, int64_t when) {
	if (seat->drag == NULL || seat->drag->grab_type != WLR_DRAG_GRAB_KEYBOARD_POINTER)
		return false;
	struct hit hit = find(seat, x, y);
	if (hit.surface != NULL && !mw_surface_stalled(seat->server, hit.surface)) {
		wlr_seat_pointer_notify_enter(seat->wlr, hit.surface, hit.sx, hit.sy);
		wlr_seat_pointer_notify_motion(seat->wlr, MW_MS(when), hit.sx, hit.sy);
	} else {
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
	}
	if (seat->drag != NULL)
		moved(seat, x, y);
	return true;
}

/* wlroots does not tell the drag by itself that its point is over nothing. */
static void touch_over_nothing(mw_seat *seat, int32_t id, int64_t when) {
	wlr_seat_touch_point_clear_focus(seat->wlr, MW_MS(when), id);
	struct wlr_seat_touch_grab *grab = seat->wlr->touch_state.grab;
	grab->interface->enter(grab, MW_MS(when), wlr_seat_touch_get_point(seat->wlr, id));
}

bool mw_drag_touch(mw_seat *seat, int32_t id, double x, double y, int64_t when) {
	if (seat->drag == NULL || mw_touch_target(seat, id) < 0)
		return false;
	if (mw_touch_stands_in(seat, id))
		return mw_drag_pointer(seat, x, y, when);
	if (seat->drag->grab_type != WLR_DRAG_GRAB_KEYBOARD_TOUCH || seat->drag->grab_touch_id != id ||
			wlr_seat_touch_get_point(seat->wlr, id) == NULL)
		return false;
	struct hit hit = find(seat, x, y);
	if (hit.surface != NULL && !mw_surface_stalled(seat->server, hit.surface)) {
		wlr_seat_touch_point_focus(seat->wlr, hit.surface, MW_MS(when), id, hit.sx, hit.sy);
		wlr_seat_touch_notify_motion(seat->wlr, MW_MS(when), id, hit.sx, hit.sy);
	} else {
		touch_over_nothing(seat, id, when);
	}
	if (seat->drag != NULL)
		moved(seat, x, y);
	return true;
}

struct wlr_surface *mw_seat_drag_icon(mw_server *server, double *x, double *y) {
	mw_seat *seat = server->seat;
	if (seat == NULL || seat->drag == NULL || seat->drag->icon == NULL)
		return NULL;
	struct wlr_drag_icon *icon = seat->drag->icon;
#if WLR18
	if (!icon->surface->mapped)
		return NULL;
	*x = seat->drag_x + seat->icon_dx;
	*y = seat->drag_y + seat->icon_dy;
#else
	if (!icon->mapped)
		return NULL;
	*x = seat->drag_x + icon->surface->sx;
	*y = seat->drag_y + icon->surface->sy;
#endif
	return icon->surface;
}

/* ---- its life ---- */

/* The drag, whatever else may hold pointer, fingers and keys meanwhile. */
static void end_drag(mw_seat *seat) {
	if (seat->drag != NULL)
		seat->drag->keyboard_grab.interface->cancel(&seat->drag->keyboard_grab);
}

/* wlroots 0.15 keeps the focus of a drag after its surface is gone. */
void mw_drag_surface_gone(mw_seat *seat, struct wlr_surface *surface) {
	if (seat->drag != NULL && seat->drag->focus == surface && seat->drag->grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER)
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
}

#if !WLR18
/* The X11 window manager of wlroots 0.15 remembers over which window a drag is, and writes to it when that is gone. */
void mw_drag_x11_window_gone(mw_seat *seat) {
	if (seat == NULL || seat->drag == NULL)
		return;
	if (seat->drag->grab_type == WLR_DRAG_GRAB_KEYBOARD_POINTER)
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
	else if (seat->wlr->touch_state.grab == &seat->drag->touch_grab && wlr_seat_touch_get_point(seat->wlr, seat->drag->grab_touch_id) != NULL)
		touch_over_nothing(seat, seat->drag->grab_touch_id, mw_now());
}
#endif

static void on_drag_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_seat *seat = wl_container_of(listener, seat, drag_destroy);
	mw_unlisten(&seat->drag_destroy);
	mw_unlisten(&seat->drag_client_destroy);
	mw_unlisten(&seat->icon_commit);
	mw_unlisten(&seat->icon_destroy);
	seat->drag = NULL;
	mw_output *output = mw_output_first(seat->server);
	if (output != NULL)
		mw_output_schedule(output);
	mw_keyboard_apply_focus(seat);
	seat->server->on.pointer_hold_changed(seat->server->on.user);
}

/* Without its client's seat a drag would go on for good: no finger of it is lifted any more. wlroots 0.15 goes on using that seat. */
static void on_drag_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_seat *seat = wl_container_of(listener, seat, drag_client_destroy);
	mw_unlisten(&seat->drag_client_destroy);
	end_drag(seat);
}

static void on_icon_commit(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, icon_commit);
	struct wlr_surface *surface = data;
	seat->icon_dx += surface->current.dx;
	seat->icon_dy += surface->current.dy;
}

static void on_icon_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_seat *seat = wl_container_of(listener, seat, icon_destroy);
	mw_unlisten(&seat->icon_commit);
	mw_unlisten(&seat->icon_destroy);
}

/* GTK 4 asks for drags by touch with serial 0 or the pointer's last one. A finger that is down on that very surface is proof enough. */
static struct wlr_touch_point *finger_on(mw_seat *seat, struct wlr_surface *origin) {
	if (wlr_seat_touch_num_points(seat->wlr) != 1)
		return NULL;
	struct wlr_touch_point *point = wl_container_of(seat->wlr->touch_state.touch_points.next, point, link);
	return point->surface == origin ? point : NULL;
}

/* A drag ends with its source. One that never started and has none is kept for ever by wlroots, 300 bytes each. */
static void free_unstarted(struct wlr_drag *drag) {
	struct wlr_drag_icon *icon = drag->icon;
	if (icon != NULL) {
		wl_list_remove(&drag->icon_destroy.link);
		wl_list_remove(&icon->surface_destroy.link);
#if !WLR18
		icon->surface->role_data = NULL;
#endif
		free(icon);
	}
	free(drag);
}

/* What newer descriptions of `wl_data_device.error` call it; Debian 12's has none. */
#define USED_SOURCE 1

/*
 * A source stays after its drag until its client destroys it. In starting a drag with it anew wlroots would destroy it, hence
 * the drag, and go on with both. One that is the selection as well is destroyed when there is another; that ends the drag, which
 * gives the keyboard back, and whoever gets it is offered what is just being destroyed.
 */
static void refuse_used_source(const struct wlr_drag *drag) {
	struct wl_resource *device;
	wl_resource_for_each(device, &drag->seat_client->data_devices) {
		wl_resource_post_error(device, USED_SOURCE, "the wl_data_source was used already");
		return;
	}
}

struct start {
	mw_seat *seat;
	struct wlr_seat_request_start_drag_event *event;
};

static void start_drag(void *data) {
	mw_seat *seat = ((struct start *)data)->seat;
	struct wlr_seat_request_start_drag_event *event = ((struct start *)data)->event;
	struct wlr_touch_point *point;
	struct wlr_data_source *source = event->drag->source;
	if (source != NULL && (source == seat->wlr->drag_source || source == seat->wlr->selection_source)) {
		refuse_used_source(event->drag);
		wlr_data_source_destroy(source);
		return;
	}
	if (wlr_seat_validate_pointer_grab_serial(seat->wlr, event->origin, event->serial))
		wlr_seat_start_pointer_drag(seat->wlr, event->drag, event->serial);
	else if (wlr_seat_validate_touch_grab_serial(seat->wlr, event->origin, event->serial, &point))
		wlr_seat_start_touch_drag(seat->wlr, event->drag, event->serial, point);
	else if ((point = finger_on(seat, event->origin)) != NULL)
		wlr_seat_start_touch_drag(seat->wlr, event->drag, seat->wlr->touch_state.grab_serial, point);
	else if (source != NULL)
		wlr_data_source_destroy(source);
	else
		free_unstarted(event->drag);
}

static void on_request_start_drag(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, request_start_drag);
	struct wlr_seat_request_start_drag_event *event = data;
	mw_xwayland_start_drag(seat->server, event->drag, start_drag, &(struct start){ seat, event });
}

static void on_start_drag(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, start_drag);
	struct wlr_drag *drag = data;
	seat->drag = drag;
	seat->server->on.pointer_hold_changed(seat->server->on.user);
	bool by_touch = drag->grab_type == WLR_DRAG_GRAB_KEYBOARD_TOUCH;
	seat->drag_x = by_touch ? seat->touch_x : seat->cursor->x;
	seat->drag_y = by_touch ? seat->touch_y : seat->cursor->y;
	seat->icon_dx = seat->icon_dy = 0;
	mw_listen(&drag->events.destroy, &seat->drag_destroy, on_drag_destroy);
	mw_listen(&drag->seat_client->events.destroy, &seat->drag_client_destroy, on_drag_client_destroy);
	if (drag->icon != NULL) {
		mw_listen(&drag->icon->surface->events.commit, &seat->icon_commit, on_icon_commit);
		mw_listen(&drag->icon->events.destroy, &seat->icon_destroy, on_icon_destroy);
	}
}

void mw_drag_init(mw_seat *seat) {
	mw_listen(&seat->wlr->events.request_start_drag, &seat->request_start_drag, on_request_start_drag);
	mw_listen(&seat->wlr->events.start_drag, &seat->start_drag, on_start_drag);
}

void mw_drag_finish(mw_seat *seat) {
	end_drag(seat);
	struct wl_listener *all[] = {
		&seat->request_start_drag, &seat->start_drag, &seat->drag_destroy, &seat->drag_client_destroy,
		&seat->icon_commit, &seat->icon_destroy,
	};
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
}
