/*
 * The part of libwayland that MullionKit needs to speak mullion_windows_v1 on a connection that a toolkit made. The tables have names of
 * their own: the shell is linked with MullionKit, and has the same tables.
 */
#ifndef MULLION_WINDOWS_CLIENT_H
#define MULLION_WINDOWS_CLIENT_H

#include <stdint.h>
#include <wayland-client.h>

#define mullion_window_manager_v1_interface kit_window_manager_v1_interface
#define mullion_window_v1_interface kit_window_v1_interface
#include "../protocol/mullion-windows-v1-client-protocol.h"
#undef mullion_window_manager_v1_interface
#undef mullion_window_v1_interface

static inline const struct wl_interface *kit_manager_interface(void) { return &kit_window_manager_v1_interface; }

#endif
