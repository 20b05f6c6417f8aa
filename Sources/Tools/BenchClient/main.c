#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

int64_t now_ns(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void fail(const char *what) {
	fprintf(stderr, "bench client: %s\n", what);
	printf("{\"error\": \"%s\"}\n", what);
	exit(1);
}

// Sleeps until events arrive, or `also` becomes readable, or `timeout` ms are over; handles the events.
static bool turn(struct client *client, int also, int timeout) {
	while (wl_display_prepare_read(client->display) != 0) {
		wl_display_dispatch_pending(client->display);
	}
	wl_display_flush(client->display);
	struct pollfd fds[] = {
		{.fd = wl_display_get_fd(client->display), .events = POLLIN},
		{.fd = also, .events = POLLIN},
	};
	if (poll(fds, also < 0 ? 1 : 2, timeout) > 0 && fds[0].revents) {
		wl_display_read_events(client->display);
	} else {
		wl_display_cancel_read(client->display);
	}
	if (wl_display_dispatch_pending(client->display) < 0) {
		fail("the compositor ended the connection");
	}
	return also >= 0 && fds[1].revents;
}

static int milliseconds_until(int64_t end) {
	int64_t left = end - now_ns();
	return left <= 0 ? 0 : (int)((left + 999999) / 1000000);
}

bool wait_for(struct client *client, const bool *flag, double seconds) {
	int64_t end = now_ns() + (int64_t)(seconds * 1e9);
	while (!*flag && now_ns() < end) {
		turn(client, -1, milliseconds_until(end));
	}
	return *flag;
}

void wait_seconds(struct client *client, double seconds) {
	static const bool never = false;
	wait_for(client, &never, seconds);
}

bool wait_frames(struct client *client, struct window *window, uint32_t more_than, double seconds) {
	int64_t end = now_ns() + (int64_t)(seconds * 1e9);
	while (window->frames <= more_than && now_ns() < end) {
		turn(client, -1, milliseconds_until(end));
	}
	return window->frames > more_than;
}

// MARK: Globals

static void ping(void *data, struct xdg_wm_base *base, uint32_t serial) {
	(void)data;
	xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener base_listener = {.ping = ping};

static void clock_id(void *data, struct wp_presentation *presentation, uint32_t clock) {
	(void)presentation;
	((struct client *)data)->presentation_clock = clock;
}

static const struct wp_presentation_listener presentation_listener = {.clock_id = clock_id};

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	(void)version;
	struct client *client = data;
	client->globals++;
	if (strcmp(interface, wl_compositor_interface.name) == 0) {
		client->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
	} else if (strcmp(interface, wl_shm_interface.name) == 0) {
		client->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
	} else if (strcmp(interface, wl_seat_interface.name) == 0) {
		client->seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
	} else if (strcmp(interface, xdg_wm_base_interface.name) == 0) {
		client->wm_base = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
		xdg_wm_base_add_listener(client->wm_base, &base_listener, NULL);
	} else if (strcmp(interface, wp_presentation_interface.name) == 0) {
		client->presentation = wl_registry_bind(registry, name, &wp_presentation_interface, 1);
		wp_presentation_add_listener(client->presentation, &presentation_listener, client);
	} else if (strcmp(interface, zwlr_virtual_pointer_manager_v1_interface.name) == 0) {
		client->pointers = wl_registry_bind(registry, name, &zwlr_virtual_pointer_manager_v1_interface, 1);
	}
}

static void global_remove(void *data, struct wl_registry *registry, uint32_t name) {
	(void)data;
	(void)registry;
	(void)name;
}

static const struct wl_registry_listener registry_listener = {.global = global, .global_remove = global_remove};

// Tries the names a compositor would choose by itself, every 0.2 ms, so that it may be started after this program.
static struct wl_display *connect_to_first(void) {
	int64_t end = now_ns() + 20000000000;
	while (now_ns() < end) {
		for (int i = 0; i < 2; i++) {
			struct wl_display *display = wl_display_connect(i == 0 ? "wayland-0" : "wayland-1");
			if (display) {
				return display;
			}
		}
		usleep(200);
	}
	fail("no compositor");
	return NULL;
}

// MARK: Commands

static double cpu_seconds(void) {
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static void print_frames(struct client *client) {
	uint32_t all = 0;
	struct window *top = window_in_sight(client);
	for (int i = 0; i < client->count; i++) {
		all += client->windows[i]->frames;
	}
	printf("{\"all\": %u, \"top\": %u, \"at\": %lld, \"cpu\": %.6f}\n", all, top ? top->frames : 0, (long long)now_ns(),
		cpu_seconds());
}

static bool obey(struct client *client, const char *line) {
	int count, width, height;
	char shape[16];
	double seconds;
	if (sscanf(line, "open %d %15s %d %d", &count, shape, &width, &height) == 4) {
		int64_t begin = now_ns();
		int first = client->count;
		windows_open(client, count, strcmp(shape, "full") == 0, width, height);
		int64_t synced = now_ns();
		// What is in front has its first frame soon; windows behind may never have one.
		struct window *shown = client->windows[first];
		if (count == 1 && wait_frames(client, shown, 0, 5)) {
			printf("{\"ms\": %.3f, \"frame_at\": %lld, \"width\": %d, \"height\": %d}\n", (double)(synced - begin) / 1e6,
				(long long)shown->last_frame, shown->width, shown->height);
		} else {
			printf("{\"ms\": %.3f, \"frame_at\": null}\n", (double)(synced - begin) / 1e6);
		}
	} else if (strcmp(line, "close") == 0) {
		int64_t begin = now_ns();
		windows_close(client);
		printf("{\"ms\": %.3f}\n", (double)(now_ns() - begin) / 1e6);
	} else if (strcmp(line, "animate") == 0) {
		client->is_animating = true;
		for (int i = 0; i < client->count; i++) {
			window_ask_frame(client, client->windows[i]);
			window_paint(client, client->windows[i]);
			wl_surface_commit(client->windows[i]->surface);
		}
		printf("{}\n");
	} else if (strcmp(line, "rest") == 0) {
		client->is_animating = false;
		printf("{}\n");
	} else if (strcmp(line, "frames") == 0) {
		print_frames(client);
	} else if (sscanf(line, "latency %d %15s", &count, shape) == 2) {
		measure_latency(client, count, strcmp(shape, "pauses") == 0);
	} else if (sscanf(line, "throughput %lf", &seconds) == 1) {
		measure_throughput(client, seconds);
	} else if (strcmp(line, "quit") == 0) {
		return false;
	} else {
		fail("unknown command");
	}
	return true;
}

int main(void) {
	setvbuf(stdout, NULL, _IOLBF, 0);
	struct client client = {.display = connect_to_first()};
	struct wl_registry *registry = wl_display_get_registry(client.display);
	wl_registry_add_listener(registry, &registry_listener, &client);
	wl_display_roundtrip(client.display);
	printf("{\"registry_at\": %lld, \"globals\": %u}\n", (long long)now_ns(), client.globals);
	if (!client.compositor || !client.shm || !client.wm_base) {
		fail("wl_compositor, wl_shm or xdg_wm_base is missing");
	}
	// A pointer keeps compositors from showing a client's full-screen buffer as it is: all have to draw.
	if (client.pointers) {
		struct zwlr_virtual_pointer_v1 *pointer =
			zwlr_virtual_pointer_manager_v1_create_virtual_pointer(client.pointers, client.seat);
		zwlr_virtual_pointer_v1_motion_absolute(pointer, 0, 1, 1, 2, 2);
		zwlr_virtual_pointer_v1_frame(pointer);
	}
	char line[256];
	size_t length = 0;
	while (true) {
		if (!turn(&client, STDIN_FILENO, -1)) {
			continue;
		}
		char byte;
		ssize_t got = read(STDIN_FILENO, &byte, 1);
		if (got <= 0) {
			break;
		}
		if (byte != '\n') {
			if (length + 1 < sizeof(line)) {
				line[length++] = byte;
			}
			continue;
		}
		line[length] = '\0';
		length = 0;
		if (!obey(&client, line)) {
			break;
		}
	}
	wl_display_disconnect(client.display);
	return 0;
}
