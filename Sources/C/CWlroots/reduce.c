/* C, because it consists of pixel loops. */
/*
 * Reduced pictures: surfaces of windows that are drawn small, averaged over blocks of n x n pixels once per
 * change.
 *
 * Reading four pixels of a large surface for each drawn one skips most pixels, which flickers, and reads all of
 * the client's memory. A picture slightly larger than its drawn size is filtered correctly and stays in the cache.
 * Only the direct path does this: a GPU filters as it likes, and its pixels cannot be read here.
 */
#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST 6				  /* the strongest reduction */
#define SLICE 120			  /* rows averaged between two checks of the clock; it and its half are multiples of all block sizes */
#define WIDE 4096			  /* buffers with more columns: half as many rows */
#define LARGE_PAGE (2u << 20) /* bytes */

struct mw_reduced {
	pixman_image_t *image; /* NULL: none yet */
	pixman_format_code_t format;
	int32_t n;				 /* each pixel is a block of n x n buffer pixels */
	int32_t width, height;	 /* of the buffer */
	pixman_region32_t dirty; /* buffer pixels that changed since */
	bool unfinished;		 /* started from scratch; `dirty` is the missing part */
	uint64_t revision;
	uint64_t previous;		   /* the previous revision, if only `changed` differs */
	pixman_region32_t changed; /* buffer pixels */
	int64_t built, used;
	int64_t asked; /* since when a first picture is wanted; 0: it is not */
	/* In the current pass over the nodes: */
	uint64_t pass;
	int32_t wanted; /* the smallest reduction that a node of this surface needs */
	bool decided;
};

/* Unique for each picture. */
static uint64_t last_revision, last_pass;

/* ---- averaging ---- */

/* Adds n rows byte by byte. */
static inline __attribute__((always_inline)) void add_rows(uint16_t *restrict sum, const uint8_t *restrict rows, ptrdiff_t stride,
														   const int n, size_t count) {
	for (size_t i = 0; i < count; i++) {
		uint16_t s = 0;
		for (int k = 0; k < n; k++)
			s = (uint16_t)(s + rows[k * stride + (ptrdiff_t)i]);
		sum[i] = s;
	}
}

/* Adds n pixels of four channels each. */
static inline __attribute__((always_inline)) void add_columns(uint16_t *restrict to, const uint16_t *restrict sum, const int n,
															  size_t count) {
	for (size_t i = 0; i < count; i++) {
		for (int c = 0; c < 4; c++) {
			uint16_t s = 0;
			for (int k = 0; k < n; k++)
				s = (uint16_t)(s + sum[(i * (size_t)n + (size_t)k) * 4 + (size_t)c]);
			to[i * 4 + (size_t)c] = s;
		}
	}
}

/* Rounded division by n * n. Sums are at most 36 * 255. For these, the product with 2^17 / (n * n), rounded up, is
 * exact. In two steps, so that both fit in 16 bits. */
static inline __attribute__((always_inline)) void divide(uint8_t *restrict to, const uint16_t *restrict sum, const int n, size_t count) {
	const uint32_t parts = (uint32_t)(n * n), factor = ((1u << 17) + parts - 1) / parts;
	for (size_t i = 0; i < count; i++) {
		uint16_t s = (uint16_t)((sum[i] + parts / 2) << 2);
		to[i] = (uint8_t)((uint16_t)((s * factor) >> 16) >> 3);
	}
}

static inline __attribute__((always_inline)) void average(uint8_t *to, const uint8_t *from, ptrdiff_t stride, const int n, size_t blocks,
														  uint16_t *line) {
	uint16_t *columns = line + blocks * (size_t)n * 4;
	add_rows(line, from, stride, n, blocks * (size_t)n * 4);
	add_columns(columns, line, n, blocks);
	divide(to, columns, n, blocks * 4);
}

static void average_row(uint8_t *to, const uint8_t *from, ptrdiff_t stride, int n, size_t blocks, uint16_t *line) {
	switch (n) {
	case 2:
		average(to, from, stride, 2, blocks, line);
		break;
	case 3:
		average(to, from, stride, 3, blocks, line);
		break;
	case 4:
		average(to, from, stride, 4, blocks, line);
		break;
	case 5:
		average(to, from, stride, 5, blocks, line);
		break;
	case 6:
		average(to, from, stride, 6, blocks, line);
		break;
	default:
		break;
	}
}

/* A block at the right or lower edge, which may be incomplete. */
static void average_edge(uint8_t *to, const uint8_t *from, ptrdiff_t stride, int columns, int rows) {
	uint32_t parts = (uint32_t)(columns * rows);
	for (int c = 0; c < 4; c++) {
		uint32_t sum = parts / 2;
		for (int y = 0; y < rows; y++)
			for (int x = 0; x < columns; x++)
				sum += from[y * stride + 4 * x + c];
		to[c] = (uint8_t)(sum / parts);
	}
}

/* Averages the blocks that `box` (buffer pixels, inside the buffer) touches. */
static void average_box(struct mw_reduced *reduced, pixman_image_t *source, const pixman_box32_t *box, uint16_t *line) {
	int n = reduced->n;
	ptrdiff_t from_stride = pixman_image_get_stride(source), to_stride = pixman_image_get_stride(reduced->image);
	const uint8_t *from = (const uint8_t *)pixman_image_get_data(source);
	uint8_t *to = (uint8_t *)pixman_image_get_data(reduced->image);
	int32_t left = box->x1 / n, right = (box->x2 + n - 1) / n, whole = reduced->width / n;
	int32_t most = right < whole ? right : whole;
	for (int32_t y = box->y1 / n; y * n < box->y2; y++) {
		const uint8_t *row = from + (ptrdiff_t)y * n * from_stride;
		uint8_t *out = to + (ptrdiff_t)y * to_stride;
		int rows = reduced->height - y * n < n ? reduced->height - y * n : n;
		int32_t x = left;
		if (rows == n && most > left) {
			average_row(out + 4 * (ptrdiff_t)left, row + 4 * (ptrdiff_t)left * n, from_stride, n, (size_t)(most - left), line);
			x = most;
		}
		for (; x < right; x++) {
			int columns = reduced->width - x * n < n ? reduced->width - x * n : n;
			average_edge(out + 4 * (ptrdiff_t)x, row + 4 * (ptrdiff_t)x * n, from_stride, columns, rows);
		}
	}
}

/* ---- one surface ---- */

static void forget_picture(struct mw_reduced *reduced) {
	if (reduced->image != NULL)
		pixman_image_unref(reduced->image);
	reduced->image = NULL;
	reduced->unfinished = false;
	pixman_region32_clear(&reduced->dirty);
}

void mw_reduced_free(struct mw_watch *watch) {
	struct mw_reduced *reduced = watch->reduced;
	if (reduced == NULL)
		return;
	forget_picture(reduced);
	pixman_region32_fini(&reduced->dirty);
	pixman_region32_fini(&reduced->changed);
	free(reduced);
	watch->reduced = NULL;
}

void mw_reduced_committed(struct mw_watch *watch) {
	if (watch->reduced == NULL)
		return;
	if (watch->surface->buffer == NULL)
		mw_reduced_free(watch);
	else
		pixman_region32_union(&watch->reduced->dirty, &watch->reduced->dirty, &watch->surface->buffer_damage);
}

/* Four channels of eight bits in any order. */
static bool is_bytes(pixman_format_code_t format) {
	switch (format) {
	case PIXMAN_a8r8g8b8:
	case PIXMAN_x8r8g8b8:
	case PIXMAN_a8b8g8r8:
	case PIXMAN_x8b8g8r8:
	case PIXMAN_b8g8r8a8:
	case PIXMAN_b8g8r8x8:
	case PIXMAN_r8g8b8a8:
	case PIXMAN_r8g8b8x8:
		return true;
	default:
		return false;
	}
}

static void free_pixels(pixman_image_t *image, void *pixels) {
	(void)image;
	free(pixels);
}

/* Allocates large pictures in huge pages. Faulting in a thousand small ones would take half the time of a first
 * picture. */
static pixman_image_t *create_image(pixman_format_code_t format, int32_t width, int32_t height) {
	size_t stride = (size_t)width * 4, length = stride * (size_t)height;
	if (length < LARGE_PAGE)
		return pixman_image_create_bits_no_clear(format, width, height, NULL, 0);
	length = (length + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	void *pixels = aligned_alloc(LARGE_PAGE, length);
	if (pixels == NULL)
		return NULL;
	madvise(pixels, length, MADV_HUGEPAGE); /* a failure does not matter */
	pixman_image_t *image = pixman_image_create_bits_no_clear(format, width, height, pixels, (int)stride);
	if (image == NULL)
		free(pixels);
	else
		pixman_image_set_destroy_function(image, free_pixels, pixels);
	return image;
}

/* Averages dirty parts until that thread time, but at least a few rows. The averaged parts become `changed`, and the rest stays dirty. */
static void average_dirty(struct mw_reduced *reduced, pixman_image_t *source, uint16_t *line, int64_t until) {
	pixman_region32_intersect_rect(&reduced->dirty, &reduced->dirty, 0, 0, (unsigned)reduced->width, (unsigned)reduced->height);
	pixman_region32_clear(&reduced->changed);
	int count;
	const pixman_box32_t *boxes = pixman_region32_rectangles(&reduced->dirty, &count);
	if (count > 16) {
		boxes = pixman_region32_extents(&reduced->dirty);
		count = 1;
	}
	for (int i = 0; i < count; i++) {
		int32_t rows = boxes[i].x2 - boxes[i].x1 > WIDE ? SLICE / 2 : SLICE;
		for (int32_t y = boxes[i].y1; y < boxes[i].y2; y += rows) {
			pixman_box32_t slice = boxes[i];
			slice.y1 = y;
			slice.y2 = y + rows < boxes[i].y2 ? y + rows : boxes[i].y2;
			average_box(reduced, source, &slice, line);
			pixman_region32_union_rect(&reduced->changed, &reduced->changed, slice.x1, slice.y1, (unsigned)(slice.x2 - slice.x1),
									   (unsigned)(slice.y2 - slice.y1));
			if (mw_thread_time() >= until)
				goto end;
		}
	}
end:
	pixman_region32_subtract(&reduced->dirty, &reduced->dirty, &reduced->changed);
}

/* Whether a picture is only slightly finer than needed. It looks right, and remaking it would cost more than it
 * saves. */
static bool good_enough(const struct mw_reduced *reduced, int32_t wanted) {
	return reduced->image != NULL && reduced->n <= wanted && wanted < 2 * reduced->n;
}

/* Averages outdated parts again as far as time allows. A picture with another size or reduction is made from
 * scratch. */
static bool build(struct mw_reduced *reduced, struct wlr_surface *surface, int64_t now, int64_t until) {
	struct mw_pixels pixels;
	if (!mw_pixels_begin(&pixels, surface->buffer))
		return false;
	int32_t n = reduced->wanted, width = pixman_image_get_width(pixels.image), height = pixman_image_get_height(pixels.image);
	pixman_format_code_t format = pixman_image_get_format(pixels.image);
	if (good_enough(reduced, n) && reduced->width == width && reduced->height == height)
		n = reduced->n;
	uint16_t *line = is_bytes(format) ? malloc(((size_t)width + (size_t)width / 2 + 1) * 4 * sizeof(*line)) : NULL;
	bool whole =
		reduced->image == NULL || reduced->n != n || reduced->width != width || reduced->height != height || reduced->format != format;
	if (line != NULL && whole) {
		forget_picture(reduced);
		reduced->image = create_image(format, (width + n - 1) / n, (height + n - 1) / n);
		reduced->format = format;
		reduced->n = n;
		reduced->width = width;
		reduced->height = height;
		reduced->unfinished = true;
		pixman_region32_union_rect(&reduced->dirty, &reduced->dirty, 0, 0, (unsigned)width, (unsigned)height);
	}
	bool ok = line != NULL && reduced->image != NULL;
	if (ok) {
		average_dirty(reduced, pixels.image, line, until);
		bool first = reduced->unfinished;
		if (first)
			reduced->unfinished = pixman_region32_not_empty(&reduced->dirty);
		reduced->previous = first ? 0 : reduced->revision;
		reduced->revision = ++last_revision;
		reduced->built = now;
	}
	free(line);
	mw_pixels_end(&pixels);
	return ok;
}

/* ---- the nodes of a frame ---- */

/* The strongest reduction for this node. The picture must not have fewer pixels than are drawn. */
static int32_t strength(const struct mw_node *node, enum wl_output_transform output) {
	if (!node->reducible || node->kind != MW_NODE_SURFACE || node->surface == NULL || node->surface->buffer == NULL)
		return 0;
	struct pixman_f_transform m;
	mw_node_matrix(node, output, &m);
	double across = hypot(m.m[0][0], m.m[1][0]), down = hypot(m.m[0][1], m.m[1][1]);
	double least = floor(fmin(across, down) + 1e-6);
	if (!(least >= 2))
		return 0;
	/* Averaging all of a large buffer is not worth it for a small part. */
	const struct wlr_buffer *buffer = &node->surface->buffer->base;
	const struct wlr_fbox *source = &node->look.source;
	if (source->width * source->height * 4 < (double)buffer->width * buffer->height)
		return 0;
	return least > MOST ? MOST : (int32_t)least;
}

/* Makes a picture that may be drawn. Returns false if the surface is to be drawn unreduced. */
static bool refresh(const struct mw_pace *pace, struct mw_reduced *reduced, struct wlr_surface *surface, int64_t now, bool hurry,
					bool heavy, int64_t *left, bool *again) {
	const struct wlr_buffer *buffer = &surface->buffer->base;
	bool fits = reduced->image != NULL && !reduced->unfinished && reduced->width == buffer->width && reduced->height == buffer->height;
	if (fits && good_enough(reduced, reduced->wanted) && !pixman_region32_not_empty(&reduced->dirty))
		return true;
	/* While windows shrink, making a picture coarser is not urgent. */
	bool finer = fits && reduced->n < reduced->wanted && !pixman_region32_not_empty(&reduced->dirty);
	if (hurry && (*left <= 0 || (fits && now - reduced->built < (finer ? 4 : 1) * pace->between_pictures))) {
		*again = true;
		return fits;
	}
	if (reduced->asked == 0)
		reduced->asked = now;
	/* While a window resizes above others, those come into view gradually, so they can wait. */
	if (hurry && heavy && !fits && !reduced->unfinished && (int64_t)buffer->width * buffer->height >= pace->plain_area &&
		now - reduced->asked < pace->deferred) {
		*again = true;
		return false;
	}
	int64_t start = mw_thread_time();
	bool ok = build(reduced, surface, now, start + (hurry ? *left : pace->capture_averaging));
	reduced->asked = 0;
	if (!ok)
		forget_picture(reduced);
	else if (pixman_region32_not_empty(&reduced->dirty))
		*again = true;
	*left -= mw_thread_time() - start;
	return ok && !reduced->unfinished;
}

/* Averages across the edge of the opaque region are not opaque. */
static void shrink_opaque(struct mw_node *node) {
	pixman_box32_t b = node->look.bounds;
	if (!pixman_region32_not_empty(&node->opaque) || pixman_region32_contains_rectangle(&node->opaque, &b) == PIXMAN_REGION_IN)
		return;
	pixman_region32_t rest;
	pixman_region32_init_rect(&rest, b.x1, b.y1, (unsigned)(b.x2 - b.x1), (unsigned)(b.y2 - b.y1));
	pixman_region32_subtract(&rest, &rest, &node->opaque);
	int count;
	const pixman_box32_t *boxes = pixman_region32_rectangles(&rest, &count);
	for (int i = 0; i < count; i++) {
		pixman_region32_t grown;
		pixman_region32_init_rect(&grown, boxes[i].x1 - 2, boxes[i].y1 - 2, (unsigned)(boxes[i].x2 - boxes[i].x1 + 4),
								  (unsigned)(boxes[i].y2 - boxes[i].y1 + 4));
		pixman_region32_subtract(&node->opaque, &node->opaque, &grown);
		pixman_region32_fini(&grown);
	}
	pixman_region32_fini(&rest);
}

/* Sets node->changed to the differences from the previous picture. */
static void find_changed(struct mw_node *node, struct mw_reduced *reduced, enum wl_output_transform output) {
	struct pixman_f_transform matrix, inverse;
	mw_node_matrix(node, output, &matrix);
	node->since = 0;
	if (reduced->previous == 0 || !pixman_f_transform_invert(&inverse, &matrix))
		return;
	node->since = reduced->previous;
	const pixman_box32_t *b = pixman_region32_extents(&reduced->changed);
	/* Whole blocks, plus one on each side because interpolation spreads a change. */
	int32_t n = reduced->n;
	double left = b->x1 / n - 1, right = (b->x2 + n - 1) / n + 1, top = b->y1 / n - 1, bottom = (b->y2 + n - 1) / n + 1;
	double x1 = inverse.m[0][0] * left + inverse.m[0][1] * top + inverse.m[0][2];
	double y1 = inverse.m[1][0] * left + inverse.m[1][1] * top + inverse.m[1][2];
	double x2 = inverse.m[0][0] * right + inverse.m[0][1] * bottom + inverse.m[0][2];
	double y2 = inverse.m[1][0] * right + inverse.m[1][1] * bottom + inverse.m[1][2];
	pixman_box32_t bounds = node->look.bounds;
	node->changed = (pixman_box32_t){
		(int32_t)fmax(bounds.x1, floor(fmin(x1, x2))),
		(int32_t)fmax(bounds.y1, floor(fmin(y1, y2))),
		(int32_t)fmin(bounds.x2, ceil(fmax(x1, x2))),
		(int32_t)fmin(bounds.y2, ceil(fmax(y1, y2))),
	};
}

static struct mw_reduced *reduced_of(struct wlr_surface *surface) {
	struct mw_watch *watch = mw_surface_watch(surface);
	if (watch == NULL)
		return NULL;
	if (watch->reduced == NULL) {
		watch->reduced = calloc(1, sizeof(*watch->reduced));
		if (watch->reduced != NULL) {
			pixman_region32_init(&watch->reduced->dirty);
			pixman_region32_init(&watch->reduced->changed);
		}
	}
	return watch->reduced;
}

/* Drawn scaled and large, it takes most of a frame by itself. */
static bool is_heavy(const struct mw_pace *pace, const struct mw_node *node) {
	if (node->kind != MW_NODE_SURFACE)
		return false;
	const struct mw_rect *dst = &node->look.dst;
	const pixman_box32_t *b = &node->look.bounds;
	return (int64_t)(b->x2 - b->x1) * (b->y2 - b->y1) > pace->heavy_area && fabs(dst->x2 - dst->x1 - node->look.source.width) > 0.5;
}

/* The time for averaging in this frame. Less while large scaled windows are drawn, which take most of it. */
static int64_t budget(const struct mw_pace *pace, const struct mw_nodes *nodes) {
	int64_t pixels = 0;
	for (size_t i = 0; i < nodes->count; i++) {
		const struct mw_node *node = &nodes->list[i];
		const struct mw_rect *dst = &node->look.dst;
		const pixman_box32_t *b = &node->look.bounds;
		if (node->kind != MW_NODE_SURFACE || fabs(dst->x2 - dst->x1 - node->look.source.width) <= 0.5)
			continue;
		if (node->reduced == NULL || node->reduced->image == NULL || node->reduced->unfinished)
			pixels += (int64_t)(b->x2 - b->x1) * (b->y2 - b->y1);
	}
	int64_t left = pace->averaging - pace->unreduced_cost * pixels;
	return left > pace->least_averaging ? left : pace->least_averaging;
}

/* Draws a replacement until the node's turn comes within a few frames: the surface without a filter, or a plain
 * fill if reading the whole surface would take too long. */
static void stand_in(const struct mw_pace *pace, struct mw_node *node) {
	const struct wlr_buffer *buffer = &node->surface->buffer->base;
	if ((int64_t)buffer->width * buffer->height < pace->plain_area || node->look.opacity < 1) {
		node->look.rough = 1;
		return;
	}
	static const float ground[4] = {0.07f, 0.07f, 0.08f, 1};
	node->kind = MW_NODE_FILL;
	node->surface = NULL;
	memcpy(node->look.color, ground, sizeof(ground));
}

bool mw_reduce_nodes(mw_server *server, struct mw_nodes *nodes, const struct mw_target *target, bool hurry) {
	if (!server->direct)
		return false;
	const struct mw_pace *pace = &server->options.pace;
	uint64_t pass = ++last_pass;
	bool any = false, again = false;
	for (size_t i = 0; i < nodes->count; i++) {
		struct mw_node *node = &nodes->list[i];
		int32_t n = strength(node, target->transform);
		struct mw_reduced *reduced = n > 0 ? reduced_of(node->surface) : NULL;
		node->reduced = reduced;
		if (reduced == NULL)
			continue;
		any = true;
		if (reduced->pass != pass || n < reduced->wanted)
			reduced->wanted = n;
		if (reduced->pass != pass)
			reduced->decided = false;
		reduced->pass = pass;
	}
	if (!any)
		return false;
	int64_t now = mw_now(), left = budget(pace, nodes);
	bool heavy = false;
	for (size_t i = 0; i < nodes->count && !heavy; i++)
		heavy = nodes->list[i].reduced == NULL && is_heavy(pace, &nodes->list[i]);
	/* Handle the frontmost nodes first. */
	for (size_t i = nodes->count; i-- > 0;) {
		struct mw_node *node = &nodes->list[i];
		struct mw_reduced *reduced = node->reduced;
		if (reduced == NULL)
			continue;
		/* Decide once for all nodes that show this surface. */
		if (!reduced->decided) {
			reduced->decided = true;
			reduced->used = now;
			if (!refresh(pace, reduced, node->surface, now, hurry, heavy, &left, &again))
				reduced->wanted = 0;
		}
		if (reduced->wanted == 0) {
			node->reduced = NULL;
			if (again)
				stand_in(pace, node);
			continue;
		}
		double n = reduced->n;
		struct wlr_fbox *source = &node->look.source;
		*source = (struct wlr_fbox){source->x / n, source->y / n, source->width / n, source->height / n};
		node->kind = MW_NODE_REDUCED;
		node->picture = reduced->image;
		node->look.revision = reduced->revision;
		shrink_opaque(node);
		find_changed(node, reduced, target->transform);
	}
	return again;
}

void mw_reduced_collect(mw_server *server, int64_t now) {
	struct mw_watch *watch;
	wl_list_for_each(watch, &server->watches, link) {
		if (watch->reduced != NULL && now - watch->reduced->used > server->options.pace.unused_after)
			mw_reduced_free(watch);
	}
}

uint64_t mw_reduced_bytes(const mw_server *server) {
	uint64_t bytes = 0;
	const struct mw_watch *watch;
	wl_list_for_each(watch, &server->watches, link) bytes += watch->reduced != NULL ? mw_pixman_bytes(watch->reduced->image) : 0;
	return bytes;
}

void mw_free_pictures(mw_server *server) { mw_reduced_collect(server, mw_now()); }

void mw_server_picture_memory(mw_server *server, struct mw_picture_memory *out) {
	*out = (struct mw_picture_memory){
		.small = mw_reduced_bytes(server),
		.held = mw_snapshots_bytes(server),
		.masks = mw_masks_bytes(server->masks),
	};
}
