/*
 * Guards between wlroots' X11 window manager and Xwayland. They see every X11 event, property and reply. C,
 * because they redefine functions of libxcb that wlroots calls. They act on each event, by limits that Swift
 * gives them; the hooks let Swift decide everything that is not urgent.
 */
#ifndef X11_GUARDS_H
#define X11_GUARDS_H

#include <stdbool.h>
#include <stdint.h>

struct wl_event_loop;
struct wlr_drag;
struct wlr_seat;
struct xcb_connection_t;

/* The guards of one running Xwayland. */
typedef struct x11_guards x11_guards;

/* Called while wlroots is in the middle of something, so nothing may be freed in them. */
struct x11_guards_hooks {
	void *user;
	/* wlroots is about to handle a map request. */
	void (*map_requested)(void *user, uint32_t window);
	/* A window got the X11 focus. Called before wlroots decides whether the window may keep it. */
	void (*focus_came)(void *user, struct xcb_connection_t *connection, uint32_t window);
	/* wlroots read a window's WM_TRANSIENT_FOR. `is_named`: it has one, which names the window `other`. */
	void (*transient_read)(void *user, uint32_t window, bool is_named, uint32_t other);
	/* A message that wlroots handled may have announced the surface of a window. */
	void (*surface_named)(void *user);
	/* The X server reported that a window was reparented into another one, or to the root. The first is called
	 * before the program's events are counted. Both may replace the event, which has at most 32 bytes. */
	void (*reparented)(void *user, struct xcb_connection_t *connection, void *event);
	void (*reparented_on)(void *user, struct xcb_connection_t *connection, void *event);
	/* An X11 program requests a selection in the name of this window. */
	void (*selection_asked)(void *user, struct xcb_connection_t *connection, uint32_t window);
	/* wlroots learnt a type of the content that an X11 program copied, which is not NUL-terminated. NULL: it got no answer in time. */
	void (*type_named)(void *user, const char *name, uint32_t length);
	/* wlroots requests a selection from an X11 program. */
	void (*selection_wanted)(void *user);
	/* An X11 program provided more data than a paste may have. */
	void (*selection_refused)(void *user);
	/* Late replies: a window's depth, and the process that made it. */
	void (*depth_came)(void *user, uint32_t window, int32_t depth);
	void (*process_came)(void *user, uint32_t window, int32_t process);
	/* wlroots writes a window list. Returns true if the list is kept and not sent now. */
	bool (*windows_listed)(void *user, struct xcb_connection_t *connection, uint32_t window, uint32_t property, const uint32_t *windows,
						   uint32_t count);
	/* A program makes more than `most` changes at once. `own`: the resource bits that its windows do not share.
	 * Returns the window by which to disconnect it. */
	uint32_t (*flooded)(void *user, uint32_t window, uint32_t own, int32_t most);
	/* Xwayland answered nothing for this many nanoseconds. `stuck`: it does not read either, so it has to be
	 * killed, in a later turn of the loop. */
	void (*stuck)(void *user, int64_t silence);
	void (*answers_again)(void *user, int64_t silence);
	/* wlroots' window manager ends, and its connection is about to be closed. */
	void (*disconnecting)(void *user);
};

/* The limits of the guards; times in nanoseconds. X11Limits in the core explains them. */
struct x11_guards_limits {
	int64_t slice, patience, attention, long_silence, questions_forgotten;
	uint32_t share;
	uint32_t most_events, most_messages, most_maps, most_questions, most_questions_of_all;
	uint32_t most_late;
	uint32_t most_unheard_bytes, paste_bytes;
	uint32_t window_words, type_words, longest_type;
	/* Of Xwayland's socket buffer, in 1/32. */
	int unread_doubtful, unread_held, unread_silent, unread_stuck, unread_full;
};

/* `xwayland`: a struct wlr_xwayland with a running window manager. NULL: out of memory; the connection has no guards. */
x11_guards *x11_guards_begin(void *xwayland, struct wl_event_loop *loop, const struct x11_guards_hooks *hooks,
							 const struct x11_guards_limits *limits);
void x11_guards_end(x11_guards *guards);
/* The types of the messages in which only Xwayland may announce a window's surface; 0: unknown. */
void x11_guards_set_messages(x11_guards *guards, uint32_t surface, uint32_t serial);
/* Removes the listeners of the window manager, which is about to be freed, from the seat's drag and its source. */
void x11_guards_leave_drag(x11_guards *guards, struct wlr_seat *seat);
/* A drag was dropped on an X11 window. Before it ends, wlroots 0.15 tells its window manager that the drag left that window,
 * and the window manager then refuses the dropped content. */
void x11_guards_keep_drop(x11_guards *guards, struct wlr_drag *drag);
/* A turn of the loop begins, in which X11 events may be handled for some time. */
void x11_guards_turn_begins(x11_guards *guards);
/* Whether Xwayland is responsive and has read everything, so that much may be sent to it. */
bool x11_guards_may_tell(const x11_guards *guards);
/* Sends a list that `windows_listed` kept. */
void x11_guards_list_windows(struct xcb_connection_t *connection, uint32_t window, uint32_t property, const uint32_t *windows,
							 uint32_t count);
/* The connection of the newest window manager; NULL if it has ended. */
struct xcb_connection_t *x11_guards_newest_connection(void);
/* The Xauthority file for Xwayland; NULL: none. Returns false if the path is too long. */
bool x11_guards_set_authority(const char *path);

#endif
