/* C, because drawing reads these pixels in place. */
/* Pictures that the shell itself paints. */
#include "draw.h"

#include <drm_fourcc.h>
#include <stdlib.h>
#include <string.h>

/* Unique for each image, even at the same address. */
static uint64_t last_revision;

/* Without pixels of its own, the image uses `store`. */
static mw_image *create(mw_server *server, int32_t width, int32_t height, const struct mw_store *store) {
	mw_image *image = calloc(1, sizeof(*image));
	if (image == NULL)
		return NULL;
	/* Own pixels: on wlroots 0.15, a texture made from pixels keeps a dangling pointer to them. */
	image->image = pixman_image_create_bits_no_clear(PIXMAN_a8r8g8b8, width, height, store != NULL ? store->pages : NULL,
													 store != NULL ? width * 4 : 0);
	if (image->image == NULL) {
		free(image);
		return NULL;
	}
	if (store != NULL)
		image->store = *store;
	image->server = server;
	image->width = width;
	image->height = height;
	image->revision = ++last_revision;
	wl_list_insert(&server->images, &image->link);
	return image;
}

mw_image *mw_image_create(mw_server *server, const uint8_t *argb, int32_t width, int32_t height, int32_t stride) {
	if (width <= 0 || height <= 0)
		return NULL;
	mw_image *image = create(server, width, height, NULL);
	if (image == NULL)
		return NULL;
	uint8_t *to = (uint8_t *)pixman_image_get_data(image->image);
	int32_t to_stride = pixman_image_get_stride(image->image);
	bool opaque = true;
	for (int32_t y = 0; y < height; y++) {
		const uint8_t *row = argb + (ptrdiff_t)y * stride;
		memcpy(to + (ptrdiff_t)y * to_stride, row, (size_t)width * 4);
		for (int32_t x = 0; opaque && x < width; x++)
			opaque = row[4 * x + 3] == 255;
	}
	image->opaque = opaque;
	return image;
}

mw_image *mw_image_create_opaque(mw_server *server, int32_t width, int32_t height, uint32_t **pixels) {
	struct mw_store store;
	if (width <= 0 || height <= 0 || width > INT32_MAX / 4 || !mw_store_make(&store, (size_t)width * 4 * (size_t)height))
		return NULL;
	mw_image *image = create(server, width, height, &store);
	if (image == NULL) {
		mw_store_free(&store);
		return NULL;
	}
	image->opaque = true;
	*pixels = store.pages;
	return image;
}

struct wlr_texture *mw_image_texture(mw_image *image) {
	if (image->texture == NULL)
		image->texture =
			wlr_texture_from_pixels(image->server->renderer, DRM_FORMAT_ARGB8888, (uint32_t)pixman_image_get_stride(image->image),
									(uint32_t)image->width, (uint32_t)image->height, pixman_image_get_data(image->image));
	return image->texture;
}

void mw_image_destroy(mw_image *image) {
	if (image == NULL)
		return;
	mw_draw_image_gone(image->server, image);
	if (image->texture != NULL)
		wlr_texture_destroy(image->texture);
	pixman_image_unref(image->image);
	mw_store_free(&image->store);
	wl_list_remove(&image->link);
	free(image);
}
