/* single-pixel-buffer-v1: buffers of one colour without shared memory. wlroots 0.18 brings its own. */
#include "globals.h"

#if WLR18

#include <wlr/types/wlr_single_pixel_buffer_v1.h>

bool mw_single_pixel_init(mw_server *server) {
	return wlr_single_pixel_buffer_manager_v1_create(server->display) != NULL;
}

#else

#include "single-pixel-buffer-v1-protocol.h"

#include <drm_fourcc.h>
#include <stdlib.h>

struct single_pixel {
	struct wlr_buffer base;
	struct wl_resource *resource;        /* NULL once the client has destroyed it; what shows it may live on */
	struct wl_listener release;
	uint32_t argb;                       /* premultiplied, as it came */
};

static void handle_destroy(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static const struct wl_buffer_interface wl_buffer_impl = { .destroy = handle_destroy };

static struct single_pixel *from_buffer(struct wlr_buffer *buffer) {
	struct single_pixel *pixel = wl_container_of(buffer, pixel, base);
	return pixel;
}

static void buffer_destroy(struct wlr_buffer *buffer) {
	struct single_pixel *pixel = from_buffer(buffer);
	mw_unlisten(&pixel->release);
	free(pixel);
}

static bool buffer_begin_access(struct wlr_buffer *buffer, uint32_t flags, void **data, uint32_t *format, size_t *stride) {
	if (flags & WLR_BUFFER_DATA_PTR_ACCESS_WRITE)
		return false;
	*data = &from_buffer(buffer)->argb;
	*format = DRM_FORMAT_ARGB8888;
	*stride = sizeof(uint32_t);
	return true;
}

static void buffer_end_access(struct wlr_buffer *buffer) {
	(void)buffer;
}

static const struct wlr_buffer_impl buffer_impl = {
	.destroy = buffer_destroy,
	.begin_data_ptr_access = buffer_begin_access,
	.end_data_ptr_access = buffer_end_access,
};

static bool is_instance(struct wl_resource *resource) {
	return wl_resource_instance_of(resource, &wl_buffer_interface, &wl_buffer_impl);
}

static struct wlr_buffer *from_resource(struct wl_resource *resource) {
	struct single_pixel *pixel = wl_resource_get_user_data(resource);
	return &pixel->base;
}

static const struct wlr_buffer_resource_interface resource_interface = {
	.name = "wp_single_pixel_buffer_v1",
	.is_instance = is_instance,
	.from_resource = from_resource,
};

static void on_resource_destroy(struct wl_resource *resource) {
	struct single_pixel *pixel = wl_resource_get_user_data(resource);
	pixel->resource = NULL;
	wlr_buffer_drop(&pixel->base);
}

static void on_release(struct wl_listener *listener, void *data) {
	(void)data;
	struct single_pixel *pixel = wl_container_of(listener, pixel, release);
	if (pixel->resource != NULL)
		wl_buffer_send_release(pixel->resource);
}

static uint32_t byte_of(uint32_t channel) {
	return (uint32_t)((uint64_t)channel * 255 / UINT32_MAX);
}

static void handle_create(struct wl_client *client, struct wl_resource *manager, uint32_t id, uint32_t red, uint32_t green,
		uint32_t blue, uint32_t alpha) {
	(void)manager;
	struct single_pixel *pixel = calloc(1, sizeof(*pixel));
	if (pixel != NULL)
		pixel->resource = wl_resource_create(client, &wl_buffer_interface, 1, id);
	if (pixel == NULL || pixel->resource == NULL) {
		free(pixel);
		wl_client_post_no_memory(client);
		return;
	}
	wlr_buffer_init(&pixel->base, &buffer_impl, 1, 1);
	pixel->argb = byte_of(alpha) << 24 | byte_of(red) << 16 | byte_of(green) << 8 | byte_of(blue);
	mw_listen(&pixel->base.events.release, &pixel->release, on_release);
	wl_resource_set_implementation(pixel->resource, &wl_buffer_impl, pixel, on_resource_destroy);
}

static const struct wp_single_pixel_buffer_manager_v1_interface manager_impl = {
	.destroy = handle_destroy,
	.create_u32_rgba_buffer = handle_create,
};

static void bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	(void)data;
	struct wl_resource *resource = wl_resource_create(client, &wp_single_pixel_buffer_manager_v1_interface, (int)version, id);
	if (resource == NULL) {
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(resource, &manager_impl, NULL, NULL);
}

bool mw_single_pixel_init(mw_server *server) {
	/* wlroots keeps these for the whole process, however many servers come and go. */
	static bool registered;
	if (!registered)
		wlr_buffer_register_resource_interface(&resource_interface);
	registered = true;
	return wl_global_create(server->display, &wp_single_pixel_buffer_manager_v1_interface, 1, NULL, bind) != NULL;
}

#endif
