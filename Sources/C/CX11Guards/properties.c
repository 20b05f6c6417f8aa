/* Filters the properties and atom names of X11 programs before wlroots and other clients read them. C, because it
 * redefines functions of libxcb.
 *
 * wlroots assumes 32-bit elements in most properties, whatever the reply says about their size, and in some a
 * fixed number of elements: with 8-bit elements it would read four times the bytes that are there. So each reply that is not
 * a long text gets that much space, filled with zeros. And a text that is longer than a Wayland message would
 * disconnect the clients that receive it.
 */
#include "guards.h"

/* The most that wlroots asks for where it treats the reply as more than text, and the longest that it reads
 * anyway. */
#define MOST_BYTES (4 * 4096)
#define LEAST_ROOM 128

/* The elements of WM_HINTS and of WM_NORMAL_HINTS. */
#define HINTS 9
#define SIZE_HINTS 18

/* wlroots asks for two GiB, and once a reply has begun, libxcb blocks for all of it. */
#define MOST_OF_SELECTION 0x1fffffff

uint32_t words_to_ask(const x11_guards *guards, bool deletes, uint32_t words) {
	/* The lengths distinguish wlroots' requests: properties of a window, the types of a selection, a selection. */
	if (words == MOST_OF_SELECTION)
		return guards->limits.paste_bytes / 4;
	return !deletes && words == 2048 ? guards->limits.window_words : deletes && words == 4096 ? guards->limits.type_words : words;
}

/* Hints of a window have a fixed length, and some versions of libxcb-icccm copy as many as there are into that. */
static void shorten_hints(xcb_get_property_reply_t *reply) {
	uint32_t most = reply->type == XCB_ATOM_WM_HINTS ? HINTS : reply->type == XCB_ATOM_WM_SIZE_HINTS ? SIZE_HINTS : UINT32_MAX;
	if (reply->value_len > most)
		reply->value_len = most;
}

static xcb_get_property_reply_t *with_room(xcb_get_property_reply_t *reply) {
	if (reply == NULL)
		return reply;
	shorten_hints(reply);
	if (reply->value_len > MOST_BYTES)
		return reply;
	size_t there = sizeof(*reply) + (size_t)xcb_get_property_value_length(reply);
	size_t room = sizeof(*reply) + 4 * (size_t)reply->value_len + LEAST_ROOM;
	char *longer = realloc(reply, room);
	if (longer == NULL) {
		free(reply);
		return NULL;
	}
	memset(longer + there, 0, room - there);
	return (xcb_get_property_reply_t *)longer;
}

/* wlroots' last request. It waits for each reply before the next request, or does not care about its length. */
static struct {
	unsigned int sequence;
	xcb_window_t window;
	xcb_atom_t property;
} last;

void property_asked(unsigned int sequence, xcb_window_t window, xcb_atom_t property) {
	last.sequence = sequence;
	last.window = window;
	last.property = property;
}

/* Refuses data that is longer than one reply. The reader is told so at once, and the owner is told that the data
 * was read. */
static void refuse_long(xcb_connection_t *connection, xcb_get_property_reply_t *reply, unsigned int sequence) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL || reply == NULL || reply->bytes_after == 0 ||
		(uint32_t)xcb_get_property_value_length(reply) < guards->limits.paste_bytes)
		return;
	reply->value_len = 0;
	reply->bytes_after = 0;
	if (last.sequence == sequence)
		xcb_delete_property(connection, last.window, last.property);
	guards->on.selection_refused(guards->on.user);
}

/* wlroots keeps the window that is named only if it manages it. A group is named by the root window, or by none. */
static void tell_transient(xcb_connection_t *connection, const xcb_get_property_reply_t *reply, unsigned int sequence) {
	x11_guards *guards = guards_of(connection);
	uint32_t window = guards != NULL && reply != NULL ? window_asked(guards, sequence, XCB_ATOM_WM_TRANSIENT_FOR) : 0;
	if (window == 0)
		return;
	uint32_t other = 0;
	bool is_named = reply->type == XCB_ATOM_WINDOW && reply->format == 32 && reply->value_len > 0;
	if (is_named)
		memcpy(&other, xcb_get_property_value(reply), sizeof(other));
	guards->on.transient_read(guards->on.user, window, is_named, other);
}

INSTEAD xcb_get_property_reply_t *xcb_get_property_reply(xcb_connection_t *connection, xcb_get_property_cookie_t cookie,
														 xcb_generic_error_t **error) {
	xcb_get_property_reply_t *reply = xcb_wait_for_reply(connection, cookie.sequence, error);
	refuse_long(connection, reply, cookie.sequence);
	tell_transient(connection, reply, cookie.sequence);
	return with_room(reply);
}

/* wlroots asks on behalf of a client's request, which passed a pipe. */
INSTEAD xcb_void_cookie_t xcb_convert_selection(xcb_connection_t *connection, xcb_window_t requestor, xcb_atom_t selection,
												xcb_atom_t target, xcb_atom_t property, xcb_timestamp_t time) {
	x11_guards *guards = guards_of(connection);
	if (guards != NULL) {
		guards->on.selection_wanted(guards->on.user);
		selection_wanted(guards, requestor);
	}
	return LIBXCB(xcb_convert_selection)(connection, requestor, selection, target, property, time);
}

/* The types of a selection are atoms. Each is offered to Wayland clients by its name. */
INSTEAD xcb_get_atom_name_reply_t *xcb_get_atom_name_reply(xcb_connection_t *connection, xcb_get_atom_name_cookie_t cookie,
														   xcb_generic_error_t **error) {
	xcb_get_atom_name_reply_t *reply = xcb_wait_for_reply(connection, cookie.sequence, error);
	const x11_guards *guards = guards_of(connection);
	if (guards != NULL)
		guards->on.type_named(guards->on.user, reply != NULL ? xcb_get_atom_name_name(reply) : NULL, reply != NULL ? reply->name_len : 0);
	if (guards != NULL && reply != NULL && reply->name_len > guards->limits.longest_type) {
		free(reply);
		reply = NULL;
	}
	return reply;
}
