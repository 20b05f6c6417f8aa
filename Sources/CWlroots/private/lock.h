/* What lock.c, which knows when the session is locked, and session_lock.c, which speaks the protocol, share. */
#ifndef MULLION_LOCK_H
#define MULLION_LOCK_H

#include "internal.h"

/* A client's hold on the session, and one of its surfaces: session_lock.c's own structs. */
struct mw_locker;
struct mw_lock_wire;

/* session_lock.c */
bool mw_session_lock_init(mw_server *server);
void mw_session_lock_finish(mw_server *server);
void mw_locker_send_locked(struct mw_locker *locker);
void mw_lock_wire_configure(struct mw_lock_wire *wire, uint32_t width, uint32_t height);
bool mw_lock_wire_is_mapped(const struct mw_lock_wire *wire);

/* lock.c, told by session_lock.c. */
/* False: somebody else holds the session, and this one is finished before it began. */
bool mw_lock_begin(mw_server *server, struct mw_locker *locker);
void mw_lock_unlock(mw_server *server, struct mw_locker *locker);
/* The client died or gave up. Unless it unlocked, a session that was locked stays so. */
void mw_lock_locker_gone(mw_server *server, struct mw_locker *locker);
void mw_lock_surface_added(mw_server *server, struct mw_locker *locker, struct mw_lock_wire *wire, struct wlr_surface *surface,
	struct wlr_output *output);
void mw_lock_surface_removed(mw_server *server, struct mw_lock_wire *wire);
void mw_lock_surface_committed(mw_server *server, struct mw_lock_wire *wire);

#endif
