/* For Swift's seat: headers of wlroots, and queries about positions and stalled clients. */
#ifndef MULLION_SEAT_STATE_H
#define MULLION_SEAT_STATE_H

#include "mullion_wayland.h"

#include <wlr/interfaces/wlr_keyboard.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/types/wlr_primary_selection.h>
#include <wlr/types/wlr_virtual_keyboard_v1.h>
#include <wlr/types/wlr_virtual_pointer_v1.h>
#include <wlr/types/wlr_xcursor_manager.h>
#include <wlr/types/wlr_relative_pointer_v1.h>
#include <wlr/types/wlr_output_layout.h>
#include <wlr/types/wlr_tablet_tool.h>
#include <wlr/types/wlr_tablet_v2.h>
#include <wlr/types/wlr_touch.h>
#include <wlr/interfaces/wlr_tablet_tool.h>
#include <libinput.h>
#include <wlr/backend/libinput.h>
#include <wlr/backend/session.h>
#include <linux/input.h>
#if WLR_VERSION_NUM < 0x001200
#include <wlr/interfaces/wlr_input_device.h>
#endif

bool mw_client_stalled(mw_server *server, struct wl_client *client);
struct wlr_relative_pointer_manager_v1 *mw_protocols_relative_pointer(mw_server *server);
/* NULL unless on a console of our own. */
struct wlr_session *mw_server_session(mw_server *server);
struct wlr_output_layout *mw_server_layout(mw_server *server);
/* x, y: in the space of what the locked screen shows. */
struct wlr_surface *mw_lock_surface_at(mw_output *output, double x, double y, double *sx, double *sy);
uint32_t mw_layers_panel_of(mw_server *server, struct wlr_surface *surface); /* 0: none */
/* shown.c: the topmost surface that takes input at a point of the screen, as last drawn; NULL: none. */
struct wlr_surface *mw_drawn_surface_at(mw_server *server, const struct wlr_surface *except, double x, double y, double *sx, double *sy);
bool mw_surface_stalled(mw_server *server, struct wlr_surface *surface); /* whether its client is stalled; false for NULL */
struct wlr_surface *mw_window_surface_at(mw_window *window, double x, double y, double *sx, double *sy);
struct wlr_surface *mw_layers_surface_at(mw_output *output, int32_t first_layer, int32_t last_layer, double x, double y, double *sx,
										 double *sy);
struct wlr_surface *mw_lock_keyboard_focus(mw_server *server);

#endif
