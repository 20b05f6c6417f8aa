/* How the process of Xwayland ends: what wlroots would close or end a second time then. */
#include "x11.h"

#include "seat.h"

#if !WLR18
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>
#endif

/*
 * The window manager's connection is libxcb's by now, which closes it at its end. wlroots closes it as well, and the
 * second to do so closes what has got its number since: the descriptor by which X11's next client is waited for. The
 * loop would go on watching that, for somebody whose memory is freed.
 */
static void on_server_ready(struct wl_listener *listener, void *data) {
	(void)listener;
	struct wlr_xwayland_server_ready_event *event = data;
	event->server->wm_fd[0] = -1;
	/* If Xwayland lived for less than five seconds wlroots would wait for no next client, ever. */
	event->server->server_start = 0;
}

/* ---- the end of the window manager's connection ---- */

#if !WLR18
static void remove_listeners_in(struct wl_signal *signal, const char *object) {
	struct wl_listener *listener, *next;
	wl_list_for_each_safe(listener, next, &signal->listener_list, link) {
		const char *place = (const char *)listener;
		if (place >= object && place < object + malloc_usable_size((void *)object))
			mw_unlisten(listener);
	}
}

/* The window manager of 0.15 goes on listening to a drag that goes on after its own end. */
static void leave_drag(mw_seat *seat, const struct wlr_xwm *xwm) {
	const char *object = (const char *)xwm;
	if (seat->drag != NULL) {
		remove_listeners_in(&seat->drag->events.focus, object);
		remove_listeners_in(&seat->drag->events.motion, object);
		remove_listeners_in(&seat->drag->events.drop, object);
		remove_listeners_in(&seat->drag->events.destroy, object);
		if (seat->drag->source != NULL)
			remove_listeners_in(&seat->drag->source->events.destroy, object);
	}
	if (seat->wlr->drag_source != NULL)
		remove_listeners_in(&seat->wlr->drag_source->events.destroy, object);
}
#endif

/* One that ends by itself has both its connections end, in any order. */
#define ITS_OWN_END_MS 1000

static int end_unmanaged(void *data) {
	struct mw_xwayland *xwayland = data;
	struct wlr_xwayland_server *server = xwayland->wlr->server;
	if (xwayland->wlr->xwm != NULL || server == NULL || server->client == NULL || server->pid != xwayland->unmanaged)
		return 0;
	xwayland->server->on.log(xwayland->server->on.user, WLR_ERROR,
		"Xwayland has ended its window manager's connection, as an X11 program may ask: it is ended");
	wl_client_destroy(server->client);
	return 0;
}

/*
 * The last that wlroots' window manager does. An X11 program may ask for its end (KillClient): Xwayland would go on without
 * one, and no X11 window would be seen until its last program has ended.
 */
INSTEAD void xcb_disconnect(xcb_connection_t *connection) {
	struct mw_xwayland *xwayland = mw_x11_of(connection);
	if (xwayland != NULL) {
#if !WLR18
		if (xwayland->server->seat != NULL)
			leave_drag(xwayland->server->seat, xwayland->wlr->xwm);
#endif
		/* 0.18 has none any more when the shell ends. */
		struct wlr_xwayland_server *server = xwayland->server->destroying ? NULL : xwayland->wlr->server;
		if (server != NULL && xwayland->ending == NULL)
			xwayland->ending = wl_event_loop_add_timer(wl_display_get_event_loop(xwayland->server->display), end_unmanaged, xwayland);
		if (server != NULL && xwayland->ending != NULL) {
			xwayland->unmanaged = server->pid;
			wl_event_source_timer_update(xwayland->ending, ITS_OWN_END_MS);
		}
		/* Nobody writes to it later. */
		mw_x11_lists_end(xwayland);
		mw_x11_answers_over(xwayland);
	}
	mw_x11_access_disconnected(connection);
	LIBXCB(xcb_disconnect)(connection);
}

#if !WLR18
/*
 * A child of ours waits until Xwayland is ready, and has the shell's end of Xwayland's connection open all the time: if the shell
 * ended meanwhile, both would wait for each other for ever.
 */
static void end_waiting(const struct wlr_xwayland_server *server) {
	if (server == NULL || server->pipe_source == NULL || server->pid <= 0)
		return;
	kill(server->pid, SIGKILL);
	while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
#endif

void mw_x11_server_finish(struct mw_xwayland *xwayland) {
#if !WLR18
	end_waiting(xwayland->wlr->server);
#endif
	if (xwayland->ending != NULL)
		wl_event_source_remove(xwayland->ending);
	xwayland->ending = NULL;
}

void mw_x11_server_watch(struct mw_xwayland *xwayland) {
	/* After wlroots' own listener, which reads the descriptor. */
	mw_listen(&xwayland->wlr->server->events.ready, &xwayland->server_ready, on_server_ready);
}

/* Of an Xwayland that did not come up wlroots keeps the client, and ends it once more when it reads that it did not. */
void mw_xwayland_client_gone(mw_server *server, const struct wl_client *client) {
	if (mw_xwayland_is_client(server, client) && server->xwayland->wlr->server->pipe_source != NULL)
		server->xwayland->wlr->server->client = NULL;
}
