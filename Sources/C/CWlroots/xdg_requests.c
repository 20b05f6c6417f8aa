/* C until windows move to Swift, like xdg.c. */
/* xdg-shell: names and requests of toplevels. */
#include "xdg.h"

static void on_title(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, set_title);
	mw_window_report_renamed(toplevel->window);
}

static void on_app_id(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, set_app_id);
	mw_window_report_renamed(toplevel->window);
}

#if !WLR18
/* 0.15 accepts cycles. Many clients set a parent before they map it. defects.c handles the end of a parent that
 * was never mapped. */
void mw_xdg_check_parent(struct toplevel *toplevel) {
	struct wlr_xdg_surface *self = toplevel->xdg->base, *parent = toplevel->xdg->parent;
	if (parent == NULL)
		return;
	bool bad = false;
	for (int depth = 0; !bad && parent != NULL; depth++) {
		bad = parent == self || depth > 64;
		parent = parent->toplevel != NULL ? parent->toplevel->parent : NULL;
	}
	if (bad)
		wlr_xdg_toplevel_set_parent(self, NULL);
}
#endif

#if WLR18
void mw_xdg_forget_named(struct toplevel *toplevel) {
	mw_unlisten(&toplevel->named_parent_destroy);
	toplevel->named_parent = NULL;
}

static void on_named_parent_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, named_parent_destroy);
	mw_xdg_forget_named(toplevel);
	mw_window_report_renamed(toplevel->window);
}

/* Many clients set a parent before they map it. */
static void name_parent(struct wlr_xdg_toplevel *xdg, struct wlr_xdg_toplevel *parent) {
	mw_window *window = xdg != NULL ? mw_xdg_window(xdg->base) : NULL;
	if (window == NULL)
		return;
	struct toplevel *toplevel = window->role;
	mw_xdg_forget_named(toplevel);
	if (parent == NULL || parent == xdg || parent->base->surface->mapped)
		return;
	toplevel->named_parent = parent;
	mw_listen(&parent->events.destroy, &toplevel->named_parent_destroy, on_named_parent_destroy);
}

void mw_xdg_parent_named(struct wl_resource *resource, struct wl_resource *parent) {
	name_parent(mw_xdg_toplevel_of(resource), parent != NULL ? mw_xdg_toplevel_of(parent) : NULL);
}

mw_window *mw_xdg_named_parent(mw_window *window) {
	const struct toplevel *toplevel = window->role;
	return toplevel->named_parent != NULL ? mw_xdg_window(toplevel->named_parent->base) : NULL;
}
#endif

void mw_xdg_set_parent(struct wlr_xdg_toplevel *child, struct wlr_xdg_toplevel *parent) {
#if WLR18
	name_parent(child, parent);
	wlr_xdg_toplevel_set_parent(child, parent);
#else
	wlr_xdg_toplevel_set_parent(child->base, parent != NULL ? parent->base : NULL);
#endif
	mw_window *window = mw_xdg_window(child->base);
	if (window != NULL)
		mw_window_report_renamed(window);
}

static void on_parent(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, set_parent);
#if !WLR18
	mw_xdg_check_parent(toplevel);
#endif
	mw_window_report_renamed(toplevel->window);
}

/* The protocol requires a configure in answer, whatever the shell decides and whenever. */
static void owe(struct toplevel *toplevel, int32_t kind, int32_t value) {
	toplevel->owed = true;
	/* At their start, toolkits unset states that were never set. That is not a wish of the user. */
	if (toplevel->window->mapped || value)
		mw_window_report_request(toplevel->window, kind, value);
	if (toplevel->owed && toplevel->begun && mw_xdg_may_configure(toplevel->xdg->base)) {
		toplevel->owed = false;
		wlr_xdg_surface_schedule_configure(toplevel->xdg->base);
	}
}

static void on_request_fullscreen(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, request_fullscreen);
	toplevel->window->state.fullscreen_wanted = toplevel->xdg->requested.fullscreen;
	owe(toplevel, MW_REQUEST_FULLSCREEN, toplevel->xdg->requested.fullscreen);
}

static void on_request_maximize(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, request_maximize);
	owe(toplevel, MW_REQUEST_MAXIMIZE, toplevel->xdg->requested.maximized);
}

static void on_request_minimize(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, request_minimize);
	mw_window_report_request(toplevel->window, MW_REQUEST_MINIMIZE, 1);
}

void mw_xdg_request_with_serial(mw_window *window, int32_t kind, uint32_t serial) {
	struct wl_client *client = wl_resource_get_client(window->toplevel->base->resource);
	int32_t by;
	/* GTK asks with serial 0 or another one while a finger is down. A press on the client itself is proof enough. */
	if ((serial != 0 && mw_seat_serial_held(window->server, client, serial, &by)) || mw_seat_serial_held(window->server, client, 0, &by))
		mw_window_report_request(window, kind, by);
}

static void on_request_move(struct wl_listener *listener, void *data) {
	struct toplevel *toplevel = wl_container_of(listener, toplevel, request_move);
	struct wlr_xdg_toplevel_move_event *event = data;
	mw_xdg_request_with_serial(toplevel->window, MW_REQUEST_MOVE, event->serial);
}

static void on_request_resize(struct wl_listener *listener, void *data) {
	struct toplevel *toplevel = wl_container_of(listener, toplevel, request_resize);
	struct wlr_xdg_toplevel_resize_event *event = data;
	mw_xdg_request_with_serial(toplevel->window, MW_REQUEST_RESIZE | (int32_t)((event->edges & 0xf) << 8), event->serial);
}

void mw_xdg_requests_listen(struct toplevel *toplevel) {
	struct wlr_xdg_toplevel *xdg = toplevel->xdg;
	mw_listen(&xdg->events.set_title, &toplevel->set_title, on_title);
	mw_listen(&xdg->events.set_app_id, &toplevel->set_app_id, on_app_id);
	mw_listen(&xdg->events.set_parent, &toplevel->set_parent, on_parent);
	mw_listen(&xdg->events.request_fullscreen, &toplevel->request_fullscreen, on_request_fullscreen);
	mw_listen(&xdg->events.request_maximize, &toplevel->request_maximize, on_request_maximize);
	mw_listen(&xdg->events.request_minimize, &toplevel->request_minimize, on_request_minimize);
	mw_listen(&xdg->events.request_move, &toplevel->request_move, on_request_move);
	mw_listen(&xdg->events.request_resize, &toplevel->request_resize, on_request_resize);
}
