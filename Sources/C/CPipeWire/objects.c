/* C, because PipeWire's objects are called through macros, which Swift does not import. */
#include "internal.h"

#include <errno.h>
#include <string.h>

#include <pipewire/extensions/metadata.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/iter.h>
#include <spa/pod/parser.h>

/* Events of nodes, clients, links, devices and metadata. */

/* Copies at most this many values of four bytes. `spa_pod_copy_array` trusts the length that the writer of the
 * array gives. */
static uint32_t copy_values(const struct spa_pod *pod, uint32_t type, void *values, uint32_t most) {
	if (!spa_pod_is_array(pod) || SPA_POD_ARRAY_VALUE_TYPE(pod) != type || SPA_POD_ARRAY_VALUE_SIZE(pod) != sizeof(uint32_t))
		return 0;
	uint32_t count = SPA_POD_ARRAY_N_VALUES(pod);
	count = count < most ? count : most;
	memcpy(values, SPA_POD_ARRAY_VALUES(pod), count * sizeof(uint32_t));
	return count;
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
			out->count = copy_values(&prop->value, SPA_TYPE_Float, out->volumes, CPW_CHANNELS);
			out->has |= CPW_VOLUMES;
			break;
		case SPA_PROP_softVolumes:
			out->soft_count = copy_values(&prop->value, SPA_TYPE_Float, out->soft_volumes, CPW_CHANNELS);
			out->has |= CPW_SOFT_VOLUMES;
			break;
		case SPA_PROP_mute:
			if (spa_pod_get_bool(&prop->value, &out->mute) == 0)
				out->has |= CPW_MUTE;
			break;
		}
	}
}

static void report(struct object *object, int state, const struct spa_dict *dict) {
	cpw *connection = object->connection;
	connection->handlers.info(connection->user, object->id, state, dict != NULL ? (const cpw_pair *)dict->items : NULL,
							  dict != NULL ? dict->n_items : 0);
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
	cpw_route route = {.is_current = id == SPA_PARAM_Route, .device = -1};
	uint32_t direction = SPA_DIRECTION_OUTPUT, available = SPA_PARAM_AVAILABILITY_unknown;
	const char *name = NULL, *description = NULL;
	const struct spa_pod *info = NULL, *devices = NULL, *props = NULL;
	if (spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamRoute, NULL, SPA_PARAM_ROUTE_index, SPA_POD_Int(&route.index),
							 SPA_PARAM_ROUTE_direction, SPA_POD_Id(&direction), SPA_PARAM_ROUTE_device, SPA_POD_OPT_Int(&route.device),
							 SPA_PARAM_ROUTE_name, SPA_POD_OPT_String(&name), SPA_PARAM_ROUTE_description, SPA_POD_OPT_String(&description),
							 SPA_PARAM_ROUTE_priority, SPA_POD_OPT_Int(&route.priority), SPA_PARAM_ROUTE_available,
							 SPA_POD_OPT_Id(&available), SPA_PARAM_ROUTE_info, SPA_POD_OPT_Pod(&info), SPA_PARAM_ROUTE_devices,
							 SPA_POD_OPT_Pod(&devices), SPA_PARAM_ROUTE_props, SPA_POD_OPT_Pod(&props)) < 0)
		return;
	route.is_output = direction == SPA_DIRECTION_OUTPUT;
	route.available = available == SPA_PARAM_AVAILABILITY_no ? 1 : available == SPA_PARAM_AVAILABILITY_yes ? 2 : 0;
	route.name = name != NULL ? name : "";
	route.description = description != NULL ? description : route.name;
	route.port_type = port_type(info);
	if (devices != NULL)
		route.device_count = copy_values(devices, SPA_TYPE_Int, route.devices, CPW_ROUTE_DEVICES);
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
	struct object *object = cpw_find(connection, id);
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
	pw_proxy_add_object_listener(object->proxy, &object->listener, events, object);
	if (object->kind == CPW_NODE) {
		uint32_t wanted[] = {SPA_PARAM_Props};
		pw_node_subscribe_params((struct pw_node *)object->proxy, wanted, 1);
	}
	return 0;
}
