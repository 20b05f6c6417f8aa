/*
 * Xwayland: started when the first X11 client comes, rootless. Managed windows are windows like any other;
 * override-redirect ones (menus, tooltips) belong to one of them and are drawn and hit with it, or lie over everything.
 */
#include "seat.h"
#include "x11.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#define HINT_MIN_SIZE (1 << 4)
#define HINT_MAX_SIZE (1 << 5)

/* wlroots' hook for X11 events carries no user data. */
static struct wl_list running = { &running, &running };

/* ---- state ---- */

static void read_state(struct x11 *item) {
	mw_window *window = item->window;
	struct mw_window_state *state = &window->state;
	state->min_width = state->min_height = state->max_width = state->max_height = 0;
	if (item->x->size_hints != NULL) {
		uint32_t flags = item->x->size_hints->flags;
		if (flags & HINT_MIN_SIZE) {
			state->min_width = item->x->size_hints->min_width > 0 ? item->x->size_hints->min_width : 0;
			state->min_height = item->x->size_hints->min_height > 0 ? item->x->size_hints->min_height : 0;
		}
		if (flags & HINT_MAX_SIZE) {
			state->max_width = item->x->size_hints->max_width > 0 ? item->x->size_hints->max_width : 0;
			state->max_height = item->x->size_hints->max_height > 0 ? item->x->size_hints->max_height : 0;
		}
	}
	state->fullscreen_wanted = item->x->fullscreen;
	/* X11 acknowledges nothing: a configure is answered when a picture of that size is there. */
	const struct mw_configure *wanted = &window->wanted;
	struct wlr_surface *surface = window->surface;
	if (window->configured && surface != NULL &&
			(wanted->width <= 0 || surface->current.width == wanted->width) &&
			(wanted->height <= 0 || surface->current.height == wanted->height))
		state->answered = wanted->sequence;
}

uint16_t mw_x11_clamp(int32_t size) {
	return size < 1 ? 1 : size > UINT16_MAX ? UINT16_MAX : size;
}

void mw_x11_configure(mw_window *window, const struct mw_configure *configure) {
	struct x11 *item = window->role;
	struct mw_configure before = window->wanted;
	bool first = window->log_length == 0;
	window->wanted = *configure;
	struct wlr_xwayland_surface *x = item->x;
	uint16_t width = configure->width > 0 ? mw_x11_clamp(configure->width) : x->width;
	uint16_t height = configure->height > 0 ? mw_x11_clamp(configure->height) : x->height;
	if (first || x->x != configure->x || x->y != configure->y || x->width != width || x->height != height)
		wlr_xwayland_surface_configure(x, configure->x, configure->y, width, height);
	/* The same state wherever it is: no window can tell the arrangement (W-10). */
	if (first || before.arranged != configure->arranged)
		wlr_xwayland_surface_set_maximized(x, configure->arranged);
	if (first || before.fullscreen != configure->fullscreen || x->fullscreen != configure->fullscreen)
		wlr_xwayland_surface_set_fullscreen(x, configure->fullscreen);
	if (first || memcmp(&before.x, &configure->x, sizeof(before) - offsetof(struct mw_configure, x)) != 0)
		mw_window_log(window, "seq=%u size=%ux%u states=%s%s%s pos=%d,%d", configure->sequence, width, height,
			configure->activated ? "activated" : "", configure->arranged ? (configure->activated ? ",maximized" : "maximized") : "",
			configure->fullscreen ? ",fullscreen" : "", configure->x, configure->y);
	read_state(item);
	mw_window_report_later(window);
}

void mw_x11_place(mw_window *window, int32_t x, int32_t y) {
	struct x11 *item = window->role;
	if (item->x->x != x || item->x->y != y)
		wlr_xwayland_surface_configure(item->x, x, y, item->x->width, item->x->height);
}

void mw_x11_activate(mw_window *window, bool activated) {
	struct x11 *item = window->role;
	wlr_xwayland_surface_activate(item->x, activated);
	/* wlroots lists those that are shown and no menus. */
	if (activated && window->mapped && !item->x->override_redirect)
		wlr_xwayland_surface_restack(item->x, NULL, XCB_STACK_MODE_ABOVE);
}

void mw_x11_close(mw_window *window) {
	wlr_xwayland_surface_close(window->xsurface);
}

/* ---- mapping ---- */

static void create_window(struct x11 *item) {
	if (item->window == NULL) {
		item->window = mw_window_new(item->xwayland->server);
		if (item->window == NULL)
			return;
		item->window->xsurface = item->x;
		item->window->role = item;
	}
	item->window->surface = item->x->surface;
	if (!item->window->created) {
		read_state(item);
		mw_window_report_created(item->window);
		if (item->x->fullscreen)
			mw_window_report_request(item->window, MW_REQUEST_FULLSCREEN, 1);
	}
}

static void on_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, commit);
	if (item->menu) {
		mw_x11_menus_changed(item->owner);   /* one without an owner is seen like a layer surface: nothing to say */
	} else if (item->window != NULL && item->window->mapped) {
		read_state(item);
		mw_window_report_commit(item->window, false);
		mw_seat_window_changed(item->window->server, item->window);
	}
}

static void on_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, map);
	if (item->mapped)
		return;
	item->mapped = true;
	item->menu = item->x->override_redirect;
#if !WLR18
	mw_listen(&item->x->surface->events.commit, &item->commit, on_commit);
#endif
	if (item->menu) {
		/* The newest menu is on top. */
		wl_list_remove(&item->link);
		wl_list_insert(&item->xwayland->surfaces, &item->link);
		item->owner = mw_x11_find_owner(item);
		if (mw_x11_wants_keys(item))
			wlr_xwayland_surface_activate(item->x, true);
		mw_x11_menus_changed(item->owner);
		if (item->owner == NULL)
			mw_x11_orphans_changed(item->xwayland->server);
		return;
	}
	create_window(item);
	if (item->window == NULL)
		return;
	item->window->surface = item->x->surface;
	read_state(item);
	mw_window_report_mapped(item->window);
	mw_x11_adopt_orphans(item->xwayland);
}

static void unmap(struct x11 *item) {
	if (!item->mapped)
		return;
	item->mapped = false;
#if !WLR18
	mw_unlisten(&item->commit);
#endif
	if (item->menu) {
		mw_window *owner = item->owner;
		item->owner = NULL;
		if (!item->xwayland->server->destroying) {
			mw_x11_menus_changed(owner);
			if (owner == NULL) {
				if (item->x->surface != NULL)
					mw_seat_surface_gone(item->xwayland->server, item->x->surface);
				mw_x11_orphans_changed(item->xwayland->server);
			}
			if (owner != NULL && owner == mw_seat_focused_window(owner->server))
				mw_x11_activate(owner, true);
		}
	} else if (item->window != NULL) {
		mw_window_report_unmapped(item->window);
		item->window->surface = NULL;
		mw_x11_window_gone(item->window);
	}
}

static void on_unmap(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, unmap);
	unmap(item);
}

/* The shell may say how large it shall be before it draws for the first time, if it is known by now what it is:
 * wlroots may read the properties only when it maps. */
static void before_map(struct x11 *item) {
	if (!item->x->override_redirect && item->x->class != NULL)
		create_window(item);
}

#if WLR18
static void on_associate(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, associate);
	mw_listen(&item->x->surface->events.map, &item->map, on_map);
	mw_listen(&item->x->surface->events.unmap, &item->unmap, on_unmap);
	mw_listen(&item->x->surface->events.commit, &item->commit, on_commit);
}

static void on_dissociate(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, dissociate);
	unmap(item);
	mw_unlisten(&item->map);
	mw_unlisten(&item->unmap);
	mw_unlisten(&item->commit);
}

static void on_map_request(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, map_request);
	before_map(item);
}
#endif

/* ---- events that wlroots is shown after us ---- */

/*
 * Xwayland says in messages which surface a window has, and wlroots ends with an assertion when one names another object,
 * or two windows have the same one (WL_SURFACE_SERIAL on 0.18). Those that X11 programs send bear a mark. What the atom
 * is, is known on 0.18; on 0.15 the first unmarked message tells, for nothing else is without the mark, and there is
 * nothing to be said in marked ones before there is a window.
 */
static bool is_forged(struct mw_xwayland *xwayland, const xcb_client_message_event_t *message) {
	bool sent = message->response_type & SENT_BY_A_CLIENT;
	if (!sent && xwayland->surface_message == XCB_ATOM_NONE)
		xwayland->surface_message = message->type;
	return sent && (xwayland->surface_message == XCB_ATOM_NONE || xwayland->surface_message == message->type ||
		xwayland->serial_message == message->type);
}

#if WLR18
static uint32_t atom_named(struct mw_xwayland *xwayland, const char *name) {
	xcb_connection_t *connection = wlr_xwayland_get_xwm_connection(xwayland->wlr);
	xcb_intern_atom_reply_t *reply = connection == NULL ? NULL :
		xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, strlen(name), name), NULL);
	uint32_t atom = reply != NULL ? reply->atom : XCB_ATOM_NONE;
	free(reply);
	return atom;
}

static int on_x11_event(struct wlr_xwm *xwm, xcb_generic_event_t *event) {
	struct mw_xwayland *xwayland;
	wl_list_for_each(xwayland, &running, link) {
		if (xwayland->wlr->xwm == xwm && (event->response_type & 0x7f) == XCB_CLIENT_MESSAGE)
			return is_forged(xwayland, (xcb_client_message_event_t *)event);
	}
	return 0;
}
#else
/* 0.15 has no signal for a window that is about to be mapped. */
static int on_x11_event(struct wlr_xwm *xwm, xcb_generic_event_t *event) {
	if ((event->response_type & 0x7f) == XCB_CLIENT_MESSAGE) {
		struct mw_xwayland *xwayland;
		wl_list_for_each(xwayland, &running, link) {
			if (xwayland->wlr->xwm != xwm || !is_forged(xwayland, (xcb_client_message_event_t *)event))
				continue;
			free(event);   /* what is not for wlroots it forgets */
			return 1;
		}
		return 0;
	}
	if ((event->response_type & 0x7f) != XCB_MAP_REQUEST)
		return 0;
	xcb_window_t window = ((xcb_map_request_event_t *)event)->window;
	struct mw_xwayland *xwayland;
	struct x11 *item, *next;
	wl_list_for_each(xwayland, &running, link) {
		wl_list_for_each_safe(item, next, &xwayland->surfaces, link) {
			if (item->x->xwm == xwm && item->x->window_id == window)
				before_map(item);
		}
	}
	return 0;
}
#endif

/* ---- changes ---- */

static void on_geometry(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, set_geometry);
	if (!item->menu || !item->mapped)
		return;
	mw_x11_menus_changed(item->owner);
	if (item->owner == NULL)
		mw_x11_orphans_changed(item->xwayland->server);
}

static void on_override_redirect(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, set_override_redirect);
	if (!item->mapped || item->menu == item->x->override_redirect)
		return;
	/* Turned from one into the other while it is shown. */
	unmap(item);
	if (item->x->surface != NULL)
		on_map(&item->map, item->x);
}

/* ---- lifetime ---- */

static void item_free(struct x11 *item) {
	struct wl_listener *all[] = {
		&item->destroy, &item->map, &item->unmap, &item->commit, &item->associate, &item->dissociate,
		&item->map_request, &item->request_configure, &item->request_fullscreen, &item->request_maximize,
		&item->request_minimize, &item->request_activate, &item->request_move, &item->request_resize,
		&item->set_title, &item->set_class, &item->set_parent, &item->set_pid, &item->set_override_redirect,
		&item->set_geometry,
	};
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
	unmap(item);
	mw_window *window = item->window;
	wl_list_remove(&item->link);
	if (window != NULL) {
		mw_server *server = window->server;
		if (window->created && !server->destroying)
			server->on.window_destroyed(server->on.user, window);
		mw_window_free(window);
	}
	free(item);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, destroy);
#if !WLR18
	mw_drag_x11_window_gone(item->xwayland->server->seat);
#endif
	item_free(item);
}

static void on_new_surface(struct wl_listener *listener, void *data) {
	struct mw_xwayland *xwayland = wl_container_of(listener, xwayland, new_surface);
	struct wlr_xwayland_surface *x = data;
	struct x11 *item = calloc(1, sizeof(*item));
	if (item == NULL)
		return;
	item->xwayland = xwayland;
	item->x = x;
	wl_list_insert(&xwayland->surfaces, &item->link);
	mw_listen(&x->events.destroy, &item->destroy, on_destroy);
#if WLR18
	mw_listen(&x->events.associate, &item->associate, on_associate);
	mw_listen(&x->events.dissociate, &item->dissociate, on_dissociate);
	mw_listen(&x->events.map_request, &item->map_request, on_map_request);
#else
	mw_listen(&x->events.map, &item->map, on_map);
	mw_listen(&x->events.unmap, &item->unmap, on_unmap);
#endif
	mw_x11_requests_listen(item);
	mw_listen(&x->events.set_geometry, &item->set_geometry, on_geometry);
	mw_listen(&x->events.set_override_redirect, &item->set_override_redirect, on_override_redirect);
}

static void on_ready(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_xwayland *xwayland = wl_container_of(listener, xwayland, ready);
	mw_server *server = xwayland->server;
	xwayland->surface_message = XCB_ATOM_NONE;
	mw_x11_answers_begin(xwayland);
	mw_x11_lists_end(xwayland);
	mw_x11_flood_begin(xwayland);
#if WLR18
	xwayland->surface_message = atom_named(xwayland, "WL_SURFACE_ID");
	xwayland->serial_message = atom_named(xwayland, "WL_SURFACE_SERIAL");
#endif
	mw_limits_exempt(xwayland->wlr->server->client);
	wlr_xwayland_set_seat(xwayland->wlr, mw_seat_wlr(server));
	mw_seat_x11_cursor(server, xwayland->wlr);
	if (mw_lock_is_locked(server))
		mw_x11_locked(server, true);
	server->on.xwayland_ready(server->on.user, server->x11_display);
}

bool mw_xwayland_init(mw_server *server) {
	struct mw_xwayland *xwayland = calloc(1, sizeof(*xwayland));
	if (xwayland == NULL)
		return false;
	xwayland->server = server;
	wl_list_init(&xwayland->surfaces);
	mw_x11_access_prepare();
	/* Lazily: nothing runs until an X11 client connects. */
	xwayland->wlr = wlr_xwayland_create(server->display, server->compositor, true);
	if (xwayland->wlr == NULL) {
		free(xwayland);
		return false;
	}
	if (!mw_x11_access_init(xwayland)) {
		wlr_log(WLR_ERROR, "X11 programs will not run: in %s no socket or no file for the cookie can be made", getenv("XDG_RUNTIME_DIR"));
		mw_x11_access_finish();
		wlr_xwayland_destroy(xwayland->wlr);
		free(xwayland);
		return false;
	}
	xwayland->wlr->user_event_handler = on_x11_event;
	wl_list_insert(&running, &xwayland->link);
	server->xwayland = xwayland;
	strncpy(server->x11_display, xwayland->wlr->display_name, sizeof(server->x11_display) - 1);
	mw_listen(&xwayland->wlr->events.new_surface, &xwayland->new_surface, on_new_surface);
	mw_listen(&xwayland->wlr->events.ready, &xwayland->ready, on_ready);
	mw_x11_server_watch(xwayland);
	return true;
}

/* Its window manager takes it that every drag has a source. */
void mw_xwayland_start_drag(mw_server *server, struct wlr_drag *drag, void (*start)(void *), void *data) {
	struct wlr_xwayland *unaware = drag->source == NULL && server->xwayland != NULL && server->xwayland->wlr->xwm != NULL ?
		server->xwayland->wlr : NULL;
	if (unaware != NULL)
		wlr_xwayland_set_seat(unaware, NULL);
	start(data);
	if (unaware != NULL)
		wlr_xwayland_set_seat(unaware, mw_seat_wlr(server));
}

bool mw_xwayland_is_client(mw_server *server, const struct wl_client *client) {
	struct mw_xwayland *xwayland = server->xwayland;
	return xwayland != NULL && xwayland->wlr->server != NULL && xwayland->wlr->server->client == client;
}

void mw_xwayland_finish(mw_server *server) {
	struct mw_xwayland *xwayland = server->xwayland;
	if (xwayland == NULL)
		return;
	wl_list_remove(&xwayland->link);
	mw_unlisten(&xwayland->new_surface);
	mw_unlisten(&xwayland->ready);
	mw_unlisten(&xwayland->server_ready);
	mw_x11_server_finish(xwayland);
	struct x11 *item, *next;
	wl_list_for_each_safe(item, next, &xwayland->surfaces, link)
		item_free(item);
#if !WLR18
	/* wlroots 0.15 leaves its window manager behind. It is known here, so that the sanitizer finds only what is not. */
	static struct wlr_xwm *left;
	left = xwayland->wlr->xwm;
	(void)left;
#endif
	wlr_xwayland_destroy(xwayland->wlr);
	mw_x11_access_finish();
	mw_x11_answers_end(xwayland);
	mw_x11_lists_end(xwayland);
	mw_x11_flood_end(xwayland);
	server->xwayland = NULL;
	free(xwayland);
}
