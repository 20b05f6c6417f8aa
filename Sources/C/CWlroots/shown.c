/* C, because it visits everything that is drawn in each frame. */
/* The messages to clients about a frame: frame callbacks, wl_surface.enter, and presentation feedback. */
#include "draw.h"
#include "internal.h"

struct answer {
	mw_server *server;
	struct timespec when;
};

static void answer(struct wlr_surface *surface, double x, double y, void *data) {
	(void)x;
	(void)y;
	struct answer *call = data;
	mw_surface_frame_done(call->server, surface, &call->when);
}

static void answer_tree(struct wlr_surface *surface, int x, int y, void *data) { answer(surface, x, y, data); }

void mw_answer_frame_callbacks(mw_output *output, int64_t when) {
	struct mw_draw_state *state = output->draw;
	struct answer call = {output->server, {.tv_sec = when / 1000000000, .tv_nsec = when % 1000000000}};
	for (size_t i = 0; i < state->window_count; i++) {
		mw_window *window = state->windows[i];
		if (!window->mapped)
			continue;
		window->frame_due = false;
		mw_window_each_surface(window, answer, &call);
		mw_window_each_popup_surface(window, answer, &call);
	}
	for (int32_t layer = 0; layer < 4; layer++)
		mw_layers_each_surface(output, layer, answer, &call);
	mw_lock_each_surface(output, answer, &call);
	double x, y;
	struct wlr_surface *icon = mw_seat_drag_icon(output->server, &x, &y);
	if (icon != NULL)
		wlr_surface_for_each_surface(icon, answer_tree, &call);
	mw_cursors_frame_done(output->server, &call.when);
}

bool mw_note_shown(mw_output *output) {
	struct mw_nodes *nodes = &output->draw->nodes;
	bool awaited = false;
	for (size_t i = 0; i < nodes->count; i++) {
		struct wlr_surface *surface = nodes->list[i].surface;
		if (surface == NULL)
			continue;
		wlr_surface_send_enter(surface, output->wlr);
		if (output->server->on.surface_sampled(output->server->on.user, output->wlr, surface))
			awaited = true;
	}
	return awaited;
}

/* ---- where surfaces were last drawn ---- */

/* Converts buffer pixels to points of the output. Returns false if the node shows no live surface. */
static bool node_box(const struct mw_node *node, const struct mw_target *target, struct wlr_fbox *out) {
	const struct mw_rect *dst = &node->look.dst;
	if (node->kind != MW_NODE_SURFACE || node->surface == NULL || dst->x2 <= dst->x1 || dst->y2 <= dst->y1)
		return false;
	struct wlr_fbox box = {dst->x1, dst->y1, dst->x2 - dst->x1, dst->y2 - dst->y1};
	wlr_fbox_transform(&box, &box, target->transform, target->width, target->height);
	*out = (struct wlr_fbox){box.x / target->scale_x, box.y / target->scale_y, box.width / target->scale_x, box.height / target->scale_y};
	return true;
}

struct wlr_surface *mw_drawn_surface_at(mw_server *server, const struct wlr_surface *except, double x, double y, double *sx, double *sy) {
	mw_output *output = mw_output_first(server);
	if (output == NULL || output->draw == NULL)
		return NULL;
	const struct mw_draw_state *draw = output->draw;
	for (size_t i = draw->nodes.count; i-- > 0;) {
		struct wlr_surface *surface = draw->nodes.list[i].surface;
		struct wlr_fbox box;
		if (surface == except || !node_box(&draw->nodes.list[i], &draw->target, &box))
			continue;
		*sx = (x - box.x) * surface->current.width / box.width;
		*sy = (y - box.y) * surface->current.height / box.height;
		if (wlr_surface_point_accepts_input(surface, *sx, *sy))
			return surface;
	}
	return NULL;
}

bool mw_surface_seen(mw_server *server, struct wlr_surface *surface, struct wlr_fbox *out) {
	mw_output *output = mw_output_first(server);
	if (output == NULL || output->draw == NULL)
		return false;
	const struct mw_draw_state *draw = output->draw;
	for (size_t i = draw->nodes.count; i-- > 0;)
		if (draw->nodes.list[i].surface == surface && node_box(&draw->nodes.list[i], &draw->target, out))
			return true;
	return false;
}
