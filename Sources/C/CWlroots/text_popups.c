/* Popups of the input method, such as lists of candidates: shown beside the caret of the field that it types into. */
#include "text.h"

#include <stdlib.h>

struct popup {
	struct wl_list link;
	struct mw_text *text;
	struct wlr_input_popup_surface_v2 *wlr;
	bool mapped;
	struct wlr_box told;                 /* the caret as last sent */
	struct wl_listener map, unmap, destroy;
};

static struct mw_text *text_of(mw_server *server) {
	return server->seat != NULL ? server->seat->text : NULL;
}

struct find {
	struct wlr_surface *surface;
	double x, y;
	bool found;
};

static void find_surface(struct wlr_surface *surface, double x, double y, void *data) {
	struct find *find = data;
	if (surface != find->surface)
		return;
	find->x = x;
	find->y = y;
	find->found = true;
}

/* The window of the active field, and its caret in the window's coordinates. NULL: no popup can be shown. */
static mw_window *caret(struct mw_text *text, struct wlr_box *box) {
	if (text->active == NULL)
		return NULL;
	const struct wlr_text_input_v3 *field = text->active->wlr;
	if (field->focused_surface == NULL || (field->active_features & WLR_TEXT_INPUT_V3_FEATURE_CURSOR_RECTANGLE) == 0)
		return NULL;
	mw_window *window = mw_window_of_surface(text->seat->server, field->focused_surface);
	if (window == NULL || !window->mapped)
		return NULL;
	struct find find = { .surface = field->focused_surface };
	mw_window_each_surface(window, find_surface, &find);
	if (!find.found)
		mw_window_each_own_popup_surface(window, find_surface, &find);
	/* Clients say any number: far beyond a screen it means nothing, and sums must not overflow. */
	const struct wlr_box *r = &field->current.cursor_rectangle;
	const int32_t limit = 100000;
	if (!find.found || abs(r->x / 2) > limit || abs(r->y / 2) > limit || r->width < 0 || r->height < 0 || r->width > limit || r->height > limit)
		return NULL;
	*box = (struct wlr_box){ (int)find.x + r->x, (int)find.y + r->y, r->width, r->height };
	return window;
}

/* Below the caret, above it if there is no room, and never over an edge if that can be helped. */
static void place(const struct popup *popup, const mw_window *window, const struct wlr_box *box, int *x, int *y) {
	int width = popup->wlr->surface->current.width, height = popup->wlr->surface->current.height;
	double left = 0, top = 0, right = window->state.width, bottom = window->state.height;
	const struct mw_box *bounds = &window->popup_bounds;
	if (bounds->width > 0 && bounds->height > 0) {
		left = bounds->x;
		top = bounds->y;
		right = bounds->x + bounds->width;
		bottom = bounds->y + bounds->height;
	}
	*x = box->x;
	*y = box->y + box->height;
	if (*x + width > right)
		*x = (int)right - width;
	if (*x < left)
		*x = (int)left;
	if (*y + height > bottom && box->y - height >= top)
		*y = box->y - height;
}

struct walk {
	mw_surface_iterator iterator;
	void *data;
	int x, y;
};

static void walk_surface(struct wlr_surface *surface, int x, int y, void *data) {
	struct walk *walk = data;
	walk->iterator(surface, walk->x + x, walk->y + y, walk->data);
}

void mw_text_each_popup_surface(mw_window *window, mw_surface_iterator iterator, void *data) {
	struct mw_text *text = text_of(window->server);
	struct wlr_box box;
	if (text == NULL || wl_list_empty(&text->popups) || caret(text, &box) != window)
		return;
	struct popup *popup;
	wl_list_for_each(popup, &text->popups, link) {
		if (!popup->mapped)
			continue;
		struct walk walk = { .iterator = iterator, .data = data };
		place(popup, window, &box, &walk.x, &walk.y);
		wlr_surface_for_each_surface(popup->wlr->surface, walk_surface, &walk);
	}
}

mw_window *mw_text_popup_window(mw_server *server, struct wlr_surface *root) {
	struct mw_text *text = text_of(server);
	if (text == NULL)
		return NULL;
	struct popup *popup;
	wl_list_for_each(popup, &text->popups, link) {
		struct wlr_box box;
		if (popup->wlr->surface == root)
			return popup->mapped ? caret(text, &box) : NULL;
	}
	return NULL;
}

bool mw_text_knows_popup(mw_server *server, struct wl_resource *resource) {
	struct mw_text *text = text_of(server);
	struct popup *popup;
	if (text != NULL) {
		wl_list_for_each(popup, &text->popups, link) {
			if (popup->wlr->resource == resource)
				return true;
		}
	}
	return false;
}

/* ---- what is told of them ---- */

static void tell_caret(struct popup *popup, const mw_window *window, const struct wlr_box *box) {
	int x, y;
	place(popup, window, box, &x, &y);
	struct wlr_box told = { box->x - x, box->y - y, box->width, box->height };
	if (told.x == popup->told.x && told.y == popup->told.y && told.width == popup->told.width && told.height == popup->told.height)
		return;
	popup->told = told;
	wlr_input_popup_surface_v2_send_text_input_rectangle(popup->wlr, &told);
}

static void report(mw_server *server, mw_window *window) {
	mw_window_report_popups(window, mw_popups_grabbing(server, window->surface) != NULL);
	mw_seat_window_changed(server, window);
}

static void on_idle(void *data) {
	struct mw_text *text = data;
	text->popup_idle = NULL;
	mw_server *server = text->seat->server;
	struct wlr_box box;
	mw_window *window = caret(text, &box), *before = NULL, *each;
	wl_list_for_each(each, &server->windows, link) {
		if (each->id == text->told_window)
			before = each;
	}
	struct popup *popup;
	bool any = false;
	wl_list_for_each(popup, &text->popups, link) {
		any = any || popup->mapped;
		if (popup->mapped && window != NULL)
			tell_caret(popup, window, &box);
	}
	text->told_window = any && window != NULL ? window->id : 0;
	mw_output *output;
	if (any || before != NULL) {
		wl_list_for_each(output, &server->outputs, link)
			mw_output_schedule(output);
	}
	/* Last, one alone at a time: whoever is told may do anything. */
	if (before != NULL && before != window)
		report(server, before);
	if (text->told_window != 0) {
		wl_list_for_each(each, &server->windows, link) {
			if (each->id == text->told_window) {
				report(server, each);
				break;
			}
		}
	}
}

void mw_text_popups_changed(struct mw_text *text) {
	/* Not at once: this comes up inside wlroots' walks over its own lists. */
	if (text->popup_idle == NULL && (!wl_list_empty(&text->popups) || text->told_window != 0))
		text->popup_idle = wl_event_loop_add_idle(text->seat->server->loop, on_idle, text);
}

/* ---- life ---- */

static void set_mapped(struct popup *popup, bool mapped) {
	if (popup->mapped == mapped)
		return;
	popup->mapped = mapped;
	popup->told = (struct wlr_box){ -1, -1, -1, -1 };
	mw_text_popups_changed(popup->text);
}

static void on_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct popup *popup = wl_container_of(listener, popup, map);
	set_mapped(popup, true);
}

static void on_unmap(struct wl_listener *listener, void *data) {
	(void)data;
	struct popup *popup = wl_container_of(listener, popup, unmap);
	set_mapped(popup, false);
}

static void popup_free(struct popup *popup) {
	mw_unlisten(&popup->map);
	mw_unlisten(&popup->unmap);
	mw_unlisten(&popup->destroy);
	wl_list_remove(&popup->link);
	free(popup);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct popup *popup = wl_container_of(listener, popup, destroy);
	set_mapped(popup, false);
#if !WLR18
	/* 0.15 leaves it in the surface and reads it at the surface's next commit. */
	popup->wlr->surface->role_data = NULL;
#endif
	popup_free(popup);
}

void mw_text_popup_new(struct mw_text *text, struct wlr_input_popup_surface_v2 *wlr) {
	struct popup *popup = calloc(1, sizeof(*popup));
	if (popup == NULL) {
		wl_resource_post_no_memory(wlr->resource);
		return;
	}
	popup->text = text;
	popup->wlr = wlr;
	wl_list_insert(text->popups.prev, &popup->link);
	mw_listen(&wlr->events.destroy, &popup->destroy, on_destroy);
#if WLR18
	mw_listen(&wlr->surface->events.map, &popup->map, on_map);
	mw_listen(&wlr->surface->events.unmap, &popup->unmap, on_unmap);
	set_mapped(popup, wlr->surface->mapped);
#else
	mw_listen(&wlr->events.map, &popup->map, on_map);
	mw_listen(&wlr->events.unmap, &popup->unmap, on_unmap);
	set_mapped(popup, wlr->mapped);
#endif
}

void mw_text_popups_finish(struct mw_text *text) {
	if (text->popup_idle != NULL)
		wl_event_source_remove(text->popup_idle);
	struct popup *popup, *next;
	wl_list_for_each_safe(popup, next, &text->popups, link)
		popup_free(popup);
}
