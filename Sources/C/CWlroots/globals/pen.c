/*
 * Pens (tablet-v2). To the shell a pen is a pointer: it hovers, its tip is the left button, and so it works everywhere.
 * Over a surface whose app knows pens, the app gets the pen itself, with pressure and tilt, and no pointer.
 */
#include "seat.h"

#include <linux/input-event-codes.h>
#include <stdlib.h>
#include <wlr/types/wlr_tablet_tool.h>
#include <wlr/types/wlr_tablet_v2.h>

#if WLR18
#define EVENT(name) struct wlr_tablet_tool_##name##_event
#define DEVICE(event) (&(event)->tablet->base)
#else
#define EVENT(name) struct wlr_event_tablet_tool_##name
#define DEVICE(event) ((event)->device)
#endif

struct tablet {
	struct wl_list link;
	struct mw_pens *pens;
	struct wlr_input_device *device;
	struct wlr_tablet_v2_tablet *v2;
	struct wl_listener destroy;
};

struct pen {
	struct wl_list link;
	struct mw_pens *pens;
	struct wlr_tablet_tool *tool;
	struct wlr_tablet_v2_tablet_tool *v2;
	double x, y;                         /* 0..1, of its tablet */
	double tilt_x, tilt_y;
	bool down;
	struct { uint32_t raw, as; } buttons[8];   /* that are down; raw 0: free */
	struct wl_listener destroy, set_cursor;
	struct wl_listener surface_gone;     /* the surface that it came to last */
};

struct mw_pens {
	mw_seat *seat;
	struct wlr_tablet_manager_v2 *manager;
	struct wl_list tablets, list;
	/* What moved last; NULL as soon as another device has the pointer. */
	struct pen *pen;
	struct tablet *tablet;
	double origin_x, origin_y;           /* of the surface under it, as seat->pointer's */
	uint32_t given[16];                  /* buttons whose press an app got from the pen */
	struct wl_listener events[4];
};

/* ---- what pointer.c and input.c ask ---- */

static struct wlr_tablet_v2_tablet_tool *on_surface(const struct mw_pens *pens) {
	if (pens == NULL || pens->pen == NULL)
		return NULL;
	struct wlr_tablet_v2_tablet_tool *v2 = pens->pen->v2;
	return v2->current_client != NULL && v2->focused_surface != NULL ? v2 : NULL;
}

bool mw_pen_on_surface(mw_seat *seat) {
	return on_surface(seat->pens) != NULL;
}

static bool holds(const struct mw_pens *pens) {
	for (size_t i = 0; i < MW_COUNT(pens->given); i++)
		if (pens->given[i] != 0)
			return on_surface(pens) != NULL;
	return false;
}

bool mw_pen_held(mw_seat *seat) {
	return seat->pens != NULL && holds(seat->pens);
}

/* While something of it is down, the surface that got that keeps the pen, wherever it goes. */
bool mw_pen_grabbed(mw_seat *seat, double x, double y) {
	struct mw_pens *pens = seat->pens;
	if (pens == NULL || !holds(pens))
		return false;
	wlr_tablet_v2_tablet_tool_notify_motion(pens->pen->v2, x - pens->origin_x, y - pens->origin_y);
	return true;
}

void mw_pen_off(mw_seat *seat) {
	struct wlr_tablet_v2_tablet_tool *v2 = on_surface(seat->pens);
	if (v2 == NULL)
		return;
	wlr_tablet_v2_tablet_tool_notify_proximity_out(v2);
	mw_cursor_forget_client(seat);
}

/*
 * When an app throws its tool away under the pen, wlroots forgets the app, but goes on listening to the surface, also when
 * that has been freed.
 */
static void forget_surface(struct wlr_tablet_v2_tablet_tool *v2) {
	if (v2->current_client != NULL || v2->focused_surface == NULL)
		return;
	wl_list_remove(&v2->surface_destroy.link);
	wl_list_init(&v2->surface_destroy.link);
	v2->focused_surface = NULL;
}

static void on_surface_gone(struct wl_listener *listener, void *data) {
	(void)data;
	struct pen *pen = wl_container_of(listener, pen, surface_gone);
	mw_unlisten(&pen->surface_gone);
	forget_surface(pen->v2);
}

bool mw_pen_to(mw_seat *seat, struct wlr_surface *surface, double x, double y, double sx, double sy) {
	struct mw_pens *pens = seat->pens;
	if (pens == NULL || pens->pen == NULL || surface == NULL || !wlr_surface_accepts_tablet_v2(pens->tablet->v2, surface)) {
		mw_pen_off(seat);
		return false;
	}
	struct wlr_tablet_v2_tablet_tool *v2 = pens->pen->v2;
	forget_surface(v2);
	if (v2->focused_surface != surface) {
		mw_pen_off(seat);
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
	}
	wlr_tablet_v2_tablet_tool_notify_proximity_in(v2, pens->tablet->v2, surface);
	if (on_surface(pens) == NULL)
		return false;   /* it has bound tablets and thrown this tool away */
	mw_unlisten(&pens->pen->surface_gone);
	mw_listen(&surface->events.destroy, &pens->pen->surface_gone, on_surface_gone);
	pens->origin_x = x - sx;
	pens->origin_y = y - sy;
	wlr_tablet_v2_tablet_tool_notify_motion(v2, sx, sy);
	mw_cursor_update(seat);
	return true;
}

static uint32_t *given(struct mw_pens *pens, uint32_t button) {
	for (size_t i = 0; i < MW_COUNT(pens->given); i++)
		if (pens->given[i] == button)
			return &pens->given[i];
	return NULL;
}

static bool has_tip(const struct pen *pen) {
	return pen->tool->type != WLR_TABLET_TOOL_TYPE_MOUSE && pen->tool->type != WLR_TABLET_TOOL_TYPE_LENS;
}

bool mw_pen_button(mw_seat *seat, uint32_t button, bool pressed) {
	struct mw_pens *pens = seat->pens;
	uint32_t *slot = pens != NULL ? given(pens, pressed ? 0 : button) : NULL;
	struct wlr_tablet_v2_tablet_tool *v2 = on_surface(pens);
	if (slot == NULL || (pressed && v2 == NULL))
		return false;
	*slot = pressed ? button : 0;
	if (pens->pen == NULL)
		return true;   /* the pen is gone, and the app knows */
	v2 = pens->pen->v2;
	uint32_t before = wl_display_get_serial(seat->server->display);
	if (button != BTN_LEFT || !has_tip(pens->pen))
		wlr_tablet_v2_tablet_tool_notify_button(v2, button,
			pressed ? ZWP_TABLET_PAD_V2_BUTTON_STATE_PRESSED : ZWP_TABLET_PAD_V2_BUTTON_STATE_RELEASED);
	else if (pressed)
		wlr_tablet_v2_tablet_tool_notify_down(v2);
	else
		wlr_tablet_v2_tablet_tool_notify_up(v2);
	mw_seat_delivered(seat, before);
	return true;
}

bool mw_pen_serial_held(mw_seat *seat, struct wl_client *client, uint32_t serial) {
	struct wlr_tablet_v2_tablet_tool *v2 = on_surface(seat->pens);
	return v2 != NULL && v2->is_down && (serial == 0 || v2->down_serial == serial) &&
		wl_resource_get_client(v2->focused_surface->resource) == client;
}

bool mw_seat_is_pen_here(mw_server *server, struct wl_resource *tool, uint32_t serial) {
	struct wlr_tablet_v2_tablet_tool *v2 = on_surface(server->seat->pens);
	/* wlroots keeps its own object behind the resource; that it is the same is all that is asked. */
	return v2 != NULL && wl_resource_get_user_data(tool) == v2->current_client && serial == v2->proximity_serial;
}

/* ---- the pen itself; places are output points ---- */

static void release_all(struct mw_pens *pens, struct pen *pen, int64_t when) {
	mw_server *server = pens->seat->server;
	if (pen->down)
		mw_input_pointer_button(server, when, BTN_LEFT, false);
	pen->down = false;
	for (size_t i = 0; i < MW_COUNT(pen->buttons); i++) {
		uint32_t as = pen->buttons[i].as;
		pen->buttons[i].raw = pen->buttons[i].as = 0;
		if (as != 0)
			mw_input_pointer_button(server, when, as, false);
	}
}

/* Out of reach, or another device took over. */
static void leave(struct mw_pens *pens, int64_t when) {
	struct pen *pen = pens->pen;
	if (pen == NULL)
		return;
	release_all(pens, pen, when);
	mw_pen_off(pens->seat);
	pens->pen = NULL;
	pens->tablet = NULL;
}

void mw_pen_leave(mw_seat *seat) {
	if (seat->pens != NULL)
		leave(seat->pens, mw_now());
}

static void come(struct mw_pens *pens, struct pen *pen, struct tablet *tablet, int64_t when) {
	if (pens->pen == pen && pens->tablet == tablet)
		return;
	leave(pens, when);
	pens->pen = pen;
	pens->tablet = tablet;
}

static void go_away(struct mw_pens *pens, int64_t when) {
	mw_seat *seat = pens->seat;
	leave(pens, when);
	mw_cursor_hide(seat, true);
	/* Nothing hovers where a pen was. */
	if (!mw_pointer_held(seat) && seat->drag == NULL) {
		seat->pointer.target = MW_AIM_NONE;
		wlr_seat_pointer_notify_clear_focus(seat->wlr);
	}
	mw_input_pointer_frame(seat->server);
}

static void tip(struct mw_pens *pens, bool down, int64_t when) {
	if (pens->pen->down == down)
		return;
	pens->pen->down = down;
	mw_input_pointer_button(pens->seat->server, when, BTN_LEFT, down);
}

static void press(struct mw_pens *pens, uint32_t raw, int64_t when) {
	struct pen *pen = pens->pen;
	for (size_t i = 0; i < MW_COUNT(pen->buttons); i++) {
		if (pen->buttons[i].raw != 0)
			continue;
		pen->buttons[i].raw = raw;
		/* For the shell and for apps that know no pens: the buttons of a mouse. */
		pen->buttons[i].as = on_surface(pens) != NULL ? raw : raw == BTN_STYLUS ? BTN_RIGHT : raw == BTN_STYLUS2 ? BTN_MIDDLE : raw;
		mw_input_pointer_button(pens->seat->server, when, pen->buttons[i].as, true);
		return;
	}
}

static void release(struct mw_pens *pens, uint32_t raw, int64_t when) {
	struct pen *pen = pens->pen;
	for (size_t i = 0; i < MW_COUNT(pen->buttons); i++) {
		if (pen->buttons[i].raw != raw)
			continue;
		uint32_t as = pen->buttons[i].as;
		pen->buttons[i].raw = pen->buttons[i].as = 0;
		mw_input_pointer_button(pens->seat->server, when, as, false);
		return;
	}
}

/* ---- events ---- */

static void pen_free(struct pen *pen) {
	mw_unlisten(&pen->destroy);
	mw_unlisten(&pen->set_cursor);
	mw_unlisten(&pen->surface_gone);
	wl_list_remove(&pen->link);
	free(pen);
}

static void on_tool_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct pen *pen = wl_container_of(listener, pen, destroy);
	if (pen->pens->pen == pen)
		go_away(pen->pens, mw_now());
	pen_free(pen);
}

static void on_set_cursor(struct wl_listener *listener, void *data) {
	struct pen *pen = wl_container_of(listener, pen, set_cursor);
	const struct wlr_tablet_v2_event_cursor *event = data;
	struct mw_pens *pens = pen->pens;
	struct wlr_tablet_v2_tablet_tool *v2 = on_surface(pens);
	if (v2 == pen->v2 && event->serial == v2->proximity_serial && event->seat_client != NULL &&
			event->seat_client->client == wl_resource_get_client(v2->focused_surface->resource))
		mw_cursor_set_client(pens->seat, event->surface, event->hotspot_x, event->hotspot_y);
}

static struct pen *pen_of(struct mw_pens *pens, struct wlr_tablet_tool *tool) {
	struct pen *pen;
	wl_list_for_each(pen, &pens->list, link) {
		if (pen->tool == tool)
			return pen;
	}
	pen = calloc(1, sizeof(*pen));
	if (pen == NULL)
		return NULL;
	/* Before wlroots listens, so that its object is still there when the tool goes. */
	mw_listen(&tool->events.destroy, &pen->destroy, on_tool_destroy);
	pen->pens = pens;
	pen->tool = tool;
	pen->v2 = wlr_tablet_tool_create(pens->manager, pens->seat->wlr, tool);
	wl_list_insert(&pens->list, &pen->link);
	if (pen->v2 == NULL) {
		pen_free(pen);   /* a kind of tool that the protocol does not have */
		return NULL;
	}
	mw_listen(&pen->v2->events.set_cursor, &pen->set_cursor, on_set_cursor);
	return pen;
}

/* The pen is the one in use from now on; NULL if it cannot be. */
static struct pen *use(struct mw_pens *pens, struct wlr_tablet_tool *tool, struct wlr_input_device *device, int64_t when) {
	struct tablet *tablet, *found = NULL;
	wl_list_for_each(tablet, &pens->tablets, link) {
		if (tablet->device == device)
			found = tablet;
	}
	struct pen *pen = found != NULL ? pen_of(pens, tool) : NULL;
	if (pen != NULL)
		come(pens, pen, found, when);
	return pen;
}

static void move(struct mw_pens *pens, int64_t when) {
	mw_seat *seat = pens->seat;
	double x, y;
	wlr_cursor_absolute_to_layout_coords(seat->cursor, pens->tablet->device, pens->pen->x, pens->pen->y, &x, &y);
	mw_cursor_move_to(seat, pens->tablet->device, x, y, when);
}

#define PENS_OF(index) struct mw_pens *pens = (struct mw_pens *)((char *)(listener - (index)) - offsetof(struct mw_pens, events))

static void on_proximity(struct wl_listener *listener, void *data) {
	PENS_OF(0);
	const EVENT(proximity) *event = data;
	int64_t when = mw_seat_time(event->time_msec);
	struct pen *pen = use(pens, event->tool, DEVICE(event), when);
	if (pen == NULL)
		return;
	if (event->state == WLR_TABLET_TOOL_PROXIMITY_OUT) {
		go_away(pens, when);
		return;
	}
	pen->x = event->x;
	pen->y = event->y;
	move(pens, when);
	mw_input_pointer_frame(pens->seat->server);
}

static void on_axis(struct wl_listener *listener, void *data) {
	PENS_OF(1);
	const EVENT(axis) *event = data;
	mw_seat *seat = pens->seat;
	int64_t when = mw_seat_time(event->time_msec);
	struct pen *pen = use(pens, event->tool, DEVICE(event), when);
	if (pen == NULL)
		return;
	uint32_t axes = event->updated_axes;
	if (axes & WLR_TABLET_TOOL_AXIS_X)
		pen->x = event->x;
	if (axes & WLR_TABLET_TOOL_AXIS_Y)
		pen->y = event->y;
	if (axes & (WLR_TABLET_TOOL_AXIS_X | WLR_TABLET_TOOL_AXIS_Y)) {
		if (has_tip(pen))
			move(pens, when);
		else
			mw_cursor_move_to(seat, DEVICE(event), seat->cursor->x + event->dx, seat->cursor->y + event->dy, when);
	}
	if (axes & WLR_TABLET_TOOL_AXIS_TILT_X)
		pen->tilt_x = event->tilt_x;
	if (axes & WLR_TABLET_TOOL_AXIS_TILT_Y)
		pen->tilt_y = event->tilt_y;
	struct wlr_tablet_v2_tablet_tool *v2 = on_surface(pens);
	if (v2 != NULL) {
		if (axes & WLR_TABLET_TOOL_AXIS_PRESSURE)
			wlr_tablet_v2_tablet_tool_notify_pressure(v2, event->pressure);
		if (axes & WLR_TABLET_TOOL_AXIS_DISTANCE)
			wlr_tablet_v2_tablet_tool_notify_distance(v2, event->distance);
		if (axes & (WLR_TABLET_TOOL_AXIS_TILT_X | WLR_TABLET_TOOL_AXIS_TILT_Y))
			wlr_tablet_v2_tablet_tool_notify_tilt(v2, pen->tilt_x, pen->tilt_y);
		if (axes & WLR_TABLET_TOOL_AXIS_ROTATION)
			wlr_tablet_v2_tablet_tool_notify_rotation(v2, event->rotation);
		if (axes & WLR_TABLET_TOOL_AXIS_SLIDER)
			wlr_tablet_v2_tablet_tool_notify_slider(v2, event->slider);
		if (axes & WLR_TABLET_TOOL_AXIS_WHEEL)
			wlr_tablet_v2_tablet_tool_notify_wheel(v2, event->wheel_delta, 0);
	}
	mw_input_pointer_frame(seat->server);
}

static void on_tip(struct wl_listener *listener, void *data) {
	PENS_OF(2);
	const EVENT(tip) *event = data;
	int64_t when = mw_seat_time(event->time_msec);
	struct pen *pen = use(pens, event->tool, DEVICE(event), when);
	if (pen == NULL)
		return;
	pen->x = event->x;
	pen->y = event->y;
	move(pens, when);
	tip(pens, event->state == WLR_TABLET_TOOL_TIP_DOWN, when);
	mw_input_pointer_frame(pens->seat->server);
}

static void on_button(struct wl_listener *listener, void *data) {
	PENS_OF(3);
	const EVENT(button) *event = data;
	int64_t when = mw_seat_time(event->time_msec);
	if (use(pens, event->tool, DEVICE(event), when) == NULL)
		return;
	if (event->state == WLR_BUTTON_PRESSED)
		press(pens, event->button, when);
	else
		release(pens, event->button, when);
	mw_input_pointer_frame(pens->seat->server);
}

/* ---- tablets ---- */

static void tablet_free(struct tablet *tablet) {
	mw_unlisten(&tablet->destroy);
	wl_list_remove(&tablet->link);
	free(tablet);
}

static void on_tablet_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct tablet *tablet = wl_container_of(listener, tablet, destroy);
	if (tablet->pens->tablet == tablet)
		go_away(tablet->pens, mw_now());
	tablet_free(tablet);
}

void mw_pen_add_tablet(mw_seat *seat, struct wlr_input_device *device) {
	struct mw_pens *pens = seat->pens;
	struct tablet *tablet = calloc(1, sizeof(*tablet));
	if (tablet == NULL)
		return;
	mw_listen(&device->events.destroy, &tablet->destroy, on_tablet_destroy);
	tablet->pens = pens;
	tablet->device = device;
	tablet->v2 = wlr_tablet_create(pens->manager, seat->wlr, device);
	wl_list_insert(&pens->tablets, &tablet->link);
	if (tablet->v2 == NULL)
		tablet_free(tablet);
}

bool mw_pens_init(mw_seat *seat) {
	struct mw_pens *pens = calloc(1, sizeof(*pens));
	if (pens != NULL)
		pens->manager = wlr_tablet_v2_create(seat->server->display);
	if (pens == NULL || pens->manager == NULL) {
		free(pens);
		return false;
	}
	pens->seat = seat;
	wl_list_init(&pens->tablets);
	wl_list_init(&pens->list);
	struct wlr_cursor *cursor = seat->cursor;
	mw_listen(&cursor->events.tablet_tool_proximity, &pens->events[0], on_proximity);
	mw_listen(&cursor->events.tablet_tool_axis, &pens->events[1], on_axis);
	mw_listen(&cursor->events.tablet_tool_tip, &pens->events[2], on_tip);
	mw_listen(&cursor->events.tablet_tool_button, &pens->events[3], on_button);
	seat->pens = pens;
	return true;
}

/* Devices outlive the seat, whose lists wlroots frees with it: theirs are taken out of those. */
static void detach(struct wl_list *link) {
	wl_list_remove(link);
	wl_list_init(link);
}

void mw_pens_finish(mw_seat *seat) {
	struct mw_pens *pens = seat->pens;
	if (pens == NULL)
		return;
	for (size_t i = 0; i < MW_COUNT(pens->events); i++)
		mw_unlisten(&pens->events[i]);
	struct pen *pen, *next_pen;
	wl_list_for_each_safe(pen, next_pen, &pens->list, link) {
		detach(&pen->v2->link);
		pen_free(pen);
	}
	struct tablet *tablet, *next_tablet;
	wl_list_for_each_safe(tablet, next_tablet, &pens->tablets, link) {
		detach(&tablet->v2->link);
		tablet_free(tablet);
	}
	seat->pens = NULL;
	free(pens);
}
