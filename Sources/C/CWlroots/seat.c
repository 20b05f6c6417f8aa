/* The seat: its devices, selections, and which serials came with real input. */
#include "seat.h"

#include <stdlib.h>
#include <string.h>
#include <wlr/types/wlr_primary_selection.h>
#include <wlr/types/wlr_virtual_keyboard_v1.h>
#include <wlr/types/wlr_virtual_pointer_v1.h>

mw_seat *mw_server_seat_state(mw_server *server) {
	return server->seat;
}

struct wlr_seat *mw_seat_wlr(mw_server *server) {
	return server->seat != NULL ? server->seat->wlr : NULL;
}

/* ---- serials ---- */

static void remember(mw_seat *seat, uint32_t first, uint32_t last) {
	size_t slot = seat->serial_count++ % MW_COUNT(seat->serials);
	seat->serials[slot].first = first;
	seat->serials[slot].last = last;
	seat->serials[slot].when = mw_now();
}

void mw_seat_delivered(mw_seat *seat, uint32_t before) {
	uint32_t now = wl_display_get_serial(seat->server->display);
	if (now != before)
		remember(seat, before + 1, now);
}

bool mw_seat_serial_recent(mw_server *server, uint32_t serial, int64_t not_before) {
	mw_seat *seat = server->seat;
	size_t count = seat->serial_count < MW_COUNT(seat->serials) ? seat->serial_count : MW_COUNT(seat->serials);
	for (size_t i = 0; i < count; i++) {
		if ((int32_t)(serial - seat->serials[i].first) >= 0 && (int32_t)(seat->serials[i].last - serial) >= 0)
			return seat->serials[i].when >= not_before;
	}
	return false;
}

/* A button or a finger that is down on a surface of this client; `serial` 0 = whichever. */
bool mw_seat_serial_held(mw_server *server, struct wl_client *client, uint32_t serial, int32_t *by) {
	mw_seat *seat = server->seat;
	int32_t nobody;
	if (by == NULL)
		by = &nobody;
	/* Fingers first: the button of one that stands in for the pointer is its own. */
	if (mw_touches_hold(seat, client, serial, by))
		return true;
	*by = -2;
	if (mw_pen_serial_held(seat, client, serial))
		return true;
	*by = -1;
	struct wlr_seat_pointer_state *pointer = &seat->wlr->pointer_state;
	return pointer->button_count > 0 && (serial == 0 || pointer->grab_serial == serial) &&
		pointer->focused_client != NULL && pointer->focused_client->client == client;
}

/* ---- devices ---- */

static void device_free(struct mw_device *device) {
	mw_unlisten(&device->destroy);
	wl_list_remove(&device->link);
	free(device->output_name);
	free(device);
}

/* Whether another device holds that button, too: it is up when the last one lets go. */
static bool held_elsewhere(const struct mw_device *device, uint32_t button) {
	const struct mw_device *other;
	wl_list_for_each(other, &device->seat->devices, link) {
		for (size_t i = 0; other != device && i < other->button_count; i++) {
			if (other->buttons[i] == button)
				return true;
		}
	}
	return false;
}

bool mw_device_button(mw_seat *seat, struct wlr_input_device *wlr, uint32_t button, bool pressed) {
	struct mw_device *device;
	wl_list_for_each(device, &seat->devices, link) {
		if (device->device != wlr)
			continue;
		size_t at = 0;
		while (at < device->button_count && device->buttons[at] != button)
			at++;
		bool down = at < device->button_count;
		if (down == pressed || (pressed && at == MW_DEVICE_BUTTONS))
			return false;
		if (pressed)
			device->buttons[device->button_count++] = button;
		else
			device->buttons[at] = device->buttons[--device->button_count];
		return !held_elsewhere(device, button);
	}
	return true;
}

/* A virtual pointer goes with its client, whatever it held: nobody else would ever let that go. */
static void release_buttons(struct mw_device *device) {
	mw_server *server = device->seat->server;
	bool any = device->button_count > 0 && !server->destroying;
	while (device->button_count > 0) {
		uint32_t button = device->buttons[--device->button_count];
		if (any && !held_elsewhere(device, button))
			mw_input_pointer_button(server, mw_now(), button, false);
	}
	if (any)
		mw_input_pointer_frame(server);
}

static void on_device_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_device *device = wl_container_of(listener, device, destroy);
	wlr_cursor_detach_input_device(mw_server_cursor(device->seat->server), device->device);
	release_buttons(device);
	device_free(device);
}

static void add_device(mw_seat *seat, struct wlr_input_device *wlr, const char *output_name) {
	struct mw_device *device = calloc(1, sizeof(*device));
	if (device == NULL)
		return;
	device->seat = seat;
	device->device = wlr;
	device->output_name = output_name != NULL ? strdup(output_name) : NULL;
	wl_list_insert(&seat->devices, &device->link);
	wlr_cursor_attach_input_device(mw_server_cursor(seat->server), wlr);
	mw_listen(&wlr->events.destroy, &device->destroy, on_device_destroy);
	mw_cursor_map_device(seat, device->device, device->output_name);
}

void mw_seat_new_device(mw_seat *seat, struct wlr_input_device *device) {
	switch (device->type) {
	case WLR_INPUT_DEVICE_KEYBOARD:
#if WLR18
		mw_keyboard_add(seat, device, wlr_keyboard_from_input_device(device), NULL);
#else
		mw_keyboard_add(seat, device, device->keyboard, NULL);
#endif
		break;
	case WLR_INPUT_DEVICE_POINTER:
#if WLR18
		add_device(seat, device, wlr_pointer_from_input_device(device)->output_name);
#else
		add_device(seat, device, device->output_name);
#endif
		break;
	case WLR_INPUT_DEVICE_TOUCH:
#if WLR18
		add_device(seat, device, wlr_touch_from_input_device(device)->output_name);
#else
		add_device(seat, device, device->output_name);
#endif
		break;
	case MW_INPUT_DEVICE_TABLET:
		mw_pen_add_tablet(seat, device);
		add_device(seat, device, NULL);
		break;
	default:
		break;
	}
}

static void on_new_input(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, new_input);
	mw_seat_new_device(seat, data);
	mw_switches_device_added(seat);
}

static void on_new_virtual_keyboard(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, new_virtual_keyboard);
	struct wlr_virtual_keyboard_v1 *virtual = data;
	struct wl_client *client = wl_resource_get_client(virtual->resource);
#if WLR18
	mw_keyboard_add(seat, &virtual->keyboard.base, &virtual->keyboard, client);
#else
	mw_keyboard_add(seat, &virtual->input_device, virtual->input_device.keyboard, client);
#endif
}

static void on_new_virtual_pointer(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, new_virtual_pointer);
	struct wlr_virtual_pointer_v1_new_pointer_event *event = data;
#if WLR18
	struct wlr_input_device *device = &event->new_pointer->pointer.base;
#else
	struct wlr_input_device *device = &event->new_pointer->input_device;
#endif
	add_device(seat, device, event->suggested_output != NULL ? event->suggested_output->name : NULL);
}

void mw_seat_new_output(mw_output *output) {
	mw_seat *seat = output->server->seat;
	if (seat == NULL)
		return;
	struct mw_device *device;
	wl_list_for_each(device, &seat->devices, link)
		mw_cursor_map_device(seat, device->device, device->output_name);
	mw_cursor_update(seat);
}

void mw_seat_caught_up(mw_server *server, struct wl_client *client) {
	mw_seat *seat = server->seat;
	if (seat == NULL)
		return;
	mw_input_caught_up(seat, client);
	struct wlr_seat_keyboard_state *keys = &seat->wlr->keyboard_state;
	if (keys->focused_client != NULL && keys->focused_client->client == client && keys->keyboard != NULL)
		wlr_seat_keyboard_notify_modifiers(seat->wlr, &keys->keyboard->modifiers);
}

/* ---- selections ---- */

static void on_request_set_selection(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, request_set_selection);
	struct wlr_seat_request_set_selection_event *event = data;
	if (event->source != NULL && event->source == seat->wlr->drag_source)
		wlr_data_source_destroy(event->source);   /* see refuseUsedSource in Input/Drag.swift */
	else
		wlr_seat_set_selection(seat->wlr, event->source, event->serial);
}

static void on_request_set_primary_selection(struct wl_listener *listener, void *data) {
	mw_seat *seat = wl_container_of(listener, seat, request_set_primary_selection);
	struct wlr_seat_request_set_primary_selection_event *event = data;
	wlr_seat_set_primary_selection(seat->wlr, event->source, event->serial);
}

/* ---- what Swift asks ---- */

struct wlr_seat *mw_server_seat(mw_server *server) {
	return server->seat != NULL ? server->seat->wlr : NULL;
}

/* ---- lifetime ---- */

mw_window *mw_seat_focused_window(mw_server *server) {
	return server->seat != NULL ? server->seat->focus : NULL;
}

void mw_seat_window_gone(mw_server *server, mw_window *window) {
	mw_seat *seat = server->seat;
	if (seat == NULL)
		return;
	mw_pointer_window_gone(seat, window);
	if (seat->focus == window) {
		seat->focus = NULL;
		if (!server->destroying)
			mw_keyboard_apply_focus(seat);
	}
}

void mw_seat_surface_gone(mw_server *server, struct wlr_surface *surface) {
	mw_seat *seat = server->seat;
	if (seat == NULL)
		return;
	mw_drag_surface_gone(seat, surface);
	/* A finger that was down on it: its client is told that the touch ended. */
	mw_touches_surface_gone(seat, surface);
}

bool mw_seat_init(mw_server *server) {
	mw_seat *seat = calloc(1, sizeof(*seat));
	if (seat == NULL)
		return false;
	seat->server = server;
	wl_list_init(&seat->devices);
	wl_list_init(&seat->keyboards);
	server->seat = seat;
	seat->wlr = wlr_seat_create(server->display, "seat0");
	if (seat->wlr == NULL)
		return false;
	if (!mw_input_begin(seat))
		return false;
	/* All three at all times: input also comes by injection and from virtual devices. */
	wlr_seat_set_capabilities(seat->wlr, WL_SEAT_CAPABILITY_POINTER | WL_SEAT_CAPABILITY_KEYBOARD | WL_SEAT_CAPABILITY_TOUCH);
	if (!mw_keyboards_init(seat) || !mw_input_listen(seat) || !server->on.seat_begin(server->on.user))
		return false;
	mw_listen(&server->backend->events.new_input, &seat->new_input, on_new_input);
	mw_listen(&seat->wlr->events.request_set_selection, &seat->request_set_selection, on_request_set_selection);
	mw_listen(&seat->wlr->events.request_set_primary_selection, &seat->request_set_primary_selection,
		on_request_set_primary_selection);
	struct wlr_virtual_keyboard_manager_v1 *keyboards = wlr_virtual_keyboard_manager_v1_create(server->display);
	if (keyboards != NULL)
		mw_listen(&keyboards->events.new_virtual_keyboard, &seat->new_virtual_keyboard, on_new_virtual_keyboard);
	struct wlr_virtual_pointer_manager_v1 *pointers = wlr_virtual_pointer_manager_v1_create(server->display);
	if (pointers != NULL)
		mw_listen(&pointers->events.new_virtual_pointer, &seat->new_virtual_pointer, on_new_virtual_pointer);
	return true;
}

void mw_seat_finish(mw_server *server) {
	mw_seat *seat = server->seat;
	if (seat == NULL)
		return;
	struct wl_listener *all[] = {
		&seat->new_input, &seat->new_virtual_keyboard, &seat->new_virtual_pointer, &seat->request_set_selection,
		&seat->request_set_primary_selection,
	};
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
	if (seat->input != NULL)
		mw_input_quiet(seat);
	server->on.seat_end(server->on.user);
	if (seat->input != NULL)
		mw_drag_finish(seat);
	struct mw_device *device, *next;
	wl_list_for_each_safe(device, next, &seat->devices, link)
		device_free(device);
	if (seat->wlr != NULL) {
		wlr_seat_set_keyboard(seat->wlr, NULL);
		wlr_seat_destroy(seat->wlr);
	}
	mw_keyboards_finish(seat);
	if (seat->input != NULL)
		mw_input_end(seat);
	server->seat = NULL;
	free(seat);
}
