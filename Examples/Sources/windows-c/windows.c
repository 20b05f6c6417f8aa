/*
 * A whole client of mullion_windows_v1 in C, without a toolkit: a list of items.
 *
 * - A tap on an item opens it in a window of its own; the shell chooses the style. Where items do not open in windows, as on a
 *   phone, the list shows it itself.
 * - Two fingers pinch an item open.
 * - A tap in the window of an item changes it. Until it is saved, the shell asks before it closes the window.
 * - A tap on the bar at the bottom shows a sheet, and a tap on the sheet closes it.
 *
 * It says what happens on the standard output.
 */
#include "mullion-windows-v1-client-protocol.h"
#include "xdg-activation-v1-client-protocol.h"
#include "xdg-shell-client-protocol.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

#define ITEMS 5
#define MARGIN 24
#define TOP 64

enum kind { LIST, ITEM, SHEET };

struct app {
	struct wl_display *display;
	struct wl_compositor *compositor;
	struct wl_shm *shm;
	struct wl_seat *seat;
	struct xdg_wm_base *shell;
	struct xdg_activation_v1 *activation;
	struct mullion_window_manager_v1 *manager;
	/* What a person can do here. A shell of version 1 does not say, and windows open. */
	uint32_t capabilities;
	struct window *list;
	/* The item that the list shows itself; -1: none. */
	int details;
	bool is_over;
};

struct window {
	struct app *app;
	enum kind kind;
	int item;
	int width, height;
	bool has_changed;
	struct wl_surface *surface;
	struct xdg_surface *xdg;
	struct xdg_toplevel *toplevel;
	struct mullion_window_v1 *said;
};

struct rect {
	int x, y, width, height;
};

static void say(const char *what, int number) {
	printf("%s %d\n", what, number);
	fflush(stdout);
}

/* ---- What is seen: a colour and a digit for each item. ---- */

static const uint32_t colours[ITEMS] = {0xffd9534f, 0xfff0ad4e, 0xff5cb85c, 0xff5bc0de, 0xff7d6bd0};
/* Three by five, a row in each three bits. */
static const uint16_t digits[ITEMS] = {026227, 071747, 071717, 055711, 074717};

static struct rect row(const struct window *list, int item) {
	int height = (list->height - TOP - 2 * MARGIN) / (ITEMS + 1);
	return (struct rect){MARGIN, TOP + item * height, list->width - 2 * MARGIN, height - 12};
}

/* The bar that shows the sheet. */
static struct rect bar(const struct window *list) { return row(list, ITEMS); }

static bool holds(struct rect rect, double x, double y) {
	return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

static void fill(const struct window *window, uint32_t *pixels, struct rect rect, uint32_t colour) {
	for (int y = rect.y < 0 ? 0 : rect.y; y < rect.y + rect.height && y < window->height; y++) {
		for (int x = rect.x < 0 ? 0 : rect.x; x < rect.x + rect.width && x < window->width; x++)
			pixels[y * window->width + x] = colour;
	}
}

static void digit(const struct window *window, uint32_t *pixels, int item, int x, int y, int size) {
	for (int bit = 0; bit < 15; bit++) {
		if ((digits[item] >> (14 - bit)) & 1)
			fill(window, pixels, (struct rect){x + bit % 3 * size, y + bit / 3 * size, size, size}, 0xffffffff);
	}
}

static void paint(const struct window *window, uint32_t *pixels) {
	int details = window->app->details;
	struct rect whole = {0, 0, window->width, window->height};
	if (window->kind == SHEET) {
		fill(window, pixels, whole, 0xffffffff);
		fill(window, pixels, (struct rect){MARGIN, window->height - 80, window->width - 2 * MARGIN, 56}, 0xff3366cc);
	} else if (window->kind == ITEM || details >= 0) {
		int item = window->kind == ITEM ? window->item : details;
		fill(window, pixels, whole, colours[item]);
		digit(window, pixels, item, MARGIN, TOP, 16);
		if (window->has_changed)
			fill(window, pixels, (struct rect){MARGIN, TOP + 110, window->width / 2, 12}, 0xffffffff);
	} else {
		fill(window, pixels, whole, 0xfff4f4f6);
		for (int item = 0; item < ITEMS; item++) {
			struct rect place = row(window, item);
			fill(window, pixels, place, colours[item]);
			digit(window, pixels, item, place.x + 16, place.y + place.height / 2 - 20, 8);
		}
		fill(window, pixels, bar(window), 0xff3366cc);
	}
}

static void release(void *data, struct wl_buffer *buffer) {
	(void)data;
	wl_buffer_destroy(buffer);
}

static const struct wl_buffer_listener buffer_listener = {.release = release};

static void draw(struct window *window) {
	int size = window->width * window->height * 4, fd = memfd_create("buffer", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, size) < 0)
		return;
	uint32_t *pixels = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pixels == MAP_FAILED) {
		close(fd);
		return;
	}
	paint(window, pixels);
	munmap(pixels, (size_t)size);
	struct wl_shm_pool *pool = wl_shm_create_pool(window->app->shm, fd, size);
	struct wl_buffer *buffer = wl_shm_pool_create_buffer(pool, 0, window->width, window->height, window->width * 4, WL_SHM_FORMAT_XRGB8888);
	wl_buffer_add_listener(buffer, &buffer_listener, NULL);
	wl_shm_pool_destroy(pool);
	close(fd);
	wl_surface_attach(window->surface, buffer, 0, 0);
	wl_surface_damage(window->surface, 0, 0, window->width, window->height);
	wl_surface_commit(window->surface);
}

/* ---- Windows. ---- */

static void close_window(struct window *window) {
	say(window->kind == SHEET ? "sheet closed" : "closed", window->item);
	struct app *app = window->app;
	if (window->said != NULL)
		mullion_window_v1_destroy(window->said);
	xdg_toplevel_destroy(window->toplevel);
	xdg_surface_destroy(window->xdg);
	wl_surface_destroy(window->surface);
	if (window == app->list)
		app->is_over = true;
	free(window);
}

/* What a person can pinch open: each row, while the list shows them. */
static void tell_pinchables(struct window *list) {
	if (list->said == NULL || wl_proxy_get_version((struct wl_proxy *)list->said) < MULLION_WINDOW_V1_SET_PINCHABLE_SINCE_VERSION)
		return;
	for (int item = 0; item < ITEMS; item++) {
		struct rect place = row(list, item);
		if (list->app->details >= 0 || place.width < 1 || place.height < 1)
			mullion_window_v1_unset_pinchable(list->said, (uint32_t)item);
		else
			mullion_window_v1_set_pinchable(list->said, (uint32_t)item, place.x, place.y, place.width, place.height);
	}
}

static void resized(void *data, struct xdg_toplevel *toplevel, int32_t width, int32_t height, struct wl_array *states) {
	(void)toplevel;
	(void)states;
	struct window *window = data;
	if (width > 0)
		window->width = width;
	if (height > 0)
		window->height = height;
}

static void asked_to_close(void *data, struct xdg_toplevel *toplevel) {
	(void)toplevel;
	close_window(data);
}

static const struct xdg_toplevel_listener toplevel_listener = {.configure = resized, .close = asked_to_close};

static void configured(void *data, struct xdg_surface *surface, uint32_t serial) {
	struct window *window = data;
	xdg_surface_ack_configure(surface, serial);
	if (window->kind == LIST)
		tell_pinchables(window);
	draw(window);
}

static const struct xdg_surface_listener surface_listener = {.configure = configured};

static void open_item(struct app *app, int item, uint32_t occasion, const char *token);

static void answered(void *data, struct mullion_window_v1 *said, uint32_t choice) {
	(void)said;
	struct window *window = data;
	say("answered", (int)choice);
	/* After "discard" the shell asks the window to close; after "save" the window closes itself. */
	if (choice == MULLION_WINDOW_V1_CHOICE_SAVE)
		close_window(window);
}

static void pinched(void *data, struct mullion_window_v1 *said, uint32_t id, const char *token) {
	(void)said;
	struct window *list = data;
	say("pinched", (int)id);
	if (id < ITEMS)
		open_item(list->app, (int)id, MULLION_WINDOW_V1_OCCASION_GESTURE, token);
}

static const struct mullion_window_v1_listener said_listener = {.answered = answered, .pinched = pinched};

static struct window *make(struct app *app, enum kind kind, int item, const char *title) {
	struct window *window = calloc(1, sizeof(*window));
	if (window == NULL)
		abort();
	*window = (struct window){.app = app, .kind = kind, .item = item, .width = 420, .height = 480};
	window->surface = wl_compositor_create_surface(app->compositor);
	wl_surface_set_user_data(window->surface, window);
	window->xdg = xdg_wm_base_get_xdg_surface(app->shell, window->surface);
	xdg_surface_add_listener(window->xdg, &surface_listener, window);
	window->toplevel = xdg_surface_get_toplevel(window->xdg);
	xdg_toplevel_add_listener(window->toplevel, &toplevel_listener, window);
	xdg_toplevel_set_app_id(window->toplevel, "org.mullion.WindowsC");
	xdg_toplevel_set_title(window->toplevel, title);
	if (app->manager != NULL) {
		window->said = mullion_window_manager_v1_get_window(app->manager, window->toplevel);
		mullion_window_v1_add_listener(window->said, &said_listener, window);
	}
	return window;
}

/* `token`: from the person's pinch, or NULL after a tap: the shell saw the tap itself. */
static void open_item(struct app *app, int item, uint32_t occasion, const char *token) {
	char title[16];
	snprintf(title, sizeof(title), "Item %d", item + 1);
	struct window *window = make(app, ITEM, item, title);
	if (window->said != NULL) {
		mullion_window_v1_set_style(window->said, MULLION_WINDOW_V1_STYLE_AUTOMATIC, occasion);
		mullion_window_v1_set_role(window->said, MULLION_WINDOW_V1_ROLE_AUXILIARY);
	}
	if (token != NULL && app->activation != NULL)
		xdg_activation_v1_activate(app->activation, token, window->surface);
	wl_surface_commit(window->surface);
	say("opened", item);
}

static void open_sheet(struct app *app) {
	struct window *window = make(app, SHEET, 0, "About the Items");
	window->width = 360;
	window->height = 260;
	xdg_toplevel_set_parent(window->toplevel, app->list->toplevel);
	xdg_toplevel_set_min_size(window->toplevel, 280, 200);
	if (window->said != NULL) {
		mullion_window_v1_set_modal(window->said, MULLION_WINDOW_V1_PRESENTATION_SHEET);
		/* It does not scroll, so a swipe down anywhere on it pulls it away. */
		mullion_window_v1_set_at_top(window->said, 1);
	}
	wl_surface_commit(window->surface);
	say("sheet", 0);
}

/* ---- Taps. ---- */

static void tapped_in_list(struct window *list, double x, double y) {
	struct app *app = list->app;
	if (app->details >= 0) {
		app->details = -1;
	} else {
		if (holds(bar(list), x, y))
			return open_sheet(app);
		for (int item = 0; item < ITEMS; item++) {
			if (!holds(row(list, item), x, y))
				continue;
			if (app->capabilities & MULLION_WINDOW_MANAGER_V1_CAPABILITY_NEW_WINDOWS) {
				return open_item(app, item, MULLION_WINDOW_V1_OCCASION_ITEM, NULL);
			}
			app->details = item;
			say("details", item);
			break;
		}
	}
	tell_pinchables(list);
	draw(list);
}

static void tapped(struct window *window, double x, double y) {
	if (window->kind == LIST)
		return tapped_in_list(window, x, y);
	if (window->kind == SHEET)
		return close_window(window);
	window->has_changed = !window->has_changed;
	if (window->said != NULL && window->has_changed) {
		mullion_window_v1_set_unsaved(window->said, "Save the item?", "It was changed.", "Discard", "Save", "Keep Editing");
	} else if (window->said != NULL) {
		mullion_window_v1_unset_unsaved(window->said);
	}
	draw(window);
	/* Said when the shell can know it. */
	wl_display_flush(window->app->display);
	say(window->has_changed ? "changed" : "saved", window->item);
}

/* Where one finger is. A second one, or the shell, ends the tap. */
static struct {
	struct wl_surface *surface;
	int32_t id;
	int fingers;
	double x, y;
} touch;

static void down(void *data, struct wl_touch *it, uint32_t s, uint32_t t, struct wl_surface *on, int32_t id, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)it, (void)s, (void)t;
	touch.fingers++;
	touch.surface = touch.fingers == 1 ? on : NULL;
	touch.id = id;
	touch.x = wl_fixed_to_double(x);
	touch.y = wl_fixed_to_double(y);
}

static void up(void *data, struct wl_touch *it, uint32_t s, uint32_t t, int32_t id) {
	(void)data, (void)it, (void)s, (void)t;
	if (touch.fingers > 0)
		touch.fingers--;
	struct wl_surface *on = touch.id == id ? touch.surface : NULL;
	touch.surface = NULL;
	if (on != NULL)
		tapped(wl_surface_get_user_data(on), touch.x, touch.y);
}

static void moved(void *data, struct wl_touch *it, uint32_t t, int32_t id, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)it, (void)t, (void)id, (void)x, (void)y;
}

static void cancelled(void *data, struct wl_touch *it) {
	(void)data, (void)it;
	touch.surface = NULL;
	touch.fingers = 0;
	say("touch cancelled", 0);
}

static void frame(void *data, struct wl_touch *it) { (void)data, (void)it; }

static const struct wl_touch_listener touch_listener = {.down = down, .up = up, .motion = moved, .frame = frame, .cancel = cancelled};

static struct {
	struct wl_surface *surface;
	double x, y;
} pointer;

static void enter(void *data, struct wl_pointer *p, uint32_t s, struct wl_surface *on, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)p, (void)s;
	pointer.surface = on;
	pointer.x = wl_fixed_to_double(x);
	pointer.y = wl_fixed_to_double(y);
}
static void leave(void *data, struct wl_pointer *p, uint32_t s, struct wl_surface *on) {
	(void)data, (void)p, (void)s, (void)on;
	pointer.surface = NULL;
}
static void motion(void *data, struct wl_pointer *p, uint32_t t, wl_fixed_t x, wl_fixed_t y) {
	(void)data, (void)p, (void)t;
	pointer.x = wl_fixed_to_double(x);
	pointer.y = wl_fixed_to_double(y);
}
static void button(void *data, struct wl_pointer *p, uint32_t s, uint32_t t, uint32_t button, uint32_t pressed) {
	(void)data, (void)p, (void)s, (void)t, (void)button;
	if (!pressed && pointer.surface != NULL)
		tapped(wl_surface_get_user_data(pointer.surface), pointer.x, pointer.y);
}
static void axis(void *data, struct wl_pointer *p, uint32_t t, uint32_t axis, wl_fixed_t by) {
	(void)data, (void)p, (void)t, (void)axis, (void)by;
}

static const struct wl_pointer_listener pointer_listener = {
	.enter = enter, .leave = leave, .motion = motion, .button = button, .axis = axis};

/* ---- The connection. ---- */

static void ping(void *data, struct xdg_wm_base *shell, uint32_t serial) {
	(void)data;
	xdg_wm_base_pong(shell, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = ping};

static void told_capabilities(void *data, struct mullion_window_manager_v1 *manager, uint32_t flags) {
	(void)manager;
	((struct app *)data)->capabilities = flags;
	say("capabilities", (int)flags);
}

static const struct mullion_window_manager_v1_listener manager_listener = {.capabilities = told_capabilities};

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	struct app *app = data;
	if (strcmp(interface, "wl_compositor") == 0)
		app->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
	if (strcmp(interface, "wl_shm") == 0)
		app->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
	if (strcmp(interface, "wl_seat") == 0)
		app->seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
	if (strcmp(interface, "xdg_wm_base") == 0)
		app->shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
	if (strcmp(interface, "xdg_activation_v1") == 0)
		app->activation = wl_registry_bind(registry, name, &xdg_activation_v1_interface, 1);
	if (strcmp(interface, "mullion_window_manager_v1") == 0) {
		app->manager = wl_registry_bind(registry, name, &mullion_window_manager_v1_interface, version < 2 ? version : 2);
		mullion_window_manager_v1_add_listener(app->manager, &manager_listener, app);
	}
}

static void lost(void *data, struct wl_registry *registry, uint32_t name) { (void)data, (void)registry, (void)name; }

static const struct wl_registry_listener registry_listener = {.global = found, .global_remove = lost};

int main(void) {
	struct app app = {.details = -1, .capabilities = MULLION_WINDOW_MANAGER_V1_CAPABILITY_NEW_WINDOWS};
	app.display = wl_display_connect(NULL);
	if (app.display == NULL) {
		fprintf(stderr, "there is no Wayland session: WAYLAND_DISPLAY is not set\n");
		return 1;
	}
	wl_registry_add_listener(wl_display_get_registry(app.display), &registry_listener, &app);
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
	app.list = make(&app, LIST, 0, "Items");
	wl_surface_commit(app.list->surface);
	while (!app.is_over && wl_display_dispatch(app.display) >= 0) {
	}
	if (wl_display_get_error(app.display) != 0)
		fprintf(stderr, "the shell ended the connection\n");
	wl_display_disconnect(app.display);
	return 0;
}
