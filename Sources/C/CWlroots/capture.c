/* C, because it is a pixel loop over the same nodes as drawing. */
/* Captures of the output and of single windows, painted afresh. */
#include "draw.h"

#include <drm_fourcc.h>
#include <stdlib.h>
#include <string.h>
#include <wlr/render/drm_format_set.h>

/* ---- through wlroots' renderer, where client pixels may be in GPU memory ---- */

static struct wlr_buffer *create_buffer(mw_server *server, int32_t width, int32_t height) {
#if WLR18
	uint64_t modifiers[] = {DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_INVALID};
	struct wlr_drm_format format = {.format = DRM_FORMAT_ARGB8888, .len = 2, .capacity = 2, .modifiers = modifiers};
	return wlr_allocator_create_buffer(server->allocator, width, height, &format);
#else
	struct wlr_drm_format *format = calloc(1, sizeof(*format) + sizeof(uint64_t));
	if (format == NULL)
		return NULL;
	format->format = DRM_FORMAT_ARGB8888;
	format->len = format->capacity = 1; /* without one, the GPU allocator aborts */
	format->modifiers[0] = DRM_FORMAT_MOD_INVALID;
	struct wlr_buffer *buffer = wlr_allocator_create_buffer(server->allocator, width, height, format);
	free(format);
	return buffer;
#endif
}

static bool paint_buffer(mw_server *server, struct wlr_buffer *buffer, const struct mw_target *target, struct mw_nodes *nodes,
						 pixman_region32_t *rest, uint8_t *pixels, int32_t stride) {
	mw_prepare_wlr(server, nodes);
#if WLR18
	struct wlr_render_pass *pass = wlr_renderer_begin_buffer_pass(server->renderer, buffer, NULL);
	if (pass == NULL)
		return false;
	mw_paint_wlr(server, pass, target, nodes, rest);
	if (!wlr_render_pass_submit(pass))
		return false;
	struct wlr_texture *texture = wlr_texture_from_buffer(server->renderer, buffer);
	if (texture == NULL)
		return false;
	bool ok = wlr_texture_read_pixels(texture, &(struct wlr_texture_read_pixels_options){
												   .data = pixels,
												   .format = DRM_FORMAT_ARGB8888,
												   .stride = (uint32_t)stride,
											   });
	wlr_texture_destroy(texture);
	return ok;
#else
	if (!wlr_renderer_begin_with_buffer(server->renderer, buffer))
		return false;
	mw_paint_wlr(server, server->renderer, target, nodes, rest);
	uint32_t flags = 0;
	bool ok = wlr_renderer_read_pixels(server->renderer, DRM_FORMAT_ARGB8888, &flags, (uint32_t)stride, (uint32_t)target->width,
									   (uint32_t)target->height, 0, 0, 0, 0, pixels);
	wlr_renderer_end(server->renderer);
	if (ok && (flags & WLR_RENDERER_READ_PIXELS_Y_INVERT)) {
		uint8_t *row = malloc((size_t)stride);
		for (int32_t y = 0; row != NULL && y < target->height / 2; y++) {
			uint8_t *a = pixels + (ptrdiff_t)y * stride, *b = pixels + (ptrdiff_t)(target->height - 1 - y) * stride;
			memcpy(row, a, (size_t)target->width * 4);
			memcpy(a, b, (size_t)target->width * 4);
			memcpy(b, row, (size_t)target->width * 4);
		}
		free(row);
	}
	return ok;
#endif
}

/* ---- both ways ---- */

static bool capture(mw_server *server, const struct mw_target *target, const struct mw_item *items, size_t count, uint8_t *pixels,
					int32_t stride) {
	if (target->width <= 0 || target->height <= 0 || target->width > 16384 || target->height > 16384 || stride < target->width * 4 ||
		stride % 4 != 0)
		return false;
	struct mw_nodes nodes = {0};
	mw_pages_sweep_soon(server); /* this may have read buffers that are out of sight */
	mw_nodes_build(server, &nodes, target, items, count);
	mw_reduce_nodes(server, &nodes, target, false);
	pixman_region32_t rest;
	pixman_region32_init_rect(&rest, 0, 0, (unsigned)target->width, (unsigned)target->height);
	mw_nodes_divide(&nodes, &rest);
	bool ok = false;
	if (server->direct) {
		/* The alpha that clients leave in opaque parts must not appear in a capture of the whole screen. */
		pixman_format_code_t format = target->transparent ? PIXMAN_a8r8g8b8 : PIXMAN_x8r8g8b8;
		pixman_image_t *image =
			pixman_image_create_bits_no_clear(format, target->width, target->height, (uint32_t *)(void *)pixels, stride);
		if (image != NULL) {
			mw_paint_pixman(server, image, target, &nodes, &rest);
			pixman_image_unref(image);
			ok = true;
		}
	} else {
		struct wlr_buffer *buffer = create_buffer(server, target->width, target->height);
		if (buffer != NULL) {
			ok = paint_buffer(server, buffer, target, &nodes, &rest, pixels, stride);
			wlr_buffer_drop(buffer);
		}
	}
	if (ok && !target->transparent) {
		for (int32_t y = 0; y < target->height; y++)
			for (int32_t x = 0; x < target->width; x++)
				pixels[(ptrdiff_t)y * stride + 4 * x + 3] = 255;
	}
	pixman_region32_fini(&rest);
	mw_nodes_finish(&nodes);
	return ok;
}

bool mw_output_capture(mw_output *output, const struct mw_item *items, size_t count, uint8_t *pixels, int32_t width, int32_t height,
					   int32_t stride) {
	double points_wide, points_high;
	mw_output_size(output, &points_wide, &points_high);
	if (points_wide <= 0 || points_high <= 0)
		return false;
	struct mw_target target = {
		.output = output,
		.scale_x = width / points_wide,
		.scale_y = height / points_high,
		.transform = WL_OUTPUT_TRANSFORM_NORMAL,
		.width = width,
		.height = height,
	};
	return capture(output->server, &target, items, count, pixels, stride);
}

bool mw_window_capture_size(mw_window *window, int32_t *width, int32_t *height) {
	struct wlr_box geometry;
	mw_window_geometry(window, &geometry);
	*width = geometry.width;
	*height = geometry.height;
	return window->mapped && window->surface != NULL && geometry.width > 0 && geometry.height > 0;
}

bool mw_window_capture(mw_window *window, uint8_t *pixels, int32_t width, int32_t height, int32_t stride) {
	int32_t own_width, own_height;
	if (!mw_window_capture_size(window, &own_width, &own_height))
		return false;
	struct mw_target target = {
		.scale_x = width / (double)own_width,
		.scale_y = height / (double)own_height,
		.transform = WL_OUTPUT_TRANSFORM_NORMAL,
		.width = width,
		.height = height,
		.transparent = true,
	};
	struct mw_item item = {
		.key = 1,
		.kind = MW_ITEM_WINDOW,
		.window = window,
		.width = own_width,
		.height = own_height,
		.opacity = 1,
	};
	return capture(window->server, &target, &item, 1, pixels, stride);
}
