/* C, because PipeWire's messages (pods) are built and parsed by macros and variadic functions. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <pipewire/extensions/metadata.h>
#include <spa/param/audio/format-utils.h>
#include <spa/param/port-config.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>

/* Requests to the server: to create objects, and to change them. */

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

static int make(cpw *connection, uint64_t token, const char *factory, const char *type, uint32_t version, const cpw_pair *pairs,
				size_t count) {
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
	pw_proxy_add_listener(making->proxy, &making->listener, &making_events, making);
	making->next = connection->makings;
	connection->makings = making;
	return 0;
}

void cpw_sweep(cpw *connection, bool all) {
	for (struct making **place = &connection->makings; *place != NULL;) {
		struct making *making = *place;
		if (!all && !making->is_over) {
			place = &making->next;
			continue;
		}
		*place = making->next;
		spa_hook_remove(&making->listener);
		pw_proxy_destroy(making->proxy);
		free(making);
	}
}

int cpw_link(cpw *connection, uint64_t token, uint32_t output_node, uint32_t output_port, uint32_t input_node, uint32_t input_port) {
	char numbers[4][16];
	const uint32_t ids[4] = {output_node, output_port, input_node, input_port};
	for (int i = 0; i < 4; i++)
		snprintf(numbers[i], sizeof(numbers[i]), "%u", ids[i]);
	const cpw_pair pairs[] = {
		{PW_KEY_LINK_OUTPUT_NODE, numbers[0]}, {PW_KEY_LINK_OUTPUT_PORT, numbers[1]}, {PW_KEY_LINK_INPUT_NODE, numbers[2]},
		{PW_KEY_LINK_INPUT_PORT, numbers[3]},  {PW_KEY_OBJECT_LINGER, "true"},
	};
	return make(connection, token, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, pairs, sizeof(pairs) / sizeof(*pairs));
}

int cpw_make_node(cpw *connection, uint64_t token, const cpw_pair *properties, size_t count) {
	return make(connection, token, "adapter", PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, properties, count);
}

int cpw_destroy(cpw *connection, uint32_t id) { return pw_registry_destroy(connection->registry, id); }

static struct spa_pod *build_props(struct spa_pod_builder *builder, uint32_t id, uint32_t key, const float *volumes, uint32_t count,
								   const bool *mute, bool is_to_tell) {
	struct spa_pod_frame frame, list;
	spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_Props, id);
	if (mute != NULL) {
		spa_pod_builder_prop(builder, SPA_PROP_mute, 0);
		spa_pod_builder_bool(builder, *mute);
	}
	if (count > 0) {
		spa_pod_builder_prop(builder, key, 0);
		spa_pod_builder_array(builder, sizeof(float), SPA_TYPE_Float, count, volumes);
	}
	if (is_to_tell) {
		/* The converter reports volumes once its mixer is set up: at its first start, or when a parameter is set.
		 * This parameter has this value anyway. 0.3.65, which always reports volumes, does not know the parameter. */
		spa_pod_builder_prop(builder, SPA_PROP_params, 0);
		spa_pod_builder_push_struct(builder, &list);
		spa_pod_builder_string(builder, "debug.wav-path");
		spa_pod_builder_string(builder, "");
		spa_pod_builder_pop(builder, &list);
	}
	return spa_pod_builder_pop(builder, &frame);
}

int cpw_set_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count, bool mute, bool is_to_tell) {
	struct object *object = cpw_bound(connection, id, CPW_NODE);
	if (object == NULL || count > CPW_CHANNELS)
		return -ENOENT;
	uint8_t buffer[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod *pod = build_props(&builder, SPA_PARAM_Props, SPA_PROP_channelVolumes, volumes, count, &mute, is_to_tell);
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_Props, 0, pod);
}

int cpw_tell_volumes(cpw *connection, uint32_t id) {
	struct object *object = cpw_bound(connection, id, CPW_NODE);
	if (object == NULL)
		return -ENOENT;
	uint8_t buffer[256];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod *pod = build_props(&builder, SPA_PARAM_Props, 0, NULL, 0, NULL, true);
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_Props, 0, pod);
}

int cpw_set_soft_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count) {
	struct object *object = cpw_bound(connection, id, CPW_NODE);
	if (object == NULL || count > CPW_CHANNELS)
		return -ENOENT;
	uint8_t buffer[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod *pod = build_props(&builder, SPA_PARAM_Props, SPA_PROP_softVolumes, volumes, count, NULL, false);
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_Props, 0, pod);
}

int cpw_set_route(cpw *connection, uint32_t id, int32_t index, int32_t device, const float *volumes, uint32_t count, bool mute, bool save) {
	struct object *object = cpw_bound(connection, id, CPW_DEVICE);
	if (object == NULL || count > CPW_CHANNELS)
		return -ENOENT;
	uint8_t buffer[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_pod_frame frame;
	spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_ParamRoute, SPA_PARAM_Route);
	spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_index, SPA_POD_Int(index), SPA_PARAM_ROUTE_device, SPA_POD_Int(device), 0);
	if (count > 0) {
		spa_pod_builder_prop(&builder, SPA_PARAM_ROUTE_props, 0);
		build_props(&builder, SPA_PARAM_Route, SPA_PROP_channelVolumes, volumes, count, &mute, false);
	}
	spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_save, SPA_POD_Bool(save), 0);
	struct spa_pod *pod = spa_pod_builder_pop(&builder, &frame);
	return pw_device_set_param((struct pw_device *)object->proxy, SPA_PARAM_Route, 0, pod);
}

int cpw_set_ports(cpw *connection, uint32_t id, bool is_input, uint32_t rate) {
	struct object *object = cpw_bound(connection, id, CPW_NODE);
	if (object == NULL)
		return -ENOENT;
	uint8_t buffer[1024], room[512];
	struct spa_pod_builder format_builder = SPA_POD_BUILDER_INIT(room, sizeof(room));
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
	struct spa_audio_info_raw info = {
		.format = SPA_AUDIO_FORMAT_F32P,
		.rate = rate,
		.channels = 2,
		.position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR},
	};
	struct spa_pod *format = spa_format_audio_raw_build(&format_builder, SPA_PARAM_Format, &info);
	struct spa_pod *pod =
		spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamPortConfig, SPA_PARAM_PortConfig, SPA_PARAM_PORT_CONFIG_direction,
								   SPA_POD_Id(is_input ? SPA_DIRECTION_INPUT : SPA_DIRECTION_OUTPUT), SPA_PARAM_PORT_CONFIG_mode,
								   SPA_POD_Id(SPA_PARAM_PORT_CONFIG_MODE_dsp), SPA_PARAM_PORT_CONFIG_format, SPA_POD_Pod(format));
	return pw_node_set_param((struct pw_node *)object->proxy, SPA_PARAM_PortConfig, 0, pod);
}

int cpw_set_metadata(cpw *connection, uint32_t id, uint32_t subject, const char *key, const char *type, const char *value) {
	struct object *object = cpw_bound(connection, id, CPW_METADATA);
	if (object == NULL)
		return -ENOENT;
	return pw_metadata_set_property((struct pw_metadata *)object->proxy, subject, key, value != NULL ? type : NULL, value);
}
