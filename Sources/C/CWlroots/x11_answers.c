/*
 * Xwayland's answers. wlroots waits for them wherever it reads a property, and one X11 program with one request can keep
 * Xwayland busy for minutes: the shell, and with it everybody, would stand still as long. So the functions of libxcb with
 * which wlroots waits are ours. They go on to libxcb's own, and for the window manager's connection
 *
 * - no more than a fifth of the time is waited for answers. wlroots hears "no answer" then, which it takes for a property
 *   that is not there. What comes late is kept, and wlroots is told that the property has changed: it reads it again,
 *   and gets what is kept;
 * - nothing is sent to an Xwayland that is silent until it speaks again, and one that leaves a fifth of what its socket
 *   holds unread is ended: from a quarter on, libxcb waits for it to read.
 */
#include "x11.h"

#include <linux/sockios.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

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
/* wlroots reads the answers to one request, or one dozen of them, before it asks on. */
#define ASKED 64

#define PID_MASK 2u   /* XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID */

enum kind { PROPERTY, SELECTION, GEOMETRY, CLIENT };

/* What wlroots asked for, by the number of the request. */
struct asked {
	unsigned int sequence;
	enum kind kind;
	uint32_t window, property;
};

/* A question whose answer wlroots did not wait for. */
struct late {
	struct wl_list link;
	struct asked asked;
	xcb_selection_notify_event_t notified;   /* of a selection: why wlroots asked */
	void *reply;         /* once it is there */
};

struct mw_x11_answers {
	struct mw_xwayland *xwayland;
	const struct wlr_xwm *xwm;
	lent_fd fd;                           /* wlroots' connection to Xwayland */
	struct wl_list late;                  /* in the order of the questions */
	int late_count;
	struct late *offered;                 /* what wlroots gets if it asks for it now */
	unsigned int events;                  /* that wlroots has got since there were none */
	bool surface_named;                   /* the event before may have said which surface a window has */
	xcb_selection_notify_event_t notified;   /* the last one that wlroots got */
	xcb_generic_event_t *postponed;       /* until wlroots has read what came before it */
	bool probing, unsent, ended;
	struct wl_event_source *ending;
	unsigned int probe;
	int64_t probed_at, heard_at;
	int64_t patience, counted_at;
	struct asked asked[ASKED];
	int next;
};

/* wlroots asks libxcb with nothing but the connection in hand; there is one at a time. */
static struct mw_x11_answers *current;

static struct mw_x11_answers *of(xcb_connection_t *connection) {
	/* wlroots' window manager ends with Xwayland, and the number of the next one's descriptor may be the same. */
	return current != NULL && current->xwayland->wlr->xwm == current->xwm &&
		xcb_get_file_descriptor(connection) == lent_fd_number(current->fd) ? current : NULL;
}

struct mw_xwayland *mw_x11_of(xcb_connection_t *connection) {
	struct mw_x11_answers *answers = of(connection);
	return answers != NULL ? answers->xwayland : NULL;
}

/* ---- silence ---- */

static bool is_silent(const struct mw_x11_answers *answers) {
	return answers->probing && mw_now() - answers->probed_at > PATIENCE_NS;
}

static void say(struct mw_x11_answers *answers, bool worse, const char *text) {
	mw_server *server = answers->xwayland->server;
	server->on.log(server->on.user, worse ? WLR_ERROR : WLR_INFO, text);
}

/* How many parts, of 32, of what its socket holds it has not read. */
static int unread_parts(const struct mw_x11_answers *answers) {
	int unread = 0, room = 0;
	socklen_t length = sizeof(room);
	if (ioctl(lent_fd_number(answers->fd), SIOCOUTQ, &unread) != 0 ||
			getsockopt(lent_fd_number(answers->fd), SOL_SOCKET, SO_SNDBUF, &room, &length) != 0 || room <= 0)
		return 0;
	return (int)(INT64_C(32) * unread / room);
}

static void on_end(void *data) {
	struct mw_x11_answers *answers = data;
	answers->ending = NULL;
	struct wlr_xwayland_server *server = answers->xwayland->wlr->server;
	if (server != NULL && server->client != NULL && answers->xwayland->wlr->xwm == answers->xwm)
		wl_client_destroy(server->client);
}

/* wlroots is in the middle of something, so its window manager and Xwayland's windows go in the next turn of the loop. */
static void end(struct mw_x11_answers *answers) {
	if (answers->ended)
		return;
	answers->ended = true;
	char text[160];
	snprintf(text, sizeof(text), "Xwayland has answered nothing for %.1f s and does not read what it is told: it is ended",
		(mw_now() - answers->heard_at) / 1e9);
	say(answers, true, text);
	shutdown(lent_fd_number(answers->fd), SHUT_RDWR);   /* from here on nobody waits to write */
	mw_server *server = answers->xwayland->server;
	answers->ending = wl_event_loop_add_idle(wl_display_get_event_loop(server->display), on_end, answers);
}

/* Much may have been sent at once: an image, a piece of the clipboard. */
static bool has_room(const struct mw_x11_answers *answers) {
	struct pollfd entry = { .fd = lent_fd_number(answers->fd), .events = POLLOUT };
	return poll(&entry, 1, PATIENCE_NS / 1000000) > 0;
}

static void hear_probe(struct mw_x11_answers *answers, xcb_connection_t *connection);

static int flush(struct mw_x11_answers *answers, xcb_connection_t *connection, bool in_doubt) {
	if (is_silent(answers)) {
		mw_x11_look_again(answers->xwayland);
		hear_probe(answers, connection);   /* it may be the shell that was slow */
	}
	int unread = unread_parts(answers);
	bool silent = is_silent(answers);
	/* It may be busy with what it was told. One piece that libxcb sends by itself takes little more than one part. */
	bool stuck = silent && (unread >= 7 || (unread >= 6 && mw_now() - answers->probed_at > LONG_NS));
	if (stuck || (unread >= 8 && !has_room(answers)))
		end(answers);
	bool ask = !answers->probing && (in_doubt || unread >= 3 || mw_now() - answers->heard_at > ATTENTION_NS);
	if (ask) {
		/* Anything that costs Xwayland nothing and has an answer. */
		answers->probe = xcb_get_input_focus(connection).sequence;
		answers->probing = true;
		answers->probed_at = mw_now();
	}
	/* In libxcb's own 16 KiB it takes the least room. */
	answers->unsent = silent || (unread >= 4 && !ask);
	return answers->unsent ? 1 : LIBXCB(xcb_flush)(connection);
}

/* Waits a moment for something to read; says no when the shell has waited enough. */
static bool await(struct mw_x11_answers *answers) {
	int64_t now = mw_now();
	int64_t patience = answers->patience + (now - answers->counted_at) / SHARE;
	patience = patience > PATIENCE_NS ? PATIENCE_NS : patience;
	answers->patience = patience;
	answers->counted_at = now;
	if (patience < 1000000 || is_silent(answers))
		return false;
	struct pollfd entry = { .fd = lent_fd_number(answers->fd), .events = POLLIN };
	int ready = poll(&entry, 1, patience / 1000000);
	answers->counted_at = mw_now();
	answers->patience -= answers->counted_at - now;
	return ready != 0;
}

bool mw_x11_may_be_told(const struct mw_xwayland *xwayland) {
	const struct mw_x11_answers *answers = xwayland->answers;
	return answers != NULL && !answers->ended && !is_silent(answers) && unread_parts(answers) < 3;
}

/* ---- what comes late ---- */

static void late_free(struct mw_x11_answers *answers, struct late *late) {
	wl_list_remove(&late->link);
	answers->late_count--;
	if (answers->offered == late)
		answers->offered = NULL;
	free(late->reply);
	free(late);
}

static void remember(struct mw_x11_answers *answers, unsigned int sequence, enum kind kind, uint32_t window, uint32_t property) {
	answers->asked[answers->next++ % ASKED] = (struct asked){
		.sequence = sequence, .kind = kind, .window = window, .property = property,
	};
}

static bool miss(struct mw_x11_answers *answers, unsigned int sequence) {
	for (int i = 0; i < ASKED; i++) {
		struct asked *asked = &answers->asked[i];
		if (asked->sequence != sequence || asked->window == 0)
			continue;
		struct late *late = answers->late_count < MOST_LATE ? calloc(1, sizeof(*late)) : NULL;
		if (late == NULL)
			return false;
		late->asked = *asked;
		late->notified = answers->notified;
		wl_list_insert(answers->late.prev, &late->link);
		answers->late_count++;
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
static void complete(struct mw_x11_answers *answers, const struct late *late) {
	struct x11 *item;
	wl_list_for_each(item, &answers->xwayland->surfaces, link) {
		if (item->x->window_id != late->asked.window)
			continue;
		if (late->asked.kind == GEOMETRY)
			item->x->has_alpha = ((xcb_get_geometry_reply_t *)late->reply)->depth == 32;
		else
			item->x->pid = pid_in(late->reply);
		if (item->window != NULL)
			mw_window_report_renamed(item->window);
	}
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
static xcb_generic_event_t *hear_late(struct mw_x11_answers *answers, xcb_connection_t *connection) {
	struct late *late, *next;
	wl_list_for_each_safe(late, next, &answers->late, link) {
		xcb_generic_error_t *error = NULL;
		if (!xcb_poll_for_reply(connection, late->asked.sequence, &late->reply, &error))
			return NULL;   /* they come in order */
		free(error);
		answers->heard_at = mw_now();
		xcb_generic_event_t *change = NULL;
		if (late->reply != NULL && (late->asked.kind == PROPERTY || late->asked.kind == SELECTION))
			change = change_of(late);
		else if (late->reply != NULL)
			complete(answers, late);
		if (change != NULL) {
			answers->offered = late;
			return change;
		}
		late_free(answers, late);
	}
	return NULL;
}

/* ---- events ---- */

static void hear_probe(struct mw_x11_answers *answers, xcb_connection_t *connection) {
	void *reply = NULL;
	xcb_generic_error_t *error = NULL;
	if (!answers->probing || !xcb_poll_for_reply(connection, answers->probe, &reply, &error))
		return;
	free(reply);
	free(error);
	answers->probing = false;
	answers->heard_at = mw_now();
	int64_t silence = answers->heard_at - answers->probed_at;
	if (silence > LONG_NS) {
		char text[96];
		snprintf(text, sizeof(text), "Xwayland answers again, after %.1f s: X11 windows stood still", silence / 1e9);
		say(answers, false, text);
	}
	if (answers->unsent)
		flush(answers, connection, false);
}

/* wlroots maps a window when its surface is committed, and not if it learns after that whose surface it is. */
static void map_drawn(struct mw_xwayland *xwayland) {
	struct x11 *item, *next;
	wl_list_for_each_safe(item, next, &xwayland->surfaces, link) {
		struct wlr_surface *surface = item->x->surface;
		if (surface == NULL || !wlr_surface_has_buffer(surface))
			continue;
#if WLR18
		if (!surface->mapped)
			wlr_surface_map(surface);
#else
		if (!item->x->mapped && surface->role != NULL)
			surface->role->commit(surface);
#endif
	}
}

static bool is_for_nobody(struct mw_xwayland *xwayland, xcb_connection_t *connection, xcb_generic_event_t *event) {
	if (mw_x11_is_forged(event))
		return true;
	mw_x11_left_the_root(xwayland, connection, event);
	if (mw_x11_passed_over(xwayland, connection, event))
		return true;
	mw_x11_came_to_the_root(xwayland, connection, event);
	return false;
}

static xcb_generic_event_t *next_event(struct mw_x11_answers *answers, xcb_connection_t *connection) {
	if (answers->offered != NULL)
		late_free(answers, answers->offered);   /* its window is gone: nobody asked */
	if (answers->surface_named)
		map_drawn(answers->xwayland);
	answers->surface_named = false;
	xcb_generic_event_t *event = answers->postponed;
	answers->postponed = NULL;
	while (event == NULL && (event = LIBXCB(xcb_poll_for_event)(connection)) != NULL &&
			is_for_nobody(answers->xwayland, connection, event)) {
		free(event);
		event = NULL;
		if (!mw_x11_turn_goes_on(answers->xwayland))
			return NULL;
	}
	hear_probe(answers, connection);
	if (event != NULL)
		answers->heard_at = mw_now();
	/* Answers that Xwayland gave before this event are older than what it tells. */
	xcb_generic_event_t *change = wl_list_empty(&answers->late) ? NULL : hear_late(answers, connection);
	if (change == NULL && event == NULL) {
		/* What has come while answers were looked for. */
		event = xcb_poll_for_queued_event(connection);
		if (event != NULL && is_for_nobody(answers->xwayland, connection, event)) {
			free(event);
			event = NULL;
			mw_x11_look_again(answers->xwayland);
		}
	}
	if (change != NULL)
		answers->postponed = event;
	else
		answers->surface_named = event != NULL && (event->response_type & 0x7f) == XCB_CLIENT_MESSAGE;
	return change != NULL ? change : event;
}

/* What Xwayland says as a Wayland client: it ends itself when that goes nowhere. */
static bool is_unheard(const struct mw_x11_answers *answers) {
	const struct wlr_xwayland_server *server = answers->xwayland->wlr->server;
	int unread = 0;
	return server != NULL && server->client != NULL && ioctl(wl_client_get_fd(server->client), FIONREAD, &unread) == 0 &&
		unread > MOST_UNHEARD;
}

/* Events have wlroots tell Xwayland more: they wait while it reads, as it does what it was told, and while it is heard. */
static bool is_loaded(struct mw_x11_answers *answers, xcb_connection_t *connection) {
	if (mw_x11_maps_are_many(answers->xwayland, connection))
		return true;
	if (answers->events % EVENTS != 0 || (unread_parts(answers) < 4 && !is_unheard(answers)))
		return false;
	mw_x11_look_again(answers->xwayland);
	return true;
}

/* ---- instead of libxcb's ---- */

INSTEAD xcb_generic_event_t *xcb_poll_for_event(xcb_connection_t *connection) {
	struct mw_x11_answers *answers = of(connection);
	if (answers == NULL)
		return LIBXCB(xcb_poll_for_event)(connection);
	/* Whose end is heard of in a moment: wlroots would look for a surface of no client. */
	const struct wlr_xwayland_server *server = answers->xwayland->wlr->server;
	if (server == NULL || server->client == NULL)
		return NULL;
	xcb_generic_event_t *event = is_loaded(answers, connection) || !mw_x11_turn_goes_on(answers->xwayland) ? NULL : next_event(answers, connection);
	answers->events = event != NULL ? answers->events + 1 : 0;
	if (event != NULL && (event->response_type & 0x7f) == XCB_SELECTION_NOTIFY)
		memcpy(&answers->notified, event, sizeof(answers->notified));
	if (event != NULL && (event->response_type & 0x7f) == XCB_SELECTION_REQUEST)
		mw_x11_selection_asked(answers->xwayland, connection, (xcb_selection_request_event_t *)event);
	return event;
}

INSTEAD int xcb_flush(xcb_connection_t *connection) {
	struct mw_x11_answers *answers = of(connection);
	if (answers == NULL)
		return LIBXCB(xcb_flush)(connection);
	/* It is told when there are no more events, too. */
	return answers->events % EVENTS == 0 ? flush(answers, connection, false) : 1;
}

INSTEAD xcb_get_property_cookie_t xcb_get_property(xcb_connection_t *connection, uint8_t delete, xcb_window_t window,
		xcb_atom_t property, xcb_atom_t type, uint32_t offset, uint32_t length) {
	struct mw_x11_answers *answers = of(connection);
	struct late *late = answers != NULL ? answers->offered : NULL;
	enum kind kind = delete ? SELECTION : PROPERTY;
	if (late != NULL && late->asked.kind == kind && late->asked.window == window && late->asked.property == property) {
		mw_x11_asked(late->asked.sequence, window, property);
		return (xcb_get_property_cookie_t){ .sequence = late->asked.sequence };
	}
	uint32_t words = answers != NULL ? mw_x11_words(delete, length) : length;
	xcb_get_property_cookie_t cookie = LIBXCB(xcb_get_property)(connection, delete, window, property, type, offset, words);
	if (answers != NULL)
		mw_x11_asked(cookie.sequence, window, property);
	/* wlroots reads and deletes at once what such an event tells of, and nothing else. */
	if (answers != NULL && (!delete || (answers->notified.requestor == window && answers->notified.property == property)))
		remember(answers, cookie.sequence, kind, window, property);
	return cookie;
}

INSTEAD xcb_get_geometry_cookie_t xcb_get_geometry(xcb_connection_t *connection, xcb_drawable_t drawable) {
	struct mw_x11_answers *answers = of(connection);
	xcb_get_geometry_cookie_t cookie = LIBXCB(xcb_get_geometry)(connection, drawable);
	if (answers != NULL)
		remember(answers, cookie.sequence, GEOMETRY, drawable, 0);
	return cookie;
}

/* Declared here: its header is in a package that nothing else needs. A specification is a window and a mask. */
xcb_void_cookie_t xcb_res_query_client_ids(xcb_connection_t *connection, uint32_t count, const void *specifications);

INSTEAD xcb_void_cookie_t xcb_res_query_client_ids(xcb_connection_t *connection, uint32_t count, const void *specifications) {
	struct mw_x11_answers *answers = of(connection);
	xcb_void_cookie_t cookie = LIBXCB(xcb_res_query_client_ids)(connection, count, specifications);
	if (answers != NULL && count == 1) {
		uint32_t window;
		memcpy(&window, specifications, sizeof(window));
		remember(answers, cookie.sequence, CLIENT, window, 0);
	}
	return cookie;
}

INSTEAD void *xcb_wait_for_reply(xcb_connection_t *connection, unsigned int request, xcb_generic_error_t **error_out) {
	struct mw_x11_answers *answers = of(connection);
	if (answers == NULL)
		return LIBXCB(xcb_wait_for_reply)(connection, request, error_out);
	if (error_out != NULL)
		*error_out = NULL;
	void *reply = NULL;
	if (answers->offered != NULL && answers->offered->asked.sequence == request) {
		reply = answers->offered->reply;
		answers->offered->reply = NULL;
		late_free(answers, answers->offered);
		return reply;
	}
	xcb_generic_error_t *error = NULL;
	mw_x11_look_again(answers->xwayland);
	flush(answers, connection, false);
	do {
		if (xcb_poll_for_reply(connection, request, &reply, &error)) {
			if (error_out != NULL)
				*error_out = error;
			else
				free(error);
			answers->heard_at = mw_now();
			return reply;
		}
	} while (await(answers));
	if (!miss(answers, request))
		xcb_discard_reply(connection, request);
	flush(answers, connection, true);
	return NULL;
}

/* ---- lifetime ---- */

void mw_x11_answers_end(struct mw_xwayland *xwayland) {
	struct mw_x11_answers *answers = xwayland->answers;
	if (answers == NULL)
		return;
	free(answers->postponed);
	if (answers->ending != NULL)
		wl_event_source_remove(answers->ending);
	struct late *late, *next_late;
	wl_list_for_each_safe(late, next_late, &answers->late, link)
		late_free(answers, late);
	if (current == answers)
		current = NULL;
	xwayland->answers = NULL;
	free(answers);
}

/* The window manager ends, and its connection. The next one may lie where this one did. */
void mw_x11_answers_over(struct mw_xwayland *xwayland) {
	if (current != NULL && current->xwayland == xwayland)
		current = NULL;
}

void mw_x11_answers_begin(struct mw_xwayland *xwayland) {
	mw_x11_answers_end(xwayland);
	struct mw_x11_answers *answers = calloc(1, sizeof(*answers));
	if (answers == NULL)
		return;   /* then wlroots waits as it does */
	answers->xwayland = xwayland;
	answers->xwm = xwayland->wlr->xwm;
	answers->fd = lent_fd_of(xwayland->wlr->server->wm_fd[0]);
	/* As much as anybody may have; 1/32 of it is little less than what libxcb collects before it must send. */
	setsockopt(lent_fd_number(answers->fd), SOL_SOCKET, SO_SNDBUF, &(int){ 212992 }, sizeof(int));
	answers->patience = PATIENCE_NS;
	answers->counted_at = answers->heard_at = mw_now();
	wl_list_init(&answers->late);
	xwayland->answers = answers;
	current = answers;
}
