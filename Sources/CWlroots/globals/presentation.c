/*
 * presentation-time: when what an app drew was seen. The times are the backend's. wlroots' own helper answers only when
 * something is committed; here an app that asks without having drawn anything new is answered too, and nothing that was
 * composited is said to have gone to the screen untouched. What is not shown is answered when it is, or when newer
 * content takes its place.
 */
#include "globals.h"

#include <stdlib.h>
#include "presentation-time-protocol.h"

struct feedback {
	struct wl_list link;
	struct wlr_presentation_feedback *wlr;
	const struct wlr_surface *surface;   /* only to be compared; it may be gone */
	bool committed;
	bool scanned_out;                    /* its buffer was the picture, and nothing was copied */
	uint32_t sequence;                   /* of the commit that showed it */
};

static void answer(struct feedback *feedback, const struct wlr_output_event_present *event) {
	if (event != NULL && event->presented) {
		struct wlr_presentation_event presented;
		wlr_presentation_event_from_output(&presented, event);
		if (!feedback->scanned_out)
			presented.flags &= ~(uint32_t)WP_PRESENTATION_FEEDBACK_KIND_ZERO_COPY;
		wlr_presentation_feedback_send_presented(feedback->wlr, &presented);
	}
	wlr_presentation_feedback_destroy(feedback->wlr);   /* discards what was not answered */
	wl_list_remove(&feedback->link);
	free(feedback);
}

bool mw_presentation_shown(mw_output *output, struct wlr_surface *surface) {
	struct wlr_presentation *presentation = output->server->presentation;
	if (presentation == NULL)
		return false;
#if WLR18
	struct wlr_presentation_feedback *wlr = wlr_presentation_surface_sampled(surface);
#else
	struct wlr_presentation_feedback *wlr = wlr_presentation_surface_sampled(presentation, surface);
#endif
	if (wlr == NULL)
		return false;
	struct feedback *feedback = calloc(1, sizeof(*feedback));
	if (feedback == NULL) {
		wlr_presentation_feedback_destroy(wlr);
		return false;
	}
	feedback->wlr = wlr;
	feedback->surface = surface;
	wl_list_insert(output->feedbacks.prev, &feedback->link);
	return true;
}

void mw_presentation_committed(mw_output *output, struct wlr_surface *scanned) {
	struct feedback *feedback;
	wl_list_for_each(feedback, &output->feedbacks, link) {
		if (!feedback->committed) {
			feedback->committed = true;
			feedback->scanned_out = scanned != NULL && feedback->surface == scanned;
			feedback->sequence = output->wlr->commit_seq;
		}
	}
}

static void on_present(struct wl_listener *listener, void *data) {
	mw_output *output = wl_container_of(listener, output, present);
	const struct wlr_output_event_present *event = data;
	struct feedback *feedback, *next;
	wl_list_for_each_safe(feedback, next, &output->feedbacks, link) {
		if (!feedback->committed || (int32_t)(event->commit_seq - feedback->sequence) < 0)
			continue;
		/* A later commit was seen instead: this one never was. */
		answer(feedback, event->commit_seq == feedback->sequence ? event : NULL);
	}
}

void mw_presentation_output_init(mw_output *output) {
	wl_list_init(&output->feedbacks);
	mw_listen(&output->wlr->events.present, &output->present, on_present);
}

void mw_presentation_output_finish(mw_output *output) {
	struct feedback *feedback, *next;
	wl_list_for_each_safe(feedback, next, &output->feedbacks, link)
		answer(feedback, NULL);
}
