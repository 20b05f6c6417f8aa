/* C, because it replaces functions of wlroots' objects. */
/*
 * Looks at events just before they are sent to a client, where the next step of wlroots can still be changed (requests.c).
 */
#include "internal.h"

#include <stdlib.h>

/* Sources whose drag has ended well, until they are destroyed. */
struct finished {
	struct wl_list link;
	struct wlr_data_source *source;
	struct wl_resource *resource;
};

static struct wl_list finished_sources = {&finished_sources, &finished_sources};

static struct finished *finished_of(const struct wlr_data_source *source) {
	struct finished *finished;
	wl_list_for_each(finished, &finished_sources, link) {
		if (finished->source == source)
			return finished;
	}
	return NULL;
}

/* The event asks a client for the content that it offers, for a paste or a drop. */
static void owner_asked(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	mw_owner_asked(mw_requests_server(requests), wl_resource_get_client(message->resource));
}

/* Ends a source that was told dnd_finished. wlroots' own function would tell it cancelled, too (P-05). */
static void end_finished(struct wlr_data_source *source) {
	struct finished *finished = finished_of(source);
	if (finished == NULL)
		return;
	wl_resource_set_user_data(finished->resource, NULL);
	wl_list_remove(&finished->link);
	free(finished);
	free(source);
}

static void source_finished(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	struct wlr_data_source *source = wl_resource_get_user_data(message->resource);
	struct finished *finished = source != NULL && finished_of(source) == NULL ? calloc(1, sizeof(*finished)) : NULL;
	if (finished == NULL)
		return;
	finished->source = source;
	finished->resource = message->resource;
	wl_list_insert(&finished_sources, &finished->link);
	/* Each source has functions of its own. */
	((struct wlr_data_source_impl *)source->impl)->destroy = end_finished;
}

/* A grab that ends by a press outside sends the event to each of its popups, ends the grab of the pointer, and so begins anew. A
 * popup that is done is no longer the grab's. wlroots is in a loop in which the current popup may go. */
static void popup_done(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	(void)requests;
	void *data = wl_resource_get_user_data(message->resource);
#if WLR18
	struct wlr_xdg_popup *popup = data;
#else
	struct wlr_xdg_surface *surface = data;
	struct wlr_xdg_popup *popup = surface != NULL && surface->role == WLR_XDG_SURFACE_ROLE_POPUP ? surface->popup : NULL;
#endif
	if (popup == NULL || popup->seat == NULL)
		return;
	wl_list_remove(&popup->grab_link);
	wl_list_init(&popup->grab_link);
}

static const struct mw_handler sending[] = {
	{"wl_data_source", "send", owner_asked},
	{"zwp_primary_selection_source_v1", "send", owner_asked},
	{"zwlr_data_control_source_v1", "send", owner_asked},
	{"ext_data_control_source_v1", "send", owner_asked},
	{"wl_data_source", "dnd_finished", source_finished},
	{"xdg_popup", "popup_done", popup_done},
};

void mw_sending(struct mw_requests *requests, const struct wl_protocol_logger_message *message) {
	static struct mw_known known[MW_KNOWN];
	mw_interceptor *interceptor = mw_interceptor_of(known, sending, MW_COUNT(sending), message);
	if (interceptor != NULL)
		interceptor(requests, message);
}
