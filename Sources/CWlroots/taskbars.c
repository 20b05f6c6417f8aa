/* What taskbars know of the windows (wlr-foreign-toplevel-management), and what they ask for. */
#include "globals.h"

void mw_taskbars_forget(mw_window *window) {
	window->server->on.toplevel_unlisted(window->server->on.user, window);
	for (size_t i = 0; i < MW_COUNT(window->handle_request); i++)
		mw_unlisten(&window->handle_request[i]);
	if (window->handle != NULL)
		wlr_foreign_toplevel_handle_v1_destroy(window->handle);
	window->handle = NULL;
}

void mw_taskbars_tell(mw_window *window) {
	if (window->handle == NULL)
		return;
	wlr_foreign_toplevel_handle_v1_set_maximized(window->handle, window->wanted.arranged);
	wlr_foreign_toplevel_handle_v1_set_fullscreen(window->handle, window->wanted.fullscreen);
}

static void on_handle_maximize(struct wl_listener *listener, void *data) {
	mw_window *window = wl_container_of(listener, window, handle_request[0]);
	struct wlr_foreign_toplevel_handle_v1_maximized_event *event = data;
	mw_window_report_request(window, MW_REQUEST_MAXIMIZE, event->maximized);
}

static void on_handle_minimize(struct wl_listener *listener, void *data) {
	mw_window *window = wl_container_of(listener, window, handle_request[1]);
	struct wlr_foreign_toplevel_handle_v1_minimized_event *event = data;
	if (event->minimized)
		mw_window_report_request(window, MW_REQUEST_MINIMIZE, 1);
	else
		mw_window_report_request(window, MW_REQUEST_ACTIVATE, 1);
}

static void on_handle_activate(struct wl_listener *listener, void *data) {
	(void)data;
	mw_window *window = wl_container_of(listener, window, handle_request[2]);
	mw_window_report_request(window, MW_REQUEST_ACTIVATE, 1);
}

static void on_handle_fullscreen(struct wl_listener *listener, void *data) {
	mw_window *window = wl_container_of(listener, window, handle_request[3]);
	struct wlr_foreign_toplevel_handle_v1_fullscreen_event *event = data;
	window->state.fullscreen_wanted = event->fullscreen;
	mw_window_report_request(window, MW_REQUEST_FULLSCREEN, event->fullscreen);
}

static void on_handle_close(struct wl_listener *listener, void *data) {
	(void)data;
	mw_window *window = wl_container_of(listener, window, handle_request[4]);
	mw_window_report_request(window, MW_REQUEST_CLOSE, 0);
}

void mw_window_announce(mw_window *window, bool activated, bool visible) {
	window->shown = visible;
	window->activated = activated;
	if (visible && window->toplevel != NULL)
		mw_xdg_in_sight(window);
	mw_protocols_sight_changed(window->server);
	struct wlr_foreign_toplevel_manager_v1 *manager = mw_protocols_foreign_toplevel(window->server);
	if (!window->mapped || manager == NULL || mw_lock_is_locked(window->server))
		return;
	if (window->handle == NULL) {
		window->handle = wlr_foreign_toplevel_handle_v1_create(manager);
		if (window->handle == NULL)
			return;
		struct wlr_foreign_toplevel_handle_v1 *handle = window->handle;
		mw_listen(&handle->events.request_maximize, &window->handle_request[0], on_handle_maximize);
		mw_listen(&handle->events.request_minimize, &window->handle_request[1], on_handle_minimize);
		mw_listen(&handle->events.request_activate, &window->handle_request[2], on_handle_activate);
		mw_listen(&handle->events.request_fullscreen, &window->handle_request[3], on_handle_fullscreen);
		mw_listen(&handle->events.request_close, &window->handle_request[4], on_handle_close);
		struct mw_window_info info;
		mw_window_fill_info(window, &info);
		wlr_foreign_toplevel_handle_v1_set_title(handle, info.title);
		wlr_foreign_toplevel_handle_v1_set_app_id(handle, info.app_id);
		mw_window *parent = mw_window_parent(window);
		wlr_foreign_toplevel_handle_v1_set_parent(handle, parent != NULL ? parent->handle : NULL);
	}
	/* Not seen is minimized, not elsewhere: taskbars list only what is on their output. */
	mw_output *output = mw_output_first(window->server);
	if (output != NULL)
		wlr_foreign_toplevel_handle_v1_output_enter(window->handle, output->wlr);
	wlr_foreign_toplevel_handle_v1_set_activated(window->handle, activated);
	wlr_foreign_toplevel_handle_v1_set_minimized(window->handle, !visible);
	mw_taskbars_tell(window);
}

static void tell_parent(mw_window *window) {
	mw_window *parent = mw_window_parent(window);
	if (window->handle != NULL && parent != NULL && parent->handle != NULL)
		wlr_foreign_toplevel_handle_v1_set_parent(window->handle, parent->handle);
}

void mw_taskbars_locked(mw_server *server, bool locked) {
	mw_window *window;
	wl_list_for_each(window, &server->windows, link) {
		if (locked) {
			mw_taskbars_forget(window);
		} else if (window->mapped) {
			server->on.toplevel_listed(server->on.user, window);
			mw_window_announce(window, window->activated, window->shown);
		}
	}
	wl_list_for_each(window, &server->windows, link)
		tell_parent(window);
}
