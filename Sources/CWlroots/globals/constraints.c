/*
 * pointer-constraints-v1: an app holds the pointer in place (games) or inside a region (drawing, virtual machines).
 *
 * A constraint is in force while its surface has the pointer, its window has the keyboard, and nothing is being dragged;
 * it comes into force only with the pointer inside its region. Whatever takes the pointer or the keyboard from the app
 * breaks it: the app switcher, another window, a panel, a finger on another app. A persistent one comes back with them.
 */
#include "globals.h"
#include "seat.h"

#include <math.h>
#include <stdlib.h>
#include <wlr/types/wlr_pointer_constraints_v1.h>
#include <wlr/util/box.h>

struct constraint {
	struct wl_list link;
	struct mw_constraints *all;
	struct wlr_pointer_constraint_v1 *wlr;
	struct wl_listener destroy, set_region;
};

struct mw_constraints {
	mw_seat *seat;
	struct wl_list list;
	struct constraint *active;
	struct wl_listener new_constraint;
	/* The pointer is put somewhere else, but not in the middle of a client's request. */
	struct wl_event_source *warp;
	double warp_x, warp_y;
};

/* ---- where ---- */

/* From points of the screen to the surface and back, as it was drawn last. */
struct map {
	struct wlr_fbox box;
	double kx, ky;
};

static bool map_of(const struct constraint *constraint, struct map *map) {
	struct wlr_surface *surface = constraint->wlr->surface;
	if (!mw_surface_seen(constraint->all->seat->server, surface, &map->box))
		return false;
	map->kx = surface->current.width / map->box.width;
	map->ky = surface->current.height / map->box.height;
	return true;
}

/* The region inside the surface: an unset one is unbounded. */
static void region_of(const struct constraint *constraint, pixman_region32_t *out) {
	const struct wlr_surface *surface = constraint->wlr->surface;
	pixman_region32_init(out);
	pixman_region32_intersect_rect(out, &constraint->wlr->region, 0, 0, (unsigned)surface->current.width,
		(unsigned)surface->current.height);
}

/* The last place before an edge, as Wayland counts. */
#define LAST (1.0 / 256)

static bool box_at(pixman_region32_t *region, double x, double y, pixman_box32_t *box) {
	return !isnan(x) && !isnan(y) && pixman_region32_contains_point(region, (int)floor(x), (int)floor(y), box);
}

static bool inside(const struct constraint *constraint, double sx, double sy) {
	pixman_region32_t region;
	region_of(constraint, &region);
	bool contains = box_at(&region, sx, sy, NULL);
	pixman_region32_fini(&region);
	return contains;
}

static double clamp(double value, double low, double high) {
	return value < low ? low : value > high ? high : value;
}

/* The nearest point of the region; false if it is empty. */
static bool nearest(const struct constraint *constraint, double x, double y, double *out_x, double *out_y) {
	pixman_region32_t region;
	region_of(constraint, &region);
	int count;
	const pixman_box32_t *boxes = pixman_region32_rectangles(&region, &count);
	double best = INFINITY;
	for (int i = 0; i < count; i++) {
		double nx = clamp(x, boxes[i].x1, boxes[i].x2 - LAST), ny = clamp(y, boxes[i].y1, boxes[i].y2 - LAST);
		double distance = hypot(nx - x, ny - y);
		if (distance < best) {
			best = distance;
			*out_x = nx;
			*out_y = ny;
		}
	}
	pixman_region32_fini(&region);
	return best < INFINITY;
}

/* How much of the way `by` is left at the edges `low` and `high`. */
static double part(double from, double by, double low, double high) {
	return by > 0 ? (high - from) / by : by < 0 ? (from - low) / -by : INFINITY;
}

/* The first place beyond the edge that is left, but no further than the way goes. */
static double beyond(double by, double to, double low, double high) {
	return by > 0 ? high : fmax(low - LAST, to);
}

/*
 * Straight on, from one rectangle to the next, as far as they touch. A straight way is in each of them once: so there are no
 * more steps than rectangles. (wlroots' own walk does not end in some regions.)
 */
static void walk(pixman_region32_t *region, double *x, double *y, double to_x, double to_y) {
	int steps = pixman_region32_n_rects(region);
	pixman_box32_t box;
	double at_x = *x, at_y = *y;
	while (steps-- > 0 && box_at(region, at_x, at_y, &box)) {
		double dx = to_x - at_x, dy = to_y - at_y;
		double part_x = part(at_x, dx, box.x1, box.x2), part_y = part(at_y, dy, box.y1, box.y2), t = fmin(fmin(part_x, part_y), 1);
		at_x += t * dx;
		at_y += t * dy;
		/* At an edge that is in the way it stops a whole point before, as under other shells (and in WLCS). */
		*x = clamp(at_x, box.x1, fmax(box.x1, at_x >= box.x2 ? box.x2 - 1 : box.x2 - LAST));
		*y = clamp(at_y, box.y1, fmax(box.y1, at_y >= box.y2 ? box.y2 - 1 : box.y2 - LAST));
		if (t >= 1 && *x == to_x && *y == to_y)
			return;
		at_x = part_x <= t ? beyond(dx, to_x, box.x1, box.x2) : *x;
		at_y = part_y <= t ? beyond(dy, to_y, box.y1, box.y2) : *y;
	}
}

bool mw_constraint_lets(mw_seat *seat, double *x, double *y) {
	struct constraint *active = seat->constraints != NULL ? seat->constraints->active : NULL;
	if (active == NULL)
		return true;
	if (active->wlr->type == WLR_POINTER_CONSTRAINT_V1_LOCKED)
		return false;
	struct map map;
	if (!map_of(active, &map))
		return true;
	double sx = (*x - map.box.x) * map.kx, sy = (*y - map.box.y) * map.ky;
	const struct wlr_seat_pointer_state *pointer = &seat->wlr->pointer_state;
	double to_x = pointer->sx, to_y = pointer->sy;
	if (inside(active, to_x, to_y)) {
		pixman_region32_t region;
		region_of(active, &region);
		walk(&region, &to_x, &to_y, sx, sy);
		/* Along the edge that is in the way. */
		walk(&region, &to_x, &to_y, sx, to_y);
		walk(&region, &to_x, &to_y, to_x, sy);
		pixman_region32_fini(&region);
	} else if (!nearest(active, sx, sy, &to_x, &to_y)) {
		return false;
	}
	*x = map.box.x + to_x / map.kx;
	*y = map.box.y + to_y / map.ky;
	return true;
}

static void on_warp(void *data) {
	struct mw_constraints *all = data;
	mw_seat *seat = all->seat;
	all->warp = NULL;
	wlr_cursor_warp_closest(seat->cursor, NULL, all->warp_x, all->warp_y);
	seat->server->on.pointer_motion(seat->server->on.user, mw_now(), seat->cursor->x, seat->cursor->y, 0, 0);
	seat->server->on.pointer_frame(seat->server->on.user);
}

static void warp_to(struct constraint *constraint, double sx, double sy) {
	struct mw_constraints *all = constraint->all;
	const struct wlr_surface *surface = constraint->wlr->surface;
	struct map map;
	if (sx < 0 || sy < 0 || sx >= surface->current.width || sy >= surface->current.height || !map_of(constraint, &map))
		return;
	all->warp_x = map.box.x + sx / map.kx;
	all->warp_y = map.box.y + sy / map.ky;
	if (all->warp == NULL)
		all->warp = wl_event_loop_add_idle(all->seat->server->loop, on_warp, all);
}

/* ---- whether ---- */

static bool may_hold(mw_seat *seat, struct wlr_surface *surface) {
	if (seat->drag != NULL || seat->wlr->pointer_state.focused_surface != surface || seat->focus == NULL ||
			seat->pointer.target != MW_AIM_WINDOW)
		return false;
	struct wlr_surface *keys = seat->wlr->keyboard_state.focused_surface;
	return keys != NULL && mw_window_of_surface(seat->server, surface) == seat->focus &&
		mw_window_of_surface(seat->server, keys) == seat->focus;
}

void mw_constraints_check(mw_seat *seat) {
	struct mw_constraints *all = seat->constraints;
	if (all == NULL || wl_list_empty(&all->list) || seat->server->destroying)
		return;
	const struct wlr_seat_pointer_state *pointer = &seat->wlr->pointer_state;
	struct constraint *active = all->active;
	if (active != NULL && !may_hold(seat, active->wlr->surface)) {
		all->active = NULL;
		wlr_pointer_constraint_v1_send_deactivated(active->wlr);   /* may destroy it */
	}
	if (all->active != NULL || pointer->focused_surface == NULL)
		return;
	struct constraint *constraint;
	wl_list_for_each(constraint, &all->list, link) {
		if (constraint->wlr->surface == pointer->focused_surface && may_hold(seat, constraint->wlr->surface) &&
				inside(constraint, pointer->sx, pointer->sy)) {
			all->active = constraint;
			wlr_pointer_constraint_v1_send_activated(constraint->wlr);
			return;
		}
	}
}

/* ---- life ---- */

static void constraint_free(struct constraint *constraint) {
	mw_unlisten(&constraint->destroy);
	mw_unlisten(&constraint->set_region);
	wl_list_remove(&constraint->link);
	free(constraint);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct constraint *constraint = wl_container_of(listener, constraint, destroy);
	struct mw_constraints *all = constraint->all;
	if (all->active == constraint) {
		all->active = NULL;
		/* The app let go: the pointer appears where it drew its own. */
		const struct wlr_pointer_constraint_v1_state *state = &constraint->wlr->current;
		if ((state->committed & WLR_POINTER_CONSTRAINT_V1_STATE_CURSOR_HINT) && !all->seat->server->destroying)
			warp_to(constraint, state->cursor_hint.x, state->cursor_hint.y);
	}
	constraint_free(constraint);
}

static void on_set_region(struct wl_listener *listener, void *data) {
	(void)data;
	struct constraint *constraint = wl_container_of(listener, constraint, set_region);
	mw_seat *seat = constraint->all->seat;
	const struct wlr_seat_pointer_state *pointer = &seat->wlr->pointer_state;
	if (constraint->all->active != constraint) {
		mw_constraints_check(seat);
		return;
	}
	double x, y;
	if (constraint->wlr->type == WLR_POINTER_CONSTRAINT_V1_CONFINED && !inside(constraint, pointer->sx, pointer->sy) &&
			nearest(constraint, pointer->sx, pointer->sy, &x, &y))
		warp_to(constraint, x, y);
}

/* 0.18 lets the region of a new constraint wait for the surface's next commit; until then all of the surface would do. */
static void take_region(struct wlr_pointer_constraint_v1 *wlr) {
#if WLR18
	if (!pixman_region32_not_empty(&wlr->pending.region))
		return;
	pixman_region32_copy(&wlr->current.region, &wlr->pending.region);
	pixman_region32_intersect(&wlr->region, &wlr->surface->input_region, &wlr->current.region);
#else
	(void)wlr;
#endif
}

static void on_new_constraint(struct wl_listener *listener, void *data) {
	struct mw_constraints *all = wl_container_of(listener, all, new_constraint);
	struct constraint *constraint = calloc(1, sizeof(*constraint));
	if (constraint == NULL)
		return;
	constraint->all = all;
	constraint->wlr = data;
	take_region(constraint->wlr);
	wl_list_insert(&all->list, &constraint->link);
	mw_listen(&constraint->wlr->events.destroy, &constraint->destroy, on_destroy);
	mw_listen(&constraint->wlr->events.set_region, &constraint->set_region, on_set_region);
	mw_constraints_check(all->seat);
}

bool mw_constraints_init(mw_seat *seat) {
	struct mw_constraints *all = calloc(1, sizeof(*all));
	struct wlr_pointer_constraints_v1 *wlr = all != NULL ? wlr_pointer_constraints_v1_create(seat->server->display) : NULL;
	if (wlr == NULL) {
		free(all);
		return false;
	}
	all->seat = seat;
	wl_list_init(&all->list);
	mw_listen(&wlr->events.new_constraint, &all->new_constraint, on_new_constraint);
	seat->constraints = all;
	return true;
}

void mw_constraints_finish(mw_seat *seat) {
	struct mw_constraints *all = seat->constraints;
	if (all == NULL)
		return;
	mw_unlisten(&all->new_constraint);
	if (all->warp != NULL)
		wl_event_source_remove(all->warp);
	struct constraint *constraint, *next;
	wl_list_for_each_safe(constraint, next, &all->list, link)
		constraint_free(constraint);
	seat->constraints = NULL;
	free(all);
}
