/*
 * Guards between wlroots' X11 window manager and Xwayland: they see every X11 event, property and answer. C, because functions
 * of libxcb that wlroots calls are defined anew here. What follows from what they see, Swift decides in the hooks.
 */
#ifndef X11_GUARDS_H
#define X11_GUARDS_H

#include <stdbool.h>
#include <stdint.h>

struct wl_event_loop;
struct xcb_connection_t;

/* Of one Xwayland that runs. */
typedef struct x11_guards x11_guards;

/* Each is called while wlroots is in the middle of something: nothing may be freed in there. */
struct x11_guards_hooks {
	void *user;
	/* wlroots is about to hear that a window wants to be shown. */
	void (*map_requested)(void *user, uint32_t window);
	/* A message that wlroots has handled may have said which surface a window has. */
	void (*surface_named)(void *user);
	/* A window was put into another one, or onto the root, by the X server's word. The first is called before its program's
	 * events are counted; both may make another event out of it, of at most 32 bytes. */
	void (*reparented)(void *user, struct xcb_connection_t *connection, void *event);
	void (*reparented_on)(void *user, struct xcb_connection_t *connection, void *event);
	/* An X11 program asks for a selection, in the name of this window. */
	void (*selection_asked)(void *user, struct xcb_connection_t *connection, uint32_t window);
	/* wlroots asks an X11 program for a selection. */
	void (*selection_wanted)(void *user);
	/* An X11 program gave more of one than a paste may have. */
	void (*selection_refused)(void *user);
	/* What wlroots did not wait for: a window's depth, and the process that made it. */
	void (*depth_came)(void *user, uint32_t window, int32_t depth);
	void (*process_came)(void *user, uint32_t window, int32_t process);
	/* wlroots lists windows in a property. True: the list is kept, and is not sent now. */
	bool (*windows_listed)(void *user, struct xcb_connection_t *connection, uint32_t window, uint32_t property,
		const uint32_t *windows, uint32_t count);
	/* A program changes more than `most` things at once. `own`: the bits that its windows do not share. Answers the window
	 * by which it is disconnected. */
	uint32_t (*flooded)(void *user, uint32_t window, uint32_t own, int32_t most);
	/* For so many nanoseconds Xwayland answered nothing. The first: nor does it read, so it is to be ended; in a later turn
	 * of the loop. */
	void (*stuck)(void *user, int64_t silence);
	void (*answers_again)(void *user, int64_t silence);
	/* wlroots' window manager ends, and its connection is about to be closed. */
	void (*disconnecting)(void *user);
};

/* `xwayland`: struct wlr_xwayland, whose window manager has begun. NULL: out of memory; then nothing is guarded. */
x11_guards *x11_guards_begin(void *xwayland, struct wl_event_loop *loop, const struct x11_guards_hooks *hooks);
void x11_guards_end(x11_guards *guards);
/* The types of the messages in which Xwayland alone says which surface a window has; 0: not known. */
void x11_guards_set_messages(x11_guards *guards, uint32_t surface, uint32_t serial);
/* The loop begins a turn, in which X11's events are handled for some time. */
void x11_guards_turn_begins(x11_guards *guards);
/* Xwayland listens, and has read what it was told: it may be told much. */
bool x11_guards_may_tell(const x11_guards *guards);
/* Sends what `windows_listed` kept. */
void x11_guards_list_windows(struct xcb_connection_t *connection, uint32_t window, uint32_t property, const uint32_t *windows,
	uint32_t count);
/* The connection of the newest window manager; NULL: it has ended. */
struct xcb_connection_t *x11_guards_newest_connection(void);
/* The file with the cookie that Xwayland is started with; NULL: none. False: the path is too long. */
bool x11_guards_set_authority(const char *path);

#endif
