/*
 * Records what a sink plays, or what a microphone hears, with the place of every sample: for tests of sound.
 *
 *     mullion-sound-recorder NAME FILE [autoconnect]
 *
 * Makes a capture stream called NAME, which nobody links by itself unless "autoconnect" is said. FILE gets, for each
 * quantum, the graph's position and CLOCK_MONOTONIC time (uint64 both), the number of frames (uint32) and the left
 * channel's samples (float). Ends on SIGTERM or SIGINT.
 */
#include <pipewire/pipewire.h>
#include <signal.h>
#include <spa/param/audio/format-utils.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct recorder {
	struct pw_main_loop *loop;
	struct pw_stream *stream;
	struct spa_io_position *position;
	FILE *file;
	bool has_begun;
};

static void on_io(void *data, uint32_t id, void *area, uint32_t size) {
	(void)size;
	struct recorder *recorder = data;
	if (id == SPA_IO_Position)
		recorder->position = area;
}

static void on_process(void *data) {
	struct recorder *recorder = data;
	struct pw_buffer *buffer = pw_stream_dequeue_buffer(recorder->stream);
	if (buffer == NULL)
		return;
	struct spa_data *plane = &buffer->buffer->datas[0];
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	uint64_t place[2] = {
		recorder->position != NULL ? recorder->position->clock.position : 0,
		(uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec,
	};
	if (plane->data != NULL) {
		uint32_t count = plane->chunk->size / (2 * sizeof(float));
		const float *samples = SPA_PTROFF(plane->data, plane->chunk->offset, float);
		fwrite(place, sizeof(place), 1, recorder->file);
		fwrite(&count, sizeof(count), 1, recorder->file);
		for (uint32_t i = 0; i < count; i++)
			fwrite(&samples[2 * i], sizeof(float), 1, recorder->file);
		/* Who waits for it to begin sees the file grow. */
		if (!recorder->has_begun)
			fflush(recorder->file);
		recorder->has_begun = true;
	}
	pw_stream_queue_buffer(recorder->stream, buffer);
}

static void on_signal(void *data, int number) {
	(void)number;
	struct recorder *recorder = data;
	pw_main_loop_quit(recorder->loop);
}

static const struct pw_stream_events events = {
	PW_VERSION_STREAM_EVENTS,
	.io_changed = on_io,
	.process = on_process,
};

int main(int argc, char *argv[]) {
	if (argc < 3) {
		fprintf(stderr, "usage: mullion-sound-recorder NAME FILE [autoconnect]\n");
		return 2;
	}
	pw_init(NULL, NULL);
	struct recorder recorder = { .file = fopen(argv[2], "w") };
	if (recorder.file == NULL) {
		perror(argv[2]);
		return 1;
	}
	setvbuf(recorder.file, NULL, _IOFBF, 1 << 20);
	recorder.loop = pw_main_loop_new(NULL);
	pw_loop_add_signal(pw_main_loop_get_loop(recorder.loop), SIGINT, on_signal, &recorder);
	pw_loop_add_signal(pw_main_loop_get_loop(recorder.loop), SIGTERM, on_signal, &recorder);
	recorder.stream = pw_stream_new_simple(pw_main_loop_get_loop(recorder.loop), argv[1],
		pw_properties_new(PW_KEY_NODE_NAME, argv[1], PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Capture", NULL),
		&events, &recorder);
	uint8_t room[1024];
	struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof(room));
	struct spa_audio_info_raw format = {
		.format = SPA_AUDIO_FORMAT_F32, .channels = 2, .rate = 48000, .position = { SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR },
	};
	const struct spa_pod *params[] = { spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format) };
	enum pw_stream_flags flags = PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
	if (argc > 3 && strcmp(argv[3], "autoconnect") == 0)
		flags |= PW_STREAM_FLAG_AUTOCONNECT;
	if (recorder.stream == NULL || pw_stream_connect(recorder.stream, PW_DIRECTION_INPUT, PW_ID_ANY, flags, params, 1) < 0) {
		fprintf(stderr, "mullion-sound-recorder: no PipeWire\n");
		return 1;
	}
	pw_main_loop_run(recorder.loop);
	pw_stream_destroy(recorder.stream);
	pw_main_loop_destroy(recorder.loop);
	fclose(recorder.file);
	return 0;
}
