/* C, because it runs in each commit and visits all surfaces in each frame. */
/* Visits and hit-tests trees of surfaces, and observes every commit. */
#include "draw.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- trees ---- */

struct walk {
	mw_surface_iterator iterator;
	void *data;
	int dx, dy;
};

static void walk_surface(struct wlr_surface *surface, int x, int y, void *data) {
	struct walk *walk = data;
	walk->iterator(surface, x - walk->dx, y - walk->dy, walk->data);
}

void mw_window_geometry(mw_window *window, struct wlr_box *out) {
	*out = (struct wlr_box){0};
	if (window->toplevel != NULL)
		wlr_xdg_surface_get_geometry(window->toplevel->base, out);
	else if (window->surface != NULL)
		*out = (struct wlr_box){0, 0, window->surface->current.width, window->surface->current.height};
}

void mw_window_each_surface(mw_window *window, mw_surface_iterator iterator, void *data) {
	if (window->surface == NULL)
		return;
	struct wlr_box geometry;
	mw_window_geometry(window, &geometry);
	struct walk walk = {iterator, data, geometry.x, geometry.y};
	wlr_surface_for_each_surface(window->surface, walk_surface, &walk);
}

void mw_window_each_own_popup_surface(mw_window *window, mw_surface_iterator iterator, void *data) {
	if (window->toplevel != NULL) {
		struct wlr_box geometry;
		mw_window_geometry(window, &geometry);
		struct walk walk = {iterator, data, geometry.x, geometry.y};
		wlr_xdg_surface_for_each_popup_surface(window->toplevel->base, walk_surface, &walk);
	}
	if (window->xsurface != NULL)
		mw_x11_each_menu_surface(window, iterator, data);
}

void mw_window_each_popup_surface(mw_window *window, mw_surface_iterator iterator, void *data) {
	mw_window_each_own_popup_surface(window, iterator, data);
	mw_text_each_popup_surface(window, iterator, data);
}

bool mw_window_is_opaque(mw_window *window) {
	if (!window->mapped || window->held != NULL || window->surface == NULL || window->surface->buffer == NULL)
		return false;
	struct wlr_box geometry;
	mw_window_geometry(window, &geometry);
	pixman_box32_t box = {geometry.x, geometry.y, geometry.x + geometry.width, geometry.y + geometry.height};
	return geometry.width > 0 && geometry.height > 0 &&
		   pixman_region32_contains_rectangle(&window->surface->opaque_region, &box) == PIXMAN_REGION_IN;
}

struct menu_hit {
	double x, y, sx, sy;
	struct wlr_surface *surface;
};

static void hit_menu(struct wlr_surface *surface, double x, double y, void *data) {
	struct menu_hit *hit = data;
	if (wlr_surface_point_accepts_input(surface, hit->x - x, hit->y - y)) {
		/* Back to front, so the last match is on top. */
		hit->surface = surface;
		hit->sx = hit->x - x;
		hit->sy = hit->y - y;
	}
}

struct wlr_surface *mw_window_surface_at(mw_window *window, double x, double y, double *sx, double *sy) {
	if (!window->mapped || window->surface == NULL)
		return NULL;
	struct wlr_box geometry;
	mw_window_geometry(window, &geometry);
	struct wlr_surface *found = NULL;
	struct menu_hit above = {.x = x, .y = y};
	mw_text_each_popup_surface(window, hit_menu, &above);
	if (above.surface != NULL) {
		*sx = above.sx;
		*sy = above.sy;
		return above.surface;
	}
	if (window->toplevel != NULL)
		found = wlr_xdg_surface_popup_surface_at(window->toplevel->base, x + geometry.x, y + geometry.y, sx, sy);
	if (found == NULL && window->xsurface != NULL) {
		struct menu_hit hit = {.x = x, .y = y};
		mw_x11_each_menu_surface(window, hit_menu, &hit);
		if (hit.surface != NULL) {
			*sx = hit.sx;
			*sy = hit.sy;
			return hit.surface;
		}
	}
	if (found == NULL)
		found = wlr_surface_surface_at(window->surface, x + geometry.x, y + geometry.y, sx, sy);
	return found;
}

struct wlr_xdg_surface *mw_xdg_surface_of(struct wlr_surface *surface) {
#if WLR18
	return wlr_xdg_surface_try_from_wlr_surface(surface);
#else
	return wlr_surface_is_xdg_surface(surface) ? wlr_xdg_surface_from_wlr_surface(surface) : NULL;
#endif
}

/* The parent surface of a popup, or NULL if the surface is none. */
static struct wlr_surface *popup_parent(struct wlr_surface *surface) {
#if WLR18
	struct wlr_xdg_popup *popup = wlr_xdg_popup_try_from_wlr_surface(surface);
	return popup != NULL ? popup->parent : NULL;
#else
	struct wlr_xdg_surface *xdg = mw_xdg_surface_of(surface);
	if (xdg == NULL || xdg->role != WLR_XDG_SURFACE_ROLE_POPUP || xdg->popup == NULL)
		return NULL;
	return xdg->popup->parent;
#endif
}

/* The surface at the root of the tree: a toplevel, a layer surface, an X11 window, a drag icon, a cursor. */
static struct wlr_surface *root_of(struct wlr_surface *surface) {
	/* Bounded, because a client may try to make a cycle. */
	for (int i = 0; surface != NULL && i < 64; i++) {
		surface = wlr_surface_get_root_surface(surface);
		struct wlr_surface *parent = surface != NULL ? popup_parent(surface) : NULL;
		if (parent == NULL)
			return surface;
		surface = parent;
	}
	return NULL;
}

struct find_menu {
	struct wlr_surface *wanted;
	bool found;
};

static void find_menu(struct wlr_surface *surface, double x, double y, void *data) {
	(void)x;
	(void)y;
	struct find_menu *find = data;
	if (surface == find->wanted)
		find->found = true;
}

mw_window *mw_window_of_surface(mw_server *server, struct wlr_surface *surface) {
	struct wlr_surface *root = root_of(surface);
	if (root == NULL)
		return NULL;
	mw_window *window;
	wl_list_for_each(window, &server->windows, link) {
		if (window->surface == root)
			return window;
	}
	window = mw_text_popup_window(server, root);
	if (window != NULL)
		return window;
	struct find_menu find = {.wanted = root};
	wl_list_for_each(window, &server->windows, link) {
		if (window->xsurface == NULL || !window->mapped)
			continue;
		mw_x11_each_menu_surface(window, find_menu, &find);
		if (find.found)
			return window;
	}
	return NULL;
}

mw_window *mw_window_of(mw_server *server, struct wlr_surface *surface) { return mw_window_of_surface(server, surface); }

/* ---- commits ---- */

static int count_callbacks(struct wlr_surface *surface) { return wl_list_length(&surface->current.frame_callback_list); }

void mw_surface_frame_done(mw_server *server, struct wlr_surface *surface, const struct timespec *when) {
	if (wl_list_empty(&surface->current.frame_callback_list))
		return;
	server->statistics.frame_callbacks += (uint64_t)count_callbacks(surface);
	wlr_surface_send_frame_done(surface, when);
}

/* Called at every commit, and for every surface in every frame. */
static bool is_cursor(struct mw_watch *watch) {
	const struct wlr_surface_role *role = watch->surface->role;
	if (role != watch->role) {
		watch->role = role;
		watch->is_cursor = role != NULL && strcmp(role->name, "wl_pointer-cursor") == 0;
	}
	return watch->is_cursor;
}

void mw_cursors_frame_done(mw_server *server, const struct timespec *when) {
	struct mw_watch *watch;
	wl_list_for_each(watch, &server->watches, link) {
		if (is_cursor(watch))
			mw_surface_frame_done(server, watch->surface, when);
	}
}

static bool is_subsurface(struct wlr_surface *surface) {
#if WLR18
	return wlr_subsurface_try_from_wlr_surface(surface) != NULL;
#else
	return wlr_surface_is_subsurface(surface);
#endif
}

static bool has_subsurfaces(struct wlr_surface *surface) {
	return !wl_list_empty(&surface->current.subsurfaces_above) || !wl_list_empty(&surface->current.subsurfaces_below);
}

/* Subsurfaces are added, removed and moved by commits of their own or of their parent, but 0.15 applies this after
 * the commit signal. So input regions and the surface under the pointer are updated afterwards, and before
 * anything is sent to the client. */
static void tree_committed(mw_server *server, struct wlr_surface *surface) {
	if (!is_subsurface(surface) && !has_subsurfaces(surface))
		return;
	mw_window *window = mw_window_of_surface(server, surface);
	if (window != NULL)
		mw_window_report_later(window);
}

/* Whether an earlier commit already damaged everything that this one damages, without a frame in between. This is
 * normal for apps that draw faster than the screen refreshes. */
static bool is_known_damage(const struct mw_watch *watch) {
	struct wlr_surface *surface = watch->surface;
	const struct wlr_surface_state *state = &surface->current;
	if (watch->frame != watch->server->frame || watch->width != state->buffer_width || watch->height != state->buffer_height ||
		watch->scale != state->scale || watch->transform != state->transform || state->viewport.has_src || state->viewport.has_dst ||
		state->dx != 0 || state->dy != 0)
		return false;
#if !WLR18
	if (pixman_region32_not_empty(&surface->external_damage))
		return false;
#endif
	const pixman_box32_t *known = &watch->damaged, *box = pixman_region32_extents(&surface->buffer_damage);
	return box->x1 >= known->x1 && box->y1 >= known->y1 && box->x2 <= known->x2 && box->y2 <= known->y2;
}

static void remember_damage(struct mw_watch *watch) {
	struct wlr_surface *surface = watch->surface;
	const struct wlr_surface_state *state = &surface->current;
	bool is_plain = pixman_region32_n_rects(&surface->buffer_damage) == 1 && !state->viewport.has_src && !state->viewport.has_dst;
	watch->frame = is_plain ? watch->server->frame : 0;
	watch->damaged = *pixman_region32_extents(&surface->buffer_damage);
	watch->width = state->buffer_width;
	watch->height = state->buffer_height;
	watch->scale = state->scale;
	watch->transform = state->transform;
}

static void on_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_watch *watch = wl_container_of(listener, watch, commit);
	struct wlr_surface *surface = watch->surface;
	mw_snapshots_surface_committed(watch->server, surface);
	mw_reduced_committed(watch);
	if (is_cursor(watch)) {
		mw_output *output = mw_output_first(watch->server);
		if (output != NULL && !wl_list_empty(&surface->current.frame_callback_list))
			mw_output_schedule(output);
		return;
	}
	tree_committed(watch->server, surface);
	if (is_known_damage(watch))
		return;
	remember_damage(watch);
	pixman_region32_t damage;
	pixman_region32_init(&damage);
	wlr_surface_get_effective_damage(surface, &damage);
	mw_draw_surface_damaged(watch->server, surface, &damage);
	pixman_region32_fini(&damage);
}

struct mw_watch *mw_surface_watch(struct wlr_surface *surface) {
	struct wl_listener *listener = wl_signal_get(&surface->events.commit, on_commit);
	struct mw_watch *watch = NULL;
	return listener != NULL ? wl_container_of(listener, watch, commit) : NULL;
}

static void watch_free(struct mw_watch *watch) {
	mw_unlisten(&watch->commit);
	mw_unlisten(&watch->destroy);
	mw_reduced_free(watch);
	wl_list_remove(&watch->link);
	free(watch);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_watch *watch = wl_container_of(listener, watch, destroy);
	mw_snapshots_surface_gone(watch->server, watch->surface);
	mw_draw_surface_gone(watch->server, watch->surface);
	watch_free(watch);
}

static void tell_scale(struct wlr_surface *surface, mw_output *output) {
	output->server->on.surface_scaled(output->server->on.user, surface, (double)output->wlr->scale);
#if WLR18
	wlr_surface_set_preferred_buffer_scale(surface, (int32_t)ceil((double)output->wlr->scale));
	wlr_surface_set_preferred_buffer_transform(surface, WL_OUTPUT_TRANSFORM_NORMAL);
#endif
}

void mw_surfaces_tell_scale(mw_output *output) {
	struct mw_watch *watch;
	wl_list_for_each(watch, &output->server->watches, link) tell_scale(watch->surface, output);
}

static void on_new_surface(struct wl_listener *listener, void *data) {
	mw_server *server = wl_container_of(listener, server, new_surface);
	struct wlr_surface *surface = data;
	mw_calls_of_surface(surface->resource);
	struct mw_watch *watch = calloc(1, sizeof(*watch));
	if (watch == NULL)
		return;
	watch->server = server;
	watch->surface = surface;
	wl_list_insert(&server->watches, &watch->link);
	mw_listen(&surface->events.commit, &watch->commit, on_commit);
	mw_listen(&surface->events.destroy, &watch->destroy, on_destroy);
	mw_output *output = mw_output_first(server);
	if (output != NULL)
		tell_scale(surface, output);
}

void mw_surface_watch_init(mw_server *server) { mw_listen(&server->compositor->events.new_surface, &server->new_surface, on_new_surface); }

void mw_surface_watch_finish(mw_server *server) {
	mw_unlisten(&server->new_surface);
	struct mw_watch *watch, *next;
	wl_list_for_each_safe(watch, next, &server->watches, link) watch_free(watch);
}

struct wlr_surface *mw_surface_root(struct wlr_surface *surface) {
	return root_of(surface);
}
