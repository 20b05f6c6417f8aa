/* C, because it runs for every request of every surface: a commit takes 1.8 us in total. */
/*
 * The requests of wl_surface, which outnumber all others together. libwayland calls an implementation through
 * libffi, which takes longer than most requests themselves. A resource with a dispatcher gets the parsed arguments
 * directly. So surfaces get a dispatcher that calls wlroots' own functions.
 */
#include "internal.h"

/* For `struct wl_resource`, whose beginning is ABI: old programs have it compiled in. */
#include <wayland-server.h>

/* libwayland has checked the arguments: types and objects match the protocol, and no request is newer than the
 * object. */
static int dispatch(const void *implementation, void *target, uint32_t opcode, const struct wl_message *message, union wl_argument *args) {
	(void)message;
	const struct wl_surface_interface *calls = implementation;
	struct wl_resource *surface = target;
	struct wl_client *client = wl_resource_get_client(surface);
	switch (opcode) {
	case 0:
		calls->destroy(client, surface);
		break;
	case 1:
		calls->attach(client, surface, (struct wl_resource *)args[0].o, args[1].i, args[2].i);
		break;
	case 2:
		calls->damage(client, surface, args[0].i, args[1].i, args[2].i, args[3].i);
		mw_limits_damage(surface);
		break;
	case 3:
		calls->frame(client, surface, args[0].n);
		break;
	case 4:
		calls->set_opaque_region(client, surface, (struct wl_resource *)args[0].o);
		break;
	case 5:
		calls->set_input_region(client, surface, (struct wl_resource *)args[0].o);
		break;
	case 6:
		mw_limits_cached(surface);
		calls->commit(client, surface);
		break;
	case 7:
		calls->set_buffer_transform(client, surface, args[0].i);
		break;
	case 8:
		calls->set_buffer_scale(client, surface, args[0].i);
		break;
	case 9:
		calls->damage_buffer(client, surface, args[0].i, args[1].i, args[2].i, args[3].i);
		mw_limits_damage(surface);
		break;
	case 10:
		calls->offset(client, surface, args[0].i, args[1].i);
		break;
	default:
		wl_client_post_implementation_error(client, "wl_surface has no request %u here", opcode);
		break;
	}
	return 0;
}

void mw_calls_of_surface(struct wl_resource *surface) {
	wl_resource_set_dispatcher(surface, dispatch, surface->object.implementation, surface->data, surface->destroy);
}
