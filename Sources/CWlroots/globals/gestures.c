/*
 * pointer-gestures-v1: what fingers do on a touchpad beside moving the pointer goes to the app under it. One gesture
 * belongs to one surface: if that loses the pointer, it hears of the end at once and nobody hears of the rest.
 */
#include "globals.h"
#include "seat.h"

#include "pointer-gestures-unstable-v1-protocol.h"

#include <stdlib.h>
#include <wlr/types/wlr_pointer_gestures_v1.h>

#if WLR18
#define EVENT(new_name, old_name) struct wlr_##new_name
#else
#define EVENT(new_name, old_name) struct wlr_event_##old_name
#endif

enum gesture { NONE, SWIPE, PINCH, HOLD };

struct mw_gestures {
	mw_seat *seat;
	struct wlr_pointer_gestures_v1 *wlr;
	enum gesture running;
	struct wl_client *client;            /* that was told of the beginning; compared, never used */
	struct wlr_surface *surface;         /* compared, never used */
	struct wl_listener events[8];
};

/* True if a client hears of it. */
static bool begin(struct mw_gestures *gestures, enum gesture kind) {
	const struct wlr_seat_pointer_state *pointer = &gestures->seat->wlr->pointer_state;
	mw_protocols_activity(gestures->seat->server);
	if (pointer->focused_surface == NULL || pointer->focused_client == NULL) {
		gestures->running = NONE;
		return false;
	}
	gestures->running = kind;
	gestures->surface = pointer->focused_surface;
	gestures->client = pointer->focused_client->client;
	return true;
}

static void send_cancelled(struct wl_list *resources, struct wl_client *client, uint32_t serial, enum gesture kind) {
	uint32_t time = MW_MS(mw_now());
	struct wl_resource *resource;
	wl_resource_for_each(resource, resources) {
		if (wl_resource_get_client(resource) != client)
			continue;
		if (kind == SWIPE)
			zwp_pointer_gesture_swipe_v1_send_end(resource, serial, time, 1);
		else if (kind == PINCH)
			zwp_pointer_gesture_pinch_v1_send_end(resource, serial, time, 1);
		else
			zwp_pointer_gesture_hold_v1_send_end(resource, serial, time, 1);
	}
}

void mw_gestures_focus_changed(mw_seat *seat) {
	struct mw_gestures *gestures = seat->gestures;
	if (gestures == NULL || gestures->running == NONE ||
			seat->wlr->pointer_state.focused_surface == gestures->surface)
		return;
	enum gesture kind = gestures->running;
	gestures->running = NONE;
	struct wl_list *resources = kind == SWIPE ? &gestures->wlr->swipes : kind == PINCH ? &gestures->wlr->pinches : &gestures->wlr->holds;
	send_cancelled(resources, gestures->client, wl_display_next_serial(seat->server->display), kind);
}

/* A client that gives its seat back keeps its window under the pointer; wlroots 0.15 looks for its seat all the same. */
static bool has_seat(const struct mw_gestures *gestures) {
	return gestures->seat->wlr->pointer_state.focused_client != NULL;
}

static bool goes_on(struct mw_gestures *gestures, enum gesture kind) {
	if (gestures->running == NONE)
		return false;
	mw_protocols_activity(gestures->seat->server);
	return gestures->running == kind && has_seat(gestures);
}

static bool end(struct mw_gestures *gestures, enum gesture kind) {
	bool running = gestures->running == kind;
	gestures->running = NONE;
	return running && has_seat(gestures);
}

#define GESTURES_OF(index) \
	struct mw_gestures *gestures = (struct mw_gestures *)((char *)(listener - (index)) - offsetof(struct mw_gestures, events))

static void on_swipe_begin(struct wl_listener *listener, void *data) {
	GESTURES_OF(0);
	const EVENT(pointer_swipe_begin_event, pointer_swipe_begin) *event = data;
	if (begin(gestures, SWIPE))
		wlr_pointer_gestures_v1_send_swipe_begin(gestures->wlr, gestures->seat->wlr, event->time_msec, event->fingers);
}

static void on_swipe_update(struct wl_listener *listener, void *data) {
	GESTURES_OF(1);
	const EVENT(pointer_swipe_update_event, pointer_swipe_update) *event = data;
	if (goes_on(gestures, SWIPE))
		wlr_pointer_gestures_v1_send_swipe_update(gestures->wlr, gestures->seat->wlr, event->time_msec, event->dx, event->dy);
}

static void on_swipe_end(struct wl_listener *listener, void *data) {
	GESTURES_OF(2);
	const EVENT(pointer_swipe_end_event, pointer_swipe_end) *event = data;
	if (end(gestures, SWIPE))
		wlr_pointer_gestures_v1_send_swipe_end(gestures->wlr, gestures->seat->wlr, event->time_msec, event->cancelled);
}

static void on_pinch_begin(struct wl_listener *listener, void *data) {
	GESTURES_OF(3);
	const EVENT(pointer_pinch_begin_event, pointer_pinch_begin) *event = data;
	if (begin(gestures, PINCH))
		wlr_pointer_gestures_v1_send_pinch_begin(gestures->wlr, gestures->seat->wlr, event->time_msec, event->fingers);
}

static void on_pinch_update(struct wl_listener *listener, void *data) {
	GESTURES_OF(4);
	const EVENT(pointer_pinch_update_event, pointer_pinch_update) *event = data;
	if (goes_on(gestures, PINCH))
		wlr_pointer_gestures_v1_send_pinch_update(gestures->wlr, gestures->seat->wlr, event->time_msec, event->dx, event->dy,
			event->scale, event->rotation);
}

static void on_pinch_end(struct wl_listener *listener, void *data) {
	GESTURES_OF(5);
	const EVENT(pointer_pinch_end_event, pointer_pinch_end) *event = data;
	if (end(gestures, PINCH))
		wlr_pointer_gestures_v1_send_pinch_end(gestures->wlr, gestures->seat->wlr, event->time_msec, event->cancelled);
}

static void on_hold_begin(struct wl_listener *listener, void *data) {
	GESTURES_OF(6);
	const EVENT(pointer_hold_begin_event, pointer_hold_begin) *event = data;
	if (begin(gestures, HOLD))
		wlr_pointer_gestures_v1_send_hold_begin(gestures->wlr, gestures->seat->wlr, event->time_msec, event->fingers);
}

static void on_hold_end(struct wl_listener *listener, void *data) {
	GESTURES_OF(7);
	const EVENT(pointer_hold_end_event, pointer_hold_end) *event = data;
	if (end(gestures, HOLD))
		wlr_pointer_gestures_v1_send_hold_end(gestures->wlr, gestures->seat->wlr, event->time_msec, event->cancelled);
}

bool mw_gestures_init(mw_seat *seat) {
	struct mw_gestures *gestures = calloc(1, sizeof(*gestures));
	if (gestures != NULL)
		gestures->wlr = wlr_pointer_gestures_v1_create(seat->server->display);
	if (gestures == NULL || gestures->wlr == NULL) {
		free(gestures);
		return false;
	}
	gestures->seat = seat;
	struct wlr_cursor *cursor = seat->cursor;
	mw_listen(&cursor->events.swipe_begin, &gestures->events[0], on_swipe_begin);
	mw_listen(&cursor->events.swipe_update, &gestures->events[1], on_swipe_update);
	mw_listen(&cursor->events.swipe_end, &gestures->events[2], on_swipe_end);
	mw_listen(&cursor->events.pinch_begin, &gestures->events[3], on_pinch_begin);
	mw_listen(&cursor->events.pinch_update, &gestures->events[4], on_pinch_update);
	mw_listen(&cursor->events.pinch_end, &gestures->events[5], on_pinch_end);
	mw_listen(&cursor->events.hold_begin, &gestures->events[6], on_hold_begin);
	mw_listen(&cursor->events.hold_end, &gestures->events[7], on_hold_end);
	seat->gestures = gestures;
	return true;
}

void mw_gestures_finish(mw_seat *seat) {
	if (seat->gestures == NULL)
		return;
	for (size_t i = 0; i < MW_COUNT(seat->gestures->events); i++)
		mw_unlisten(&seat->gestures->events[i]);
	free(seat->gestures);
	seat->gestures = NULL;
}

/* ---- injection ---- */

static void inject_swipe(struct wlr_cursor *cursor, int32_t phase, uint32_t time, uint32_t fingers, double dx, double dy) {
	EVENT(pointer_swipe_begin_event, pointer_swipe_begin) begins = { .time_msec = time, .fingers = fingers };
	EVENT(pointer_swipe_update_event, pointer_swipe_update) moves = { .time_msec = time, .fingers = fingers, .dx = dx, .dy = dy };
	EVENT(pointer_swipe_end_event, pointer_swipe_end) ends = { .time_msec = time, .cancelled = phase == MW_TOUCHPAD_CANCEL };
	if (phase == MW_TOUCHPAD_BEGIN)
		wl_signal_emit(&cursor->events.swipe_begin, &begins);
	else if (phase == MW_TOUCHPAD_UPDATE)
		wl_signal_emit(&cursor->events.swipe_update, &moves);
	else
		wl_signal_emit(&cursor->events.swipe_end, &ends);
}

static void inject_pinch(struct wlr_cursor *cursor, int32_t phase, uint32_t time, uint32_t fingers, double dx, double dy,
		double scale, double rotation) {
	EVENT(pointer_pinch_begin_event, pointer_pinch_begin) begins = { .time_msec = time, .fingers = fingers };
	EVENT(pointer_pinch_update_event, pointer_pinch_update) moves = {
		.time_msec = time, .fingers = fingers, .dx = dx, .dy = dy, .scale = scale, .rotation = rotation,
	};
	EVENT(pointer_pinch_end_event, pointer_pinch_end) ends = { .time_msec = time, .cancelled = phase == MW_TOUCHPAD_CANCEL };
	if (phase == MW_TOUCHPAD_BEGIN)
		wl_signal_emit(&cursor->events.pinch_begin, &begins);
	else if (phase == MW_TOUCHPAD_UPDATE)
		wl_signal_emit(&cursor->events.pinch_update, &moves);
	else
		wl_signal_emit(&cursor->events.pinch_end, &ends);
}

static void inject_hold(struct wlr_cursor *cursor, int32_t phase, uint32_t time, uint32_t fingers) {
	EVENT(pointer_hold_begin_event, pointer_hold_begin) begins = { .time_msec = time, .fingers = fingers };
	EVENT(pointer_hold_end_event, pointer_hold_end) ends = { .time_msec = time, .cancelled = phase == MW_TOUCHPAD_CANCEL };
	if (phase == MW_TOUCHPAD_BEGIN)
		wl_signal_emit(&cursor->events.hold_begin, &begins);
	else if (phase != MW_TOUCHPAD_UPDATE)
		wl_signal_emit(&cursor->events.hold_end, &ends);
}

void mw_inject_touchpad(mw_server *server, int32_t kind, int32_t phase, uint32_t fingers, double dx, double dy, double scale,
		double rotation, int64_t when) {
	struct wlr_cursor *cursor = server->seat->cursor;
	if (kind == MW_TOUCHPAD_SWIPE)
		inject_swipe(cursor, phase, MW_MS(when), fingers, dx, dy);
	else if (kind == MW_TOUCHPAD_PINCH)
		inject_pinch(cursor, phase, MW_MS(when), fingers, dx, dy, scale, rotation);
	else
		inject_hold(cursor, phase, MW_MS(when), fingers);
}
