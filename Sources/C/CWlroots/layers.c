/* layer-shell: panels, backgrounds and overlays of other programs. Reports what they ask for; is told where they stand. */
#include "draw.h"

#include <stdlib.h>

struct mw_layers {
	mw_server *server;
	struct wlr_layer_shell_v1 *shell;
	struct wl_list list;                 /* struct layer, oldest first: later ones lie above */
	uint32_t last_id;
	struct wl_listener new_surface;
};

struct layer {
	struct wl_list link;
	mw_server *server;
	struct wlr_layer_surface_v1 *surface;
	mw_output *output;
	uint32_t id;
	struct wlr_box box;                  /* output points; without a width before it got its place */
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

/* Tells the client its size, if it is another one than it was told, or if it waits to be told one. */
static void tell(struct layer *layer) {
#if WLR18
	if (!layer->surface->initialized)
		return;
#endif
	uint32_t width = (uint32_t)layer->box.width, height = (uint32_t)layer->box.height;
	/* After an unmap the client waits for a configure, though the size may be the old one. */
	bool waits = !layer->surface->configured && wl_list_empty(&layer->surface->configure_list);
	layer->held = false;
	if (width == 0 || (!waits && width == layer->sent_width && height == layer->sent_height))
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

static struct layer *find(mw_server *server, uint32_t id) {
	struct layer *layer;
	if (server->layers == NULL)
		return NULL;
	wl_list_for_each(layer, &server->layers->list, link) {
		if (layer->id == id)
			return layer;
	}
	return NULL;
}

void mw_panel_place(mw_server *server, uint32_t id, int32_t x, int32_t y, int32_t width, int32_t height) {
	struct layer *layer = find(server, id);
	if (layer == NULL)
		return;
	layer->box = (struct wlr_box){ x, y, width, height };
	tell(layer);
	mw_output_schedule(layer->output);
}

struct wlr_surface *mw_layers_panel_surface(mw_server *server, uint32_t id) {
	struct layer *layer = find(server, id);
	return layer != NULL && is_mapped(layer) ? layer->surface->surface : NULL;
}

static void report(struct layer *layer, bool mapped) {
	const struct wlr_layer_surface_v1_state *state = &layer->surface->current;
	struct mw_panel_facts facts = {
		.layer = (int32_t)state->layer,
		.anchors = state->anchor,
		.width = (double)state->desired_width,
		.height = (double)state->desired_height,
		.top = (double)(int32_t)state->margin.top,
		.right = (double)(int32_t)state->margin.right,
		.bottom = (double)(int32_t)state->margin.bottom,
		.left = (double)(int32_t)state->margin.left,
		.zone = (double)state->exclusive_zone,
		.keyboard = (int32_t)state->keyboard_interactive,
		.mapped = mapped,
		.off_screen = layer->output != mw_output_first(layer->server),
	};
	if (!layer->server->destroying)
		layer->server->on.panel_changed(layer->server->on.user, layer->id, &facts);
	mw_output_schedule(layer->output);
}

/* ---- life ---- */

static void on_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct layer *layer = wl_container_of(listener, layer, map);
	/* Not only with its first frame: a taskbar lists the windows of the screen that it knows it is on. */
	wlr_surface_send_enter(layer->surface->surface, layer->output->wlr);
	report(layer, true);
}

static void on_unmap(struct wl_listener *listener, void *data) {
	(void)data;
	struct layer *layer = wl_container_of(listener, layer, unmap);
	mw_seat_surface_gone(layer->server, layer->surface->surface);
	/* It is the newest when it comes again. */
	wl_list_remove(&layer->link);
	wl_list_insert(layer->server->layers->list.prev, &layer->link);
	report(layer, false);
}

/* wlroots takes it as it comes. */
static bool size_is_said(const struct wlr_layer_surface_v1_state *state) {
	const uint32_t across = ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT | ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT, upright = ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP | ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM;
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
	report(layer, is_mapped(layer));
	tell(layer);   /* its place may be the old one, and it waits all the same */
}

void mw_layers_caught_up(mw_server *server, struct wl_client *client) {
	struct layer *layer;
	if (server->layers == NULL)
		return;
	wl_list_for_each(layer, &server->layers->list, link) {
		if (layer->held && wl_resource_get_client(layer->surface->resource) == client)
			tell(layer);
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
	uint32_t id = layer->id;
	layer_free(layer);
	if (server->destroying)
		return;
	server->on.panel_gone(server->on.user, id);
	mw_output_schedule(output);
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
	layer->id = ++layers->last_id;
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

uint32_t mw_layers_panel_of(mw_server *server, struct wlr_surface *surface) {
	struct layer *layer;
	struct wlr_surface *root = mw_surface_root(surface);
	if (server->layers == NULL)
		return 0;
	wl_list_for_each(layer, &server->layers->list, link) {
		if (layer->surface->surface == root)
			return layer->id;
	}
	return 0;
}
