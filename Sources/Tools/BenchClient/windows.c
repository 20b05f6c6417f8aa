#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "client.h"

static void buffer_release(void *data, struct wl_buffer *buffer) {
	struct window *window = data;
	for (int i = 0; i < BUFFERS; i++) {
		if (window->buffers[i].wl == buffer) {
			window->buffers[i].is_busy = false;
		}
	}
}

static const struct wl_buffer_listener buffer_listener = {.release = buffer_release};

static void make_buffer(struct client *client, struct window *window, int index) {
	int fd = memfd_create("bench", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)window->bytes) != 0) {
		fail("no memory for a buffer");
	}
	void *pixels = mmap(NULL, window->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pixels == MAP_FAILED) {
		fail("no memory for a buffer");
	}
	struct wl_shm_pool *pool = wl_shm_create_pool(client->shm, fd, (int32_t)window->bytes);
	window->buffers[index].wl = wl_shm_pool_create_buffer(
		pool, 0, window->width, window->height, window->width * 4, WL_SHM_FORMAT_XRGB8888);
	wl_buffer_add_listener(window->buffers[index].wl, &buffer_listener, window);
	window->buffers[index].pixels = pixels;
	wl_shm_pool_destroy(pool);
	close(fd);
}

bool window_paint(struct client *client, struct window *window) {
	for (int i = 0; i < BUFFERS; i++) {
		if (window->buffers[i].is_busy) {
			continue;
		}
		// The second buffer is made when it is needed, so that a window at rest has one.
		if (!window->buffers[i].wl) {
			make_buffer(client, window, i);
		}
		memset(window->buffers[i].pixels, client->shade++, window->bytes);
		window->buffers[i].is_busy = true;
		wl_surface_attach(window->surface, window->buffers[i].wl, 0, 0);
		wl_surface_damage_buffer(window->surface, 0, 0, window->width, window->height);
		return true;
	}
	return false;
}

static void frame_done(void *data, struct wl_callback *callback, uint32_t time) {
	(void)time;
	struct window *window = data;
	struct client *client = wl_surface_get_user_data(window->surface);
	wl_callback_destroy(callback);
	window->frame = NULL;
	window->frames++;
	window->last_frame = now_ns();
	if (client->is_animating) {
		window_ask_frame(client, window);
		window_paint(client, window);
		wl_surface_commit(window->surface);
	}
}

static const struct wl_callback_listener frame_listener = {.done = frame_done};

void window_ask_frame(struct client *client, struct window *window) {
	(void)client;
	if (!window->frame) {
		window->frame = wl_surface_frame(window->surface);
		wl_callback_add_listener(window->frame, &frame_listener, window);
	}
}

static void toplevel_configure(
		void *data, struct xdg_toplevel *toplevel, int32_t width, int32_t height, struct wl_array *states) {
	(void)toplevel;
	(void)states;
	struct window *window = data;
	// The first size holds: a later one would make another buffer in the middle of a measurement. A window that is not
	// full-screen keeps its own, or painting larger ones would be the most of what is measured under who enlarges it.
	if (window->is_fullscreen && !window->is_configured && width > 0 && height > 0) {
		window->width = width;
		window->height = height;
	}
}

static void toplevel_close(void *data, struct xdg_toplevel *toplevel) {
	(void)data;
	(void)toplevel;
}

// A client of version 1 of the protocol hears no more than these two.
static const struct xdg_toplevel_listener toplevel_listener = {
	.configure = toplevel_configure,
	.close = toplevel_close,
};

static void surface_configure(void *data, struct xdg_surface *xdg_surface, uint32_t serial) {
	struct window *window = data;
	struct client *client = wl_surface_get_user_data(window->surface);
	xdg_surface_ack_configure(xdg_surface, serial);
	if (!window->is_configured) {
		window->is_configured = true;
		window->bytes = (size_t)window->width * (size_t)window->height * 4;
		xdg_surface_set_window_geometry(xdg_surface, 0, 0, window->width, window->height);
		window_ask_frame(client, window);
		window_paint(client, window);
	}
	wl_surface_commit(window->surface);
}

static const struct xdg_surface_listener surface_listener = {.configure = surface_configure};

void windows_open(struct client *client, int count, bool is_fullscreen, int width, int height) {
	int first = client->count;
	for (int i = 0; i < count && client->count < WINDOWS_MAX; i++) {
		struct window *window = calloc(1, sizeof(*window));
		if (!window) {
			fail("no memory");
		}
		window->width = width;
		window->height = height;
		window->is_fullscreen = is_fullscreen;
		window->surface = wl_compositor_create_surface(client->compositor);
		wl_surface_set_user_data(window->surface, client);
		window->xdg_surface = xdg_wm_base_get_xdg_surface(client->wm_base, window->surface);
		xdg_surface_add_listener(window->xdg_surface, &surface_listener, window);
		window->toplevel = xdg_surface_get_toplevel(window->xdg_surface);
		xdg_toplevel_add_listener(window->toplevel, &toplevel_listener, window);
		xdg_toplevel_set_title(window->toplevel, "bench");
		xdg_toplevel_set_app_id(window->toplevel, "bench");
		if (is_fullscreen) {
			xdg_toplevel_set_fullscreen(window->toplevel, NULL);
		}
		wl_surface_commit(window->surface);
		client->windows[client->count++] = window;
	}
	for (int i = first; i < client->count; i++) {
		if (!wait_for(client, &client->windows[i]->is_configured, 10)) {
			fail("a window was not configured");
		}
	}
	wl_display_roundtrip(client->display);
}

void windows_close(struct client *client) {
	for (int i = 0; i < client->count; i++) {
		struct window *window = client->windows[i];
		if (window->frame) {
			wl_callback_destroy(window->frame);
		}
		xdg_toplevel_destroy(window->toplevel);
		xdg_surface_destroy(window->xdg_surface);
		wl_surface_destroy(window->surface);
		for (int b = 0; b < BUFFERS; b++) {
			if (window->buffers[b].wl) {
				wl_buffer_destroy(window->buffers[b].wl);
				munmap(window->buffers[b].pixels, window->bytes);
			}
		}
		free(window);
	}
	client->count = 0;
	wl_display_roundtrip(client->display);
}

struct window *window_in_sight(struct client *client) {
	struct window *newest = NULL;
	for (int i = 0; i < client->count; i++) {
		if (!newest || client->windows[i]->last_frame > newest->last_frame) {
			newest = client->windows[i];
		}
	}
	return newest;
}
