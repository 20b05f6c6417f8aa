/* C until outputs move to Swift: it makes and frees the structs that drawing uses. */
/*
 * The life cycle of a server: backend, renderer and the globals that everything else depends on. Created in order
 * and destroyed in reverse order, any number of times per process.
 */
#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wlr/backend/wayland.h>
#include <wlr/backend/x11.h>
#include <wlr/render/pixman.h>

/* ---- log: wlroots and libwayland have one callback for the whole process ---- */

static mw_server *log_server;

/* The most lines of one kind per second, so that a client that keeps failing cannot fill the disk. */
#define SAME_LINES 20

/* Lines with the same format string are of one kind. */
static bool is_one_too_many(const char *format) {
	static const char *last;
	static int64_t since;
	static int count;
	int64_t now = mw_now();
	if (format != last || now - since > 1000000000) {
		if (count > SAME_LINES && log_server != NULL) {
			char text[80];
			snprintf(text, sizeof(text), "%d more lines like these before", count - SAME_LINES);
			log_server->on.log(log_server->on.user, WLR_INFO, text);
		}
		last = format;
		since = now;
		count = 0;
	}
	return ++count > SAME_LINES;
}

static void on_wlr_log(enum wlr_log_importance importance, const char *format, va_list arguments) {
	if (log_server == NULL || (int32_t)importance > log_server->options.log_level)
		return;
	if (is_one_too_many(format))
		return;
	char text[1024];
	vsnprintf(text, sizeof(text), format, arguments);
	log_server->on.log(log_server->on.user, (int32_t)importance, text);
}

static void on_wayland_log(const char *format, va_list arguments) {
	if (log_server == NULL)
		return;
	char text[1024];
	vsnprintf(text, sizeof(text), format, arguments);
	size_t length = strlen(text);
	if (length > 0 && text[length - 1] == '\n')
		text[length - 1] = '\0';
	log_server->on.log(log_server->on.user, WLR_INFO, text);
}

/* ---- backend ---- */

static bool environment_has(const char *name) {
	const char *value = getenv(name);
	return value != NULL && value[0] != '\0';
}

static struct wlr_backend *autocreate(mw_server *server) {
#if WLR18
	return wlr_backend_autocreate(server->loop, &server->session);
#else
	struct wlr_backend *backend = wlr_backend_autocreate(server->display);
	if (backend != NULL)
		server->session = wlr_backend_get_session(backend);
	return backend;
#endif
}

/* wlroots chooses the DRM and libinput backends by the environment, which is restored afterwards. */
static struct wlr_backend *create_hardware(mw_server *server) {
	const char *before = getenv("WLR_BACKENDS");
	char *saved = before != NULL ? strdup(before) : NULL;
	setenv("WLR_BACKENDS", "libinput,drm", 1);
	struct wlr_backend *backend = autocreate(server);
	if (saved != NULL)
		setenv("WLR_BACKENDS", saved, 1);
	else
		unsetenv("WLR_BACKENDS");
	free(saved);
	return backend;
}

/* Nested backends are created directly: the automatic choice of 0.15 exits the process if there is nothing to
 * connect to. */
static struct wlr_backend *create_nested(mw_server *server) {
#if WLR18
	struct wl_event_loop *with = server->loop;
#else
	struct wl_display *with = server->display;
#endif
	bool wayland = server->options.backend == MW_BACKEND_WAYLAND;
	struct wlr_backend *backend = wayland ? wlr_wl_backend_create(with, NULL) : wlr_x11_backend_create(with, NULL);
	if (backend == NULL)
		return NULL;
	struct wlr_output *output = wayland ? wlr_wl_output_create(backend) : wlr_x11_output_create(backend);
	if (output != NULL && wayland)
		wlr_wl_output_set_title(output, "Mullion");
	else if (output != NULL)
		wlr_x11_output_set_title(output, "Mullion");
	return backend;
}

static bool create_backend(mw_server *server, char *error, size_t error_size) {
	const char *why = "";
	switch (server->options.backend) {
	case MW_BACKEND_HEADLESS:
		server->backend = mw_virtual_backend_create(server->display);
		why = "headless backend: out of memory";
		break;
	case MW_BACKEND_WAYLAND:
		server->backend = create_nested(server);
		why =
			"cannot open a window on the Wayland compositor that WAYLAND_DISPLAY names: nothing answers there; unset it, or run with "
			"--headless";
		break;
	case MW_BACKEND_X11:
		server->backend = create_nested(server);
		why = "cannot open a window on the X server that DISPLAY names: nothing answers there; unset it, or run with --headless";
		break;
	case MW_BACKEND_DRM:
		server->backend = create_hardware(server);
		why =
			"cannot take over a screen: no seat from libseat, or no usable DRM device in /dev/dri; log in on a console with logind or "
			"seatd, or run with --headless";
		break;
	default:
		server->backend = autocreate(server);
		why = "none of the backends that WLR_BACKENDS names could be started";
		break;
	}
	if (server->backend == NULL)
		snprintf(error, error_size, "%s", why);
	return server->backend != NULL;
}

const char *mw_server_backend_name(mw_server *server) {
	switch (server->options.backend) {
	case MW_BACKEND_HEADLESS:
		return "headless";
	case MW_BACKEND_WAYLAND:
		return "wayland";
	case MW_BACKEND_X11:
		return "x11";
	case MW_BACKEND_DRM:
		return "drm";
	default:
		return server->session != NULL ? "drm" : "other";
	}
}

/* For a screen whose GPU cannot render: our own painting is faster than software OpenGL, and Mesa's exits the
 * process if the device has a render node but cannot render. An explicitly named renderer is used anyway. */
static struct wlr_renderer *without_software(struct wlr_renderer *renderer) {
	if (renderer == NULL || environment_has("WLR_RENDERER") || environment_has("WLR_RENDERER_ALLOW_SOFTWARE") ||
		!mw_gl_is_software(renderer))
		return renderer;
	wlr_log(WLR_INFO, "OpenGL ES runs in software here; using pixman");
	wlr_renderer_destroy(renderer);
	return NULL; /* use pixman */
}

static bool create_renderer(mw_server *server, char *error, size_t error_size) {
	server->renderer = without_software(wlr_renderer_autocreate(server->backend));
	if (server->renderer == NULL)
		server->renderer = wlr_pixman_renderer_create();
	if (server->renderer == NULL) {
		snprintf(error, error_size, "no renderer could be created (WLR_RENDERER=%s)", getenv("WLR_RENDERER") ? getenv("WLR_RENDERER") : "");
		return false;
	}
	server->software_gl = mw_gl_is_software(server->renderer);
	server->direct = wlr_renderer_is_pixman(server->renderer) && !server->options.wlr_draw_path;
	if (!mw_buffers_init(server)) {
		snprintf(error, error_size, "the %s renderer cannot offer wl_shm to clients", mw_server_renderer_name(server));
		return false;
	}
	server->allocator = wlr_allocator_autocreate(server->backend, server->renderer);
	if (server->allocator == NULL) {
		snprintf(error, error_size, "no buffers for the %s renderer on the %s backend", mw_server_renderer_name(server),
				 mw_server_backend_name(server));
		return false;
	}
	return true;
}

const char *mw_server_renderer_name(mw_server *server) {
	if (wlr_renderer_is_pixman(server->renderer))
		return "pixman";
	const char *named = getenv("WLR_RENDERER");
	return named != NULL && strcmp(named, "vulkan") == 0 ? "vulkan" : "gles2";
}

static void on_session_active(struct wl_listener *listener, void *data) {
	(void)data;
	mw_server *server = wl_container_of(listener, server, session_active);
	mw_outputs_session_changed(server);
	mw_lock_screen_changed(server);
	mw_switches_look(server);
	server->on.session_active(server->on.user, server->session->active);
}

static void on_backend_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	mw_server *server = wl_container_of(listener, server, backend_destroy);
	mw_unlisten(&server->backend_destroy);
	mw_unlisten(&server->new_output);
	server->backend = NULL;
}

/* ---- life cycle ---- */

static bool create_parts(mw_server *server, char *error, size_t error_size) {
	server->display = wl_display_create();
	if (server->display == NULL) {
		snprintf(error, error_size, "wl_display_create: %s", strerror(errno));
		return false;
	}
	server->loop = wl_display_get_event_loop(server->display);
	mw_stalled_init(server);
	if (!create_backend(server, error, error_size))
		return false;
	mw_listen(&server->backend->events.destroy, &server->backend_destroy, on_backend_destroy);
	if (!create_renderer(server, error, error_size))
		return false;
	server->masks = mw_masks_create();
#if WLR18
	server->compositor = wlr_compositor_create(server->display, 6, server->renderer);
	bool globals = server->compositor != NULL && wlr_subcompositor_create(server->display) != NULL;
	server->layout = wlr_output_layout_create(server->display);
#else
	server->compositor = wlr_compositor_create(server->display, server->renderer);
	bool globals = server->compositor != NULL;
	server->layout = wlr_output_layout_create();
#endif
	if (!globals || server->layout == NULL || server->masks == NULL) {
		snprintf(error, error_size, "the compositor globals could not be created: out of memory");
		return false;
	}
	mw_surface_watch_init(server);
	if (server->session != NULL)
		mw_listen(&server->session->events.active, &server->session_active, on_session_active);
	struct {
		const char *name;
		bool (*init)(mw_server *);
	} parts[] = {
		{"the limits of clients", mw_limits_init},
		{"unmapping", mw_unmapping_init},
		{"the watch over requests", mw_requests_init},
		{"protocol globals", mw_protocols_init},
		{"the seat", mw_seat_init},
		{"xdg-shell", mw_shell_init},
		{"layer-shell", mw_layers_init},
		{"pip", mw_pips_init},
	};
	for (size_t i = 0; i < MW_COUNT(parts); i++) {
		if (!parts[i].init(server)) {
			snprintf(error, error_size, "%s could not be created", parts[i].name);
			return false;
		}
	}
	mw_outputs_init(server);
	return true;
}

mw_server *mw_server_create(const struct mw_options *options, const struct mw_handlers *handlers, char *error, size_t error_size) {
	mw_server *server = calloc(1, sizeof(*server));
	if (server == NULL) {
		snprintf(error, error_size, "out of memory");
		return NULL;
	}
	server->options = *options;
	server->on = *handlers;
	if (server->options.scale <= 0)
		server->options.scale = 1;
	if (options->socket != NULL)
		server->options.socket = strdup(options->socket);
	if (options->keymap_layout != NULL)
		server->options.keymap_layout = strdup(options->keymap_layout);
	wl_list_init(&server->outputs);
	wl_list_init(&server->windows);
	wl_list_init(&server->images);
	wl_list_init(&server->sources);
	wl_list_init(&server->watches);
	server->frame = 1;
	wl_list_init(&server->stalled);
	mw_reading_init(server);
	log_server = server;
	wlr_log_init((enum wlr_log_importance)options->log_level, on_wlr_log);
	wl_log_set_handler_server(on_wayland_log);
	if (!create_parts(server, error, error_size)) {
		mw_server_destroy(server);
		return NULL;
	}
	return server;
}

static bool open_socket(mw_server *server, char *error, size_t error_size) {
	const char *wanted = server->options.socket;
	if (wanted != NULL && server->options.socket_file > 0) {
		if (wl_display_add_socket_fd(server->display, server->options.socket_file) != 0) {
			snprintf(error, error_size, "cannot use the Wayland socket %s that was handed over: %s", wanted, strerror(errno));
			return false;
		}
		snprintf(server->socket, sizeof(server->socket), "%s", wanted);
		return true;
	}
	if (wanted != NULL) {
		if (wl_display_add_socket(server->display, wanted) != 0) {
			snprintf(error, error_size, "cannot open the Wayland socket %s in XDG_RUNTIME_DIR: %s", wanted,
					 errno == EAGAIN ? "another program serves it; name another one, or leave out --socket" : strerror(errno));
			return false;
		}
		snprintf(server->socket, sizeof(server->socket), "%s", wanted);
		return true;
	}
	const char *name = wl_display_add_socket_auto(server->display);
	if (name == NULL) {
		snprintf(error, error_size, "cannot open a Wayland socket in XDG_RUNTIME_DIR (%s): %s",
				 getenv("XDG_RUNTIME_DIR") ? getenv("XDG_RUNTIME_DIR") : "not set", strerror(errno));
		return false;
	}
	snprintf(server->socket, sizeof(server->socket), "%s", name);
	return true;
}

bool mw_server_start(mw_server *server, char *error, size_t error_size) {
	if (!open_socket(server, error, error_size))
		return false;
	if (!wlr_backend_start(server->backend)) {
		snprintf(error, error_size, "the %s backend did not start", mw_server_backend_name(server));
		return false;
	}
	if (server->options.backend == MW_BACKEND_HEADLESS) {
		int32_t width = server->options.width > 0 ? server->options.width : 1180;
		int32_t height = server->options.height > 0 ? server->options.height : 820;
		if (mw_virtual_output_add(server->backend, width, height, server->options.refresh_mhz) == NULL) {
			snprintf(error, error_size, "the headless output could not be created");
			return false;
		}
	}
	if (wl_list_empty(&server->outputs)) {
		/* A screen may be plugged in later. A nested window exists from here on. */
		server->on.log(server->on.user, WLR_INFO, "no output yet");
	}
	server->started = true;
	return true;
}

void mw_server_destroy(mw_server *server) {
	if (server == NULL)
		return;
	server->destroying = true;
	if (server->display != NULL) {
		server->on.xwayland_end(server->on.user);
		wl_display_destroy_clients(server->display);
		mw_pips_finish(server);
		mw_layers_finish(server);
		mw_shell_finish(server);
		mw_seat_finish(server);
		mw_protocols_finish(server);
		mw_requests_finish(server);
		mw_limits_finish(server);
		mw_unmapping_finish(server);
		mw_stalled_finish(server);
		mw_reading_finish(server);
		mw_outputs_finish(server);
		mw_image *image, *next_image;
		wl_list_for_each_safe(image, next_image, &server->images, link) mw_image_destroy(image);
		mw_surface_watch_finish(server);
		mw_pages_finish(server);
		mw_sources_finish(server);
		mw_unlisten(&server->session_active);
		mw_unlisten(&server->new_output);
		if (server->layout != NULL)
			wlr_output_layout_destroy(server->layout);
		if (server->backend != NULL)
			wlr_backend_destroy(server->backend);
		mw_masks_destroy(server->masks);
		/* The allocator goes before the renderer: buffers that the renderer remembers go with their outputs. */
		if (server->allocator != NULL)
			wlr_allocator_destroy(server->allocator);
		if (server->renderer != NULL)
			wlr_renderer_destroy(server->renderer);
		wl_display_destroy(server->display);
	}
	if (log_server == server)
		log_server = NULL;
	free((char *)server->options.socket);
	free((char *)server->options.keymap_layout);
	free(server);
}

/* ---- queries ---- */

struct wl_display *mw_server_display(mw_server *server) {
	return server->display;
}

const char *mw_server_socket(mw_server *server) { return server->socket; }

const char *mw_wlroots_version(void) { return WLR_VERSION_STR; }

void mw_server_statistics(mw_server *server, struct mw_statistics *out) {
	*out = server->statistics;
	out->clients = (uint64_t)wl_list_length(wl_display_get_client_list(server->display)) - mw_pips_have_nobody(server);
	out->surfaces = (uint64_t)wl_list_length(&server->watches);
}
