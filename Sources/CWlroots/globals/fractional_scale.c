/* fractional-scale-v1: the scale to draw for, in 1/120. One implementation for both versions of wlroots. */
#include "globals.h"

#include "fractional-scale-v1-protocol.h"

#include <math.h>
#include <stdlib.h>

struct fractional_scale {
	struct wl_resource *resource;
	struct wlr_surface *surface;         /* NULL once it is gone: the object does nothing any more */
	struct wl_listener surface_destroy;
	uint32_t told;
};

static void on_surface_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct fractional_scale *object = wl_container_of(listener, object, surface_destroy);
	mw_unlisten(&object->surface_destroy);
	object->surface = NULL;
}

static struct fractional_scale *object_of(struct wlr_surface *surface) {
	struct wl_listener *listener = wl_signal_get(&surface->events.destroy, on_surface_destroy);
	struct fractional_scale *object = NULL;
	return listener != NULL ? wl_container_of(listener, object, surface_destroy) : NULL;
}

static void tell(struct fractional_scale *object, double scale) {
	uint32_t parts = (uint32_t)lround(scale * 120);
	if (object->told == parts)
		return;
	object->told = parts;
	wp_fractional_scale_v1_send_preferred_scale(object->resource, parts);
}

void mw_fractional_scale_tell(struct wlr_surface *surface, double scale) {
	struct fractional_scale *object = object_of(surface);
	if (object != NULL)
		tell(object, scale);
}

static void handle_destroy(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static const struct wp_fractional_scale_v1_interface object_impl = { .destroy = handle_destroy };

static void on_object_destroy(struct wl_resource *resource) {
	struct fractional_scale *object = wl_resource_get_user_data(resource);
	mw_unlisten(&object->surface_destroy);
	free(object);
}

static void handle_get(struct wl_client *client, struct wl_resource *manager, uint32_t id,
		struct wl_resource *surface_resource) {
	mw_server *server = wl_resource_get_user_data(manager);
	struct wlr_surface *surface = wlr_surface_from_resource(surface_resource);
	if (object_of(surface) != NULL) {
		wl_resource_post_error(manager, WP_FRACTIONAL_SCALE_MANAGER_V1_ERROR_FRACTIONAL_SCALE_EXISTS,
			"wl_surface@%u has a wp_fractional_scale_v1 already", wl_resource_get_id(surface_resource));
		return;
	}
	struct fractional_scale *object = calloc(1, sizeof(*object));
	if (object != NULL)
		object->resource = wl_resource_create(client, &wp_fractional_scale_v1_interface, wl_resource_get_version(manager), id);
	if (object == NULL || object->resource == NULL) {
		free(object);
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(object->resource, &object_impl, object, on_object_destroy);
	object->surface = surface;
	mw_listen(&surface->events.destroy, &object->surface_destroy, on_surface_destroy);
	mw_output *output = mw_output_first(server);
	if (output != NULL)
		tell(object, (double)output->wlr->scale);
}

static const struct wp_fractional_scale_manager_v1_interface manager_impl = {
	.destroy = handle_destroy,
	.get_fractional_scale = handle_get,
};

static void bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &wp_fractional_scale_manager_v1_interface, (int)version, id);
	if (resource == NULL) {
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(resource, &manager_impl, data, NULL);
}

bool mw_fractional_scale_init(mw_server *server) {
	return wl_global_create(server->display, &wp_fractional_scale_manager_v1_interface, 1, server, bind) != NULL;
}
