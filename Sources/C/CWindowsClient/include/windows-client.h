/*
 * What MullionKit needs of libwayland to speak mullion_windows_v1 on a connection that a toolkit made. The tables have names
 * of their own: the shell is linked with MullionKit, and has the same tables.
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

typedef void (*kit_flags_callback)(void *data, uint32_t flags);
typedef void (*kit_choice_callback)(void *data, uint32_t choice);
typedef void (*kit_pinch_callback)(void *data, uint32_t id, const char *token);

/*
 * The manager of a display; NULL if its shell has none. Asks the shell once and waits for the answer, without touching other
 * events. Afterwards `flags` is called by whoever dispatches the display, and once before this function returns if the shell
 * is of version 2.
 */
struct mullion_window_manager_v1 *kit_windows_manager(struct wl_display *display, kit_flags_callback flags, void *data);

/* NULL: out of memory, or the shell is of version 1, which needs the xdg_toplevel. */
struct mullion_window_v1 *kit_window_of_surface(struct mullion_window_manager_v1 *manager, struct wl_surface *surface);

void kit_window_listen(struct mullion_window_v1 *window, kit_choice_callback answered, kit_pinch_callback pinched, void *data);

/* No callback comes afterwards. */
void kit_window_destroy(struct mullion_window_v1 *window);

#endif
