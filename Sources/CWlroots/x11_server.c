/* How the process of Xwayland ends: what wlroots would close or end a second time then. */
#include "x11.h"

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

void mw_x11_server_watch(struct mw_xwayland *xwayland) {
	/* After wlroots' own listener, which reads the descriptor. */
	mw_listen(&xwayland->wlr->server->events.ready, &xwayland->server_ready, on_server_ready);
}

/* Of an Xwayland that did not come up wlroots keeps the client, and ends it once more when it reads that it did not. */
void mw_xwayland_client_gone(mw_server *server, const struct wl_client *client) {
	if (mw_xwayland_is_client(server, client) && server->xwayland->wlr->server->pipe_source != NULL)
		server->xwayland->wlr->server->client = NULL;
}
