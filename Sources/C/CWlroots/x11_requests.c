/* What X11 windows are called, and what they ask for. */
#include "x11.h"

static void on_request_configure(struct wl_listener *listener, void *data) {
	struct x11 *item = wl_container_of(listener, item, request_configure);
	struct wlr_xwayland_surface_configure_event *event = data;
	mw_window *window = item->window;
	if (window == NULL || !window->configured || item->x->override_redirect) {
		wlr_xwayland_surface_configure(item->x, event->x, event->y, mw_x11_clamp(event->width), mw_x11_clamp(event->height));
		return;
	}
	/* Where it is and, if arranged, how large it is, is the shell's to say. */
	const struct mw_configure *wanted = &window->wanted;
	wlr_xwayland_surface_configure(item->x, wanted->x, wanted->y,
		mw_x11_clamp(wanted->width > 0 ? wanted->width : event->width),
		mw_x11_clamp(wanted->height > 0 ? wanted->height : event->height));
}

static void on_request_fullscreen(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, request_fullscreen);
	if (item->window == NULL)
		return;
	item->window->state.fullscreen_wanted = item->x->fullscreen;
	mw_window_report_request(item->window, MW_REQUEST_FULLSCREEN, item->x->fullscreen);
}

static void on_request_maximize(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, request_maximize);
	if (item->window == NULL)
		return;
	mw_window_report_request(item->window, MW_REQUEST_MAXIMIZE, item->x->maximized_horz && item->x->maximized_vert);
	/* Its own wish is not granted by asking: the state says again what the shell said. */
	if (item->window->configured)
		wlr_xwayland_surface_set_maximized(item->x, item->window->wanted.arranged);
}

static void on_request_minimize(struct wl_listener *listener, void *data) {
	struct x11 *item = wl_container_of(listener, item, request_minimize);
	struct wlr_xwayland_minimize_event *event = data;
	if (item->window != NULL && event->minimize)
		mw_window_report_request(item->window, MW_REQUEST_MINIMIZE, 1);
}

static void on_request_activate(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, request_activate);
	if (item->window != NULL)
		mw_window_report_request(item->window, MW_REQUEST_ACTIVATE, 0);
}

/* X11 gives no serial; only a window that a person holds just now may ask. */
static void request_while_held(struct x11 *item, int32_t kind) {
	if (item->window != NULL && item->x->surface != NULL &&
			mw_seat_serial_held(item->window->server, wl_resource_get_client(item->x->surface->resource), 0, NULL))
		mw_window_report_request(item->window, kind, -2);
}

static void on_request_move(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, request_move);
	request_while_held(item, MW_REQUEST_MOVE);
}

static void on_request_resize(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, request_resize);
	request_while_held(item, MW_REQUEST_RESIZE);
}

static void renamed(struct x11 *item) {
	if (item->window != NULL)
		mw_window_report_renamed(item->window);
}

static void on_title(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, set_title);
	renamed(item);
}

static void on_class(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, set_class);
	renamed(item);
}

static void on_parent(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, set_parent);
	renamed(item);
}

#if !WLR18
static void on_pid(struct wl_listener *listener, void *data) {
	(void)data;
	struct x11 *item = wl_container_of(listener, item, set_pid);
	renamed(item);
}
#endif

void mw_x11_requests_listen(struct x11 *item) {
	struct wlr_xwayland_surface *x = item->x;
	mw_listen(&x->events.request_configure, &item->request_configure, on_request_configure);
	mw_listen(&x->events.request_fullscreen, &item->request_fullscreen, on_request_fullscreen);
	mw_listen(&x->events.request_maximize, &item->request_maximize, on_request_maximize);
	mw_listen(&x->events.request_minimize, &item->request_minimize, on_request_minimize);
	mw_listen(&x->events.request_activate, &item->request_activate, on_request_activate);
	mw_listen(&x->events.request_move, &item->request_move, on_request_move);
	mw_listen(&x->events.request_resize, &item->request_resize, on_request_resize);
	mw_listen(&x->events.set_title, &item->set_title, on_title);
	mw_listen(&x->events.set_class, &item->set_class, on_class);
	mw_listen(&x->events.set_parent, &item->set_parent, on_parent);
#if !WLR18
	mw_listen(&x->events.set_pid, &item->set_pid, on_pid);
#endif
}
