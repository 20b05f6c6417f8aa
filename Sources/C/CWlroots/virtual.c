/* C until outputs move to Swift: wlroots embeds its structs and calls it in each frame. */
/*
 * A headless output.
 *
 * wlroots' own headless backend cannot be used. On 0.15 its timer runs all the time, 62 times a second, whether
 * anything is drawn or not, and presentation feedback gets the time of the commit. Here, a virtual clock counts
 * exact refreshes. Only a commit arms the timer, for the next refresh of that clock. Then the commit is reported
 * as presented, and the next frame is requested. Without commits, nothing wakes the process.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <wlr/backend/interface.h>
#include <wlr/interfaces/wlr_output.h>

#define NS_PER_S 1000000000LL
#define DEFAULT_REFRESH_MHZ 60000

struct virtual_backend {
	struct wlr_backend base;
	struct wl_display *display;
	struct wl_list outputs;
	unsigned last_number;
	bool started;
};

struct virtual_output {
	struct wlr_output base;
	struct virtual_backend *backend;
	struct wl_list link;
	owned_fd clock;
	struct wl_event_source *timer;
	int64_t origin; /* start of the refresh clock */
	int64_t period;
	int64_t due;		 /* the refresh that the timer is armed for; 0: not armed */
	uint32_t commit_seq; /* to be reported as presented at `due` */
	uint16_t top[3];	 /* the last entries of the gamma ramps */
};

static const struct wlr_output_impl output_impl;
static const struct wlr_backend_impl backend_impl;

static struct virtual_output *from_output(struct wlr_output *output) { return (struct virtual_output *)output; }

bool mw_output_is_virtual(struct wlr_output *output) { return output->impl == &output_impl; }

static int64_t period_of(int32_t refresh_mhz) { return NS_PER_S * 1000 / (refresh_mhz > 0 ? refresh_mhz : DEFAULT_REFRESH_MHZ); }

/* ---- the clock ---- */

static void arm(struct virtual_output *output) {
	int64_t now = mw_now();
	int64_t passed = (now - output->origin) / output->period;
	output->due = output->origin + (passed + 1) * output->period;
	struct itimerspec spec = {
		.it_value = {.tv_sec = output->due / NS_PER_S, .tv_nsec = output->due % NS_PER_S},
	};
	timerfd_settime(owned_fd_number(output->clock), TFD_TIMER_ABSTIME, &spec, NULL);
}

static int on_timer(int fd, uint32_t mask, void *data) {
	(void)mask;
	struct virtual_output *output = data;
	uint64_t times;
	if (read(fd, &times, sizeof(times)) != sizeof(times) || output->due == 0)
		return 0;
	struct timespec when = {.tv_sec = output->due / NS_PER_S, .tv_nsec = output->due % NS_PER_S};
	struct wlr_output_event_present event = {
		.commit_seq = output->commit_seq,
		.presented = true,
		.when = &when,
		.seq = (unsigned)((output->due - output->origin) / output->period),
		.refresh = (int)output->period,
		.flags = WLR_OUTPUT_PRESENT_VSYNC,
	};
	output->due = 0;
	wlr_output_send_present(&output->base, &event);
	wlr_output_send_frame(&output->base);
	return 0;
}

/* ---- output ---- */

static const uint32_t supported_state = WLR_OUTPUT_STATE_BACKEND_OPTIONAL | WLR_OUTPUT_STATE_BUFFER | WLR_OUTPUT_STATE_ENABLED |
										WLR_OUTPUT_STATE_MODE | WLR_OUTPUT_STATE_GAMMA_LUT;

static bool state_is_possible(const struct wlr_output_state *state) {
	if ((state->committed & ~supported_state) != 0)
		return false;
	return !(state->committed & WLR_OUTPUT_STATE_MODE) || state->mode_type == WLR_OUTPUT_STATE_MODE_CUSTOM;
}

/* An output that is none has no colours to be seen. Tests ask for ramps, and read the last entries of them. */
#define GAMMA_SIZE 256

static size_t gamma_size(struct wlr_output *output) {
	(void)output;
	return getenv("MULLION_VIRTUAL_GAMMA") != NULL ? GAMMA_SIZE : 0;
}

bool mw_virtual_output_gamma(struct wlr_output *wlr, uint16_t top[3]) {
	if (!mw_output_is_virtual(wlr))
		return false;
	memcpy(top, from_output(wlr)->top, sizeof(from_output(wlr)->top));
	return true;
}

static bool commit(struct virtual_output *output, const struct wlr_output_state *state) {
	if (!state_is_possible(state))
		return false;
	if (state->committed & WLR_OUTPUT_STATE_GAMMA_LUT) {
		for (size_t i = 0; i < 3; i++)
			output->top[i] = state->gamma_lut_size > 0 ? state->gamma_lut[(i + 1) * state->gamma_lut_size - 1] : UINT16_MAX;
	}
	if (state->committed & WLR_OUTPUT_STATE_MODE) {
		int32_t refresh = state->custom_mode.refresh > 0 ? state->custom_mode.refresh : DEFAULT_REFRESH_MHZ;
		output->period = period_of(refresh);
		output->origin = mw_now();
#if !WLR18
		wlr_output_update_custom_mode(&output->base, state->custom_mode.width, state->custom_mode.height, refresh);
#endif
	}
#if !WLR18
	if (state->committed & WLR_OUTPUT_STATE_ENABLED)
		wlr_output_update_enabled(&output->base, state->enabled);
#endif
	/* 0.18 expects a frame event after every commit of an enabled output, whether it contained a buffer or not. */
	bool answered = (state->committed & WLR_OUTPUT_STATE_BUFFER) != 0;
#if WLR18
	bool on = state->committed & WLR_OUTPUT_STATE_ENABLED ? state->enabled : output->base.enabled;
	answered = answered || (on && output->due == 0);
#endif
	if (answered) {
		output->commit_seq = output->base.commit_seq + 1;
		arm(output);
	}
	return true;
}

#if WLR18
static bool output_test(struct wlr_output *output, const struct wlr_output_state *state) {
	(void)output;
	return state_is_possible(state);
}

static bool output_commit(struct wlr_output *output, const struct wlr_output_state *state) { return commit(from_output(output), state); }
#else
static bool output_test(struct wlr_output *output) { return state_is_possible(&output->pending); }

static bool output_commit(struct wlr_output *output) { return commit(from_output(output), &output->pending); }
#endif

static void output_destroy(struct wlr_output *base) {
	struct virtual_output *output = from_output(base);
	wl_list_remove(&output->link);
	if (output->timer != NULL)
		wl_event_source_remove(output->timer);
	owned_fd_close(&output->clock);
	free(output);
}

static const struct wlr_output_impl output_impl = {
	.destroy = output_destroy,
	.test = output_test,
	.commit = output_commit,
	.get_gamma_size = gamma_size,
};

static void announce(struct virtual_output *output) {
#if !WLR18
	wlr_output_update_enabled(&output->base, true);
#endif
	wl_signal_emit(&output->backend->base.events.new_output, &output->base);
}

struct wlr_output *mw_virtual_output_add(struct wlr_backend *base, int32_t width, int32_t height, int32_t refresh_mhz) {
	struct virtual_backend *backend = (struct virtual_backend *)base;
	struct virtual_output *output = calloc(1, sizeof(*output));
	if (output == NULL)
		return NULL;
	output->backend = backend;
	memset(output->top, 0xff, sizeof(output->top));
	if (refresh_mhz <= 0)
		refresh_mhz = DEFAULT_REFRESH_MHZ;
	output->period = period_of(refresh_mhz);
	output->origin = mw_now();
	struct wl_event_loop *loop = wl_display_get_event_loop(backend->display);
	output->clock = owned_fd_take(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "refreshes of a headless output");
	if (!owned_fd_is_open(output->clock)) {
		free(output);
		return NULL;
	}
#if WLR18
	struct wlr_output_state state;
	wlr_output_state_init(&state);
	wlr_output_state_set_custom_mode(&state, width, height, refresh_mhz);
	wlr_output_init(&output->base, base, &output_impl, loop, &state);
	wlr_output_state_finish(&state);
#else
	wlr_output_init(&output->base, base, &output_impl, backend->display);
	wlr_output_update_custom_mode(&output->base, width, height, refresh_mhz);
	snprintf(output->base.make, sizeof(output->base.make), "Mullion");
	snprintf(output->base.model, sizeof(output->base.model), "headless");
#endif
	output->timer = wl_event_loop_add_fd(loop, owned_fd_number(output->clock), WL_EVENT_READABLE, on_timer, output);
	char name[32];
	snprintf(name, sizeof(name), "HEADLESS-%u", ++backend->last_number);
	wlr_output_set_name(&output->base, name);
	wlr_output_set_description(&output->base, "Headless output");
	wl_list_insert(backend->outputs.prev, &output->link);
	if (backend->started)
		announce(output);
	return &output->base;
}

/* ---- backend ---- */

static bool backend_start(struct wlr_backend *base) {
	struct virtual_backend *backend = (struct virtual_backend *)base;
	backend->started = true;
	struct virtual_output *output, *next;
	wl_list_for_each_safe(output, next, &backend->outputs, link) announce(output);
	return true;
}

static void backend_destroy(struct wlr_backend *base) {
	struct virtual_backend *backend = (struct virtual_backend *)base;
	struct virtual_output *output, *next;
	wl_list_for_each_safe(output, next, &backend->outputs, link) wlr_output_destroy(&output->base);
	wlr_backend_finish(base);
	free(backend);
}

static uint32_t backend_buffer_caps(struct wlr_backend *base) {
	(void)base;
	return WLR_BUFFER_CAP_DATA_PTR | WLR_BUFFER_CAP_DMABUF | WLR_BUFFER_CAP_SHM;
}

static const struct wlr_backend_impl backend_impl = {
	.start = backend_start,
	.destroy = backend_destroy,
	.get_buffer_caps = backend_buffer_caps,
};

struct wlr_backend *mw_virtual_backend_create(struct wl_display *display) {
	struct virtual_backend *backend = calloc(1, sizeof(*backend));
	if (backend == NULL)
		return NULL;
	wlr_backend_init(&backend->base, &backend_impl);
	backend->display = display;
	wl_list_init(&backend->outputs);
	return &backend->base;
}
