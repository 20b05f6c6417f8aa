/* C, because it sees every X11 event. Protects the shell from X11 programs that cause more events than it can
 * handle. wlroots handles events as long as there are any, and one program can make them faster than that. The
 * shell would do nothing else until the program stops. So
 *
 * - events are handled for a few milliseconds per turn of the loop, so that other clients get their turn;
 * - a program that causes so many events that the shell falls behind permanently is disconnected, and its remaining
 *   events are dropped, except for those that end something;
 * - messages, whose sender is unknown, are dropped when there are too many about one program, and so are replies
 *   without a request.
 */
#include "guards.h"

/* As many programs as Xwayland serves at once. The first one is Xwayland itself. */
#define PROGRAMS 512

/* wlroots collects the parts of these messages, without limit if the end is missing, although nothing listens to
 * them. */
static const char *const unheard[] = {"_NET_STARTUP_INFO_BEGIN", "_NET_STARTUP_INFO"};

/* Selection requests that may wait for replies at once. */
#define QUESTIONS 1024

struct program {
	uint32_t events, messages;
	uint32_t questions; /* unanswered, for selections; the last one: */
	int64_t questioned_at;
	bool ended;
	uint32_t ended_by; /* the request after which its events are dropped */
};

struct flood {
	struct wl_event_source *timer;
	bool over;							/* the rest waits for the next turn */
	int64_t began;						/* 0: not in this turn */
	unsigned int names[COUNT(unheard)]; /* requests for the atoms */
	uint32_t atoms[COUNT(unheard)];
	bool asked; /* counting until an event is newer than: */
	uint32_t question;
	uint32_t requestors[QUESTIONS]; /* windows of wlroots with an unanswered selection request; 0: none */
	size_t next_requestor;
	uint32_t maps, maps_question; /* since the sync request `maps_question`; 0: none is pending */
	uint32_t questions;			  /* of all programs; the last one: */
	int64_t questioned_at;
	struct program programs[PROGRAMS];
};

static int on_next_turn(void *data) {
	struct flood *flood = data;
	flood->over = false;
	flood->began = 0;
	/* Data that is already read does not wake the loop. libwayland calls wlroots after this, as after every event. */
	return 1;
}

/* ---- one turn ---- */

void x11_guards_turn_begins(x11_guards *guards) {
	if (!guards->flood->over)
		guards->flood->began = 0;
}

bool turn_goes_on(x11_guards *guards) {
	struct flood *flood = guards->flood;
	if (flood->over)
		return false;
	int64_t time = now();
	if (flood->began == 0)
		flood->began = time;
	if (time - flood->began < guards->limits.slice)
		return true;
	flood->over = true;
	wl_event_source_timer_update(flood->timer, 1);
	return false;
}

bool maps_are_many(x11_guards *guards, xcb_connection_t *connection) {
	struct flood *flood = guards->flood;
	if (flood->maps < guards->limits.most_maps)
		return false;
	if (flood->maps_question == 0) {
		flood->maps_question = xcb_get_input_focus(connection).sequence;
		LIBXCB(xcb_flush)(connection);
	}
	void *reply = NULL;
	xcb_generic_error_t *error = NULL;
	if (!xcb_poll_for_reply(connection, flood->maps_question, &reply, &error)) {
		look_again(guards);
		return true;
	}
	free(reply);
	free(error);
	flood->maps = flood->maps_question = 0;
	return false;
}

/* A wait for a reply also reads events, and those no longer wake the loop. */
void look_again(x11_guards *guards) { wl_event_source_timer_update(guards->flood->timer, 1); }

/* A newer event shows how many were in flight at the time of the request. */
static void count_anew(struct flood *flood, xcb_connection_t *connection, const xcb_generic_event_t *event) {
	if (flood->asked && (int32_t)(event->full_sequence - flood->question) < 0)
		return;
	for (size_t i = 0; flood->asked && i < PROGRAMS; i++)
		flood->programs[i].events = flood->programs[i].messages = 0;
	flood->asked = true;
	flood->question = xcb_get_input_focus(connection).sequence;
	xcb_discard_reply(connection, flood->question);
}

/* ---- finding the program ---- */

/* The window of an event; 0 if it belongs to no program. */
static uint32_t window_of(const xcb_generic_event_t *event) {
	uint32_t words[8];
	memcpy(words, event, sizeof(words));
	switch (event->response_type & KIND) {
	case XCB_CREATE_NOTIFY:
	case XCB_DESTROY_NOTIFY:
	case XCB_UNMAP_NOTIFY:
	case XCB_MAP_NOTIFY:
	case XCB_MAP_REQUEST:
	case XCB_REPARENT_NOTIFY:
	case XCB_CONFIGURE_NOTIFY:
	case XCB_CONFIGURE_REQUEST:
	case XCB_GRAVITY_NOTIFY:
	case XCB_CIRCULATE_NOTIFY:
	case XCB_CIRCULATE_REQUEST:
		return words[2];
	case XCB_PROPERTY_NOTIFY:
	case XCB_FOCUS_IN:
	case XCB_FOCUS_OUT:
	case XCB_CLIENT_MESSAGE:
		return words[1];
	case XCB_SELECTION_REQUEST:
		return words[3];
	default:
		return 0;
	}
}

static bool is_unheard(struct flood *flood, xcb_connection_t *connection, const xcb_generic_event_t *event) {
	bool found = false;
	for (size_t i = 0; i < COUNT(unheard); i++) {
		void *reply = NULL;
		if (flood->names[i] == 0)
			flood->names[i] = xcb_intern_atom(connection, 0, strlen(unheard[i]), unheard[i]).sequence;
		else if (flood->atoms[i] == XCB_ATOM_NONE && xcb_poll_for_reply(connection, flood->names[i], &reply, NULL) && reply != NULL)
			flood->atoms[i] = ((xcb_intern_atom_reply_t *)reply)->atom;
		free(reply);
		found = found || ((event->response_type & KIND) == XCB_CLIENT_MESSAGE && flood->atoms[i] != XCB_ATOM_NONE &&
						  ((const xcb_client_message_event_t *)event)->type == flood->atoms[i]);
	}
	return found;
}

/* Events that only the server can know about. A program may take its own window back with a sent event; messages
 * and replies are always sent. */
bool is_forged(const xcb_generic_event_t *event) {
	uint8_t kind = event->response_type & KIND;
	return (event->response_type & SENT_BY_A_CLIENT) != 0 && kind != XCB_CLIENT_MESSAGE && kind != XCB_SELECTION_NOTIFY &&
		   kind != XCB_UNMAP_NOTIFY;
}

/* Without these, wlroots would keep windows that are gone. */
static bool ends_something(const xcb_generic_event_t *event) {
	uint8_t kind = event->response_type & KIND;
	return kind == XCB_DESTROY_NOTIFY || kind == XCB_UNMAP_NOTIFY;
}

static void disconnect(x11_guards *guards, xcb_connection_t *connection, struct program *program, uint32_t window) {
	/* The window may be gone again. Any other window of the program will do. */
	uint32_t there = guards->on.flooded(guards->on.user, window, xcb_get_setup(connection)->resource_id_mask, guards->limits.most_events);
	program->ended = true;
	program->ended_by = xcb_kill_client(connection, there).sequence;
	xcb_flush(connection);
}

/* ---- selections ---- */

/* Accepts one reply per request. At a second one, wlroots would start writing again in the middle of a transfer,
 * and continue after freeing the data. */
void selection_wanted(x11_guards *guards, xcb_window_t requestor) {
	struct flood *flood = guards->flood;
	flood->requestors[flood->next_requestor++ % QUESTIONS] = requestor;
}

static bool was_asked(struct flood *flood, const xcb_generic_event_t *event) {
	uint32_t requestor = ((const xcb_selection_notify_event_t *)event)->requestor;
	for (size_t i = 0; i < QUESTIONS; i++) {
		if (flood->requestors[i] != requestor || requestor == 0)
			continue;
		flood->requestors[i] = 0;
		return true;
	}
	return false;
}

static struct program *program_of(struct flood *flood, const xcb_setup_t *setup, uint32_t window) {
	/* The mask consists of contiguous low bits. */
	return &flood->programs[window / (setup->resource_id_mask + 1) % PROGRAMS];
}

/* A program that keeps asking for a Wayland selection whose owner does not answer. */
static bool is_refused(const x11_guards *guards, xcb_connection_t *connection, struct program *program, const xcb_generic_event_t *event) {
	struct flood *flood = guards->flood;
	int64_t time = now();
	if (time - program->questioned_at > guards->limits.questions_forgotten)
		program->questions = 0;
	if (time - flood->questioned_at > 10 * guards->limits.questions_forgotten)
		flood->questions = 0;
	program->questioned_at = flood->questioned_at = time;
	if (program->questions < guards->limits.most_questions && flood->questions < guards->limits.most_questions_of_all) {
		program->questions++;
		flood->questions++;
		return false;
	}
	const xcb_selection_request_event_t *asked = (const xcb_selection_request_event_t *)event;
	char answer[32] = {0};
	const xcb_selection_notify_event_t refusal = {
		.response_type = XCB_SELECTION_NOTIFY,
		.time = asked->time,
		.requestor = asked->requestor,
		.selection = asked->selection,
		.target = asked->target,
		.property = XCB_ATOM_NONE,
	};
	memcpy(answer, &refusal, sizeof(refusal));
	LIBXCB(xcb_send_event)(connection, 0, asked->requestor, XCB_EVENT_MASK_NO_EVENT, answer);
	return true;
}

INSTEAD xcb_void_cookie_t xcb_send_event(xcb_connection_t *connection, uint8_t propagate, xcb_window_t destination, uint32_t event_mask,
										 const char *event) {
	x11_guards *guards = guards_of(connection);
	struct flood *flood = guards != NULL ? guards->flood : NULL;
	if (flood != NULL && (event[0] & KIND) == XCB_SELECTION_NOTIFY) {
		struct program *program = program_of(flood, xcb_get_setup(connection), destination);
		program->questions -= program->questions > 0;
		flood->questions -= flood->questions > 0;
	}
	return LIBXCB(xcb_send_event)(connection, propagate, destination, event_mask, event);
}

bool is_passed_over(x11_guards *guards, xcb_connection_t *connection, const xcb_generic_event_t *event) {
	struct flood *flood = guards->flood;
	uint32_t window = window_of(event);
	if (is_unheard(flood, connection, event))
		return true;
	if ((event->response_type & KIND) == XCB_SELECTION_NOTIFY) {
		/* Each may be the reply to a request of wlroots, regardless of its sender. */
		count_anew(flood, connection, event);
		return ++flood->programs[0].messages > guards->limits.most_messages || !was_asked(flood, event);
	}
	const xcb_setup_t *setup = window != 0 ? xcb_get_setup(connection) : NULL;
	if (setup == NULL || (window & ~setup->resource_id_mask) == 0 || (window & ~setup->resource_id_mask) == setup->resource_id_base)
		return false;
	struct program *program = program_of(flood, setup, window);
	if (program->ended && (int32_t)(event->full_sequence - program->ended_by) >= 0)
		*program = (struct program){0};
	if (program->ended)
		return !ends_something(event);
	count_anew(flood, connection, event);
	flood->maps += (event->response_type & KIND) == XCB_MAP_REQUEST;
	if ((event->response_type & KIND) == XCB_SELECTION_REQUEST && is_refused(guards, connection, program, event))
		return true;
	if ((event->response_type & KIND) == XCB_CLIENT_MESSAGE)
		return (event->response_type & SENT_BY_A_CLIENT) != 0 && ++program->messages > guards->limits.most_messages;
	if (++program->events > guards->limits.most_events)
		disconnect(guards, connection, program, window);
	return program->ended && !ends_something(event);
}

/* ---- life cycle ---- */

void flood_end(x11_guards *guards) {
	wl_event_source_remove(guards->flood->timer);
	free(guards->flood);
}

bool flood_begin(x11_guards *guards, struct wl_event_loop *loop) {
	struct flood *flood = guards->flood = calloc(1, sizeof(*flood));
	if (flood != NULL)
		flood->timer = wl_event_loop_add_timer(loop, on_next_turn, flood);
	if (flood == NULL || flood->timer != NULL)
		return flood != NULL;
	free(flood);
	return false;
}
