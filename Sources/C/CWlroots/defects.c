/* C, because it repairs structs inside wlroots 0.15 while wlroots uses them. */
/*
 * Guards against requests that crash wlroots 0.15.1. The client gets the protocol error that newer versions send,
 * or its object becomes inert, and the shell continues. wlroots 0.18 needs none of this.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#if WLR18

void mw_defects_init(mw_shell *shell) { (void)shell; }
void mw_defects_finish(mw_shell *shell) { (void)shell; }

#else

struct mw_defects {
	mw_shell *shell;
	struct wl_listener client_created, new_surface;
	struct wl_list all;					/* struct guard: everything attached to objects of clients */
	struct wl_list subsurfaces, layers; /* struct guard: those of wl_subsurface and layer surface objects */
};

/* A hook on an object of a client. */
struct guard {
	struct wl_list link;
	struct mw_defects *guards;
	void *object;
	struct wl_resource *resource;	/* of a subsurface or layer surface */
	pixman_region32_data_t *opaque; /* for a surface: the rectangles of its opaque region */
	struct wl_listener first, second, third;
};

static struct guard *guard_new(struct mw_defects *guards, void *object) {
	struct guard *guard = calloc(1, sizeof(*guard));
	if (guard == NULL)
		return NULL;
	guard->guards = guards;
	guard->object = object;
	wl_list_insert(&guards->all, &guard->link);
	return guard;
}

static void guard_free(struct guard *guard) {
	mw_unlisten(&guard->first);
	mw_unlisten(&guard->second);
	mw_unlisten(&guard->third);
	wl_list_remove(&guard->link);
	free(guard);
}

/* ---- subsurfaces: place_above and place_below access a destroyed parent ---- */

/* wlroots announces a subsurface when its parent commits. These hooks exist from its creation on. */
static void on_orphan_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct guard *guard = wl_container_of(listener, guard, second);
	mw_unlisten(&guard->second);
	guard->object = NULL;
}

static void on_subsurface_resource_destroy(struct wl_listener *listener, void *data) {
	struct guard *guard = wl_container_of(listener, guard, first);
	if (guard->object != NULL)
		wl_resource_set_user_data(data, guard->object);
	guard_free(guard);
}

static void on_subsurface_resource(struct mw_defects *guards, struct wl_resource *resource) {
	struct guard *guard = guard_new(guards, NULL);
	if (guard == NULL)
		return;
	wl_list_remove(&guard->link);
	wl_list_insert(&guards->subsurfaces, &guard->link);
	guard->resource = resource;
	guard->first.notify = on_subsurface_resource_destroy;
	wl_resource_add_destroy_listener(resource, &guard->first);
}

/* wlroots ignores requests on a subsurface without user data. Its own cleanup gets the data back above. */
static void orphan_subsurfaces(struct mw_defects *guards, struct wlr_surface *parent) {
	struct guard *guard;
	wl_list_for_each(guard, &guards->subsurfaces, link) {
		struct wlr_subsurface *subsurface = wl_resource_get_user_data(guard->resource);
		if (subsurface == NULL || subsurface->parent != parent)
			continue;
		guard->object = subsurface;
		mw_listen(&subsurface->events.destroy, &guard->second, on_orphan_destroy);
		wl_resource_set_user_data(guard->resource, NULL);
	}
}

static void on_surface_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct guard *guard = wl_container_of(listener, guard, second);
	guard_free(guard);
}

/* ---- xdg_surface: roles that outlive it, cycles of popups, parents whose end is not announced ---- */

static struct wlr_xdg_surface *xdg_surface_of(struct wlr_surface *surface) {
	return wlr_surface_is_xdg_surface(surface) ? surface->role_data : NULL;
}

static void popup_detach(struct wlr_xdg_popup *popup) {
	wl_list_remove(&popup->link);
	wl_list_init(&popup->link);
	popup->parent = NULL;
}

static bool popup_in_loop(struct wlr_xdg_popup *popup) {
	struct wlr_surface *surface = popup->parent;
	for (int depth = 0; surface != NULL; depth++) {
		struct wlr_xdg_surface *parent = xdg_surface_of(surface);
		if (parent == NULL || parent->role != WLR_XDG_SURFACE_ROLE_POPUP || parent->popup == NULL)
			return false;
		if (parent->popup == popup || depth > 64)
			return true;
		surface = parent->popup->parent;
	}
	return false;
}

/* Before wlroots destroys the role of this xdg_surface. */
static void prepare_end(struct wlr_xdg_surface *surface) {
	if (surface->role == WLR_XDG_SURFACE_ROLE_POPUP && popup_in_loop(surface->popup))
		popup_detach(surface->popup);
	if (surface->role == WLR_XDG_SURFACE_ROLE_NONE) {
		/* Without a role, nothing closes its popups. */
		struct wlr_xdg_popup *popup, *next;
		wl_list_for_each_safe(popup, next, &surface->popups, link) popup_detach(popup);
		/* Its destruction would clear wl_surface fields that belong to another role: a subsurface, or another
		 * xdg_surface. */
		static struct wlr_surface nobody;
		if (surface->surface->role_data != NULL && surface->surface->role_data != surface)
			surface->surface = &nobody;
		return;
	}
	if (surface->role == WLR_XDG_SURFACE_ROLE_TOPLEVEL) {
		if (!surface->mapped)
			mw_xdg_adopt_children(surface, NULL);
		if (surface->toplevel->parent == surface)
			wlr_xdg_toplevel_set_parent(surface, NULL);
	}
	/* Only an added surface announces its destruction, and its decoration depends on that. */
	surface->added = true;
}

/* ---- layer surfaces: one that was never mapped leaves its popups in a freed list, and leaks its configures ---- */

static void end_layer(struct wlr_layer_surface_v1 *layer) {
	struct wlr_xdg_popup *popup, *next;
	wl_list_for_each_safe(popup, next, &layer->popups, link) wlr_xdg_popup_destroy(popup->base);
	struct wlr_layer_surface_v1_configure *configure, *later;
	wl_list_for_each_safe(configure, later, &layer->configure_list, link) {
		wl_list_remove(&configure->link);
		free(configure);
	}
}

/* The role pointer of the surface may be stale: after an invalid layer it points to freed memory. */
static void end_popups_on(struct mw_defects *guards, struct wlr_surface *surface) {
	struct guard *guard;
	wl_list_for_each(guard, &guards->layers, link) {
		struct wlr_layer_surface_v1 *layer = wl_resource_get_user_data(guard->resource);
		if (layer != NULL && layer->surface == surface) {
			end_layer(layer);
			return;
		}
	}
}

static void on_layer_resource_destroy(struct wl_listener *listener, void *data) {
	struct guard *guard = wl_container_of(listener, guard, first);
	struct wlr_layer_surface_v1 *layer = wl_resource_get_user_data(data);
	if (layer != NULL)
		end_layer(layer);
	guard_free(guard);
}

/* A wl_surface is destroyed while its role object lives. Later requests on that object would access freed memory. */
static void on_wl_surface_resource_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct guard *guard = wl_container_of(listener, guard, third);
	struct wlr_surface *surface = guard->object;
	orphan_subsurfaces(guard->guards, surface);
	end_popups_on(guard->guards, surface);
	/* An xdg_surface without a role may already be the parent of popups. */
	struct wlr_xdg_surface *xdg, *defunct = NULL;
	struct wlr_xdg_client *client;
	wl_list_for_each(client, &guard->guards->shell->xdg->clients, link) {
		if (client->client != wl_resource_get_client(surface->resource))
			continue;
		wl_list_for_each(xdg, &client->surfaces, link) {
			if (xdg->surface != surface)
				continue;
			if (xdg->role != WLR_XDG_SURFACE_ROLE_NONE)
				defunct = xdg;
			prepare_end(xdg);
		}
	}
	if (defunct != NULL)
		wl_resource_post_error(defunct->resource, XDG_WM_BASE_ERROR_DEFUNCT_SURFACES, "wl_surface@%u was destroyed before its role object",
							   wl_resource_get_id(surface->resource));
}

static void on_role_resource_destroy(struct wl_listener *listener, void *data) {
	struct guard *guard = wl_container_of(listener, guard, first);
	struct wl_resource *resource = data;
	struct wlr_xdg_surface *surface = wl_resource_get_user_data(resource);
	if (surface != NULL)
		prepare_end(surface);
	guard_free(guard);
}

/* When a client disconnects, its xdg_wm_base is destroyed first, and with it all its xdg_surfaces. */
static void on_wm_base_destroy(struct wl_listener *listener, void *data) {
	struct guard *guard = wl_container_of(listener, guard, first);
	struct wlr_xdg_client *client = wl_resource_get_user_data(data);
	if (client != NULL) {
		struct wlr_xdg_surface *surface;
		wl_list_for_each(surface, &client->surfaces, link) prepare_end(surface);
	}
	guard_free(guard);
}

/* wlroots reinitializes the opaque region of an opaque buffer without freeing its old rectangles. */
static void on_surface_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct guard *guard = wl_container_of(listener, guard, first);
	struct wlr_surface *surface = guard->object;
	pixman_region32_data_t *now = surface->opaque_region.data;
	if (guard->opaque != NULL && guard->opaque != now) {
		struct wlr_texture *texture = wlr_surface_get_texture(surface);
		if (texture != NULL && wlr_texture_is_opaque(texture))
			free(guard->opaque);
	}
	guard->opaque = now != NULL && now->size > 0 ? now : NULL;
}

static void on_new_surface(struct wl_listener *listener, void *data) {
	struct mw_defects *guards = wl_container_of(listener, guards, new_surface);
	struct wlr_surface *surface = data;
	struct guard *guard = guard_new(guards, surface);
	if (guard == NULL)
		return;
	mw_listen(&surface->events.commit, &guard->first, on_surface_commit);
	mw_listen(&surface->events.destroy, &guard->second, on_surface_destroy);
	guard->third.notify = on_wl_surface_resource_destroy;
	wl_resource_add_destroy_listener(surface->resource, &guard->third);
}

/* A popup whose surface had another role was freed at once, but its resource still points to it. */
static void on_input_popup_destroy(struct wl_listener *listener, void *data) {
	struct guard *guard = wl_container_of(listener, guard, first);
	if (!mw_text_knows_popup(guard->guards->shell->server, data))
		wl_resource_set_user_data(data, NULL);
	guard_free(guard);
}

static void on_resource_created(struct wl_listener *listener, void *data) {
	struct guard *client_guard = wl_container_of(listener, client_guard, first);
	struct wl_resource *resource = data;
	const char *class = wl_resource_get_class(resource);
	if (strcmp(class, "wl_subsurface") == 0) {
		on_subsurface_resource(client_guard->guards, resource);
		return;
	}
	if (strcmp(class, "xdg_activation_token_v1") == 0) {
		mw_activation_note_soon(client_guard->guards->shell->server); /* not a defect, but this listener sees it first */
		return;
	}
	if (strcmp(class, "zwp_input_popup_surface_v2") == 0) {
		struct guard *guard = guard_new(client_guard->guards, resource);
		if (guard == NULL)
			return;
		guard->first.notify = on_input_popup_destroy;
		wl_resource_add_destroy_listener(resource, &guard->first);
		return;
	}
	bool wm_base = strcmp(class, "xdg_wm_base") == 0, layer = strcmp(class, "zwlr_layer_surface_v1") == 0;
	if (!wm_base && !layer && strcmp(class, "xdg_toplevel") != 0 && strcmp(class, "xdg_popup") != 0 && strcmp(class, "xdg_surface") != 0)
		return;
	struct guard *guard = guard_new(client_guard->guards, resource);
	if (guard == NULL)
		return;
	if (layer) {
		wl_list_remove(&guard->link);
		wl_list_insert(&client_guard->guards->layers, &guard->link);
		guard->resource = resource;
	}
	guard->first.notify = wm_base ? on_wm_base_destroy : layer ? on_layer_resource_destroy : on_role_resource_destroy;
	wl_resource_add_destroy_listener(resource, &guard->first);
}

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct guard *guard = wl_container_of(listener, guard, second);
	/* Its resources are destroyed later and have their own hooks. This one only saw their creation. */
	guard_free(guard);
}

static void on_client_created(struct wl_listener *listener, void *data) {
	struct mw_defects *guards = wl_container_of(listener, guards, client_created);
	struct wl_client *client = data;
	struct guard *guard = guard_new(guards, client);
	if (guard == NULL)
		return;
	guard->first.notify = on_resource_created;
	wl_client_add_resource_created_listener(client, &guard->first);
	guard->second.notify = on_client_destroy;
	wl_client_add_destroy_listener(client, &guard->second);
}

void mw_defects_init(mw_shell *shell) {
	struct mw_defects *guards = calloc(1, sizeof(*guards));
	if (guards == NULL)
		return;
	guards->shell = shell;
	wl_list_init(&guards->all);
	wl_list_init(&guards->subsurfaces);
	wl_list_init(&guards->layers);
	shell->guards = guards;
	guards->client_created.notify = on_client_created;
	wl_display_add_client_created_listener(shell->server->display, &guards->client_created);
	mw_listen(&shell->server->compositor->events.new_surface, &guards->new_surface, on_new_surface);
}

void mw_defects_finish(mw_shell *shell) {
	struct mw_defects *guards = shell->guards;
	if (guards == NULL)
		return;
	mw_unlisten(&guards->client_created);
	mw_unlisten(&guards->new_surface);
	struct guard *guard, *next;
	wl_list_for_each_safe(guard, next, &guards->all, link) guard_free(guard);
	wl_list_for_each_safe(guard, next, &guards->subsurfaces, link) guard_free(guard);
	wl_list_for_each_safe(guard, next, &guards->layers, link) guard_free(guard);
	shell->guards = NULL;
	free(guards);
}

#endif
