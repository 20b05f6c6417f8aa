/*
 * The small, stable interface through which Swift drives wlroots.
 *
 * CWlroots uses the parts of wlroots (0.15 on Debian 12, 0.18 on Debian 13) that Swift cannot use: inline functions, listeners on the hot
 * path, pixels. It carries out requests and reports events. It never decides where a window goes.
 *
 * Coordinates: everything that crosses this interface is in logical points of the output, origin top left, unless
 * a name says "pixels" or "surface". Times are CLOCK_MONOTONIC nanoseconds.
 *
 * Threads: none. Every function must be called on the thread that created the server.
 */
#ifndef MULLION_WLR_H
#define MULLION_WLR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wlr_output;
struct wlr_surface;
struct wlr_xdg_toplevel;
typedef struct mw_server mw_server;
typedef struct mw_output mw_output;
typedef struct mw_window mw_window; /* an xdg_toplevel or a managed X11 window */
typedef struct mw_image mw_image;	/* ARGB pixels painted by the shell itself */
typedef struct mw_source mw_source; /* an fd or timer in the event loop */

/* ---- Callbacks of the server. Filled once; every member must be set. ---- */

enum mw_backend_kind { MW_BACKEND_AUTO = 0, MW_BACKEND_HEADLESS = 1, MW_BACKEND_WAYLAND = 2, MW_BACKEND_X11 = 3, MW_BACKEND_DRM = 4 };

enum mw_request_kind {
	MW_REQUEST_FULLSCREEN = 0, /* value: wanted or not */
	MW_REQUEST_MAXIMIZE = 1,   /* value: wanted or not */
	MW_REQUEST_MINIMIZE = 2,
	MW_REQUEST_MOVE = 3,	 /* only while a button or touch on the client is held; value: the touch, -1 pointer, -2 either (X11) */
	MW_REQUEST_RESIZE = 4,	 /* the edges, as in xdg_toplevel.resize_edge, from bit 8 on */
	MW_REQUEST_ACTIVATE = 5, /* X11 _NET_ACTIVE_WINDOW, foreign-toplevel activate: value 1 = a privileged client (taskbar) */
	MW_REQUEST_CLOSE = 6,	 /* foreign-toplevel close */
};

struct mw_output_info {
	const char *name;	   /* "HEADLESS-1", "eDP-1" */
	int32_t width, height; /* pixels after the transform */
	double scale;		   /* pixels per logical point */
	int32_t transform;	   /* wl_output_transform */
	int32_t refresh_mhz;
	bool can_resize; /* headless and nested outputs take any size */
};

/* A box in the window's own coordinates: origin is the top left of its window geometry, unscaled. */
struct mw_box {
	double x, y, width, height;
};
#define MW_POPUP_BOXES 16

/* The state after a commit. Sent on map, and then only when one of these changed. */
struct mw_window_state {
	double width, height;								 /* window geometry */
	uint32_t answered;									 /* newest `sequence` of mw_window_configure that the client acked, 0 = none */
	double min_width, min_height, max_width, max_height; /* 0 = no limit */
	bool fullscreen_wanted;								 /* the client's own request */
	/* The bounding box of the input region, in the window's coordinates: including subsurfaces, without popups. */
	struct mw_box input;
	/* For a window that never set its geometry, which is then the bounds of all its surfaces: their offset from
	 * the corner of the main surface. Otherwise 0. */
	double offset_x, offset_y;
};

struct mw_window_info {
	uint32_t id; /* assigned by C, never reused in a server's life, starts at 1 */
	bool x11;
	int32_t pid;		/* of the client (credentials; _NET_WM_PID for X11), 0 = unknown */
	uint64_t client;	/* identity of the Wayland client connection; one value for all X11 windows */
	const char *app_id; /* WM_CLASS for X11; "" if none yet */
	const char *title;
	uint32_t parent;				   /* id, 0 = none */
	bool bare;						   /* an X11 window that leaves title and close control to the shell */
	int8_t modal;					   /* whether it is modal to its parent; -1: its client cannot say so */
	bool picture;					   /* it has the Picture in Picture role (xx-pip) */
	struct wlr_xdg_toplevel *toplevel; /* NULL for X11 */
};

enum mw_key_flags { MW_MOD_SHIFT = 1, MW_MOD_CTRL = 4, MW_MOD_ALT = 8, MW_MOD_SUPER = 64 };

struct mw_handlers {
	void *user;

	/* outputs */
	void (*output_added)(void *user, mw_output *output, const struct mw_output_info *info);
	void (*output_changed)(void *user, mw_output *output, const struct mw_output_info *info);
	void (*output_removed)(void *user, mw_output *output);
	/* Time to draw, if there is anything to draw: answer with mw_output_render. `when` is the frame's time. */
	void (*output_frame)(void *user, mw_output *output, int64_t when);
	/* X11 menus without a window want keys, or no longer do. */
	void (*x11_menus_want_keys)(void *user, bool want);

	/* A screen was added, removed or changed. */
	void (*screens_changed)(void *user);
	/* A new screen is to be enabled. Returns false if it accepts none of its modes. */
	bool (*output_lit)(void *user, mw_output *output);

	/* windows */
	void (*window_created)(void *user, mw_window *window, const struct mw_window_info *info);
	void (*window_mapped)(void *user, mw_window *window, const struct mw_window_state *state);
	void (*window_committed)(void *user, mw_window *window, const struct mw_window_state *state);
	void (*window_renamed)(void *user, mw_window *window, const struct mw_window_info *info); /* title, app id, parent or pid changed */
	void (*window_requested)(void *user, mw_window *window, int32_t kind, int32_t value);
	void (*window_unmapped)(void *user, mw_window *window);
	void (*window_destroyed)(void *user, mw_window *window);
	/* The places of the window's mapped popups (and X11 menus). The last of MW_POPUP_BOXES holds all further ones. */
	void (*popups_changed)(void *user, mw_window *window, const struct mw_box *boxes, int32_t count, bool grabbing);

	/* A screen was resized, or may be dark now. */
	void (*lock_screen_changed)(void *user);
	/* A frame of the locked session was submitted to a screen; a screen is about to be freed. */
	void (*lock_drawn)(void *user, struct wlr_output *output);
	void (*lock_output_gone)(void *user, struct wlr_output *output);
	/* C handles VT switching. This only reports it. */
	void (*session_active)(void *user, bool active);
	/* Xwayland has to go before all other clients, or it would be restarted. */
	void (*xwayland_end)(void *user);
	/* Swift creates its protocols at their place among the globals. Returns false if out of memory. */
	bool (*protocols_begin)(void *user, mw_server *server);
	/* All clients are gone, and the display is about to be destroyed. */
	void (*protocols_end)(void *user);
	/* A surface is shown at this many pixels per point. */
	void (*surface_scaled)(void *user, struct wlr_surface *surface, double scale);
	/* Adds the window to window lists; its names there changed; removes it. */
	void (*toplevel_listed)(void *user, mw_window *window);
	void (*toplevel_renamed)(void *user, mw_window *window);
	void (*toplevel_unlisted)(void *user, mw_window *window);
	/* Whether it declared itself a modal dialog; -1: its client cannot say so. */
	int8_t (*toplevel_modality)(void *user, struct wlr_xdg_toplevel *toplevel);
	/* The session was locked or unlocked. A locked session has empty window lists. */
	void (*toplevels_locked)(void *user, bool locked);
	/* Its app was sent a configure. */
	void (*window_configured)(void *user, mw_window *window);
	/* The next frame shows a surface. Returns true if a client waits for feedback. */
	bool (*surface_sampled)(void *user, struct wlr_output *output, struct wlr_surface *surface);
	/* A frame was submitted to the screen. `scanned`: the surface whose buffer is scanned out directly, else NULL. */
	void (*output_committed)(void *user, struct wlr_output *output, struct wlr_surface *scanned, uint32_t sequence);
	/* priority: 0 silent/error, 1 error, 2 info, 3 debug, as wlr_log_importance */
	void (*log)(void *user, int32_t priority, const char *text);
};

/* ---- Server ---- */

/* The numbers that pace drawing and reading; times in nanoseconds, areas in pixels. The core explains them (DrawingPace, ClientLimits). */
struct mw_pace {
	int64_t averaging, least_averaging, unreduced_cost, capture_averaging, between_pictures, deferred, unused_after;
	int64_t heavy_area, plain_area, rough_area;
	double fine_scale;
	int64_t scan_out_pause, pages_kept, unmap_delay, unmap_latest;
	uint32_t unmap_at_once, unmap_most;
	uint32_t bytes_at_once, stuck_turns, events_per_check, socket_bytes, held_configures;
};

struct mw_options {
	int32_t backend;	   /* enum mw_backend_kind */
	int32_t width, height; /* pixels, of a headless or nested output */
	double scale;
	int32_t refresh_mhz;	   /* of a headless output; 60000 */
	const char *socket;		   /* name of the Wayland socket, NULL = first free wayland-N */
	int32_t socket_file;	   /* that socket, already bound and listening; 0 = none */
	bool xwayland;			   /* lazily started, rootless */
	bool wlr_draw_path;		   /* force drawing through wlroots' renderer even where pixman could do it directly */
	const char *keymap_layout; /* xkb layout, NULL = environment or default */
	int32_t log_level;		   /* wlr_log_importance */
	struct mw_pace pace;
};

/* Returns NULL on failure. Then `error` (of `error_size` bytes) names the failure and its reason. */
mw_server *mw_server_create(const struct mw_options *options, const struct mw_handlers *handlers, char *error, size_t error_size);
/* Opens the socket and starts the backend. On failure, see `error`. */
bool mw_server_start(mw_server *server, char *error, size_t error_size);
void mw_server_destroy(mw_server *server);
const char *mw_server_socket(mw_server *server);
const char *mw_server_backend_name(mw_server *server);	/* "headless", "wayland", "x11", "drm" */
const char *mw_server_renderer_name(mw_server *server); /* "pixman", "gles2", "vulkan" */
const char *mw_wlroots_version(void);					/* "0.15.1" */
/* Flushes clients, then waits at most timeout_ms (-1 = until something happens) and dispatches. */
void mw_server_dispatch(mw_server *server, int32_t timeout_ms);
void mw_server_flush(mw_server *server);
int mw_server_loop_fd(mw_server *server);
/* Writes the sockets of up to `capacity` clients, as owned by libwayland. Returns the total number. */
size_t mw_client_descriptors(mw_server *server, int32_t *numbers, size_t capacity);
int64_t mw_now(void); /* CLOCK_MONOTONIC, ns */
/* For a shell inside another program: connections that do not use the socket, and the window of a client's
 * surface. */
struct wl_display;
struct wl_display *mw_server_display(mw_server *server);
mw_window *mw_window_of(mw_server *server, struct wlr_surface *surface); /* NULL = none */
/* Counters for the bench and the tests. */
struct mw_statistics {
	uint64_t frames_drawn;		 /* output commits with something new */
	uint64_t frames_scanned_out; /* of these: a client's buffer was scanned out, and nothing was painted */
	uint64_t frame_events;		 /* requests from the output */
	uint64_t frame_callbacks;	 /* wl_surface.frame answered */
	uint64_t last_draw_ns;		 /* thread CPU time of the last mw_output_render */
	uint64_t damage_pixels;		 /* of the last frame */
	uint64_t clients, surfaces;
};
void mw_server_statistics(mw_server *server, struct mw_statistics *out);

/* Bytes of pictures of windows that the shell made itself. */
struct mw_picture_memory {
	uint64_t small; /* averages of windows that are, or were, shown small */
	uint64_t held;	/* copies of windows whose content is held */
	uint64_t masks; /* rounded corners and shadows */
};
void mw_server_picture_memory(mw_server *server, struct mw_picture_memory *out);
/* Frees averages that were not drawn for a while. */
void mw_free_pictures(mw_server *server);

/* Event loop. The callback gets EPOLLIN, EPOLLOUT and EPOLLHUP bits; a timer gets 0. */
typedef void (*mw_callback)(void *user, int32_t events);
mw_source *mw_add_fd(mw_server *server, int fd, bool read, bool write, mw_callback callback, void *user);
void mw_update_fd(mw_source *source, bool read, bool write);
/* One-shot timer with nanosecond deadline (timerfd); re-armed by mw_arm. deadline 0 disarms. */
mw_source *mw_add_timer(mw_server *server, mw_callback callback, void *user);
void mw_arm(mw_source *source, int64_t deadline_ns);
mw_source *mw_add_signal(mw_server *server, int signal_number, mw_callback callback, void *user);
void mw_remove_source(mw_source *source);

/* ---- Outputs ---- */

void mw_output_info(mw_output *output, struct mw_output_info *out);
/* False while its power is off (output-power-management). It requests no frames then. */
bool mw_output_is_on(mw_output *output);
void mw_output_schedule(mw_output *output); /* ask for an output_frame */

enum mw_item_kind {
	MW_ITEM_FILL = 0,	/* a rectangle of one colour, rounded by `radius` */
	MW_ITEM_WINDOW = 1, /* a window's toplevel surface and subsurfaces; its geometry is mapped onto (x,y,w,h) */
	MW_ITEM_POPUPS = 2, /* the popups of a window, placed as if its geometry were mapped onto (x,y,w,h) */
	MW_ITEM_LAYER = 3,	/* all layer-shell surfaces of layer `layer` (0 background .. 3 overlay) of this output */
	MW_ITEM_IMAGE = 4,	/* an image stretched over (x,y,w,h) */
	MW_ITEM_SHADOW = 5, /* a soft shadow of the rounded rectangle (x,y,w,h), `blur` points wide, cut out inside the rectangle */
	MW_ITEM_DRAG_ICON = 6,
	MW_ITEM_LOCK = 7, /* the lock surface of this output; while locked, only this over a fill is drawn */
};

/* One thing to draw. Items are given back to front. `key` is stable over time for the same thing. */
struct mw_item {
	uint64_t key;
	int32_t kind;
	int32_t layer;
	mw_window *window;
	mw_image *image;
	double x, y, width, height;
	/* If clipped, nothing is drawn outside this rounded rectangle. */
	bool clipped;
	double clip_x, clip_y, clip_width, clip_height;
	double radius; /* corner radius of the clip (windows, images) or of the rectangle itself (fill, shadow) */
	double blur;
	double feather; /* how far from its edge it fades in, in points; 0: not at all */
	float opacity;
	float color[4]; /* red, green, blue, alpha; not premultiplied */
	bool measured;	/* for a fill: report the brightness beside it (mw_output_beside) */
};

/* Draws the changes since the last render (items compared by key, windows by their commits) and commits the
 * output. If nothing changed, nothing is drawn or committed, but due frame callbacks are still sent. Windows that
 * are in no WINDOW item get no frame callbacks. `when`: the frame's time. Returns true if it painted. */
bool mw_output_render(mw_output *output, const struct mw_item *items, size_t count, int64_t when);
/* The brightness of the screen at both ends of a measured fill when it was last painted, from 0 to 255; -1 if the
 * last frame did not paint it, or a GPU did. */
int32_t mw_output_beside(mw_output *output, uint64_t key);
void mw_output_damage_all(mw_output *output);
/* Whether its own surface is opaque, so that nothing shows through. */
bool mw_window_is_opaque(mw_window *window);
/* Paints the items afresh into ARGB32 premultiplied memory of width x height pixels (the output's own size). */
bool mw_output_capture(mw_output *output, const struct mw_item *items, size_t count, uint8_t *pixels, int32_t width, int32_t height,
					   int32_t stride);

/* ---- Images ---- */

mw_image *mw_image_create(mw_server *server, const uint8_t *argb, int32_t width, int32_t height, int32_t stride);
/* An opaque image whose pixels must be written before the next call: rows without padding. */
mw_image *mw_image_create_opaque(mw_server *server, int32_t width, int32_t height, uint32_t **pixels);
void mw_image_destroy(mw_image *image);
/* Moves opaque images into an unnamed file in `folder`, a piece per call. Returns true if there may be more to do.
 * Images that cannot be written (no such folder, one in memory, a full disk) stay in memory. */
bool mw_images_store(mw_server *server, const char *folder);
/* Bytes of pixels that are stored in files. */
size_t mw_images_stored(const mw_server *server);
/* Drops pages that can be read again from the page tables: those of stored images and of clients' buffers. */
void mw_rest(mw_server *server);

/* ---- Windows ---- */

/* Reserves `count` ids that no window gets, and returns the first one. */
uint32_t mw_reserve_window_ids(mw_server *server, uint32_t count);

struct mw_configure {
	uint32_t sequence;	   /* the caller's sequence number of this configure, increasing */
	int32_t x, y;		   /* the position of its top left, in points (only X11 clients are told) */
	int32_t width, height; /* 0 = the client chooses (dialogs) */
	bool activated;
	bool arranged;	 /* an arranged window (maximized and tiled on all edges), not a dialog */
	bool fullscreen; /* only set if the client asked for it */
	bool resizing;
};
void mw_window_configure(mw_window *window, const struct mw_configure *configure);
void mw_window_place(mw_window *window, int32_t x, int32_t y); /* X11: moved without a new size */
void mw_window_close(mw_window *window);
/* While held, the window's picture from the time of the call is drawn. Its commits are handled but not shown. */
void mw_window_hold(mw_window *window, bool held);
/* The area for popups: a box in the window's coordinates (usually the usable area of the output). Used for
 * xdg_positioner constraints. */
void mw_window_set_popup_bounds(mw_window *window, const struct mw_box *bounds);
void mw_window_dismiss_popups(mw_window *window);
/* The size in surface points and the picture of a single window (with subsurfaces, without popups), ARGB32
 * premultiplied. */
bool mw_window_capture_size(mw_window *window, int32_t *width, int32_t *height);
bool mw_window_capture(mw_window *window, uint8_t *pixels, int32_t width, int32_t height, int32_t stride);
/* The configure log of a window: text, one line per configure as sent ("seq=3 size=585x820
 * states=activated,maximized,tiled_left,..."). */
size_t mw_window_configure_log(mw_window *window, char *text, size_t size);
/* Sets whether the window is shown and active. The client gets its frame callbacks accordingly. */
void mw_window_set_sight(mw_window *window, bool activated, bool shown);

#endif
