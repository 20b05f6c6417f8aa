/*
 * Xwayland's answers. C, because it defines functions of libxcb anew and sees every event. wlroots waits for them wherever it reads a property, and one X11 program with one request can keep
 * Xwayland busy for minutes: the shell, and with it everybody, would stand still as long. So the functions of libxcb with
 * which wlroots waits are ours. They go on to libxcb's own, and for the window manager's connection
 *
 * - no more than a fifth of the time is waited for answers. wlroots hears "no answer" then, which it takes for a property
 *   that is not there. What comes late is kept, and wlroots is told that the property has changed: it reads it again,
 *   and gets what is kept;
 * - nothing is sent to an Xwayland that is silent until it speaks again, and one that leaves a fifth of what its socket
 *   holds unread is ended: from a quarter on, libxcb waits for it to read.
 */
#include "guards.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The longest wait in one piece, and one after which Xwayland counts as silent. What is missed comes late, and a window is
 * placed without it; so not shorter than what a busy machine takes for a new window. */
#define PATIENCE_NS INT64_C(250000000)
#define SHARE 5
/* One that has said nothing for so long is asked whether it listens before it is told much. */
#define ATTENTION_NS INT64_C(1000000000)
/* Worth a line in the log. */
#define LONG_NS INT64_C(2000000000)
#define MOST_LATE 4096
/* After so many events what they had wlroots say is sent, if not before: each piece has a price, whatever its length. */
#define EVENTS 16
#define MOST_UNHEARD 8192
#define PID_MASK 2u   /* XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID */

/* A question whose answer wlroots did not wait for. */
struct late {
	struct wl_list link;
	struct asked asked;
	xcb_selection_notify_event_t notified;   /* of a selection: why wlroots asked */
	void *reply;         /* once it is there */
};

/* wlroots asks libxcb with nothing but the connection in hand; there is one at a time. */
static x11_guards *current;

x11_guards *guards_of(xcb_connection_t *connection) {
	/* wlroots' window manager ends with Xwayland, and the number of the next one's descriptor may be the same. */
	return current != NULL && current->wlr->xwm == current->xwm &&
		xcb_get_file_descriptor(connection) == lent_fd_number(current->fd) ? current : NULL;
}

/* ---- silence ---- */

static bool is_silent(const x11_guards *guards) {
	return guards->probing && now() - guards->probed_at > PATIENCE_NS;
}

/* How many parts, of 32, of what its socket holds it has not read. */
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
	shutdown(lent_fd_number(guards->fd), SHUT_RDWR);   /* from here on nobody waits to write */
}

/* Much may have been sent at once: an image, a piece of the clipboard. */
static bool has_room(const x11_guards *guards) {
	struct pollfd entry = { .fd = lent_fd_number(guards->fd), .events = POLLOUT };
	return poll(&entry, 1, PATIENCE_NS / 1000000) > 0;
}

static void hear_probe(x11_guards *guards, xcb_connection_t *connection);

static int flush(x11_guards *guards, xcb_connection_t *connection, bool in_doubt) {
	if (is_silent(guards)) {
		look_again(guards);
		hear_probe(guards, connection);   /* it may be the shell that was slow */
	}
	int unread = unread_parts(guards);
	bool silent = is_silent(guards);
	/* It may be busy with what it was told. One piece that libxcb sends by itself takes little more than one part. */
	bool stuck = silent && (unread >= 7 || (unread >= 6 && now() - guards->probed_at > LONG_NS));
	if (stuck || (unread >= 8 && !has_room(guards)))
		end(guards);
	bool ask = !guards->probing && (in_doubt || unread >= 3 || now() - guards->heard_at > ATTENTION_NS);
	if (ask) {
		/* Anything that costs Xwayland nothing and has an answer. */
		guards->probe = xcb_get_input_focus(connection).sequence;
		guards->probing = true;
		guards->probed_at = now();
	}
	/* In libxcb's own 16 KiB it takes the least room. */
	guards->unsent = silent || (unread >= 4 && !ask);
	return guards->unsent ? 1 : LIBXCB(xcb_flush)(connection);
}

/* Waits a moment for something to read; says no when the shell has waited enough. */
static bool await(x11_guards *guards) {
	int64_t time = now();
	int64_t patience = guards->patience + (time - guards->counted_at) / SHARE;
	patience = patience > PATIENCE_NS ? PATIENCE_NS : patience;
	guards->patience = patience;
	guards->counted_at = time;
	if (patience < 1000000 || is_silent(guards))
		return false;
	struct pollfd entry = { .fd = lent_fd_number(guards->fd), .events = POLLIN };
	int ready = poll(&entry, 1, patience / 1000000);
	guards->counted_at = now();
	guards->patience -= guards->counted_at - time;
	return ready != 0;
}

bool x11_guards_may_tell(const x11_guards *guards) {
	return !guards->ended && !is_silent(guards) && unread_parts(guards) < 3;
}

/* ---- what comes late ---- */

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
		.sequence = sequence, .kind = kind, .window = window, .property = property,
	};
}

static bool miss(x11_guards *guards, unsigned int sequence) {
	for (int i = 0; i < ASKED; i++) {
		struct asked *asked = &guards->asked[i];
		if (asked->sequence != sequence || asked->window == 0)
			continue;
		struct late *late = guards->late_count < MOST_LATE ? calloc(1, sizeof(*late)) : NULL;
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

/* A header of 32 bytes with the count at 8, and for each: window, mask, length in bytes, values. */
static pid_t pid_in(const void *reply) {
	uint32_t words[12] = { 0 };
	uint32_t length;
	memcpy(&length, (const char *)reply + 4, sizeof(length));
	memcpy(words, reply, length >= 4 ? sizeof(words) : 32);
	return words[2] > 0 && (words[9] & PID_MASK) != 0 && words[10] >= 4 ? (pid_t)words[11] : 0;
}

/* What wlroots reads once, when a window begins, and without which it does well enough. */
static void complete(x11_guards *guards, const struct late *late) {
	if (late->asked.kind == GEOMETRY)
		guards->on.depth_came(guards->on.user, late->asked.window, ((xcb_get_geometry_reply_t *)late->reply)->depth);
	else
		guards->on.process_came(guards->on.user, late->asked.window, pid_in(late->reply));
}

/* As if the property had just changed, or the selection just come: wlroots asks for it again, and gets the answer that is
 * there. A selection is there no more, because reading deletes it. */
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

/* The event that has wlroots ask for what came late, one at a time. */
static xcb_generic_event_t *hear_late(x11_guards *guards, xcb_connection_t *connection) {
	struct late *late, *next;
	wl_list_for_each_safe(late, next, &guards->late, link) {
		xcb_generic_error_t *error = NULL;
		if (!xcb_poll_for_reply(connection, late->asked.sequence, &late->reply, &error))
			return NULL;   /* they come in order */
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
	if (silence > LONG_NS)
		guards->on.answers_again(guards->on.user, silence);
	if (guards->unsent)
		flush(guards, connection, false);
}

/*
 * Xwayland says in messages which surface a window has, and wlroots ends with an assertion when one names another object,
 * or two windows have the same one (WL_SURFACE_SERIAL on 0.18). Those that X11 programs send bear a mark. What the atom
 * is, is known on 0.18; on 0.15 the first unmarked message tells, for nothing else is without the mark, and there is
 * nothing to be said in marked ones before there is a window.
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
	/* A client may say such a thing, too, and is not believed. */
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
		late_free(guards, guards->offered);   /* its window is gone: nobody asked */
	if (guards->surface_named)
		guards->on.surface_named(guards->on.user);
	guards->surface_named = false;
	xcb_generic_event_t *event = guards->postponed;
	guards->postponed = NULL;
	while (event == NULL && (event = LIBXCB(xcb_poll_for_event)(connection)) != NULL &&
			is_for_nobody(guards, connection, event)) {
		free(event);
		event = NULL;
		if (!turn_goes_on(guards))
			return NULL;
	}
	hear_probe(guards, connection);
	if (event != NULL)
		guards->heard_at = now();
	/* Answers that Xwayland gave before this event are older than what it tells. */
	xcb_generic_event_t *change = wl_list_empty(&guards->late) ? NULL : hear_late(guards, connection);
	if (change == NULL && event == NULL) {
		/* What has come while answers were looked for. */
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

/* What Xwayland says as a Wayland client: it ends itself when that goes nowhere. */
static bool is_unheard(const x11_guards *guards) {
	const struct wlr_xwayland_server *server = guards->wlr->server;
	int unread = 0;
	return server != NULL && server->client != NULL && ioctl(wl_client_get_fd(server->client), FIONREAD, &unread) == 0 &&
		unread > MOST_UNHEARD;
}

/* Events have wlroots tell Xwayland more: they wait while it reads, as it does what it was told, and while it is heard. */
static bool is_loaded(x11_guards *guards, xcb_connection_t *connection) {
	if (maps_are_many(guards, connection))
		return true;
	if (guards->events % EVENTS != 0 || (unread_parts(guards) < 4 && !is_unheard(guards)))
		return false;
	look_again(guards);
	return true;
}

/* ---- instead of libxcb's ---- */

INSTEAD xcb_generic_event_t *xcb_poll_for_event(xcb_connection_t *connection) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL)
		return LIBXCB(xcb_poll_for_event)(connection);
	/* Whose end is heard of in a moment: wlroots would look for a surface of no client. */
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
	return event;
}

INSTEAD int xcb_flush(xcb_connection_t *connection) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL)
		return LIBXCB(xcb_flush)(connection);
	/* It is told when there are no more events, too. */
	return guards->events % EVENTS == 0 ? flush(guards, connection, false) : 1;
}

INSTEAD xcb_get_property_cookie_t xcb_get_property(xcb_connection_t *connection, uint8_t delete, xcb_window_t window,
		xcb_atom_t property, xcb_atom_t type, uint32_t offset, uint32_t length) {
	x11_guards *guards = guards_of(connection);
	struct late *late = guards != NULL ? guards->offered : NULL;
	enum kind kind = delete ? SELECTION : PROPERTY;
	if (late != NULL && late->asked.kind == kind && late->asked.window == window && late->asked.property == property) {
		property_asked(late->asked.sequence, window, property);
		return (xcb_get_property_cookie_t){ .sequence = late->asked.sequence };
	}
	uint32_t words = guards != NULL ? words_to_ask(delete, length) : length;
	xcb_get_property_cookie_t cookie = LIBXCB(xcb_get_property)(connection, delete, window, property, type, offset, words);
	if (guards != NULL)
		property_asked(cookie.sequence, window, property);
	/* wlroots reads and deletes at once what such an event tells of, and nothing else. */
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

/* Declared here: its header is in a package that nothing else needs. A specification is a window and a mask. */
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

/* ---- lifetime ---- */

void x11_guards_end(x11_guards *guards) {
	if (current == guards)
		current = NULL;
	flood_end(guards);
	free(guards->postponed);
	struct late *late, *next_late;
	wl_list_for_each_safe(late, next_late, &guards->late, link)
		late_free(guards, late);
	free(guards);
}

/* The window manager ends. The next one may lie where this one did. */
void answers_over(const x11_guards *guards) {
	if (current == guards)
		current = NULL;
}

void x11_guards_set_messages(x11_guards *guards, uint32_t surface, uint32_t serial) {
	guards->surface_message = surface;
	guards->serial_message = serial;
}

x11_guards *x11_guards_begin(void *xwayland, struct wl_event_loop *loop, const struct x11_guards_hooks *hooks) {
	x11_guards *guards = calloc(1, sizeof(*guards));
	if (guards == NULL)
		return NULL;
	guards->on = *hooks;
	guards->wlr = xwayland;
	guards->xwm = guards->wlr->xwm;
	guards->fd = lent_fd_of(guards->wlr->server->wm_fd[0]);
	wl_list_init(&guards->late);
	if (!flood_begin(guards, loop)) {
		free(guards);
		return NULL;
	}
	/* As much as anybody may have; 1/32 of it is little less than what libxcb collects before it must send. */
	setsockopt(lent_fd_number(guards->fd), SOL_SOCKET, SO_SNDBUF, &(int){ 212992 }, sizeof(int));
	guards->patience = PATIENCE_NS;
	guards->counted_at = guards->heard_at = now();
	current = guards;
	return guards;
}
