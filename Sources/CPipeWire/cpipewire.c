#include "cpipewire.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <pipewire/pipewire.h>
#include <pipewire/impl.h>
#include <pipewire/extensions/metadata.h>
#include <spa/param/audio/format-utils.h>
#include <spa/param/port-config.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>
#include <spa/pod/iter.h>
#include <spa/pod/parser.h>
#include <spa/utils/result.h>

/* What is called of the library; everything else are inline functions of its headers. */
static struct {
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
} lib;

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

_Static_assert(sizeof(cpw_pair) == sizeof(struct spa_dict_item), "a property is lent as it is");

/* ---- The library. ---- */

static void load_once(void) {
	lib.handle = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
	if (lib.handle == NULL) {
		lib.missing = "libpipewire-0.3.so.0 is not installed";
		return;
	}
#define FIND(member, name) \
	if ((lib.member = (__typeof__(lib.member))dlsym(lib.handle, #name)) == NULL) \
		lib.missing = "libpipewire-0.3.so.0 lacks " #name
	FIND(init, pw_init);
	FIND(version, pw_get_library_version);
	FIND(log_level, pw_log_set_level);
	FIND(loop_new, pw_loop_new);
	FIND(loop_destroy, pw_loop_destroy);
	FIND(context_new, pw_context_new);
	FIND(context_destroy, pw_context_destroy);
	FIND(load_module, pw_context_load_module);
	FIND(connect_fd, pw_context_connect_fd);
	FIND(disconnect, pw_core_disconnect);
	FIND(properties, pw_properties_new_dict);
	FIND(proxy_listen, pw_proxy_add_listener);
	FIND(object_listen, pw_proxy_add_object_listener);
	FIND(proxy_destroy, pw_proxy_destroy);
#undef FIND
	if (lib.missing != NULL)
		return;
	lib.init(NULL, NULL);
	/* It would warn that no file of configuration names modules. */
	if (getenv("PIPEWIRE_DEBUG") == NULL)
		lib.log_level(SPA_LOG_LEVEL_ERROR);
}

const char *cpw_missing(void) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load_once);
	return lib.missing;
}

const char *cpw_version(void) { return lib.version != NULL ? lib.version() : ""; }

/* ---- Small things. ---- */

static struct object *find(cpw *connection, uint32_t id) {
	for (struct object *object = connection->objects; object != NULL; object = object->next)
		if (object->id == id)
			return object;
	return NULL;
}

static struct object *bound(cpw *connection, uint32_t id, cpw_kind kind) {
	struct object *object = find(connection, id);
	return object != NULL && object->proxy != NULL && object->kind == kind ? object : NULL;
}

static struct pw_properties *properties_of(const cpw_pair *pairs, size_t count) {
	struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)pairs, (uint32_t)count);
	return lib.properties(&dict);
}

static void read_props(const struct spa_pod *pod, cpw_props *out) {
	memset(out, 0, sizeof(*out));
	if (pod == NULL || !spa_pod_is_object(pod))
		return;
	const struct spa_pod_object *object = (const struct spa_pod_object *)pod;
	const struct spa_pod_prop *prop;
	SPA_POD_OBJECT_FOREACH(object, prop) {
		switch (prop->key) {
		case SPA_PROP_channelVolumes:
			out->count = spa_pod_copy_array(&prop->value, SPA_TYPE_Float, out->volumes, CPW_CHANNELS);
			out->has |= CPW_VOLUMES;
			break;
		case SPA_PROP_softVolumes:
			out->soft_count = spa_pod_copy_array(&prop->value, SPA_TYPE_Float, out->soft_volumes, CPW_CHANNELS);
			out->has |= CPW_SOFT_VOLUMES;
			break;
		case SPA_PROP_mute:
			if (spa_pod_get_bool(&prop->value, &out->mute) == 0)
				out->has |= CPW_MUTE;
			break;
		}
	}
}

/* ---- Nodes, clients, devices, metadata. ---- */

static void report(struct object *object, int state, const struct spa_dict *dict) {
	cpw *connection = object->connection;
	connection->handlers.info(connection->user, object->id, state,
		dict != NULL ? (const cpw_pair *)dict->items : NULL, dict != NULL ? dict->n_items : 0);
}

static void node_info(void *data, const struct pw_node_info *info) {
	if (info->change_mask & (PW_NODE_CHANGE_MASK_STATE | PW_NODE_CHANGE_MASK_PROPS))
		report(data, info->state, info->props);
}

static void node_param(void *data, int seq, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
	(void)seq, (void)index, (void)next;
	struct object *object = data;
	if (id != SPA_PARAM_Props || param == NULL)
		return;
	cpw_props props;
	read_props(param, &props);
	object->connection->handlers.props(object->connection->user, object->id, &props);
}

static const struct pw_node_events node_events = {
	PW_VERSION_NODE_EVENTS,
	.info = node_info,
	.param = node_param,
};

static void client_info(void *data, const struct pw_client_info *info) { report(data, 0, info->props); }

static const struct pw_client_events client_events = {
	PW_VERSION_CLIENT_EVENTS,
	.info = client_info,
};

static void link_info(void *data, const struct pw_link_info *info) {
	if (info->change_mask & PW_LINK_CHANGE_MASK_STATE)
		report(data, info->state, NULL);
}

static const struct pw_link_events link_events = {
	PW_VERSION_LINK_EVENTS,
	.info = link_info,
};

static void device_info(void *data, const struct pw_device_info *info) {
	struct object *object = data;
	if (info->change_mask & PW_DEVICE_CHANGE_MASK_PROPS)
		report(object, 0, info->props);
	if (!(info->change_mask & PW_DEVICE_CHANGE_MASK_PARAMS))
		return;
	struct pw_device *device = (struct pw_device *)object->proxy;
	pw_device_enum_params(device, 0, SPA_PARAM_EnumRoute, 0, UINT32_MAX, NULL);
	pw_device_enum_params(device, 0, SPA_PARAM_Route, 0, UINT32_MAX, NULL);
	object->listing = cpw_sync(object->connection);
}

static const char *port_type(const struct spa_pod *info) {
	if (info == NULL || !spa_pod_is_struct(info))
		return "";
	struct spa_pod_parser parser;
	struct spa_pod_frame frame;
	int32_t count = 0;
	spa_pod_parser_pod(&parser, info);
	if (spa_pod_parser_push_struct(&parser, &frame) < 0 || spa_pod_parser_get_int(&parser, &count) < 0)
		return "";
	for (int32_t i = 0; i < count; i++) {
		const char *key, *value;
		if (spa_pod_parser_get_string(&parser, &key) < 0 || spa_pod_parser_get_string(&parser, &value) < 0)
			break;
		if (strcmp(key, "port.type") == 0)
			return value;
	}
	return "";
}

static void device_param(void *data, int seq, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
	(void)seq, (void)index, (void)next;
	struct object *object = data;
	if ((id != SPA_PARAM_EnumRoute && id != SPA_PARAM_Route) || param == NULL)
		return;
	cpw_route route = { .is_current = id == SPA_PARAM_Route, .device = -1 };
	uint32_t direction = SPA_DIRECTION_OUTPUT, available = SPA_PARAM_AVAILABILITY_unknown;
	const char *name = NULL, *description = NULL;
	const struct spa_pod *info = NULL, *devices = NULL, *props = NULL;
	if (spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamRoute, NULL,
			SPA_PARAM_ROUTE_index, SPA_POD_Int(&route.index),
			SPA_PARAM_ROUTE_direction, SPA_POD_Id(&direction),
			SPA_PARAM_ROUTE_device, SPA_POD_OPT_Int(&route.device),
			SPA_PARAM_ROUTE_name, SPA_POD_OPT_String(&name),
			SPA_PARAM_ROUTE_description, SPA_POD_OPT_String(&description),
			SPA_PARAM_ROUTE_priority, SPA_POD_OPT_Int(&route.priority),
			SPA_PARAM_ROUTE_available, SPA_POD_OPT_Id(&available),
			SPA_PARAM_ROUTE_info, SPA_POD_OPT_Pod(&info),
			SPA_PARAM_ROUTE_devices, SPA_POD_OPT_Pod(&devices),
			SPA_PARAM_ROUTE_props, SPA_POD_OPT_Pod(&props)) < 0)
		return;
	route.is_output = direction == SPA_DIRECTION_OUTPUT;
	route.available = available == SPA_PARAM_AVAILABILITY_no ? 1 : available == SPA_PARAM_AVAILABILITY_yes ? 2 : 0;
	route.name = name != NULL ? name : "";
	route.description = description != NULL ? description : route.name;
	route.port_type = port_type(info);
	if (devices != NULL)
		route.device_count = spa_pod_copy_array(devices, SPA_TYPE_Int, route.devices, CPW_ROUTE_DEVICES);
	read_props(props, &route.props);
	object->connection->handlers.route(object->connection->user, object->id, &route);
}

static const struct pw_device_events device_events = {
	PW_VERSION_DEVICE_EVENTS,
	.info = device_info,
	.param = device_param,
};

static int metadata_property(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
	(void)type;
	struct object *object = data;
	object->connection->handlers.metadata(object->connection->user, object->id, subject, key, value);
	return 0;
}

static const struct pw_metadata_events metadata_events = {
	PW_VERSION_METADATA_EVENTS,
	.property = metadata_property,
};

int cpw_bind(cpw *connection, uint32_t id) {
	struct object *object = find(connection, id);
	if (object == NULL || object->proxy != NULL || connection->registry == NULL)
		return object == NULL ? -ENOENT : 0;
	const char *type;
	uint32_t version;
	const void *events;
	switch (object->kind) {
	case CPW_NODE:
		type = PW_TYPE_INTERFACE_Node, version = PW_VERSION_NODE, events = &node_events;
		break;
	case CPW_CLIENT:
		type = PW_TYPE_INTERFACE_Client, version = PW_VERSION_CLIENT, events = &client_events;
		break;
	case CPW_DEVICE:
		type = PW_TYPE_INTERFACE_Device, version = PW_VERSION_DEVICE, events = &device_events;
		break;
	case CPW_LINK:
		type = PW_TYPE_INTERFACE_Link, version = PW_VERSION_LINK, events = &link_events;
		break;
	case CPW_METADATA:
		type = PW_TYPE_INTERFACE_Metadata, version = PW_VERSION_METADATA, events = &metadata_events;
		break;
	default:
		return -EINVAL;
	}
	object->proxy = pw_registry_bind(connection->registry, id, type, version, 0);
	if (object->proxy == NULL)
		return -errno;
	lib.object_listen(object->proxy, &object->listener, events, object);
	if (object->kind == CPW_NODE) {
		uint32_t wanted[] = { SPA_PARAM_Props };
		pw_node_subscribe_params((struct pw_node *)object->proxy, wanted, 1);
	}
	return 0;
}

/* ---- The registry. ---- */

static bool kind_of(const char *type, cpw_kind *kind) {
	static const struct {
		const char *type;
		cpw_kind kind;
	} kinds[] = {
		{ PW_TYPE_INTERFACE_Node, CPW_NODE },
		{ PW_TYPE_INTERFACE_Port, CPW_PORT },
		{ PW_TYPE_INTERFACE_Link, CPW_LINK },
		{ PW_TYPE_INTERFACE_Client, CPW_CLIENT },
		{ PW_TYPE_INTERFACE_Device, CPW_DEVICE },
		{ PW_TYPE_INTERFACE_Metadata, CPW_METADATA },
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(type, kinds[i].type) == 0) {
			*kind = kinds[i].kind;
			return true;
		}
	}
	return false;
}

static void registry_global(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const struct spa_dict *props) {
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
			lib.proxy_destroy(object->proxy);
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
	struct sockaddr_un address = { .sun_family = AF_UNIX };
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

int cpw_open(cpw **result, const char *path, const cpw_handlers *handlers, void *user) {
	int descriptor = connect_to(path);
	if (descriptor < 0)
		return descriptor;
	if (cpw_missing() != NULL) {
		close(descriptor);
		return -ENOSYS;
	}
	cpw *connection = calloc(1, sizeof(*connection));
	if (connection == NULL) {
		close(descriptor);
		return -ENOMEM;
	}
	connection->handlers = *handlers;
	connection->user = user;
	/* No file of configuration is read: what is needed is loaded below. */
	const cpw_pair wishes[] = {
		{ "config.name", "null" },
		{ "application.name", "Mullion" },
		{ "application.id", "org.mullion.Mullion" },
		{ "media.category", "Manager" },
	};
	connection->loop = lib.loop_new(NULL);
	if (connection->loop != NULL) {
		pw_loop_enter(connection->loop);
		connection->context = lib.context_new(connection->loop, properties_of(wishes, sizeof(wishes) / sizeof(*wishes)), 0);
	}
	bool has_modules = connection->context != NULL
		&& lib.load_module(connection->context, "libpipewire-module-protocol-native", NULL, NULL) != NULL
		&& lib.load_module(connection->context, "libpipewire-module-metadata", NULL, NULL) != NULL;
	if (has_modules) {
		/* The descriptor is the library's from here on, also when it fails. */
		connection->core = lib.connect_fd(connection->context, descriptor, properties_of(wishes + 1, sizeof(wishes) / sizeof(*wishes) - 1), 0);
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

static void sweep(cpw *connection, bool all) {
	for (struct making **place = &connection->makings; *place != NULL;) {
		struct making *making = *place;
		if (!all && !making->is_over) {
			place = &making->next;
			continue;
		}
		*place = making->next;
		spa_hook_remove(&making->listener);
		lib.proxy_destroy(making->proxy);
		free(making);
	}
}

void cpw_close(cpw *connection) {
	if (connection == NULL)
		return;
	sweep(connection, true);
	while (connection->objects != NULL) {
		struct object *object = connection->objects;
		connection->objects = object->next;
		if (object->proxy != NULL) {
			spa_hook_remove(&object->listener);
			lib.proxy_destroy(object->proxy);
		}
		free(object);
	}
	if (connection->registry != NULL) {
		spa_hook_remove(&connection->registry_listener);
		lib.proxy_destroy((struct pw_proxy *)connection->registry);
	}
	if (connection->core != NULL) {
		spa_hook_remove(&connection->core_listener);
		lib.disconnect(connection->core);
	}
	if (connection->context != NULL)
		lib.context_destroy(connection->context);
	if (connection->loop != NULL) {
		pw_loop_leave(connection->loop);
		lib.loop_destroy(connection->loop);
	}
	free(connection);
}

int cpw_descriptor(const cpw *connection) { return pw_loop_get_fd(connection->loop); }

void cpw_process(cpw *connection) {
	pw_loop_iterate(connection->loop, 0);
	sweep(connection, false);
}

int cpw_sync(cpw *connection) { return pw_core_sync(connection->core, PW_ID_CORE, 0); }

/* ---- Making and changing. ---- */

static void making_bound(void *data, uint32_t id) {
	struct making *making = data;
	if (making->is_over)
		return;
	making->is_over = true;
	making->connection->handlers.made(making->connection->user, making->token, id, 0);
}

static void making_failed(void *data, int seq, int res, const char *message) {
	(void)seq, (void)message;
	struct making *making = data;
	if (making->is_over)
		return;
	making->is_over = true;
	making->connection->handlers.made(making->connection->user, making->token, 0, res < 0 ? res : -EIO);
}

static const struct pw_proxy_events making_events = {
	PW_VERSION_PROXY_EVENTS,
	.bound = making_bound,
	.error = making_failed,
};

static int make(cpw *connection, uint64_t token, const char *factory, const char *type, uint32_t version, const cpw_pair *pairs, size_t count) {
	struct making *making = calloc(1, sizeof(*making));
	if (making == NULL)
		return -ENOMEM;
	struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)pairs, (uint32_t)count);
	making->proxy = pw_core_create_object(connection->core, factory, type, version, &dict, 0);
	if (making->proxy == NULL) {
		free(making);
		return -errno;
	}
	making->connection = connection;
	making->token = token;
	lib.proxy_listen(making->proxy, &making->listener, &making_events, making);
	making->next = connection->makings;
	connection->makings = making;
	return 0;
}

int cpw_link(cpw *connection, uint64_t token, uint32_t output_node, uint32_t output_port, uint32_t input_node, uint32_t input_port) {
	char numbers[4][16];
	const uint32_t ids[4] = { output_node, output_port, input_node, input_port };
	for (int i = 0; i < 4; i++)
		snprintf(numbers[i], sizeof(numbers[i]), "%u", ids[i]);
	const cpw_pair pairs[] = {
		{ PW_KEY_LINK_OUTPUT_NODE, numbers[0] },
		{ PW_KEY_LINK_OUTPUT_PORT, numbers[1] },
		{ PW_KEY_LINK_INPUT_NODE, numbers[2] },
		{ PW_KEY_LINK_INPUT_PORT, numbers[3] },
		{ PW_KEY_OBJECT_LINGER, "true" },
	};
	return make(connection, token, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, pairs, sizeof(pairs) / sizeof(*pairs));
}

int cpw_make_node(cpw *connection, uint64_t token, const cpw_pair *properties, size_t count) {
	return make(connection, token, "adapter", PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, properties, count);
}

int cpw_destroy(cpw *connection, uint32_t id) { return pw_registry_destroy(connection->registry, id); }

static struct spa_pod *build_props(struct spa_pod_builder *builder, uint32_t id, uint32_t key, const float *volumes, uint32_t count, const bool *mute) {
	struct spa_pod_frame frame;
	spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_Props, id);
	if (mute != NULL) {
		spa_pod_builder_prop(builder, SPA_PROP_mute, 0);
		spa_pod_builder_bool(builder, *mute);
	}
	if (count > 0) {
		spa_pod_builder_prop(builder, key, 0);
		spa_pod_builder_array(builder, sizeof(float), SPA_TYPE_Float, count, volumes);
	}
	return spa_pod_builder_pop(builder, &frame);
}

int cpw_set_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count, bool mute) {
	struct object *object = bound(connection, id, CPW_NODE);
	if (object == NULL || count > CPW_CHANNELS)
		return -ENOENT;
	uint8_t buffer[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod *pod = build_props(&builder, SPA_PARAM_Props, SPA_PROP_channelVolumes, volumes, count, &mute);
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_Props, 0, pod);
}

int cpw_set_soft_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count) {
	struct object *object = bound(connection, id, CPW_NODE);
	if (object == NULL || count > CPW_CHANNELS)
		return -ENOENT;
	uint8_t buffer[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod *pod = build_props(&builder, SPA_PARAM_Props, SPA_PROP_softVolumes, volumes, count, NULL);
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_Props, 0, pod);
}

int cpw_set_route(cpw *connection, uint32_t id, int32_t index, int32_t device, const float *volumes, uint32_t count, bool mute, bool save) {
	struct object *object = bound(connection, id, CPW_DEVICE);
	if (object == NULL || count > CPW_CHANNELS)
		return -ENOENT;
	uint8_t buffer[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod_frame frame;
	spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_ParamRoute, SPA_PARAM_Route);
	spa_pod_builder_add(&builder,
		SPA_PARAM_ROUTE_index, SPA_POD_Int(index),
		SPA_PARAM_ROUTE_device, SPA_POD_Int(device), 0);
	if (count > 0) {
		spa_pod_builder_prop(&builder, SPA_PARAM_ROUTE_props, 0);
		build_props(&builder, SPA_PARAM_Route, SPA_PROP_channelVolumes, volumes, count, &mute);
	}
	spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_save, SPA_POD_Bool(save), 0);
	struct spa_pod *pod = spa_pod_builder_pop(&builder, &frame);
	return pw_device_set_param((struct pw_device *)object->proxy, SPA_PARAM_Route, 0, pod);
}

int cpw_set_ports(cpw *connection, uint32_t id, bool is_input, uint32_t rate) {
	struct object *object = bound(connection, id, CPW_NODE);
	if (object == NULL)
		return -ENOENT;
	uint8_t buffer[1024], room[512];
	struct spa_pod_builder format_builder = SPA_POD_BUILDER_INIT(room, sizeof(room));
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_audio_info_raw info = {
		.format = SPA_AUDIO_FORMAT_F32P, .rate = rate, .channels = 2,
		.position = { SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR },
	};
	struct spa_pod *format = spa_format_audio_raw_build(&format_builder, SPA_PARAM_Format, &info);
	struct spa_pod *pod = spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamPortConfig, SPA_PARAM_PortConfig,
		SPA_PARAM_PORT_CONFIG_direction, SPA_POD_Id(is_input ? SPA_DIRECTION_INPUT : SPA_DIRECTION_OUTPUT),
		SPA_PARAM_PORT_CONFIG_mode, SPA_POD_Id(SPA_PARAM_PORT_CONFIG_MODE_dsp),
		SPA_PARAM_PORT_CONFIG_format, SPA_POD_Pod(format));
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_PortConfig, 0, pod);
}

int cpw_set_metadata(cpw *connection, uint32_t id, uint32_t subject, const char *key, const char *type, const char *value) {
	struct object *object = bound(connection, id, CPW_METADATA);
	if (object == NULL)
		return -ENOENT;
	return pw_metadata_set_property((struct pw_metadata *)object->proxy, subject, key, value != NULL ? type : NULL, value);
}
