/* C, because it copies pixels during a commit. */
/*
 * Held windows: the picture of a window at one moment.
 *
 * The client's buffers are kept locked and drawn as they are, which costs nothing. But a client with only two
 * buffers would wait for the locked one (and some give up). So as soon as it commits another buffer, the held
 * pixels are copied and the buffer is released. A GPU texture is already a copy and stays locked.
 */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

static uint64_t last_revision;
static size_t held_windows;

static void add_surface(struct wlr_surface *surface, double x, double y, void *data) {
	struct mw_snapshot *snapshot = data;
	if (surface->buffer == NULL)
		return;
	if (snapshot->count == snapshot->capacity) {
		size_t capacity = snapshot->capacity > 0 ? snapshot->capacity * 2 : 4;
		struct mw_held_surface *list = realloc(snapshot->list, capacity * sizeof(*list));
		if (list == NULL)
			return;
		snapshot->list = list;
		snapshot->capacity = capacity;
	}
	struct mw_held_surface *held = &snapshot->list[snapshot->count++];
	*held = (struct mw_held_surface){
		.surface = surface,
		.x = x,
		.y = y,
		.width = surface->current.width,
		.height = surface->current.height,
		.transform = (int32_t)surface->current.transform,
		.buffer = surface->buffer,
	};
	wlr_buffer_lock(&surface->buffer->base);
	wlr_surface_get_buffer_source_box(surface, &held->source);
	pixman_region32_init(&held->opaque);
	pixman_region32_copy(&held->opaque, &surface->opaque_region);
}

static void release(struct mw_held_surface *held) {
	if (held->buffer != NULL)
		wlr_buffer_unlock(&held->buffer->base);
	held->buffer = NULL;
}

void mw_snapshot_free(struct mw_snapshot *snapshot) {
	if (snapshot == NULL)
		return;
	for (size_t i = 0; i < snapshot->count; i++) {
		struct mw_held_surface *held = &snapshot->list[i];
		release(held);
		if (held->copy != NULL)
			pixman_image_unref(held->copy);
		pixman_region32_fini(&held->opaque);
	}
	free(snapshot->list);
	free(snapshot);
	held_windows--;
}

void mw_window_hold(mw_window *window, bool held) {
	if (held == (window->held != NULL))
		return;
	if (held) {
		struct mw_snapshot *snapshot = calloc(1, sizeof(*snapshot));
		if (snapshot == NULL)
			return;
		struct wlr_box geometry;
		mw_window_geometry(window, &geometry);
		snapshot->revision = ++last_revision;
		held_windows++;
		snapshot->width = geometry.width;
		snapshot->height = geometry.height;
		mw_window_each_surface(window, add_surface, snapshot);
		window->held = snapshot;
	} else {
		struct mw_snapshot *snapshot = window->held;
		window->held = NULL;
		mw_draw_snapshot_gone(window->server, snapshot);
		mw_snapshot_free(snapshot);
	}
	mw_output *output;
	wl_list_for_each(output, &window->server->outputs, link) mw_output_schedule(output);
}

static void copy(struct mw_held_surface *held) {
	struct mw_pixels pixels;
	if (mw_pixels_begin(&pixels, held->buffer)) {
		int width = pixman_image_get_width(pixels.image), height = pixman_image_get_height(pixels.image);
		held->copy = pixman_image_create_bits_no_clear(pixman_image_get_format(pixels.image), width, height, NULL, 0);
		if (held->copy != NULL) {
			const uint8_t *from = (const uint8_t *)pixman_image_get_data(pixels.image);
			uint8_t *to = (uint8_t *)pixman_image_get_data(held->copy);
			int from_stride = pixman_image_get_stride(pixels.image), to_stride = pixman_image_get_stride(held->copy);
			size_t row = (size_t)(from_stride < to_stride ? from_stride : to_stride);
			for (int y = 0; y < height; y++)
				memcpy(to + (ptrdiff_t)y * to_stride, from + (ptrdiff_t)y * from_stride, row);
		}
		mw_pixels_end(&pixels);
	}
	release(held);
}

static void each_held(mw_server *server, struct wlr_surface *surface, void (*function)(struct mw_held_surface *)) {
	mw_window *window;
	wl_list_for_each(window, &server->windows, link) {
		if (window->held == NULL)
			continue;
		for (size_t i = 0; i < window->held->count; i++)
			if (window->held->list[i].surface == surface)
				function(&window->held->list[i]);
	}
}

static void went_on(struct mw_held_surface *held) {
	if (held->buffer != NULL && held->surface->buffer != held->buffer)
		copy(held);
}

static void surface_gone(struct mw_held_surface *held) { held->surface = NULL; }

void mw_snapshots_surface_committed(mw_server *server, struct wlr_surface *surface) {
	if (held_windows > 0 && server->direct)
		each_held(server, surface, went_on);
}

void mw_snapshots_surface_gone(mw_server *server, struct wlr_surface *surface) { each_held(server, surface, surface_gone); }

bool mw_held_pixels_begin(struct mw_pixels *pixels, struct mw_held_surface *held) {
	if (held->copy == NULL)
		return held->buffer != NULL && mw_pixels_begin(pixels, held->buffer);
	pixels->buffer = NULL;
	pixels->image = pixman_image_ref(held->copy);
	return true;
}

uint64_t mw_snapshots_bytes(const mw_server *server) {
	uint64_t bytes = 0;
	const mw_window *window;
	wl_list_for_each(window, &server->windows, link) for (size_t i = 0; window->held != NULL && i < window->held->count; i++) bytes +=
		mw_pixman_bytes(window->held->list[i].copy);
	return bytes;
}
