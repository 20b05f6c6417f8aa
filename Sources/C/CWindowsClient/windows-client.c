/* C, because the tables of a Wayland protocol are C, and the kit needs them under names of its own. */
#include "windows-client.h"

#include <stdlib.h>
#include <string.h>

#define mullion_window_manager_v1_interface kit_window_manager_v1_interface
#define mullion_window_v1_interface kit_window_v1_interface
/* Only its address is needed, and apps have a table of xdg-shell of their own. */
#define xdg_toplevel_interface kit_xdg_toplevel_interface
#include "protocol/mullion-windows-v1-protocol.c"

const struct wl_interface kit_xdg_toplevel_interface = {.name = "xdg_toplevel", .version = 1};

/* ---- The manager. ---- */

struct manager_calls {
	kit_flags_callback flags;
	void *data;
};

static void capabilities(void *data, struct mullion_window_manager_v1 *manager, uint32_t flags) {
	(void)manager;
	struct manager_calls *calls = data;
	calls->flags(calls->data, flags);
}

static const struct mullion_window_manager_v1_listener manager_listener = {.capabilities = capabilities};

struct found {
	uint32_t name, version;
};

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	(void)registry;
	struct found *found = data;
	if (strcmp(interface, "mullion_window_manager_v1") == 0) *found = (struct found){.name = name, .version = version};
}

static void global_remove(void *data, struct wl_registry *registry, uint32_t name) { (void)data, (void)registry, (void)name; }

static const struct wl_registry_listener registry_listener = {.global = global, .global_remove = global_remove};

struct mullion_window_manager_v1 *kit_windows_manager(struct wl_display *display, kit_flags_callback flags, void *data) {
	/* A queue of its own, so that waiting dispatches nothing of the toolkit's. */
	struct wl_event_queue *queue = wl_display_create_queue(display);
	struct wl_display *wrapper = queue != NULL ? wl_proxy_create_wrapper(display) : NULL;
	struct manager_calls *calls = calloc(1, sizeof(*calls));
	struct mullion_window_manager_v1 *manager = NULL;
	struct wl_registry *registry = NULL;
	if (wrapper == NULL || calls == NULL) goto out;
	*calls = (struct manager_calls){.flags = flags, .data = data};
	wl_proxy_set_queue((struct wl_proxy *)wrapper, queue);
	registry = wl_display_get_registry(wrapper);
	if (registry == NULL) goto out;
	struct found found = {0};
	wl_registry_add_listener(registry, &registry_listener, &found);
	if (wl_display_roundtrip_queue(display, queue) < 0 || found.version == 0) goto out;
	manager = wl_registry_bind(
		registry, found.name, &mullion_window_manager_v1_interface, found.version < 2 ? found.version : 2);
	if (manager == NULL) goto out;
	mullion_window_manager_v1_add_listener(manager, &manager_listener, calls);
	calls = NULL; /* as long as the program */
	wl_display_roundtrip_queue(display, queue);
	wl_proxy_set_queue((struct wl_proxy *)manager, NULL);
out:
	free(calls);
	if (registry != NULL) wl_registry_destroy(registry);
	if (wrapper != NULL) wl_proxy_wrapper_destroy(wrapper);
	if (queue != NULL) wl_event_queue_destroy(queue);
	return manager;
}

/* ---- A window. ---- */

struct window_calls {
	kit_choice_callback answered;
	kit_pinch_callback pinched;
	void *data;
};

struct mullion_window_v1 *kit_window_of_surface(struct mullion_window_manager_v1 *manager, struct wl_surface *surface) {
	if (wl_proxy_get_version((struct wl_proxy *)manager) < 2) return NULL;
	return mullion_window_manager_v1_get_window_of_surface(manager, surface);
}

static void answered(void *data, struct mullion_window_v1 *window, uint32_t choice) {
	(void)window;
	struct window_calls *calls = data;
	calls->answered(calls->data, choice);
}

static void pinched(void *data, struct mullion_window_v1 *window, uint32_t id, const char *token) {
	(void)window;
	struct window_calls *calls = data;
	calls->pinched(calls->data, id, token);
}

static const struct mullion_window_v1_listener window_listener = {.answered = answered, .pinched = pinched};

void kit_window_listen(struct mullion_window_v1 *window, kit_choice_callback answer, kit_pinch_callback pinch, void *data) {
	struct window_calls *calls = calloc(1, sizeof(*calls));
	if (calls == NULL) return;
	*calls = (struct window_calls){.answered = answer, .pinched = pinch, .data = data};
	mullion_window_v1_add_listener(window, &window_listener, calls);
}

void kit_window_destroy(struct mullion_window_v1 *window) {
	free(mullion_window_v1_get_user_data(window));
	mullion_window_v1_destroy(window);
}
