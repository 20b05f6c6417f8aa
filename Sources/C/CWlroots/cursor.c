/* The cursor: whose picture it shows, and when it hides. */
#include "seat.h"

#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <wlr/types/wlr_relative_pointer_v1.h>

#define AFTER_START 30                       /* ms from the first frame until the theme is read */

/* A theme is a hundred files and more. A screen that is only touched needs none of them. */
static void load_theme(mw_seat *seat) {
	wlr_xcursor_manager_load(seat->xcursors, 1);
	mw_output *output;
	wl_list_for_each(output, &seat->server->outputs, link)
		wlr_xcursor_manager_load(seat->xcursors, output->wlr->scale);
}

static int on_started(void *data) {
	mw_cursor_update(data);
	return 0;
}

void mw_seat_first_frame(mw_server *server) {
	mw_seat *seat = server->seat;
	if (seat == NULL || seat->cursor_timer != NULL)
		return;
	seat->cursor_timer = wl_event_loop_add_timer(server->loop, on_started, seat);
	if (seat->cursor_timer != NULL)
		wl_event_source_timer_update(seat->cursor_timer, AFTER_START);
}

/* `name` NULL: nothing is shown. `x11`: what themes without the names of CSS call it. */
static void show_named(mw_seat *seat, const char *name, const char *x11) {
	/* A pointer that moves while the shell starts gets its picture when something can be seen under it. */
	if (seat->server->statistics.frames_drawn == 0)
		name = NULL;
	if (name != NULL)
		load_theme(seat);
	/* Themes know the names of CSS, or those of X11, or at least the arrow. */
	if (name != NULL && wlr_xcursor_manager_get_xcursor(seat->xcursors, name, 1) == NULL)
		name = x11;
	if (name != NULL && wlr_xcursor_manager_get_xcursor(seat->xcursors, name, 1) == NULL)
		name = "left_ptr";
#if WLR18
	if (name == NULL)
		wlr_cursor_unset_image(seat->cursor);
	else
		wlr_cursor_set_xcursor(seat->cursor, seat->xcursors, name);
#else
	if (name == NULL)
		wlr_cursor_set_image(seat->cursor, NULL, 0, 0, 0, 0, 0, 0);
	else
		wlr_xcursor_manager_set_cursor_image(seat->xcursors, name, seat->cursor);
#endif
}

void mw_cursor_update(mw_seat *seat) {
	if (seat->cursor_hidden)
		show_named(seat, NULL, NULL);
	else if (seat->wlr->pointer_state.focused_client == NULL && !mw_pen_on_surface(seat))
		show_named(seat, seat->shell_cursor.name, seat->shell_cursor.x11);
	else if (seat->client_shape.name[0] != '\0')
		show_named(seat, seat->client_shape.name, seat->client_shape.x11);
	else if (seat->client_cursor_set)
		wlr_cursor_set_surface(seat->cursor, seat->client_cursor, seat->hotspot_x, seat->hotspot_y);
	else
		show_named(seat, "default", "left_ptr");
}

void mw_cursor_hide(mw_seat *seat, bool hidden) {
	if (seat->cursor_hidden == hidden)
		return;
	seat->cursor_hidden = hidden;
	mw_cursor_update(seat);
}

static void forget_client_cursor(mw_seat *seat) {
	mw_unlisten(&seat->client_cursor_destroy);
	seat->client_cursor = NULL;
	seat->client_shape.name[0] = '\0';
	seat->client_cursor_set = false;
}

static void on_client_cursor_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_seat *seat = wl_container_of(listener, seat, client_cursor_destroy);
	forget_client_cursor(seat);
	seat->client_cursor_set = true;   /* hidden, as the protocol says */
}

void mw_cursor_forget_client(mw_seat *seat) {
	forget_client_cursor(seat);
	mw_cursor_update(seat);
}

void mw_cursor_set_client(mw_seat *seat, struct wlr_surface *surface, int32_t hotspot_x, int32_t hotspot_y) {
	forget_client_cursor(seat);
	seat->client_cursor = surface;
	seat->client_cursor_set = true;
	seat->hotspot_x = hotspot_x;
	seat->hotspot_y = hotspot_y;
	if (surface != NULL)
		mw_listen(&surface->events.destroy, &seat->client_cursor_destroy, on_client_cursor_destroy);
	mw_cursor_update(seat);
}

static void set_name(struct mw_cursor_name *out, const char *name, const char *x11) {
	snprintf(out->name, sizeof(out->name), "%s", name);
	snprintf(out->x11, sizeof(out->x11), "%s", x11);
}

void mw_seat_set_client_shape(mw_server *server, const char *name, const char *x11) {
	mw_seat *seat = server->seat;
	forget_client_cursor(seat);
	set_name(&seat->client_shape, name, x11);
	mw_cursor_update(seat);
}

static void on_request_set_cursor(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, request_set_cursor);
	struct wlr_seat_pointer_request_set_cursor_event *event = data;
	if (event->seat_client == seat->wlr->pointer_state.focused_client)
		mw_cursor_set_client(seat, event->surface, event->hotspot_x, event->hotspot_y);
}

static void on_pointer_focus_change(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, pointer_focus_change);
	struct wlr_seat_pointer_focus_change_event *event = data;
	seat->server->on.pointer_focus_changed(seat->server->on.user);
	if (event->old_surface != NULL && event->new_surface != NULL && event->old_surface->resource != NULL &&
			wl_resource_get_client(event->old_surface->resource) ==
			wl_resource_get_client(event->new_surface->resource))
		return;   /* the same client: its cursor stays until it says otherwise */
	forget_client_cursor(seat);
	mw_cursor_update(seat);
}

void mw_seat_set_cursor(mw_server *server, const char *name, const char *x11) {
	mw_seat *seat = server->seat;
	if (strcmp(name, seat->shell_cursor.name) == 0)
		return;
	set_name(&seat->shell_cursor, name, x11);
	if (seat->wlr->pointer_state.focused_client == NULL)
		mw_cursor_update(seat);
}

void mw_seat_x11_cursor(mw_server *server, struct wlr_xwayland *xwayland) {
	wlr_xcursor_manager_load(server->seat->xcursors, 1);
	struct wlr_xcursor *arrow = wlr_xcursor_manager_get_xcursor(server->seat->xcursors, "left_ptr", 1);
	if (arrow == NULL || arrow->image_count == 0)
		return;
	struct wlr_xcursor_image *image = arrow->images[0];
	wlr_xwayland_set_cursor(xwayland, image->buffer, image->width * 4, image->width, image->height,
		image->hotspot_x, image->hotspot_y);
}

/* A touch screen or absolute pointer belongs to one output, or its coordinates would span all of them. */
void mw_cursor_map_device(mw_seat *seat, struct mw_device *device) {
	mw_output *output, *match = NULL;
	wl_list_for_each(output, &seat->server->outputs, link) {
		if (output->announced && device->output_name != NULL && strcmp(output->wlr->name, device->output_name) == 0)
			match = output;
	}
	if (match == NULL && (device->device->type == WLR_INPUT_DEVICE_TOUCH || device->device->type == MW_INPUT_DEVICE_TABLET))
		match = mw_output_first(seat->server);
	if (match != NULL)
		wlr_cursor_map_input_to_output(seat->cursor, device->device, match->wlr);
}

/* ---- events of pointers and touch screens, all of which come through wlr_cursor ---- */

#if WLR18
#define DEVICE(event, kind) (&(event)->kind->base)
#define EVENT(new_name, old_name) struct wlr_##new_name
#else
#define DEVICE(event, kind) ((event)->device)
#define EVENT(new_name, old_name) struct wlr_event_##old_name
#endif

#define SEAT_OF(index) \
	mw_seat *seat = (mw_seat *)((char *)(listener - (index)) - offsetof(mw_seat, cursor_events))

void mw_cursor_move_to(mw_seat *seat, struct wlr_input_device *device, double x, double y, int64_t when) {
	double old_x = seat->cursor->x, old_y = seat->cursor->y;
	if (!seat->server->on.pointer_bounded(seat->server->on.user, &x, &y)) {
		mw_protocols_activity(seat->server);
		return;
	}
	wlr_cursor_warp_closest(seat->cursor, device, x, y);
	mw_input_pointer_motion(seat->server, when, seat->cursor->x, seat->cursor->y, seat->cursor->x - old_x, seat->cursor->y - old_y);
}

void mw_seat_warp(mw_server *server, double x, double y) {
	struct wlr_cursor *cursor = server->seat->cursor;
	wlr_cursor_warp_closest(cursor, NULL, x, y);
	server->on.pointer_motion(server->on.user, mw_now(), cursor->x, cursor->y, 0, 0);
	server->on.pointer_frame(server->on.user);
}

void mw_cursor_move(mw_seat *seat, struct wlr_input_device *device, double dx, double dy, double raw_dx, double raw_dy, int64_t when) {
	/* Only devices that move relatively are relative; absolute ones would make pointer-locking games spin. */
	if (mw_protocols_relative_pointer(seat->server) != NULL &&
			!mw_surface_stalled(seat->server, seat->wlr->pointer_state.focused_surface))
		wlr_relative_pointer_manager_v1_send_relative_motion(mw_protocols_relative_pointer(seat->server), seat->wlr,
			(uint64_t)when / 1000, dx, dy, raw_dx, raw_dy);
	mw_cursor_move_to(seat, device, seat->cursor->x + dx, seat->cursor->y + dy, when);
}

static void on_motion(struct wl_listener *listener, void *data) {
	SEAT_OF(0);
	EVENT(pointer_motion_event, pointer_motion) *event = data;
	mw_pen_leave(seat);
	mw_cursor_move(seat, DEVICE(event, pointer), event->delta_x, event->delta_y, event->unaccel_dx, event->unaccel_dy,
		mw_seat_time(event->time_msec));
}

static void on_motion_absolute(struct wl_listener *listener, void *data) {
	SEAT_OF(1);
	EVENT(pointer_motion_absolute_event, pointer_motion_absolute) *event = data;
	double x, y;
	mw_pen_leave(seat);
	wlr_cursor_absolute_to_layout_coords(seat->cursor, DEVICE(event, pointer), event->x, event->y, &x, &y);
	mw_cursor_move_to(seat, DEVICE(event, pointer), x, y, mw_seat_time(event->time_msec));
}

static void on_button(struct wl_listener *listener, void *data) {
	SEAT_OF(2);
	EVENT(pointer_button_event, pointer_button) *event = data;
#if WLR18
	struct wlr_input_device *device = &event->pointer->base;
#else
	struct wlr_input_device *device = event->device;
#endif
	if (!mw_device_button(seat, device, event->button, event->state != 0))
		return;
	mw_pen_leave(seat);
	mw_input_pointer_button(seat->server, mw_seat_time(event->time_msec), event->button, event->state != 0);
}

static void on_axis(struct wl_listener *listener, void *data) {
	SEAT_OF(3);
	EVENT(pointer_axis_event, pointer_axis) *event = data;
#if WLR18
	int32_t discrete = event->delta_discrete;
#else
	int32_t discrete = event->delta_discrete * 120;
#endif
	mw_input_pointer_axis(seat->server, mw_seat_time(event->time_msec), event->orientation, event->source, event->delta, discrete);
}

static void on_frame(struct wl_listener *listener, void *data) {
	(void)data;
	SEAT_OF(4);
	mw_input_pointer_frame(seat->server);
}

static void on_touch_down(struct wl_listener *listener, void *data) {
	SEAT_OF(5);
	EVENT(touch_down_event, touch_down) *event = data;
	double x, y;
	wlr_cursor_absolute_to_layout_coords(seat->cursor, DEVICE(event, touch), event->x, event->y, &x, &y);
	mw_input_touch_down(seat->server, mw_seat_time(event->time_msec), event->touch_id, x, y);
}

static void on_touch_motion(struct wl_listener *listener, void *data) {
	SEAT_OF(6);
	EVENT(touch_motion_event, touch_motion) *event = data;
	double x, y;
	wlr_cursor_absolute_to_layout_coords(seat->cursor, DEVICE(event, touch), event->x, event->y, &x, &y);
	mw_input_touch_motion(seat->server, mw_seat_time(event->time_msec), event->touch_id, x, y);
}

static void on_touch_up(struct wl_listener *listener, void *data) {
	SEAT_OF(7);
	EVENT(touch_up_event, touch_up) *event = data;
	mw_input_touch_up(seat->server, mw_seat_time(event->time_msec), event->touch_id);
}

static void on_touch_cancel(struct wl_listener *listener, void *data) {
	SEAT_OF(8);
	EVENT(touch_cancel_event, touch_cancel) *event = data;
	mw_input_touch_cancel(seat->server, mw_seat_time(event->time_msec), event->touch_id);
}

static void on_touch_frame(struct wl_listener *listener, void *data) {
	(void)data;
	SEAT_OF(9);
	mw_input_touch_frame(seat->server);
}

/* ---- lifetime ---- */

bool mw_cursor_init(mw_seat *seat) {
	seat->cursor = wlr_cursor_create();
	seat->xcursors = wlr_xcursor_manager_create(NULL, 24);
	if (seat->cursor == NULL || seat->xcursors == NULL)
		return false;
	wlr_cursor_attach_output_layout(seat->cursor, seat->server->layout);
	set_name(&seat->shell_cursor, "default", "left_ptr");
	seat->cursor_hidden = true;   /* until a pointer moves */
	struct wl_listener *listeners = seat->cursor_events;
	mw_listen(&seat->cursor->events.motion, &listeners[0], on_motion);
	mw_listen(&seat->cursor->events.motion_absolute, &listeners[1], on_motion_absolute);
	mw_listen(&seat->cursor->events.button, &listeners[2], on_button);
	mw_listen(&seat->cursor->events.axis, &listeners[3], on_axis);
	mw_listen(&seat->cursor->events.frame, &listeners[4], on_frame);
	mw_listen(&seat->cursor->events.touch_down, &listeners[5], on_touch_down);
	mw_listen(&seat->cursor->events.touch_motion, &listeners[6], on_touch_motion);
	mw_listen(&seat->cursor->events.touch_up, &listeners[7], on_touch_up);
	mw_listen(&seat->cursor->events.touch_cancel, &listeners[8], on_touch_cancel);
	mw_listen(&seat->cursor->events.touch_frame, &listeners[9], on_touch_frame);
	mw_listen(&seat->wlr->events.request_set_cursor, &seat->request_set_cursor, on_request_set_cursor);
	mw_listen(&seat->wlr->pointer_state.events.focus_change, &seat->pointer_focus_change, on_pointer_focus_change);
	return true;
}

/* After the seat is gone. */
void mw_cursor_finish(mw_seat *seat) {
	forget_client_cursor(seat);
	if (seat->cursor_timer != NULL)
		wl_event_source_remove(seat->cursor_timer);
	for (size_t i = 0; i < MW_COUNT(seat->cursor_events); i++)
		mw_unlisten(&seat->cursor_events[i]);
	if (seat->cursor != NULL)
		wlr_cursor_destroy(seat->cursor);
	if (seat->xcursors != NULL)
		wlr_xcursor_manager_destroy(seat->xcursors);
}
