/* xdg-dialog: a window says that it is a dialog, and whether its parent waits for it. A fact for the handlers. */
#include "internal.h"

#include "xdg-dialog-v1-protocol.h"

#include <stdlib.h>

struct mw_dialogs {
	mw_server *server;
	struct wl_global *global;
	struct wl_list list;
};

struct dialog {
	struct wl_list link;
	struct wl_resource *resource;
	struct wlr_xdg_toplevel *toplevel;
	bool modal;
	struct wl_listener destroy;
};

static struct dialog *dialog_of(mw_server *server, const struct wlr_xdg_toplevel *toplevel) {
	struct dialog *dialog;
	if (server->dialogs == NULL)
		return NULL;
	wl_list_for_each(dialog, &server->dialogs->list, link) {
		if (dialog->toplevel == toplevel)
			return dialog;
	}
	return NULL;
}

bool mw_dialog_is_modal(mw_window *window) {
	struct dialog *dialog = window->toplevel != NULL ? dialog_of(window->server, window->toplevel) : NULL;
	return dialog != NULL && dialog->modal;
}

static void dialog_free(struct dialog *dialog) {
	mw_unlisten(&dialog->destroy);
	wl_resource_set_user_data(dialog->resource, NULL);
	wl_list_remove(&dialog->link);
	free(dialog);
}

static void report(struct wlr_xdg_toplevel *toplevel) {
	mw_window *window = mw_xdg_window(toplevel->base);
	if (window != NULL)
		mw_window_report_renamed(window);
}

static void on_toplevel_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct dialog *dialog = wl_container_of(listener, dialog, destroy);
	dialog_free(dialog);
}

static void on_resource_destroy(struct wl_resource *resource) {
	struct dialog *dialog = wl_resource_get_user_data(resource);
	if (dialog == NULL)
		return;
	struct wlr_xdg_toplevel *toplevel = dialog->toplevel;
	dialog_free(dialog);
	report(toplevel);
}

static void destroy_resource(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static void set(struct wl_resource *resource, bool modal) {
	struct dialog *dialog = wl_resource_get_user_data(resource);
	if (dialog == NULL || dialog->modal == modal)
		return;
	dialog->modal = modal;
	report(dialog->toplevel);
}

static void set_modal(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	set(resource, true);
}

static void unset_modal(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	set(resource, false);
}

static const struct xdg_dialog_v1_interface dialog_implementation = {
	.destroy = destroy_resource,
	.set_modal = set_modal,
	.unset_modal = unset_modal,
};

static void get_xdg_dialog(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *toplevel_resource) {
	struct mw_dialogs *dialogs = wl_resource_get_user_data(manager);
	struct wlr_xdg_toplevel *toplevel = mw_xdg_toplevel_of(toplevel_resource);
	if (toplevel != NULL && dialog_of(dialogs->server, toplevel) != NULL) {
		wl_resource_post_error(manager, XDG_WM_DIALOG_V1_ERROR_ALREADY_USED, "the window is a dialog already");
		return;
	}
	struct dialog *dialog = toplevel != NULL ? calloc(1, sizeof(*dialog)) : NULL;
	struct wl_resource *resource = wl_resource_create(client, &xdg_dialog_v1_interface, wl_resource_get_version(manager), id);
	if (resource == NULL || (dialog == NULL && toplevel != NULL)) {
		wl_client_post_no_memory(client);
		free(dialog);
		if (resource != NULL)
			wl_resource_destroy(resource);
		return;
	}
	wl_resource_set_implementation(resource, &dialog_implementation, dialog, on_resource_destroy);
	if (dialog == NULL)
		return;   /* of a window that is gone: it means nothing */
	dialog->resource = resource;
	dialog->toplevel = toplevel;
	wl_list_insert(&dialogs->list, &dialog->link);
	mw_listen(mw_xdg_destroy_signal(toplevel), &dialog->destroy, on_toplevel_destroy);
}

static const struct xdg_wm_dialog_v1_interface manager_implementation = {
	.destroy = destroy_resource,
	.get_xdg_dialog = get_xdg_dialog,
};

static void on_bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &xdg_wm_dialog_v1_interface, (int)version, id);
	if (resource == NULL)
		wl_client_post_no_memory(client);
	else
		wl_resource_set_implementation(resource, &manager_implementation, data, NULL);
}

bool mw_dialogs_init(mw_server *server) {
	struct mw_dialogs *dialogs = server->dialogs = calloc(1, sizeof(*dialogs));
	if (dialogs == NULL)
		return false;
	dialogs->server = server;
	wl_list_init(&dialogs->list);
	dialogs->global = wl_global_create(server->display, &xdg_wm_dialog_v1_interface, 1, dialogs, on_bind);
	return dialogs->global != NULL;
}

void mw_dialogs_finish(mw_server *server) {
	struct mw_dialogs *dialogs = server->dialogs;
	if (dialogs == NULL)
		return;
	struct dialog *dialog, *next;
	wl_list_for_each_safe(dialog, next, &dialogs->list, link)
		dialog_free(dialog);
	if (dialogs->global != NULL)
		wl_global_destroy(dialogs->global);
	server->dialogs = NULL;
	free(dialogs);
}
