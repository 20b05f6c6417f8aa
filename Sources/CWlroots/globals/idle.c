/*
 * Idleness: who is told that nobody does anything (ext-idle-notify-v1 and the older one of KDE), and what keeps it away
 * (idle-inhibit-v1). wlroots 0.15 has only KDE's, and crashes if a timeout is used after its release.
 *
 * An inhibitor counts while its surface is in sight: it belongs to a window that the shell shows, as taskbars are told,
 * or to a mapped layer surface. That a card in the app switcher shows it does not count.
 */
#include "globals.h"

#include "ext-idle-notify-v1-protocol.h"
#include "idle-protocol.h"

#include <limits.h>
#include <stdlib.h>
#include <wlr/types/wlr_idle_inhibit_v1.h>

struct mw_idle {
	mw_server *server;
	struct wl_list notifications, inhibitors;
	struct wl_listener new_inhibitor;
	struct wl_event_source *updating;    /* what inhibitors come to is looked at when this turn of the loop is over */
	int64_t last_activity;
	bool inhibited;
};

/* ---- notifications ---- */

struct notification {
	struct wl_list link;
	struct mw_idle *idle;
	struct wl_resource *resource;
	int64_t timeout;                     /* ns */
	int64_t from;                        /* counts from here, or from the last activity after it */
	struct wl_event_source *timer;
	bool kde;                            /* which of the two it is */
	bool idled;
};

static void set_idled(struct notification *notification, bool idled) {
	if (notification->idled == idled)
		return;
	notification->idled = idled;
	if (notification->kde && idled)
		org_kde_kwin_idle_timeout_send_idle(notification->resource);
	else if (notification->kde)
		org_kde_kwin_idle_timeout_send_resumed(notification->resource);
	else if (idled)
		ext_idle_notification_v1_send_idled(notification->resource);
	else
		ext_idle_notification_v1_send_resumed(notification->resource);
}

/* Activity only notes its time: the timer runs out once, looks, and is armed for what is left. */
static void consider(struct notification *notification) {
	if (notification->idle->inhibited || notification->idled)
		return;
	int64_t from = notification->idle->last_activity;
	int64_t due = (from > notification->from ? from : notification->from) + notification->timeout;
	int64_t left = due - mw_now();
	if (left <= 0) {
		set_idled(notification, true);
		return;
	}
	int64_t milliseconds = (left + 999999) / 1000000;
	wl_event_source_timer_update(notification->timer, milliseconds < INT_MAX ? (int)milliseconds : INT_MAX);
}

/* Somebody did something. */
static void wake(struct notification *notification) {
	if (!notification->idled && notification->timeout > 0)
		return;   /* its timer will see */
	set_idled(notification, false);
	consider(notification);
}

static int on_timer(void *data) {
	consider(data);
	return 0;
}

static void handle_destroy(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static const struct ext_idle_notification_v1_interface notification_impl = { .destroy = handle_destroy };

static void on_notification_destroy(struct wl_resource *resource) {
	struct notification *notification = wl_resource_get_user_data(resource);
	wl_event_source_remove(notification->timer);
	wl_list_remove(&notification->link);
	free(notification);
}

static void handle_activity(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	struct notification *notification = wl_resource_get_user_data(resource);
	notification->from = mw_now();
	wake(notification);
}

static const struct org_kde_kwin_idle_timeout_interface timeout_impl = {
	.release = handle_destroy,
	.simulate_user_activity = handle_activity,
};

static void add(struct wl_client *client, struct wl_resource *manager, uint32_t id, uint32_t timeout, bool kde) {
	struct mw_idle *idle = wl_resource_get_user_data(manager);
	struct notification *notification = calloc(1, sizeof(*notification));
	if (notification != NULL)
		notification->timer = wl_event_loop_add_timer(idle->server->loop, on_timer, notification);
	if (notification != NULL && notification->timer != NULL)
		notification->resource = wl_resource_create(client,
			kde ? &org_kde_kwin_idle_timeout_interface : &ext_idle_notification_v1_interface,
			wl_resource_get_version(manager), id);
	if (notification == NULL || notification->resource == NULL) {
		if (notification != NULL && notification->timer != NULL)
			wl_event_source_remove(notification->timer);
		free(notification);
		wl_client_post_no_memory(client);
		return;
	}
	const void *impl = kde ? (const void *)&timeout_impl : (const void *)&notification_impl;
	wl_resource_set_implementation(notification->resource, impl, notification, on_notification_destroy);
	notification->idle = idle;
	notification->kde = kde;
	notification->timeout = (int64_t)timeout * 1000000;
	notification->from = mw_now();
	wl_list_insert(&idle->notifications, &notification->link);
	consider(notification);
}

/* The seat does not matter: there is one. */
static void handle_get_notification(struct wl_client *client, struct wl_resource *notifier, uint32_t id, uint32_t timeout,
		struct wl_resource *seat) {
	(void)seat;
	add(client, notifier, id, timeout, false);
}

static void handle_get_timeout(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *seat,
		uint32_t timeout) {
	(void)seat;
	add(client, manager, id, timeout, true);
}

static const struct ext_idle_notifier_v1_interface notifier_impl = {
	.destroy = handle_destroy,
	.get_idle_notification = handle_get_notification,
};

static const struct org_kde_kwin_idle_interface kde_impl = { .get_idle_timeout = handle_get_timeout };

static void bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &ext_idle_notifier_v1_interface, (int)version, id);
	if (resource == NULL) {
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(resource, &notifier_impl, data, NULL);
}

static void bind_kde(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &org_kde_kwin_idle_interface, (int)version, id);
	if (resource == NULL) {
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(resource, &kde_impl, data, NULL);
}

void mw_idle_activity(mw_server *server) {
	struct mw_idle *idle = server->idle;
	if (idle == NULL)
		return;
	idle->last_activity = mw_now();
	struct notification *notification;
	wl_list_for_each(notification, &idle->notifications, link)
		wake(notification);
}

static void set_inhibited(struct mw_idle *idle, bool inhibited) {
	if (idle->inhibited == inhibited)
		return;
	idle->inhibited = inhibited;
	if (!inhibited)
		idle->last_activity = mw_now();   /* the time starts afresh when the film is over */
	struct notification *notification;
	wl_list_for_each(notification, &idle->notifications, link) {
		if (inhibited)
			set_idled(notification, false);
		else
			consider(notification);
	}
}

/* ---- inhibitors ---- */

struct inhibitor {
	struct wl_list link;
	struct mw_idle *idle;
	struct wlr_surface *surface;
	struct wl_listener destroy, commit;
};

static bool layer_is_mapped(struct wlr_surface *root) {
#if WLR18
	return wlr_layer_surface_v1_try_from_wlr_surface(root) != NULL && root->mapped;
#else
	if (!wlr_surface_is_layer_surface(root))
		return false;
	struct wlr_layer_surface_v1 *layer = wlr_layer_surface_v1_from_wlr_surface(root);
	return layer != NULL && layer->mapped;
#endif
}

static bool in_sight(mw_server *server, struct wlr_surface *surface) {
	mw_window *window = mw_window_of_surface(server, surface);
	if (window != NULL)
		return window->mapped && window->shown;
	struct wlr_surface *root = wlr_surface_get_root_surface(surface);
	return root != NULL && layer_is_mapped(root);
}

static void update(void *data) {
	struct mw_idle *idle = data;
	idle->updating = NULL;
	bool inhibited = false;
	struct inhibitor *inhibitor;
	wl_list_for_each(inhibitor, &idle->inhibitors, link) {
		if (in_sight(idle->server, inhibitor->surface)) {
			inhibited = true;
			break;
		}
	}
	set_inhibited(idle, inhibited);
}

/* Once for all that a client does at a time: each may ask after every surface that has an inhibitor. */
static void update_soon(struct mw_idle *idle) {
	if (idle->updating == NULL)
		idle->updating = wl_event_loop_add_idle(idle->server->loop, update, idle);
}

void mw_idle_windows_changed(mw_server *server) {
	if (server->idle != NULL && !server->destroying && !wl_list_empty(&server->idle->inhibitors))
		update_soon(server->idle);
}

static void inhibitor_free(struct inhibitor *inhibitor) {
	mw_unlisten(&inhibitor->destroy);
	mw_unlisten(&inhibitor->commit);
	wl_list_remove(&inhibitor->link);
	free(inhibitor);
}

static void on_inhibitor_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct inhibitor *inhibitor = wl_container_of(listener, inhibitor, destroy);
	struct mw_idle *idle = inhibitor->idle;
	inhibitor_free(inhibitor);
	if (!idle->server->destroying)
		update_soon(idle);
}

/* A surface may get its role, or a place in a window, after its inhibitor. */
static void on_inhibitor_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct inhibitor *inhibitor = wl_container_of(listener, inhibitor, commit);
	update_soon(inhibitor->idle);
}

static void on_new_inhibitor(struct wl_listener *listener, void *data) {
	struct mw_idle *idle = wl_container_of(listener, idle, new_inhibitor);
	struct wlr_idle_inhibitor_v1 *wlr = data;
	struct inhibitor *inhibitor = calloc(1, sizeof(*inhibitor));
	if (inhibitor == NULL)
		return;
	inhibitor->idle = idle;
	inhibitor->surface = wlr->surface;
	wl_list_insert(&idle->inhibitors, &inhibitor->link);
	mw_listen(&wlr->events.destroy, &inhibitor->destroy, on_inhibitor_destroy);
	mw_listen(&wlr->surface->events.commit, &inhibitor->commit, on_inhibitor_commit);
	update_soon(idle);
}

/* ---- life ---- */

bool mw_idle_init(mw_server *server) {
	struct mw_idle *idle = calloc(1, sizeof(*idle));
	if (idle == NULL)
		return false;
	server->idle = idle;
	idle->server = server;
	idle->last_activity = mw_now();
	wl_list_init(&idle->notifications);
	wl_list_init(&idle->inhibitors);
	struct wlr_idle_inhibit_manager_v1 *inhibit = wlr_idle_inhibit_v1_create(server->display);
	if (inhibit == NULL)
		return false;
	mw_listen(&inhibit->events.new_inhibitor, &idle->new_inhibitor, on_new_inhibitor);
	return wl_global_create(server->display, &ext_idle_notifier_v1_interface, 1, idle, bind) != NULL &&
		wl_global_create(server->display, &org_kde_kwin_idle_interface, 1, idle, bind_kde) != NULL;
}

void mw_idle_finish(mw_server *server) {
	struct mw_idle *idle = server->idle;
	if (idle == NULL)
		return;
	mw_unlisten(&idle->new_inhibitor);
	if (idle->updating != NULL)
		wl_event_source_remove(idle->updating);
	struct inhibitor *inhibitor, *next;
	wl_list_for_each_safe(inhibitor, next, &idle->inhibitors, link)
		inhibitor_free(inhibitor);
	server->idle = NULL;
	free(idle);
}
