/* C, because PipeWire calls it in a realtime thread, where Swift may allocate. */
/*
 * Records the sound of a sink or a microphone, with the place of every sample, and plays samples that can be counted: for tests of sound.
 *
 *     mullion-sound-probe record NAME FILE [autoconnect]
 *     mullion-sound-probe record-both NAME FILE [autoconnect]
 *     mullion-sound-probe sink NAME FILE
 *     mullion-sound-probe play NAME SIGNAL [autoconnect]
 *
 * "record" makes a capture stream called NAME. FILE gets, for each quantum, the graph's position and CLOCK_MONOTONIC
 * time (uint64 both), the number of frames (uint32) and the left channel's samples (float); with "record-both" those of
 * both channels, left and right in turn. "sink" makes headphones called NAME, which record all that they are given, from the first sample
 * on. A recorder that is linked to a new sink would miss its beginning. "play" makes a playback stream; SIGNAL is a number, the value of
 * every sample, or "numbered": sample n of the stream is 0.1 + 0.8 * (n mod 96000) / 96000. The session manager links a stream only with
 * "autoconnect". All end on SIGTERM or SIGINT.
 */
#include <pipewire/pipewire.h>
#include <signal.h>
#include <spa/param/audio/format-utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct probe {
	struct pw_main_loop *loop;
	struct pw_stream *stream;
	struct spa_io_position *position;
	/* Of the recorder. */
	FILE *file;
	bool takes_both;
	bool has_begun;
	/* Of the player. */
	bool is_numbered;
	float level;
	uint64_t next;
};

static void on_io(void *data, uint32_t id, void *area, uint32_t size) {
	(void)size;
	struct probe *probe = data;
	if (id == SPA_IO_Position)
		probe->position = area;
}

static void record(void *data) {
	struct probe *probe = data;
	struct pw_buffer *buffer = pw_stream_dequeue_buffer(probe->stream);
	if (buffer == NULL)
		return;
	struct spa_data *plane = &buffer->buffer->datas[0];
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	uint64_t place[2] = {
		probe->position != NULL ? probe->position->clock.position : 0,
		(uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec,
	};
	if (plane->data != NULL) {
		uint32_t count = plane->chunk->size / (2 * sizeof(float));
		const float *samples = SPA_PTROFF(plane->data, plane->chunk->offset, float);
		fwrite(place, sizeof(place), 1, probe->file);
		fwrite(&count, sizeof(count), 1, probe->file);
		if (probe->takes_both)
			fwrite(samples, 2 * sizeof(float), count, probe->file);
		for (uint32_t i = 0; i < count && !probe->takes_both; i++)
			fwrite(&samples[2 * i], sizeof(float), 1, probe->file);
		/* A test that waits for the beginning sees the file grow. */
		if (!probe->has_begun)
			fflush(probe->file);
		probe->has_begun = true;
	}
	pw_stream_queue_buffer(probe->stream, buffer);
}

static void play(void *data) {
	struct probe *probe = data;
	struct pw_buffer *buffer = pw_stream_dequeue_buffer(probe->stream);
	if (buffer == NULL)
		return;
	struct spa_data *plane = &buffer->buffer->datas[0];
	uint32_t count = plane->maxsize / (2 * sizeof(float));
	if (probe->position != NULL && probe->position->clock.duration < count)
		count = (uint32_t)probe->position->clock.duration;
	float *samples = plane->data;
	for (uint32_t i = 0; samples != NULL && i < count; i++, probe->next++) {
		float value = probe->is_numbered ? 0.1f + 0.8f * (float)(probe->next % 96000) / 96000 : probe->level;
		samples[2 * i] = samples[2 * i + 1] = value;
	}
	plane->chunk->offset = 0;
	plane->chunk->stride = 2 * sizeof(float);
	plane->chunk->size = count * 2 * sizeof(float);
	pw_stream_queue_buffer(probe->stream, buffer);
}

static void on_signal(void *data, int number) {
	(void)number;
	struct probe *probe = data;
	pw_main_loop_quit(probe->loop);
}

static const struct pw_stream_events recording = {PW_VERSION_STREAM_EVENTS, .io_changed = on_io, .process = record};
static const struct pw_stream_events playing = {PW_VERSION_STREAM_EVENTS, .io_changed = on_io, .process = play};

int main(int argc, char *argv[]) {
	bool is_player = argc >= 4 && strcmp(argv[1], "play") == 0;
	bool takes_both = argc >= 4 && strcmp(argv[1], "record-both") == 0;
	bool is_sink = argc >= 4 && strcmp(argv[1], "sink") == 0;
	if (!is_player && !takes_both && !is_sink && (argc < 4 || strcmp(argv[1], "record") != 0)) {
		fprintf(
			stderr,
			"usage: mullion-sound-probe record|record-both NAME FILE [autoconnect] | sink NAME FILE | play NAME SIGNAL [autoconnect]\n");
		return 2;
	}
	pw_init(NULL, NULL);
	struct probe probe = {.takes_both = takes_both, .is_numbered = strcmp(argv[3], "numbered") == 0, .level = strtof(argv[3], NULL)};
	if (!is_player) {
		probe.file = fopen(argv[3], "w");
		if (probe.file == NULL) {
			perror(argv[3]);
			return 1;
		}
		setvbuf(probe.file, NULL, _IOFBF, 1 << 20);
	}
	probe.loop = pw_main_loop_new(NULL);
	pw_loop_add_signal(pw_main_loop_get_loop(probe.loop), SIGINT, on_signal, &probe);
	pw_loop_add_signal(pw_main_loop_get_loop(probe.loop), SIGTERM, on_signal, &probe);
	struct pw_properties *properties = pw_properties_new(PW_KEY_NODE_NAME, argv[2], PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY,
														 is_player ? "Playback" : "Capture", NULL);
	if (is_sink) {
		pw_properties_set(properties, PW_KEY_MEDIA_CLASS, "Audio/Sink");
		pw_properties_set(properties, PW_KEY_NODE_DESCRIPTION, argv[2]);
		pw_properties_set(properties, PW_KEY_DEVICE_FORM_FACTOR, "headphone");
		pw_properties_set(properties, PW_KEY_PRIORITY_SESSION, "1100");
	}
	probe.stream = pw_stream_new_simple(pw_main_loop_get_loop(probe.loop), argv[2], properties, is_player ? &playing : &recording, &probe);
	uint8_t room[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof(room));
	struct spa_audio_info_raw format = {
		.format = SPA_AUDIO_FORMAT_F32,
		.channels = 2,
		.rate = 48000,
		.position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR},
	};
	const struct spa_pod *params[] = {spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format)};
	enum pw_stream_flags flags = PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
	if (argc > 4 && strcmp(argv[4], "autoconnect") == 0)
		flags |= PW_STREAM_FLAG_AUTOCONNECT;
	if (probe.stream == NULL ||
		pw_stream_connect(probe.stream, is_player ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT, PW_ID_ANY, flags, params, 1) < 0) {
		fprintf(stderr, "mullion-sound-probe: no PipeWire\n");
		return 1;
	}
	pw_main_loop_run(probe.loop);
	pw_stream_destroy(probe.stream);
	pw_main_loop_destroy(probe.loop);
	if (probe.file != NULL)
		fclose(probe.file);
	return 0;
}
