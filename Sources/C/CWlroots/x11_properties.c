/*
 * What X11 programs say in properties and in names, before wlroots and other clients read it.
 *
 * wlroots takes the elements of most properties for 32 bits each, whatever the answer says of their size, and some for as many
 * as it needs: of bytes it would read four times what is there. So each answer that is no long text gets room
 * for that, filled with zeros. And what is longer than a Wayland message would end the clients that are told of it.
 */
#include "x11.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcbext.h>

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

uint32_t mw_x11_words(bool deletes, uint32_t words) {
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

void mw_x11_asked(unsigned int sequence, xcb_window_t window, xcb_atom_t property) {
	last.sequence = sequence;
	last.window = window;
	last.property = property;
}

/* What is longer than one answer is nothing: who pastes is told so at once, and who copied that it was read. */
static void refuse_long(xcb_connection_t *connection, xcb_get_property_reply_t *reply, unsigned int sequence) {
	struct mw_xwayland *xwayland = mw_x11_of(connection);
	if (xwayland == NULL || reply == NULL || reply->bytes_after == 0 ||
			(size_t)xcb_get_property_value_length(reply) < (size_t)WORDS_OF_SELECTION * 4)
		return;
	reply->value_len = 0;
	reply->bytes_after = 0;
	if (last.sequence == sequence)
		xcb_delete_property(connection, last.window, last.property);
	mw_server *server = xwayland->server;
	server->on.log(server->on.user, WLR_ERROR, "an X11 program gives more than 16 MiB of a selection in one piece: it is not pasted");
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
	struct mw_xwayland *xwayland = mw_x11_of(connection);
	if (xwayland != NULL) {
		mw_requests_asked_x11(xwayland->server);
		mw_x11_selection_wanted(xwayland, requestor);
	}
	return LIBXCB(xcb_convert_selection)(connection, requestor, selection, target, property, time);
}

/* The types of a selection are atoms: each is offered to Wayland's clients by its name. */
INSTEAD xcb_get_atom_name_reply_t *xcb_get_atom_name_reply(xcb_connection_t *connection, xcb_get_atom_name_cookie_t cookie,
		xcb_generic_error_t **error) {
	xcb_get_atom_name_reply_t *reply = xcb_wait_for_reply(connection, cookie.sequence, error);
	if (reply != NULL && mw_x11_of(connection) != NULL && reply->name_len > MOST_NAME) {
		free(reply);
		reply = NULL;
	}
	return reply;
}

/*
 * What is longer than 64 KiB is pasted in pieces, the next one when the program has taken the one before out of its property.
 * wlroots hears that of the windows that it manages alone, and xterm asks in the name of a window in its window.
 */
void mw_x11_selection_asked(struct mw_xwayland *xwayland, xcb_connection_t *connection, const xcb_selection_request_event_t *asked) {
	const struct x11 *item;
	wl_list_for_each(item, &xwayland->surfaces, link) {
		if (item->x->window_id == asked->requestor)
			return;   /* wlroots hears more of it than this */
	}
	xcb_change_window_attributes(connection, asked->requestor, XCB_CW_EVENT_MASK, &(uint32_t){ XCB_EVENT_MASK_PROPERTY_CHANGE });
}

/* ---- text ---- */

/* How many bytes of UTF-8 the character has that begins there; 0 if none does. */
static size_t character(const unsigned char *text) {
	static const struct { unsigned char mask, lead; uint32_t least; } kinds[] = {
		{ 0x80, 0x00, 1 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
	};
	for (size_t count = 1; count <= MW_COUNT(kinds); count++) {
		if ((text[0] & kinds[count - 1].mask) != kinds[count - 1].lead)
			continue;
		uint32_t value = text[0] & (unsigned char)~kinds[count - 1].mask;
		for (size_t i = 1; i < count; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			value = value << 6 | (text[i] & 0x3f);
		}
		return value >= kinds[count - 1].least && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff) ? count : 0;
	}
	return 0;
}

/* What is no UTF-8 is Latin-1, as X11's older texts are: other clients may be ended by what is neither. */
const char *mw_x11_text(const char *text, char *room, size_t size) {
	const unsigned char *from = (const unsigned char *)text;
	while (from != NULL && *from != '\0' && character(from) > 0)
		from += character(from);
	if (from == NULL || *from == '\0')
		return text;
	size_t length = 0;
	for (from = (const unsigned char *)text; *from != '\0' && length + 5 < size;) {
		size_t count = character(from);
		if (count == 0) {
			room[length++] = (char)(0xc0 | *from >> 6);
			room[length++] = (char)(0x80 | (*from & 0x3f));
			from++;
		} else {
			memcpy(room + length, from, count);
			length += count;
			from += count;
		}
	}
	room[length] = '\0';
	return room;
}
