/*
 * Typing without a keyboard: an input method (an on-screen keyboard, or one that composes characters) is told of the
 * text field that has the keyboard focus, and what it types goes there.
 *
 * Fields hear of their focus only while an input method runs; apps do without this otherwise. All is decided from the
 * present state in `refocus` and `update`, so that it does not matter in which order clients come, go and die.
 */
#include "text.h"

#include <stdlib.h>

/* ---- the input method is told ---- */

static void method_done(struct mw_text *text) {
	text->done_count++;
	wlr_input_method_v2_send_done(text->method);
}

static void tell_state(struct mw_text *text) {
	const struct wlr_text_input_v3 *wlr = text->active->wlr;
	if (wlr->active_features & WLR_TEXT_INPUT_V3_FEATURE_SURROUNDING_TEXT) {
		wlr_input_method_v2_send_surrounding_text(text->method, wlr->current.surrounding.text,
			wlr->current.surrounding.cursor, wlr->current.surrounding.anchor);
	}
	wlr_input_method_v2_send_text_change_cause(text->method, wlr->current.text_change_cause);
	if (wlr->active_features & WLR_TEXT_INPUT_V3_FEATURE_CONTENT_TYPE)
		wlr_input_method_v2_send_content_type(text->method, wlr->current.content_type.hint, wlr->current.content_type.purpose);
}

static bool is_ready(const struct mw_field *field) {
	return field->wlr->focused_surface != NULL && field->wlr->current_enabled;
}

static struct mw_field *choose(struct mw_text *text) {
	if (text->method == NULL || text->shell_wanted)
		return NULL;
	if (text->active != NULL && is_ready(text->active))
		return text->active;
	struct mw_field *field;
	wl_list_for_each(field, &text->fields, link) {
		if (is_ready(field))
			return field;
	}
	return NULL;
}

/* A field may say something new as fast as it can, each time with 4 KiB of text around it: the method hears the last of it
 * a moment later. And one that does not read hears nothing until it does. */
#define TELLS 16
#define TELLS_IN_NS INT64_C(10000000)

static bool may_tell(struct mw_text *text) {
	int64_t now = mw_now();
	if (now - text->told_from > TELLS_IN_NS) {
		text->told_from = now;
		text->told = 0;
	}
	return ++text->told <= TELLS && !mw_client_stalled(text->seat->server, wl_resource_get_client(text->method->resource));
}

static int on_late(void *data);

static void tell_late(struct mw_text *text, int what) {
	if (text->late_timer == NULL)
		text->late_timer = wl_event_loop_add_timer(text->seat->server->loop, on_late, text);
	if (text->late_timer != NULL)
		wl_event_source_timer_update(text->late_timer, 20);
	text->late = what > (int)text->late ? what : text->late;
}

/* What it types for is another. */
static void tell_change(struct mw_text *text) {
	if (text->late == CHANGE_LATE || !may_tell(text)) {
		tell_late(text, CHANGE_LATE);
		return;
	}
	text->late = NOTHING_LATE;
	if (text->told_active) {
		wlr_input_method_v2_send_deactivate(text->method);
		method_done(text);
	}
	text->told_active = text->active != NULL || text->shell_active;
	if (!text->told_active)
		return;
	wlr_input_method_v2_send_activate(text->method);
	if (text->active != NULL)
		tell_state(text);
	else
		wlr_input_method_v2_send_content_type(text->method, 0, 0);
	method_done(text);
	text->active_since = text->done_count;
}

/* What the field says of itself is new. */
static void tell_news(struct mw_text *text) {
	if (text->late != NOTHING_LATE || !may_tell(text)) {
		tell_late(text, STATE_LATE);
		return;
	}
	tell_state(text);
	method_done(text);
}

static int on_late(void *data) {
	struct mw_text *text = data;
	int what = text->late;
	text->late = NOTHING_LATE;
	if (text->method == NULL)
		return 0;
	if (what == CHANGE_LATE)
		tell_change(text);
	else if (what == STATE_LATE && text->active != NULL)
		tell_news(text);
	return 0;
}

/* Makes the input method's side what it should be. */
static void update(struct mw_text *text) {
	struct mw_field *next = choose(text);
	bool shell = text->method != NULL && text->shell_wanted;
	if (next == text->active && shell == text->shell_active)
		return;
	text->active = next;
	text->shell_active = shell;
	mw_text_popups_changed(text);
	if (text->method != NULL)
		tell_change(text);
}

/* ---- fields are told ---- */

/* What a field said before is void: it has to be enabled again after each enter. */
static void reset(struct mw_field *field) {
	field->wlr->current_enabled = field->wlr->pending_enabled = false;
	field->wlr->active_features = 0;
}

/* All fields of the client that has the keyboard focus are told of the focused surface, and no others of any. */
static void refocus(struct mw_text *text) {
	struct wlr_surface *focus = NULL;
	if (text->method != NULL && !text->shell_wanted)
		focus = text->seat->wlr->keyboard_state.focused_surface;
	struct wl_client *client = focus != NULL ? wl_resource_get_client(focus->resource) : NULL;
	struct mw_field *field;
	wl_list_for_each(field, &text->fields, link) {
		struct wlr_surface *wanted = wl_resource_get_client(field->wlr->resource) == client ? focus : NULL;
		if (field->wlr->focused_surface == wanted) {
			if (wanted == NULL)
				reset(field);
			continue;
		}
		reset(field);
		if (field->wlr->focused_surface != NULL)
			wlr_text_input_v3_send_leave(field->wlr);
		if (wanted != NULL)
			wlr_text_input_v3_send_enter(field->wlr, wanted);
	}
	update(text);
}

static void on_focus_change(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_text *text = wl_container_of(listener, text, focus_change);
	refocus(text);
}

void mw_seat_text_entry(mw_server *server, bool active) {
	struct mw_text *text = server->seat->text;
	if (text->shell_wanted == active)
		return;
	text->shell_wanted = active;
	refocus(text);
}

/* ---- fields ---- */

static void on_field_enable(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_field *field = wl_container_of(listener, field, enable);
	struct mw_text *text = field->text;
	/* Without focus it does not count, and only one field may be enabled at a time. */
	bool taken = text->active != NULL && text->active != field && is_ready(text->active);
	if (field->wlr->focused_surface == NULL || taken)
		reset(field);
	update(text);
}

static void on_field_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_field *field = wl_container_of(listener, field, commit);
	struct mw_text *text = field->text;
	if (text->method == NULL || text->active != field)
		return;
	tell_news(text);
	mw_text_popups_changed(text);
}

static void on_field_disable(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_field *field = wl_container_of(listener, field, disable);
	update(field->text);
}

static void field_free(struct mw_field *field) {
	struct wl_listener *all[] = { &field->enable, &field->commit, &field->disable, &field->destroy };
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
	wl_list_remove(&field->link);
	free(field);
}

static void on_field_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_field *field = wl_container_of(listener, field, destroy);
	struct mw_text *text = field->text;
	bool was_active = text->active == field;
	reset(field);   /* so that it is not chosen */
	if (was_active)
		update(text);
	field_free(field);
}

static void on_new_field(struct wl_listener *listener, void *data) {
	struct mw_text *text = wl_container_of(listener, text, new_field);
	struct wlr_text_input_v3 *wlr = data;
	struct mw_field *field = calloc(1, sizeof(*field));
	if (field == NULL) {
		wl_resource_post_no_memory(wlr->resource);
		return;
	}
	field->text = text;
	field->wlr = wlr;
	wl_list_insert(text->fields.prev, &field->link);
	mw_listen(&wlr->events.enable, &field->enable, on_field_enable);
	mw_listen(&wlr->events.commit, &field->commit, on_field_commit);
	mw_listen(&wlr->events.disable, &field->disable, on_field_disable);
	mw_listen(&wlr->events.destroy, &field->destroy, on_field_destroy);
	refocus(text);
}

/* ---- what the input method types ---- */

/* 0.18 takes only what answers the newest done. What a keyboard sent while the app was busy with the letter before is
 * not to be lost, though; but it must not reach a field that got the focus meanwhile. */
static bool is_meant(const struct mw_text *text) {
	if (text->late == CHANGE_LATE)
		return false;
#if WLR18
	return true;
#else
	uint32_t serial = text->method->current_serial;
	return serial - text->active_since <= text->done_count - text->active_since;
#endif
}

static void type_into_field(mw_server *server, struct mw_field *field, const struct wlr_input_method_v2_state *state) {
	if (state->preedit.text != NULL)
		wlr_text_input_v3_send_preedit_string(field->wlr, state->preedit.text, state->preedit.cursor_begin, state->preedit.cursor_end);
	if (state->delete.before_length > 0 || state->delete.after_length > 0)
		wlr_text_input_v3_send_delete_surrounding_text(field->wlr, state->delete.before_length, state->delete.after_length);
	if (state->commit_text != NULL)
		wlr_text_input_v3_send_commit_string(field->wlr, state->commit_text);
	wlr_text_input_v3_send_done(field->wlr);
	if (state->commit_text != NULL || state->delete.before_length > 0 || state->delete.after_length > 0)
		server->on.text_typed(server->on.user);
}

static void type_into_shell(struct mw_text *text, const struct wlr_input_method_v2_state *state) {
	mw_server *server = text->seat->server;
	if (state->delete.before_length > 0 || state->delete.after_length > 0)
		server->on.text_deleted(server->on.user, state->delete.before_length, state->delete.after_length);
	if (state->commit_text != NULL && state->commit_text[0] != '\0')
		server->on.text_committed(server->on.user, state->commit_text);
}

static void on_method_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_text *text = wl_container_of(listener, text, method_commit);
	bool meant = is_meant(text);
	/* Taken over: 0.15 does not free the strings of the commit before, and the shell may do anything when told. */
	struct wlr_input_method_v2_state state = text->method->current;
	text->method->current = (struct wlr_input_method_v2_state){ 0 };
	if (meant && text->shell_active) {
		mw_protocols_activity(text->seat->server);
		type_into_shell(text, &state);
	} else if (meant && text->active != NULL) {
		mw_protocols_activity(text->seat->server);
		type_into_field(text->seat->server, text->active, &state);
	}
	free(state.preedit.text);
	free(state.commit_text);
}

/* ---- its hold on the keyboards ---- */

struct wlr_input_method_keyboard_grab_v2 *mw_text_keyboard_grab(mw_seat *seat, const struct mw_keyboard *keyboard) {
	struct mw_text *text = seat->text;
	if (text == NULL || text->method == NULL || text->method->keyboard_grab == NULL)
		return NULL;
	/* Keys are the method's only while it types for somebody. */
	if (text->active == NULL && !text->shell_active)
		return NULL;
	/* What it could not use it gives back by a virtual keyboard: that goes on to the app. */
	struct wl_client *client = wl_resource_get_client(text->method->resource);
	if (keyboard->client == client || keyboard->wlr->keymap_string == NULL)
		return NULL;
	struct wlr_input_method_keyboard_grab_v2 *grab = text->method->keyboard_grab;
	if (grab->keyboard != keyboard->wlr)
		wlr_input_method_keyboard_grab_v2_set_keyboard(grab, keyboard->wlr);
	return grab;
}

static void on_grab_destroy(struct wl_listener *listener, void *data) {
	struct mw_text *text = wl_container_of(listener, text, grab_destroy);
	struct wlr_input_method_keyboard_grab_v2 *grab = data;
	mw_unlisten(&text->grab_destroy);
	/* Modifiers that changed meanwhile. */
	struct wlr_keyboard *keyboard = wlr_seat_get_keyboard(text->seat->wlr);
	if (keyboard != NULL && keyboard == grab->keyboard)
		wlr_seat_keyboard_notify_modifiers(text->seat->wlr, &keyboard->modifiers);
}

static void on_method_grab(struct wl_listener *listener, void *data) {
	struct mw_text *text = wl_container_of(listener, text, method_grab);
	struct wlr_input_method_keyboard_grab_v2 *grab = data;
	mw_unlisten(&text->grab_destroy);
	mw_listen(&grab->events.destroy, &text->grab_destroy, on_grab_destroy);
	struct wlr_keyboard *keyboard = wlr_seat_get_keyboard(text->seat->wlr);
	if (keyboard != NULL && keyboard->keymap_string != NULL)
		wlr_input_method_keyboard_grab_v2_set_keyboard(grab, keyboard);
}

/* ---- input methods ---- */

static void on_method_popup(struct wl_listener *listener, void *data) {
	struct mw_text *text = wl_container_of(listener, text, method_popup);
	mw_text_popup_new(text, data);
}

static void forget_method(struct mw_text *text) {
	struct wl_listener *all[] = { &text->method_commit, &text->method_grab, &text->method_popup, &text->method_destroy };
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
	text->method = NULL;
	text->told_active = false;
	text->late = NOTHING_LATE;
}

static void on_method_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_text *text = wl_container_of(listener, text, method_destroy);
	forget_method(text);
	/* Fields lose the focus, and with it what was being composed. */
	refocus(text);
}

static void on_new_method(struct wl_listener *listener, void *data) {
	struct mw_text *text = wl_container_of(listener, text, new_method);
	struct wlr_input_method_v2 *method = data;
	if (text->method != NULL) {
		wlr_input_method_v2_send_unavailable(method);
		return;
	}
	text->method = method;
	text->done_count = text->active_since = 0;
	mw_listen(&method->events.commit, &text->method_commit, on_method_commit);
	mw_listen(&method->events.grab_keyboard, &text->method_grab, on_method_grab);
	mw_listen(&method->events.new_popup_surface, &text->method_popup, on_method_popup);
	mw_listen(&method->events.destroy, &text->method_destroy, on_method_destroy);
	refocus(text);
}

/* ---- life ---- */

bool mw_text_init(mw_seat *seat) {
	struct mw_text *text = calloc(1, sizeof(*text));
	if (text == NULL)
		return false;
	text->seat = seat;
	wl_list_init(&text->fields);
	wl_list_init(&text->popups);
	seat->text = text;
	struct wlr_text_input_manager_v3 *fields = wlr_text_input_manager_v3_create(seat->server->display);
	struct wlr_input_method_manager_v2 *methods = wlr_input_method_manager_v2_create(seat->server->display);
	if (fields == NULL || methods == NULL)
		return false;
	mw_listen(&fields->events.text_input, &text->new_field, on_new_field);
	mw_listen(&methods->events.input_method, &text->new_method, on_new_method);
	mw_listen(&seat->wlr->keyboard_state.events.focus_change, &text->focus_change, on_focus_change);
	return true;
}

void mw_text_finish(mw_seat *seat) {
	struct mw_text *text = seat->text;
	if (text == NULL)
		return;
	mw_unlisten(&text->new_field);
	mw_unlisten(&text->new_method);
	mw_unlisten(&text->focus_change);
	mw_unlisten(&text->grab_destroy);
	forget_method(text);
	if (text->late_timer != NULL)
		wl_event_source_remove(text->late_timer);
	mw_text_popups_finish(text);
	struct mw_field *field, *next;
	wl_list_for_each_safe(field, next, &text->fields, link)
		field_free(field);
	seat->text = NULL;
	free(text);
}
