#include "ctoolkit.h"

#include <gst/gst.h>

struct ct_sound {
	GstElement *pipeline;
	ct_sound_calls calls;
	void *user;
	guint watch;
};

static double loudest(const GstStructure *structure) {
	double peak = -90;
	const GValue *list = gst_structure_get_value(structure, "peak");
	if (list == NULL)
		return peak;
	/* The element gives an old kind of array, for which GStreamer has no function of its own. */
	G_GNUC_BEGIN_IGNORE_DEPRECATIONS
	GValueArray *values = g_value_get_boxed(list);
	for (guint i = 0; i < values->n_values; i++) {
		double value = g_value_get_double(g_value_array_get_nth(values, i));
		if (value > peak)
			peak = value;
	}
	G_GNUC_END_IGNORE_DEPRECATIONS
	return peak;
}

static gboolean heard(GstBus *bus, GstMessage *message, gpointer data) {
	(void)bus;
	ct_sound *sound = data;
	switch (GST_MESSAGE_TYPE(message)) {
	case GST_MESSAGE_EOS:
		if (sound->calls.ended != NULL)
			sound->calls.ended(sound->user);
		break;
	case GST_MESSAGE_ERROR: {
		GError *error = NULL;
		gst_message_parse_error(message, &error, NULL);
		if (sound->calls.failed != NULL)
			sound->calls.failed(sound->user, error->message);
		g_error_free(error);
		break;
	}
	case GST_MESSAGE_ELEMENT: {
		const GstStructure *structure = gst_message_get_structure(message);
		if (sound->calls.level != NULL && structure != NULL && gst_structure_has_name(structure, "level")) {
			sound->calls.level(sound->user, loudest(structure));
		}
		break;
	}
	default:
		break;
	}
	return G_SOURCE_CONTINUE;
}

static ct_sound *sound_new(GstElement *pipeline, ct_sound_calls calls, void *user) {
	ct_sound *sound = g_new0(ct_sound, 1);
	sound->pipeline = pipeline;
	sound->calls = calls;
	sound->user = user;
	GstBus *bus = gst_element_get_bus(pipeline);
	sound->watch = gst_bus_add_watch(bus, heard, sound);
	gst_object_unref(bus);
	return sound;
}

static void begin(void) {
	if (!gst_is_initialized())
		gst_init(NULL, NULL);
}

const char *ct_sink(void) {
	/* A pulse server if its socket is there, else PipeWire itself. */
	char *socket = g_build_filename(g_get_user_runtime_dir(), "pulse", "native", NULL);
	bool has_pulse = g_getenv("PULSE_SERVER") != NULL || g_file_test(socket, G_FILE_TEST_EXISTS);
	g_free(socket);
	return has_pulse ? "pulsesink" : "pipewiresink";
}

static GstElement *sink_new(const char *role) {
	GstElement *sink = gst_element_factory_make(ct_sink(), NULL);
	if (sink != NULL && role != NULL) {
		GstStructure *properties = gst_structure_new("properties", "media.role", G_TYPE_STRING, role, NULL);
		g_object_set(sink, "stream-properties", properties, NULL);
		gst_structure_free(properties);
	}
	return sink;
}

ct_sound *ct_play(const char *path, const char *role, ct_sound_calls calls, void *user) {
	begin();
	GstElement *player = gst_element_factory_make("playbin", NULL);
	if (player == NULL) {
		if (calls.failed != NULL)
			calls.failed(user, "GStreamer's playback plugin is not installed");
		return NULL;
	}
	char *uri = gst_filename_to_uri(path, NULL);
	GstElement *sink = sink_new(role);
	/* Sound alone (1 << 1), with GStreamer's own volume (1 << 4). */
	gst_util_set_object_arg(G_OBJECT(player), "flags", "audio+soft-volume");
	g_object_set(player, "uri", uri, NULL);
	if (sink != NULL)
		g_object_set(player, "audio-sink", sink, NULL);
	g_free(uri);
	gst_element_set_state(player, GST_STATE_PAUSED);
	return sound_new(player, calls, user);
}

ct_sound *ct_pipeline(const char *description, ct_sound_calls calls, void *user) {
	begin();
	GError *error = NULL;
	GstElement *pipeline = gst_parse_launch(description, &error);
	if (pipeline == NULL || error != NULL) {
		if (calls.failed != NULL)
			calls.failed(user, error != NULL ? error->message : "the pipeline cannot be made");
		g_clear_error(&error);
		if (pipeline != NULL)
			gst_object_unref(pipeline);
		return NULL;
	}
	return sound_new(pipeline, calls, user);
}

void ct_sound_start(ct_sound *sound) { gst_element_set_state(sound->pipeline, GST_STATE_PLAYING); }

void ct_sound_pause(ct_sound *sound) { gst_element_set_state(sound->pipeline, GST_STATE_PAUSED); }

void ct_sound_finish(ct_sound *sound) { gst_element_send_event(sound->pipeline, gst_event_new_eos()); }

void ct_sound_free(ct_sound *sound) {
	if (sound == NULL)
		return;
	g_source_remove(sound->watch);
	gst_element_set_state(sound->pipeline, GST_STATE_NULL);
	gst_object_unref(sound->pipeline);
	g_free(sound);
}

double ct_sound_position(ct_sound *sound) {
	gint64 time = -1;
	return gst_element_query_position(sound->pipeline, GST_FORMAT_TIME, &time) ? (double)time / GST_SECOND : -1;
}

double ct_sound_duration(ct_sound *sound) {
	gint64 time = -1;
	return gst_element_query_duration(sound->pipeline, GST_FORMAT_TIME, &time) && time >= 0 ? (double)time / GST_SECOND : -1;
}

void ct_sound_seek(ct_sound *sound, double seconds) {
	/* A player that has just been made must have read its file's beginning before it can seek. */
	gst_element_get_state(sound->pipeline, NULL, NULL, GST_SECOND);
	gst_element_seek_simple(sound->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, (gint64)(seconds * GST_SECOND));
}
