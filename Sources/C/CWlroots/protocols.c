/* C until outputs and windows move to Swift: accesses structs that Swift does not see. */
/* Globals with few or no listeners. wlroots frees each with the display. */
#include "internal.h"

#include <stdlib.h>
#include <wlr/types/wlr_data_control_v1.h>
#include <wlr/types/wlr_export_dmabuf_v1.h>
#include <wlr/types/wlr_relative_pointer_v1.h>
#include <wlr/types/wlr_screencopy_v1.h>
#include <wlr/types/wlr_viewporter.h>

/* From zwlr_export_dmabuf_frame_v1, which has no generated header: the event, and its permanent reason. */
#define EXPORT_CANCEL 3
#define EXPORT_PERMANENT 1

struct mw_protocols {
	struct wlr_relative_pointer_manager_v1 *relative_pointer;
	struct wlr_export_dmabuf_manager_v1 *export;
};

struct wlr_relative_pointer_manager_v1 *mw_protocols_relative_pointer(mw_server *server) {
	return server->protocols != NULL ? server->protocols->relative_pointer : NULL;
}

/* ---- queries from Swift ---- */

struct wl_event_loop *mw_server_loop(mw_server *server) {
	return server->loop;
}

struct wlr_session *mw_server_session(mw_server *server) {
	return server->session;
}

struct wlr_output_layout *mw_server_layout(mw_server *server) {
	return server->layout;
}

struct wlr_backend *mw_server_backend(mw_server *server) {
	return server->backend;
}

struct wlr_output *mw_server_first_output(mw_server *server) {
	mw_output *output = mw_output_first(server);
	return output != NULL ? output->wlr : NULL;
}

bool mw_server_is_ending(mw_server *server) { return server->destroying; }

bool mw_output_points(mw_server *server, struct wlr_output *wlr, double *width, double *height) {
	mw_output *output = mw_output_of(server, wlr);
	if (output != NULL)
		mw_output_size(output, width, height);
	return output != NULL;
}

double mw_server_scale(mw_server *server) {
	mw_output *output = mw_output_first(server);
	return output != NULL ? (double)output->wlr->scale : 0;
}

/* ---- globals ---- */

/* 0.15 frees frames together with the output while they still wait for it. */
void mw_protocols_output_gone(mw_server *server, struct wlr_output *output) {
#if WLR18
	(void)server;
	(void)output;
#else
	struct wlr_export_dmabuf_frame_v1 *frame;
	if (server->protocols == NULL || server->protocols->export == NULL)
		return;
	wl_list_for_each(frame, &server->protocols->export->frames, link) {
		if (frame->output != output)
			continue;
		wl_list_remove(&frame->output_commit.link);
		wl_list_init(&frame->output_commit.link);
		frame->output = NULL;
		wl_resource_post_event(frame->resource, EXPORT_CANCEL, EXPORT_PERMANENT);
	}
#endif
}

bool mw_protocols_init(mw_server *server) {
	struct mw_protocols *protocols = calloc(1, sizeof(*protocols));
	if (protocols == NULL)
		return false;
	server->protocols = protocols;
	struct wl_display *display = server->display;
	protocols->relative_pointer = wlr_relative_pointer_manager_v1_create(display);
	wlr_viewporter_create(display);
	wlr_data_device_manager_create(display);
	wlr_data_control_manager_v1_create(display);
	wlr_primary_selection_v1_device_manager_create(display);
	wlr_screencopy_manager_v1_create(display);
	protocols->export = wlr_export_dmabuf_manager_v1_create(display);
	if (!server->on.protocols_begin(server->on.user, server))
		return false;
	return protocols->relative_pointer != NULL;
}

void mw_protocols_finish(mw_server *server) {
	server->on.protocols_end(server->on.user);
	free(server->protocols);
	server->protocols = NULL;
}
