#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "client.h"

struct samples {
	double values[SAMPLES_MAX]; // ms
	int count;
};

static int ascending(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_samples(const char *name, struct samples *samples) {
	qsort(samples->values, (size_t)samples->count, sizeof(double), ascending);
	if (samples->count == 0) {
		printf("\"%s_p50\": null, \"%s_p99\": null, \"%s_count\": 0", name, name, name);
		return;
	}
	printf("\"%s_p50\": %.4f, \"%s_p99\": %.4f, \"%s_count\": %d", name, samples->values[samples->count / 2], name,
		samples->values[samples->count * 99 / 100], name, samples->count);
}

static void add(struct samples *samples, int64_t ns) {
	if (samples->count < SAMPLES_MAX) {
		samples->values[samples->count++] = (double)ns / 1e6;
	}
}

// MARK: Presentation

static struct samples presented, answered;
static int discarded;

struct feedback {
	int64_t committed;
};

static void feedback_sync(void *data, struct wp_presentation_feedback *feedback, struct wl_output *output) {
	(void)data;
	(void)feedback;
	(void)output;
}

static void feedback_presented(void *data, struct wp_presentation_feedback *object, uint32_t high, uint32_t low,
		uint32_t nanoseconds, uint32_t refresh, uint32_t sequence_high, uint32_t sequence_low, uint32_t flags) {
	(void)refresh;
	(void)sequence_high;
	(void)sequence_low;
	(void)flags;
	struct feedback *feedback = data;
	int64_t seconds = (int64_t)(((uint64_t)high << 32) | low);
	add(&presented, seconds * 1000000000 + nanoseconds - feedback->committed);
	free(feedback);
	wp_presentation_feedback_destroy(object);
}

static void feedback_discarded(void *data, struct wp_presentation_feedback *object) {
	discarded++;
	free(data);
	wp_presentation_feedback_destroy(object);
}

static const struct wp_presentation_feedback_listener feedback_listener = {
	.sync_output = feedback_sync,
	.presented = feedback_presented,
	.discarded = feedback_discarded,
};

// The clock that presentation times are given in, which need not be that of everything else.
static int64_t presentation_now(const struct client *client) {
	struct timespec now;
	clock_gettime((clockid_t)client->presentation_clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void measure_latency(struct client *client, int count, bool pauses) {
	struct window *window = window_in_sight(client);
	if (!window) {
		fail("no window to measure with");
	}
	presented.count = answered.count = discarded = 0;
	int lost = 0;
	// The same pauses under every compositor.
	uint32_t random = 1;
	for (int i = 0; i < count; i++) {
		if (pauses) {
			random = random * 1664525 + 1013904223;
			wait_seconds(client, 0.015 + 0.030 * (random >> 8) / (1 << 24));
		}
		while (!window_paint(client, window)) {
			wait_seconds(client, 0.0005);
		}
		uint32_t before = window->frames;
		window_ask_frame(client, window);
		struct wp_presentation_feedback *object =
			client->presentation ? wp_presentation_feedback(client->presentation, window->surface) : NULL;
		int64_t committed = now_ns();
		if (object) {
			struct feedback *feedback = malloc(sizeof(*feedback));
			if (!feedback) {
				fail("no memory");
			}
			feedback->committed = presentation_now(client);
			wp_presentation_feedback_add_listener(object, &feedback_listener, feedback);
		}
		wl_surface_commit(window->surface);
		if (!wait_frames(client, window, before, 0.5)) {
			lost++;
		} else {
			add(&answered, window->last_frame - committed);
		}
	}
	wait_seconds(client, 0.2);
	printf("{");
	print_samples("frame", &answered);
	printf(", ");
	print_samples("presented", &presented);
	printf(", \"lost\": %d, \"discarded\": %d}\n", lost, discarded);
}

// MARK: Throughput

void measure_throughput(struct client *client, double seconds) {
	struct window *window = window_in_sight(client);
	if (!window) {
		fail("no window to measure with");
	}
	long commits = 0;
	int64_t begin = now_ns(), end = begin + (int64_t)(seconds * 1e9);
	while (now_ns() < end) {
		for (int i = 0; i < 50; i++) {
			wl_surface_attach(window->surface, window->buffers[0].wl, 0, 0);
			wl_surface_damage_buffer(window->surface, 0, 0, 64, 64);
			wl_surface_commit(window->surface);
		}
		commits += 50;
		wl_display_roundtrip(client->display);
	}
	printf("{\"commits\": %ld, \"seconds\": %.4f}\n", commits, (double)(now_ns() - begin) / 1e9);
}
