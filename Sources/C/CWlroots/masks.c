/* C, because it consists of pixel loops. */
/* Rounded corners and soft shadows as alpha masks, painted once and kept while in use. */
#include "draw.h"

#include <drm_fourcc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 16

struct disc {
	int32_t quarters; /* radius in quarter pixels: the key; 0 = free */
	uint64_t used;
	int32_t n;
	pixman_image_t *image;
};

struct shadow_entry {
	struct mw_shadow shadow;
	int32_t radius, blur;
	uint64_t used; /* 0 = free */
};

struct mw_masks {
	uint64_t clock;
	struct disc discs[KEPT];
	struct shadow_entry shadows[KEPT];
	struct mw_feather feather;
};

struct mw_masks *mw_masks_create(void) {
	return calloc(1, sizeof(struct mw_masks));
}

static void shadow_free(struct shadow_entry *entry) {
	struct mw_shadow *shadow = &entry->shadow;
	pixman_image_t *images[] = {shadow->corner, shadow->left, shadow->right, shadow->top, shadow->bottom};
	for (size_t i = 0; i < MW_COUNT(images); i++)
		if (images[i] != NULL)
			pixman_image_unref(images[i]);
	if (shadow->texture != NULL)
		wlr_texture_destroy(shadow->texture);
	*entry = (struct shadow_entry){0};
}

static void feather_free(struct mw_feather *feather) {
	pixman_image_t *images[] = {feather->corner, feather->upright, feather->flat};
	for (size_t i = 0; i < MW_COUNT(images); i++)
		if (images[i] != NULL)
			pixman_image_unref(images[i]);
	*feather = (struct mw_feather){0};
}

void mw_masks_destroy(struct mw_masks *masks) {
	if (masks == NULL)
		return;
	for (int i = 0; i < KEPT; i++) {
		if (masks->discs[i].image != NULL)
			pixman_image_unref(masks->discs[i].image);
		shadow_free(&masks->shadows[i]);
	}
	feather_free(&masks->feather);
	free(masks);
}

uint64_t mw_masks_bytes(const struct mw_masks *masks) {
	uint64_t bytes = 0;
	for (int i = 0; masks != NULL && i < KEPT; i++) {
		const struct mw_shadow *shadow = &masks->shadows[i].shadow;
		pixman_image_t *images[] = {masks->discs[i].image, shadow->corner, shadow->left, shadow->right, shadow->top, shadow->bottom};
		for (size_t k = 0; k < MW_COUNT(images); k++)
			bytes += mw_pixman_bytes(images[k]);
	}
	if (masks != NULL)
		bytes += mw_pixman_bytes(masks->feather.corner) + mw_pixman_bytes(masks->feather.upright) + mw_pixman_bytes(masks->feather.flat);
	return bytes;
}

/* The coverage of a pixel centred at (x, y) from the outer corner by a corner of that radius. */
static double corner_coverage(double radius, double x, double y) {
	double dx = radius - x, dy = radius - y;
	if (dx <= 0 || dy <= 0)
		return 1;
	double inside = radius - sqrt(dx * dx + dy * dy) + 0.5;
	return inside < 0 ? 0 : inside > 1 ? 1 : inside;
}

/* Writes a value to its four mirrored positions in a square of `side` pixels. */
static void put_mirrored(uint8_t *pixels, int32_t stride, int32_t side, int32_t x, int32_t y, uint8_t value) {
	int32_t mx = side - 1 - x, my = side - 1 - y;
	pixels[y * stride + x] = pixels[y * stride + mx] = pixels[my * stride + x] = pixels[my * stride + mx] = value;
}

pixman_image_t *mw_mask_disc(struct mw_masks *masks, double radius, int32_t *n) {
	int32_t quarters = (int32_t)lround(radius * 4);
	if (quarters < 1)
		quarters = 1;
	struct disc *oldest = &masks->discs[0];
	for (int i = 0; i < KEPT; i++) {
		struct disc *disc = &masks->discs[i];
		if (disc->quarters == quarters) {
			disc->used = ++masks->clock;
			*n = disc->n;
			return disc->image;
		}
		if (disc->used < oldest->used)
			oldest = disc;
	}
	if (oldest->image != NULL)
		pixman_image_unref(oldest->image);
	radius = quarters / 4.0;
	int32_t side = (int32_t)ceil(radius);
	*oldest = (struct disc){.quarters = quarters, .used = ++masks->clock, .n = side};
	oldest->image = pixman_image_create_bits(PIXMAN_a8, 2 * side, 2 * side, NULL, 0);
	uint8_t *pixels = (uint8_t *)pixman_image_get_data(oldest->image);
	int32_t stride = pixman_image_get_stride(oldest->image);
	for (int32_t y = 0; y < side; y++)
		for (int32_t x = 0; x < side; x++)
			put_mirrored(pixels, stride, 2 * side, x, y, (uint8_t)lround(255 * corner_coverage(radius, x + 0.5, y + 0.5)));
	*n = side;
	return oldest->image;
}

/* How much is seen at a distance inwards from an edge that fades in over `width`. */
static uint8_t fading_in(double inside, int32_t width) {
	double t = inside / width;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return (uint8_t)lround(255 * t * t * (3 - 2 * t));
}

static void paint_feather(struct mw_feather *feather) {
	int32_t width = feather->width, m = feather->m;
	double radius = feather->radius;
	feather->corner = pixman_image_create_bits(PIXMAN_a8, 2 * m, 2 * m, NULL, 0);
	feather->upright = pixman_image_create_bits(PIXMAN_a8, 2 * width, MW_SHADOW_STRIP, NULL, 0);
	feather->flat = pixman_image_create_bits(PIXMAN_a8, MW_SHADOW_STRIP, 2 * width, NULL, 0);
	uint8_t *corner = (uint8_t *)pixman_image_get_data(feather->corner);
	int32_t stride = pixman_image_get_stride(feather->corner);
	for (int32_t y = 0; y < m; y++) {
		for (int32_t x = 0; x < m; x++) {
			double dx = radius - x - 0.5, dy = radius - y - 0.5;
			double inside = dx > 0 && dy > 0 ? radius - sqrt(dx * dx + dy * dy) : fmin(x, y) + 0.5;
			put_mirrored(corner, stride, 2 * m, x, y, fading_in(inside, width));
		}
	}
	uint8_t *upright = (uint8_t *)pixman_image_get_data(feather->upright), *flat = (uint8_t *)pixman_image_get_data(feather->flat);
	int32_t upright_stride = pixman_image_get_stride(feather->upright), flat_stride = pixman_image_get_stride(feather->flat);
	for (int32_t i = 0; i < 2 * width; i++) {
		uint8_t value = fading_in((i < width ? i : 2 * width - 1 - i) + 0.5, width);
		for (int32_t k = 0; k < MW_SHADOW_STRIP; k++)
			upright[k * upright_stride + i] = flat[i * flat_stride + k] = value;
	}
}

const struct mw_feather *mw_mask_feather(struct mw_masks *masks, double radius, int32_t width) {
	struct mw_feather *feather = &masks->feather;
	if (feather->corner != NULL && feather->width == width && fabs(feather->radius - radius) < 0.25)
		return feather;
	feather_free(feather);
	feather->radius = radius;
	feather->width = width;
	feather->m = (int32_t)ceil(radius) > width ? (int32_t)ceil(radius) : width;
	paint_feather(feather);
	return feather;
}

/* The darkness of a shadow at a distance from its edge: the tail of a Gaussian, reaching zero at `blur`. */
static double falloff(double distance, double blur) {
	if (distance >= blur)
		return 0;
	if (distance <= 0)
		return 1;
	double t = distance / blur, end = exp(-4.5);
	return (exp(-4.5 * t * t) - end) / (1 - end);
}

/* A strip along an edge. `distance` counts outwards from the edge. */
static pixman_image_t *strip(int32_t blur, bool upright, bool outside_first) {
	int32_t width = upright ? blur : MW_SHADOW_STRIP, height = upright ? MW_SHADOW_STRIP : blur;
	pixman_image_t *image = pixman_image_create_bits(PIXMAN_a8, width, height, NULL, 0);
	uint8_t *pixels = (uint8_t *)pixman_image_get_data(image);
	int32_t stride = pixman_image_get_stride(image);
	for (int32_t y = 0; y < height; y++) {
		for (int32_t x = 0; x < width; x++) {
			int32_t i = upright ? x : y;
			double distance = outside_first ? blur - i - 0.5 : i + 0.5;
			pixels[y * stride + x] = (uint8_t)lround(255 * falloff(distance, blur));
		}
	}
	return image;
}

static void paint_shadow(struct mw_shadow *shadow, int32_t radius, int32_t blur) {
	shadow->n = radius;
	shadow->blur = blur;
	int32_t m = shadow->m = radius + blur;
	shadow->corner = pixman_image_create_bits(PIXMAN_a8, 2 * m, 2 * m, NULL, 0);
	uint8_t *pixels = (uint8_t *)pixman_image_get_data(shadow->corner);
	int32_t stride = pixman_image_get_stride(shadow->corner);
	for (int32_t y = 0; y < m; y++) {
		for (int32_t x = 0; x < m; x++) {
			/* Relative to the centre of the corner's circle. */
			double dx = m - x - 0.5, dy = m - y - 0.5;
			double distance = sqrt(dx * dx + dy * dy) - radius;
			/* Nothing inside, because the caster of the shadow may be translucent. Edge pixels are partly covered. */
			double outside = distance + 0.5;
			outside = outside < 0 ? 0 : outside > 1 ? 1 : outside;
			put_mirrored(pixels, stride, 2 * m, x, y, (uint8_t)lround(255 * outside * falloff(distance, blur)));
		}
	}
	shadow->left = strip(blur, true, true);
	shadow->right = strip(blur, true, false);
	shadow->top = strip(blur, false, true);
	shadow->bottom = strip(blur, false, false);
}

struct mw_shadow *mw_mask_shadow(struct mw_masks *masks, double radius, double blur) {
	int32_t whole_radius = (int32_t)lround(radius), whole_blur = (int32_t)lround(blur);
	if (whole_blur < 1)
		whole_blur = 1;
	struct shadow_entry *oldest = &masks->shadows[0];
	for (int i = 0; i < KEPT; i++) {
		struct shadow_entry *entry = &masks->shadows[i];
		if (entry->used != 0 && entry->radius == whole_radius && entry->blur == whole_blur) {
			entry->used = ++masks->clock;
			return &entry->shadow;
		}
		if (entry->used < oldest->used)
			oldest = entry;
	}
	shadow_free(oldest);
	oldest->radius = whole_radius;
	oldest->blur = whole_blur;
	oldest->used = ++masks->clock;
	paint_shadow(&oldest->shadow, whole_radius, whole_blur);
	return &oldest->shadow;
}

static uint32_t premultiplied(const float color[4], double coverage) {
	double alpha = (double)color[3] * coverage * 255;
	return (uint32_t)lround(alpha) << 24 | (uint32_t)lround(alpha * (double)color[0]) << 16 |
		   (uint32_t)lround(alpha * (double)color[1]) << 8 | (uint32_t)lround(alpha * (double)color[2]);
}

struct wlr_texture *mw_shadow_texture(struct mw_shadow *shadow, struct wlr_renderer *renderer, const float color[4]) {
	if (shadow->texture != NULL && memcmp(shadow->color, color, sizeof(shadow->color)) == 0)
		return shadow->texture;
	if (shadow->texture != NULL)
		wlr_texture_destroy(shadow->texture);
	memcpy(shadow->color, color, sizeof(shadow->color));
	/* Between the corners lie MW_SHADOW_STRIP rows and columns of the sides. */
	int32_t m = shadow->m, side = 2 * m + MW_SHADOW_STRIP;
	uint32_t *pixels = calloc((size_t)side * (size_t)side, 4);
	if (pixels == NULL)
		return NULL;
	const uint8_t *corner = (const uint8_t *)pixman_image_get_data(shadow->corner);
	int32_t stride = pixman_image_get_stride(shadow->corner);
	for (int32_t y = 0; y < side; y++) {
		for (int32_t x = 0; x < side; x++) {
			/* A side looks like the outermost row or column of the corner beside it. */
			int32_t from_x = x < m ? x : x < m + MW_SHADOW_STRIP ? m - 1 : x - MW_SHADOW_STRIP;
			int32_t from_y = y < m ? y : y < m + MW_SHADOW_STRIP ? m - 1 : y - MW_SHADOW_STRIP;
			pixels[y * side + x] = premultiplied(color, corner[from_y * stride + from_x] / 255.0);
		}
	}
	shadow->texture = wlr_texture_from_pixels(renderer, DRM_FORMAT_ARGB8888, (uint32_t)side * 4, (uint32_t)side, (uint32_t)side, pixels);
	free(pixels);
	return shadow->texture;
}

void mw_round_region(pixman_region32_t *out, const pixman_box32_t *box, double radius) {
	pixman_region32_fini(out);
	int32_t n = (int32_t)ceil(radius), width = box->x2 - box->x1, height = box->y2 - box->y1;
	if (n > height / 2)
		n = height / 2;
	pixman_region32_init_rect(out, box->x1, box->y1 + n, (unsigned)width, (unsigned)(height - 2 * n));
	for (int32_t y = 0; y < n; y++) {
		double dy = radius - y - 0.5;
		int32_t inset = (int32_t)lround(radius - sqrt(fmax(0, radius * radius - dy * dy)));
		if (2 * inset >= width)
			continue;
		unsigned length = (unsigned)(width - 2 * inset);
		pixman_region32_union_rect(out, out, box->x1 + inset, box->y1 + y, length, 1);
		pixman_region32_union_rect(out, out, box->x1 + inset, box->y2 - 1 - y, length, 1);
	}
}
