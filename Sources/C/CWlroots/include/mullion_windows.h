/* Windows, popups and panels, as C and Swift both know them: what each asks of the other. */
#ifndef MULLION_WINDOWS_H
#define MULLION_WINDOWS_H

#include "mullion_wayland.h"

mw_server *mw_output_server(mw_output *output);
/* The surface at the foot of subsurfaces and popups; NULL if the chain is broken. */
struct wlr_surface *mw_surface_root(struct wlr_surface *surface);
/* stalled.c: its client reads, and may be told one more than these, which it has not answered. */
bool mw_may_tell(mw_server *server, struct wlr_surface *surface, const struct wl_list *configures);

#endif
