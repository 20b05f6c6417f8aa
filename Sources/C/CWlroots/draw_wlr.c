/* C, because it paints in each frame. */
/*
 * Paints through wlroots' renderer: the path with a GPU. The result equals the direct path except for two limits
 * of the renderer's interface: rounded corners are aligned to whole pixels, and on 0.18 so is the placement.
 */
#include "draw.h"

#include <math.h>
#include <string.h>
#include <wlr/render/pixman.h>
#include <wlr/types/wlr_matrix.h>

#if WLR18
typedef struct wlr_render_pass render_pass;
#else
typedef struct wlr_renderer render_pass;
#endif

static struct wlr_texture *texture_of(mw_server *server, struct mw_node *node) {
	switch (node->kind) {
	case MW_NODE_SURFACE:
		return node->surface != NULL ? wlr_surface_get_texture(node->surface) : NULL;
	case MW_NODE_HELD:
		return node->held != NULL && node->held->buffer != NULL ? node->held->buffer->texture : NULL;
	case MW_NODE_IMAGE:
		return node->image != NULL ? mw_image_texture(node->image) : NULL;
	case MW_NODE_SHADOW:
		return mw_shadow_texture(mw_mask_shadow(server->masks, node->look.radius, node->look.blur), server->renderer, node->look.color);
	default:
		return NULL;
	}
}

void mw_prepare_wlr(mw_server *server, struct mw_nodes *nodes) {
	for (size_t i = 0; i < nodes->count; i++) {
		int32_t kind = nodes->list[i].kind;
		if (kind == MW_NODE_IMAGE || kind == MW_NODE_SHADOW)
			texture_of(server, &nodes->list[i]);
	}
}

static void fill(render_pass *pass, pixman_region32_t *region, const float color[4], bool replace) {
	if (!pixman_region32_not_empty(region))
		return;
#if WLR18
	const pixman_box32_t *box = pixman_region32_extents(region);
	wlr_render_pass_add_rect(pass, &(struct wlr_render_rect_options){
									   .box = {box->x1, box->y1, box->x2 - box->x1, box->y2 - box->y1},
									   .color = {color[0], color[1], color[2], color[3]},
									   .clip = region,
									   .blend_mode = replace ? WLR_RENDER_BLEND_MODE_NONE : WLR_RENDER_BLEND_MODE_PREMULTIPLIED,
								   });
#else
	static const float identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	int count;
	pixman_box32_t *boxes = pixman_region32_rectangles(region, &count);
	for (int i = 0; i < count; i++) {
		struct wlr_box box = {boxes[i].x1, boxes[i].y1, boxes[i].x2 - boxes[i].x1, boxes[i].y2 - boxes[i].y1};
		wlr_renderer_scissor(pass, &box);
		if (replace)
			wlr_renderer_clear(pass, color);
		else
			wlr_render_rect(pass, &box, color, identity);
	}
	wlr_renderer_scissor(pass, NULL);
#endif
}

/* Draws the part `source` of a texture onto `dst`, both in pixels, inside `region`. */
static void picture(render_pass *pass, struct wlr_texture *texture, const struct mw_node *node, enum wl_output_transform output,
					pixman_region32_t *region) {
	if (!pixman_region32_not_empty(region))
		return;
#if WLR18
	const struct mw_rect *dst = &node->look.dst;
	int32_t x1 = (int32_t)round(dst->x1), y1 = (int32_t)round(dst->y1);
	float alpha = node->look.opacity;
	pixman_region32_t rest;
	pixman_region32_init(&rest);
	pixman_region32_subtract(&rest, region, &node->opaque);
	bool opaque = !pixman_region32_not_empty(&rest);
	pixman_region32_fini(&rest);
	wlr_render_pass_add_texture(
		pass,
		&(struct wlr_render_texture_options){
			.texture = texture,
			.src_box = node->look.source,
			.dst_box = {x1, y1, (int32_t)round(dst->x2) - x1, (int32_t)round(dst->y2) - y1},
			.alpha = &alpha,
			.clip = region,
			/* Do not blend a single pixel with its surroundings. */
			.filter_mode = texture->width == 1 && texture->height == 1 ? WLR_SCALE_FILTER_NEAREST : WLR_SCALE_FILTER_BILINEAR,
			.transform = wlr_output_transform_compose(wlr_output_transform_invert((enum wl_output_transform)node->look.transform), output),
			.blend_mode = opaque ? WLR_RENDER_BLEND_MODE_NONE : WLR_RENDER_BLEND_MODE_PREMULTIPLIED,
		});
#else
	/* Draw the whole texture and clip it: the pixman renderer of 0.15 ignores the origin of a part. */
	struct pixman_f_transform matrix, inverse;
	mw_node_matrix(node, output, &matrix);
	if (!pixman_f_transform_invert(&inverse, &matrix))
		return;
	float m[9];
	for (int row = 0; row < 3; row++) {
		m[3 * row] = (float)(inverse.m[row][0] * texture->width);
		m[3 * row + 1] = (float)(inverse.m[row][1] * texture->height);
		m[3 * row + 2] = (float)inverse.m[row][2];
	}
	if (wlr_texture_is_pixman(texture)) {
		pixman_image_t *image = wlr_pixman_texture_get_image(texture);
		pixman_image_set_filter(image, PIXMAN_FILTER_BILINEAR, NULL, 0);
		pixman_image_set_repeat(image, PIXMAN_REPEAT_PAD);
	}
	struct wlr_fbox whole = {0, 0, texture->width, texture->height};
	int count;
	pixman_box32_t *boxes = pixman_region32_rectangles(region, &count);
	for (int i = 0; i < count; i++) {
		struct wlr_box box = {boxes[i].x1, boxes[i].y1, boxes[i].x2 - boxes[i].x1, boxes[i].y2 - boxes[i].y1};
		wlr_renderer_scissor(pass, &box);
		wlr_render_subtexture_with_matrix(pass, texture, &whole, m, node->look.opacity);
	}
	wlr_renderer_scissor(pass, NULL);
#endif
}

static void shadow_patch(render_pass *pass, struct wlr_texture *texture, const struct mw_node *node, struct wlr_box dst,
						 struct wlr_fbox source) {
	if (dst.width <= 0 || dst.height <= 0)
		return;
	struct mw_node patch = {.look = node->look};
	patch.look.dst = (struct mw_rect){dst.x, dst.y, dst.x + dst.width, dst.y + dst.height};
	patch.look.source = source;
	patch.look.transform = WL_OUTPUT_TRANSFORM_NORMAL;
	pixman_region32_init(&patch.opaque);
	pixman_region32_t region;
	pixman_region32_init(&region);
	pixman_region32_intersect_rect(&region, (pixman_region32_t *)&node->paint, dst.x, dst.y, (unsigned)dst.width, (unsigned)dst.height);
	/* The shadow is made in the orientation of the buffer, so it is not rotated. */
	picture(pass, texture, &patch, WL_OUTPUT_TRANSFORM_NORMAL, &region);
	pixman_region32_fini(&region);
	pixman_region32_fini(&patch.opaque);
}

static void paint_shadow(mw_server *server, render_pass *pass, struct mw_node *node, struct wlr_texture *texture) {
	struct mw_shadow *shadow = mw_mask_shadow(server->masks, node->look.radius, node->look.blur);
	const pixman_box32_t *r = &node->look.round;
	int32_t n = shadow->n, blur = shadow->blur, m = shadow->m;
	int32_t left = r->x1 - blur, top = r->y1 - blur, far = m + MW_SHADOW_STRIP;
	const struct {
		struct wlr_box dst;
		struct wlr_fbox source;
	} corners[] = {
		{{left, top, m, m}, {0, 0, m, m}},
		{{r->x2 - n, top, m, m}, {far, 0, m, m}},
		{{left, r->y2 - n, m, m}, {0, far, m, m}},
		{{r->x2 - n, r->y2 - n, m, m}, {far, far, m, m}},
	};
	for (size_t i = 0; i < MW_COUNT(corners); i++)
		shadow_patch(pass, texture, node, corners[i].dst, corners[i].source);
	for (int32_t x = r->x1 + n; x < r->x2 - n; x += MW_SHADOW_STRIP) {
		int32_t width = r->x2 - n - x < MW_SHADOW_STRIP ? r->x2 - n - x : MW_SHADOW_STRIP;
		shadow_patch(pass, texture, node, (struct wlr_box){x, top, width, blur}, (struct wlr_fbox){m, 0, width, blur});
		shadow_patch(pass, texture, node, (struct wlr_box){x, r->y2, width, blur}, (struct wlr_fbox){m, far + n, width, blur});
	}
	for (int32_t y = r->y1 + n; y < r->y2 - n; y += MW_SHADOW_STRIP) {
		int32_t height = r->y2 - n - y < MW_SHADOW_STRIP ? r->y2 - n - y : MW_SHADOW_STRIP;
		shadow_patch(pass, texture, node, (struct wlr_box){left, y, blur, height}, (struct wlr_fbox){0, m, blur, height});
		shadow_patch(pass, texture, node, (struct wlr_box){r->x2, y, blur, height}, (struct wlr_fbox){far + n, m, blur, height});
	}
}

static void paint_node(mw_server *server, render_pass *pass, struct mw_node *node, enum wl_output_transform output) {
	const struct mw_look *look = &node->look;
	struct wlr_texture *texture = texture_of(server, node);
	if (node->kind == MW_NODE_SHADOW) {
		if (texture != NULL)
			paint_shadow(server, pass, node, texture);
		return;
	}
	if (look->radius > 0) {
		pixman_region32_t round;
		pixman_region32_init(&round);
		mw_round_region(&round, &look->round, look->radius);
		pixman_region32_intersect(&node->paint, &node->paint, &round);
		pixman_region32_fini(&round);
	}
	if (node->kind == MW_NODE_FILL) {
		float alpha = look->color[3] * look->opacity;
		float color[4] = {look->color[0] * alpha, look->color[1] * alpha, look->color[2] * alpha, alpha};
		fill(pass, &node->paint, color, alpha >= 1);
	} else if (texture != NULL) {
		if (node->kind == MW_NODE_SURFACE && node->surface->buffer->source != NULL)
			mw_pages_read(node->surface->buffer->source); /* by the renderer, now or at the commit */
		picture(pass, texture, node, output, &node->paint);
	}
}

void mw_paint_wlr(mw_server *server, render_pass *pass, const struct mw_target *target, struct mw_nodes *nodes, pixman_region32_t *rest) {
	fill(pass, rest, (float[4]){0, 0, 0, target->transparent ? 0 : 1}, true);
	for (size_t i = 0; i < nodes->count; i++)
		if (pixman_region32_not_empty(&nodes->list[i].paint))
			paint_node(server, pass, &nodes->list[i], target->transform);
}
