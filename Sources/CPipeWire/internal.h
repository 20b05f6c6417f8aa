#ifndef MULLION_CPIPEWIRE_INTERNAL_H
#define MULLION_CPIPEWIRE_INTERNAL_H

#include "cpipewire.h"

#include <pipewire/impl.h>
#include <pipewire/pipewire.h>

/* What is called of the library; everything else are inline functions of its headers. */
extern struct cpw_library {
	void *handle;
	const char *missing;
	__typeof__(&pw_init) init;
	__typeof__(&pw_get_library_version) version;
	__typeof__(&pw_log_set_level) log_level;
	__typeof__(&pw_loop_new) loop_new;
	__typeof__(&pw_loop_destroy) loop_destroy;
	__typeof__(&pw_context_new) context_new;
	__typeof__(&pw_context_destroy) context_destroy;
	__typeof__(&pw_context_load_module) load_module;
	__typeof__(&pw_context_connect_fd) connect_fd;
	__typeof__(&pw_core_disconnect) disconnect;
	__typeof__(&pw_properties_new_dict) properties;
	__typeof__(&pw_proxy_add_listener) proxy_listen;
	__typeof__(&pw_proxy_add_object_listener) object_listen;
	__typeof__(&pw_proxy_destroy) proxy_destroy;
} cpw_lib;

struct object {
	struct object *next;
	cpw *connection;
	uint32_t id;
	cpw_kind kind;
	struct pw_proxy *proxy;              /* NULL: not bound */
	struct spa_hook listener;
	int listing;                         /* the sync that ends the list of a device's routes */
};

/* Something that was asked to be made. */
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
};

/* NULL if there is no object of that number, or it is not bound, or not of that kind. */
struct object *cpw_bound(cpw *connection, uint32_t id, cpw_kind kind);
struct object *cpw_find(cpw *connection, uint32_t id);

struct pw_properties *cpw_properties(const cpw_pair *pairs, size_t count);

/* Takes away what was asked to be made and is there, or failed; or everything. */
void cpw_sweep(cpw *connection, bool all);

#endif
