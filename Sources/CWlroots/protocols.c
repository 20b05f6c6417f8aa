/* Globals that need no listening, or little. wlroots frees each with the display. */
#include "internal.h"

#include <stdlib.h>
#include <wlr/types/wlr_data_control_v1.h>
#include <wlr/types/wlr_export_dmabuf_v1.h>
#include <wlr/types/wlr_idle_inhibit_v1.h>
#include <wlr/types/wlr_relative_pointer_v1.h>
#include <wlr/types/wlr_screencopy_v1.h>
#include <wlr/types/wlr_viewporter.h>
#if WLR18
#include <wlr/types/wlr_idle_notify_v1.h>
#include <wlr/types/wlr_single_pixel_buffer_v1.h>
#else
#include <wlr/types/wlr_idle.h>
#endif

struct mw_protocols {
	struct wlr_foreign_toplevel_manager_v1 *foreign_toplevel;
	struct wlr_relative_pointer_manager_v1 *relative_pointer;
#if WLR18
	struct wlr_idle_notifier_v1 *idle;
#else
	struct wlr_idle *idle;
#endif
};

struct wlr_foreign_toplevel_manager_v1 *mw_protocols_foreign_toplevel(mw_server *server) {
	return server->protocols != NULL ? server->protocols->foreign_toplevel : NULL;
}

struct wlr_relative_pointer_manager_v1 *mw_protocols_relative_pointer(mw_server *server) {
	return server->protocols != NULL ? server->protocols->relative_pointer : NULL;
}

void mw_protocols_activity(mw_server *server) {
	if (server->protocols == NULL || server->protocols->idle == NULL || server->seat == NULL)
		return;
#if WLR18
	wlr_idle_notifier_v1_notify_activity(server->protocols->idle, mw_seat_wlr(server));
#else
	wlr_idle_notify_activity(server->protocols->idle, mw_seat_wlr(server));
#endif
	mw_activation_note_tokens(server);
}

bool mw_protocols_init(mw_server *server) {
	struct mw_protocols *protocols = calloc(1, sizeof(*protocols));
	if (protocols == NULL)
		return false;
	server->protocols = protocols;
	struct wl_display *display = server->display;
	protocols->foreign_toplevel = wlr_foreign_toplevel_manager_v1_create(display);
	protocols->relative_pointer = wlr_relative_pointer_manager_v1_create(display);
#if WLR18
	protocols->idle = wlr_idle_notifier_v1_create(display);
	wlr_single_pixel_buffer_manager_v1_create(display);
#else
	protocols->idle = wlr_idle_create(display);
#endif
	server->presentation = wlr_presentation_create(display, server->backend);
	wlr_viewporter_create(display);
	wlr_data_device_manager_create(display);
	wlr_data_control_manager_v1_create(display);
	wlr_primary_selection_v1_device_manager_create(display);
	wlr_screencopy_manager_v1_create(display);
	wlr_export_dmabuf_manager_v1_create(display);
	wlr_idle_inhibit_v1_create(display);
	return protocols->foreign_toplevel != NULL && protocols->relative_pointer != NULL && server->presentation != NULL;
}

void mw_protocols_finish(mw_server *server) {
	free(server->protocols);
	server->protocols = NULL;
}
