/* C, because it checks the nodes of each frame. */
/*
 * Direct scan-out: if one surface is the whole picture, its client's buffer is given to the output unchanged, and
 * nothing is painted. The nodes tell whether it is the whole picture: it is in front of everything, certainly
 * covers every pixel, and is shown pixel for pixel. Only the output knows whether it accepts the buffer, so it is
 * asked. If it refuses, the same frame is painted.
 *
 * wlroots keeps the buffer locked until another one has replaced it on the screen.
 */
#include "draw.h"

struct wlr_surface *mw_scan_out_surface(const struct mw_draw_state *state) {
	const struct mw_target *target = &state->target;
	/* A locked screen is always painted, so that it never depends on a driver. */
	if (state->lock || state->nodes.count == 0)
		return NULL;
	struct mw_node *node = &state->nodes.list[state->nodes.count - 1];
	if (node->kind != MW_NODE_SURFACE || node->surface == NULL || node->surface->buffer == NULL)
		return NULL;
	const struct wlr_buffer *buffer = &node->surface->buffer->base;
	if (buffer->width != target->width || buffer->height != target->height)
		return NULL;
	pixman_box32_t all = {0, 0, target->width, target->height};
	struct pixman_f_transform matrix;
	int32_t dx, dy;
	mw_node_matrix(node, target->transform, &matrix);
	if (!mw_matrix_is_offset(&matrix, &dx, &dy) || dx != 0 || dy != 0 ||
		pixman_region32_contains_rectangle(&node->opaque, &all) != PIXMAN_REGION_IN)
		return NULL;
	return node->surface;
}

/* Screen copies need painted frames, and so does a cursor without its own plane. */
static bool is_read(const struct wlr_output *output) { return output->attach_render_locks > 0; }

static bool has_painted_cursor(const struct wlr_output *output) {
	const struct wlr_output_cursor *cursor;
	wl_list_for_each(cursor, &output->cursors, link) {
		if (cursor->enabled && cursor->visible && cursor != output->hardware_cursor)
			return true;
	}
	return false;
}

/* A screen can show buffers that a GPU can read. Virtual outputs show nothing, and are only ever read by painting. */
static bool may_be_shown(mw_output *output, struct wlr_buffer *buffer) {
	struct wlr_dmabuf_attributes attributes;
	return mw_output_is_virtual(output->wlr) || wlr_buffer_get_dmabuf(buffer, &attributes);
}

#if WLR18
static bool test_and_commit(mw_output *output, struct wlr_buffer *buffer, pixman_region32_t *damage) {
	struct wlr_output_state next;
	wlr_output_state_init(&next);
	wlr_output_state_set_buffer(&next, buffer);
	wlr_output_state_set_damage(&next, damage);
	bool ok = wlr_output_test_state(output->wlr, &next) && wlr_output_commit_state(output->wlr, &next);
	wlr_output_state_finish(&next);
	return ok;
}
#else
static bool test_and_commit(mw_output *output, struct wlr_buffer *buffer, pixman_region32_t *damage) {
	wlr_output_attach_buffer(output->wlr, buffer);
	wlr_output_set_damage(output->wlr, damage);
	if (!wlr_output_test(output->wlr)) {
		wlr_output_rollback(output->wlr);
		return false;
	}
	return wlr_output_commit(output->wlr);
}
#endif

struct wlr_surface *mw_scan_out(mw_output *output) {
	struct mw_draw_state *state = output->draw;
	struct wlr_surface *surface = mw_scan_out_surface(state);
	mw_buffers_tell(output, surface);
	if (surface == NULL || has_painted_cursor(output->wlr))
		return NULL;
	int64_t now = mw_now();
	if (is_read(output->wlr)) {
		state->scan_not_before = now + output->server->options.pace.scan_out_pause;
		return NULL;
	}
	struct wlr_buffer *buffer = &surface->buffer->base;
	if (now < state->scan_not_before || !may_be_shown(output, buffer))
		return NULL;
	pixman_region32_t damage;
	pixman_region32_init(&damage);
	pixman_region32_copy(&damage, &state->damage);
	if (!state->scanned_out)
		pixman_region32_union_rect(&damage, &damage, 0, 0, (unsigned)state->target.width, (unsigned)state->target.height);
	bool ok = test_and_commit(output, buffer, &damage);
	pixman_region32_fini(&damage);
	if (!ok) {
		wlr_log(WLR_DEBUG, "output %s: a full-screen buffer cannot be scanned out", output->wlr->name);
		state->scan_not_before = now + output->server->options.pace.scan_out_pause;
		return NULL;
	}
	pixman_region32_clear(&state->damage);
	return surface;
}
