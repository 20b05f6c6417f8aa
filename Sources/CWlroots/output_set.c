/* Making an output what is wanted: its mode, scale, rotation and power, in the two ways that wlroots has known. */
#include "internal.h"

#include <stdlib.h>

/* What is to become of an output; fields of `state` that are not wanted stay unset. */
struct change {
	struct wlr_output *output;
#if WLR18
	struct wlr_output_state state;
#endif
};

static void change_begin(struct change *change, struct wlr_output *output) {
	change->output = output;
#if WLR18
	wlr_output_state_init(&change->state);
#endif
}

static bool change_commit(struct change *change) {
#if WLR18
	bool ok = wlr_output_commit_state(change->output, &change->state);
	wlr_output_state_finish(&change->state);
	return ok;
#else
	if (!wlr_output_test(change->output)) {
		wlr_output_rollback(change->output);
		return false;
	}
	return wlr_output_commit(change->output);
#endif
}

static void change_enabled(struct change *change, bool enabled) {
#if WLR18
	wlr_output_state_set_enabled(&change->state, enabled);
#else
	wlr_output_enable(change->output, enabled);
#endif
}

static void change_mode(struct change *change, struct wlr_output_mode *mode) {
#if WLR18
	wlr_output_state_set_mode(&change->state, mode);
#else
	wlr_output_set_mode(change->output, mode);
#endif
}

static void change_size(struct change *change, int32_t width, int32_t height, int32_t refresh) {
#if WLR18
	wlr_output_state_set_custom_mode(&change->state, width, height, refresh);
#else
	wlr_output_set_custom_mode(change->output, width, height, refresh);
#endif
}

static void change_scale(struct change *change, double scale) {
#if WLR18
	wlr_output_state_set_scale(&change->state, (float)scale);
#else
	wlr_output_set_scale(change->output, (float)scale);
#endif
}

static void change_transform(struct change *change, enum wl_output_transform transform) {
#if WLR18
	wlr_output_state_set_transform(&change->state, transform);
#else
	wlr_output_set_transform(change->output, transform);
#endif
}

/* Whether it could be committed; nothing of it stays. */
static bool change_test(struct change *change) {
#if WLR18
	bool ok = wlr_output_test_state(change->output, &change->state);
	wlr_output_state_finish(&change->state);
#else
	bool ok = wlr_output_test(change->output);
	wlr_output_rollback(change->output);
#endif
	return ok;
}

static void change_forget(struct change *change) {
#if WLR18
	wlr_output_state_finish(&change->state);
#else
	wlr_output_rollback(change->output);
#endif
}

/* The screen's own mode of that size, the nearest in refresh or the fastest; NULL if it has none. */
static struct wlr_output_mode *find_mode(struct wlr_output *wlr, int32_t width, int32_t height, int32_t refresh) {
	struct wlr_output_mode *mode, *best = NULL;
	wl_list_for_each(mode, &wlr->modes, link) {
		if (mode->width != width || mode->height != height)
			continue;
		if (best == NULL || (refresh > 0 ? abs(mode->refresh - refresh) < abs(best->refresh - refresh) : mode->refresh > best->refresh))
			best = mode;
	}
	return best;
}

static bool take_size(mw_output *output, struct change *change, const struct mw_screen_wish *wish) {
	struct wlr_output *wlr = output->wlr;
	bool resizes = wish->width != wlr->width || wish->height != wlr->height;
	bool paces = wish->refresh_mhz > 0 && wish->refresh_mhz != wlr->refresh;
	if (wish->width <= 0 || wish->height <= 0 || (!resizes && !paces))
		return true;
	struct wlr_output_mode *mode = find_mode(wlr, wish->width, wish->height, wish->refresh_mhz);
	struct mw_output_info info;
	mw_output_info(output, &info);
	if (mode != NULL) {
		change_mode(change, mode);
		return true;
	}
	if (!info.can_resize)
		return false;
	if (mw_output_is_virtual(wlr))
		change_size(change, wish->width, wish->height, wish->refresh_mhz > 0 ? wish->refresh_mhz : info.refresh_mhz);
	else if (resizes)
		change_size(change, wish->width, wish->height, 0);
	/* The parent of a nested output has its own pace. */
	return !paces || mw_output_is_virtual(wlr);
}

bool mw_output_set(mw_output *output, const struct mw_screen_wish *wish, bool test) {
	struct wlr_output *wlr = output->wlr;
	int32_t transform = wish->transform;
	if (transform < 0 || transform > WL_OUTPUT_TRANSFORM_FLIPPED_270 || !(wish->scale > 0 && wish->scale <= 16))
		return false;
	struct change change;
	change_begin(&change, wlr);
	if (!take_size(output, &change, wish)) {
		wlr_log(WLR_ERROR, "output %s has no mode of %dx%d", wlr->name, wish->width, wish->height);
		change_forget(&change);
		return false;
	}
	if (wish->scale != (double)wlr->scale)
		change_scale(&change, wish->scale);
	if (transform != (int32_t)wlr->transform)
		change_transform(&change, (enum wl_output_transform)transform);
	if (test)
		return change_test(&change);
	bool ok = change_commit(&change);
	mw_output_report(output);
	mw_output_schedule(output);
	return ok;
}

bool mw_output_configure(mw_output *output, int32_t width, int32_t height, double scale, int32_t transform) {
	/* The size is given as it is seen, so a mode is turned with the output. */
	struct mw_screen_wish wish = {
		.width = transform % 2 == 0 ? width : height, .height = transform % 2 == 0 ? height : width,
		.scale = scale, .transform = transform,
	};
	return mw_output_set(output, &wish, false);
}

bool mw_output_is_on(mw_output *output) {
	return output->wlr->enabled;
}

void mw_output_set_power(mw_output *output, bool on) {
	struct wlr_output *wlr = output->wlr;
	if (wlr->enabled == on)
		return;
	struct change change;
	change_begin(&change, wlr);
	change_enabled(&change, on);
	if (on && wlr->current_mode != NULL)
		change_mode(&change, wlr->current_mode);
	if (!change_commit(&change)) {
		wlr_log(WLR_ERROR, "output %s cannot be switched %s", wlr->name, on ? "on" : "off");
		return;
	}
	if (on)
		mw_output_damage_all(output);
	else
		mw_output_forget_schedule(output);
	mw_lock_screen_changed(output->server);
}

/* ---- at its start ---- */

static bool switch_on(mw_output *output) {
	mw_server *server = output->server;
	struct wlr_output *wlr = output->wlr;
	struct change change;
	change_begin(&change, wlr);
	change_enabled(&change, true);
	bool nested = server->options.backend == MW_BACKEND_WAYLAND || server->options.backend == MW_BACKEND_X11;
	struct wlr_output_mode *mode = wlr_output_preferred_mode(wlr);
	if (nested && server->options.width > 0 && server->options.height > 0)
		change_size(&change, server->options.width, server->options.height, 0);
	else if (mode != NULL)
		change_mode(&change, mode);
	if (server->options.scale != (double)wlr->scale)
		change_scale(&change, server->options.scale);
	if (change_commit(&change))
		return true;
	/* A screen may refuse its preferred mode; any it takes is better than none. */
	wl_list_for_each(mode, &wlr->modes, link) {
		change_begin(&change, wlr);
		change_enabled(&change, true);
		change_mode(&change, mode);
		change_scale(&change, server->options.scale);
		if (change_commit(&change))
			return true;
	}
	return false;
}

bool mw_output_light_up(mw_output *output) {
	if (!switch_on(output))
		return false;
	if (output->asked_width > 0 && output->asked_height > 0) {
		struct change change;
		change_begin(&change, output->wlr);
		change_size(&change, output->asked_width, output->asked_height, 0);
		change_commit(&change);
	}
	return true;
}
