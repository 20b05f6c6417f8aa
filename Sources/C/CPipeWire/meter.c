/* C, because the samples are looked at in libpipewire's real-time thread, which must not enter Swift. */
#include "internal.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <pipewire/filter.h>

enum { METER_PORTS = 2 };

struct meter {
	struct meter *next;
	cpw *connection;
	uint64_t token;
	cpw_meter_rules rules;
	struct pw_filter *filter;
	struct spa_hook listener;
	struct spa_source *news;
	void *ports[METER_PORTS];
	/* For the real-time thread alone: when the last block came, and when one was last heard. */
	uint64_t block, heard;
	bool last;
	/* From there to here. */
	atomic_bool sounds;
};

static void on_process(void *data, struct spa_io_position *position) {
	struct meter *meter = data;
	uint32_t count = (uint32_t)position->clock.duration;
	uint64_t now = position->clock.nsec;
	bool is_new = meter->block == 0 || now > meter->block + meter->rules.gap;
	meter->block = now;
	bool is_loud = false;
	for (int i = 0; i < METER_PORTS && !is_loud; i++) {
		const float *samples = pw_filter_get_dsp_buffer(meter->ports[i], count);
		for (uint32_t n = 0; samples != NULL && n < count && !is_loud; n++)
			is_loud = fabsf(samples[n]) > meter->rules.level;
	}
	if (is_loud || is_new)
		meter->heard = now;
	bool sounds = now < meter->heard + meter->rules.patience;
	if (sounds == meter->last)
		return;
	meter->last = sounds;
	atomic_store(&meter->sounds, sounds);
	pw_loop_signal_event(meter->connection->loop, meter->news);
}

static void on_news(void *data, uint64_t count) {
	(void)count;
	struct meter *meter = data;
	meter->connection->handlers.measured(meter->connection->user, meter->token, atomic_load(&meter->sounds));
}

static const struct pw_filter_events filter_events = {
	PW_VERSION_FILTER_EVENTS,
	.process = on_process,
};

static void destroy(struct meter *meter) {
	if (meter->filter != NULL)
		pw_filter_destroy(meter->filter);
	if (meter->news != NULL)
		pw_loop_destroy_source(meter->connection->loop, meter->news);
	free(meter);
}

int cpw_meter_add(cpw *connection, uint64_t token, const char *name, cpw_meter_rules rules) {
	/* Only a meter needs this module, which lets a client have nodes of its own. */
	if (!connection->has_nodes)
		connection->has_nodes = pw_context_load_module(connection->context, "libpipewire-module-client-node", NULL, NULL) != NULL;
	struct meter *meter = connection->has_nodes ? calloc(1, sizeof(*meter)) : NULL;
	if (meter == NULL)
		return -ENOMEM;
	meter->connection = connection;
	meter->token = token;
	meter->rules = rules;
	meter->last = true;
	atomic_init(&meter->sounds, true);
	const cpw_pair properties[] = {{PW_KEY_MEDIA_TYPE, "Audio"},
								   {PW_KEY_MEDIA_CATEGORY, "Filter"},
								   {PW_KEY_MEDIA_ROLE, "DSP"},
								   {PW_KEY_NODE_NAME, name},
								   {PW_KEY_NODE_PASSIVE, "true"}};
	meter->news = pw_loop_add_event(connection->loop, on_news, meter);
	meter->filter = pw_filter_new(connection->core, name, cpw_properties(properties, sizeof(properties) / sizeof(*properties)));
	if (meter->news == NULL || meter->filter == NULL) {
		destroy(meter);
		return -ENOMEM;
	}
	pw_filter_add_listener(meter->filter, &meter->listener, &filter_events, meter);
	static const char *const sides[METER_PORTS] = {"FL", "FR"};
	int status = 0;
	for (int i = 0; i < METER_PORTS; i++) {
		const cpw_pair port[] = {
			{PW_KEY_FORMAT_DSP, "32 bit float mono audio"}, {PW_KEY_PORT_NAME, sides[i]}, {PW_KEY_AUDIO_CHANNEL, sides[i]}};
		meter->ports[i] = pw_filter_add_port(meter->filter, PW_DIRECTION_INPUT, PW_FILTER_PORT_FLAG_MAP_BUFFERS, sizeof(void *),
											 cpw_properties(port, sizeof(port) / sizeof(*port)), NULL, 0);
		if (meter->ports[i] == NULL)
			status = -ENOMEM;
	}
	if (status >= 0)
		status = pw_filter_connect(meter->filter, PW_FILTER_FLAG_RT_PROCESS, NULL, 0);
	if (status < 0) {
		destroy(meter);
		return status;
	}
	meter->next = connection->meters;
	connection->meters = meter;
	return 0;
}

void cpw_meter_remove(cpw *connection, uint64_t token) {
	for (struct meter **place = &connection->meters; *place != NULL; place = &(*place)->next) {
		struct meter *meter = *place;
		if (meter->token != token)
			continue;
		*place = meter->next;
		return destroy(meter);
	}
}

void cpw_meters_end(cpw *connection) {
	while (connection->meters != NULL)
		cpw_meter_remove(connection, connection->meters->token);
}
