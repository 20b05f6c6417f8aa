/* Pictures that the shell paints itself. */
#include "draw.h"

#include <drm_fourcc.h>
#include <stdlib.h>
#include <string.h>

/* Never the same for two images, even at one address. */
static uint64_t last_revision;

static mw_image *create(mw_server *server, int32_t width, int32_t height) {
	if (width <= 0 || height <= 0)
		return NULL;
	mw_image *image = calloc(1, sizeof(*image));
	if (image == NULL)
		return NULL;
	/* Our own pixels: on wlroots 0.15 a texture made from pixels keeps a pointer to memory that is gone. */
	image->image = pixman_image_create_bits_no_clear(PIXMAN_a8r8g8b8, width, height, NULL, 0);
	if (image->image == NULL) {
		free(image);
		return NULL;
	}
	image->server = server;
	image->width = width;
	image->height = height;
	wl_list_insert(&server->images, &image->link);
	return image;
}

mw_image *mw_image_create(mw_server *server, const uint8_t *argb, int32_t width, int32_t height, int32_t stride) {
	mw_image *image = create(server, width, height);
	if (image != NULL)
		mw_image_update(image, argb, stride);
	return image;
}

mw_image *mw_image_create_opaque(mw_server *server, int32_t width, int32_t height, uint32_t **pixels) {
	mw_image *image = create(server, width, height);
	if (image == NULL)
		return NULL;
	image->opaque = true;
	image->revision = ++last_revision;
	*pixels = pixman_image_get_data(image->image);   /* rows of 32 bits have no gaps */
	return image;
}

void mw_image_update(mw_image *image, const uint8_t *argb, int32_t stride) {
	uint8_t *to = (uint8_t *)pixman_image_get_data(image->image);
	int32_t to_stride = pixman_image_get_stride(image->image);
	bool opaque = true;
	for (int32_t y = 0; y < image->height; y++) {
		const uint8_t *row = argb + (ptrdiff_t)y * stride;
		memcpy(to + (ptrdiff_t)y * to_stride, row, (size_t)image->width * 4);
		for (int32_t x = 0; opaque && x < image->width; x++)
			opaque = row[4 * x + 3] == 255;
	}
	image->opaque = opaque;
	image->revision = ++last_revision;
	mw_draw_image_changed(image->server, image);
}

/* wlroots' textures cannot all be written again on both versions, so a new one is made after an update. */
struct wlr_texture *mw_image_texture(mw_image *image) {
	if (image->texture != NULL && image->texture_revision == image->revision)
		return image->texture;
	if (image->texture != NULL)
		wlr_texture_destroy(image->texture);
	image->texture = wlr_texture_from_pixels(image->server->renderer, DRM_FORMAT_ARGB8888,
		(uint32_t)pixman_image_get_stride(image->image), (uint32_t)image->width, (uint32_t)image->height,
		pixman_image_get_data(image->image));
	image->texture_revision = image->revision;
	return image->texture;
}

void mw_image_destroy(mw_image *image) {
	if (image == NULL)
		return;
	mw_draw_image_gone(image->server, image);
	if (image->texture != NULL)
		wlr_texture_destroy(image->texture);
	pixman_image_unref(image->image);
	wl_list_remove(&image->link);
	free(image);
}
