/*
 * output-management and output-power-management: other programs say what the screen should be like. The wish is handed
 * to the handlers, and the client is told what came of it.
 */
#include "internal.h"

#include <stdlib.h>
#include <wlr/types/wlr_output_management_v1.h>
#include <wlr/types/wlr_output_power_management_v1.h>

struct mw_screens {
	mw_server *server;
	struct wlr_output_manager_v1 *manager;
	struct wl_list waiting;              /* struct wish */
	uint32_t last;
	struct wl_listener apply, test, set_power;
};

struct wish {
	struct wl_list link;
	uint32_t request;
	struct wlr_output_configuration_v1 *configuration;
};

/* ---- what is there ---- */

void mw_screens_publish(mw_server *server) {
	struct mw_screens *screens = server->screens;
	if (screens == NULL || server->destroying)
		return;
	struct wlr_output_configuration_v1 *configuration = wlr_output_configuration_v1_create();
	if (configuration == NULL)
		return;
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		struct wlr_output_configuration_head_v1 *head = wlr_output_configuration_head_v1_create(configuration, output->wlr);
		if (head == NULL)
			break;
		/* One whose power is off is still part of the desktop. */
		head->state.enabled = output->announced;
		head->state.x = head->state.y = 0;
	}
	wlr_output_manager_v1_set_configuration(screens->manager, configuration);
}

/* ---- wishes ---- */

static void finish(struct wlr_output_configuration_v1 *configuration, bool ok) {
	if (ok)
		wlr_output_configuration_v1_send_succeeded(configuration);
	else
		wlr_output_configuration_v1_send_failed(configuration);
	wlr_output_configuration_v1_destroy(configuration);
}

void mw_screen_answer(mw_server *server, uint32_t request, bool ok) {
	struct wish *wish, *next;
	wl_list_for_each_safe(wish, next, &server->screens->waiting, link) {
		if (wish->request != request)
			continue;
		finish(wish->configuration, ok);
		wl_list_remove(&wish->link);
		free(wish);
	}
}

static bool same_sync(const struct wlr_output_head_v1_state *state) {
#if WLR18
	return state->adaptive_sync_enabled == (state->output->adaptive_sync_status == WLR_OUTPUT_ADAPTIVE_SYNC_ENABLED);
#else
	(void)state;
	return true;
#endif
}

/* The one screen that is shown can be changed; it lies at the origin, and there is always one. */
static bool read_wish(mw_server *server, struct wlr_output_configuration_v1 *configuration, struct mw_screen_wish *out) {
	mw_output *first = mw_output_first(server);
	bool found = false;
	struct wlr_output_configuration_head_v1 *head;
	wl_list_for_each(head, &configuration->heads, link) {
		const struct wlr_output_head_v1_state *state = &head->state;
		if (first == NULL || state->output != first->wlr || !state->enabled || state->x != 0 || state->y != 0 || !same_sync(state))
			return false;
		found = true;
		*out = (struct mw_screen_wish){
			.width = state->mode != NULL ? state->mode->width : state->custom_mode.width,
			.height = state->mode != NULL ? state->mode->height : state->custom_mode.height,
			.refresh_mhz = state->mode != NULL ? state->mode->refresh : state->custom_mode.refresh,
			.scale = (double)state->scale,
			.transform = (int32_t)state->transform,
		};
	}
	return found;
}

static void ask(struct mw_screens *screens, struct wlr_output_configuration_v1 *configuration, bool test) {
	mw_server *server = screens->server;
	struct mw_screen_wish wanted;
	struct wish *wish = read_wish(server, configuration, &wanted) ? calloc(1, sizeof(*wish)) : NULL;
	if (wish == NULL) {
		finish(configuration, false);
		return;
	}
	wish->request = ++screens->last;
	wish->configuration = configuration;
	wl_list_insert(&screens->waiting, &wish->link);
	server->on.screen_requested(server->on.user, mw_output_first(server), wish->request, &wanted, test);
}

static void on_apply(struct wl_listener *listener, void *data) {
	struct mw_screens *screens = wl_container_of(listener, screens, apply);
	ask(screens, data, false);
}

static void on_test(struct wl_listener *listener, void *data) {
	struct mw_screens *screens = wl_container_of(listener, screens, test);
	ask(screens, data, true);
}

/* ---- power ---- */

static void on_set_power(struct wl_listener *listener, void *data) {
	struct mw_screens *screens = wl_container_of(listener, screens, set_power);
	struct wlr_output_power_v1_set_mode_event *event = data;
	mw_output *output = mw_output_of(screens->server, event->output);
	if (output != NULL)
		mw_output_set_power(output, event->mode == ZWLR_OUTPUT_POWER_V1_MODE_ON);
}

/* ---- lifetime ---- */

bool mw_screens_init(mw_server *server) {
	struct mw_screens *screens = server->screens = calloc(1, sizeof(*screens));
	if (screens == NULL)
		return false;
	screens->server = server;
	wl_list_init(&screens->waiting);
	screens->manager = wlr_output_manager_v1_create(server->display);
	struct wlr_output_power_manager_v1 *power = wlr_output_power_manager_v1_create(server->display);
	if (screens->manager == NULL || power == NULL)
		return false;
	mw_listen(&screens->manager->events.apply, &screens->apply, on_apply);
	mw_listen(&screens->manager->events.test, &screens->test, on_test);
	mw_listen(&power->events.set_mode, &screens->set_power, on_set_power);
	return true;
}

void mw_screens_finish(mw_server *server) {
	struct mw_screens *screens = server->screens;
	if (screens == NULL)
		return;
	mw_unlisten(&screens->apply);
	mw_unlisten(&screens->test);
	mw_unlisten(&screens->set_power);
	struct wish *wish, *next;
	wl_list_for_each_safe(wish, next, &screens->waiting, link) {
		wlr_output_configuration_v1_destroy(wish->configuration);
		wl_list_remove(&wish->link);
		free(wish);
	}
	server->screens = NULL;
	free(screens);
}
