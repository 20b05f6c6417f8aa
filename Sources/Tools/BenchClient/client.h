// The client that `scripts/bench-peers` runs under every compositor alike. It takes one command a line on its
// standard input and answers each with one line of JSON.
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <wayland-client.h>

#include "presentation-time-client-protocol.h"
#include "wlr-virtual-pointer-unstable-v1-client-protocol.h"
#include "xdg-shell-client-protocol.h"

enum { WINDOWS_MAX = 128, SAMPLES_MAX = 4096, BUFFERS = 2 };

struct window {
	struct wl_surface *surface;
	struct xdg_surface *xdg_surface;
	struct xdg_toplevel *toplevel;
	struct wl_callback *frame;
	struct {
		struct wl_buffer *wl;
		uint32_t *pixels;
		bool is_busy;
	} buffers[BUFFERS];
	int width, height;
	size_t bytes;
	bool is_fullscreen, is_configured;
	uint32_t frames; // frame callbacks so far
	int64_t last_frame; // ns
};

struct client {
	struct wl_display *display;
	struct wl_compositor *compositor;
	struct wl_shm *shm;
	struct wl_seat *seat;
	struct xdg_wm_base *wm_base;
	struct wp_presentation *presentation;
	uint32_t presentation_clock;
	struct zwlr_virtual_pointer_manager_v1 *pointers;
	uint32_t globals;
	bool is_animating;
	uint8_t shade;
	struct window *windows[WINDOWS_MAX];
	int count;
};

int64_t now_ns(void);
void fail(const char *what);
// Waits for events until `*flag` is set or `seconds` are over.
bool wait_for(struct client *client, const bool *flag, double seconds);
void wait_seconds(struct client *client, double seconds);
// Waits until the window has had more frame callbacks than these. False: it took longer than `seconds`.
bool wait_frames(struct client *client, struct window *window, uint32_t more_than, double seconds);

// Maps `count` windows, full-screen or as large as they are made here whatever they are told, and returns when each has been configured and has had its first commit answered by a sync.
void windows_open(struct client *client, int count, bool is_fullscreen, int width, int height);
void windows_close(struct client *client);
// The window that had the newest frame callback: the one in sight.
struct window *window_in_sight(struct client *client);
// Paints a whole buffer that the compositor does not hold and attaches it. False: it holds all.
bool window_paint(struct client *client, struct window *window);
void window_ask_frame(struct client *client, struct window *window);

void measure_latency(struct client *client, int count, bool pauses);
void measure_throughput(struct client *client, double seconds);

#endif
