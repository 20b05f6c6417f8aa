// C, like libwayland's glue code: the generated client side of the protocols, and code that Swift cannot express.
#pragma once
#include <sys/types.h>
#include <wayland-client.h>

#include "../protocol/presentation-time-client-protocol.h"
#include "../protocol/wlr-virtual-pointer-unstable-v1-client-protocol.h"
#include "../protocol/xdg-shell-client-protocol.h"

// Swift compiles the module without _GNU_SOURCE, which hides this function.
int memfd_create(const char *name, unsigned flags);

// Swift cannot take the address of a C constant.
#define ADDRESS(name)                                                                                                                      \
	static inline const struct wl_interface *bench_##name(void) { return &name##_interface; }
ADDRESS(wl_compositor)
ADDRESS(wl_shm)
ADDRESS(wl_seat)
ADDRESS(xdg_wm_base)
ADDRESS(wp_presentation)
ADDRESS(zwlr_virtual_pointer_manager_v1)
#undef ADDRESS
