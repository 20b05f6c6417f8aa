/* C, because it sees each request of each client, and prevents damage inside wlroots. */
/*
 * Handles requests that would break wlroots, just before wlroots gets them. libwayland passes every message to a
 * protocol logger before dispatching it, which is the only place where state can still be repaired. A request
 * cannot be held back there, but it can be redirected to another function. An offending client gets its protocol
 * error, and wlroots' handling is made harmless.
 */
#include "internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* For `struct wl_resource`, whose beginning is ABI. */
#include <wayland-server.h>
#include <wayland-server-protocol.h>
#if WLR18
#include <wlr/types/wlr_screencopy_v1.h>
#endif

/* A client's pipe into which a selection is to be written. */
struct asked {
	lent_fd fd; /* wlroots owns it once it handles the request */
	dev_t device;
	ino_t inode;
};

struct mw_requests {
	mw_server *server;
	struct wl_protocol_logger *logger;
	struct asked *asked; /* that are still open */
	size_t asked_count;
	bool receiving;	 /* the last of them was just requested */
	owned_fd nobody; /* the null device, kept open because descriptors may be short when it is needed */
};

/* Compositor/Clients/CountedRequests.swift: limits per client. */
mw_interceptor mw_counts_region, mw_counts_pool, mw_counts_buffer, mw_counts_resize, mw_counts_subsurface, mw_counts_token, mw_token_shown,
	mw_counts_keymap, mw_counts_offer, mw_counts_selection;
/* Compositor/Clients/CaptureWatch.swift: who shares the screen. */
mw_interceptor mw_captures;
bool mw_may_paste(const struct wl_protocol_logger_message *message, bool locked, size_t waiting);

static struct wl_resource *object_argument(const struct wl_protocol_logger_message *message, int index) {
	/* On the server side, an object is the first member of its resource. */
	return index < message->arguments_count ? (struct wl_resource *)message->arguments[index].o : NULL;
}

static struct wlr_xdg_popup *popup_of(struct wl_resource *resource) {
	void *data = resource != NULL ? wl_resource_get_user_data(resource) : NULL;
#if WLR18
	return data;
#else
	struct wlr_xdg_surface *surface = data;
	return surface != NULL && surface->role == WLR_XDG_SURFACE_ROLE_POPUP ? surface->popup : NULL;
#endif
}

static void take_out(struct wl_list *link) {
	wl_list_remove(link);
	wl_list_init(link);
}

/* A layer surface that wlroots must ignore until its client, which is in error, is gone. */
struct inert {
	struct wl_resource *resource;
	struct wlr_layer_surface_v1 *layer;
	struct wl_listener client_destroy;
};

/* Runs before any of its objects is destroyed. Whichever is first, wlroots uses all of them for its cleanup. */
static void on_inert_end(struct wl_listener *listener, void *data) {
	(void)data;
	struct inert *inert = wl_container_of(listener, inert, client_destroy);
	wl_resource_set_user_data(inert->resource, inert->layer);
	wl_list_remove(&inert->client_destroy.link);
	free(inert);
}

static void make_inert(struct wl_resource *resource) {
	struct inert *inert = calloc(1, sizeof(*inert));
	if (inert == NULL || wl_resource_get_user_data(resource) == NULL) {
		free(inert);
		return;
	}
	inert->resource = resource;
	inert->layer = wl_resource_get_user_data(resource);
	inert->client_destroy.notify = on_inert_end;
	wl_client_add_destroy_listener(wl_resource_get_client(resource), &inert->client_destroy);
	wl_resource_set_user_data(resource, NULL);
}

/* wlroots adds a popup to the list of its layer surface even if it has another parent, and does not check for an
 * inert one. */
static void layer_popup(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	struct wl_resource *resource = object_argument(message, 0);
	struct wlr_xdg_popup *popup = popup_of(resource);
	if (popup != NULL && popup->parent == NULL)
		return;
	wl_resource_post_error(message->resource, ZWLR_LAYER_SHELL_V1_ERROR_ROLE, "xdg_popup@%u has a parent already, or is gone",
						   resource != NULL ? wl_resource_get_id(resource) : 0);
#if !WLR18
	/* 0.18 leaves the popup in place, and ends it with its parent. */
	if (popup != NULL)
		take_out(&popup->link);
#endif
	if (popup == NULL)
		make_inert(message->resource);
}

/* wlroots' own functions, while one request is redirected to replacements, which have to restore them. */
static const void *own_functions;

static void answer_once(struct wl_resource *resource, const void *functions) {
	own_functions = resource->object.implementation;
	resource->object.implementation = functions;
}

static void ignore_grab(struct wl_client *client, struct wl_resource *popup, struct wl_resource *seat, uint32_t serial) {
	(void)client, (void)seat, (void)serial;
	popup->object.implementation = own_functions;
}

/* A popup that grabs twice is in the list of grabs twice. One that grabs during a drag keeps the drag from ending,
 * because it would not get the button release. */
static void popup_grab(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	static const struct xdg_popup_interface ignoring = {.grab = ignore_grab};
	struct wlr_xdg_popup *popup = popup_of(message->resource);
	if (popup == NULL)
		return;
	struct wlr_seat *seat = mw_seat_wlr(requests->server);
	if (seat != NULL && seat->drag != NULL) {
		answer_once(message->resource, &ignoring);
		return;
	}
	if (popup->seat == NULL)
		return;
	wl_resource_post_error(message->resource, XDG_POPUP_ERROR_INVALID_GRAB, "xdg_popup@%u has a grab already",
						   wl_resource_get_id(message->resource));
	take_out(&popup->grab_link);
}

/* ---- drags ---- */

static void ignore_drag(struct wl_client *client, struct wl_resource *device, struct wl_resource *source, struct wl_resource *origin,
						struct wl_resource *icon, uint32_t serial) {
	(void)client, (void)origin, (void)icon, (void)serial;
	if (source != NULL && wl_resource_get_user_data(source) != NULL)
		wl_data_source_send_cancelled(source);
	device->object.implementation = own_functions;
}

/*
 * wlroots refuses a drag while there is another, but keeps the new one until its source is destroyed. That leaks
 * 300 bytes per attempt if it has no source, or one that is already cancelled.
 */
static void start_drag(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	static const struct wl_data_device_interface ignoring = {.start_drag = ignore_drag};
	struct wlr_seat *seat = mw_seat_wlr(requests->server);
	if (seat != NULL && seat->drag != NULL)
		answer_once(message->resource, &ignoring);
}

/* ---- primary selection ---- */

static void ignore_primary(struct wl_client *client, struct wl_resource *device, struct wl_resource *source, uint32_t serial) {
	(void)client, (void)source, (void)serial;
	device->object.implementation = own_functions;
}

/* A device outlives the seat that its client released. wlroots then accepts any serial from a client that never
 * had the focus, and refuses later valid serials as too old. */
static void primary_selection(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	static const struct {
		void (*set_selection)(struct wl_client *, struct wl_resource *, struct wl_resource *, uint32_t);
	} ignoring = {ignore_primary};
	mw_counts_selection(requests, message);
	struct wlr_seat *seat = mw_seat_wlr(requests->server);
	if (seat != NULL && wlr_seat_client_for_wl_client(seat, wl_resource_get_client(message->resource)) != NULL)
		return;
	answer_once(message->resource, &ignoring);
}

/* ---- buffers and modes ---- */

/* wlroots checks nothing: a size below 1 would become a window's. Arguments: id, descriptor, width, height,
 * format, offset, stride. */
static void prime_buffer(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	union wl_argument *arguments = (union wl_argument *)message->arguments;
	if (message->arguments_count < 7 || (arguments[2].i > 0 && arguments[3].i > 0 && arguments[5].i >= 0 && arguments[6].i > 0))
		return;
	wl_client_post_implementation_error(wl_resource_get_client(message->resource), "wl_drm: a buffer of %d x %d with stride %d at %d",
										arguments[2].i, arguments[3].i, arguments[6].i, arguments[5].i);
	arguments[2].i = arguments[3].i = arguments[6].i = 1;
	arguments[5].i = 0;
}

#if WLR18
static void ignore_release(struct wl_client *client, struct wl_resource *mode) {
	(void)client;
	mode->object.implementation = own_functions;
}

/* wlroots asserts that a client with a head object has its mode objects. So the current mode's object is kept. */
static void mode_release(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	static const struct { void (*release)(struct wl_client *, struct wl_resource *); } ignoring = {ignore_release};
	(void)requests;
	if (wl_list_empty(wl_resource_get_link(message->resource)))
		return;
	answer_once(message->resource, &ignoring);
}
#endif

/* ---- screen captures ---- */

#if WLR18
/* Errors of `zwlr_screencopy_frame_v1.error`. */
enum { ALREADY_USED = 0, INVALID_BUFFER = 1 };

/* A frame that wlroots must ignore until it is destroyed. */
struct refused {
	struct wlr_screencopy_frame_v1 *frame;
	struct wl_listener destroy;
};

static void on_refused_destroy(struct wl_listener *listener, void *data) {
	struct refused *refused = wl_container_of(listener, refused, destroy);
	wl_resource_set_user_data(data, refused->frame); /* for its cleanup */
	free(refused);
}

static bool takes(const struct wlr_screencopy_frame_v1 *frame, struct wlr_buffer *buffer) {
	if (buffer->width != frame->box.width || buffer->height != frame->box.height)
		return false;
	struct wlr_dmabuf_attributes dmabuf;
	if (wlr_buffer_get_dmabuf(buffer, &dmabuf))
		return dmabuf.format == frame->dmabuf_format;
	void *data;
	uint32_t format;
	size_t stride;
	if (!wlr_buffer_begin_data_ptr_access(buffer, WLR_BUFFER_DATA_PTR_ACCESS_WRITE, &data, &format, &stride))
		return false;
	wlr_buffer_end_data_ptr_access(buffer);
	return format == frame->shm_format && stride == (size_t)frame->shm_stride;
}

/* wlroots leaks the buffer, and with it all memory of the client's pool, for each copy that it refuses. */
static void screencopy(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	struct wlr_screencopy_frame_v1 *frame = wl_resource_get_user_data(message->resource);
	struct wl_resource *resource = object_argument(message, 0);
	if (frame == NULL || resource == NULL || frame->output == NULL || !frame->output->enabled)
		return;
	struct wlr_buffer *buffer = wlr_buffer_try_from_resource(resource);
	if (buffer == NULL)
		return;
	bool used = frame->buffer != NULL, taken = !used && takes(frame, buffer);
	wlr_buffer_unlock(buffer);
	struct refused *refused = taken ? NULL : calloc(1, sizeof(*refused));
	if (refused == NULL)
		return;
	refused->frame = frame;
	refused->destroy.notify = on_refused_destroy;
	wl_resource_add_destroy_listener(message->resource, &refused->destroy);
	wl_resource_set_user_data(message->resource, NULL);
	wl_resource_post_error(message->resource, used ? ALREADY_USED : INVALID_BUFFER,
						   used ? "the frame has been used" : "the buffer is not what was asked for");
}
#endif

/* ---- selections ---- */

static bool is_open(const struct asked *asked) {
	struct stat now;
	return fstat(lent_fd_number(asked->fd), &now) == 0 && now.st_dev == asked->device && now.st_ino == asked->inode;
}

/*
 * Pipes for selections of Wayland clients are passed on and closed at once. Those for X11 selections stay open
 * until the X11 program answers, possibly forever. A paste that is not allowed asks for a type that no source offers, and its pipe is
 * replaced, so the reader gets an end of file.
 */
static void receive(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	if (message->arguments_count < 2)
		return;
	int fd = message->arguments[1].h;
	size_t kept = 0;
	for (size_t i = 0; i < requests->asked_count; i++) {
		if (lent_fd_number(requests->asked[i].fd) != fd && is_open(&requests->asked[i]))
			requests->asked[kept++] = requests->asked[i];
	}
	requests->asked_count = kept;
	requests->receiving = false;
	struct asked *grown = realloc(requests->asked, (kept + 1) * sizeof(*grown));
	if (grown != NULL)
		requests->asked = grown;
	if (!mw_may_paste(message, mw_lock_is_locked(requests->server), kept) || grown == NULL) {
		((union wl_argument *)message->arguments)[0].s = "application/x-not-to-be-had";
		dup3(owned_fd_number(requests->nobody), fd, O_CLOEXEC);
		return;
	}
	struct stat file;
	if (fstat(fd, &file) == 0) {
		requests->asked[requests->asked_count++] = (struct asked){lent_fd_of(fd), file.st_dev, file.st_ino};
		requests->receiving = true;
	}
}

/*
 * wlroots itself writes the content that the X11 program provides. O_NONBLOCK belongs to the open file description, which the
 * client shares and could change. So the descriptor is replaced by our own open file description. What cannot be
 * reopened, such as a socket, gets nothing.
 */
void mw_requests_asked_x11(mw_server *server) {
	struct mw_requests *requests = server->requests;
	if (requests == NULL || !requests->receiving || requests->asked_count == 0)
		return;
	requests->receiving = false;
	mw_x11_owner_asked(server);
	struct asked *asked = &requests->asked[requests->asked_count - 1];
	struct stat file;
	if (!is_open(asked) || fstat(lent_fd_number(asked->fd), &file) != 0 || S_ISREG(file.st_mode))
		return; /* writing to regular files never blocks */
	char path[32];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", lent_fd_number(asked->fd));
	int own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own < 0)
		own = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (own < 0)
		return;
	dup3(own, lent_fd_number(asked->fd), O_CLOEXEC);
	close(own);
	if (fstat(lent_fd_number(asked->fd), &file) == 0)
		*asked = (struct asked){asked->fd, file.st_dev, file.st_ino};
}

void mw_requests_resume(mw_server *server, int kept, int fd) {
	struct mw_requests *requests = server->requests;
	for (size_t i = 0; requests != NULL && i < requests->asked_count; i++) {
		if (lent_fd_number(requests->asked[i].fd) != kept || !is_open(&requests->asked[i]))
			continue;
		/* X11 is asked for the newest one. */
		struct asked *last = &requests->asked[requests->asked_count - 1], asked = requests->asked[i];
		asked.fd = lent_fd_of(fd);
		requests->asked[i] = *last;
		*last = asked;
		requests->receiving = true;
		return;
	}
}

void mw_requests_resumed(mw_server *server) {
	if (server->requests != NULL)
		server->requests->receiving = false;
}

/*
 * wlroots checks the focus of a client's seat objects only when the focus changes. A client that binds the seat
 * after its window got the focus would get neither pointer nor keys until the focus changes. So wlroots is told to
 * let the new object enter now.
 */
static void seat_object(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	struct wlr_seat_client *client = wlr_seat_client_from_resource(message->resource);
	if (client == NULL)
		return;
	struct wlr_seat_pointer_state *pointer = &client->seat->pointer_state;
	struct wlr_seat_keyboard_state *keyboard = &client->seat->keyboard_state;
	if (pointer->focused_client == NULL && pointer->focused_surface != NULL &&
		wl_resource_get_client(pointer->focused_surface->resource) == client->client)
		pointer->focused_client = client;
	if (keyboard->focused_client == NULL && keyboard->focused_surface != NULL &&
		wl_resource_get_client(keyboard->focused_surface->resource) == client->client)
		keyboard->focused_client = client;
}

/* ---- handlers by request ---- */

static void get_toplevel(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	mw_pips_refuse_toplevel(requests->server, message->resource);
}

#if WLR18
static void set_parent(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	mw_xdg_parent_named(message->resource, object_argument(message, 0));
}
#endif

/* The handlers of requests. */
static const struct mw_handler looking[] = {
	{"wl_region", NULL, mw_counts_region},
	{"wl_shm", "create_pool", mw_counts_pool},
	{"wl_shm_pool", "create_buffer", mw_counts_buffer},
	{"wl_shm_pool", "resize", mw_counts_resize},
	{"wl_subcompositor", "get_subsurface", mw_counts_subsurface},
	{"zwlr_layer_surface_v1", "get_popup", layer_popup},
	{"xdg_surface", "get_toplevel", get_toplevel},
	{"xdg_popup", "grab", popup_grab},
	{"xdg_activation_token_v1", "commit", mw_counts_token},
	{"xdg_activation_v1", "activate", mw_token_shown},
	{"wl_data_device", "start_drag", start_drag},
	{"zwp_virtual_keyboard_v1", "keymap", mw_counts_keymap},
	{"wl_data_source", "offer", mw_counts_offer},
	{"zwp_primary_selection_source_v1", "offer", mw_counts_offer},
	{"zwlr_data_control_source_v1", "offer", mw_counts_offer},
	{"ext_data_control_source_v1", "offer", mw_counts_offer},
	{"wl_data_device", "set_selection", mw_counts_selection},
	{"zwp_primary_selection_device_v1", "set_selection", primary_selection},
	{"wl_drm", "create_prime_buffer", prime_buffer},
	{"zwlr_data_control_device_v1", "set_selection", mw_counts_selection},
	{"zwlr_data_control_device_v1", "set_primary_selection", mw_counts_selection},
	{"ext_data_control_device_v1", "set_selection", mw_counts_selection},
	{"ext_data_control_device_v1", "set_primary_selection", mw_counts_selection},
	{"wl_data_offer", "receive", receive},
	{"zwp_primary_selection_offer_v1", "receive", receive},
	{"zwlr_data_control_offer_v1", "receive", receive},
	{"zwlr_screencopy_manager_v1", "capture_output", mw_captures},
	{"zwlr_screencopy_manager_v1", "capture_output_region", mw_captures},
	{"zwlr_export_dmabuf_manager_v1", "capture_output", mw_captures},
	{"wl_seat", "get_pointer", seat_object},
	{"wl_seat", "get_keyboard", seat_object},
#if WLR18
	{"zwlr_output_mode_v1", "release", mode_release},
	{"xdg_toplevel", "set_parent", set_parent},
	{"zwlr_screencopy_frame_v1", "copy", screencopy},
	{"zwlr_screencopy_frame_v1", "copy_with_damage", screencopy},
#endif
};

static mw_interceptor *by_names(const struct mw_handler *table, size_t count, const struct wl_protocol_logger_message *message) {
	const char *class = wl_resource_get_class(message->resource);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(table[i].class, class) == 0 && (table[i].name == NULL || strcmp(table[i].name, message->message->name) == 0))
			return table[i].interceptor;
	}
	return NULL;
}

/* Called for every message. */
mw_interceptor *mw_interceptor_of(struct mw_known *known, const struct mw_handler *table, size_t count,
								  const struct wl_protocol_logger_message *message) {
	struct mw_known *place = &known[(uintptr_t)message->message / sizeof(struct wl_message) % MW_KNOWN];
	if (place->message != message->message) {
		place->interceptor = by_names(table, count, message);
		place->message = message->message;
	}
	return place->interceptor;
}

static void on_message(void *data, enum wl_protocol_logger_type direction, const struct wl_protocol_logger_message *message) {
	static struct mw_known known[MW_KNOWN];
	struct mw_requests *requests = data;
	if (direction != WL_PROTOCOL_LOGGER_REQUEST) {
		mw_sending(requests, message);
		return;
	}
	requests->receiving = false;
	mw_reading_request(requests->server, wl_resource_get_client(message->resource));
	/* Most requests come from surfaces, which calls.c handles. */
	mw_interceptor *interceptor = mw_interceptor_of(known, looking, MW_COUNT(looking), message);
	if (interceptor != NULL)
		interceptor(requests, message);
}

mw_server *mw_requests_server(const struct mw_requests *requests) { return requests->server; }

bool mw_requests_init(mw_server *server) {
	struct mw_requests *requests = calloc(1, sizeof(*requests));
	if (requests == NULL)
		return false;
	requests->server = server;
	server->requests = requests;
	requests->nobody = owned_fd_take(open("/dev/null", O_WRONLY | O_CLOEXEC), "what shuts the clipboard");
	if (!owned_fd_is_open(requests->nobody))
		return false;
	requests->logger = wl_display_add_protocol_logger(server->display, on_message, requests);
	return requests->logger != NULL;
}

void mw_requests_finish(mw_server *server) {
	if (server->requests == NULL)
		return;
	if (server->requests->logger != NULL)
		wl_protocol_logger_destroy(server->requests->logger);
	owned_fd_close(&server->requests->nobody);
	free(server->requests->asked);
	free(server->requests);
	server->requests = NULL;
}
