/* C, because it visits everything that is drawn in each frame. */
/* Converts items to a flat list of things to paint, in buffer pixels, back to front. */
#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- geometry ---- */

static struct mw_rect turn(struct mw_rect r, enum wl_output_transform transform, double width, double height) {
	switch (transform) {
	case WL_OUTPUT_TRANSFORM_90:
		return (struct mw_rect){height - r.y2, r.x1, height - r.y1, r.x2};
	case WL_OUTPUT_TRANSFORM_180:
		return (struct mw_rect){width - r.x2, height - r.y2, width - r.x1, height - r.y1};
	case WL_OUTPUT_TRANSFORM_270:
		return (struct mw_rect){r.y1, width - r.x2, r.y2, width - r.x1};
	case WL_OUTPUT_TRANSFORM_FLIPPED:
		return (struct mw_rect){width - r.x2, r.y1, width - r.x1, r.y2};
	case WL_OUTPUT_TRANSFORM_FLIPPED_90:
		return (struct mw_rect){r.y1, r.x1, r.y2, r.x2};
	case WL_OUTPUT_TRANSFORM_FLIPPED_180:
		return (struct mw_rect){r.x1, height - r.y2, r.x2, height - r.y1};
	case WL_OUTPUT_TRANSFORM_FLIPPED_270:
		return (struct mw_rect){height - r.y2, width - r.x2, height - r.y1, width - r.x1};
	default:
		return r;
	}
}

/* Points to buffer pixels. */
static struct mw_rect to_pixels(const struct mw_target *target, double x, double y, double width, double height) {
	struct mw_rect r = {x * target->scale_x, y * target->scale_y, (x + width) * target->scale_x, (y + height) * target->scale_y};
	bool turned = target->transform % 2 != 0;
	return turn(r, wlr_output_transform_invert(target->transform), turned ? target->height : target->width,
				turned ? target->width : target->height);
}

/* Animations may move things far out of the screen, and pixman's coordinates have limits. */
static int32_t whole(double value) { return value < -30000 ? -30000 : value > 30000 ? 30000 : (int32_t)value; }

static pixman_box32_t nearest(struct mw_rect r) {
	return (pixman_box32_t){whole(round(r.x1)), whole(round(r.y1)), whole(round(r.x2)), whole(round(r.y2))};
}

static pixman_box32_t common(pixman_box32_t a, pixman_box32_t b) {
	return (pixman_box32_t){
		a.x1 > b.x1 ? a.x1 : b.x1,
		a.y1 > b.y1 ? a.y1 : b.y1,
		a.x2 < b.x2 ? a.x2 : b.x2,
		a.y2 < b.y2 ? a.y2 : b.y2,
	};
}

static bool empty(pixman_box32_t box) { return box.x1 >= box.x2 || box.y1 >= box.y2; }

struct affine {
	double xx, xy, x0, yx, yy, y0;
};

/* From unit square to unit square, with the same rotations as wlr_box_transform. */
static struct affine unit_transform(enum wl_output_transform transform) {
	switch (transform) {
	case WL_OUTPUT_TRANSFORM_90:
		return (struct affine){0, -1, 1, 1, 0, 0};
	case WL_OUTPUT_TRANSFORM_180:
		return (struct affine){-1, 0, 1, 0, -1, 1};
	case WL_OUTPUT_TRANSFORM_270:
		return (struct affine){0, 1, 0, -1, 0, 1};
	case WL_OUTPUT_TRANSFORM_FLIPPED:
		return (struct affine){-1, 0, 1, 0, 1, 0};
	case WL_OUTPUT_TRANSFORM_FLIPPED_90:
		return (struct affine){0, 1, 0, 1, 0, 0};
	case WL_OUTPUT_TRANSFORM_FLIPPED_180:
		return (struct affine){1, 0, 0, 0, -1, 1};
	case WL_OUTPUT_TRANSFORM_FLIPPED_270:
		return (struct affine){0, -1, 1, -1, 0, 1};
	default:
		return (struct affine){1, 0, 0, 0, 1, 0};
	}
}

/* First `a`, then `b`. */
static struct affine then(struct affine a, struct affine b) {
	return (struct affine){
		b.xx * a.xx + b.xy * a.yx, b.xx * a.xy + b.xy * a.yy, b.xx * a.x0 + b.xy * a.y0 + b.x0,
		b.yx * a.xx + b.yy * a.yx, b.yx * a.xy + b.yy * a.yy, b.yx * a.x0 + b.yy * a.y0 + b.y0,
	};
}

void mw_node_matrix(const struct mw_node *node, enum wl_output_transform output, struct pixman_f_transform *out) {
	const struct mw_rect *dst = &node->look.dst;
	const struct wlr_fbox *source = &node->look.source;
	double width = dst->x2 - dst->x1, height = dst->y2 - dst->y1;
	struct affine m = {1 / width, 0, -dst->x1 / width, 0, 1 / height, -dst->y1 / height};
	m = then(m, unit_transform(output));
	m = then(m, unit_transform(wlr_output_transform_invert((enum wl_output_transform)node->look.transform)));
	m = then(m, (struct affine){source->width, 0, source->x, 0, source->height, source->y});
	*out = (struct pixman_f_transform){.m = {{m.xx, m.xy, m.x0}, {m.yx, m.yy, m.y0}, {0, 0, 1}}};
}

bool mw_matrix_is_offset(const struct pixman_f_transform *matrix, int32_t *dx, int32_t *dy) {
	/* Over the widest screen, the error stays below a tenth of a pixel. */
	if (fabs(matrix->m[0][0] - 1) > 1e-5 || fabs(matrix->m[1][1] - 1) > 1e-5 || matrix->m[0][1] != 0 || matrix->m[1][0] != 0)
		return false;
	double x = round(matrix->m[0][2]), y = round(matrix->m[1][2]);
	if (fabs(matrix->m[0][2] - x) > 0.03 || fabs(matrix->m[1][2] - y) > 0.03)
		return false;
	*dx = (int32_t)x;
	*dy = (int32_t)y;
	return true;
}

/* ---- the list ---- */

void mw_nodes_clear(struct mw_nodes *nodes) {
	for (size_t i = 0; i < nodes->count; i++) {
		pixman_region32_fini(&nodes->list[i].opaque);
		pixman_region32_fini(&nodes->list[i].paint);
	}
	nodes->count = 0;
}

void mw_nodes_finish(struct mw_nodes *nodes) {
	mw_nodes_clear(nodes);
	free(nodes->list);
	*nodes = (struct mw_nodes){0};
}

struct build {
	mw_server *server;
	struct mw_nodes *nodes;
	const struct mw_target *target;
	const struct mw_item *item;
	pixman_box32_t screen;
	/* From surface points to output points. */
	double x, y, fx, fy;
	mw_window *window;
};

static struct mw_node *node_add(struct build *build, int32_t kind, const void *identity) {
	struct mw_nodes *nodes = build->nodes;
	if (nodes->count == nodes->capacity) {
		size_t capacity = nodes->capacity > 0 ? nodes->capacity * 2 : 32;
		struct mw_node *list = realloc(nodes->list, capacity * sizeof(*list));
		if (list == NULL)
			return NULL;
		nodes->list = list;
		nodes->capacity = capacity;
	}
	struct mw_node *node = &nodes->list[nodes->count++];
	memset(node, 0, sizeof(*node));
	node->key = build->item->key;
	node->kind = kind;
	node->identity = identity;
	node->window = build->window;
	float opacity = build->item->opacity;
	node->look.opacity = opacity < 0 ? 0 : opacity > 1 ? 1 : opacity;
	pixman_region32_init(&node->opaque);
	pixman_region32_init(&node->paint);
	return node;
}

static void node_drop(struct build *build) {
	struct mw_node *node = &build->nodes->list[--build->nodes->count];
	pixman_region32_fini(&node->opaque);
	pixman_region32_fini(&node->paint);
}

/* The corners of the rounded rectangle are never opaque. */
static void cut_corners(struct mw_node *node) {
	if (node->look.radius <= 0 || !pixman_region32_not_empty(&node->opaque))
		return;
	int32_t n = (int32_t)ceil(node->look.radius);
	pixman_box32_t r = node->look.round;
	pixman_box32_t boxes[] = {
		{r.x1, r.y1, r.x1 + n, r.y1 + n},
		{r.x2 - n, r.y1, r.x2, r.y1 + n},
		{r.x1, r.y2 - n, r.x1 + n, r.y2},
		{r.x2 - n, r.y2 - n, r.x2, r.y2},
	};
	pixman_region32_t corners;
	pixman_region32_init_rects(&corners, boxes, 4);
	pixman_region32_subtract(&node->opaque, &node->opaque, &corners);
	pixman_region32_fini(&corners);
}

static void set_round(struct mw_node *node, pixman_box32_t box, double radius) {
	double limit = fmin(box.x2 - box.x1, box.y2 - box.y1) / 2.0;
	node->look.round = box;
	node->look.radius = fmax(0, fmin(radius, floor(limit)));
	if (node->look.radius < 0.5)
		node->look.radius = 0;
}

static void set_feather(struct build *build, struct mw_node *node) {
	const pixman_box32_t *r = &node->look.round;
	double limit = floor(fmin(r->x2 - r->x1, r->y2 - r->y1) / 2.0);
	node->look.feather = (int32_t)fmax(0, fmin(round(build->item->feather * build->target->scale_x), limit));
}

/* Sets bounds and rounding from the item's clip. */
static bool apply_clip(struct build *build, struct mw_node *node, bool rounds) {
	const struct mw_item *item = build->item;
	node->look.bounds = common(node->look.bounds, build->screen);
	if (item->clipped) {
		pixman_box32_t clip = nearest(to_pixels(build->target, item->clip_x, item->clip_y, item->clip_width, item->clip_height));
		node->look.bounds = common(node->look.bounds, clip);
		if (rounds && !empty(clip)) {
			set_round(node, clip, item->radius * build->target->scale_x);
			set_feather(build, node);
		}
	}
	if (!empty(node->look.bounds) && node->look.opacity > 0)
		return true;
	node_drop(build);
	return false;
}

static void set_opaque(struct mw_node *node) {
	if (node->look.feather > 0)
		return;
	pixman_box32_t b = node->look.bounds;
	pixman_region32_union_rect(&node->opaque, &node->opaque, b.x1, b.y1, (unsigned)(b.x2 - b.x1), (unsigned)(b.y2 - b.y1));
	cut_corners(node);
}

/* From surface points to buffer pixels. `inside` rounds inwards, otherwise outwards. */
static void map_region(const struct mw_target *target, pixman_region32_t *out, const pixman_region32_t *region, double x, double y,
					   double fx, double fy, bool inside) {
	int count;
	const pixman_box32_t *rects = pixman_region32_rectangles((pixman_region32_t *)region, &count);
	/* Interpolation spreads a change by one pixel. */
	double spread = fabs(fx * target->scale_x - 1) > 1e-9 || fabs(fy * target->scale_y - 1) > 1e-9 ? 1 : 0;
	for (int i = 0; i < count; i++) {
		const pixman_box32_t *b = &rects[i];
		struct mw_rect r = to_pixels(target, x + b->x1 * fx, y + b->y1 * fy, (b->x2 - b->x1) * fx, (b->y2 - b->y1) * fy);
		pixman_box32_t box = inside ? (pixman_box32_t){whole(ceil(r.x1 - 0.001)), whole(ceil(r.y1 - 0.001)), whole(floor(r.x2 + 0.001)),
													   whole(floor(r.y2 + 0.001))}
									: (pixman_box32_t){whole(floor(r.x1 - spread)), whole(floor(r.y1 - spread)), whole(ceil(r.x2 + spread)),
													   whole(ceil(r.y2 + spread))};
		if (!empty(box))
			pixman_region32_union_rect(out, out, box.x1, box.y1, (unsigned)(box.x2 - box.x1), (unsigned)(box.y2 - box.y1));
	}
}

void mw_node_map_region(const struct mw_node *node, const struct mw_target *target, pixman_region32_t *out,
						const pixman_region32_t *region) {
	map_region(target, out, region, node->x, node->y, node->fx, node->fy, false);
	pixman_box32_t b = node->look.bounds;
	pixman_region32_intersect_rect(out, out, b.x1, b.y1, (unsigned)(b.x2 - b.x1), (unsigned)(b.y2 - b.y1));
}

static void find_opaque(struct build *build, struct mw_node *node, const pixman_region32_t *opaque, double width, double height) {
	if (node->look.opacity < 1 || node->look.feather > 0 || !pixman_region32_not_empty((pixman_region32_t *)opaque))
		return;
	const pixman_box32_t *extents = pixman_region32_extents((pixman_region32_t *)opaque);
	int count = pixman_region32_n_rects((pixman_region32_t *)opaque);
	if (count == 1 && extents->x1 <= 0 && extents->y1 <= 0 && extents->x2 >= width && extents->y2 >= height) {
		set_opaque(node);
		return;
	}
	if (count > 64)
		return;
	map_region(build->target, &node->opaque, opaque, node->x, node->y, node->fx, node->fy, true);
	pixman_box32_t b = node->look.bounds;
	pixman_region32_intersect_rect(&node->opaque, &node->opaque, b.x1, b.y1, (unsigned)(b.x2 - b.x1), (unsigned)(b.y2 - b.y1));
	cut_corners(node);
}

static bool is_whole(double value) { return fabs(value - round(value)) < 1e-6; }

/* At scales like 1.25, whole points fall between pixels. A picture drawn for exactly that scale, at rest on whole
 * points, is shown pixel for pixel from the nearest pixel on. Otherwise all of it would be blurred. */
static void sharpen(struct mw_node *node, enum wl_output_transform transform) {
	struct mw_rect *dst = &node->look.dst;
	if (fabs(node->fx - 1) > 1e-9 || fabs(node->fy - 1) > 1e-9 || !is_whole(node->x) || !is_whole(node->y))
		return;
	bool turned = (node->look.transform + (int32_t)transform) % 2 != 0;
	double width = turned ? node->look.source.height : node->look.source.width;
	double height = turned ? node->look.source.width : node->look.source.height;
	if (fabs(dst->x2 - dst->x1 - width) >= 1 || fabs(dst->y2 - dst->y1 - height) >= 1 || !is_whole(width) || !is_whole(height))
		return;
	dst->x1 = round(dst->x1);
	dst->y1 = round(dst->y1);
	dst->x2 = dst->x1 + width;
	dst->y2 = dst->y1 + height;
}

static bool place_picture(struct build *build, struct mw_node *node, double x, double y, double width, double height) {
	node->fx = build->fx;
	node->fy = build->fy;
	node->x = build->x + x * build->fx;
	node->y = build->y + y * build->fy;
	node->look.dst = to_pixels(build->target, node->x, node->y, width * build->fx, height * build->fy);
	sharpen(node, build->target->transform);
	node->look.bounds = nearest(node->look.dst);
	return apply_clip(build, node, true);
}

static void add_surface(struct wlr_surface *surface, double x, double y, void *data) {
	struct build *build = data;
	if (surface->buffer == NULL || surface->current.width <= 0 || surface->current.height <= 0)
		return;
	struct mw_node *node = node_add(build, MW_NODE_SURFACE, surface);
	if (node == NULL)
		return;
	node->surface = surface;
	wlr_surface_get_buffer_source_box(surface, &node->look.source);
	node->look.transform = (int32_t)surface->current.transform;
	node->reducible = build->item->kind == MW_ITEM_WINDOW;
	if (place_picture(build, node, x, y, surface->current.width, surface->current.height))
		find_opaque(build, node, &surface->opaque_region, surface->current.width, surface->current.height);
}

static void add_tree_surface(struct wlr_surface *surface, int x, int y, void *data) { add_surface(surface, x, y, data); }

static void add_held(struct build *build, struct mw_snapshot *snapshot) {
	for (size_t i = 0; i < snapshot->count; i++) {
		struct mw_held_surface *held = &snapshot->list[i];
		struct mw_node *node = node_add(build, MW_NODE_HELD, held);
		if (node == NULL)
			return;
		node->held = held;
		node->look.source = held->source;
		node->look.transform = held->transform;
		node->look.revision = snapshot->revision;
		if (place_picture(build, node, held->x, held->y, held->width, held->height))
			find_opaque(build, node, &held->opaque, held->width, held->height);
	}
}

/* Maps the window's geometry onto the item's rectangle. */
static bool begin_window(struct build *build, double width, double height) {
	const struct mw_item *item = build->item;
	if (width <= 0 || height <= 0 || item->width <= 0 || item->height <= 0)
		return false;
	build->x = item->x;
	build->y = item->y;
	build->fx = item->width / width;
	build->fy = item->height / height;
	return true;
}

static void add_window(struct build *build) {
	mw_window *window = build->item->window;
	if (window == NULL)
		return;
	build->window = window;
	bool popups = build->item->kind == MW_ITEM_POPUPS;
	struct wlr_box geometry;
	if (window->held != NULL && !popups) {
		if (begin_window(build, window->held->width, window->held->height))
			add_held(build, window->held);
		return;
	}
	if (!window->mapped || window->surface == NULL)
		return;
	mw_window_geometry(window, &geometry);
	if (!begin_window(build, geometry.width, geometry.height))
		return;
	if (popups)
		mw_window_each_popup_surface(window, add_surface, build);
	else
		mw_window_each_surface(window, add_surface, build);
}

static void add_fill(struct build *build) {
	const struct mw_item *item = build->item;
	struct mw_node *node = node_add(build, MW_NODE_FILL, NULL);
	if (node == NULL)
		return;
	node->measured = item->measured;
	memcpy(node->look.color, item->color, sizeof(node->look.color));
	node->look.dst = to_pixels(build->target, item->x, item->y, item->width, item->height);
	node->look.bounds = nearest(node->look.dst);
	if (empty(node->look.bounds)) {
		node_drop(build);
		return;
	}
	set_round(node, node->look.bounds, item->radius * build->target->scale_x);
	set_feather(build, node);
	if (apply_clip(build, node, false) && item->color[3] >= 1 && node->look.opacity >= 1)
		set_opaque(node);
}

static void add_shadow(struct build *build) {
	const struct mw_item *item = build->item;
	double blur = round(item->blur * build->target->scale_x);
	struct mw_node *node = node_add(build, MW_NODE_SHADOW, NULL);
	if (node == NULL)
		return;
	memcpy(node->look.color, item->color, sizeof(node->look.color));
	node->look.dst = to_pixels(build->target, item->x, item->y, item->width, item->height);
	pixman_box32_t box = nearest(node->look.dst);
	if (empty(box) || blur < 1 || blur > 1000) {
		node_drop(build);
		return;
	}
	set_round(node, box, item->radius * build->target->scale_x);
	node->look.radius = floor(node->look.radius);
	node->look.blur = blur;
	int32_t grow = (int32_t)blur;
	node->look.bounds = (pixman_box32_t){box.x1 - grow, box.y1 - grow, box.x2 + grow, box.y2 + grow};
	apply_clip(build, node, false);
}

static void add_image(struct build *build) {
	const struct mw_item *item = build->item;
	mw_image *image = item->image;
	if (image == NULL || item->width <= 0 || item->height <= 0)
		return;
	struct mw_node *node = node_add(build, MW_NODE_IMAGE, image);
	if (node == NULL)
		return;
	node->image = image;
	node->look.source = (struct wlr_fbox){0, 0, image->width, image->height};
	node->look.revision = image->revision;
	build->x = item->x;
	build->y = item->y;
	build->fx = build->fy = 1;
	if (place_picture(build, node, 0, 0, item->width, item->height) && image->opaque && node->look.opacity >= 1)
		set_opaque(node);
}

static bool is_of_apps(int32_t kind) {
	return kind == MW_ITEM_WINDOW || kind == MW_ITEM_POPUPS || kind == MW_ITEM_LAYER || kind == MW_ITEM_DRAG_ICON;
}

static bool is_over_lock(mw_server *server, const struct mw_item *item) {
	return (item->kind == MW_ITEM_WINDOW || item->kind == MW_ITEM_POPUPS) && mw_lock_shows(server, item->window);
}

void mw_nodes_build(mw_server *server, struct mw_nodes *nodes, const struct mw_target *target, const struct mw_item *items, size_t count) {
	mw_nodes_clear(nodes);
	bool locked = target->output != NULL && mw_lock_is_locked(server);
	for (size_t i = 0; i < count; i++) {
		struct build build = {
			.server = server,
			.nodes = nodes,
			.target = target,
			.item = &items[i],
			.screen = {0, 0, target->width, target->height},
			.fx = 1,
			.fy = 1,
		};
		/* Whatever was requested, a locked session shows nothing of apps but the one over its lock screen. */
		if (locked && is_of_apps(items[i].kind) && !is_over_lock(server, &items[i]))
			continue;
		switch (items[i].kind) {
		case MW_ITEM_FILL:
			add_fill(&build);
			break;
		case MW_ITEM_WINDOW:
		case MW_ITEM_POPUPS:
			add_window(&build);
			break;
		case MW_ITEM_LAYER:
			if (target->output != NULL)
				mw_layers_each_surface(target->output, items[i].layer, add_surface, &build);
			break;
		case MW_ITEM_LOCK:
			if (target->output != NULL)
				mw_lock_each_surface(target->output, add_surface, &build);
			break;
		case MW_ITEM_IMAGE:
			add_image(&build);
			break;
		case MW_ITEM_SHADOW:
			add_shadow(&build);
			break;
		case MW_ITEM_DRAG_ICON: {
			struct wlr_surface *icon = mw_seat_drag_icon(server, &build.x, &build.y);
			if (icon != NULL)
				wlr_surface_for_each_surface(icon, add_tree_surface, &build);
			break;
		}
		}
	}
}

void mw_nodes_divide(struct mw_nodes *nodes, pixman_region32_t *damage) {
	for (size_t i = nodes->count; i-- > 0;) {
		struct mw_node *node = &nodes->list[i];
		pixman_box32_t b = node->look.bounds;
		pixman_region32_intersect_rect(&node->paint, damage, b.x1, b.y1, (unsigned)(b.x2 - b.x1), (unsigned)(b.y2 - b.y1));
		if (pixman_region32_not_empty(&node->opaque) && pixman_region32_not_empty(&node->paint))
			pixman_region32_subtract(damage, damage, &node->opaque);
	}
}
