/* C, because it redefines functions of wlroots. wlroots calls them to ask an owner for the content of a paste or a drop, which a Wayland
 * client, an X11 program or the shell itself reads. Compositor/Clients/HeldPastes.swift decides whether the owner has to run first; then
 * it keeps the descriptor, and asks later. */
#include "internal.h"

#include <dlfcn.h>
#include <wlr/types/wlr_primary_selection.h>

/* The program's symbols take precedence over those of libraries, even for calls from libraries. */
#define INSTEAD __attribute__((visibility("default")))
#define WLROOTS(function)                                                                                                                  \
	(__extension__({                                                                                                                       \
		static __typeof__(function) *own;                                                                                                  \
		own != NULL ? own : (own = (__typeof__(own))dlsym(RTLD_NEXT, #function));                                                          \
	}))

INSTEAD void wlr_data_source_send(struct wlr_data_source *source, const char *type, int32_t fd) {
	if (!mw_paste_waits(source, false, type, fd))
		WLROOTS(wlr_data_source_send)(source, type, fd);
}

INSTEAD void wlr_primary_selection_source_send(struct wlr_primary_selection_source *source, const char *type, int fd) {
	if (!mw_paste_waits(source, true, type, fd))
		WLROOTS(wlr_primary_selection_source_send)(source, type, fd);
}

/* The source may be destroyed now. */
INSTEAD void wlr_data_source_dnd_finish(struct wlr_data_source *source) {
	mw_pastes_go(source);
	WLROOTS(wlr_data_source_dnd_finish)(source);
}

void mw_paste_goes(mw_server *server, void *source, bool primary, const char *type, int32_t kept, int32_t fd) {
	mw_requests_resume(server, kept, fd);
	if (primary)
		WLROOTS(wlr_primary_selection_source_send)(source, type, fd);
	else
		WLROOTS(wlr_data_source_send)(source, type, fd);
	mw_requests_resumed(server);
}
