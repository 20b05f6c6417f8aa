/* Shared by the files of this target. */
#ifndef MULLION_X11_GUARDS_PRIVATE_H
#define MULLION_X11_GUARDS_PRIVATE_H

#include "x11_guards.h"

#include <cdescriptors.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-server-core.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/types/wlr_seat.h>
#include <wlr/version.h>
#define WLR18 (WLR_VERSION_NUM >= 0x001200)
#include <wlr/xwayland.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The program's symbols take precedence over those of libraries, even for calls from libraries. */
#define INSTEAD __attribute__((visibility("default")))
/* The function of libxcb that is replaced here. */
#define LIBXCB(function)                                                                                                                   \
	(__extension__({                                                                                                                       \
		static __typeof__(function) *own;                                                                                                  \
		own != NULL ? own : (own = (__typeof__(own))dlsym(RTLD_NEXT, #function));                                                          \
	}))

/* Flag in the type of an event that a client sent. */
#define SENT_BY_A_CLIENT 0x80
#define KIND 0x7f

/* wlroots reads the replies to one request, or to a dozen, before it sends the next. */
#define ASKED 64

enum kind { PROPERTY, SELECTION, GEOMETRY, CLIENT };

/* wlroots' requests, by sequence number. */
struct asked {
	unsigned int sequence;
	enum kind kind;
	uint32_t window, property;
};

struct x11_guards {
	struct x11_guards_hooks on;
	struct x11_guards_limits limits;
	struct wlr_xwayland *wlr;
	const struct wlr_xwm *xwm;
	lent_fd fd;			 /* wlroots' connection to Xwayland */
	struct flood *flood; /* flood.c */
	/* answers.c */
	struct wl_list late; /* in the order of the requests */
	int late_count;
	struct late *offered; /* the reply that wlroots gets if it asks for it now */
	unsigned int events;  /* that wlroots got since the queue was last empty */
	bool surface_named;	  /* the previous event may have announced a window's surface */
	uint32_t surface_message, serial_message;
	xcb_selection_notify_event_t notified; /* the last one that wlroots got */
	xcb_generic_event_t *postponed;		   /* until wlroots has read what came before it */
	bool probing, unsent, ended;
	unsigned int probe;
	int64_t probed_at, heard_at;
	int64_t patience, counted_at;
	struct asked asked[ASKED];
	int next;
};

/* CLOCK_MONOTONIC, ns */
static inline int64_t now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* answers.c: of the window manager's connection, if it is one's */
x11_guards *guards_of(xcb_connection_t *connection);
void answers_over(const x11_guards *guards); /* the connection is about to be closed */

/* of whose property the request with this number was; 0: of no window's */
uint32_t window_asked(const x11_guards *guards, unsigned int sequence, uint32_t property);

/* flood.c: whether to continue handling events in this turn of the loop, and whether to drop an event */
bool flood_begin(x11_guards *guards, struct wl_event_loop *loop);
void flood_end(x11_guards *guards);
bool maps_are_many(x11_guards *guards, xcb_connection_t *connection); /* the next events wait */
bool turn_goes_on(x11_guards *guards);
void look_again(x11_guards *guards); /* soon: events may have been read */
bool is_forged(const xcb_generic_event_t *event);
void selection_wanted(x11_guards *guards, xcb_window_t requestor); /* by wlroots: one reply is accepted */
bool is_passed_over(x11_guards *guards, xcb_connection_t *connection, const xcb_generic_event_t *event);

/* properties.c: the number of words to request instead of wlroots' own; called before wlroots answers a program's
 * request */
uint32_t words_to_ask(const x11_guards *guards, bool deletes, uint32_t words);
void property_asked(unsigned int sequence, xcb_window_t window, xcb_atom_t property);

#endif
