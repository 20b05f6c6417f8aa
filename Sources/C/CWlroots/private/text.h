/* What text.c and text_popups.c share: text fields of apps, the input method, and its popups. */
#ifndef MULLION_TEXT_H
#define MULLION_TEXT_H

#include "seat.h"

#include <wlr/types/wlr_input_method_v2.h>
#include <wlr/types/wlr_text_input_v3.h>

/* A client's zwp_text_input_v3. */
struct mw_field {
	struct wl_list link;
	struct mw_text *text;
	struct wlr_text_input_v3 *wlr;
	struct wl_listener enable, commit, disable, destroy;
};

struct mw_text {
	mw_seat *seat;
	struct wl_list fields;               /* struct mw_field */
	struct wlr_input_method_v2 *method;  /* NULL: none runs */
	struct mw_field *active;             /* the field that the method types into */
	bool shell_wanted, shell_active;     /* the shell's own entry instead */
	uint32_t done_count;                 /* done events that the method was sent */
	uint32_t active_since;               /* ... when it was last activated */
	bool told_active;                    /* what it was told last */
	enum { NOTHING_LATE, STATE_LATE, CHANGE_LATE } late;   /* what it is told when it has read on: */
	struct wl_event_source *late_timer;
	int64_t told_from;
	int told;                            /* how often since then */
	struct wl_listener new_field, new_method, focus_change;
	struct wl_listener method_commit, method_grab, method_popup, method_destroy, grab_destroy;

	/* text_popups.c */
	struct wl_list popups;
	struct wl_event_source *popup_idle;
	uint32_t told_window;                /* whose popups were last reported with ours among them, 0 = none */
};

/* text_popups.c */
void mw_text_popup_new(struct mw_text *text, struct wlr_input_popup_surface_v2 *wlr);
void mw_text_popups_changed(struct mw_text *text);   /* the field or its caret is another */
void mw_text_popups_finish(struct mw_text *text);

#endif
