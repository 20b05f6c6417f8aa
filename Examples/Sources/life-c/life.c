/*
 * A whole client of mullion_life_v1 in C, without a toolkit: a window that counts touches and clicks. The count survives the
 * end of the program. `mullion-life-c task` also holds a background task for ten seconds after each count.
 */
#include "mullion-life-v1-client-protocol.h"
#include "xdg-shell-client-protocol.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>

struct app {
	struct wl_display *display;
	struct wl_compositor *compositor;
	struct wl_shm *shm;
	struct wl_seat *seat;
	struct xdg_wm_base *shell;
	struct mullion_life_manager_v1 *manager;
	struct wl_surface *surface;
	struct mullion_window_state_v1 *state;
	struct mullion_app_life_v1 *life;
	struct mullion_background_task_v1 *task;
	time_t task_began;
	bool makes_tasks, is_over;
	int width, height;
	unsigned count;
};

static void say(const char *text, unsigned number) {
	printf("%s %u\n", text, number);
	fflush(stdout);
}

/* ---- What is seen: each count has its own shade. ---- */

static void release(void *data, struct wl_buffer *buffer) {
	(void)data;
	wl_buffer_destroy(buffer);
}

static const struct wl_buffer_listener buffer_listener = {.release = release};

static void draw(struct app *app) {
	int size = app->width * app->height * 4, fd = memfd_create("buffer", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, size) < 0)
		return;
	uint32_t *pixels = mmap(NULL, (size_t)size, PROT_WRITE, MAP_SHARED, fd, 0);
	if (pixels == MAP_FAILED) {
		close(fd);
		return;
	}
	uint32_t shade = 0xff204060 + (app->count * 24 % 160) * 0x000101;
	for (int i = 0; i < app->width * app->height; i++)
		pixels[i] = shade;
	munmap(pixels, (size_t)size);
	struct wl_shm_pool *pool = wl_shm_create_pool(app->shm, fd, size);
	struct wl_buffer *buffer = wl_shm_pool_create_buffer(pool, 0, app->width, app->height, app->width * 4, WL_SHM_FORMAT_XRGB8888);
	wl_buffer_add_listener(buffer, &buffer_listener, NULL);
	wl_shm_pool_destroy(pool);
	close(fd);
	wl_surface_attach(app->surface, buffer, 0, 0);
	wl_surface_damage(app->surface, 0, 0, app->width, app->height);
	wl_surface_commit(app->surface);
}

/* ---- State. ---- */

static void restore(void *data, struct mullion_window_state_v1 *state, int fd, uint32_t size) {
	(void)state;
	struct app *app = data;
	char text[32] = "";
	if (size < sizeof(text) && pread(fd, text, size, 0) == (ssize_t)size)
		app->count = (unsigned)strtoul(text, NULL, 10);
	close(fd);
	say("restored", app->count);
}

static void fresh(void *data, struct mullion_window_state_v1 *state) {
	(void)data;
	(void)state;
	say("fresh", 0);
}

static void save(void *data, struct mullion_window_state_v1 *state, uint32_t serial) {
	struct app *app = data;
	int fd = memfd_create("state", MFD_CLOEXEC), size = fd < 0 ? -1 : dprintf(fd, "%u", app->count);
	if (size > 0) {
		mullion_window_state_v1_submit(state, serial, fd, (uint32_t)size);
		say("saved", app->count);
	} else {
		mullion_window_state_v1_no_state(state, serial);
	}
	if (fd >= 0)
		close(fd);
}

static const struct mullion_window_state_v1_listener state_listener = {.restore = restore, .fresh = fresh, .save = save};

/* ---- Background tasks. ---- */

static void end_task(struct app *app) {
	if (app->task != NULL)
		mullion_background_task_v1_destroy(app->task);
	app->task = NULL;
}

static void expires(void *data, struct mullion_background_task_v1 *task, uint32_t milliseconds) {
	(void)data;
	(void)task;
	say("expires", milliseconds);
}

static void expired(void *data, struct mullion_background_task_v1 *task) {
	(void)task;
	say("expired", 0);
	end_task(data);
}

static const struct mullion_background_task_v1_listener task_listener = {.expires = expires, .expired = expired};

static void phase(void *data, struct mullion_app_life_v1 *life, uint32_t phase) {
	(void)data;
	(void)life;
	say("phase", phase);
}

static void resumed(void *data, struct mullion_app_life_v1 *life, uint32_t milliseconds) {
	(void)data;
	(void)life;
	say("resumed", milliseconds);
}

static void memory_low(void *data, struct mullion_app_life_v1 *life) {
	(void)data;
	(void)life;
	say("memory-low", 0);
}

static const struct mullion_app_life_v1_listener life_listener = {.phase = phase, .resumed = resumed, .memory_low = memory_low};

/* ---- Counting. ---- */

static void count(struct app *app) {
	app->count++;
	say("count", app->count);
	draw(app);
	if (app->state != NULL)
		mullion_window_state_v1_changed(app->state);
	if (!app->makes_tasks || app->life == NULL || app->task != NULL)
		return;
	app->task = mullion_app_life_v1_begin_task(app->life, "Counting");
	mullion_background_task_v1_add_listener(app->task, &task_listener, app);
	app->task_began = time(NULL);
}

static void button(void *data, struct wl_pointer *pointer, uint32_t serial, uint32_t time, uint32_t button, uint32_t pressed) {
	(void)pointer;
	(void)serial;
	(void)time;
	(void)button;
	if (pressed)
		count(data);
}

static void enter(void *data, struct wl_pointer *p, uint32_t s, struct wl_surface *on, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)p, (void)s, (void)on, (void)x, (void)y;
}
static void leave(void *data, struct wl_pointer *p, uint32_t s, struct wl_surface *on) { (void)data, (void)p, (void)s, (void)on; }
static void motion(void *data, struct wl_pointer *p, uint32_t t, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)p, (void)t, (void)x, (void)y;
}
static void axis(void *data, struct wl_pointer *p, uint32_t t, uint32_t axis, wl_fixed_t by) {
	(void)data, (void)p, (void)t, (void)axis, (void)by;
}

static const struct wl_pointer_listener pointer_listener = {
	.enter = enter, .leave = leave, .motion = motion, .button = button, .axis = axis};

static void down(void *data, struct wl_touch *touch, uint32_t s, uint32_t t, struct wl_surface *on, int32_t id, wl_fixed_t x,
				 wl_fixed_t y) {
	(void)touch, (void)s, (void)t, (void)on, (void)id, (void)x, (void)y;
	count(data);
}
static void up(void *data, struct wl_touch *touch, uint32_t s, uint32_t t, int32_t id) {
	(void)data, (void)touch, (void)s, (void)t, (void)id;
}
static void moved(void *data, struct wl_touch *touch, uint32_t t, int32_t id, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)touch, (void)t, (void)id, (void)x, (void)y;
}
static void nothing(void *data, struct wl_touch *touch) { (void)data, (void)touch; }

static const struct wl_touch_listener touch_listener = {.down = down, .up = up, .motion = moved, .frame = nothing, .cancel = nothing};

/* ---- The window. ---- */

static void ping(void *data, struct xdg_wm_base *shell, uint32_t serial) {
	(void)data;
	xdg_wm_base_pong(shell, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = ping};

static void resized(void *data, struct xdg_toplevel *toplevel, int32_t width, int32_t height, struct wl_array *states) {
	(void)toplevel;
	(void)states;
	struct app *app = data;
	if (width > 0)
		app->width = width;
	if (height > 0)
		app->height = height;
}

static void closed(void *data, struct xdg_toplevel *toplevel) {
	(void)toplevel;
	((struct app *)data)->is_over = true;
}

static const struct xdg_toplevel_listener toplevel_listener = {.configure = resized, .close = closed};

static void configured(void *data, struct xdg_surface *surface, uint32_t serial) {
	xdg_surface_ack_configure(surface, serial);
	draw(data);
}

static const struct xdg_surface_listener surface_listener = {.configure = configured};

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	(void)version;
	struct app *app = data;
	if (strcmp(interface, "wl_compositor") == 0)
		app->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
	if (strcmp(interface, "wl_shm") == 0)
		app->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
	if (strcmp(interface, "wl_seat") == 0)
		app->seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
	if (strcmp(interface, "xdg_wm_base") == 0)
		app->shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
	if (strcmp(interface, "mullion_life_manager_v1") == 0) {
		app->manager = wl_registry_bind(registry, name, &mullion_life_manager_v1_interface, 1);
	}
}

static void lost(void *data, struct wl_registry *registry, uint32_t name) { (void)data, (void)registry, (void)name; }

static const struct wl_registry_listener registry_listener = {.global = found, .global_remove = lost};

int main(int argc, char **argv) {
	struct app app = {.width = 400, .height = 300, .makes_tasks = argc > 1 && strcmp(argv[1], "task") == 0};
	app.display = wl_display_connect(NULL);
	if (app.display == NULL) {
		fprintf(stderr, "there is no Wayland session: WAYLAND_DISPLAY\n");
		return 1;
	}
	struct wl_registry *registry = wl_display_get_registry(app.display);
	wl_registry_add_listener(registry, &registry_listener, &app);
	wl_display_roundtrip(app.display);
	if (app.compositor == NULL || app.shm == NULL || app.shell == NULL) {
		fprintf(stderr, "this session lacks what a window needs\n");
		return 1;
	}
	xdg_wm_base_add_listener(app.shell, &shell_listener, &app);
	if (app.seat != NULL) {
		wl_pointer_add_listener(wl_seat_get_pointer(app.seat), &pointer_listener, &app);
		wl_touch_add_listener(wl_seat_get_touch(app.seat), &touch_listener, &app);
	}
	app.surface = wl_compositor_create_surface(app.compositor);
	struct xdg_surface *surface = xdg_wm_base_get_xdg_surface(app.shell, app.surface);
	xdg_surface_add_listener(surface, &surface_listener, &app);
	struct xdg_toplevel *toplevel = xdg_surface_get_toplevel(surface);
	xdg_toplevel_add_listener(toplevel, &toplevel_listener, &app);
	xdg_toplevel_set_title(toplevel, "Life in C");
	/* First: under this id the state is kept. */
	xdg_toplevel_set_app_id(toplevel, "org.mullion.LifeC");
	if (app.manager != NULL) {
		app.state = mullion_life_manager_v1_get_window_state(app.manager, toplevel, "main");
		mullion_window_state_v1_add_listener(app.state, &state_listener, &app);
		app.life = mullion_life_manager_v1_get_app(app.manager);
		mullion_app_life_v1_add_listener(app.life, &life_listener, &app);
		/* `restore` or `fresh` comes before the first frame is drawn. */
		wl_display_roundtrip(app.display);
	}
	wl_surface_commit(app.surface);
	while (!app.is_over) {
		while (wl_display_prepare_read(app.display) != 0)
			wl_display_dispatch_pending(app.display);
		if (wl_display_flush(app.display) < 0)
			break;
		struct pollfd entry = {.fd = wl_display_get_fd(app.display), .events = POLLIN};
		if (poll(&entry, 1, app.task == NULL ? -1 : 500) > 0) {
			if (wl_display_read_events(app.display) < 0)
				break;
		} else {
			wl_display_cancel_read(app.display);
		}
		if (wl_display_dispatch_pending(app.display) < 0)
			break;
		if (app.task == NULL)
			continue;
		long seconds = time(NULL) - app.task_began;
		if (seconds >= 10)
			end_task(&app);
		else
			mullion_background_task_v1_set_progress(app.task, wl_fixed_from_double((double)seconds / 10));
	}
	if (wl_display_get_error(app.display) != 0)
		fprintf(stderr, "the shell ended the connection\n");
	wl_display_disconnect(app.display);
	return 0;
}
