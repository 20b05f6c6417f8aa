/* C until windows move to Swift and are measured: it runs in each commit. */
/* Windows of both kinds: life cycle, reports, the configure log. */
#include "internal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint32_t mw_reserve_window_ids(mw_server *server, uint32_t count) {
	uint32_t first = server->next_window_id + 1;
	server->next_window_id += count;
	return first;
}

#define LOG_LIMIT (64 * 1024)

/* ---- life cycle ---- */

mw_window *mw_window_new(mw_server *server) {
	mw_window *window = calloc(1, sizeof(*window));
	if (window == NULL)
		return NULL;
	window->server = server;
	window->id = ++server->next_window_id;
	pixman_region32_init(&window->damage);
	wl_list_insert(server->windows.prev, &window->link);
	return window;
}

void mw_window_free(mw_window *window) {
	mw_server *server = window->server;
	mw_lock_window_gone(window);
	mw_seat_window_gone(server, window);
	if (window->xsurface != NULL)
		mw_x11_window_gone(window);
	mw_draw_window_gone(window);
	window->server->on.toplevel_unlisted(window->server->on.user, window);
	if (window->report_idle != NULL)
		wl_event_source_remove(window->report_idle);
	if (window->rename_timer != NULL)
		wl_event_source_remove(window->rename_timer);
	if (window->held != NULL)
		mw_snapshot_free(window->held);
	pixman_region32_fini(&window->damage);
	wl_list_remove(&window->link);
	free(window->told_title);
	free(window->told_app_id);
	free(window->log);
	free(window);
}

/* ---- reports ---- */

mw_window *mw_window_parent(mw_window *window) {
	if (window->toplevel != NULL && window->toplevel->parent != NULL) {
#if WLR18
		return mw_xdg_window(window->toplevel->parent->base);
#else
		return mw_xdg_window(window->toplevel->parent);
#endif
	}
#if WLR18
	if (window->toplevel != NULL)
		return mw_xdg_named_parent(window);
#endif
	if (window->xsurface != NULL && window->xsurface->parent != NULL) {
		mw_window *other;
		wl_list_for_each(other, &window->server->windows, link) {
			if (other->xsurface == window->xsurface->parent && other != window)
				return other;
		}
	}
	return window->xsurface != NULL ? mw_x11_group_parent(window) : NULL;
}

void mw_window_fill_info(mw_window *window, struct mw_window_info *out) {
	memset(out, 0, sizeof(*out));
	out->id = window->id;
	out->x11 = window->xsurface != NULL;
	out->toplevel = window->toplevel;
	const char *app_id = NULL, *title = NULL;
	if (window->toplevel != NULL) {
		struct wl_client *client = wl_resource_get_client(window->toplevel->base->resource);
		pid_t pid = 0;
		wl_client_get_credentials(client, &pid, NULL, NULL);
		out->pid = pid;
		if (window->client == 0)
			window->client = mw_client_identity(client);
		out->client = window->client;
		app_id = window->toplevel->app_id;
		title = window->toplevel->title;
	} else if (window->xsurface != NULL) {
		out->pid = window->xsurface->pid;
		out->client = MW_X11_IDENTITY;
		/* Read before the next one is filled in. */
		static char app_room[2048], title_room[2048];
		app_id = mw_x11_text(window->xsurface->class, app_room, sizeof(app_room));
		title = mw_x11_text(window->xsurface->title, title_room, sizeof(title_room));
	}
	if (window->toplevel != NULL)
		out->modal = window->server->on.toplevel_modality(window->server->on.user, window->toplevel);
	else
		out->modal = window->xsurface != NULL && window->xsurface->modal;
	out->bare = window->xsurface != NULL && window->xsurface->decorations == WLR_XWAYLAND_SURFACE_DECORATIONS_ALL;
	out->picture = window->pip != NULL;
	out->app_id = app_id != NULL ? app_id : "";
	out->title = title != NULL ? title : "";
	mw_window *parent = mw_window_parent(window);
	out->parent = parent != NULL && parent->created ? parent->id : 0;
}

static void remember_told(mw_window *window, const struct mw_window_info *info) {
	char *title = strdup(info->title), *app_id = strdup(info->app_id);
	free(window->told_title);
	free(window->told_app_id);
	window->told_title = title;
	window->told_app_id = app_id;
	window->told_parent = info->parent;
	window->told_pid = info->pid;
	window->told_modal = info->modal;
}

void mw_window_report_created(mw_window *window) {
	struct mw_window_info info;
	mw_window_fill_info(window, &info);
	window->created = true;
	remember_told(window, &info);
	window->server->on.window_created(window->server->on.user, window, &info);
}

static bool same(const char *a, const char *b) { return a != NULL && b != NULL && strcmp(a, b) == 0; }

/* A title or parent that changes all the time is reported ten times a second, because each report passes through
 * the whole shell. */
#define RENAME_PAUSE_MS 100

static int on_rename_timer(void *data) {
	mw_window_report_renamed(data);
	return 0;
}

/* Returns true if it is too early. The timer reports it later then. */
static bool renamed_soon(mw_window *window, int64_t now) {
	int64_t left = RENAME_PAUSE_MS - (now - window->renamed_at) / 1000000;
	if (left <= 0 || window->renamed_at == 0)
		return false;
	if (window->rename_timer == NULL)
		window->rename_timer = wl_event_loop_add_timer(window->server->loop, on_rename_timer, window);
	return window->rename_timer != NULL && wl_event_source_timer_update(window->rename_timer, (int)left) == 0;
}

void mw_window_report_renamed(mw_window *window) {
	if (!window->created)
		return;
	struct mw_window_info info;
	mw_window_fill_info(window, &info);
	bool same_names = same(window->told_title, info.title) && same(window->told_app_id, info.app_id);
	if (same_names && window->told_parent == info.parent && window->told_pid == info.pid && window->told_modal == info.modal)
		return;
	int64_t now = mw_now();
	/* The parent of a dialog must be known when the dialog is mapped. */
	bool may_wait = window->mapped || window->told_parent == info.parent;
	if (may_wait && window->told_pid == info.pid && renamed_soon(window, now))
		return;
	window->renamed_at = now;
	remember_told(window, &info);
	if (!same_names)
		window->server->on.toplevel_renamed(window->server->on.user, window);
	window->server->on.window_renamed(window->server->on.user, window, &info);
}

void mw_window_report_request(mw_window *window, int32_t kind, int32_t value) {
	if (window->created && !window->server->destroying)
		window->server->on.window_requested(window->server->on.user, window, kind, value);
}

struct bounds {
	double left, top, right, bottom;
	bool any;
};

static void add_box(struct bounds *bounds, double left, double top, double right, double bottom) {
	if (!bounds->any) {
		*bounds = (struct bounds){left, top, right, bottom, true};
		return;
	}
	if (left < bounds->left)
		bounds->left = left;
	if (top < bounds->top)
		bounds->top = top;
	if (right > bounds->right)
		bounds->right = right;
	if (bottom > bounds->bottom)
		bounds->bottom = bottom;
}

static struct mw_box box_of(const struct bounds *bounds) {
	return (struct mw_box){bounds->left, bounds->top, bounds->right - bounds->left, bounds->bottom - bounds->top};
}

static void add_input(struct wlr_surface *surface, double x, double y, void *data) {
	const pixman_box32_t *box = pixman_region32_extents(&surface->input_region);
	if (box->x2 > box->x1 && box->y2 > box->y1)
		add_box(data, x + box->x1, y + box->y1, x + box->x2, y + box->y2);
}

static void measure(mw_window *window) {
	struct wlr_box box = {0};
	mw_window_geometry(window, &box);
	window->state.width = box.width;
	window->state.height = box.height;
	/* A geometry set by the client is never empty. */
	bool given = window->toplevel == NULL || window->toplevel->base->current.geometry.width > 0;
	window->state.offset_x = given ? 0 : box.x;
	window->state.offset_y = given ? 0 : box.y;
	struct bounds input = {0};
	mw_window_each_surface(window, add_input, &input);
	window->state.input = box_of(&input);
}

static bool same_state(const struct mw_window_state *a, const struct mw_window_state *b) {
	return a->width == b->width && a->height == b->height && a->answered == b->answered && a->min_width == b->min_width &&
		   a->min_height == b->min_height && a->max_width == b->max_width && a->max_height == b->max_height &&
		   a->fullscreen_wanted == b->fullscreen_wanted && a->offset_x == b->offset_x && a->offset_y == b->offset_y &&
		   memcmp(&a->input, &b->input, sizeof(a->input)) == 0;
}

void mw_window_report_commit(mw_window *window, bool same_shape) {
	if (!window->created)
		return;
	if (window->mapped && !same_shape)
		measure(window);
	if (same_state(&window->state, &window->told))
		return;
	window->told = window->state;
	window->server->on.window_committed(window->server->on.user, window, &window->told);
}

static void report_idle(void *data) {
	mw_window *window = data;
	window->report_idle = NULL;
	mw_window_report_commit(window, false);
	if (window->mapped)
		mw_seat_window_changed(window->server, window);
}

void mw_window_report_later(mw_window *window) {
	if (window->report_idle == NULL)
		window->report_idle = wl_event_loop_add_idle(window->server->loop, report_idle, window);
}

void mw_window_report_mapped(mw_window *window) {
	if (window->mapped || !window->created)
		return;
	window->mapped = true;
	measure(window);
	window->told = window->state;
	window->server->on.window_mapped(window->server->on.user, window, &window->told);
	if (!mw_lock_is_locked(window->server))
		window->server->on.toplevel_listed(window->server->on.user, window);
	mw_seat_refresh_focus(window->server);
}

void mw_window_report_unmapped(mw_window *window) {
	if (!window->mapped)
		return;
	window->mapped = window->shown = false;
	mw_lock_window_gone(window);
	window->server->on.toplevel_unlisted(window->server->on.user, window);
	mw_seat_window_gone(window->server, window);
	if (!window->server->destroying)
		window->server->on.window_unmapped(window->server->on.user, window);
}

struct popup_boxes {
	struct bounds each[MW_POPUP_BOXES];
	int32_t count;
};

static void add_popup(struct wlr_surface *surface, double x, double y, void *data) {
	struct popup_boxes *boxes = data;
	if (surface->current.width <= 0 || surface->current.height <= 0)
		return;
	if (boxes->count < MW_POPUP_BOXES)
		boxes->count++;
	add_box(&boxes->each[boxes->count - 1], x, y, x + surface->current.width, y + surface->current.height);
}

void mw_window_report_popups(mw_window *window, bool grabbing) {
	if (!window->created || window->server->destroying)
		return;
	struct popup_boxes found = {0};
	mw_window_each_popup_surface(window, add_popup, &found);
	struct mw_box boxes[MW_POPUP_BOXES] = {0};
	for (int32_t i = 0; i < found.count; i++)
		boxes[i] = box_of(&found.each[i]);
	if (found.count == window->popups_count && memcmp(boxes, window->popups_told, sizeof(boxes)) == 0 &&
		grabbing == window->popups_grabbing)
		return;
	memcpy(window->popups_told, boxes, sizeof(boxes));
	window->popups_count = found.count;
	window->popups_grabbing = grabbing;
	window->server->on.popups_changed(window->server->on.user, window, boxes, found.count, grabbing);
}

/* ---- configures ---- */

void mw_window_log(mw_window *window, const char *format, ...) {
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(line, sizeof(line) - 1, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	if (window->log_length + length > LOG_LIMIT) {
		/* Drop old lines, so that a long live resize cannot use up memory. */
		char *rest = memchr(window->log + LOG_LIMIT / 2, '\n', window->log_length - LOG_LIMIT / 2);
		size_t drop = rest != NULL ? (size_t)(rest + 1 - window->log) : window->log_length;
		memmove(window->log, window->log + drop, window->log_length - drop);
		window->log_length -= drop;
	}
	if (window->log_length + length + 1 > window->log_capacity) {
		size_t capacity = window->log_capacity ? window->log_capacity * 2 : 1024;
		char *grown = realloc(window->log, capacity);
		if (grown == NULL)
			return;
		window->log = grown;
		window->log_capacity = capacity;
	}
	memcpy(window->log + window->log_length, line, length);
	window->log_length += length;
	window->log[window->log_length] = 0;
}

size_t mw_window_configure_log(mw_window *window, char *text, size_t size) {
	if (text != NULL && size > 0) {
		size_t length = window->log_length < size - 1 ? window->log_length : size - 1;
		if (length > 0)
			memcpy(text, window->log, length);
		text[length] = 0;
	}
	return window->log_length;
}

void mw_window_sent(mw_window *window, uint32_t sequence, uint32_t serial) {
	size_t last = (window->sent_count + MW_COUNT(window->sent) - 1) % MW_COUNT(window->sent);
	/* Two calls before the configure was sent became one configure. */
	if (window->sent_count > 0 && window->sent[last].serial == serial) {
		window->sent[last].sequence = sequence;
		return;
	}
	size_t next = window->sent_count++ % MW_COUNT(window->sent);
	window->sent[next].sequence = sequence;
	window->sent[next].serial = serial;
}

void mw_window_answered(mw_window *window, uint32_t serial) {
	uint32_t count = window->sent_count < MW_COUNT(window->sent) ? window->sent_count : MW_COUNT(window->sent);
	for (uint32_t i = 0; i < count; i++) {
		/* Serials wrap around. An ack answers all earlier configures too. */
		if ((int32_t)(serial - window->sent[i].serial) >= 0 && window->sent[i].sequence > window->state.answered)
			window->state.answered = window->sent[i].sequence;
	}
}

void mw_window_configure(mw_window *window, const struct mw_configure *configure) {
	window->configured = true;
	/* A person left full screen. The client's wish is over, and its next commit must not bring it back. */
	if (window->wanted.fullscreen && !configure->fullscreen)
		window->state.fullscreen_wanted = false;
	if (window->toplevel != NULL)
		mw_xdg_configure(window, configure);
	else if (window->xsurface != NULL)
		mw_x11_configure(window, configure);
	window->server->on.window_configured(window->server->on.user, window);
}

void mw_window_set_sight(mw_window *window, bool activated, bool shown) {
	window->shown = shown;
	window->activated = activated;
	if (shown && window->toplevel != NULL)
		mw_xdg_in_sight(window);
}

void mw_window_get_sight(mw_window *window, struct mw_window_sight *out) {
	*out = (struct mw_window_sight){
		.mapped = window->mapped,
		.shown = window->shown,
		.activated = window->activated,
		.arranged = window->wanted.arranged,
		.fullscreen = window->wanted.fullscreen,
		.parent = mw_window_parent(window),
	};
}

void mw_window_wants_fullscreen(mw_window *window, bool wanted) { window->state.fullscreen_wanted = wanted; }

void mw_window_place(mw_window *window, int32_t x, int32_t y) {
	window->wanted.x = x;
	window->wanted.y = y;
	if (window->xsurface != NULL)
		mw_x11_place(window, x, y);
}

void mw_window_set_popup_bounds(mw_window *window, const struct mw_box *bounds) {
	window->popup_bounds = *bounds;
	if (window->toplevel != NULL)
		mw_popups_bounds_changed(window->server, window);
	else if (window->xsurface != NULL)
		mw_x11_bounds_changed(window);
}

void mw_window_dismiss_popups(mw_window *window) {
	if (window->toplevel != NULL)
		mw_popups_dismiss(window->server, window);
	else if (window->xsurface != NULL)
		mw_x11_dismiss_menus(window);
}

void mw_window_close(mw_window *window) {
	if (window->toplevel != NULL)
		mw_xdg_close(window);
	else if (window->xsurface != NULL)
		mw_x11_close(window);
}
