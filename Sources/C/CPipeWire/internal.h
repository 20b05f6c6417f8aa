/* Shared by the files of this target. */
#ifndef MULLION_CPIPEWIRE_INTERNAL_H
#define MULLION_CPIPEWIRE_INTERNAL_H

#include "cpipewire.h"

#include <pipewire/impl.h>
#include <pipewire/pipewire.h>

struct object {
	struct object *next;
	cpw *connection;
	uint32_t id;
	cpw_kind kind;
	struct pw_proxy *proxy; /* NULL: not bound */
	struct spa_hook listener;
	int listing; /* the sync that ends the list of a device's routes */
};

/* An object that was requested. */
struct making {
	struct making *next;
	cpw *connection;
	uint64_t token;
	struct pw_proxy *proxy;
	struct spa_hook listener;
	bool is_over;
};

struct cpw {
	struct pw_loop *loop;
	struct pw_context *context;
	struct pw_core *core;
	struct pw_registry *registry;
	struct spa_hook core_listener, registry_listener;
	struct object *objects;
	struct making *makings;
	cpw_handlers handlers;
	void *user;
	bool is_lost;
	struct meter *meters;
	bool has_nodes; /* the module for nodes of this client is loaded */
};

/* NULL if there is no object with that id, or it is not bound, or of another kind. */
struct object *cpw_bound(cpw *connection, uint32_t id, cpw_kind kind);
struct object *cpw_find(cpw *connection, uint32_t id);

struct pw_properties *cpw_properties(const cpw_pair *pairs, size_t count);

/* Removes all meters. */
void cpw_meters_end(cpw *connection);

/* Frees requests that are finished or failed, or all of them. */
void cpw_sweep(cpw *connection, bool all);

#endif
