/* layer-shell: panels, backgrounds and overlays of other programs. The client says where; this arranges. */
#include "draw.h"

#include <stdlib.h>

#define ANCHOR_TOP ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP
#define ANCHOR_BOTTOM ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM
#define ANCHOR_LEFT ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT
#define ANCHOR_RIGHT ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT

struct mw_layers {
	mw_server *server;
	struct wlr_layer_shell_v1 *shell;
	struct wl_list list;                 /* struct layer, oldest first: later ones lie above */
	struct wl_listener new_surface;
};

struct layer {
	struct wl_list link;
	mw_server *server;
	struct wlr_layer_surface_v1 *surface;
	mw_output *output;
	struct wlr_box box;                  /* output points */
	uint32_t sent_width, sent_height;
	bool held;                           /* it is to have another size, and was not told because it is behind or does not answer */
	bool was_mapped;
	struct wl_listener map, unmap, destroy, commit;
};

static bool is_mapped(const struct layer *layer) {
#if WLR18
	return layer->surface->surface->mapped;
#else
	return layer->surface->mapped;
#endif
}

/* ---- arranging ---- */

/* Clients name any number: none goes so far that sums with it are no numbers any more. */
#define FAR (1 << 20)

static int32_t near(int64_t value, int64_t low) {
	return (int32_t)(value < low ? low : value > FAR ? FAR : value);
}

/* One axis: where a surface of `size` goes between `start` and `start + length`. */
static void place(uint32_t said, int32_t start, int32_t length, bool at_start, bool at_end, int64_t before, int64_t after, int32_t *position, int32_t *extent) {
	int64_t size = said, at;
	*extent = near(size == 0 ? length - before - after : size, 1);
	if (size == 0 || (at_start && !at_end))
		at = start + before;
	else if (at_start == at_end)
		at = start + length / 2 - size / 2;
	else
		at = start + length - size - after;
	*position = near(at, -FAR);
}

static void arrange_one(struct layer *layer, const struct wlr_box *full, const struct wlr_box *usable) {
	const struct wlr_layer_surface_v1_state *state = &layer->surface->current;
	const struct wlr_box *bounds = state->exclusive_zone == -1 ? full : usable;
	place(state->desired_width, bounds->x, bounds->width, state->anchor & ANCHOR_LEFT, state->anchor & ANCHOR_RIGHT,
		(int32_t)state->margin.left, (int32_t)state->margin.right, &layer->box.x, &layer->box.width);
	place(state->desired_height, bounds->y, bounds->height, state->anchor & ANCHOR_TOP, state->anchor & ANCHOR_BOTTOM,
		(int32_t)state->margin.top, (int32_t)state->margin.bottom, &layer->box.y, &layer->box.height);
#if WLR18
	if (!layer->surface->initialized)
		return;
#endif
	uint32_t width = (uint32_t)layer->box.width, height = (uint32_t)layer->box.height;
	/* After an unmap the client waits for a configure, though the size may be the old one. */
	bool waits = !layer->surface->configured && wl_list_empty(&layer->surface->configure_list);
	layer->held = false;
	if (!waits && width == layer->sent_width && height == layer->sent_height)
		return;
	/* Another panel may change what it asks for without a pause. */
	if (!mw_may_tell(layer->server, layer->surface->surface, &layer->surface->configure_list)) {
		layer->held = true;
		return;
	}
	layer->sent_width = width;
	layer->sent_height = height;
	wlr_layer_surface_v1_configure(layer->surface, width, height);
}

/* How much of an axis a panel gets for itself: apps keep a quarter of the screen, whatever panels ask for together. */
static int32_t zone_of(const struct wlr_layer_surface_v1_state *state, int64_t margin, int32_t full, int32_t left) {
	int64_t zone = state->exclusive_zone + margin, most = left - full / 4;
	return zone < 0 ? 0 : zone > most ? (int32_t)most : (int32_t)zone;
}

static void take_zone(const struct layer *layer, const struct wlr_box *full, struct wlr_box *usable) {
	const struct wlr_layer_surface_v1_state *state = &layer->surface->current;
	const uint32_t across = ANCHOR_LEFT | ANCHOR_RIGHT, upright = ANCHOR_TOP | ANCHOR_BOTTOM;
	if (state->anchor == ANCHOR_TOP || state->anchor == (ANCHOR_TOP | across)) {
		int32_t zone = zone_of(state, (int32_t)state->margin.top, full->height, usable->height);
		usable->y += zone;
		usable->height -= zone;
	} else if (state->anchor == ANCHOR_BOTTOM || state->anchor == (ANCHOR_BOTTOM | across)) {
		usable->height -= zone_of(state, (int32_t)state->margin.bottom, full->height, usable->height);
	} else if (state->anchor == ANCHOR_LEFT || state->anchor == (ANCHOR_LEFT | upright)) {
		int32_t zone = zone_of(state, (int32_t)state->margin.left, full->width, usable->width);
		usable->x += zone;
		usable->width -= zone;
	} else if (state->anchor == ANCHOR_RIGHT || state->anchor == (ANCHOR_RIGHT | upright)) {
		usable->width -= zone_of(state, (int32_t)state->margin.right, full->width, usable->width);
	}
}

void mw_layers_arrange(mw_output *output) {
	struct mw_layers *layers = output->server->layers;
	if (layers == NULL)
		return;
	double width, height;
	mw_output_size(output, &width, &height);
	struct wlr_box full = { 0, 0, (int)width, (int)height }, usable = full;
	struct layer *layer, *next;
	/* Those that take space come first, from the top layer down, so that the others know what is left. */
	for (int pass = 0; pass < 2; pass++) {
		for (int32_t level = 3; level >= 0; level--) {
			wl_list_for_each_safe(layer, next, &layers->list, link) {
				bool takes = layer->surface->current.exclusive_zone > 0;
				if (layer->output != output || (int32_t)layer->surface->current.layer != level || takes != (pass == 0))
					continue;
				arrange_one(layer, &full, &usable);
				if (takes && is_mapped(layer))
					take_zone(layer, &full, &usable);
			}
		}
	}
	if (usable.width < 1)
		usable.width = 1;
	if (usable.height < 1)
		usable.height = 1;
	const struct wlr_box *old = &output->usable;
	if (usable.x != old->x || usable.y != old->y || usable.width != old->width || usable.height != old->height) {
		double top = usable.y, left = usable.x;
		double right = full.width - usable.x - usable.width, bottom = full.height - usable.y - usable.height;
		bool same_margins = top == output->reserved[0] && right == output->reserved[1] && bottom == output->reserved[2] && left == output->reserved[3];
		output->usable = usable;
		output->reserved[0] = top;
		output->reserved[1] = right;
		output->reserved[2] = bottom;
		output->reserved[3] = left;
		if (!same_margins)
			output->server->on.reserved_changed(output->server->on.user, output, top, right, bottom, left);
	}
	mw_output_schedule(output);
}

/* ---- life ---- */

static void mapped_or_not(struct layer *layer) {
	if (layer->server->destroying)
		return;   /* windows that the handlers still know are gone by then */
	mw_layers_arrange(layer->output);
	mw_seat_refresh_focus(layer->server);
}

static void on_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct layer *layer = wl_container_of(listener, layer, map);
	mapped_or_not(layer);
	/* Not only with its first frame: a taskbar lists the windows of the screen that it knows it is on. */
	wlr_surface_send_enter(layer->surface->surface, layer->output->wlr);
	/* A launcher or a menu that wants keys: a person opened it to type. Panels want none. */
	if (layer->surface->current.layer >= ZWLR_LAYER_SHELL_V1_LAYER_TOP)
		mw_seat_layer_appeared(layer->server, layer->surface->surface);
}

static void on_unmap(struct wl_listener *listener, void *data) {
	(void)data;
	struct layer *layer = wl_container_of(listener, layer, unmap);
	mw_seat_surface_gone(layer->server, layer->surface->surface);
	/* 0.15 clears its `mapped` only after this signal. */
	wl_list_remove(&layer->link);
	mapped_or_not(layer);
	wl_list_insert(layer->server->layers->list.prev, &layer->link);
}

/* wlroots takes it as it comes. */
static bool size_is_said(const struct wlr_layer_surface_v1_state *state) {
	const uint32_t across = ANCHOR_LEFT | ANCHOR_RIGHT, upright = ANCHOR_TOP | ANCHOR_BOTTOM;
	return (state->desired_width != 0 || (state->anchor & across) == across) &&
		(state->desired_height != 0 || (state->anchor & upright) == upright);
}

static void on_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct layer *layer = wl_container_of(listener, layer, commit);
	struct wlr_layer_surface_v1 *surface = layer->surface;
	if (!size_is_said(&surface->current)) {
		wl_resource_post_error(surface->resource, ZWLR_LAYER_SURFACE_V1_ERROR_INVALID_SIZE,
			"size 0 in a direction without anchors to both its edges");
		return;
	}
	bool changed = surface->current.committed != 0;
#if WLR18
	changed = changed || surface->initial_commit;
#endif
	bool waits = !surface->configured && wl_list_empty(&surface->configure_list);
	if (!changed && !waits && !layer->held)
		return;
	mw_layers_arrange(layer->output);
	if (is_mapped(layer))
		mw_seat_refresh_focus(layer->server);
}

void mw_layers_caught_up(mw_server *server, struct wl_client *client) {
	struct layer *layer;
	if (server->layers == NULL)
		return;
	wl_list_for_each(layer, &server->layers->list, link) {
		if (layer->held && wl_resource_get_client(layer->surface->resource) == client)
			mw_layers_arrange(layer->output);
	}
}

static void layer_free(struct layer *layer) {
	struct wl_listener *listeners[] = { &layer->map, &layer->unmap, &layer->destroy, &layer->commit };
	for (size_t i = 0; i < MW_COUNT(listeners); i++)
		mw_unlisten(listeners[i]);
	wl_list_remove(&layer->link);
	free(layer);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct layer *layer = wl_container_of(listener, layer, destroy);
	mw_output *output = layer->output;
	mw_server *server = layer->server;
	layer_free(layer);
	if (!server->destroying) {
		mw_layers_arrange(output);
		mw_seat_refresh_focus(server);
	}
}

static void on_new_surface(struct wl_listener *listener, void *data) {
	struct mw_layers *layers = wl_container_of(listener, layers, new_surface);
	mw_server *server = layers->server;
	struct wlr_layer_surface_v1 *surface = data;
	mw_output *output = surface->output != NULL ? mw_output_of(server, surface->output) : mw_output_first(server);
	struct layer *layer = output != NULL ? calloc(1, sizeof(*layer)) : NULL;
	if (layer == NULL) {
		wlr_layer_surface_v1_destroy(surface);   /* no screen to be on: closed, as the protocol has it */
		return;
	}
	surface->output = output->wlr;
	surface->data = layer;
	layer->server = server;
	layer->surface = surface;
	layer->output = output;
	wl_list_insert(layers->list.prev, &layer->link);
#if WLR18
	mw_listen(&surface->surface->events.map, &layer->map, on_map);
	mw_listen(&surface->surface->events.unmap, &layer->unmap, on_unmap);
#else
	mw_listen(&surface->events.map, &layer->map, on_map);
	mw_listen(&surface->events.unmap, &layer->unmap, on_unmap);
#endif
	mw_listen(&surface->events.destroy, &layer->destroy, on_destroy);
	mw_listen(&surface->surface->events.commit, &layer->commit, on_commit);
}

bool mw_layers_init(mw_server *server) {
	struct mw_layers *layers = server->layers = calloc(1, sizeof(*layers));
	if (layers == NULL)
		return false;
	layers->server = server;
	wl_list_init(&layers->list);
#if WLR18
	layers->shell = wlr_layer_shell_v1_create(server->display, 4);
#else
	layers->shell = wlr_layer_shell_v1_create(server->display);
#endif
	if (layers->shell == NULL)
		return false;
	mw_listen(&layers->shell->events.new_surface, &layers->new_surface, on_new_surface);
	return true;
}

void mw_layers_finish(mw_server *server) {
	struct mw_layers *layers = server->layers;
	if (layers == NULL)
		return;
	mw_unlisten(&layers->new_surface);
	struct layer *layer, *next;
	wl_list_for_each_safe(layer, next, &layers->list, link)
		layer_free(layer);
	server->layers = NULL;
	free(layers);
}

void mw_layers_output_gone(mw_output *output) {
	struct mw_layers *layers = output->server->layers;
	if (layers == NULL)
		return;
	struct layer *layer, *next;
	wl_list_for_each_safe(layer, next, &layers->list, link) {
		if (layer->output != output)
			continue;
		struct wlr_layer_surface_v1 *surface = layer->surface;
		layer_free(layer);
		wlr_layer_surface_v1_destroy(surface);
	}
}

/* ---- asking ---- */

struct walk {
	mw_surface_iterator iterator;
	void *data;
	const struct layer *layer;
};

static void walk_surface(struct wlr_surface *surface, int x, int y, void *data) {
	struct walk *walk = data;
	walk->iterator(surface, walk->layer->box.x + x, walk->layer->box.y + y, walk->data);
}

void mw_layers_each_surface(mw_output *output, int32_t level, mw_surface_iterator iterator, void *data) {
	if (output->server->layers == NULL)
		return;
	struct layer *layer;
	wl_list_for_each(layer, &output->server->layers->list, link) {
		if (layer->output != output || (int32_t)layer->surface->current.layer != level || !is_mapped(layer))
			continue;
		struct walk walk = { iterator, data, layer };
		wlr_layer_surface_v1_for_each_surface(layer->surface, walk_surface, &walk);
	}
	if (level == 3 && output == mw_output_first(output->server))
		mw_x11_each_orphan_surface(output->server, iterator, data);
}

bool mw_layers_is_on(mw_output *output, struct wlr_surface *surface) {
	if (output->server->layers == NULL)
		return false;
	struct layer *layer;
	wl_list_for_each(layer, &output->server->layers->list, link) {
		if (layer->output == output && layer->surface->surface == surface)
			return true;
	}
	return output == mw_output_first(output->server) && mw_x11_is_orphan(output->server, surface);
}

struct wlr_surface *mw_layers_surface_at(mw_output *output, int32_t first_layer, int32_t last_layer, double x, double y, double *sx, double *sy) {
	if (output->server->layers == NULL)
		return NULL;
	struct layer *layer;
	if (last_layer == 3 && output == mw_output_first(output->server)) {
		struct wlr_surface *orphan = mw_x11_orphan_at(output->server, x, y, sx, sy);
		if (orphan != NULL)
			return orphan;
	}
	for (int32_t level = last_layer; level >= first_layer; level--) {
		wl_list_for_each_reverse(layer, &output->server->layers->list, link) {
			if (layer->output != output || (int32_t)layer->surface->current.layer != level || !is_mapped(layer))
				continue;
			struct wlr_surface *found = wlr_layer_surface_v1_surface_at(layer->surface, x - layer->box.x, y - layer->box.y, sx, sy);
			if (found != NULL)
				return found;
		}
	}
	return NULL;
}

struct wlr_surface *mw_layers_keyboard_focus(mw_server *server) {
	if (server->layers == NULL)
		return NULL;
	struct layer *layer;
	for (int32_t level = 3; level >= 2; level--) {
		wl_list_for_each_reverse(layer, &server->layers->list, link) {
			const struct wlr_layer_surface_v1_state *state = &layer->surface->current;
			if ((int32_t)state->layer == level && is_mapped(layer) &&
					state->keyboard_interactive == ZWLR_LAYER_SURFACE_V1_KEYBOARD_INTERACTIVITY_EXCLUSIVE)
				return layer->surface->surface;
		}
	}
	return mw_x11_orphan_keyboard_focus(server);
}
