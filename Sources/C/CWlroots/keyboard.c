/* Keyboards and the keyboard focus. */
#include "seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wlr/backend/session.h>

/* ---- keys ---- */

static void use(mw_seat *seat, struct mw_keyboard *keyboard) {
	/* A keyboard without a keymap would make clients fail. */
	if (keyboard->wlr->keymap == NULL)
		return;
#if WLR18
	wlr_seat_set_keyboard(seat->wlr, keyboard->wlr);
#else
	wlr_seat_set_keyboard(seat->wlr, keyboard->device);
#endif
}

static bool contains(const struct mw_codes *codes, uint32_t code) {
	for (size_t i = 0; i < codes->count; i++) {
		if (codes->list[i] == code)
			return true;
	}
	return false;
}

static bool take(struct mw_codes *codes, uint32_t code) {
	for (size_t i = 0; i < codes->count; i++) {
		if (codes->list[i] == code) {
			codes->list[i] = codes->list[--codes->count];
			return true;
		}
	}
	return false;
}

static bool put(struct mw_codes *codes, uint32_t code) {
	if (contains(codes, code))
		return true;
	if (codes->count == MW_COUNT(codes->list))
		return false;
	codes->list[codes->count++] = code;
	return true;
}

static uint32_t base_sym(struct wlr_keyboard *keyboard, uint32_t code) {
	const xkb_keysym_t *syms;
	int count = xkb_keymap_key_get_syms_by_level(keyboard->keymap, code + 8, 0, 0, &syms);
	return count > 0 ? xkb_keysym_to_lower(syms[0]) : 0;
}

/* What the key types now. Control turns letters into control characters, which are no text; nor are Return and its like. */
static void key_text(struct wlr_keyboard *keyboard, uint32_t code, char *text, int size) {
	int length = xkb_state_key_get_utf8(keyboard->xkb_state, code + 8, text, (size_t)size);
	unsigned char first = (unsigned char)text[0], second = first != 0 ? (unsigned char)text[1] : 0;
	bool control = first < 0x20 || first == 0x7f || (first == 0xc2 && second >= 0x80 && second < 0xa0);
	if (length <= 0 || length >= size || control)
		text[0] = '\0';
}

/* Which console a key asks for; 0: none. */
static uint32_t console_of(struct wlr_keyboard *keyboard, uint32_t code) {
	const xkb_keysym_t *syms;
	int count = xkb_state_key_get_syms(keyboard->xkb_state, code + 8, &syms);
	for (int i = 0; i < count; i++) {
		if (syms[i] >= XKB_KEY_XF86Switch_VT_1 && syms[i] <= XKB_KEY_XF86Switch_VT_12)
			return syms[i] - XKB_KEY_XF86Switch_VT_1 + 1;
	}
	return 0;
}

/* A program's keyboard, or the control socket's, is nobody who sits there: from another console nothing is locked. */
static bool switch_console(struct mw_keyboard *keyboard, uint32_t code) {
	mw_server *server = keyboard->seat->server;
	uint32_t console = console_of(keyboard->wlr, code);
	if (console == 0)
		return false;
	if (keyboard->client == NULL && keyboard != keyboard->seat->own)
		return mw_session_change_vt(server, console);
	char text[96];
	snprintf(text, sizeof(text), "a keyboard that is no device asked for console %u, and did not get it", console);
	server->on.log(server->on.user, WLR_INFO, text);
	return false;
}

/* Volume, microphone and playback. */
static bool is_sound_key(uint32_t sym) {
	switch (sym) {
	case XKB_KEY_XF86AudioLowerVolume:
	case XKB_KEY_XF86AudioMute:
	case XKB_KEY_XF86AudioRaiseVolume:
	case XKB_KEY_XF86AudioPlay:
	case XKB_KEY_XF86AudioStop:
	case XKB_KEY_XF86AudioPrev:
	case XKB_KEY_XF86AudioNext:
	case XKB_KEY_XF86AudioPause:
	case XKB_KEY_XF86AudioMedia:
	case XKB_KEY_XF86AudioRewind:
	case XKB_KEY_XF86AudioForward:
	case XKB_KEY_XF86AudioMicMute:
		return true;
	default:
		return false;
	}
}

/* A headset has one button, whichever code the jack's driver gives it; for calls it means something else than the play
 * key of a keyboard does. */
static uint32_t key_sym(struct mw_keyboard *keyboard, uint32_t code) {
	uint32_t sym = base_sym(keyboard->wlr, code);
	const char *name = keyboard->client == NULL ? keyboard->device->name : NULL;
	if (sym == XKB_KEY_XF86AudioPlay && name != NULL && (strstr(name, "Headset") != NULL || strstr(name, "Headphone") != NULL))
		return XKB_KEY_XF86AudioMedia;
	return sym;
}

static void on_key(struct wl_listener *listener, void *data) {
	struct mw_keyboard *keyboard = wl_container_of(listener, keyboard, key);
	mw_seat *seat = keyboard->seat;
	mw_server *server = seat->server;
#if WLR18
	struct wlr_keyboard_key_event *event = data;
#else
	struct wlr_event_keyboard_key *event = data;
#endif
	if (keyboard->wlr->keymap == NULL)
		return;
	bool pressed = event->state == WL_KEYBOARD_KEY_STATE_PRESSED;
	mw_protocols_activity(server);
	if (pressed && switch_console(keyboard, event->keycode))
		return;
	uint32_t modifiers = wlr_keyboard_get_modifiers(keyboard->wlr) &
		(WLR_MODIFIER_SHIFT | WLR_MODIFIER_CTRL | WLR_MODIFIER_ALT | WLR_MODIFIER_LOGO);
	char text[64] = "";
	key_text(keyboard->wlr, event->keycode, text, (int)sizeof(text));
	bool locked = mw_lock_is_locked(server);
	uint32_t sym = key_sym(keyboard, event->keycode);
	/* Sound is anybody's who holds the device, also while a locker has all other keys. */
	bool told = !locked || (keyboard->client == NULL && is_sound_key(sym));
	bool keep = told && server->on.key(server->on.user, mw_seat_time(event->time_msec), event->keycode, sym, pressed,
		modifiers, text);
	/* Press and release go the same way, whatever the shell says of the release. */
	if (!pressed)
		keep = take(&keyboard->kept, event->keycode);
	else if (keep)
		put(&keyboard->kept, event->keycode);
	if (keep)
		return;
	/* Passwords are nobody's but the locker's. */
	struct wlr_input_method_keyboard_grab_v2 *grab = locked ? NULL : mw_text_keyboard_grab(seat, keyboard->wlr, keyboard->client);
	/* Nobody who does not read gets keys: they would come all at once when it is forgotten what they were for. */
	if (pressed && (grab != NULL ? mw_client_stalled(server, wl_resource_get_client(grab->resource)) :
			mw_surface_stalled(server, seat->wlr->keyboard_state.focused_surface))) {
		put(&keyboard->kept, event->keycode);
		return;
	}
	if (pressed ? grab != NULL && put(&keyboard->composed, event->keycode) : take(&keyboard->composed, event->keycode)) {
		if (grab != NULL)
			wlr_input_method_keyboard_grab_v2_send_key(grab, event->time_msec, event->keycode, event->state);
		return;
	}
	/* A release without its press says nothing; two keyboards that go on so would have clients told keymaps without end. */
	if (pressed ? !put(&keyboard->sent, event->keycode) : !take(&keyboard->sent, event->keycode))
		return;
	use(seat, keyboard);
	uint32_t before = wl_display_get_serial(server->display);
	wlr_seat_keyboard_notify_key(seat->wlr, event->time_msec, event->keycode, event->state);
	mw_seat_delivered(seat, before);
}

static void on_modifiers(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_keyboard *keyboard = wl_container_of(listener, keyboard, modifiers);
	if (keyboard->wlr->keymap == NULL)
		return;
	struct wlr_input_method_keyboard_grab_v2 *grab =
		mw_lock_is_locked(keyboard->seat->server) ? NULL : mw_text_keyboard_grab(keyboard->seat, keyboard->wlr, keyboard->client);
	if (grab != NULL ? mw_client_stalled(keyboard->seat->server, wl_resource_get_client(grab->resource)) :
			mw_surface_stalled(keyboard->seat->server, keyboard->seat->wlr->keyboard_state.focused_surface))
		return;
	if (grab != NULL) {
		wlr_input_method_keyboard_grab_v2_send_modifiers(grab, &keyboard->wlr->modifiers);
		return;
	}
	use(keyboard->seat, keyboard);
	wlr_seat_keyboard_notify_modifiers(keyboard->seat->wlr, &keyboard->wlr->modifiers);
}

/* ---- keyboards ---- */

static void keyboard_free(struct mw_keyboard *keyboard) {
	mw_unlisten(&keyboard->key);
	mw_unlisten(&keyboard->modifiers);
	mw_unlisten(&keyboard->destroy);
	wl_list_remove(&keyboard->link);
	free(keyboard);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_keyboard *keyboard = wl_container_of(listener, keyboard, destroy);
	mw_seat *seat = keyboard->seat;
	/* The seat must not be left without a keyboard: clients that get the focus then would break. */
	if (wlr_seat_get_keyboard(seat->wlr) == keyboard->wlr)
		use(seat, seat->own);
#if !WLR18
	/* wlroots 0.15 never frees the keyboard of a virtual one; it is done with it after this turn of the loop. */
	if (keyboard->client != NULL && !seat->server->destroying)
		wl_event_loop_add_idle(seat->server->loop, free, keyboard->wlr);
#endif
	keyboard_free(keyboard);
}

static struct xkb_keymap *make_keymap(mw_seat *seat) {
	struct xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
	if (context == NULL)
		return NULL;
	struct xkb_rule_names names = { .layout = seat->server->options.keymap_layout };
	struct xkb_keymap *keymap = xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS);
	if (keymap == NULL) {
		wlr_log(WLR_ERROR, "keyboard layout \"%s\" cannot be used; using the default",
			names.layout != NULL ? names.layout : "");
		struct xkb_rule_names fallback = { .layout = "us" };
		keymap = xkb_keymap_new_from_names(context, &fallback, XKB_KEYMAP_COMPILE_NO_FLAGS);
	}
	xkb_context_unref(context);
	return keymap;
}

static struct mw_keyboard *keyboard_new(mw_seat *seat, struct wlr_input_device *device, struct wlr_keyboard *wlr) {
	struct mw_keyboard *keyboard = calloc(1, sizeof(*keyboard));
	if (keyboard == NULL)
		return NULL;
	keyboard->seat = seat;
	keyboard->device = device;
	keyboard->wlr = wlr;
	wl_list_insert(&seat->keyboards, &keyboard->link);
	mw_listen(&wlr->events.key, &keyboard->key, on_key);
	mw_listen(&wlr->events.modifiers, &keyboard->modifiers, on_modifiers);
	mw_listen(&device->events.destroy, &keyboard->destroy, on_destroy);
	return keyboard;
}

void mw_keyboard_add(mw_seat *seat, struct wlr_input_device *device, struct wlr_keyboard *wlr, struct wl_client *client) {
	struct mw_keyboard *keyboard = keyboard_new(seat, device, wlr);
	if (keyboard == NULL)
		return;
	keyboard->client = client;
	if (client != NULL)
		return;
	if (!mw_seat_make_keymap(seat->server))
		return;
	wlr_keyboard_set_keymap(wlr, seat->own_keyboard.keymap);
	wlr_keyboard_set_repeat_info(wlr, 25, 600);
	use(seat, keyboard);
}

#if WLR18
static const struct wlr_keyboard_impl own_keyboard_impl = { .name = "mullion" };
#else
/* The structs are part of mw_seat: nothing is freed here. */
static void own_keyboard_destroy(struct wlr_keyboard *keyboard) { (void)keyboard; }
static void own_device_destroy(struct wlr_input_device *device) { (void)device; }
static const struct wlr_keyboard_impl own_keyboard_impl = { .destroy = own_keyboard_destroy };
static const struct wlr_input_device_impl own_device_impl = { .destroy = own_device_destroy };
#endif

bool mw_keyboards_init(mw_seat *seat) {
#if WLR18
	wlr_keyboard_init(&seat->own_keyboard, &own_keyboard_impl, "mullion");
	struct wlr_input_device *device = &seat->own_keyboard.base;
#else
	wlr_keyboard_init(&seat->own_keyboard, &own_keyboard_impl);
	wlr_input_device_init(&seat->own_device, WLR_INPUT_DEVICE_KEYBOARD, &own_device_impl, "mullion", 0, 0);
	seat->own_device.keyboard = &seat->own_keyboard;
	struct wlr_input_device *device = &seat->own_device;
#endif
	wlr_keyboard_set_repeat_info(&seat->own_keyboard, 25, 600);
	seat->own = keyboard_new(seat, device, &seat->own_keyboard);
	return seat->own != NULL;
}

bool mw_seat_make_keymap(mw_server *server) {
	mw_seat *seat = server->seat;
	if (seat->own_keyboard.keymap != NULL)
		return true;
	struct xkb_keymap *keymap = make_keymap(seat);
	if (keymap == NULL) {
		wlr_log(WLR_ERROR, "no xkb keymap can be made: are xkb-data's files installed?");
		return false;
	}
	wlr_keyboard_set_keymap(&seat->own_keyboard, keymap);
	xkb_keymap_unref(keymap);
	/* Whoever took up the keyboard before gets the keymap now. */
	if (wlr_seat_get_keyboard(seat->wlr) == NULL)
		use(seat, seat->own);
	return seat->own_keyboard.keymap != NULL;
}

void mw_keyboards_finish(mw_seat *seat) {
	struct mw_keyboard *keyboard, *next;
	wl_list_for_each_safe(keyboard, next, &seat->keyboards, link)
		keyboard_free(keyboard);
	if (seat->own == NULL)
		return;
#if WLR18
	wlr_keyboard_finish(&seat->own_keyboard);
#else
	wlr_input_device_destroy(&seat->own_device);   /* and its keyboard */
#endif
}

void mw_inject_key(mw_server *server, uint32_t code, bool pressed, int64_t when) {
	mw_seat *seat = server->seat;
#if WLR18
	struct wlr_keyboard_key_event event = {
#else
	struct wlr_event_keyboard_key event = {
#endif
		.time_msec = MW_MS(when),
		.keycode = code,
		.update_state = true,
		.state = pressed ? WL_KEYBOARD_KEY_STATE_PRESSED : WL_KEYBOARD_KEY_STATE_RELEASED,
	};
	wlr_keyboard_notify_key(&seat->own_keyboard, &event);
}

bool mw_session_change_vt(mw_server *server, uint32_t vt) {
	return server->session != NULL && wlr_session_change_vt(server->session, vt);
}

/* ---- focus ---- */

static void enter(mw_seat *seat, struct wlr_surface *surface) {
	struct wlr_keyboard *keyboard = wlr_seat_get_keyboard(seat->wlr);
	if (keyboard == NULL) {
		mw_seat_make_keymap(seat->server);
		use(seat, seat->own);
		keyboard = &seat->own_keyboard;
	}
	/* Keys that the shell or the input method keeps are not down as far as clients know. */
	uint32_t codes[WLR_KEYBOARD_KEYS_CAP];
	size_t count = 0;
	struct mw_keyboard *owner;
	wl_list_for_each(owner, &seat->keyboards, link) {
		if (owner->wlr != keyboard)
			continue;
		for (size_t i = 0; i < keyboard->num_keycodes; i++) {
			if (!contains(&owner->kept, keyboard->keycodes[i]) && !contains(&owner->composed, keyboard->keycodes[i]))
				codes[count++] = keyboard->keycodes[i];
		}
	}
	/* Past the grab of a popup, which would swallow it: whose the keyboard is, is decided here alone. */
	wlr_seat_keyboard_enter(seat->wlr, surface, codes, count, &keyboard->modifiers);
}

/* A grab by popups of a client that loses the focus ends. */
static void end_foreign_grab(mw_seat *seat, struct wlr_surface *surface) {
	struct wlr_xdg_popup_grab *grab;
	if (seat->server->shell == NULL)
		return;
	wl_list_for_each(grab, &seat->server->shell->xdg->popup_grabs, link) {
		if (&grab->keyboard_grab != seat->wlr->keyboard_state.grab)
			continue;
		if (surface == NULL || wl_resource_get_client(surface->resource) != grab->client)
			wlr_seat_pointer_end_grab(seat->wlr);
		return;
	}
}

static struct wlr_surface *focused(mw_seat *seat) {
	mw_server *server = seat->server;
	switch (seat->target) {
	case MW_KEYBOARD_WINDOW: return seat->focus != NULL && seat->focus->mapped ? seat->focus->surface : NULL;
	case MW_KEYBOARD_PANEL: return mw_layers_panel_surface(server, seat->panel);
	case MW_KEYBOARD_X11_MENUS: return mw_x11_orphan_keyboard_focus(server);
	default: return NULL;
	}
}

void mw_keyboard_apply_focus(mw_seat *seat) {
	mw_server *server = seat->server;
	if (server->destroying || server->shell == NULL)
		return;
	if (seat->wlr->drag != NULL)
		return;   /* nothing has the keyboard during a drag; applied again at its end */
	struct wlr_surface *surface = mw_lock_is_locked(server) ? mw_lock_keyboard_focus(server) : focused(seat);
	struct wlr_surface *popup = surface != NULL && !mw_lock_is_locked(server) ? mw_popups_grabbing(server, surface) : NULL;
	if (popup != NULL)
		surface = popup;
	if (surface == seat->wlr->keyboard_state.focused_surface)
		return;
	end_foreign_grab(seat, surface);
	if (surface != NULL)
		enter(seat, surface);
	else
		wlr_seat_keyboard_clear_focus(seat->wlr);
	seat->server->on.pointer_hold_changed(seat->server->on.user);
}

void mw_seat_refresh_focus(mw_server *server) {
	if (server->seat != NULL)
		mw_keyboard_apply_focus(server->seat);
}

void mw_seat_focus(mw_server *server, int32_t target, mw_window *window, uint32_t panel) {
	mw_seat *seat = server->seat;
	mw_window *previous = seat->focus;
	window = target == MW_KEYBOARD_WINDOW ? window : NULL;
	if (target != seat->target || window != previous || panel != seat->panel)
		mw_popups_dismiss_layers(server);
	seat->target = target;
	seat->focus = window;
	seat->panel = panel;
	/* X11 has a focus of its own. */
	if (previous != window && previous != NULL && previous->xsurface != NULL)
		mw_x11_activate(previous, false);
	if (window != NULL && window->xsurface != NULL)
		mw_x11_activate(window, true);
	mw_keyboard_apply_focus(seat);
}
