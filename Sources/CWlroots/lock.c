/*
 * The locked session. From the moment a locker asks for it, the handlers draw nothing but MW_ITEM_LOCK, and all input
 * goes to lock surfaces. The locker is told `locked` when such a picture is on the screen. If it dies after that, the
 * session stays locked until another locker unlocks it.
 */
#include "lock.h"
#include "draw.h"
#include "seat.h"

#include <math.h>
#include <stdlib.h>

/* A screen that never says that a picture is shown is not waited for longer than this after the picture was given to it. */
#define PATIENCE (INT64_C(500) * 1000 * 1000)

struct mw_lock {
	mw_server *server;
	struct mw_locker *locker;            /* NULL: it died */
	bool locked;
	bool secured;                        /* some locker was told `locked` since */
	bool told;                           /* this locker was */
	bool committed;                      /* a locked picture was given to the screen since `locked` */
	struct wl_list surfaces;
	mw_output *watched;                  /* its `present` is listened to */
	struct wl_listener present;
	mw_source *patience;
};

struct lock_surface {
	struct wl_list link;
	struct mw_lock_wire *wire;
	struct wlr_surface *surface;
	struct wlr_output *output;
	uint32_t width, height;              /* as last configured */
};

bool mw_lock_is_locked(mw_server *server) {
	return server->lock != NULL && server->lock->locked;
}

/* ---- telling the locker ---- */

static void stop_waiting(struct mw_lock *lock) {
	mw_unlisten(&lock->present);
	lock->watched = NULL;
	if (lock->patience != NULL)
		mw_arm(lock->patience, 0);
}

static void tell(struct mw_lock *lock) {
	stop_waiting(lock);
	if (lock->told || lock->locker == NULL)
		return;
	lock->told = lock->secured = true;
	mw_locker_send_locked(lock->locker);
}

static void on_patience(void *data, int32_t events) {
	(void)events;
	struct mw_lock *lock = data;
	if (lock->committed)
		tell(lock);
}

static void on_present(struct wl_listener *listener, void *data) {
	(void)data;
	struct mw_lock *lock = wl_container_of(listener, lock, present);
	if (lock->committed)
		tell(lock);
}

static bool is_dark(mw_server *server) {
	mw_output *output = mw_output_first(server);
	bool elsewhere = server->session != NULL && !server->session->active;
	return output == NULL || !output->wlr->enabled || elsewhere;
}

/* Nothing is seen of a screen that is off, or of a session whose console is not in front; what comes there first is locked. */
void mw_lock_screen_changed(mw_server *server) {
	struct mw_lock *lock = server->lock;
	if (lock != NULL && lock->locked && !lock->told && is_dark(server))
		tell(lock);
}

void mw_lock_drawn(mw_output *output, bool committed) {
	struct mw_lock *lock = output->server->lock;
	if (lock == NULL || !lock->locked || lock->told || lock->committed || !committed)
		return;
	lock->committed = true;
	lock->watched = output;
	mw_listen(&output->wlr->events.present, &lock->present, on_present);
	if (lock->patience == NULL)
		lock->patience = mw_add_timer(lock->server, on_patience, lock);
	if (lock->patience != NULL)
		mw_arm(lock->patience, mw_now() + PATIENCE);
}

void mw_lock_output_gone(mw_output *output) {
	struct mw_lock *lock = output->server->lock;
	if (lock == NULL)
		return;
	struct lock_surface *item;
	wl_list_for_each(item, &lock->surfaces, link) {
		if (item->output == output->wlr)
			item->output = NULL;
	}
	if (lock->watched == output) {
		stop_waiting(lock);
		lock->committed = false;
	}
}

/* ---- locking and unlocking ---- */

/* The screen shows something else at the next frame, whatever the handlers would have changed. */
static void repaint(mw_server *server) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link)
		mw_output_damage_all(output);
}

/* Whoever had fingers, buttons or keys has them no more. */
static void take_input(mw_server *server) {
	mw_seat *seat = server->seat;
	struct wlr_seat *wlr = seat->wlr;
	mw_window *window;
	wl_list_for_each(window, &server->windows, link)
		mw_window_dismiss_popups(window);
	mw_pen_leave(seat);
	mw_seat_touch_cancel(server);
	wlr_seat_pointer_end_grab(wlr);
	wlr_seat_keyboard_end_grab(wlr);
	/* 0.15 leaves that of popups until the client destroys them, if it does. */
	wlr->touch_state.grab = wlr->touch_state.default_grab;
	seat->pointer.target = MW_AIM_NONE;
	seat->pointer.window = NULL;
	wlr_seat_pointer_clear_focus(wlr);
	mw_seat_set_cursor(server, "left_ptr");
	mw_keyboard_apply_focus(seat);
}

static void refresh(mw_server *server) {
	if (server->destroying || !mw_lock_is_locked(server))
		return;
	mw_keyboard_apply_focus(server->seat);
	mw_output *output = mw_output_first(server);
	if (output != NULL)
		mw_output_schedule(output);
}

static void surface_forget(struct mw_lock *lock, struct lock_surface *item) {
	struct wlr_surface *surface = item->surface;
	wl_list_remove(&item->link);
	free(item);
	if (lock->server->destroying)
		return;
	mw_seat_surface_gone(lock->server, surface);
	refresh(lock->server);
}

static void set_locked(struct mw_lock *lock, bool locked) {
	mw_server *server = lock->server;
	if (lock->locked == locked)
		return;
	lock->locked = locked;
	lock->committed = lock->secured = false;
	stop_waiting(lock);
	take_input(server);
	mw_taskbars_locked(server, locked);
	mw_x11_locked(server, locked);
	server->on.lock_changed(server->on.user, locked);
	repaint(server);
}

bool mw_lock_begin(mw_server *server, struct mw_locker *locker) {
	struct mw_lock *lock = server->lock;
	if (lock->locker != NULL)
		return false;
	lock->locker = locker;
	lock->told = false;
	set_locked(lock, true);
	/* One that takes over finds the locked picture on the screen already. */
	if (lock->secured || is_dark(server))
		tell(lock);
	return true;
}

void mw_lock_unlock(mw_server *server, struct mw_locker *locker) {
	struct mw_lock *lock = server->lock;
	if (lock->locker == locker)
		set_locked(lock, false);
}

void mw_lock_locker_gone(mw_server *server, struct mw_locker *locker) {
	struct mw_lock *lock = server->lock;
	if (lock == NULL || lock->locker != locker)
		return;
	lock->locker = NULL;
	struct lock_surface *item, *next;
	wl_list_for_each_safe(item, next, &lock->surfaces, link)
		surface_forget(lock, item);
	if (server->destroying)
		return;
	/* It never held the session for certain: nobody relies on it. */
	if (lock->locked && !lock->secured)
		set_locked(lock, false);
}

/* ---- its surfaces ---- */

static struct lock_surface *surface_of(struct mw_lock *lock, struct mw_lock_wire *wire) {
	struct lock_surface *item;
	wl_list_for_each(item, &lock->surfaces, link) {
		if (item->wire == wire)
			return item;
	}
	return NULL;
}

static void configure(struct mw_lock *lock, struct lock_surface *item) {
	mw_output *output = item->output != NULL ? mw_output_of(lock->server, item->output) : NULL;
	if (output == NULL)
		return;
	double width, height;
	mw_output_size(output, &width, &height);
	uint32_t w = (uint32_t)lround(width), h = (uint32_t)lround(height);
	if (w == item->width && h == item->height)
		return;
	item->width = w;
	item->height = h;
	mw_lock_wire_configure(item->wire, w, h);
}

void mw_lock_surface_added(mw_server *server, struct mw_locker *locker, struct mw_lock_wire *wire, struct wlr_surface *surface, struct wlr_output *output) {
	struct mw_lock *lock = server->lock;
	struct lock_surface *item = lock->locker == locker ? calloc(1, sizeof(*item)) : NULL;
	if (item == NULL)
		return;   /* of one that was refused, or is over */
	item->wire = wire;
	item->surface = surface;
	item->output = output;
	wl_list_insert(lock->surfaces.prev, &item->link);
	configure(lock, item);
}

void mw_lock_surface_removed(mw_server *server, struct mw_lock_wire *wire) {
	struct mw_lock *lock = server->lock;
	struct lock_surface *item = lock != NULL ? surface_of(lock, wire) : NULL;
	if (item != NULL)
		surface_forget(lock, item);
}

void mw_lock_surface_committed(mw_server *server, struct mw_lock_wire *wire) {
	(void)wire;
	refresh(server);
}

void mw_lock_arrange(mw_output *output) {
	struct mw_lock *lock = output->server->lock;
	struct lock_surface *item;
	if (lock == NULL)
		return;
	wl_list_for_each(item, &lock->surfaces, link) {
		if (item->output == output->wlr)
			configure(lock, item);
	}
}

/* ---- asking ---- */

static struct lock_surface *shown_on(mw_output *output) {
	struct mw_lock *lock = output->server->lock;
	struct lock_surface *item;
	if (lock == NULL || !lock->locked)
		return NULL;
	wl_list_for_each(item, &lock->surfaces, link) {
		if (item->output == output->wlr && mw_lock_wire_is_mapped(item->wire))
			return item;
	}
	return NULL;
}

struct walk {
	mw_surface_iterator iterator;
	void *data;
};

static void walk_surface(struct wlr_surface *surface, int x, int y, void *data) {
	struct walk *walk = data;
	walk->iterator(surface, x, y, walk->data);
}

void mw_lock_each_surface(mw_output *output, mw_surface_iterator iterator, void *data) {
	struct lock_surface *item = shown_on(output);
	struct walk walk = { iterator, data };
	if (item != NULL)
		wlr_surface_for_each_surface(item->surface, walk_surface, &walk);
}

bool mw_lock_is_on(mw_output *output, struct wlr_surface *surface) {
	struct lock_surface *item = shown_on(output);
	return item != NULL && item->surface == surface;
}

struct wlr_surface *mw_lock_surface_at(mw_output *output, double x, double y, double *sx, double *sy) {
	struct lock_surface *item = shown_on(output);
	return item != NULL ? wlr_surface_surface_at(item->surface, x, y, sx, sy) : NULL;
}

struct wlr_surface *mw_lock_keyboard_focus(mw_server *server) {
	mw_output *output = mw_output_first(server);
	struct lock_surface *item = output != NULL ? shown_on(output) : NULL;
	return item != NULL ? item->surface : NULL;
}

/* ---- lifetime ---- */

bool mw_lock_init(mw_server *server) {
	struct mw_lock *lock = server->lock = calloc(1, sizeof(*lock));
	if (lock == NULL)
		return false;
	lock->server = server;
	wl_list_init(&lock->surfaces);
	return mw_session_lock_init(server);
}

void mw_lock_finish(mw_server *server) {
	struct mw_lock *lock = server->lock;
	if (lock == NULL)
		return;
	mw_session_lock_finish(server);
	stop_waiting(lock);
	if (lock->patience != NULL)
		mw_remove_source(lock->patience);
	struct lock_surface *item, *next;
	wl_list_for_each_safe(item, next, &lock->surfaces, link) {
		wl_list_remove(&item->link);
		free(item);
	}
	server->lock = NULL;
	free(lock);
}
