/*
 * ext-session-lock: the protocol by which a locker takes the session. wlroots 0.18 speaks it; for 0.15 it is spoken here.
 * What it means is lock.c's.
 */
#include "lock.h"

#include <stdlib.h>

#if WLR18

#include <wlr/types/wlr_session_lock_v1.h>

struct mw_session_lock {
	mw_server *server;
	struct wl_list lockers, wires;
	struct wl_listener new_lock;
};

struct mw_locker {
	struct wl_list link;
	mw_server *server;
	struct wlr_session_lock_v1 *wlr;
	struct wl_listener new_surface, unlock, destroy;
};

struct mw_lock_wire {
	struct wl_list link;
	mw_server *server;
	struct wlr_session_lock_surface_v1 *wlr;
	struct wl_listener map, commit, destroy;
};

void mw_locker_send_locked(struct mw_locker *locker) {
	wlr_session_lock_v1_send_locked(locker->wlr);
}

void mw_lock_wire_configure(struct mw_lock_wire *wire, uint32_t width, uint32_t height) {
	wlr_session_lock_surface_v1_configure(wire->wlr, width, height);
}

bool mw_lock_wire_is_mapped(const struct mw_lock_wire *wire) {
	return wire->wlr->surface->mapped;
}

static void wire_free(struct mw_lock_wire *wire) {
	mw_unlisten(&wire->map);
	mw_unlisten(&wire->commit);
	mw_unlisten(&wire->destroy);
	wl_list_remove(&wire->link);
	free(wire);
}

static void on_surface_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_lock_wire *wire = wl_container_of(listener, wire, destroy);
	mw_lock_surface_removed(wire->server, wire);
	wire_free(wire);
}

static void on_surface_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_lock_wire *wire = wl_container_of(listener, wire, map);
	mw_lock_surface_committed(wire->server, wire);
}

static void on_surface_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_lock_wire *wire = wl_container_of(listener, wire, commit);
	mw_lock_surface_committed(wire->server, wire);
}

static void on_new_surface(struct wl_listener *listener, void *data) {
	struct mw_locker *locker = wl_container_of(listener, locker, new_surface);
	struct wlr_session_lock_surface_v1 *wlr = data;
	struct mw_lock_wire *wire = calloc(1, sizeof(*wire));
	if (wire == NULL) {
		wl_resource_post_no_memory(wlr->resource);
		return;
	}
	wire->server = locker->server;
	wire->wlr = wlr;
	wl_list_insert(&locker->server->session_lock->wires, &wire->link);
	mw_listen(&wlr->surface->events.map, &wire->map, on_surface_map);
	mw_listen(&wlr->surface->events.commit, &wire->commit, on_surface_commit);
	mw_listen(&wlr->events.destroy, &wire->destroy, on_surface_destroy);
	mw_lock_surface_added(wire->server, locker, wire, wlr->surface, wlr->output);
}

static void locker_free(struct mw_locker *locker) {
	mw_unlisten(&locker->new_surface);
	mw_unlisten(&locker->unlock);
	mw_unlisten(&locker->destroy);
	wl_list_remove(&locker->link);
	free(locker);
}

static void on_unlock(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_locker *locker = wl_container_of(listener, locker, unlock);
	mw_lock_unlock(locker->server, locker);
}

static void on_lock_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_locker *locker = wl_container_of(listener, locker, destroy);
	mw_lock_locker_gone(locker->server, locker);
	locker_free(locker);
}

static void on_new_lock(struct wl_listener *listener, void *data) {
	struct mw_session_lock *lock = wl_container_of(listener, lock, new_lock);
	struct wlr_session_lock_v1 *wlr = data;
	struct mw_locker *locker = calloc(1, sizeof(*locker));
	if (locker == NULL) {
		wlr_session_lock_v1_destroy(wlr);
		return;
	}
	locker->server = lock->server;
	locker->wlr = wlr;
	wl_list_insert(&lock->lockers, &locker->link);
	mw_listen(&wlr->events.new_surface, &locker->new_surface, on_new_surface);
	mw_listen(&wlr->events.unlock, &locker->unlock, on_unlock);
	mw_listen(&wlr->events.destroy, &locker->destroy, on_lock_destroy);
	if (!mw_lock_begin(lock->server, locker))
		wlr_session_lock_v1_destroy(wlr);   /* tells it that it is finished */
}

bool mw_session_lock_init(mw_server *server) {
	struct mw_session_lock *lock = server->session_lock = calloc(1, sizeof(*lock));
	if (lock == NULL)
		return false;
	lock->server = server;
	wl_list_init(&lock->lockers);
	wl_list_init(&lock->wires);
	struct wlr_session_lock_manager_v1 *manager = wlr_session_lock_manager_v1_create(server->display);
	if (manager == NULL)
		return false;
	mw_listen(&manager->events.new_lock, &lock->new_lock, on_new_lock);
	return true;
}

void mw_session_lock_finish(mw_server *server) {
	struct mw_session_lock *lock = server->session_lock;
	if (lock == NULL)
		return;
	mw_unlisten(&lock->new_lock);
	struct mw_lock_wire *wire, *next_wire;
	wl_list_for_each_safe(wire, next_wire, &lock->wires, link)
		wire_free(wire);
	struct mw_locker *locker, *next;
	wl_list_for_each_safe(locker, next, &lock->lockers, link)
		locker_free(locker);
	server->session_lock = NULL;
	free(lock);
}

#else

#include "ext-session-lock-v1-protocol.h"

struct mw_session_lock {
	mw_server *server;
	struct wl_global *global;
	struct wl_list lockers;
};

struct mw_locker {
	struct wl_list link;
	mw_server *server;
	struct wl_resource *resource;
	struct wl_list wires;
	bool locked_sent;
};

struct sent { uint32_t serial, width, height; };

struct mw_lock_wire {
	struct wl_list link;                 /* mw_locker.wires; alone once the locker is gone */
	mw_server *server;
	struct wl_resource *resource;
	struct wlr_surface *surface;
	struct wlr_output *output;           /* NULL: of no screen that is there */
	struct sent sent[8];                 /* not answered yet, oldest first */
	size_t sent_count;
	struct sent acked;
	bool is_acked, mapped;
	struct wl_listener surface_destroy, output_destroy;
};

/* ---- surfaces ---- */

bool mw_lock_wire_is_mapped(const struct mw_lock_wire *wire) {
	return wire->mapped;
}

void mw_lock_wire_configure(struct mw_lock_wire *wire, uint32_t width, uint32_t height) {
	if (wire->sent_count == MW_COUNT(wire->sent)) {
		/* Answers nothing; the oldest cannot be answered any more. */
		for (size_t i = 1; i < MW_COUNT(wire->sent); i++)
			wire->sent[i - 1] = wire->sent[i];
		wire->sent_count--;
	}
	struct sent sent = { wl_display_next_serial(wire->server->display), width, height };
	wire->sent[wire->sent_count++] = sent;
	ext_session_lock_surface_v1_send_configure(wire->resource, sent.serial, width, height);
}

static void wire_free(struct mw_lock_wire *wire) {
	mw_lock_surface_removed(wire->server, wire);
	mw_unlisten(&wire->surface_destroy);
	mw_unlisten(&wire->output_destroy);
	wl_resource_set_user_data(wire->resource, NULL);
	if (wire->surface->role_data == wire)
		wire->surface->role_data = NULL;
	wl_list_remove(&wire->link);
	free(wire);
}

static void on_surface_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_lock_wire *wire = wl_container_of(listener, wire, surface_destroy);
	wire_free(wire);
}

static void on_output_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_lock_wire *wire = wl_container_of(listener, wire, output_destroy);
	mw_unlisten(&wire->output_destroy);
	wire->output = NULL;
}

static void role_commit(struct wlr_surface *surface) {
	struct mw_lock_wire *wire = surface->role_data;
	if (wire == NULL)
		return;
	uint32_t error = 0;
	const char *why = NULL;
	if (!wire->is_acked) {
		error = EXT_SESSION_LOCK_SURFACE_V1_ERROR_COMMIT_BEFORE_FIRST_ACK;
		why = "committed before the first configure was answered";
	} else if (!wlr_surface_has_buffer(surface)) {
		error = EXT_SESSION_LOCK_SURFACE_V1_ERROR_NULL_BUFFER;
		why = "committed without a buffer";
	} else if (surface->current.width != (int)wire->acked.width || surface->current.height != (int)wire->acked.height) {
		error = EXT_SESSION_LOCK_SURFACE_V1_ERROR_DIMENSIONS_MISMATCH;
		why = "not of the size that was asked for";
	}
	if (why != NULL) {
		wire->mapped = false;
		wl_resource_post_error(wire->resource, error, "%s", why);
		return;
	}
	wire->mapped = true;
	mw_lock_surface_committed(wire->server, wire);
}

static const struct wlr_surface_role surface_role = {
	.name = "ext_session_lock_surface_v1",
	.commit = role_commit,
};

static void destroy_resource(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static void ack_configure(struct wl_client *client, struct wl_resource *resource, uint32_t serial) {
	(void)client;
	struct mw_lock_wire *wire = wl_resource_get_user_data(resource);
	if (wire == NULL)
		return;
	for (size_t i = 0; i < wire->sent_count; i++) {
		if (wire->sent[i].serial != serial)
			continue;
		wire->acked = wire->sent[i];
		wire->is_acked = true;
		wire->sent_count -= i + 1;
		for (size_t j = 0; j < wire->sent_count; j++)
			wire->sent[j] = wire->sent[i + 1 + j];
		return;
	}
	wl_resource_post_error(resource, EXT_SESSION_LOCK_SURFACE_V1_ERROR_INVALID_SERIAL, "no configure of this serial waits");
}

static const struct ext_session_lock_surface_v1_interface surface_implementation = {
	.destroy = destroy_resource,
	.ack_configure = ack_configure,
};

static void on_wire_resource_destroy(struct wl_resource *resource) {
	struct mw_lock_wire *wire = wl_resource_get_user_data(resource);
	if (wire != NULL)
		wire_free(wire);
}

static bool has_surface_on(struct mw_locker *locker, struct wlr_output *output) {
	struct mw_lock_wire *wire;
	wl_list_for_each(wire, &locker->wires, link) {
		if (output != NULL && wire->output == output)
			return true;
	}
	return false;
}

static void get_lock_surface(struct wl_client *client, struct wl_resource *resource, uint32_t id,
		struct wl_resource *surface_resource, struct wl_resource *output_resource) {
	struct mw_locker *locker = wl_resource_get_user_data(resource);
	struct wlr_surface *surface = wlr_surface_from_resource(surface_resource);
	struct wlr_output *output = wlr_output_from_resource(output_resource);
	bool attached = surface->pending.committed & WLR_SURFACE_STATE_BUFFER && surface->pending.buffer != NULL;
	if (wlr_surface_has_buffer(surface) || attached) {
		wl_resource_post_error(resource, EXT_SESSION_LOCK_V1_ERROR_ALREADY_CONSTRUCTED, "the surface has a buffer");
		return;
	}
	if (has_surface_on(locker, output)) {
		wl_resource_post_error(resource, EXT_SESSION_LOCK_V1_ERROR_DUPLICATE_OUTPUT, "the output has a lock surface");
		return;
	}
	struct mw_lock_wire *wire = calloc(1, sizeof(*wire));
	struct wl_resource *made = wl_resource_create(client, &ext_session_lock_surface_v1_interface,
		wl_resource_get_version(resource), id);
	if (wire == NULL || made == NULL) {
		wl_client_post_no_memory(client);
		free(wire);
		if (made != NULL)
			wl_resource_destroy(made);
		return;
	}
	wl_resource_set_implementation(made, &surface_implementation, NULL, on_wire_resource_destroy);
	if (!wlr_surface_set_role(surface, &surface_role, wire, resource, EXT_SESSION_LOCK_V1_ERROR_ROLE)) {
		free(wire);
		return;
	}
	wire->server = locker->server;
	wire->resource = made;
	wire->surface = surface;
	wire->output = output;
	wl_resource_set_user_data(made, wire);
	wl_list_insert(&locker->wires, &wire->link);
	mw_listen(&surface->events.destroy, &wire->surface_destroy, on_surface_destroy);
	if (output != NULL)
		mw_listen(&output->events.destroy, &wire->output_destroy, on_output_destroy);
	mw_lock_surface_added(wire->server, locker, wire, surface, output);
}

/* ---- the lock ---- */

void mw_locker_send_locked(struct mw_locker *locker) {
	locker->locked_sent = true;
	ext_session_lock_v1_send_locked(locker->resource);
}

static void lock_destroy(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	struct mw_locker *locker = wl_resource_get_user_data(resource);
	if (locker->locked_sent) {
		wl_resource_post_error(resource, EXT_SESSION_LOCK_V1_ERROR_INVALID_DESTROY, "the session is locked");
		return;
	}
	wl_resource_destroy(resource);
}

static void unlock_and_destroy(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	struct mw_locker *locker = wl_resource_get_user_data(resource);
	if (!locker->locked_sent) {
		wl_resource_post_error(resource, EXT_SESSION_LOCK_V1_ERROR_INVALID_UNLOCK, "the session was never said to be locked");
		return;
	}
	mw_lock_unlock(locker->server, locker);
	wl_resource_destroy(resource);
}

static const struct ext_session_lock_v1_interface lock_implementation = {
	.destroy = lock_destroy,
	.get_lock_surface = get_lock_surface,
	.unlock_and_destroy = unlock_and_destroy,
};

static void locker_free(struct mw_locker *locker) {
	/* Its surfaces are shown no more, though their objects may stay. */
	struct mw_lock_wire *wire, *next;
	wl_list_for_each_safe(wire, next, &locker->wires, link)
		wire_free(wire);
	wl_resource_set_user_data(locker->resource, NULL);
	wl_list_remove(&locker->link);
	free(locker);
}

static void on_lock_resource_destroy(struct wl_resource *resource) {
	struct mw_locker *locker = wl_resource_get_user_data(resource);
	if (locker == NULL)
		return;
	mw_lock_locker_gone(locker->server, locker);
	locker_free(locker);
}

static void manager_lock(struct wl_client *client, struct wl_resource *manager, uint32_t id) {
	struct mw_session_lock *lock = wl_resource_get_user_data(manager);
	struct mw_locker *locker = calloc(1, sizeof(*locker));
	struct wl_resource *resource = wl_resource_create(client, &ext_session_lock_v1_interface,
		wl_resource_get_version(manager), id);
	if (locker == NULL || resource == NULL) {
		wl_client_post_no_memory(client);
		free(locker);
		if (resource != NULL)
			wl_resource_destroy(resource);
		return;
	}
	locker->server = lock->server;
	locker->resource = resource;
	wl_list_init(&locker->wires);
	wl_list_insert(&lock->lockers, &locker->link);
	wl_resource_set_implementation(resource, &lock_implementation, locker, on_lock_resource_destroy);
	if (!mw_lock_begin(lock->server, locker))
		ext_session_lock_v1_send_finished(resource);
}

static const struct ext_session_lock_manager_v1_interface manager_implementation = {
	.destroy = destroy_resource,
	.lock = manager_lock,
};

static void on_bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &ext_session_lock_manager_v1_interface, (int)version, id);
	if (resource == NULL)
		wl_client_post_no_memory(client);
	else
		wl_resource_set_implementation(resource, &manager_implementation, data, NULL);
}

bool mw_session_lock_init(mw_server *server) {
	struct mw_session_lock *lock = server->session_lock = calloc(1, sizeof(*lock));
	if (lock == NULL)
		return false;
	lock->server = server;
	wl_list_init(&lock->lockers);
	lock->global = wl_global_create(server->display, &ext_session_lock_manager_v1_interface, 1, lock, on_bind);
	return lock->global != NULL;
}

void mw_session_lock_finish(mw_server *server) {
	struct mw_session_lock *lock = server->session_lock;
	if (lock == NULL)
		return;
	struct mw_locker *locker, *next;
	wl_list_for_each_safe(locker, next, &lock->lockers, link)
		locker_free(locker);
	if (lock->global != NULL)
		wl_global_destroy(lock->global);
	server->session_lock = NULL;
	free(lock);
}

#endif
