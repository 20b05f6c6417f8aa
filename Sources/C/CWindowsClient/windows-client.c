/* C, because a protocol's tables are generated as C. They get names of the kit's own. */
#define mullion_window_manager_v1_interface kit_window_manager_v1_interface
#define mullion_window_v1_interface kit_window_v1_interface
/* Only its address is needed, and apps have a table of xdg-shell of their own. */
#define xdg_toplevel_interface kit_xdg_toplevel_interface
#include "protocol/mullion-windows-v1-protocol.c"

const struct wl_interface kit_xdg_toplevel_interface = {.name = "xdg_toplevel", .version = 1};
