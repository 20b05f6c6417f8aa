/* C, because it consists of pixel loops. */
/*
 * Paints directly into a pixman image: the path without a GPU.
 *
 * It does what wlroots' pixman renderer cannot: antialiased corners with masks, complete shadows, subpixel
 * placement and a smooth filter with both wlroots versions. It copies rows where a picture is shown pixel for
 * pixel.
 */
#include "draw.h"

#include <math.h>
#include <wlr/render/pixman.h>

/* ---- client pixels ---- */

bool mw_pixels_begin(struct mw_pixels *pixels, struct wlr_client_buffer *buffer) {
	if (buffer->source == NULL || buffer->texture == NULL || !wlr_texture_is_pixman(buffer->texture))
		return false;
	/* The texture's image may point to memory from before its pool grew, so make a new one. */
	pixman_format_code_t format = pixman_image_get_format(wlr_pixman_texture_get_image(buffer->texture));
	void *data;
	uint32_t drm_format;
	size_t stride;
	if (!wlr_buffer_begin_data_ptr_access(buffer->source, WLR_BUFFER_DATA_PTR_ACCESS_READ, &data, &drm_format, &stride))
		return false;
	int width = buffer->source->width, height = buffer->source->height;
	/* libwayland accepts a stride that is shorter than a row. */
	bool sound = data != NULL && stride % 4 == 0 && stride >= (size_t)width * PIXMAN_FORMAT_BPP(format) / 8;
	pixels->image = sound ? pixman_image_create_bits_no_clear(format, width, height, data, (int)stride) : NULL;
	if (pixels->image == NULL) {
		wlr_buffer_end_data_ptr_access(buffer->source);
		return false;
	}
	pixels->buffer = buffer->source;
	mw_pages_read(buffer->source);
	mw_guard_begin(data, stride * (size_t)height);
	return true;
}

void mw_pixels_end(struct mw_pixels *pixels) {
	pixman_image_unref(pixels->image);
	if (pixels->buffer != NULL) {
		mw_guard_end();
		wlr_buffer_end_data_ptr_access(pixels->buffer);
	}
}

/* ---- painting ---- */

struct painter {
	pixman_image_t *image;
	struct mw_masks *masks;
	struct mw_node *node;
	/* The source of painting, and its offset from the destination's pixels. */
	pixman_image_t *source;
	int32_t dx, dy;
	bool is_scaled;
};

static pixman_image_t *solid(double red, double green, double blue, double alpha) {
	pixman_color_t color = {
		.red = (uint16_t)lround(red * alpha * 65535),
		.green = (uint16_t)lround(green * alpha * 65535),
		.blue = (uint16_t)lround(blue * alpha * 65535),
		.alpha = (uint16_t)lround(alpha * 65535),
	};
	return pixman_image_create_solid_fill(&color);
}

/* Composites only inside `region`. mask_x, mask_y: the mask's pixel at the region's origin. */
static void composite(struct painter *painter, pixman_op_t op, pixman_image_t *mask, int32_t mask_x, int32_t mask_y,
					  pixman_region32_t *region) {
	if (!pixman_region32_not_empty(region))
		return;
	const pixman_box32_t *box = pixman_region32_extents(region);
	pixman_image_set_clip_region32(painter->image, region);
	pixman_image_composite32(op, painter->source, mask, painter->image, box->x1 + painter->dx, box->y1 + painter->dy, box->x1 + mask_x,
							 box->y1 + mask_y, box->x1, box->y1, box->x2 - box->x1, box->y2 - box->y1);
}

struct patch {
	int32_t x, y, width, height;
};

#define STRIP_ROWS 16

/* Pixman has no fast path for scaling and fading a picture without alpha at once (8 ms for a full-screen window,
 * although each alone takes about one). So a few rows at a time are scaled into a strip that stays in the cache,
 * and blended from there. mask_x, mask_y: as for `composite`. */
static void composite_faded(struct painter *painter, pixman_image_t *alpha, int32_t mask_x, int32_t mask_y, pixman_region32_t *region) {
	pixman_box32_t box = *pixman_region32_extents(region);
	int32_t width = box.x2 - box.x1;
	bool is_slow = painter->is_scaled && width > 0 && pixman_image_get_format(painter->source) == PIXMAN_x8r8g8b8;
	pixman_image_t *strip = is_slow ? pixman_image_create_bits_no_clear(PIXMAN_x8r8g8b8, width, STRIP_ROWS, NULL, 0) : NULL;
	if (strip == NULL) {
		composite(painter, PIXMAN_OP_OVER, alpha, mask_x, mask_y, region);
		return;
	}
	struct painter blend = *painter;
	blend.source = strip;
	blend.dx = -box.x1;
	pixman_region32_t part;
	pixman_region32_init(&part);
	for (int32_t y = box.y1; y < box.y2; y += STRIP_ROWS) {
		int32_t height = box.y2 - y < STRIP_ROWS ? box.y2 - y : STRIP_ROWS;
		pixman_region32_intersect_rect(&part, region, box.x1, y, (unsigned)width, (unsigned)height);
		if (!pixman_region32_not_empty(&part))
			continue;
		pixman_image_composite32(PIXMAN_OP_SRC, painter->source, NULL, strip, box.x1 + painter->dx, y + painter->dy, 0, 0, 0, 0, width,
								 height);
		blend.dy = -y;
		composite(&blend, PIXMAN_OP_OVER, alpha, mask_x, mask_y, &part);
	}
	pixman_region32_fini(&part);
	pixman_image_unref(strip);
}

/* A corner mask multiplied by the node's opacity. */
static pixman_image_t *faded(pixman_image_t *mask, double opacity) {
	int width = pixman_image_get_width(mask), height = pixman_image_get_height(mask);
	pixman_image_t *out = pixman_image_create_bits(PIXMAN_a8, width, height, NULL, 0);
	pixman_image_t *alpha = solid(0, 0, 0, opacity);
	pixman_image_composite32(PIXMAN_OP_SRC, mask, alpha, out, 0, 0, 0, 0, 0, 0, width, height);
	pixman_image_unref(alpha);
	return out;
}

/* Paints the four corner squares of the node's rounded rectangle, and removes them from `rest`. */
static void paint_corners(struct painter *painter, double opacity, pixman_region32_t *rest) {
	const struct mw_look *look = &painter->node->look;
	if (look->radius <= 0)
		return;
	int32_t n;
	pixman_image_t *disc = mw_mask_disc(painter->masks, look->radius, &n);
	pixman_image_t *mask = NULL;
	const pixman_box32_t *r = &look->round;
	const struct {
		int32_t x, y, mask_x, mask_y;
	} corners[] = {
		{r->x1, r->y1, 0, 0},
		{r->x2 - n, r->y1, n, 0},
		{r->x1, r->y2 - n, 0, n},
		{r->x2 - n, r->y2 - n, n, n},
	};
	pixman_region32_t square;
	pixman_region32_init(&square);
	for (int i = 0; i < 4; i++) {
		pixman_region32_intersect_rect(&square, rest, corners[i].x, corners[i].y, (unsigned)n, (unsigned)n);
		if (!pixman_region32_not_empty(&square))
			continue;
		pixman_region32_subtract(rest, rest, &square);
		if (mask == NULL)
			mask = opacity < 1 ? faded(disc, opacity) : pixman_image_ref(disc);
		composite(painter, PIXMAN_OP_OVER, mask, corners[i].mask_x - corners[i].x, corners[i].mask_y - corners[i].y, &square);
	}
	pixman_region32_fini(&square);
	if (mask != NULL)
		pixman_image_unref(mask);
}

/* Paints the intersection of `rest` with a part of an edge, and removes it from `rest`. */
static void paint_edge(struct painter *painter, pixman_image_t *mask, struct patch patch, int32_t mask_x, int32_t mask_y,
					   pixman_region32_t *rest) {
	if (patch.width <= 0 || patch.height <= 0)
		return;
	pixman_region32_t region;
	pixman_region32_init(&region);
	pixman_region32_intersect_rect(&region, rest, patch.x, patch.y, (unsigned)patch.width, (unsigned)patch.height);
	if (pixman_region32_not_empty(&region)) {
		pixman_region32_subtract(rest, rest, &region);
		composite_faded(painter, mask, mask_x - patch.x, mask_y - patch.y, &region);
	}
	pixman_region32_fini(&region);
}

/* Paints the edges of the node's rounded rectangle, which fade in towards its middle (V-06), and removes them from `rest`. */
static void paint_feather(struct painter *painter, double opacity, pixman_region32_t *rest) {
	const struct mw_look *look = &painter->node->look;
	const struct mw_feather *feather = mw_mask_feather(painter->masks, look->radius, look->feather);
	const pixman_box32_t *r = &look->round;
	int32_t m = feather->m, w = feather->width;
	pixman_image_t *corner = faded(feather->corner, opacity), *upright = faded(feather->upright, opacity),
				   *flat = faded(feather->flat, opacity);
	paint_edge(painter, corner, (struct patch){r->x1, r->y1, m, m}, 0, 0, rest);
	paint_edge(painter, corner, (struct patch){r->x2 - m, r->y1, m, m}, m, 0, rest);
	paint_edge(painter, corner, (struct patch){r->x1, r->y2 - m, m, m}, 0, m, rest);
	paint_edge(painter, corner, (struct patch){r->x2 - m, r->y2 - m, m, m}, m, m, rest);
	for (int32_t y = r->y1 + m; y < r->y2 - m; y += MW_SHADOW_STRIP) {
		int32_t height = r->y2 - m - y < MW_SHADOW_STRIP ? r->y2 - m - y : MW_SHADOW_STRIP;
		paint_edge(painter, upright, (struct patch){r->x1, y, w, height}, 0, 0, rest);
		paint_edge(painter, upright, (struct patch){r->x2 - w, y, w, height}, w, 0, rest);
	}
	for (int32_t x = r->x1 + m; x < r->x2 - m; x += MW_SHADOW_STRIP) {
		int32_t width = r->x2 - m - x < MW_SHADOW_STRIP ? r->x2 - m - x : MW_SHADOW_STRIP;
		paint_edge(painter, flat, (struct patch){x, r->y1, width, w}, 0, 0, rest);
		paint_edge(painter, flat, (struct patch){x, r->y2 - w, width, w}, 0, w, rest);
	}
	pixman_image_unref(corner);
	pixman_image_unref(upright);
	pixman_image_unref(flat);
}

/* Paints painter->source over node->paint: corners with a mask, opaque parts by copying, the rest by blending. */
static void paint_source(struct painter *painter, double opacity) {
	struct mw_node *node = painter->node;
	pixman_region32_t rest, part;
	pixman_region32_init(&rest);
	pixman_region32_init(&part);
	pixman_region32_copy(&rest, &node->paint);
	if (node->look.feather > 0)
		paint_feather(painter, opacity, &rest);
	else
		paint_corners(painter, opacity, &rest);
	if (opacity < 1) {
		pixman_image_t *alpha = solid(0, 0, 0, opacity);
		composite_faded(painter, alpha, 0, 0, &rest);
		pixman_image_unref(alpha);
	} else {
		pixman_region32_intersect(&part, &rest, &node->opaque);
		composite(painter, PIXMAN_OP_SRC, NULL, 0, 0, &part);
		pixman_region32_subtract(&rest, &rest, &node->opaque);
		composite(painter, PIXMAN_OP_OVER, NULL, 0, 0, &rest);
	}
	pixman_region32_fini(&part);
	pixman_region32_fini(&rest);
}

static void paint_picture(struct painter *painter, enum wl_output_transform output, pixman_image_t *picture) {
	struct pixman_f_transform matrix;
	mw_node_matrix(painter->node, output, &matrix);
	painter->source = picture;
	pixman_image_set_repeat(picture, PIXMAN_REPEAT_PAD);
	painter->is_scaled = !mw_matrix_is_offset(&matrix, &painter->dx, &painter->dy);
	if (painter->is_scaled) {
		/* Relative to the start of the node: far from the origin, a scaled-down picture would exceed the range of
		 * 16.16. */
		painter->dx = -painter->node->look.bounds.x1;
		painter->dy = -painter->node->look.bounds.y1;
		for (int row = 0; row < 2; row++)
			matrix.m[row][2] -= matrix.m[row][0] * painter->dx + matrix.m[row][1] * painter->dy;
		struct pixman_transform fixed;
		if (!pixman_transform_from_pixman_f_transform(&fixed, &matrix))
			return; /* still out of range: scaled down to less than a pixel */
		pixman_image_set_transform(picture, &fixed);
		bool whole_turn = fabs(fabs(matrix.m[0][0] + matrix.m[0][1]) - 1) < 1e-5 &&
						  fabs(fabs(matrix.m[1][0] + matrix.m[1][1]) - 1) < 1e-5 && fabs(matrix.m[0][2] - round(matrix.m[0][2])) < 0.03 &&
						  fabs(matrix.m[1][2] - round(matrix.m[1][2])) < 0.03;
		pixman_image_set_filter(picture, whole_turn || painter->node->look.rough ? PIXMAN_FILTER_NEAREST : PIXMAN_FILTER_BILINEAR, NULL, 0);
	}
	paint_source(painter, (double)painter->node->look.opacity);
	pixman_image_set_transform(picture, NULL);
}

static void paint_fill(struct painter *painter) {
	const struct mw_look *look = &painter->node->look;
	double alpha = (double)look->color[3] * (double)look->opacity;
	painter->source = solid((double)look->color[0], (double)look->color[1], (double)look->color[2], alpha);
	painter->dx = painter->dy = 0;
	paint_source(painter, 1);
	pixman_image_unref(painter->source);
}

static void paint_patch(struct painter *painter, pixman_image_t *mask, struct patch patch, int32_t mask_x, int32_t mask_y) {
	if (patch.width <= 0 || patch.height <= 0)
		return;
	pixman_region32_t region;
	pixman_region32_init(&region);
	pixman_region32_intersect_rect(&region, &painter->node->paint, patch.x, patch.y, (unsigned)patch.width, (unsigned)patch.height);
	composite(painter, PIXMAN_OP_OVER, mask, mask_x - patch.x, mask_y - patch.y, &region);
	pixman_region32_fini(&region);
}

static void paint_shadow(struct painter *painter) {
	const struct mw_look *look = &painter->node->look;
	struct mw_shadow *shadow = mw_mask_shadow(painter->masks, look->radius, look->blur);
	double alpha = (double)look->color[3] * (double)look->opacity;
	painter->source = solid((double)look->color[0], (double)look->color[1], (double)look->color[2], alpha);
	painter->dx = painter->dy = 0;
	const pixman_box32_t *r = &look->round;
	int32_t n = shadow->n, blur = shadow->blur, m = shadow->m;
	paint_patch(painter, shadow->corner, (struct patch){r->x1 - blur, r->y1 - blur, m, m}, 0, 0);
	paint_patch(painter, shadow->corner, (struct patch){r->x2 - n, r->y1 - blur, m, m}, m, 0);
	paint_patch(painter, shadow->corner, (struct patch){r->x1 - blur, r->y2 - n, m, m}, 0, m);
	paint_patch(painter, shadow->corner, (struct patch){r->x2 - n, r->y2 - n, m, m}, m, m);
	for (int32_t y = r->y1 + n; y < r->y2 - n; y += MW_SHADOW_STRIP) {
		int32_t height = r->y2 - n - y < MW_SHADOW_STRIP ? r->y2 - n - y : MW_SHADOW_STRIP;
		paint_patch(painter, shadow->left, (struct patch){r->x1 - blur, y, blur, height}, 0, 0);
		paint_patch(painter, shadow->right, (struct patch){r->x2, y, blur, height}, 0, 0);
	}
	for (int32_t x = r->x1 + n; x < r->x2 - n; x += MW_SHADOW_STRIP) {
		int32_t width = r->x2 - n - x < MW_SHADOW_STRIP ? r->x2 - n - x : MW_SHADOW_STRIP;
		paint_patch(painter, shadow->top, (struct patch){x, r->y1 - blur, width, blur}, 0, 0);
		paint_patch(painter, shadow->bottom, (struct patch){x, r->y2, width, blur}, 0, 0);
	}
	pixman_image_unref(painter->source);
}

static void paint_node(struct painter *painter, enum wl_output_transform output) {
	struct mw_node *node = painter->node;
	struct mw_pixels pixels;
	switch (node->kind) {
	case MW_NODE_FILL:
		paint_fill(painter);
		break;
	case MW_NODE_SHADOW:
		paint_shadow(painter);
		break;
	case MW_NODE_IMAGE:
		if (node->image != NULL)
			paint_picture(painter, output, node->image->image);
		break;
	case MW_NODE_SURFACE:
		if (node->surface == NULL || node->surface->buffer == NULL || !mw_pixels_begin(&pixels, node->surface->buffer))
			break;
		paint_picture(painter, output, pixels.image);
		mw_pixels_end(&pixels);
		break;
	case MW_NODE_REDUCED:
		if (node->picture != NULL)
			paint_picture(painter, output, node->picture);
		break;
	case MW_NODE_HELD:
		if (node->held == NULL || !mw_held_pixels_begin(&pixels, node->held))
			break;
		paint_picture(painter, output, pixels.image);
		mw_pixels_end(&pixels);
		break;
	}
}

/* Samples a few pixels at both ends of a fill that is wider than high. On a rotated screen, above and below it. */
static void measure(pixman_image_t *image, struct mw_node *node) {
	if (PIXMAN_FORMAT_BPP(pixman_image_get_format(image)) != 32)
		return;
	const pixman_box32_t *b = &node->look.bounds;
	int32_t width = pixman_image_get_width(image), height = pixman_image_get_height(image);
	bool lies = b->x2 - b->x1 >= b->y2 - b->y1;
	const uint32_t *pixels = pixman_image_get_data(image);
	int32_t stride = pixman_image_get_stride(image) / 4;
	uint32_t sum = 0, count = 0;
	for (int32_t away = 2; away < 14; away += 3) {
		for (int32_t across = 1; across < (lies ? b->y2 - b->y1 : b->x2 - b->x1); across += 3) {
			for (int end = 0; end < 2; end++) {
				int32_t along = lies ? (end ? b->x2 + away : b->x1 - 1 - away) : (end ? b->y2 + away : b->y1 - 1 - away);
				int32_t x = lies ? along : b->x1 + across, y = lies ? b->y1 + across : along;
				if (x < 0 || y < 0 || x >= width || y >= height)
					continue;
				uint32_t pixel = pixels[(ptrdiff_t)y * stride + x];
				/* The weights work for either order of red and blue. */
				sum += ((pixel >> 16 & 0xff) + 2 * (pixel >> 8 & 0xff) + (pixel & 0xff)) / 4;
				count++;
			}
		}
	}
	if (count > 0)
		node->beside = 1 + (int32_t)(sum / count);
}

void mw_paint_pixman(mw_server *server, pixman_image_t *image, const struct mw_target *target, struct mw_nodes *nodes,
					 pixman_region32_t *rest) {
	if (pixman_region32_not_empty(rest)) {
		int count;
		pixman_box32_t *boxes = pixman_region32_rectangles(rest, &count);
		pixman_color_t color = {.alpha = target->transparent ? 0 : 0xffff};
		pixman_image_set_clip_region32(image, NULL);
		pixman_image_fill_boxes(PIXMAN_OP_SRC, image, &color, count, boxes);
	}
	for (size_t i = 0; i < nodes->count; i++) {
		struct painter painter = {.image = image, .masks = server->masks, .node = &nodes->list[i]};
		if (pixman_region32_not_empty(&painter.node->paint))
			paint_node(&painter, target->transform);
	}
	pixman_image_set_clip_region32(image, NULL);
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->list[i].measured)
			measure(image, &nodes->list[i]);
}
