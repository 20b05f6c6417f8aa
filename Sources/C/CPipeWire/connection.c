/* C, because PipeWire's interfaces are macros over function tables, which Swift does not import. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <pipewire/extensions/metadata.h>

_Static_assert(sizeof(cpw_pair) == sizeof(struct spa_dict_item), "a property is lent as it is");

struct object *cpw_find(cpw *connection, uint32_t id) {
	for (struct object *object = connection->objects; object != NULL; object = object->next)
		if (object->id == id)
			return object;
	return NULL;
}

struct object *cpw_bound(cpw *connection, uint32_t id, cpw_kind kind) {
	struct object *object = cpw_find(connection, id);
	return object != NULL && object->proxy != NULL && object->kind == kind ? object : NULL;
}

struct pw_properties *cpw_properties(const cpw_pair *pairs, size_t count) {
	struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)pairs, (uint32_t)count);
	return pw_properties_new_dict(&dict);
}

/* ---- The registry. ---- */

static bool kind_of(const char *type, cpw_kind *kind) {
	static const struct {
		const char *type;
		cpw_kind kind;
	} kinds[] = {
		{PW_TYPE_INTERFACE_Node, CPW_NODE},		{PW_TYPE_INTERFACE_Port, CPW_PORT},		{PW_TYPE_INTERFACE_Link, CPW_LINK},
		{PW_TYPE_INTERFACE_Client, CPW_CLIENT}, {PW_TYPE_INTERFACE_Device, CPW_DEVICE}, {PW_TYPE_INTERFACE_Metadata, CPW_METADATA},
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(type, kinds[i].type) == 0) {
			*kind = kinds[i].kind;
			return true;
		}
	}
	return false;
}

static void registry_global(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
							const struct spa_dict *props) {
	(void)permissions, (void)version;
	cpw *connection = data;
	cpw_kind kind;
	if (!kind_of(type, &kind))
		return;
	struct object *object = calloc(1, sizeof(*object));
	if (object == NULL)
		return;
	object->connection = connection;
	object->id = id;
	object->kind = kind;
	object->next = connection->objects;
	connection->objects = object;
	connection->handlers.appeared(connection->user, id, kind, props != NULL ? (const cpw_pair *)props->items : NULL,
								  props != NULL ? props->n_items : 0);
}

static void registry_remove(void *data, uint32_t id) {
	cpw *connection = data;
	for (struct object **place = &connection->objects; *place != NULL; place = &(*place)->next) {
		struct object *object = *place;
		if (object->id != id)
			continue;
		*place = object->next;
		if (object->proxy != NULL) {
			spa_hook_remove(&object->listener);
			pw_proxy_destroy(object->proxy);
		}
		free(object);
		connection->handlers.disappeared(connection->user, id);
		return;
	}
}

static const struct pw_registry_events registry_events = {
	PW_VERSION_REGISTRY_EVENTS,
	.global = registry_global,
	.global_remove = registry_remove,
};

static void core_done(void *data, uint32_t id, int seq) {
	cpw *connection = data;
	if (id != PW_ID_CORE)
		return;
	for (struct object *object = connection->objects; object != NULL; object = object->next) {
		if (object->listing != seq)
			continue;
		object->listing = 0;
		connection->handlers.route(connection->user, object->id, NULL);
		return;
	}
	connection->handlers.synced(connection->user, seq);
}

static void core_error(void *data, uint32_t id, int seq, int res, const char *message) {
	(void)seq;
	cpw *connection = data;
	if (id != PW_ID_CORE || res != -EPIPE || connection->is_lost)
		return;
	connection->is_lost = true;
	connection->handlers.lost(connection->user, message != NULL ? message : "");
}

static const struct pw_core_events core_events = {
	PW_VERSION_CORE_EVENTS,
	.done = core_done,
	.error = core_error,
};

/* ---- The connection. ---- */

static int connect_to(const char *path) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (descriptor < 0)
		return -errno;
	if (connect(descriptor, (struct sockaddr *)&address, sizeof(address)) < 0) {
		int error = -errno;
		close(descriptor);
		return error;
	}
	return descriptor;
}

int cpw_probe(const char *path) {
	int descriptor = connect_to(path);
	if (descriptor < 0)
		return descriptor;
	close(descriptor);
	return 0;
}

/* libpipewire reads its environment once per process. */
static void prepare_once(void) {
	pw_init(NULL, NULL);
	/* Otherwise it warns that no configuration file names modules. */
	if (getenv("PIPEWIRE_DEBUG") == NULL)
		pw_log_set_level(SPA_LOG_LEVEL_ERROR);
}

const char *cpw_version(void) { return pw_get_library_version(); }

int cpw_open(cpw **result, const char *path, const cpw_handlers *handlers, void *user) {
	int descriptor = connect_to(path);
	if (descriptor < 0)
		return descriptor;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, prepare_once);
	cpw *connection = calloc(1, sizeof(*connection));
	if (connection == NULL) {
		close(descriptor);
		return -ENOMEM;
	}
	connection->handlers = *handlers;
	connection->user = user;
	/* Read no configuration file. The required modules are loaded below. */
	const cpw_pair wishes[] = {
		{"config.name", "null"},
		{"application.name", "Mullion"},
		{"application.id", "org.mullion.Mullion"},
		{"media.category", "Manager"},
	};
	connection->loop = pw_loop_new(NULL);
	if (connection->loop != NULL) {
		pw_loop_enter(connection->loop);
		connection->context = pw_context_new(connection->loop, cpw_properties(wishes, sizeof(wishes) / sizeof(*wishes)), 0);
	}
	bool has_modules = connection->context != NULL &&
					   pw_context_load_module(connection->context, "libpipewire-module-protocol-native", NULL, NULL) != NULL &&
					   pw_context_load_module(connection->context, "libpipewire-module-metadata", NULL, NULL) != NULL;
	if (has_modules) {
		/* The library owns the descriptor from here on, even on failure. */
		connection->core =
			pw_context_connect_fd(connection->context, descriptor, cpw_properties(wishes + 1, sizeof(wishes) / sizeof(*wishes) - 1), 0);
		descriptor = -1;
	}
	if (connection->core == NULL) {
		int error = errno != 0 ? -errno : -EIO;
		if (descriptor >= 0)
			close(descriptor);
		cpw_close(connection);
		return error;
	}
	pw_core_add_listener(connection->core, &connection->core_listener, &core_events, connection);
	connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
	if (connection->registry == NULL) {
		cpw_close(connection);
		return -EIO;
	}
	pw_registry_add_listener(connection->registry, &connection->registry_listener, &registry_events, connection);
	*result = connection;
	return 0;
}

void cpw_close(cpw *connection) {
	if (connection == NULL)
		return;
	cpw_meters_end(connection);
	cpw_sweep(connection, true);
	while (connection->objects != NULL) {
		struct object *object = connection->objects;
		connection->objects = object->next;
		if (object->proxy != NULL) {
			spa_hook_remove(&object->listener);
			pw_proxy_destroy(object->proxy);
		}
		free(object);
	}
	if (connection->registry != NULL) {
		spa_hook_remove(&connection->registry_listener);
		pw_proxy_destroy((struct pw_proxy *)connection->registry);
	}
	if (connection->core != NULL) {
		spa_hook_remove(&connection->core_listener);
		pw_core_disconnect(connection->core);
	}
	if (connection->context != NULL)
		pw_context_destroy(connection->context);
	if (connection->loop != NULL) {
		pw_loop_leave(connection->loop);
		pw_loop_destroy(connection->loop);
	}
	free(connection);
}

int cpw_descriptor(const cpw *connection) { return pw_loop_get_fd(connection->loop); }

void cpw_process(cpw *connection) {
	pw_loop_iterate(connection->loop, 0);
	cpw_sweep(connection, false);
}

int cpw_sync(cpw *connection) { return pw_core_sync(connection->core, PW_ID_CORE, 0); }
