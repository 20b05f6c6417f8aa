/*
 * What X11 programs say in properties and in names, before wlroots and other clients read it. C, because functions of
 * libxcb are defined anew.
 *
 * wlroots takes the elements of most properties for 32 bits each, whatever the answer says of their size, and some for as many
 * as it needs: of bytes it would read four times what is there. So each answer that is no long text gets room
 * for that, filled with zeros. And what is longer than a Wayland message would end the clients that are told of it.
 */
#include "guards.h"

/* What wlroots asks for at most where it takes the answer for more than text; and the longest that it reads unasked. */
#define MOST_BYTES (4 * 4096)
#define LEAST_ROOM 128

/* A title of 2 KiB is long, and so are 512 protocols of a window. */
#define WORDS_OF_WINDOW 512
#define WORDS_OF_TYPES 256
#define MOST_NAME 255

/* As much as one request can carry. libxcb waits for all of an answer once it has begun, and wlroots asks for two GiB. */
#define MOST_OF_SELECTION 0x1fffffff
#define WORDS_OF_SELECTION (16u << 20 >> 2)

uint32_t words_to_ask(bool deletes, uint32_t words) {
	/* The lengths tell wlroots' questions apart: what a window has, the types of a selection, a selection. */
	if (words == MOST_OF_SELECTION)
		return WORDS_OF_SELECTION;
	return !deletes && words == 2048 ? WORDS_OF_WINDOW : deletes && words == 4096 ? WORDS_OF_TYPES : words;
}

static xcb_get_property_reply_t *with_room(xcb_get_property_reply_t *reply) {
	if (reply == NULL || reply->value_len > MOST_BYTES)
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

/* wlroots' last question. It waits for each answer before it asks on, or does not care how long it is. */
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

/* What is longer than one answer is nothing: who pastes is told so at once, and who copied that it was read. */
static void refuse_long(xcb_connection_t *connection, xcb_get_property_reply_t *reply, unsigned int sequence) {
	x11_guards *guards = guards_of(connection);
	if (guards == NULL || reply == NULL || reply->bytes_after == 0 ||
			(size_t)xcb_get_property_value_length(reply) < (size_t)WORDS_OF_SELECTION * 4)
		return;
	reply->value_len = 0;
	reply->bytes_after = 0;
	if (last.sequence == sequence)
		xcb_delete_property(connection, last.window, last.property);
	guards->on.selection_refused(guards->on.user);
}

INSTEAD xcb_get_property_reply_t *xcb_get_property_reply(xcb_connection_t *connection, xcb_get_property_cookie_t cookie,
		xcb_generic_error_t **error) {
	xcb_get_property_reply_t *reply = xcb_wait_for_reply(connection, cookie.sequence, error);
	refuse_long(connection, reply, cookie.sequence);
	return with_room(reply);
}

/* It is asked for in answer to a client's request, which gave a pipe. */
INSTEAD xcb_void_cookie_t xcb_convert_selection(xcb_connection_t *connection, xcb_window_t requestor, xcb_atom_t selection,
		xcb_atom_t target, xcb_atom_t property, xcb_timestamp_t time) {
	x11_guards *guards = guards_of(connection);
	if (guards != NULL) {
		guards->on.selection_wanted(guards->on.user);
		selection_wanted(guards, requestor);
	}
	return LIBXCB(xcb_convert_selection)(connection, requestor, selection, target, property, time);
}

/* The types of a selection are atoms: each is offered to Wayland's clients by its name. */
INSTEAD xcb_get_atom_name_reply_t *xcb_get_atom_name_reply(xcb_connection_t *connection, xcb_get_atom_name_cookie_t cookie,
		xcb_generic_error_t **error) {
	xcb_get_atom_name_reply_t *reply = xcb_wait_for_reply(connection, cookie.sequence, error);
	if (reply != NULL && guards_of(connection) != NULL && reply->name_len > MOST_NAME) {
		free(reply);
		reply = NULL;
	}
	return reply;
}
