/* C until windows move to Swift and are measured: it runs in each commit. */
/* xdg-shell: toplevels. Popups are in Compositor/Windows, activation and decoration in Compositor/Protocols. */
#include "xdg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wlr/util/edges.h>

/* wlroots 0.15 takes the xdg_surface where 0.18 takes the xdg_toplevel. */
#if WLR18
#define TARGET(toplevel) (toplevel)
#else
#define TARGET(toplevel) ((toplevel)->base)
#endif

#define ALL_EDGES (WLR_EDGE_TOP | WLR_EDGE_BOTTOM | WLR_EDGE_LEFT | WLR_EDGE_RIGHT)

mw_window *mw_xdg_window(struct wlr_xdg_surface *surface) {
	return surface != NULL && surface->role == WLR_XDG_SURFACE_ROLE_TOPLEVEL ? surface->data : NULL;
}

struct wlr_xdg_toplevel *mw_xdg_toplevel_of(struct wl_resource *resource) {
#if WLR18
	return wlr_xdg_toplevel_from_resource(resource);
#else
	struct wlr_xdg_surface *surface = wlr_xdg_surface_from_toplevel_resource(resource);
	return surface != NULL ? surface->toplevel : NULL;
#endif
}

struct wlr_xdg_toplevel *mw_xdg_toplevel_on(struct wlr_surface *surface) {
	struct wlr_xdg_surface *xdg = surface != NULL ? mw_xdg_surface_of(surface) : NULL;
	return xdg != NULL && xdg->role == WLR_XDG_SURFACE_ROLE_TOPLEVEL ? xdg->toplevel : NULL;
}

struct wl_signal *mw_xdg_destroy_signal(struct wlr_xdg_toplevel *toplevel) {
#if WLR18
	return &toplevel->events.destroy;
#else
	return &toplevel->base->events.destroy;
#endif
}

bool mw_xdg_has_committed(struct wlr_xdg_toplevel *toplevel) {
#if WLR18
	return toplevel->base->initialized || toplevel->base->initial_commit;
#else
	return toplevel->base->added || toplevel->base->configured;
#endif
}

struct wlr_xdg_shell *mw_server_xdg_shell(mw_server *server) {
	return server->shell->xdg;
}

bool mw_xdg_may_configure(struct wlr_xdg_surface *surface) {
#if WLR18
	return surface->initialized;
#else
	return surface->added;
#endif
}

/* Sets the state for the next configure. wlroots sends it at the end of this turn of the loop. */
static void schedule(mw_window *window, uint32_t sequence) {
	struct toplevel *toplevel = window->role;
	const struct mw_configure *wanted = &window->wanted;
	struct wlr_xdg_toplevel *xdg = toplevel->xdg;
	/* Every arranged window gets the same states wherever it is, so that no window can tell the arrangement
	 * (W-10). */
	wlr_xdg_toplevel_set_maximized(TARGET(xdg), wanted->arranged);
	wlr_xdg_toplevel_set_tiled(TARGET(xdg), wanted->arranged ? ALL_EDGES : WLR_EDGE_NONE);
	wlr_xdg_toplevel_set_fullscreen(TARGET(xdg), wanted->fullscreen);
	wlr_xdg_toplevel_set_activated(TARGET(xdg), wanted->activated);
	wlr_xdg_toplevel_set_resizing(TARGET(xdg), wanted->resizing);
	bool nudge = toplevel->nudged && wanted->height > 1;
	uint32_t serial = wlr_xdg_toplevel_set_size(TARGET(xdg), wanted->width, wanted->height - nudge);
	toplevel->owed = toplevel->held = false;
	toplevel->begun = true;
	mw_window_sent(window, sequence, serial);
}

static bool same_to_client(const mw_window *window, const struct mw_configure *b) {
	const struct mw_configure *a = &window->wanted;
	/* Picture in Picture is sent only its size. */
	return a->width == b->width && a->height == b->height &&
		   (window->pip != NULL ||
			(a->activated == b->activated && a->arranged == b->arranged && a->fullscreen == b->fullscreen && a->resizing == b->resizing));
}

void mw_xdg_configure(mw_window *window, const struct mw_configure *configure) {
	struct toplevel *toplevel = window->role;
	bool changed = !same_to_client(window, configure) || !toplevel->begun || toplevel->owed || toplevel->held;
	window->wanted = *configure;
	if (window->wanted.width < 0)
		window->wanted.width = 0;
	if (window->wanted.height < 0)
		window->wanted.height = 0;
	if (!mw_xdg_may_configure(toplevel->xdg->base))
		return; /* sent at the initial commit */
	if (changed && !mw_may_tell(window->server, window->surface, &toplevel->xdg->base->configure_list)) {
		toplevel->owed = toplevel->held = true; /* sent with the state of that time, when the client reads or acks again */
		return;
	}
	if (changed) {
		schedule(window, configure->sequence);
		return;
	}
	/* Nothing is new for the client, so its ack of the last configure answers this one too. */
	if (window->sent_count > 0) {
		size_t last = (window->sent_count - 1) % MW_COUNT(window->sent);
		window->sent[last].sequence = configure->sequence;
		mw_window_answered(window, toplevel->xdg->base->current.configure_serial);
		mw_window_report_later(window);
	}
}

static void tell_what_was_held(mw_window *window) {
	struct mw_configure wanted = window->wanted;
	mw_xdg_configure(window, &wanted);
}

void mw_xdg_caught_up(mw_server *server, struct wl_client *client) {
	mw_window *window;
	wl_list_for_each(window, &server->windows, link) {
		struct toplevel *toplevel = window->role;
		if (window->toplevel != NULL && toplevel->held && wl_resource_get_client(window->surface->resource) == client)
			tell_what_was_held(window);
	}
}

void mw_xdg_close(mw_window *window) {
	if (window->pip != NULL)
		mw_pip_close(window);
	else
		wlr_xdg_toplevel_send_close(TARGET(window->toplevel));
}

static void on_configure(struct wl_listener *listener, void *data) {
	struct toplevel *toplevel = wl_container_of(listener, toplevel, configure);
	struct wlr_xdg_surface_configure *sent = data;
	mw_limits_configures(sent->surface->client->client, &sent->surface->configure_list);
	const struct wlr_xdg_toplevel_configure *state = sent->toplevel_configure;
	if (state == NULL)
		return;
	mw_window *window = toplevel->window;
	uint32_t sequence = 0;
	for (size_t i = 0; i < MW_COUNT(window->sent); i++) {
		if (window->sent[i].sequence != 0 && window->sent[i].serial == sent->serial)
			sequence = window->sent[i].sequence;
	}
	char states[160] = "";
	const struct {
		bool on;
		const char *name;
	} names[] = {
		{state->activated, "activated"},
		{state->maximized, "maximized"},
		{state->fullscreen, "fullscreen"},
		{state->resizing, "resizing"},
		{state->tiled & WLR_EDGE_LEFT, "tiled_left"},
		{state->tiled & WLR_EDGE_RIGHT, "tiled_right"},
		{state->tiled & WLR_EDGE_TOP, "tiled_top"},
		{state->tiled & WLR_EDGE_BOTTOM, "tiled_bottom"},
	};
	for (size_t i = 0; i < MW_COUNT(names); i++) {
		if (!names[i].on || window->pip != NULL)
			continue;
		if (states[0] != 0)
			strcat(states, ",");
		strcat(states, names[i].name);
	}
	if (toplevel->nudged) {
		toplevel->nudged = false;
		schedule(window, window->wanted.sequence);
	}
	if (window->pip != NULL)
		mw_pip_configured(window, sent->serial, (int32_t)state->width, (int32_t)state->height);
	mw_window_log(window, "seq=%u size=%dx%d states=%s", sequence, (int)state->width, (int)state->height, states);
}

/* ---- commits ---- */

static void read_state(struct toplevel *toplevel) {
	mw_window *window = toplevel->window;
	const struct wlr_xdg_toplevel_state *current = &toplevel->xdg->current;
	/* 0.15 keeps these unsigned and unchecked. Values that do not fit mean no limit. */
	window->state.min_width = (int32_t)current->min_width > 0 ? current->min_width : 0;
	window->state.min_height = (int32_t)current->min_height > 0 ? current->min_height : 0;
	window->state.max_width = (int32_t)current->max_width > 0 ? current->max_width : 0;
	window->state.max_height = (int32_t)current->max_height > 0 ? current->max_height : 0;
	if (toplevel->xdg->base->configured)
		mw_window_answered(window, toplevel->xdg->base->current.configure_serial);
}

/* The first commit, or the first one after the client unmapped the surface. The client now waits for a configure. */
static void initial_commit(struct toplevel *toplevel) {
	mw_window *window = toplevel->window;
	toplevel->begun = false;
	window->state.fullscreen_wanted = toplevel->xdg->requested.fullscreen;
	read_state(toplevel);
	if (!window->created) {
		mw_window_report_created(window);
		mw_activation_created(window);
		if (toplevel->xdg->requested.fullscreen)
			mw_window_report_request(window, MW_REQUEST_FULLSCREEN, 1);
		if (toplevel->xdg->requested.maximized)
			mw_window_report_request(window, MW_REQUEST_MAXIMIZE, 1);
	}
	if (window->configured && !toplevel->begun)
		schedule(window, window->wanted.sequence);
#if !WLR18
	/* 0.15 has already scheduled a configure without a size. Hold it back until the shell has decided. */
	struct wlr_xdg_surface *surface = toplevel->xdg->base;
	if (!toplevel->begun && surface->configure_idle != NULL) {
		wl_event_source_remove(surface->configure_idle);
		surface->configure_idle = NULL;
	}
#endif
}

static bool same_box(const struct wlr_box *a, const struct wlr_box *b) {
	return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* Most commits only bring new pixels, so size and input region stay the same. A window with several surfaces, or
 * with holes in its input region, is checked every time. */
static bool keeps_shape(struct toplevel *toplevel) {
	struct wlr_surface *surface = toplevel->xdg->base->surface;
	struct shape *before = &toplevel->shape,
				 now = {
					 .is_simple = toplevel->window->mapped && pixman_region32_n_rects(&surface->input_region) == 1 &&
								  wl_list_empty(&surface->current.subsurfaces_above) && wl_list_empty(&surface->current.subsurfaces_below),
					 .width = surface->current.width,
					 .height = surface->current.height,
					 .geometry = toplevel->xdg->base->current.geometry,
					 .input = *pixman_region32_extents(&surface->input_region),
				 };
	bool kept = before->is_simple && now.is_simple && before->width == now.width && before->height == now.height &&
				same_box(&before->geometry, &now.geometry) && memcmp(&before->input, &now.input, sizeof(now.input)) == 0;
	*before = now;
	return kept;
}

static void on_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, commit);
	mw_window *window = toplevel->window;
	struct wlr_xdg_surface *surface = toplevel->xdg->base;
	if (window->pip != NULL && !mw_pip_committed(window))
		return;
#if WLR18
	if (surface->initial_commit) {
		initial_commit(toplevel);
		return;
	}
#else
	/* 0.15 sends no signal when an unmapped window starts again, with the commit after that. */
	bool unmapping = toplevel->unmapping;
	toplevel->unmapping = false;
	if (unmapping)
		return;
	if (!surface->mapped && !surface->configured && !toplevel->begun) {
		initial_commit(toplevel);
		return;
	}
#endif
	if (!window->created)
		return;
	(void)surface;
	read_state(toplevel);
	if (toplevel->held)
		tell_what_was_held(window);
	bool same_shape = keeps_shape(toplevel);
	mw_window_report_commit(window, same_shape);
	if (window->mapped && !same_shape)
		mw_seat_window_changed(window->server, window);
}

/* Arranged, but smaller than its configured size without a maximum that explains it. */
static bool too_small(mw_window *window) {
	const struct mw_configure *wanted = &window->wanted;
	struct wlr_box geometry = {0};
	mw_window_geometry(window, &geometry);
	bool smaller = geometry.width < wanted->width || geometry.height < wanted->height;
	bool larger = geometry.width > wanted->width || geometry.height > wanted->height;
	bool limited = (window->state.max_width > 0 && window->state.max_width < wanted->width) ||
				   (window->state.max_height > 0 && window->state.max_height < wanted->height);
	return window->configured && wanted->arranged && wanted->height > 1 && smaller && !larger && !limited;
}

void mw_xdg_in_sight(mw_window *window) {
	struct toplevel *toplevel = window->role;
	if (!toplevel->small)
		return;
	toplevel->small = false;
	if (!too_small(window) || mw_surface_stalled(window->server, window->surface))
		return;
	/* Some clients (mpv) ignore the size of their first configure, and of every later one that equals it. So send
	 * a different size, and the right one directly after it (on_configure). For a hidden window this can wait. */
	toplevel->nudged = true;
	schedule(window, window->wanted.sequence);
}

static void on_map(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, map);
	mw_window *window = toplevel->window;
	if (mw_pip_is_closed(window))
		return;
	read_state(toplevel);
	toplevel->small = too_small(window);
	/* Its parent may have become a window since it was set. */
	if (mw_window_parent(window) != NULL)
		mw_window_report_renamed(window);
	mw_window_report_mapped(window);
}

static void on_unmap(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, unmap);
	toplevel->unmapping = true;
	toplevel->shape.is_simple = false;
	mw_window_report_unmapped(toplevel->window);
	/* Anything that the report scheduled is void in the unmapped state. The next commit starts again. */
	toplevel->begun = false;
	toplevel->owed = false;
}

/* ---- life cycle ---- */

#if !WLR18
/*
 * 0.15 tells children about their parent's end only if it was mapped. Otherwise a child keeps a dangling pointer.
 * A "client" of 0.15 is one binding of xdg_wm_base, of which a client may have several.
 */
void mw_xdg_adopt_children(struct wlr_xdg_surface *parent, struct wlr_xdg_surface *instead) {
	struct wlr_xdg_client *client;
	struct wlr_xdg_surface *other;
	wl_list_for_each(client, &parent->client->shell->clients, link) {
		if (client->client != parent->client->client)
			continue;
		wl_list_for_each(other, &client->surfaces, link) {
			if (other->role == WLR_XDG_SURFACE_ROLE_TOPLEVEL && other != parent && other->toplevel->parent == parent)
				wlr_xdg_toplevel_set_parent(other, instead);
		}
	}
}
#endif

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct toplevel *toplevel = wl_container_of(listener, toplevel, destroy);
	mw_window *window = toplevel->window;
	mw_window_report_unmapped(window);
#if WLR18
	mw_xdg_forget_named(toplevel);
#else
	mw_xdg_adopt_children(toplevel->xdg->base, toplevel->xdg->base->toplevel->parent);
#endif
	if (window->created && !window->server->destroying)
		window->server->on.window_destroyed(window->server->on.user, window);
	struct wl_listener *all[] = {
		&toplevel->map,
		&toplevel->unmap,
		&toplevel->destroy,
		&toplevel->commit,
		&toplevel->configure,
		&toplevel->set_title,
		&toplevel->set_app_id,
		&toplevel->set_parent,
		&toplevel->request_fullscreen,
		&toplevel->request_maximize,
		&toplevel->request_minimize,
		&toplevel->request_move,
		&toplevel->request_resize,
	};
	for (size_t i = 0; i < MW_COUNT(all); i++)
		mw_unlisten(all[i]);
	toplevel->xdg->base->data = NULL;
	mw_window_free(window);
	free(toplevel);
}

static struct toplevel *adopt(mw_shell *shell, struct wlr_xdg_toplevel *xdg) {
	struct toplevel *toplevel = calloc(1, sizeof(*toplevel));
	mw_window *window = mw_window_new(shell->server);
	if (toplevel == NULL || window == NULL) {
		wl_resource_post_no_memory(xdg->resource);
		free(toplevel);
		if (window != NULL)
			mw_window_free(window);
		return NULL;
	}
	toplevel->window = window;
	toplevel->xdg = xdg;
	window->toplevel = xdg;
	window->surface = xdg->base->surface;
	window->role = toplevel;
	window->pip = mw_pip_of(shell->server, xdg);
	xdg->base->data = window;
#if WLR18
	mw_listen(&xdg->base->surface->events.map, &toplevel->map, on_map);
	mw_listen(&xdg->base->surface->events.unmap, &toplevel->unmap, on_unmap);
	mw_listen(&xdg->events.destroy, &toplevel->destroy, on_destroy);
#else
	mw_listen(&xdg->base->events.map, &toplevel->map, on_map);
	mw_listen(&xdg->base->events.unmap, &toplevel->unmap, on_unmap);
	mw_listen(&xdg->base->events.destroy, &toplevel->destroy, on_destroy);
#endif
	mw_listen(&xdg->base->surface->events.commit, &toplevel->commit, on_commit);
	mw_listen(&xdg->base->events.configure, &toplevel->configure, on_configure);
	mw_xdg_requests_listen(toplevel);
	return toplevel;
}

#if WLR18
static void on_new_toplevel(struct wl_listener *listener, void *data) {
	mw_shell *shell = wl_container_of(listener, shell, new_toplevel);
	adopt(shell, data);
}

static void on_new_popup(struct wl_listener *listener, void *data) {
	mw_shell *shell = wl_container_of(listener, shell, new_popup);
	mw_popups_new(shell->server, data);
}
#else
/* The signal fires at the first commit. */
static void on_new_surface(struct wl_listener *listener, void *data) {
	mw_shell *shell = wl_container_of(listener, shell, new_surface);
	struct wlr_xdg_surface *surface = data;
	if (surface->role == WLR_XDG_SURFACE_ROLE_POPUP) {
		mw_popups_new(shell->server, surface->popup);
	} else if (surface->role == WLR_XDG_SURFACE_ROLE_TOPLEVEL && surface->data == NULL) {
		struct toplevel *toplevel = adopt(shell, surface->toplevel);
		if (toplevel != NULL) {
			mw_xdg_check_parent(toplevel);
			initial_commit(toplevel);
		}
	}
}
#endif

bool mw_shell_init(mw_server *server) {
	mw_shell *shell = calloc(1, sizeof(*shell));
	if (shell == NULL)
		return false;
	server->shell = shell;
	shell->server = server;
	mw_popups_begin(server);
#if WLR18
	shell->xdg = wlr_xdg_shell_create(server->display, 6);
#else
	shell->xdg = wlr_xdg_shell_create(server->display);
#endif
	if (shell->xdg == NULL)
		return false;
#if WLR18
	mw_listen(&shell->xdg->events.new_toplevel, &shell->new_toplevel, on_new_toplevel);
	mw_listen(&shell->xdg->events.new_popup, &shell->new_popup, on_new_popup);
#else
	mw_listen(&shell->xdg->events.new_surface, &shell->new_surface, on_new_surface);
#endif
	mw_defects_init(shell);
	mw_activation_begin(server);
	return true;
}

void mw_shell_finish(mw_server *server) {
	mw_shell *shell = server->shell;
	if (shell == NULL)
		return;
	mw_unlisten(&shell->new_surface);
	mw_unlisten(&shell->new_toplevel);
	mw_unlisten(&shell->new_popup);
	mw_activation_end(server);
	mw_popups_end(server);
	mw_defects_finish(shell);
	server->shell = NULL;
	free(shell);
}
