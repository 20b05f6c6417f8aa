/* Replies of Xwayland. C, because it redefines functions of libxcb and sees every event. wlroots blocks for a
 * reply whenever it reads a property, and a single request of an X11 program can keep Xwayland busy for minutes.
 * The shell, and with it every client, would hang that long. So the libxcb functions with which wlroots blocks are
 * replaced here. They call libxcb's own, and on the window manager's connection
 *
 * - at most a fifth of the time is spent waiting for replies. After that wlroots gets "no reply", which it treats
 *   as a missing property. A late reply is kept, and wlroots is told that the property changed: it reads it again
 *   and gets the kept reply;
 * - nothing is sent to a silent Xwayland until it replies again, and one that leaves a fifth of its socket buffer
 *   unread is killed: from a quarter on, libxcb would block until it reads.
 */
#include "guards.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* After this many events, wlroots' requests are flushed at the latest. Each write has a fixed cost, whatever its
 * length. */
#define EVENTS 16
#define PID_MASK 2u /* XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID */

/* A request whose reply wlroots did not wait for. */
struct late {
	struct wl_list link;
	struct asked asked;
	xcb_selection_notify_event_t notified; /* for a selection: the event that made wlroots ask */
	void *reply;						   /* once it has arrived */
};

/* wlroots calls libxcb with nothing but the connection. There is only one at a time. */
static x11_guards *current;

x11_guards *guards_of(xcb_connection_t *connection) {
	/* wlroots' window manager ends with Xwayland, and the next one's descriptor may have the same number. */
	return current != NULL && current->wlr->xwm == current->xwm && xcb_get_file_descriptor(connection) == lent_fd_number(current->fd)
			   ? current
			   : NULL;
}

/* ---- silence ---- */

static bool is_silent(const x11_guards *guards) { return guards->probing && now() - guards->probed_at > guards->limits.patience; }

/* The unread part of its socket buffer, in 1/32. */
static int unread_parts(const x11_guards *guards) {
	int unread = 0, room = 0;
	socklen_t length = sizeof(room);
	if (ioctl(lent_fd_number(guards->fd), SIOCOUTQ, &unread) != 0 ||
		getsockopt(lent_fd_number(guards->fd), SOL_SOCKET, SO_SNDBUF, &room, &length) != 0 || room <= 0)
		return 0;
	return (int)(INT64_C(32) * unread / room);
}

static void end(x11_guards *guards) {
	if (guards->ended)
		return;
	guards->ended = true;
	guards->on.stuck(guards->on.user, now() - guards->heard_at);
	shutdown(lent_fd_number(guards->fd), SHUT_RDWR); /* from here on, writes fail instead of blocking */
}

/* Large amounts may have been sent at once: an image, a piece of the clipboard. */
static bool has_room(const x11_guards *guards) {
	struct pollfd entry = {.fd = lent_fd_number(guards->fd), .events = POLLOUT};
	return poll(&entry, 1, (int)(guards->limits.patience / 1000000)) > 0;
}

static void hear_probe(x11_guards *guards, xcb_connection_t *connection);

static int flush(x11_guards *guards, xcb_connection_t *connection, bool in_doubt) {
	if (is_silent(guards)) {
		look_again(guards);
		hear_probe(guards, connection); /* the shell itself may have been slow */
	}
	int unread = unread_parts(guards);
	bool silent = is_silent(guards);
	/* It may be busy with earlier requests. A single write by libxcb takes little more than one part. */
	bool stuck = silent && (unread >= guards->limits.unread_stuck ||
							(unread >= guards->limits.unread_silent && now() - guards->probed_at > guards->limits.long_silence));
	if (stuck || (unread >= guards->limits.unread_full && !has_room(guards)))
		end(guards);
	bool ask =
		!guards->probing && (in_doubt || unread >= guards->limits.unread_doubtful || now() - guards->heard_at > guards->limits.attention);
	if (ask) {
		/* Any cheap request with a reply. */
		guards->probe = xcb_get_input_focus(connection).sequence;
		guards->probing = true;
		guards->probed_at = now();
	}
	/* It takes the least space while it is in libxcb's own buffer of 16 KiB. */
	guards->unsent = silent || (unread >= guards->limits.unread_held && !ask);
	return guards->unsent ? 1 : LIBXCB(xcb_flush)(connection);
}

/* Waits briefly for something to read. Returns false when the shell has waited enough. */
static bool await(x11_guards *guards) {
	int64_t time = now();
	int64_t patience = guards->patience + (time - guards->counted_at) / guards->limits.share;
	patience = patience > guards->limits.patience ? guards->limits.patience : patience;
	guards->patience = patience;
	guards->counted_at = time;
	if (patience < 1000000 || is_silent(guards))
		return false;
	struct pollfd entry = {.fd = lent_fd_number(guards->fd), .events = POLLIN};
	int ready = poll(&entry, 1, patience / 1000000);
	guards->counted_at = now();
	guards->patience -= guards->counted_at - time;
	return ready != 0;
}

bool x11_guards_may_tell(const x11_guards *guards) {
	return !guards->ended && !is_silent(guards) && unread_parts(guards) < guards->limits.unread_doubtful;
}

/* ---- late replies ---- */

static void late_free(x11_guards *guards, struct late *late) {
	wl_list_remove(&late->link);
	guards->late_count--;
	if (guards->offered == late)
		guards->offered = NULL;
	free(late->reply);
	free(late);
}

static void remember(x11_guards *guards, unsigned int sequence, enum kind kind, uint32_t window, uint32_t property) {
	guards->asked[guards->next++ % ASKED] = (struct asked){
		.sequence = sequence,
		.kind = kind,
		.window = window,
		.property = property,
	};
}

uint32_t window_asked(const x11_guards *guards, unsigned int sequence, uint32_t property) {
	for (int i = 0; i < ASKED; i++) {
		const struct asked *asked = &guards->asked[i];
		if (asked->sequence == sequence && asked->kind == PROPERTY && asked->property == property)
			return asked->window;
	}
	return 0;
}

static bool miss(x11_guards *guards, unsigned int sequence) {
	for (int i = 0; i < ASKED; i++) {
		struct asked *asked = &guards->asked[i];
		if (asked->sequence != sequence || asked->window == 0)
			continue;
		struct late *late = guards->late_count < (int)guards->limits.most_late ? calloc(1, sizeof(*late)) : NULL;
		if (late == NULL)
			return false;
		late->asked = *asked;
		late->notified = guards->notified;
		wl_list_insert(guards->late.prev, &late->link);
		guards->late_count++;
		return true;
	}
	return false;
}

/* A header of 32 bytes with the count at offset 8; then for each: window, mask, length in bytes, values. */
static pid_t pid_in(const void *reply) {
	uint32_t words[12] = {0};
	uint32_t length;
	memcpy(&length, (const char *)reply + 4, sizeof(length));
	memcpy(words, reply, length >= 4 ? sizeof(words) : 32);
	return words[2] > 0 && (words[9] & PID_MASK) != 0 && words[10] >= 4 ? (pid_t)words[11] : 0;
}

/* Reports a late reply that wlroots reads only once, when a window is created, and can do without. */
static void complete(x11_guards *guards, const struct late *late) {
	if (late->asked.kind == GEOMETRY)
		guards->on.depth_came(guards->on.user, late->asked.window, ((xcb_get_geometry_reply_t *)late->reply)->depth);
	else
		guards->on.process_came(guards->on.user, late->asked.window, pid_in(late->reply));
}

/* Pretends that the property just changed, or that the selection just arrived. wlroots then asks again and gets
 * the kept reply. A selection cannot be read again, because reading deletes it. */
static xcb_generic_event_t *change_of(const struct late *late) {
	xcb_property_notify_event_t *change = calloc(1, sizeof(xcb_generic_event_t));
	if (change == NULL)
		return NULL;
	if (late->asked.kind == SELECTION) {
		memcpy(change, &late->notified, sizeof(late->notified));
		return (xcb_generic_event_t *)change;
	}
	change->response_type = XCB_PROPERTY_NOTIFY;
	change->window = late->asked.window;
	change->atom = late->asked.property;
	change->state = XCB_PROPERTY_NEW_VALUE;
	return (xcb_generic_event_t *)change;
}

/* The next event that makes wlroots ask for a late reply. */
static xcb_generic_event_t *hear_late(x11_guards *guards, xcb_connection_t *connection) {
	struct late *late, *next;
	wl_list_for_each_safe(late, next, &guards->late, link) {
		xcb_generic_error_t *error = NULL;
		if (!xcb_poll_for_reply(connection, late->asked.sequence, &late->reply, &error))
			return NULL; /* they arrive in order */
		free(error);
		guards->heard_at = now();
		xcb_generic_event_t *change = NULL;
		if (late->reply != NULL && (late->asked.kind == PROPERTY || late->asked.kind == SELECTION))
			change = change_of(late);
		else if (late->reply != NULL)
			complete(guards, late);
		if (change != NULL) {
			guards->offered = late;
			return change;
		}
		late_free(guards, late);
	}
	return NULL;
}

/* ---- events ---- */

static void hear_probe(x11_guards *guards, xcb_connection_t *connection) {
	void *reply = NULL;
	xcb_generic_error_t *error = NULL;
	if (!guards->probing || !xcb_poll_for_reply(connection, guards->probe, &reply, &error))
		return;
	free(reply);
	free(error);
	guards->probing = false;
	guards->heard_at = now();
	int64_t silence = guards->heard_at - guards->probed_at;
	if (silence > guards->limits.long_silence)
		guards->on.answers_again(guards->on.user, silence);
	if (guards->unsent)
		flush(guards, connection, false);
}

/*
 * Xwayland announces in messages which surface belongs to a window. wlroots fails an assertion if a message names
 * another kind of object, or if two windows have the same surface (WL_SURFACE_SERIAL on 0.18). Messages sent by
 * X11 programs carry a flag. On 0.18 the atom is known. On 0.15 the first message without the flag reveals it,
 * because no other messages lack the flag, and flagged ones are irrelevant before there is a window.
 */
static bool is_in_xwaylands_name(x11_guards *guards, const xcb_generic_event_t *event) {
	if ((event->response_type & KIND) != XCB_CLIENT_MESSAGE)
		return false;
	xcb_atom_t type = ((const xcb_client_message_event_t *)event)->type;
	bool sent = event->response_type & SENT_BY_A_CLIENT;
	if (!sent && guards->surface_message == XCB_ATOM_NONE)
		guards->surface_message = type;
	return sent && (guards->surface_message == XCB_ATOM_NONE || guards->surface_message == type || guards->serial_message == type);
}

static bool is_for_nobody(x11_guards *guards, xcb_connection_t *connection, xcb_generic_event_t *event) {
	if (is_forged(event))
		return true;
	/* A client may send this too. Ignore it then. */
	if (event->response_type == XCB_REPARENT_NOTIFY)
		guards->on.reparented(guards->on.user, connection, event);
	if (is_passed_over(guards, connection, event) || is_in_xwaylands_name(guards, event))
		return true;
	if (event->response_type == XCB_REPARENT_NOTIFY)
		guards->on.reparented_on(guards->on.user, connection, event);
	return false;
}

static xcb_generic_event_t *next_event(x11_guards *guards, xcb_connection_t *connection) {
	if (guards->offered != NULL)
		late_free(guards, guards->offered); /* its window is gone, so wlroots will not ask for it */
	if (guards->surface_named)
		guards->on.surface_named(guards->on.user);
	guards->surface_named = false;
	xcb_generic_event_t *event = guards->postponed;
	guards->postponed = NULL;
	while (event == NULL && (event = LIBXCB(xcb_poll_for_event)(connection)) != NULL && is_for_nobody(guards, connection, event)) {
		free(event);
		event = NULL;
		if (!turn_goes_on(guards))
			return NULL;
	}
	hear_probe(guards, connection);
	if (event != NULL)
		guards->heard_at = now();
	/* Replies that Xwayland sent before this event are older than the event. */
	xcb_generic_event_t *change = wl_list_empty(&guards->late) ? NULL : hear_late(guards, connection);
	if (change == NULL && event == NULL) {
		/* Events that arrived while looking for replies. */
		event = xcb_poll_for_queued_event(connection);
		if (event != NULL && is_for_nobody(guards, connection, event)) {
			free(event);
			event = NULL;
			look_again(guards);
		}
	}
	if (change != NULL)
		guards->postponed = event;
	else
		guards->surface_named = event != NULL && (event->response_type & KIND) == XCB_CLIENT_MESSAGE;
	return change != NULL ? change : event;
}

/* Whether too many bytes of Xwayland's Wayland requests are unread. Xwayland exits if it cannot send them. */
static bool is_unheard(const x11_guards *guards) {
	const struct wlr_xwayland_server *server = guards->wlr->server;
	int unread = 0;
	return server != NULL && server->client != NULL && ioctl(wl_client_get_fd(server->client), FIONREAD, &unread) == 0 &&
		   unread > (int)guards->limits.most_unheard_bytes;
}

/* Events make wlroots send more to Xwayland. They wait while Xwayland handles earlier requests, and until its own
 * output is read. */
static bool is_loaded(x11_guards *guards, xcb_connection_t *connection) {
	if (maps_are_many(guards, connection))
		return true;
	if (guards->events % EVENTS != 0 || (unread_parts(guards) < guards->limits.unread_held && !is_unheard(guards)))
		return false;
	look_again(guards);
	return true;
}

/* ---- replacements for libxcb functions ---- */

INSTEAD xcb_generic_event_t *xcb_poll_for_event(xcb_connection_t *connection) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL)
		return LIBXCB(xcb_poll_for_event)(connection);
	/* Its end will be reported in a moment. Until then wlroots would look up a surface of no client. */
	const struct wlr_xwayland_server *server = guards->wlr->server;
	if (server == NULL || server->client == NULL)
		return NULL;
	xcb_generic_event_t *event = is_loaded(guards, connection) || !turn_goes_on(guards) ? NULL : next_event(guards, connection);
	guards->events = event != NULL ? guards->events + 1 : 0;
	if (event != NULL && (event->response_type & KIND) == XCB_SELECTION_NOTIFY)
		memcpy(&guards->notified, event, sizeof(guards->notified));
	if (event != NULL && (event->response_type & KIND) == XCB_SELECTION_REQUEST)
		guards->on.selection_asked(guards->on.user, connection, ((xcb_selection_request_event_t *)event)->requestor);
	if (event != NULL && (event->response_type & KIND) == XCB_MAP_REQUEST)
		guards->on.map_requested(guards->on.user, ((xcb_map_request_event_t *)event)->window);
	if (event != NULL && event->response_type == XCB_FOCUS_IN)
		guards->on.focus_came(guards->on.user, connection, ((xcb_focus_in_event_t *)event)->event);
	return event;
}

INSTEAD int xcb_flush(xcb_connection_t *connection) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL)
		return LIBXCB(xcb_flush)(connection);
	/* Also flush after the last event. */
	return guards->events % EVENTS == 0 ? flush(guards, connection, false) : 1;
}

INSTEAD xcb_get_property_cookie_t xcb_get_property(xcb_connection_t *connection, uint8_t delete, xcb_window_t window, xcb_atom_t property,
												   xcb_atom_t type, uint32_t offset, uint32_t length) {
	x11_guards *guards = guards_of(connection);
	struct late *late = guards != NULL ? guards->offered : NULL;
	enum kind kind = delete ? SELECTION : PROPERTY;
	if (late != NULL && late->asked.kind == kind && late->asked.window == window && late->asked.property == property) {
		property_asked(late->asked.sequence, window, property);
		remember(guards, late->asked.sequence, kind, window, property);
		return (xcb_get_property_cookie_t){.sequence = late->asked.sequence};
	}
	uint32_t words = guards != NULL ? words_to_ask(guards, delete, length) : length;
	xcb_get_property_cookie_t cookie = LIBXCB(xcb_get_property)(connection, delete, window, property, type, offset, words);
	if (guards != NULL)
		property_asked(cookie.sequence, window, property);
	/* After such an event, wlroots reads and deletes exactly this property, and nothing else. */
	if (guards != NULL && (!delete || (guards->notified.requestor == window && guards->notified.property == property)))
		remember(guards, cookie.sequence, kind, window, property);
	return cookie;
}

INSTEAD xcb_get_geometry_cookie_t xcb_get_geometry(xcb_connection_t *connection, xcb_drawable_t drawable) {
	x11_guards *guards = guards_of(connection);
	xcb_get_geometry_cookie_t cookie = LIBXCB(xcb_get_geometry)(connection, drawable);
	if (guards != NULL)
		remember(guards, cookie.sequence, GEOMETRY, drawable, 0);
	return cookie;
}

/* Declared here, because its header is in a package that nothing else needs. A specification is a window and a
 * mask. */
xcb_void_cookie_t xcb_res_query_client_ids(xcb_connection_t *connection, uint32_t count, const void *specifications);

INSTEAD xcb_void_cookie_t xcb_res_query_client_ids(xcb_connection_t *connection, uint32_t count, const void *specifications) {
	x11_guards *guards = guards_of(connection);
	xcb_void_cookie_t cookie = LIBXCB(xcb_res_query_client_ids)(connection, count, specifications);
	if (guards != NULL && count == 1) {
		uint32_t window;
		memcpy(&window, specifications, sizeof(window));
		remember(guards, cookie.sequence, CLIENT, window, 0);
	}
	return cookie;
}

INSTEAD void *xcb_wait_for_reply(xcb_connection_t *connection, unsigned int request, xcb_generic_error_t **error_out) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL)
		return LIBXCB(xcb_wait_for_reply)(connection, request, error_out);
	if (error_out != NULL)
		*error_out = NULL;
	void *reply = NULL;
	if (guards->offered != NULL && guards->offered->asked.sequence == request) {
		reply = guards->offered->reply;
		guards->offered->reply = NULL;
		late_free(guards, guards->offered);
		return reply;
	}
	xcb_generic_error_t *error = NULL;
	look_again(guards);
	flush(guards, connection, false);
	do {
		if (xcb_poll_for_reply(connection, request, &reply, &error)) {
			if (error_out != NULL)
				*error_out = error;
			else
				free(error);
			guards->heard_at = now();
			return reply;
		}
	} while (await(guards));
	if (!miss(guards, request))
		xcb_discard_reply(connection, request);
	flush(guards, connection, true);
	return NULL;
}

/* ---- life cycle ---- */

void x11_guards_end(x11_guards *guards) {
	if (current == guards)
		current = NULL;
	flood_end(guards);
	free(guards->postponed);
	struct late *late, *next_late;
	wl_list_for_each_safe(late, next_late, &guards->late, link) late_free(guards, late);
	free(guards);
}

/* The window manager ends. The next one may have the same address. */
void answers_over(const x11_guards *guards) {
	if (current == guards)
		current = NULL;
}

void x11_guards_set_messages(x11_guards *guards, uint32_t surface, uint32_t serial) {
	guards->surface_message = surface;
	guards->serial_message = serial;
}

x11_guards *x11_guards_begin(void *xwayland, struct wl_event_loop *loop, const struct x11_guards_hooks *hooks,
							 const struct x11_guards_limits *limits) {
	x11_guards *guards = calloc(1, sizeof(*guards));
	if (guards == NULL)
		return NULL;
	guards->on = *hooks;
	guards->limits = *limits;
	guards->wlr = xwayland;
	guards->xwm = guards->wlr->xwm;
	guards->fd = lent_fd_of(guards->wlr->server->wm_fd[0]);
	wl_list_init(&guards->late);
	if (!flood_begin(guards, loop)) {
		free(guards);
		return NULL;
	}
	/* The most that any process may have. 1/32 of it is slightly less than libxcb collects before it must send. */
	setsockopt(lent_fd_number(guards->fd), SOL_SOCKET, SO_SNDBUF, &(int){212992}, sizeof(int));
	guards->patience = guards->limits.patience;
	guards->counted_at = guards->heard_at = now();
	current = guards;
	return guards;
}
