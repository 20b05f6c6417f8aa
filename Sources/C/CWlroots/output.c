/* C until outputs move to Swift: it runs in each frame. */
/*
 * Outputs: their size, scale and rotation, and the scheduling of frames.
 *
 * It does not use wlroots' schedule_frame, which marks the output as needing a commit and answers at once: a
 * client that requests frame callbacks without drawing would cause a busy loop. Here, a frame is requested at most
 * once per refresh, and committed only if something changed.
 */
#include "draw.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <wlr/types/wlr_xdg_output_v1.h>
#include <wlr/util/region.h>

mw_output *mw_output_first(mw_server *server) {
	if (wl_list_empty(&server->outputs))
		return NULL;
	mw_output *output = wl_container_of(server->outputs.next, output, link);
	return output;
}

mw_output *mw_output_of(mw_server *server, struct wlr_output *wlr) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		if (output->wlr == wlr)
			return output;
	}
	return NULL;
}

int64_t mw_output_period(mw_output *output) {
	int32_t refresh = output->wlr->refresh > 0 ? output->wlr->refresh : 60000;
	return 1000000000000LL / refresh;
}

void mw_output_size(mw_output *output, double *width, double *height) {
	int pixel_width, pixel_height;
	wlr_output_transformed_resolution(output->wlr, &pixel_width, &pixel_height);
	*width = pixel_width / (double)output->wlr->scale;
	*height = pixel_height / (double)output->wlr->scale;
}

bool mw_output_is_nested(mw_output *output) {
	return output->server->options.backend == MW_BACKEND_WAYLAND || output->server->options.backend == MW_BACKEND_X11;
}

void mw_output_info(mw_output *output, struct mw_output_info *out) {
	struct wlr_output *wlr = output->wlr;
	int width, height;
	wlr_output_transformed_resolution(wlr, &width, &height);
	*out = (struct mw_output_info){
		.name = wlr->name,
		.width = width,
		.height = height,
		.scale = (double)wlr->scale,
		.transform = (int32_t)wlr->transform,
		.refresh_mhz = wlr->refresh > 0 ? wlr->refresh : 60000,
		.can_resize = mw_output_is_nested(output) || mw_output_is_virtual(wlr),
	};
}

void mw_output_report(mw_output *output) {
	struct mw_output_info info, *told = &output->told;
	mw_output_info(output, &info);
	if (!output->announced || (info.width == told->width && info.height == told->height && info.scale == told->scale &&
							   info.transform == told->transform && info.refresh_mhz == told->refresh_mhz))
		return;
	*told = info;
	mw_output_damage_all(output);
	mw_lock_screen_changed(output->server);
	if (output == mw_output_first(output->server))
		mw_surfaces_tell_scale(output);
	mw_pips_screen_changed(output->server);
	output->server->on.output_changed(output->server->on.user, output, &info);
}

void mw_output_set_changing(struct wlr_output *wlr, bool changing) {
	mw_output *output = wlr->data;
	if (output == NULL)
		return;
	output->changing = changing;
	if (!changing)
		mw_output_report(output);
}

/* ---- queries from Swift ---- */

mw_output *mw_next_output(mw_server *server, mw_output *output) {
	struct wl_list *next = output != NULL ? output->link.next : server->outputs.next;
	return next != &server->outputs ? wl_container_of(next, output, link) : NULL;
}

struct wlr_output_mode *mw_next_mode(struct wlr_output *output, struct wlr_output_mode *mode) {
	struct wl_list *next = mode != NULL ? mode->link.next : output->modes.next;
	return next != &output->modes ? wl_container_of(next, mode, link) : NULL;
}

struct wlr_output_configuration_head_v1 *mw_next_head(struct wlr_output_configuration_v1 *configuration,
													  struct wlr_output_configuration_head_v1 *head) {
	struct wl_list *next = head != NULL ? head->link.next : configuration->heads.next;
	return next != &configuration->heads ? wl_container_of(next, head, link) : NULL;
}

struct wlr_output *mw_output_wlr(mw_output *output) {
	return output->wlr;
}

mw_server *mw_output_server(mw_output *output) { return output->server; }

bool mw_output_is_announced(mw_output *output) { return output->announced; }

bool mw_output_is_on(mw_output *output) { return output->wlr->enabled; }

bool mw_output_asked_size(mw_output *output, int32_t *width, int32_t *height) {
	*width = output->asked_width;
	*height = output->asked_height;
	return *width > 0 && *height > 0;
}

/* ---- frames ---- */

void mw_output_forget_schedule(mw_output *output) {
	output->scheduled = false;
	output->server->frame++;
	if (output->frame_idle != NULL) {
		wl_event_source_remove(output->frame_idle);
		output->frame_idle = NULL;
	}
	if (output->frame_timer != NULL)
		mw_arm(output->frame_timer, 0);
}

bool mw_output_shows(mw_output *output) {
	struct wlr_session *session = output->server->session;
	return output->wlr->enabled && (session == NULL || session->active);
}

void mw_outputs_session_changed(mw_server *server) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		/* The answer to an earlier commit may never have come. */
		mw_output_forget_schedule(output);
		if (server->session->active)
			mw_output_damage_all(output);
	}
}

void mw_output_send_frame(mw_output *output) {
	mw_output_forget_schedule(output);
	if (!mw_output_shows(output))
		return;
	mw_server *server = output->server;
	uint64_t callbacks = server->statistics.frame_callbacks;
	output->last_frame = mw_now();
	server->statistics.frame_events++;
	output->in_frame = true;
	server->on.output_frame(server->on.user, output, output->last_frame);
	output->in_frame = false;
	/* Nothing was painted, and no client waited for this frame. A client that draws just after it would wait for a
	 * whole refresh, so come back earlier. An eighth of the period limits the processor time for a client that
	 * keeps requesting such frames. */
	if (!output->wlr->frame_pending && !output->scheduled && server->statistics.frame_callbacks == callbacks)
		output->last_frame -= mw_output_period(output) / 8 * 7;
}

static void on_frame_idle(void *data) {
	mw_output *output = data;
	output->frame_idle = NULL;
	if (output->wlr->frame_pending)
		return; /* committed in the meantime, so the backend will signal the next frame */
	mw_output_send_frame(output);
}

static void on_frame_timer(void *data, int32_t events) {
	(void)events;
	mw_output *output = data;
	if (output->scheduled && !output->wlr->frame_pending)
		mw_output_send_frame(output);
}

void mw_output_schedule(mw_output *output) {
	if (output->scheduled || !mw_output_shows(output))
		return;
	output->scheduled = true;
	if (output->wlr->frame_pending)
		return;
	int64_t next = output->last_frame + mw_output_period(output);
	/* Use a timer if this frame took longer than a period: libwayland runs idle sources until there are none, so
	 * one would start the next frame before any client is served. */
	if (mw_now() >= next && !(output->in_frame && output->frame_timer != NULL))
		output->frame_idle = wl_event_loop_add_idle(output->server->loop, on_frame_idle, output);
	else if (output->frame_timer != NULL)
		mw_arm(output->frame_timer, next);
}

static void on_frame(struct wl_listener *listener, void *data) {
	(void)data;
	mw_output *output = wl_container_of(listener, output, frame);
	if (output->scheduled || output->wlr->needs_frame)
		mw_output_send_frame(output);
	else
		/* The screen took the last frame, so the next one may be drawn at any time. That it was drawn late in its
		 * refresh does not matter, because the screen asks once per refresh. */
		output->last_frame -= mw_output_period(output);
}

/* Something else wants a commit: screen copies, the cursor plane, the backend. */
static void on_needs_frame(struct wl_listener *listener, void *data) {
	(void)data;
	mw_output *output = wl_container_of(listener, output, needs_frame);
	mw_output_schedule(output);
}

/* ---- events ---- */

static void on_damage(struct wl_listener *listener, void *data) {
	mw_output *output = wl_container_of(listener, output, damage);
	struct wlr_output_event_damage *event = data;
	pixman_region32_t *pending = &output->draw->damage;
	/* The damage is in screen orientation (whatever the header says). Ours is in buffer pixels. */
	pixman_region32_t region;
	pixman_region32_init(&region);
	int width, height;
	wlr_output_transformed_resolution(output->wlr, &width, &height);
	wlr_region_transform(&region, event->damage, wlr_output_transform_invert(output->wlr->transform), width, height);
	pixman_region32_union(pending, pending, &region);
	pixman_region32_fini(&region);
	mw_output_schedule(output);
}

static void on_commit(struct wl_listener *listener, void *data) {
	mw_output *output = wl_container_of(listener, output, commit);
	struct wlr_output_event_commit *event = data;
#if WLR18
	uint32_t committed = event->state->committed;
#else
	uint32_t committed = event->committed;
#endif
	if (committed & (WLR_OUTPUT_STATE_MODE | WLR_OUTPUT_STATE_SCALE | WLR_OUTPUT_STATE_TRANSFORM)) {
		mw_output_report(output);
		if (output->announced)
			output->server->on.screens_changed(output->server->on.user);
	}
}

#if WLR18
/* The parent compositor or X server resized the window. */
static void on_request_state(struct wl_listener *listener, void *data) {
	mw_output *output = wl_container_of(listener, output, request_state);
	const struct wlr_output_event_request_state *event = data;
	if (output->wlr->enabled) {
		wlr_output_commit_state(output->wlr, event->state);
	} else if (event->state->committed & WLR_OUTPUT_STATE_MODE) {
		/* The request came while the window was being opened. It is applied as soon as the window exists. */
		output->asked_width = event->state->custom_mode.width;
		output->asked_height = event->state->custom_mode.height;
	}
}
#else
static void on_mode(struct wl_listener *listener, void *data) {
	(void)data;
	mw_output *output = wl_container_of(listener, output, mode);
	/* In a commit the new mode comes before the new scale and rotation. Clients hear of all of it once. */
	if (!output->changing)
		mw_output_report(output);
}
#endif

static void output_free(mw_output *output) {
	mw_output_forget_schedule(output);
	mw_remove_source(output->frame_timer);
	struct wl_listener *listeners[] = {
		&output->frame,			&output->needs_frame, &output->damage,	&output->commit,
		&output->request_state, &output->mode,		  &output->destroy, &output->lock_surface_destroy,
	};
	for (size_t i = 0; i < MW_COUNT(listeners); i++)
		mw_unlisten(listeners[i]);
	wl_list_remove(&output->link);
	mw_draw_state_finish(output);
	free(output);
}

static bool bring_up(mw_output *output) {
	mw_server *server = output->server;
	if (!server->on.output_lit(server->on.user, output)) {
		wlr_log(WLR_ERROR, "output %s accepts none of its modes", output->wlr->name);
		return false;
	}
	wlr_output_layout_add_auto(server->layout, output->wlr);
	mw_output_info(output, &output->told);
	output->announced = true;
	/* The output that is shown comes first, in whatever order they were added. */
	wl_list_remove(&output->link);
	wl_list_insert(&server->outputs, &output->link);
	mw_seat_new_output(output->server);
	server->on.output_added(server->on.user, output, &output->told);
	server->on.screens_changed(server->on.user);
	mw_output_schedule(output);
	return true;
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_output *output = wl_container_of(listener, output, destroy);
	mw_server *server = output->server;
	bool shown = output->announced;
	mw_layers_output_gone(output);
	mw_lock_output_gone(output);
	mw_protocols_output_gone(server, output->wlr);
	if (shown)
		server->on.output_removed(server->on.user, output);
	output_free(output);
	/* An output that was dark until now takes its place. */
	if (shown && !server->destroying) {
		wl_list_for_each(output, &server->outputs, link) {
			if (bring_up(output))
				break;
		}
	}
	server->on.screens_changed(server->on.user);
	mw_lock_screen_changed(server);
}

static void on_new_output(struct wl_listener *listener, void *data) {
	mw_server *server = wl_container_of(listener, server, new_output);
	struct wlr_output *wlr = data;
	if (wlr->non_desktop)
		return;
	if (!wlr_output_init_render(wlr, server->allocator, server->renderer)) {
		wlr_log(WLR_ERROR, "output %s: the renderer cannot draw for it", wlr->name);
		return;
	}
	mw_output *output = calloc(1, sizeof(*output));
	if (output == NULL)
		return;
	output->server = server;
	output->wlr = wlr;
	wlr->data = output;
	wl_list_insert(server->outputs.prev, &output->link);
	output->frame_timer = mw_add_timer(server, on_frame_timer, output);
	mw_draw_state_init(output);
	mw_listen(&wlr->events.destroy, &output->destroy, on_destroy);
	mw_listen(&wlr->events.frame, &output->frame, on_frame);
	mw_listen(&wlr->events.needs_frame, &output->needs_frame, on_needs_frame);
	mw_listen(&wlr->events.damage, &output->damage, on_damage);
	mw_listen(&wlr->events.commit, &output->commit, on_commit);
#if WLR18
	mw_listen(&wlr->events.request_state, &output->request_state, on_request_state);
#else
	mw_listen(&wlr->events.mode, &output->mode, on_mode);
#endif
	if (mw_output_first(server)->announced) {
		wlr_log(WLR_INFO, "output %s stays dark: only the first output is used", wlr->name);
		return;
	}
	if (!bring_up(output))
		output_free(output);
}

void mw_outputs_init(mw_server *server) {
	wlr_xdg_output_manager_v1_create(server->display, server->layout);
	mw_listen(&server->backend->events.new_output, &server->new_output, on_new_output);
}

void mw_outputs_finish(mw_server *server) {
	mw_unlisten(&server->new_output);
	mw_output *output, *next;
	wl_list_for_each_safe(output, next, &server->outputs, link) output_free(output);
}
