/* C, because it compares and paints in each frame. */
/*
 * Renders a frame: compares flat lists to find the changes since the last frame, and paints only those.
 *
 * Damage is tracked here instead of by wlroots' helpers, because those differ between versions and know nothing
 * about items. All damage is in pixels of the output's buffer.
 */
#include "draw.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wlr/render/pixman.h>
#include <wlr/util/region.h>

void mw_target_of_output(mw_output *output, struct mw_target *out) {
	memset(out, 0, sizeof(*out));
	out->output = output;
	out->scale_x = out->scale_y = (double)output->wlr->scale;
	out->transform = output->wlr->transform;
	out->width = output->wlr->width;
	out->height = output->wlr->height;
}

void mw_draw_state_init(mw_output *output) {
	struct mw_draw_state *state = output->draw = calloc(1, sizeof(*state));
	if (state == NULL)
		abort(); /* nothing can be shown without it, and calloc of a few hundred bytes does not fail in practice */
	pixman_region32_init(&state->damage);
	for (size_t i = 0; i < MW_COUNT(state->ring); i++)
		pixman_region32_init(&state->ring[i]);
	state->whole = true;
}

void mw_draw_state_finish(mw_output *output) {
	struct mw_draw_state *state = output->draw;
	mw_nodes_finish(&state->nodes);
	mw_nodes_finish(&state->next);
	pixman_region32_fini(&state->damage);
	for (size_t i = 0; i < MW_COUNT(state->ring); i++)
		pixman_region32_fini(&state->ring[i]);
	free(state->windows);
	free(state);
	output->draw = NULL;
}

void mw_output_damage_all(mw_output *output) {
	output->draw->whole = true;
	mw_output_schedule(output);
}

/* ---- changes reported by others ---- */

static void add_bounds(pixman_region32_t *damage, const struct mw_node *node) {
	pixman_box32_t b = node->look.bounds;
	pixman_region32_union_rect(damage, damage, b.x1, b.y1, (unsigned)(b.x2 - b.x1), (unsigned)(b.y2 - b.y1));
}

static bool shows_window(const struct mw_draw_state *state, const mw_window *window) {
	for (size_t i = 0; i < state->window_count; i++)
		if (state->windows[i] == window)
			return true;
	return false;
}

/* Whether a surface without a node may get one in the next frame: a new popup or subsurface. */
static bool may_appear(mw_output *output, struct wlr_surface *surface) {
	struct mw_draw_state *state = output->draw;
	struct wlr_surface *root = mw_surface_root(surface);
	if (root == NULL)
		return false;
	double x, y;
	if (state->icon && mw_seat_drag_icon(output->server, &x, &y) == root)
		return true;
	if (mw_layers_is_on(output, root) || mw_lock_is_on(output, root))
		return true;
	if (state->window_count == 0)
		return false;
	for (size_t i = 0; i < state->window_count; i++)
		if (state->windows[i]->surface == root)
			return true;
	/* The root is a window of its own, but none of those shown. */
	if (mw_xdg_surface_of(root) != NULL)
		return false;
	mw_window *window = mw_window_of_surface(output->server, surface);
	return window != NULL && shows_window(state, window);
}

void mw_draw_surface_damaged(mw_server *server, struct wlr_surface *surface, pixman_region32_t *damage) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		struct mw_draw_state *state = output->draw;
		bool shown = false;
		for (size_t i = 0; i < state->nodes.count; i++) {
			struct mw_node *node = &state->nodes.list[i];
			if (node->surface != surface)
				continue;
			shown = true;
			if (!pixman_region32_not_empty(damage))
				break;
			/* A reduced picture shows the change once it is averaged again. It has a new revision then. */
			if (node->kind == MW_NODE_REDUCED)
				continue;
			pixman_region32_t region;
			pixman_region32_init(&region);
			mw_node_map_region(node, &state->target, &region, damage);
			pixman_region32_union(&state->damage, &state->damage, &region);
			pixman_region32_fini(&region);
		}
		if (shown || may_appear(output, surface))
			mw_output_schedule(output);
	}
}

static void forget_node(mw_output *output, struct mw_node *node) {
	node->surface = NULL;
	node->held = NULL;
	node->image = NULL;
	node->identity = NULL;
	node->kind = -1; /* equal to no other, so its area is damaged in the next frame */
	mw_output_schedule(output);
}

void mw_draw_surface_gone(mw_server *server, struct wlr_surface *surface) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		struct mw_nodes *nodes = &output->draw->nodes;
		if (output->draw->whole_surface == surface)
			output->draw->whole_surface = NULL;
		for (size_t i = 0; i < nodes->count; i++)
			if (nodes->list[i].surface == surface)
				forget_node(output, &nodes->list[i]);
	}
}

void mw_draw_snapshot_gone(mw_server *server, struct mw_snapshot *snapshot) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		struct mw_nodes *nodes = &output->draw->nodes;
		for (size_t i = 0; i < nodes->count; i++)
			if (nodes->list[i].kind == MW_NODE_HELD && nodes->list[i].look.revision == snapshot->revision)
				forget_node(output, &nodes->list[i]);
	}
}

void mw_draw_image_gone(mw_server *server, mw_image *image) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		struct mw_nodes *nodes = &output->draw->nodes;
		for (size_t i = 0; i < nodes->count; i++)
			if (nodes->list[i].image == image)
				forget_node(output, &nodes->list[i]);
	}
}

void mw_draw_window_gone(mw_window *window) {
	mw_output *output;
	wl_list_for_each(output, &window->server->outputs, link) {
		struct mw_draw_state *state = output->draw;
		size_t kept = 0;
		for (size_t i = 0; i < state->window_count; i++)
			if (state->windows[i] != window)
				state->windows[kept++] = state->windows[i];
		state->window_count = kept;
		for (size_t i = 0; i < state->nodes.count; i++)
			if (state->nodes.list[i].window == window) {
				state->nodes.list[i].window = NULL;
				forget_node(output, &state->nodes.list[i]);
			}
	}
}

/* ---- comparing ---- */

static struct mw_node *find_same(struct mw_nodes *nodes, const struct mw_node *node, size_t start) {
	for (size_t i = 0; i < nodes->count; i++) {
		struct mw_node *other = &nodes->list[(start + i) % nodes->count];
		if (!other->matched && other->key == node->key && other->identity == node->identity && other->kind == node->kind)
			return other;
	}
	return NULL;
}

/* A reduced picture at the same place, of which only a part changed. */
static bool add_changed(pixman_region32_t *damage, const struct mw_node *old, const struct mw_node *node) {
	if (node->kind != MW_NODE_REDUCED || node->since == 0 || node->since != old->look.revision)
		return false;
	struct mw_look look = old->look;
	look.revision = node->look.revision;
	if (memcmp(&look, &node->look, sizeof(look)) != 0)
		return false;
	const pixman_box32_t *b = &node->changed;
	if (b->x1 < b->x2 && b->y1 < b->y2)
		pixman_region32_union_rect(damage, damage, b->x1, b->y1, (unsigned)(b->x2 - b->x1), (unsigned)(b->y2 - b->y1));
	return true;
}

/* Whether a scaled picture has another position or size than in the previous frame. */
static bool moves(const struct mw_node *old, const struct mw_node *node) {
	if (node->kind != MW_NODE_SURFACE && node->kind != MW_NODE_HELD && node->kind != MW_NODE_REDUCED)
		return false;
	const struct mw_rect *a = &old->look.dst, *b = &node->look.dst;
	double width = b->x2 - b->x1, height = b->y2 - b->y1;
	if (fabs(node->look.source.width - width) < 0.5 && fabs(node->look.source.height - height) < 0.5)
		return false;
	return fabs(a->x1 - b->x1) > 0.01 || fabs(a->y1 - b->y1) > 0.01 || fabs(a->x2 - b->x2) > 0.01 || fabs(a->y2 - b->y2) > 0.01;
}

/* Matches every node with its previous state. Returns true if so much moves that the frame is drawn without
 * filters, and again once the motion ends. */
static bool match(const struct mw_pace *pace, struct mw_draw_state *state) {
	size_t start = 0;
	int64_t area = 0;
	for (size_t i = 0; i < state->nodes.count; i++)
		state->nodes.list[i].matched = false;
	for (size_t i = 0; i < state->next.count; i++) {
		struct mw_node *node = &state->next.list[i];
		node->old = state->nodes.count > 0 ? find_same(&state->nodes, node, start) : NULL;
		if (node->old == NULL)
			continue;
		node->old->matched = true;
		start = (size_t)(node->old - state->nodes.list) + 1;
		pixman_box32_t box = node->look.bounds;
		if (moves(node->old, node))
			area += (int64_t)(box.x2 - box.x1) * (box.y2 - box.y1);
	}
	if (area <= (state->target.scale_x < pace->fine_scale ? pace->rough_area : pace->rough_area / 2))
		return false;
	for (size_t i = 0; i < state->next.count; i++) {
		struct mw_node *node = &state->next.list[i];
		node->look.rough = node->old != NULL && moves(node->old, node);
	}
	return true;
}

static void compare(struct mw_draw_state *state) {
	size_t furthest = 0;
	for (size_t i = 0; i < state->next.count; i++) {
		struct mw_node *node = &state->next.list[i], *old = node->old;
		if (old == NULL) {
			add_bounds(&state->damage, node);
			continue;
		}
		size_t index = (size_t)(old - state->nodes.list);
		bool overtaken = index < furthest; /* something that was in front of it is now behind it */
		if (index > furthest)
			furthest = index;
		if (!overtaken && add_changed(&state->damage, old, node))
			continue;
		if (overtaken || memcmp(&old->look, &node->look, sizeof(node->look)) != 0) {
			add_bounds(&state->damage, old);
			add_bounds(&state->damage, node);
		}
	}
	for (size_t i = 0; i < state->nodes.count; i++)
		if (!state->nodes.list[i].matched)
			add_bounds(&state->damage, &state->nodes.list[i]);
}

static void remember_items(struct mw_draw_state *state, const struct mw_item *items, size_t count) {
	state->window_count = 0;
	state->icon = state->lock = false;
	for (size_t i = 0; i < count; i++) {
		const struct mw_item *item = &items[i];
		if (item->kind == MW_ITEM_LOCK)
			state->lock = true;
		if (item->kind == MW_ITEM_DRAG_ICON)
			state->icon = true;
		if (item->kind != MW_ITEM_WINDOW || item->window == NULL || shows_window(state, item->window))
			continue;
		if (state->window_count == state->window_capacity) {
			size_t capacity = state->window_capacity > 0 ? 2 * state->window_capacity : 16;
			mw_window **windows = realloc(state->windows, capacity * sizeof(*windows));
			if (windows == NULL)
				return;
			state->windows = windows;
			state->window_capacity = capacity;
		}
		state->windows[state->window_count++] = item->window;
	}
}

/* ---- painting and committing ---- */

/* The outdated part of the current buffer: the changes now, and since the buffer was last painted. */
static void buffer_damage(const struct mw_draw_state *state, int age, pixman_region32_t *out) {
	pixman_region32_copy(out, (pixman_region32_t *)&state->damage);
	if (age < 1 || age > (int)MW_COUNT(state->ring) + 1) {
		pixman_region32_union_rect(out, out, 0, 0, (unsigned)state->target.width, (unsigned)state->target.height);
		return;
	}
	for (int i = 0; i < age - 1; i++)
		pixman_region32_union(out, out, (pixman_region32_t *)&state->ring[i]);
}

static uint64_t area(pixman_region32_t *region) {
	int count;
	const pixman_box32_t *boxes = pixman_region32_rectangles(region, &count);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += (uint64_t)(boxes[i].x2 - boxes[i].x1) * (uint64_t)(boxes[i].y2 - boxes[i].y1);
	return sum;
}

/* Divides the damage among the nodes. `rest` gets the part that no node covers. */
static void share_out(mw_output *output, int age, pixman_region32_t *total, pixman_region32_t *rest) {
	struct mw_draw_state *state = output->draw;
	buffer_damage(state, age, total);
	pixman_region32_intersect_rect(total, total, 0, 0, (unsigned)state->target.width, (unsigned)state->target.height);
	output->server->statistics.damage_pixels = area(total);
	pixman_region32_copy(rest, total);
	mw_nodes_divide(&state->nodes, rest);
}

/* The damage in which to draw the cursor: in screen orientation, not in the buffer's. */
static void seen_damage(mw_output *output, pixman_region32_t *damage, pixman_region32_t *out) {
	pixman_region32_init(out);
	wlr_region_transform(out, damage, output->wlr->transform, output->wlr->width, output->wlr->height);
}

#if WLR18
static bool paint_and_commit(mw_output *output) {
	mw_server *server = output->server;
	struct mw_draw_state *state = output->draw;
	struct wlr_output_state next;
	wlr_output_state_init(&next);
	int age = 0;
	struct wlr_render_pass *pass = wlr_output_begin_render_pass(output->wlr, &next, &age, NULL);
	if (pass == NULL) {
		wlr_output_state_finish(&next);
		return false;
	}
	pixman_region32_t total, rest, seen;
	pixman_region32_init(&total);
	pixman_region32_init(&rest);
	share_out(output, age, &total, &rest);
	pixman_image_t *image = server->direct ? wlr_pixman_renderer_get_buffer_image(server->renderer, next.buffer) : NULL;
	if (image != NULL)
		mw_paint_pixman(server, image, &state->target, &state->nodes, &rest);
	else
		mw_paint_wlr(server, pass, &state->target, &state->nodes, &rest);
	seen_damage(output, &total, &seen);
	wlr_output_add_software_cursors_to_render_pass(output->wlr, pass, &seen);
	bool ok = wlr_render_pass_submit(pass);
	mw_gl_wait(server);
	wlr_output_state_set_damage(&next, &state->damage);
	ok = ok && wlr_output_commit_state(output->wlr, &next);
	wlr_output_state_finish(&next);
	pixman_region32_fini(&total);
	pixman_region32_fini(&rest);
	pixman_region32_fini(&seen);
	return ok;
}
#else
static bool paint_and_commit(mw_output *output) {
	mw_server *server = output->server;
	struct mw_draw_state *state = output->draw;
	int age = 0;
	if (!wlr_output_attach_render(output->wlr, &age))
		return false;
	pixman_region32_t total, rest, seen;
	pixman_region32_init(&total);
	pixman_region32_init(&rest);
	share_out(output, age, &total, &rest);
	wlr_renderer_begin(server->renderer, (uint32_t)output->wlr->width, (uint32_t)output->wlr->height);
	pixman_image_t *image = server->direct ? wlr_pixman_renderer_get_current_image(server->renderer) : NULL;
	if (image != NULL)
		mw_paint_pixman(server, image, &state->target, &state->nodes, &rest);
	else
		mw_paint_wlr(server, server->renderer, &state->target, &state->nodes, &rest);
	seen_damage(output, &total, &seen);
	wlr_output_render_software_cursors(output->wlr, &seen);
	wlr_renderer_end(server->renderer);
	mw_gl_wait(server);
	wlr_output_set_damage(output->wlr, &state->damage);
	bool ok = wlr_output_commit(output->wlr);
	pixman_region32_fini(&total);
	pixman_region32_fini(&rest);
	pixman_region32_fini(&seen);
	return ok;
}
#endif

int32_t mw_output_beside(mw_output *output, uint64_t key) {
	const struct mw_nodes *nodes = &output->draw->nodes;
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->list[i].measured && nodes->list[i].key == key)
			return nodes->list[i].beside - 1;
	return -1;
}

static void rotate_ring(struct mw_draw_state *state) {
	size_t last = MW_COUNT(state->ring) - 1;
	pixman_region32_t oldest = state->ring[last];
	memmove(&state->ring[1], &state->ring[0], last * sizeof(state->ring[0]));
	state->ring[0] = oldest;
	pixman_region32_copy(&state->ring[0], &state->damage);
	pixman_region32_clear(&state->damage);
}

int64_t mw_thread_time(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* After scan-out, the age of our own buffers is wrong. */
static bool paint(mw_output *output) {
	struct mw_draw_state *state = output->draw;
	if (state->scanned_out)
		pixman_region32_union_rect(&state->damage, &state->damage, 0, 0, (unsigned)state->target.width, (unsigned)state->target.height);
	if (!output->server->direct)
		mw_prepare_wlr(output->server, &state->nodes);
	return paint_and_commit(output);
}

bool mw_output_render(mw_output *output, const struct mw_item *items, size_t count, int64_t when) {
	mw_server *server = output->server;
	struct mw_draw_state *state = output->draw;
	if (!mw_output_shows(output))
		return false;
	if (output->wlr->frame_pending) {
		/* The last commit is still on its way to the screen, which will ask for a frame. */
		mw_output_schedule(output);
		return false;
	}
	int64_t start = mw_thread_time();
	server->frame++;
	struct mw_target target;
	mw_target_of_output(output, &target);
	if (memcmp(&target, &state->target, sizeof(target)) != 0)
		state->whole = true;
	state->target = target;
	mw_nodes_build(server, &state->next, &target, items, count);
	bool unfinished = mw_reduce_nodes(server, &state->next, &target, true);
	if (match(&server->options.pace, state))
		unfinished = true;
	compare(state);
	struct mw_nodes before = state->nodes;
	state->nodes = state->next;
	state->next = before;
	mw_pages_compare(server, &state->next);
	remember_items(state, items, count);
	if (state->whole)
		pixman_region32_union_rect(&state->damage, &state->damage, 0, 0, (unsigned)target.width, (unsigned)target.height);
	bool changed = pixman_region32_not_empty(&state->damage);
	bool committed = false;
	bool awaited = mw_note_shown(output);
	if (changed || awaited || output->wlr->needs_frame) {
		struct wlr_surface *scanned = mw_scan_out(output);
		committed = scanned != NULL || paint(output);
		if (committed) {
			server->on.output_committed(server->on.user, output->wlr, scanned, output->wlr->commit_seq);
			if (scanned == NULL)
				rotate_ring(state);
			else if (changed)
				server->statistics.frames_scanned_out++;
			state->scanned_out = scanned != NULL;
			state->whole = false;
		} else if (server->session == NULL || server->session->active) {
			mw_output_schedule(output);
		}
	}
	if (state->lock)
		mw_lock_drawn(output, committed);
	mw_answer_frame_callbacks(output, when);
	mw_reduced_collect(server, mw_now());
	if (unfinished) {
		mw_pages_sweep_soon(server); /* windows are averaged now and not read again afterwards */
		mw_output_schedule(output);
	}
	if (committed && changed) {
		if (server->statistics.frames_drawn++ == 0)
			mw_seat_first_frame(server);
		if (state->scanned_out)
			server->statistics.damage_pixels = 0;
		server->statistics.last_draw_ns = (uint64_t)(mw_thread_time() - start);
	}
	return committed && changed;
}
