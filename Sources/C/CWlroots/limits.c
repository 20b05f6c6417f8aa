/*
 * Counts what each client has, at each object that is made or goes, and disconnects those that want more than they may have.
 * What that is Swift says (ClientLimits).
 */
#include "internal.h"
#include "client_limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if !WLR18
#include <wlr/types/wlr_region.h>
#endif

struct mw_limits {
	mw_server *server;
	struct wl_list tallies;
	struct wl_listener client_created;
};

struct mw_client_limits mw_client_limits;

#define MAX_CLASSES 64

/* How many objects of a kind there may be, and which classes are of it. */
static struct { char what[48]; uint32_t most; } kinds[MW_COUNTED_KINDS];
static struct { char name[48]; int32_t kind; } classes[MAX_CLASSES];
static size_t class_count;

void mw_limits_set(const struct mw_client_limits *limits) {
	mw_client_limits = *limits;
	class_count = 0;
}

void mw_limits_count(int32_t kind, const char *what, uint32_t most) {
	if (kind < 0 || kind >= MW_COUNTED_KINDS)
		abort();   /* a mistake in the table */
	snprintf(kinds[kind].what, sizeof(kinds[kind].what), "%s", what);
	kinds[kind].most = most;
}

void mw_limits_count_class(const char *name, int32_t kind) {
	if (class_count == MAX_CLASSES || strlen(name) >= sizeof(classes[0].name))
		abort();
	snprintf(classes[class_count].name, sizeof(classes[0].name), "%s", name);
	classes[class_count++].kind = kind;
}

/* Memory that a client shares: mapped as long as the pool or one of its buffers is there. */
struct pool {
	int users;
	int64_t bytes;
};

/* One client. It outlives its counts: those of its last objects go after it. */
struct tally {
	struct wl_list link;
	mw_server *server;
	struct wl_client *client;            /* NULL once it is gone, or once it was refused something */
	uint32_t count[MW_COUNTED_KINDS], objects;
	int64_t pool_bytes;
	struct lately { uint32_t count; int64_t since; } tokens, keymaps, selections, pastes;   /* in the present stretch of time */
	struct pool *expected;               /* what the request that is handled now makes an object of */
	struct wl_listener resource_created, destroy;
};

/* One object of a client. */
struct counted {
	struct tally *tally;
	int32_t kind;
	struct pool *pool;                   /* of a pool or a buffer in it, else NULL */
	uint32_t types;                      /* bytes of the types that a selection has, and 16 for each */
	struct wl_listener destroy;
};

static void free_unused(struct pool *pool) {
	if (pool != NULL && pool->users == 0)
		free(pool);
}

static void tally_free(struct tally *tally) {
	free_unused(tally->expected);
	wl_list_remove(&tally->link);
	free(tally);
}

static const char *app_of(mw_server *server, struct wl_client *client, char *room, size_t size) {
	mw_window *window;
	wl_list_for_each(window, &server->windows, link) {
		if (window->toplevel != NULL && window->told_app_id != NULL && window->told_app_id[0] != '\0' &&
				wl_resource_get_client(window->surface->resource) == client)
			return window->told_app_id;
	}
	pid_t pid = 0;
	wl_client_get_credentials(client, &pid, NULL, NULL);
	snprintf(room, size, "/proc/%d/comm", (int)pid);
	int fd = open(room, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd >= 0 ? read(fd, room, size - 1) : 0;
	if (fd >= 0)
		close(fd);
	room[length > 0 ? length : 0] = '\0';
	room[strcspn(room, "\n")] = '\0';
	return room;
}

static void refuse(struct tally *tally, const char *what, int64_t most) {
	struct wl_client *client = tally->client;
	if (client == NULL)
		return;
	tally->client = NULL;
	char room[256], text[400];
	pid_t pid = 0;
	wl_client_get_credentials(client, &pid, NULL, NULL);
	snprintf(text, sizeof(text), "%s (process %d) is disconnected: more than %lld %s",
		app_of(tally->server, client, room, sizeof(room)), (int)pid, (long long)most, what);
	tally->server->on.log(tally->server->on.user, WLR_ERROR, text);
	wl_client_post_implementation_error(client, "limit of one client: %lld %s", (long long)most, what);
}

static int32_t kind_of(const char *class) {
	for (size_t i = 0; i < class_count; i++) {
		if (strcmp(class, classes[i].name) == 0)
			return classes[i].kind;
	}
	return MW_COUNTED_OTHERS;
}

static void on_object_destroy(struct wl_listener *listener, void *data) {
	struct counted *counted = wl_container_of(listener, counted, destroy);
	struct tally *tally = counted->tally;
	tally->count[counted->kind]--;
	if (counted->pool != NULL && --counted->pool->users == 0) {
		if (counted->kind == MW_COUNTED_BUFFERS)
			mw_unmap_later(tally->server, data);
		tally->pool_bytes -= counted->pool->bytes;
		if (tally->expected == counted->pool)
			tally->expected = NULL;
		free(counted->pool);
	}
	if (--tally->objects == 0 && tally->destroy.notify == NULL)
		tally_free(tally);
	free(counted);
}

static void on_object(struct wl_listener *listener, void *data) {
	struct tally *tally = wl_container_of(listener, tally, resource_created);
	struct wl_resource *resource = data;
	struct counted *counted = calloc(1, sizeof(*counted));
	if (counted == NULL) {
		wl_client_post_no_memory(wl_resource_get_client(resource));
		return;
	}
	counted->tally = tally;
	counted->kind = kind_of(wl_resource_get_class(resource));
	if ((counted->kind == MW_COUNTED_POOLS || counted->kind == MW_COUNTED_BUFFERS) && tally->expected != NULL) {
		counted->pool = tally->expected;
		counted->pool->users++;
		tally->expected = NULL;
	}
	counted->destroy.notify = on_object_destroy;
	wl_resource_add_destroy_listener(resource, &counted->destroy);
	tally->objects++;
	if (++tally->count[counted->kind] > kinds[counted->kind].most)
		refuse(tally, kinds[counted->kind].what, kinds[counted->kind].most);
	if (tally->objects > mw_client_limits.objects)
		refuse(tally, "objects", mw_client_limits.objects);
}

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct tally *tally = wl_container_of(listener, tally, destroy);
	mw_unlisten(&tally->resource_created);
	mw_unlisten(&tally->destroy);
	tally->destroy.notify = NULL;
	tally->client = NULL;
	if (tally->objects == 0)
		tally_free(tally);
}

static void on_client_created(struct wl_listener *listener, void *data) {
	struct mw_limits *state = wl_container_of(listener, state, client_created);
	struct wl_client *client = data;
	struct tally *tally = state->server->nobody ? NULL : calloc(1, sizeof(*tally));
	if (tally == NULL)
		return;
	tally->server = state->server;
	tally->client = client;
	wl_list_insert(&state->tallies, &tally->link);
	tally->resource_created.notify = on_object;
	wl_client_add_resource_created_listener(client, &tally->resource_created);
	tally->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(client, &tally->destroy);
}

/* ---- what is not counted by its objects ---- */

static struct tally *tally_of(struct wl_client *client) {
	struct wl_listener *listener = wl_client_get_destroy_listener(client, on_client_destroy);
	struct tally *tally = NULL;
	return listener != NULL ? wl_container_of(listener, tally, destroy) : NULL;
}

static struct counted *counted_of(struct wl_resource *resource) {
	struct wl_listener *listener = wl_resource_get_destroy_listener(resource, on_object_destroy);
	struct counted *counted = NULL;
	return listener != NULL ? wl_container_of(listener, counted, destroy) : NULL;
}

static void grow(struct tally *tally, struct pool *pool, int32_t size) {
	if (size <= pool->bytes)
		return;
	tally->pool_bytes += size - pool->bytes;
	pool->bytes = size;
	if (tally->pool_bytes > mw_client_limits.pool_bytes)
		refuse(tally, "bytes of shared memory", mw_client_limits.pool_bytes);
}

void mw_limits_new_pool(struct wl_client *client, int32_t size) {
	struct tally *tally = tally_of(client);
	struct pool *pool = tally != NULL ? calloc(1, sizeof(*pool)) : NULL;
	if (pool == NULL)
		return;
	free_unused(tally->expected);
	tally->expected = pool;
	grow(tally, pool, size);
}

void mw_limits_new_buffer(struct wl_resource *pool) {
	struct counted *counted = counted_of(pool);
	if (counted == NULL)
		return;
	if (counted->tally->expected != counted->pool)
		free_unused(counted->tally->expected);
	counted->tally->expected = counted->pool;
}

void mw_limits_resize_pool(struct wl_resource *pool, int32_t size) {
	struct counted *counted = counted_of(pool);
	if (counted != NULL && counted->pool != NULL)
		grow(counted->tally, counted->pool, size);
}

/* All types are sent at once to everybody who may paste: who does not read so much at once would be disconnected. */
void mw_limits_offer(struct wl_resource *source, const char *type) {
	struct counted *counted = counted_of(source);
	if (counted == NULL)
		return;
	counted->types += 16 + (type != NULL ? (uint32_t)strlen(type) : 0);
	if (counted->types > mw_client_limits.types)
		refuse(counted->tally, "bytes of types of one selection", mw_client_limits.types);
}

static uint32_t more(struct lately *lately, int seconds, uint32_t count) {
	int64_t now = mw_now();
	if (now - lately->since > seconds * INT64_C(1000000000))
		*lately = (struct lately){ .since = now };
	return lately->count += count;
}

/* wlroots keeps them for 30 s, though their objects have gone. */
void mw_limits_token(struct wl_resource *resource) {
	struct tally *tally = tally_of(wl_resource_get_client(resource));
	if (tally == NULL)
		return;
	if (more(&tally->tokens, 30, 1) > mw_client_limits.tokens)
		refuse(tally, "activation tokens in 30 s", mw_client_limits.tokens);
}

/* Each is compiled, which takes up to 20 ms. */
void mw_limits_keymap(struct wl_client *client) {
	struct tally *tally = tally_of(client);
	if (tally != NULL && more(&tally->keymaps, 1, 1) > mw_client_limits.keymaps)
		refuse(tally, "keymaps in a second", mw_client_limits.keymaps);
}

/* What an event takes of the room that the kernel keeps for a client, beside its text. */
#define SELECTION_ROOM 512
#define PASTE_ROOM 128

/* Whoever may paste is told of each: one that does not read for a moment has no room for many. */
void mw_limits_selection(struct wl_client *client, struct wl_resource *source) {
	struct tally *tally = tally_of(client);
	struct counted *counted = source != NULL ? counted_of(source) : NULL;
	if (tally != NULL && more(&tally->selections, 1, SELECTION_ROOM + (counted != NULL ? counted->types : 0)) > mw_client_limits.selections)
		refuse(tally, "bytes of types of selections in a second", mw_client_limits.selections);
}

/* Who copied is told of each, and gets a descriptor. */
void mw_limits_paste(struct wl_client *client, const char *type) {
	struct tally *tally = tally_of(client);
	if (tally != NULL && more(&tally->pastes, 1, PASTE_ROOM + (type != NULL ? (uint32_t)strlen(type) : 0)) > mw_client_limits.pastes)
		refuse(tally, "bytes of types asked for in a second", mw_client_limits.pastes);
}

void mw_limits_refuse(struct wl_client *client, const char *what, int64_t most) {
	struct tally *tally = tally_of(client);
	if (tally != NULL)
		refuse(tally, what, most);
}

void mw_limits_configures(struct wl_client *client, const struct wl_list *unanswered) {
	struct tally *tally = tally_of(client);
	if (tally != NULL && wl_list_length(unanswered) > mw_client_limits.configures)
		refuse(tally, "unanswered configures of a surface", mw_client_limits.configures);
}

void mw_limits_region(struct wl_resource *region) {
	struct tally *tally = tally_of(wl_resource_get_client(region));
	if (tally != NULL && pixman_region32_n_rects((pixman_region32_t *)wlr_region_from_resource(region)) > mw_client_limits.rectangles)
		refuse(tally, "rectangles in a region", mw_client_limits.rectangles);
}

void mw_limits_damage(struct wl_resource *resource) {
	struct wlr_surface *surface = wlr_surface_from_resource(resource);
	pixman_region32_t *both[] = { &surface->pending.surface_damage, &surface->pending.buffer_damage };
	for (size_t i = 0; i < MW_COUNT(both); i++) {
		if (pixman_region32_n_rects(both[i]) > mw_client_limits.damage_rectangles) {
			pixman_box32_t box = *pixman_region32_extents(both[i]);
			pixman_region32_reset(both[i], &box);
		}
	}
}

/* Commits that are not applied yet are kept as they came, each with copies of its regions. */
void mw_limits_cached(struct wl_resource *resource) {
	struct wlr_surface *surface = wlr_surface_from_resource(resource);
	if (wl_list_empty(&surface->cached))
		return;
	uint32_t count = 0;
	int64_t rectangles = 0;
	const struct wlr_surface_state *state;
	wl_list_for_each(state, &surface->cached, cached_state_link) {
		const pixman_region32_t *regions[] = { &state->opaque, &state->input, &state->surface_damage, &state->buffer_damage };
		for (size_t i = 0; i < MW_COUNT(regions); i++)
			rectangles += pixman_region32_n_rects((pixman_region32_t *)regions[i]);
		count++;
	}
	struct tally *tally = tally_of(wl_resource_get_client(resource));
	if (tally != NULL && count > mw_client_limits.cached)
		refuse(tally, "commits of a subsurface that wait for its parent's", mw_client_limits.cached);
	else if (tally != NULL && rectangles > mw_client_limits.cached_rectangles)
		refuse(tally, "rectangles in commits that wait", mw_client_limits.cached_rectangles);
}

static struct wlr_subsurface *subsurface_of(struct wlr_surface *surface) {
#if WLR18
	return wlr_subsurface_try_from_wlr_surface(surface);
#else
	return wlr_surface_is_subsurface(surface) ? wlr_subsurface_from_wlr_surface(surface) : NULL;
#endif
}

/* How many surfaces `surface` stands on. */
static int height_of(struct wlr_surface *surface) {
	int height = 0;
	for (struct wlr_subsurface *next = subsurface_of(surface); next != NULL && next->parent != NULL && height <= MW_LIMIT_DEPTH;
			next = subsurface_of(next->parent))
		height++;
	return height;
}

/* How many stand on each other from `surface` on; not more than `most` are looked at. */
static int depth_of(struct wlr_surface *surface, int most) {
	if (most <= 0)
		return 1;
	int deepest = 0;
	struct wlr_subsurface *subsurface;
	wl_list_for_each(subsurface, &surface->pending.subsurfaces_above, pending.link) {
		int depth = depth_of(subsurface->surface, most - 1);
		deepest = depth > deepest ? depth : deepest;
	}
	wl_list_for_each(subsurface, &surface->pending.subsurfaces_below, pending.link) {
		int depth = depth_of(subsurface->surface, most - 1);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest + 1;
}

void mw_limits_subsurface(struct wl_resource *surface, struct wl_resource *parent) {
	struct tally *tally = tally_of(wl_resource_get_client(parent));
	int height = height_of(wlr_surface_from_resource(parent));
	if (tally != NULL && height + depth_of(wlr_surface_from_resource(surface), MW_LIMIT_DEPTH) > MW_LIMIT_DEPTH)
		refuse(tally, "subsurfaces in each other", MW_LIMIT_DEPTH);
}

/* Xwayland's connection may have as much as it likes. */
void mw_limits_exempt(struct wl_client *client) {
	struct tally *tally = client != NULL ? tally_of(client) : NULL;
	if (tally != NULL)
		tally->client = NULL;
}

bool mw_limits_init(mw_server *server) {
	struct mw_limits *state = calloc(1, sizeof(*state));
	if (state == NULL)
		return false;
	state->server = server;
	wl_list_init(&state->tallies);
	server->limits = state;
	state->client_created.notify = on_client_created;
	wl_display_add_client_created_listener(server->display, &state->client_created);
	return true;
}

void mw_limits_finish(mw_server *server) {
	if (server->limits == NULL)
		return;
	mw_unlisten(&server->limits->client_created);
	/* All clients are gone, and what they had with them. */
	struct tally *tally, *next;
	wl_list_for_each_safe(tally, next, &server->limits->tallies, link)
		tally_free(tally);
	free(server->limits);
	server->limits = NULL;
}
