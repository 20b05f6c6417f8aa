/* C, because drawing and hit tests call it in each frame and at each motion. */
/*
 * The gate of the locked session on the hot path of input and drawing: whether the session is locked, and which
 * lock surface each screen shows, or which one window. The core decides this. While the session is locked, no input
 * reaches anything else and no other window is drawn, whatever is requested. A lock surface that is destroyed is
 * forgotten at once, and so is a window that is unmapped.
 */
#include "draw.h"
#include "internal.h"

bool mw_lock_is_locked(mw_server *server) { return server->locked; }

bool mw_server_is_dark(mw_server *server) {
	mw_output *output = mw_output_first(server);
	bool elsewhere = server->session != NULL && !server->session->active;
	return output == NULL || !output->wlr->enabled || elsewhere;
}

void mw_lock_screen_changed(mw_server *server) {
	if (!server->destroying)
		server->on.lock_screen_changed(server->on.user);
}

void mw_lock_drawn(mw_output *output, bool committed) {
	mw_server *server = output->server;
	if (server->locked && committed)
		server->on.lock_drawn(server->on.user, output->wlr);
}

/* ---- locking and unlocking ---- */

/* Clears the focus of fingers, buttons and keys. */
static void take_input(mw_server *server) {
	mw_window *window;
	wl_list_for_each(window, &server->windows, link) mw_window_dismiss_popups(window);
	mw_seat_forget(server);
}

void mw_lock_set(mw_server *server, bool locked) {
	if (server->locked == locked)
		return;
	server->locked = locked;
	server->over_lock = NULL;
	take_input(server);
	server->on.toplevels_locked(server->on.user, locked);
	mw_x11_locked(server, locked);
	/* The screen changes in the next frame, whatever the handlers do. */
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) mw_output_damage_all(output);
}

/* ---- the surface of a screen ---- */

static void refresh(mw_server *server) {
	if (server->destroying || !server->locked)
		return;
	mw_seat_refresh_focus(server);
	mw_output *output = mw_output_first(server);
	if (output != NULL)
		mw_output_schedule(output);
}

static void forget(mw_output *output) {
	struct wlr_surface *surface = output->lock_surface;
	if (surface == NULL)
		return;
	mw_unlisten(&output->lock_surface_destroy);
	output->lock_surface = NULL;
	if (!output->server->destroying)
		mw_seat_surface_gone(output->server, surface);
}

static void on_surface_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_output *output = wl_container_of(listener, output, lock_surface_destroy);
	forget(output);
	refresh(output->server);
}

void mw_lock_show(mw_server *server, struct wlr_output *wlr, struct wlr_surface *surface) {
	mw_output *output = wlr != NULL ? mw_output_of(server, wlr) : NULL;
	if (output != NULL && output->lock_surface != surface) {
		forget(output);
		output->lock_surface = surface;
		mw_listen(&surface->events.destroy, &output->lock_surface_destroy, on_surface_destroy);
	}
	refresh(server);
}

void mw_lock_let_in(mw_server *server, mw_window *window, double x, double y, double scale) {
	if (!server->locked || (window != NULL && !window->mapped))
		window = NULL;
	bool other = server->over_lock != window;
	server->over_lock = window;
	server->over_lock_x = x;
	server->over_lock_y = y;
	server->over_lock_scale = scale > 0 ? scale : 1;
	if (other && !server->destroying)
		take_input(server);
	refresh(server);
}

void mw_lock_window_gone(mw_window *window) {
	if (window->server->over_lock == window)
		mw_lock_let_in(window->server, NULL, 0, 0, 1);
}

bool mw_lock_shows(mw_server *server, const mw_window *window) { return window != NULL && server->over_lock == window; }

void mw_lock_hide(mw_server *server, struct wlr_surface *surface) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		if (output->lock_surface == surface)
			forget(output);
	}
	refresh(server);
}

void mw_lock_output_gone(mw_output *output) {
	output->server->on.lock_output_gone(output->server->on.user, output->wlr);
	mw_unlisten(&output->lock_surface_destroy);
	output->lock_surface = NULL;
}

/* ---- queries ---- */

static struct wlr_surface *shown_on(mw_output *output) {
	struct wlr_surface *surface = output->server->locked ? output->lock_surface : NULL;
#if WLR18
	if (surface != NULL && !surface->mapped)
		return NULL;
#endif
	return surface;
}

struct walk {
	mw_surface_iterator iterator;
	void *data;
};

static void walk_surface(struct wlr_surface *surface, int x, int y, void *data) {
	struct walk *walk = data;
	walk->iterator(surface, x, y, walk->data);
}

void mw_lock_each_surface(mw_output *output, mw_surface_iterator iterator, void *data) {
	struct wlr_surface *shown = shown_on(output);
	struct walk walk = {iterator, data};
	if (shown != NULL)
		wlr_surface_for_each_surface(shown, walk_surface, &walk);
}

bool mw_lock_is_on(mw_output *output, struct wlr_surface *surface) {
	struct wlr_surface *shown = shown_on(output);
	return shown != NULL && shown == surface;
}

struct wlr_surface *mw_lock_surface_at(mw_output *output, double x, double y, double *sx, double *sy) {
	if (output->server->over_lock != NULL)
		return mw_window_surface_at(output->server->over_lock, x, y, sx, sy);
	struct wlr_surface *shown = shown_on(output);
	return shown != NULL ? wlr_surface_surface_at(shown, x, y, sx, sy) : NULL;
}

struct wlr_surface *mw_lock_keyboard_focus(mw_server *server) {
	if (server->over_lock != NULL)
		return server->over_lock->surface;
	mw_output *output = mw_output_first(server);
	return output != NULL ? shown_on(output) : NULL;
}
