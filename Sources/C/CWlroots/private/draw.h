/* Shared by the drawing files: the flat list of things to paint that a frame's items are converted to. */
#ifndef MULLION_WLR_DRAW_H
#define MULLION_WLR_DRAW_H

#include "internal.h"

#include <wlr/util/box.h>
#if WLR18
#include <wlr/util/transform.h>
#endif

/* The destination of the pixels: an output's buffer, or memory for a capture. */
struct mw_target {
	mw_output *output;		 /* its layers and drag icon are drawn; may be NULL */
	double scale_x, scale_y; /* pixels per point */
	enum wl_output_transform transform;
	int32_t width, height; /* of the buffer, in pixels, before the transform */
	bool transparent;	   /* uncovered areas stay transparent instead of black */
};

struct mw_rect {
	double x1, y1, x2, y2;
};

enum mw_node_kind { MW_NODE_FILL, MW_NODE_SURFACE, MW_NODE_HELD, MW_NODE_IMAGE, MW_NODE_SHADOW, MW_NODE_REDUCED };

/* The look of a node: nodes with equal looks paint the same pixels, unless the picture itself changed. All in
 * buffer pixels. Without padding and unstable pointers, because it is compared as bytes. */
struct mw_look {
	struct mw_rect dst;		/* the rectangle of the whole picture */
	struct wlr_fbox source; /* the visible part of the picture, in its own pixels */
	pixman_box32_t bounds;	/* the area that may be painted at all */
	pixman_box32_t round;	/* the rectangle whose corners are rounded by `radius` */
	double radius, blur;
	float color[4];
	float opacity;
	int32_t transform; /* of the picture (wl_surface.set_buffer_transform) */
	int32_t rough;	   /* moving while much else moves: drawn without a filter, which is invisible in motion */
	int32_t feather;   /* how far from the edge of `round` it fades in */
	uint64_t revision; /* of a held or reduced picture or an image; 0 for a live surface */
};

struct mw_node {
	uint64_t key;		  /* of the item it comes from */
	const void *identity; /* which surface, image or held surface of that item */
	int32_t kind;
	struct mw_look look;
	double x, y, fx, fy; /* from surface points to output points */
	mw_window *window;
	struct wlr_surface *surface;  /* MW_NODE_SURFACE, MW_NODE_REDUCED */
	struct mw_held_surface *held; /* MW_NODE_HELD */
	mw_image *image;			  /* MW_NODE_IMAGE */
	bool reducible;				  /* a surface that belongs to a window itself */
	struct mw_reduced *reduced;	  /* these two only while a frame is made */
	pixman_image_t *picture;	  /* MW_NODE_REDUCED */
	uint64_t since;				  /* its picture differs from that revision's ... */
	pixman_box32_t changed;		  /* ... only here, buffer pixels */
	pixman_region32_t opaque;	  /* the part that it certainly covers */
	pixman_region32_t paint;	  /* the part to paint this time */
	bool measured;
	int32_t beside;		 /* 1 + the brightness beside it; 0: not painted */
	struct mw_node *old; /* the same node in the previous frame, during the comparison */
	bool matched;
};

struct mw_nodes {
	struct mw_node *list;
	size_t count, capacity;
};

/* nodes.c */
void mw_nodes_build(mw_server *server, struct mw_nodes *nodes, const struct mw_target *target, const struct mw_item *items, size_t count);
void mw_nodes_finish(struct mw_nodes *nodes);
void mw_nodes_clear(struct mw_nodes *nodes);
/* Divides `damage` among the nodes, front to back. The part that no node certainly covers stays in `damage`. */
void mw_nodes_divide(struct mw_nodes *nodes, pixman_region32_t *damage);
/* Converts a region of a live surface (surface coordinates) to buffer pixels. */
void mw_node_map_region(const struct mw_node *node, const struct mw_target *target, pixman_region32_t *out,
						const pixman_region32_t *region);
/* From buffer pixels to pixels of the node's picture. */
void mw_node_matrix(const struct mw_node *node, enum wl_output_transform output, struct pixman_f_transform *out);
/* Returns true if the picture is shown pixel for pixel and unrotated. Then the offset is whole. */
bool mw_matrix_is_offset(const struct pixman_f_transform *matrix, int32_t *dx, int32_t *dy);

/* draw.c */
struct mw_draw_state {
	struct mw_nodes nodes, next;
	pixman_region32_t damage;  /* not committed yet, in buffer pixels */
	pixman_region32_t ring[4]; /* of earlier commits, newest first */
	struct mw_target target;   /* of `nodes` */
	mw_window **windows;	   /* in the items of the last render, for frame callbacks */
	size_t window_count, window_capacity;
	bool icon, lock; /* whether the last render's items included the drag icon and the lock surface */
	bool whole;
	bool scanned_out; /* the last commit showed a client's own buffer, so none of ours is up to date */
	int64_t scan_not_before;
	struct wlr_surface *whole_surface; /* the surface that was told which buffers could be scanned out */
};
int64_t mw_thread_time(void); /* CPU time of this thread, ns */
void mw_target_of_output(mw_output *output, struct mw_target *out);
void mw_draw_surface_gone(mw_server *server, struct wlr_surface *surface);
void mw_draw_snapshot_gone(mw_server *server, struct mw_snapshot *snapshot);
void mw_draw_image_gone(mw_server *server, mw_image *image);

/* shown.c */
void mw_answer_frame_callbacks(mw_output *output, int64_t when);
/* Sends wl_surface.enter and samples presentation feedback for everything that this commit shows. Returns true if
 * a client waits for feedback. */
bool mw_note_shown(mw_output *output);

/* scanout.c */
/* The surface that is the whole picture in this frame; NULL if something has to be painted. */
struct wlr_surface *mw_scan_out_surface(const struct mw_draw_state *state);
/* Scans out that surface's buffer if the output accepts it. Returns the surface; NULL: the frame has to be
 * painted. */
struct wlr_surface *mw_scan_out(mw_output *output);

/* dmabuf.c: tells the client of the surface that is the whole picture which buffers could be scanned out. */
void mw_buffers_tell(mw_output *output, struct wlr_surface *surface);

/* surfaces.c */
struct mw_watch {
	struct wl_list link; /* mw_server.watches */
	mw_server *server;
	struct wlr_surface *surface;
	struct mw_reduced *reduced; /* reduce.c; NULL if it is not shown small */
	struct wl_listener commit, destroy;
	const struct wlr_surface_role *role; /* the role for which is_cursor was determined */
	bool is_cursor;
	/* The last damage that reached the outputs: its frame and its area. */
	uint64_t frame;
	pixman_box32_t damaged;		  /* buffer pixels */
	int32_t width, height, scale; /* of that buffer */
	enum wl_output_transform transform;
};
struct mw_watch *mw_surface_watch(struct wlr_surface *surface); /* NULL if there is none */
/* The root of a tree of surfaces: a toplevel, layer surface, X11 window, drag icon or cursor. NULL: broken tree. */
void mw_surfaces_tell_scale(mw_output *output);
/* Answers the frame callbacks of a single surface. */
void mw_surface_frame_done(mw_server *server, struct wlr_surface *surface, const struct timespec *when);
/* Those of cursors, which are not among the items. */
void mw_cursors_frame_done(mw_server *server, const struct timespec *when);

/* reduce.c: makes averaged pictures for surfaces of windows that are drawn small. `hurry`: for a frame, so with a
 * time limit. Then returns true if another frame has to follow, because something visible is not up to date. */
bool mw_reduce_nodes(mw_server *server, struct mw_nodes *nodes, const struct mw_target *target, bool hurry);
void mw_reduced_committed(struct mw_watch *watch);
void mw_reduced_free(struct mw_watch *watch);
uint64_t mw_reduced_bytes(const mw_server *server);
void mw_reduced_collect(mw_server *server, int64_t now); /* frees pictures that have not been drawn for a while */

/* draw_pixman.c: paints the nodes' `paint` regions into a pixman image. `rest`: the area to clear first. */
void mw_paint_pixman(mw_server *server, pixman_image_t *image, const struct mw_target *target, struct mw_nodes *nodes,
					 pixman_region32_t *rest);
/* draw_wlr.c: the same through wlroots' renderer. */
#if WLR18
void mw_paint_wlr(mw_server *server, struct wlr_render_pass *pass, const struct mw_target *target, struct mw_nodes *nodes,
				  pixman_region32_t *rest);
#else
void mw_paint_wlr(mw_server *server, struct wlr_renderer *pass, const struct mw_target *target, struct mw_nodes *nodes,
				  pixman_region32_t *rest);
#endif
/* Makes the textures for painting before a pass begins, as GPUs require. */
void mw_prepare_wlr(mw_server *server, struct mw_nodes *nodes);

static inline uint64_t mw_pixman_bytes(pixman_image_t *image) {
	return image != NULL ? (uint64_t)pixman_image_get_stride(image) * (uint64_t)pixman_image_get_height(image) : 0;
}

/* snapshot.c */
uint64_t mw_snapshots_bytes(const mw_server *server);

/* masks.c */
struct mw_masks *mw_masks_create(void);
void mw_masks_destroy(struct mw_masks *masks);
uint64_t mw_masks_bytes(const struct mw_masks *masks);
/* A disc of 2n x 2n pixels (A8), n = ceil(radius). Its quadrants are the corners. */
pixman_image_t *mw_mask_disc(struct mw_masks *masks, double radius, int32_t *n);
/* Parts of a rounded rectangle that fades in towards its middle (A8): `corner` has 2m x 2m pixels, and its quadrants are the
 * corners; `upright` has the left and the right edge beside each other, `flat` the upper and the lower one. */
struct mw_feather {
	double radius;
	int32_t width, m;
	pixman_image_t *corner, *upright, *flat;
};
const struct mw_feather *mw_mask_feather(struct mw_masks *masks, double radius, int32_t width);
/* The parts of a soft shadow (A8): `corner` has 2m x 2m pixels, m = n + blur, n = ceil(radius), and its quadrants
 * are the corners; each side is a strip of blur x MW_SHADOW_STRIP (left, right) or MW_SHADOW_STRIP x blur (top,
 * bottom). */
#define MW_SHADOW_STRIP 128
struct mw_shadow {
	int32_t n, blur, m;
	pixman_image_t *corner, *left, *right, *top, *bottom;
	/* The same as one texture for wlroots' renderer: (2m + MW_SHADOW_STRIP)^2 pixels of `color`, premultiplied. */
	struct wlr_texture *texture;
	float color[4];
};
struct mw_shadow *mw_mask_shadow(struct mw_masks *masks, double radius, double blur);
struct wlr_texture *mw_shadow_texture(struct mw_shadow *shadow, struct wlr_renderer *renderer, const float color[4]);
/* The pixels of a rounded rectangle as whole rows, for renderers without masks. */
void mw_round_region(pixman_region32_t *out, const pixman_box32_t *box, double radius);

/* guard.c: reads memory that a client may truncate. Reads past the end of the file return zeros instead of killing
 * the process. */
void mw_guard_begin(const void *data, size_t size);
void mw_guard_end(void);

/* The pixels of a buffer for the direct path: a pixman image over the client's own memory, valid until
 * mw_pixels_end. */
struct mw_pixels {
	pixman_image_t *image;
	struct wlr_buffer *buffer;
};
bool mw_pixels_begin(struct mw_pixels *pixels, struct wlr_client_buffer *buffer);
void mw_pixels_end(struct mw_pixels *pixels);

/* pages.c: drops the pages of buffers that are out of sight. */
void mw_pages_read(struct wlr_buffer *buffer);
void mw_pages_rest(void); /* including those in sight */
void mw_pages_sweep_soon(mw_server *server);
void mw_pages_compare(mw_server *server, const struct mw_nodes *before); /* the last frame's nodes, after they were matched */
void mw_pages_finish(mw_server *server);

/* snapshot.c */
struct mw_held_surface {
	struct wlr_client_buffer *buffer; /* locked; NULL once copied, or if there is nothing to show */
	pixman_image_t *copy;			  /* our own pixels, made when the client committed another buffer */
	struct wlr_surface *surface;	  /* the surface of the buffer; NULL when it is gone */
	double x, y, width, height;		  /* relative to the window geometry, in points of the window */
	struct wlr_fbox source;
	int32_t transform;
	pixman_region32_t opaque; /* surface coordinates */
};
struct mw_snapshot {
	uint64_t revision;
	double width, height; /* of the window geometry */
	struct mw_held_surface *list;
	size_t count, capacity;
};
void mw_snapshots_surface_gone(mw_server *server, struct wlr_surface *surface);
bool mw_held_pixels_begin(struct mw_pixels *pixels, struct mw_held_surface *held);

/* image.c */
/* store.c: pixels that can be moved to a file. */
struct mw_store {
	void *pages; /* NULL: none */
	size_t length;
	size_t written;
	owned_fd file; /* while it is being written */
	bool in_file, refused;
};
bool mw_store_make(struct mw_store *store, size_t length);
void mw_store_free(struct mw_store *store);

struct mw_image {
	struct wl_list link;
	mw_server *server;
	pixman_image_t *image; /* over our own copy of the pixels, or over `store` */
	struct mw_store store; /* for large ones */
	int32_t width, height;
	uint64_t revision;
	bool opaque;
	struct wlr_texture *texture; /* only for wlroots' renderer */
};
struct wlr_texture *mw_image_texture(mw_image *image);

#endif
