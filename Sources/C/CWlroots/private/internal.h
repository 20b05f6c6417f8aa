/* Shared by the files of this target. Nothing outside CWlroots includes it. */
#ifndef MULLION_WLR_INTERNAL_H
#define MULLION_WLR_INTERNAL_H

#include "mullion_seat.h"
#include "mullion_wayland.h"
#include "mullion_windows.h"
#include "mullion_wlr.h"

#include <cdescriptors.h>

#include <pixman.h>
#include <time.h>
#include <wayland-server-core.h>
#include <wlr/version.h>
#define WLR18 (WLR_VERSION_NUM >= 0x001200)

#include <wlr/backend.h>
#include <wlr/backend/session.h>
#include <wlr/render/allocator.h>
#include <wlr/render/wlr_renderer.h>
#include <wlr/render/wlr_texture.h>
#include <wlr/types/wlr_buffer.h>
#include <wlr/types/wlr_compositor.h>
#if WLR18
#include <wlr/interfaces/wlr_buffer.h>
#include <wlr/types/wlr_subcompositor.h>
#else
#include <wlr/types/wlr_surface.h>
#endif
#include <wlr/types/wlr_cursor.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/types/wlr_foreign_toplevel_management_v1.h>
#include <wlr/types/wlr_input_device.h>
#include <wlr/types/wlr_keyboard.h>
#include <wlr/types/wlr_layer_shell_v1.h>
#include <wlr/types/wlr_output.h>
#include <wlr/types/wlr_output_layout.h>
#include <wlr/types/wlr_pointer.h>
#include <wlr/types/wlr_presentation_time.h>
#include <wlr/types/wlr_primary_selection_v1.h>
#include <wlr/types/wlr_seat.h>
#include <wlr/types/wlr_touch.h>
#include <wlr/types/wlr_xcursor_manager.h>
#include <wlr/types/wlr_xdg_activation_v1.h>
#include <wlr/types/wlr_xdg_decoration_v1.h>
#include <wlr/types/wlr_xdg_shell.h>
#include <wlr/util/log.h>
#include <wlr/xwayland.h>

#if WLR18
#define MW_INPUT_DEVICE_TABLET WLR_INPUT_DEVICE_TABLET
#else
#define MW_INPUT_DEVICE_TABLET WLR_INPUT_DEVICE_TABLET_TOOL
#endif

#define MW_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A listener that can be removed whether or not it was ever added. */
static inline void mw_listen(struct wl_signal *signal, struct wl_listener *listener, wl_notify_func_t notify) {
	listener->notify = notify;
	wl_signal_add(signal, listener);
}

static inline void mw_unlisten(struct wl_listener *listener) {
	if (listener->link.next != NULL) {
		wl_list_remove(&listener->link);
		listener->link.next = listener->link.prev = NULL;
	}
}

typedef struct mw_shell mw_shell;

struct mw_server {
	struct mw_handlers on;
	struct mw_options options;
	struct wl_display *display;
	struct wl_event_loop *loop;
	struct wlr_backend *backend; /* the source of outputs and devices; may be our own virtual backend */
	struct wlr_session *session; /* NULL unless DRM */
	struct wlr_renderer *renderer;
	struct wlr_allocator *allocator;
	struct wlr_compositor *compositor;
	struct wlr_output_layout *layout;
	char socket[64];
	bool started, destroying;
	struct wlr_linux_dmabuf_v1 *dmabuf; /* dmabuf.c; NULL without a GPU */
	bool software_gl;					/* software OpenGL ES */
	bool direct;						/* composites directly into pixman images (no GPU) */
	struct mw_statistics statistics;
	struct wl_list outputs; /* mw_output.link */
	struct wl_list windows; /* mw_window.link */
	struct wl_list images;	/* mw_image.link */
	struct wl_list sources; /* mw_source.link */
	uint32_t next_window_id;

	struct wl_listener new_output, backend_destroy, new_surface, session_active;
	struct wl_list watches;				 /* surfaces.c: one for every wl_surface */
	uint64_t frame;						 /* incremented when reported damage may have been used up; never 0 */
	struct wl_event_source *pages_timer; /* pages.c */
	struct mw_masks *masks;				 /* masks.c: cached rounded corners and shadows */

	/* Each file keeps its own state behind a pointer, created and destroyed by its init and finish below. */
	mw_shell *shell;		/* xdg.c: xdg-shell, decoration, activation, foreign-toplevel */
	struct wl_list stalled; /* stalled.c: clients that do not read */
	struct {
		const struct wl_client *client; /* only compared: it may be gone */
		int left;
	} roomy;			  /* stalled.c: the client that had space at the last check */
	struct wl_list stuck; /* reading.c: clients in the middle of a long message */
	int32_t idle_turns;	  /* reading.c: consecutive turns without a request */
	bool asked;			  /* reading.c: a client has sent a request in this turn */
	struct wl_listener client_created;
	struct mw_unmapping *unmapping; /* unmapping.c */
	struct mw_requests *requests;	/* requests.c: handled before wlroots handles the request */
	struct mw_protocols *protocols; /* protocols.c: globals with few or no listeners */
	bool locked;					/* lock.c */
	/* lock.c: the window of an app over the shell's own lock screen, where its content stands, and how large; NULL: none */
	mw_window *over_lock;
	double over_lock_x, over_lock_y, over_lock_scale;
};

/* ---- a window of either kind ---- */

struct mw_window {
	struct {
		MW_WINDOW_FIELDS
	};
	struct wl_list link;
	struct mw_window_state told; /* as last reported */
	struct {
		uint32_t sequence, serial;
	} sent[32]; /* ring: sequence -> xdg serial */
	uint32_t sent_count;
	struct mw_box popups_told[MW_POPUP_BOXES];
	int32_t popups_count;
	bool popups_grabbing;
	char *log;
	size_t log_length, log_capacity; /* the configure log */
	char *told_title, *told_app_id;	 /* as last reported */
	uint32_t told_parent;
	int32_t told_pid;
	int8_t told_modal;
	int64_t renamed_at;					  /* when a name was last reported */
	struct wl_event_source *rename_timer; /* delays the next report; kept once it was needed */
	struct wl_event_source *report_idle;  /* a report that must not be made inside the caller's call */

	/* The held picture (draw.c): the surfaces as they were; NULL when not held. */
	struct mw_snapshot *held;
	/* Damage since the last render in window coordinates (geometry's origin), unscaled. Collected by surfaces.c. */
	pixman_region32_t damage;
	bool frame_due; /* committed since the last frame_done */
};

/* surfaces.c: visits and hit-tests trees of surfaces */
/* Popups (and the window's X11 override-redirect windows) back to front, in the same coordinates. */
void mw_window_each_popup_surface(mw_window *window, mw_surface_iterator iterator, void *data);
/* Every surface that any file shows is registered here, for damage and frame callbacks. */
void mw_surface_watch_init(mw_server *server); /* hooks the compositor's new_surface */
void mw_surface_watch_finish(mw_server *server);

/* windows.c: shared by xdg.c and X11 windows */
mw_window *mw_window_new(mw_server *server);	  /* assigns an id and adds it to the list; reports nothing */
void mw_window_report_created(mw_window *window); /* fills mw_window_info and calls the handler */
void mw_window_report_commit(mw_window *window,
							 bool same_shape); /* compares state with told; `same_shape`: sizes and input region are unchanged */
void mw_window_report_popups(mw_window *window, bool grabbing);
void mw_window_log(mw_window *window, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mw_window_free(mw_window *window); /* after its end was reported */
void mw_window_report_mapped(mw_window *window);
void mw_window_report_unmapped(mw_window *window);
void mw_window_sent(mw_window *window, uint32_t sequence, uint32_t serial); /* adds to the ring */
void mw_window_answered(mw_window *window, uint32_t serial);				/* the client committed with this serial or a newer one */
void mw_window_report_later(mw_window *window);								/* mw_window_report_commit at the next idle moment */
mw_window *mw_window_parent(mw_window *window);
#define MW_X11_IDENTITY 1							/* all X11 programs together */
bool mw_client_is_ending(struct wl_client *client); /* it is being destroyed; only its objects remain */

void mw_sources_finish(mw_server *server); /* loop.c */

/* output.c, virtual.c, draw*.c */
struct mw_output {
	struct wl_list link;
	mw_server *server;
	struct wlr_output *wlr;
	struct mw_draw_state *draw; /* draw.c: previous items, damage ring */
	struct wl_listener frame, needs_frame, damage, commit, request_state, mode, destroy;
	struct wlr_surface *lock_surface; /* lock.c: shown while the session is locked; NULL: nothing */
	struct wl_listener lock_surface_destroy;
	/* output.c: frame scheduling */
	bool scheduled, in_frame;
	int64_t last_frame;
	struct wl_event_source *frame_idle;
	mw_source *frame_timer;
	struct mw_output_info told; /* as last reported; `name` is not kept */
	bool changing;				/* a change of mode, scale and rotation is being committed */
	bool announced;
	int32_t asked_width, asked_height; /* by the parent of a nested output before it was enabled */
};
mw_output *mw_output_first(mw_server *server);
bool mw_output_shows(mw_output *output);							   /* enabled, and this virtual terminal is active */
void mw_outputs_session_changed(mw_server *server);					   /* the screen was taken away or given back */
int64_t mw_output_period(mw_output *output);						   /* of a refresh, ns */
void mw_output_size(mw_output *output, double *width, double *height); /* in points */
void mw_output_send_frame(mw_output *output);						   /* now, whatever was scheduled */
void mw_outputs_init(mw_server *server);
void mw_outputs_finish(mw_server *server);
void mw_draw_state_init(mw_output *output);
void mw_draw_state_finish(mw_output *output);
/* A surface shown by a window, popup, layer or drag icon was committed: damage in surface coordinates. */
void mw_draw_surface_damaged(mw_server *server, struct wlr_surface *surface, pixman_region32_t *damage);
void mw_draw_window_gone(mw_window *window); /* forgets it in previous items, and damages its area */
void mw_snapshot_free(struct mw_snapshot *snapshot);
void mw_snapshots_surface_committed(mw_server *server, struct wlr_surface *surface);
/* virtual.c: our own headless backend. Its frame timer runs only after a commit, and it supports presentation
 * feedback. wlroots 0.15's own headless output wakes 62 times a second and does not. */
struct wlr_backend *mw_virtual_backend_create(struct wl_display *display);
struct wlr_output *mw_virtual_output_add(struct wlr_backend *backend, int32_t width, int32_t height, int32_t refresh_mhz);

/* Compositor/Panels */
bool mw_layers_init(mw_server *server);
void mw_layers_finish(mw_server *server);
void mw_layers_output_gone(mw_output *output);						  /* closes its surfaces */
bool mw_layers_is_on(mw_output *output, struct wlr_surface *surface); /* a layer surface of that output, mapped or not */
void mw_layers_each_surface(mw_output *output, int32_t layer, mw_surface_iterator iterator, void *data); /* in output points; popups too */

/* xdg.c, defects.c; mw_x11_*: Compositor/X11 */
struct mw_shell {
	mw_server *server;
	struct wlr_xdg_shell *xdg;
	struct mw_defects *guards;
	struct wl_listener new_surface, new_toplevel, new_popup;
};
#if !WLR18
void mw_xdg_adopt_children(struct wlr_xdg_surface *parent, struct wlr_xdg_surface *instead); /* of toplevels; NULL: no parent */
#endif
void mw_xdg_close(mw_window *window);
/* Compositor/Windows/Popups.swift */
void mw_popups_begin(mw_server *server);
void mw_popups_end(mw_server *server);
void mw_popups_new(mw_server *server, struct wlr_xdg_popup *popup);
void mw_popups_bounds_changed(mw_server *server, mw_window *window);
/* ---- requests.c, sending.c ---- */

struct mw_requests;
typedef void mw_interceptor(struct mw_requests *requests, const struct wl_protocol_logger_message *message);

/* A handler, by the names of the interface and of the message; NULL: every message of the interface. */
struct mw_handler {
	const char *class, *name;
	mw_interceptor *interceptor;
};

/* Message descriptions have stable addresses, so names are compared only when the message differs from the last one at its place. */
struct mw_known {
	const struct wl_message *message;
	mw_interceptor *interceptor;
};

enum { MW_KNOWN = 256 };

mw_interceptor *mw_interceptor_of(struct mw_known *known, const struct mw_handler *table, size_t count,
								  const struct wl_protocol_logger_message *message);
/* Called for every event, just before it is sent. */
void mw_sending(struct mw_requests *requests, const struct wl_protocol_logger_message *message);

void mw_popups_dismiss(mw_server *server, mw_window *window);
void mw_activation_begin(mw_server *server);
void mw_activation_end(mw_server *server);
void mw_activation_note_soon(mw_server *server);
void mw_activation_created(mw_window *window); /* reports tokens that were presented earlier for its surface */
void mw_defects_init(mw_shell *shell);
void mw_defects_finish(mw_shell *shell);
/* stalled.c: a client that does not read its socket gets nothing new until it has caught up. */
void mw_stalled_init(mw_server *server);
void mw_stalled_finish(mw_server *server);
/* reading.c: limits how much of a client is read per turn of the loop. Called before a request is handled, and
 * after each turn. */
void mw_reading_init(mw_server *server);
void mw_reading_finish(mw_server *server);
void mw_reading_request(mw_server *server, struct wl_client *client);
void mw_reading_turn(mw_server *server);
void mw_seat_caught_up(mw_server *server, struct wl_client *client);
void mw_xdg_caught_up(mw_server *server, struct wl_client *client);
void mw_popups_caught_up(mw_server *server, struct wl_client *client);
void mw_layers_caught_up(mw_server *server, struct wl_client *client);
/* Compositor/Clients: disconnects a client that exceeds a limit. Called before wlroots handles the request. */
bool mw_limits_init(mw_server *server);
void mw_limits_finish(mw_server *server);
void mw_limits_damage(struct wl_resource *surface);	   /* after a request that adds damage */
void mw_limits_cached(struct wl_resource *surface);	   /* before a commit */
void mw_calls_of_surface(struct wl_resource *surface); /* calls.c: a new surface's requests bypass libffi */
bool mw_requests_init(mw_server *server);
/* Compositor/Clients/SelectionOwners.swift: a reader wants the content that a client, or some X11 program, offers. */
void mw_owner_asked(mw_server *server, struct wl_client *client);
void mw_x11_owner_asked(mw_server *server);
/* Compositor/Clients/HeldPastes.swift: whether the owner of a source has to run before it is asked. If so, the descriptor is
 * taken. */
bool mw_paste_waits(void *source, bool primary, const char *type, int32_t fd);
void mw_pastes_go(void *source); /* those that wait for it go now */
/* requests.c: a paste that waited with the descriptor `kept` continues with another one of the same pipe */
void mw_requests_resume(mw_server *server, int kept, int fd);
void mw_requests_resumed(mw_server *server);
void mw_requests_asked_x11(mw_server *server); /* for a selection, on behalf of the client whose request is being handled */
void mw_requests_finish(mw_server *server);
bool mw_shell_init(mw_server *server);
void mw_shell_finish(mw_server *server);
void mw_xdg_in_sight(mw_window *window); /* it is now, or still */
void mw_xdg_configure(mw_window *window, const struct mw_configure *configure);
const char *mw_x11_text(const char *text, char *room, size_t size); /* as UTF-8, in `room` if it has to be converted */
void mw_x11_locked(mw_server *server, bool locked);					/* X11 programs see and do nothing in a locked session */
void mw_x11_configure(mw_window *window, const struct mw_configure *configure);
void mw_x11_place(mw_window *window, int32_t x, int32_t y);
void mw_x11_dismiss_menus(mw_window *window);
void mw_x11_bounds_changed(mw_window *window);	   /* where its menus may be */
mw_window *mw_x11_group_parent(mw_window *window); /* of a dialog that names no parent; NULL for everything else */
void mw_x11_close(mw_window *window);
void mw_x11_window_gone(mw_window *window); /* its menus look for another owner */
void mw_x11_each_menu_surface(mw_window *window, mw_surface_iterator iterator, void *data);
/* Override-redirect windows without an owner lie above everything, like the overlay layer of layer-shell. */

/* Compositor/Input/InputCalls.swift */
bool mw_seat_init(mw_server *server);
void mw_seat_finish(mw_server *server);
struct wlr_seat *mw_seat_wlr(mw_server *server);
void mw_seat_first_frame(mw_server *server); /* the first frame has been drawn */
void mw_seat_forget(mw_server *server);
void mw_switches_look(mw_server *server);
void mw_seat_refresh_focus(mw_server *server);
void mw_seat_surface_gone(mw_server *server, struct wlr_surface *surface);
void mw_seat_new_output(mw_server *server);
struct wlr_surface *mw_seat_drag_icon(mw_server *server, double *x, double *y); /* output points; NULL: none */
void mw_seat_window_gone(mw_server *server, mw_window *window);					/* unmapped or about to be freed */
void mw_seat_window_changed(mw_server *server, mw_window *window); /* committed: the surface under the pointer may have changed */
bool mw_seat_serial_held(mw_server *server, struct wl_client *client, uint32_t serial,
						 int32_t *by); /* of a button or touch still down; 0: any; by: the touch, -1 the pointer, -2 a pen */

/* Compositor/Text: popups of the input method, beside the caret of a window's text field */
void mw_text_each_popup_surface(mw_window *window, mw_surface_iterator iterator, void *data);
mw_window *mw_text_popup_window(mw_server *server, struct wlr_surface *root); /* the window that shows this popup, or NULL */
bool mw_text_knows_popup(mw_server *server, struct wl_resource *resource);

/* dmabuf.c */
bool mw_buffers_init(mw_server *server); /* wl_shm and GPU buffers */

/* software_gl.c */
bool mw_gl_is_software(struct wlr_renderer *renderer);
void mw_gl_wait(mw_server *server); /* until drawing is finished, where there is no fence */

/* guard.c */
void mw_guard_blame(mw_server *server); /* posts an error to clients that truncated the memory of a live buffer */

/* protocols.c */
void mw_protocols_output_gone(mw_server *server, struct wlr_output *output);
bool mw_protocols_init(mw_server *server);
void mw_protocols_finish(mw_server *server);

/* unmapping.c: unmaps memory that no client uses any more, after waiting clients were answered */
bool mw_unmapping_init(mw_server *server);
void mw_unmapping_finish(mw_server *server);

/* lock.c: the locked session */
void mw_lock_output_gone(mw_output *output);
void mw_lock_screen_changed(mw_server *server); /* it was resized, or may be dark now: powered off, on another console, removed */
bool mw_lock_shows(mw_server *server, const mw_window *window); /* it is the one window over the lock screen */
void mw_lock_window_gone(mw_window *window);
void mw_lock_drawn(mw_output *output, bool committed); /* a frame of items with MW_ITEM_LOCK */
void mw_lock_each_surface(mw_output *output, mw_surface_iterator iterator, void *data);
bool mw_lock_is_on(mw_output *output, struct wlr_surface *surface);

/* Compositor/Protocols/PipWindows.swift */
bool mw_pips_init(mw_server *server);
void mw_pips_finish(mw_server *server);
void mw_pips_screen_changed(mw_server *server);
#if WLR18
/* xdg_requests.c: before `xdg_toplevel.set_parent` is handled, and afterwards if wlroots set no parent. */
void mw_xdg_parent_named(struct wl_resource *toplevel, struct wl_resource *parent);
mw_window *mw_xdg_named_parent(mw_window *window);
#endif
void mw_pips_refuse_toplevel(mw_server *server,
							 struct wl_resource *xdg_surface); /* refuses a toplevel role for a surface that was Picture in Picture */
bool mw_pips_have_nobody(mw_server *server);				   /* one of the display's clients is the placeholder client */
void *mw_pip_of(mw_server *server, struct wlr_xdg_toplevel *toplevel); /* NULL: an ordinary window */
bool mw_pip_is_closed(mw_window *window);
void mw_pip_configured(mw_window *window, uint32_t serial, int32_t width, int32_t height);
bool mw_pip_committed(mw_window *window); /* false: the commit is to be ignored */
void mw_pip_close(mw_window *window);

#endif
