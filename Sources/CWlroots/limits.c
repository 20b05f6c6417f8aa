/* Counts what each client has and disconnects those that want more than private/client_limits.h says. */
#include "internal.h"
#include "client_limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if !WLR18
#include <wlr/types/wlr_region.h>
#endif

struct mw_limits {
	mw_server *server;
	struct wl_list tallies;
	struct wl_listener client_created;
	int64_t told;                        /* when it was last logged that a client is turned away */
};

enum kind { SURFACES, WINDOWS, POPUPS, SUBSURFACES, POOLS, BUFFERS, CALLBACKS, FEEDBACKS, OFFERS, INHIBITORS, DEVICES, LAYERS, FIELDS, WATCHES, FRAMES,
	SEAT_OBJECTS, SESSIONS, SESSION_WINDOWS, OTHERS, KINDS };

static const struct { const char *class; enum kind kind; } classes[] = {
	{ "wl_surface", SURFACES }, { "xdg_toplevel", WINDOWS }, { "xx_pip_v1", WINDOWS }, { "xdg_popup", POPUPS }, { "wl_subsurface", SUBSURFACES },
	{ "wl_shm_pool", POOLS }, { "wl_buffer", BUFFERS }, { "wl_callback", CALLBACKS },
	{ "wp_presentation_feedback", FEEDBACKS }, { "wl_data_offer", OFFERS }, { "zwp_primary_selection_offer_v1", OFFERS },
	{ "zwlr_data_control_offer_v1", OFFERS }, { "ext_data_control_offer_v1", OFFERS }, { "zwp_idle_inhibitor_v1", INHIBITORS },
	{ "zwlr_virtual_pointer_v1", DEVICES }, { "zwp_virtual_keyboard_v1", DEVICES }, { "zwlr_layer_surface_v1", LAYERS },
	{ "zwp_text_input_v3", FIELDS }, { "ext_idle_notification_v1", WATCHES },
	{ "zwlr_screencopy_frame_v1", FRAMES }, { "wl_pointer", SEAT_OBJECTS }, { "wl_keyboard", SEAT_OBJECTS },
	{ "wl_touch", SEAT_OBJECTS }, { "xdg_session_v1", SESSIONS }, { "xx_session_v1", SESSIONS },
	{ "xdg_toplevel_session_v1", SESSION_WINDOWS }, { "xx_toplevel_session_v1", SESSION_WINDOWS },
};

static const struct { const char *what; uint32_t most; } limits[KINDS] = {
	[SURFACES] = { "surfaces", MW_LIMIT_SURFACES }, [WINDOWS] = { "windows", MW_LIMIT_WINDOWS },
	[POPUPS] = { "popups", MW_LIMIT_POPUPS }, [SUBSURFACES] = { "subsurfaces", MW_LIMIT_SUBSURFACES },
	[POOLS] = { "shm pools", MW_LIMIT_POOLS }, [BUFFERS] = { "buffers", MW_LIMIT_BUFFERS },
	[CALLBACKS] = { "unanswered callbacks", MW_LIMIT_CALLBACKS },
	[FEEDBACKS] = { "unanswered presentation feedbacks", MW_LIMIT_FEEDBACKS },
	[OFFERS] = { "data offers", MW_LIMIT_OFFERS }, [INHIBITORS] = { "idle inhibitors", MW_LIMIT_INHIBITORS },
	[DEVICES] = { "virtual input devices", MW_LIMIT_DEVICES }, [LAYERS] = { "layer surfaces", MW_LIMIT_LAYERS },
	[FIELDS] = { "text inputs", MW_LIMIT_FIELDS }, [WATCHES] = { "idle notifications", MW_LIMIT_WATCHES },
	[FRAMES] = { "frames of recordings", MW_LIMIT_FRAMES },
	[SEAT_OBJECTS] = { "pointers, keyboards and touch screens", MW_LIMIT_SEAT_OBJECTS },
	[SESSIONS] = { "sessions", MW_LIMIT_SESSIONS }, [SESSION_WINDOWS] = { "windows in sessions", MW_LIMIT_SESSION_WINDOWS },
	[OTHERS] = { "objects", MW_LIMIT_OBJECTS },
};

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
	pid_t process;                       /* that connected; 0: not known */
	struct wl_client *unwanted;          /* turned away, and ended by: */
	struct wl_event_source *end;
	uint32_t count[KINDS], objects;
	int64_t pool_bytes;
	struct lately { uint32_t count; int64_t since; } tokens, keymaps, selections, pastes;   /* in the present stretch of time */
	struct pool *expected;               /* what the request that is handled now makes an object of */
	struct wl_listener resource_created, destroy;
};

/* One object of a client. */
struct counted {
	struct tally *tally;
	enum kind kind;
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

static enum kind kind_of(const char *class) {
	for (size_t i = 0; i < MW_COUNT(classes); i++) {
		if (strcmp(class, classes[i].class) == 0)
			return classes[i].kind;
	}
	return OTHERS;
}

static void on_object_destroy(struct wl_listener *listener, void *data) {
	struct counted *counted = wl_container_of(listener, counted, destroy);
	struct tally *tally = counted->tally;
	tally->count[counted->kind]--;
	if (counted->pool != NULL && --counted->pool->users == 0) {
		if (counted->kind == BUFFERS)
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
	if ((counted->kind == POOLS || counted->kind == BUFFERS) && tally->expected != NULL) {
		counted->pool = tally->expected;
		counted->pool->users++;
		tally->expected = NULL;
	}
	counted->destroy.notify = on_object_destroy;
	wl_resource_add_destroy_listener(resource, &counted->destroy);
	tally->objects++;
	if (++tally->count[counted->kind] > limits[counted->kind].most)
		refuse(tally, limits[counted->kind].what, limits[counted->kind].most);
	if (tally->objects > MW_LIMIT_OBJECTS)
		refuse(tally, "objects", MW_LIMIT_OBJECTS);
}

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct tally *tally = wl_container_of(listener, tally, destroy);
	mw_unlisten(&tally->resource_created);
	mw_unlisten(&tally->destroy);
	if (tally->end != NULL)
		wl_event_source_remove(tally->end);
	tally->end = NULL;
	tally->destroy.notify = NULL;
	tally->client = NULL;
	if (tally->objects == 0)
		tally_free(tally);
}

/* ---- connections ---- */

/* As many clients as there are descriptors for: without one more, accepting fails, and would be tried again without sleep. */
static int most_clients(void) {
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY)
		return INT32_MAX;
	int64_t most = ((int64_t)files.rlim_cur - MW_FILES_KEPT) / MW_FILES_PER_CONNECTION;
	return most < 16 ? 16 : most > INT32_MAX ? INT32_MAX : (int)most;
}

static void end_client(void *data) {
	struct tally *tally = data;
	tally->end = NULL;
	wl_client_flush(tally->unwanted);
	wl_client_destroy(tally->unwanted);
}

/* It is still being made, so it is ended after that; nothing that it sent is read before. `error`: for it, `why`: for the log. */
static void turn_away(struct mw_limits *state, struct tally *tally, const char *error, const char *why) {
	tally->unwanted = tally->client;
	tally->client = NULL;
	tally->end = wl_event_loop_add_idle(state->server->loop, end_client, tally);
	wl_client_post_implementation_error(tally->unwanted, "%s", error);
	int64_t now = mw_now();
	if (state->told != 0 && now - state->told < 1000000000)
		return;   /* whoever tries all the time is not to fill the log */
	state->told = now;
	char text[200];
	snprintf(text, sizeof(text), "a client (process %d) is turned away: %s", (int)tally->process, why);
	state->server->on.log(state->server->on.user, WLR_ERROR, text);
}

/* Too many of one process, or of all: the newest goes. */
static void check_connections(struct mw_limits *state, struct tally *tally) {
	int all = 0, own = 0;
	struct tally *other;
	wl_list_for_each(other, &state->tallies, link) {
		if (other->destroy.notify == NULL)
			continue;
		all++;
		own += tally->process > 0 && other->process == tally->process;
	}
	bool of_process = own > MW_LIMIT_CONNECTIONS;
	if (!of_process && all <= most_clients())
		return;
	const char *what = of_process ? "connections of one process" : "clients at once";
	int most = of_process ? MW_LIMIT_CONNECTIONS : most_clients();
	char error[80], why[80];
	snprintf(error, sizeof(error), "limit: %d %s", most, what);
	snprintf(why, sizeof(why), "more than %d %s", most, what);
	turn_away(state, tally, error, why);
}

/* The runtime directory keeps other users out as long as nobody opens it; their programs may not come in even then. */
static bool is_of_foreign_user(struct mw_limits *state, uid_t user) {
	return !state->server->on.user_allowed(state->server->on.user, user);
}

static void on_client_created(struct wl_listener *listener, void *data) {
	struct mw_limits *state = wl_container_of(listener, state, client_created);
	struct wl_client *client = data;
	struct tally *tally = state->server->nobody ? NULL : calloc(1, sizeof(*tally));
	if (tally == NULL)
		return;
	tally->server = state->server;
	tally->client = client;
	uid_t user = 0;
	wl_client_get_credentials(client, &tally->process, &user, NULL);
	wl_list_insert(&state->tallies, &tally->link);
	tally->resource_created.notify = on_object;
	wl_client_add_resource_created_listener(client, &tally->resource_created);
	tally->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(client, &tally->destroy);
	if (is_of_foreign_user(state, user)) {
		char why[80];
		snprintf(why, sizeof(why), "it belongs to user %u", (unsigned)user);
		turn_away(state, tally, "this session belongs to another user", why);
	} else {
		check_connections(state, tally);
	}
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
	if (tally->pool_bytes > MW_LIMIT_POOL_BYTES)
		refuse(tally, "bytes of shared memory", MW_LIMIT_POOL_BYTES);
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
	if (counted->types > MW_LIMIT_TYPES)
		refuse(counted->tally, "bytes of types of one selection", MW_LIMIT_TYPES);
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
	if (more(&tally->tokens, 30, 1) > MW_LIMIT_TOKENS)
		refuse(tally, "activation tokens in 30 s", MW_LIMIT_TOKENS);
}

/* Each is compiled, which takes up to 20 ms. */
void mw_limits_keymap(struct wl_client *client) {
	struct tally *tally = tally_of(client);
	if (tally != NULL && more(&tally->keymaps, 1, 1) > MW_LIMIT_KEYMAPS)
		refuse(tally, "keymaps in a second", MW_LIMIT_KEYMAPS);
}

/* What an event takes of the room that the kernel keeps for a client, beside its text. */
#define SELECTION_ROOM 512
#define PASTE_ROOM 128

/* Whoever may paste is told of each: one that does not read for a moment has no room for many. */
void mw_limits_selection(struct wl_client *client, struct wl_resource *source) {
	struct tally *tally = tally_of(client);
	struct counted *counted = source != NULL ? counted_of(source) : NULL;
	if (tally != NULL && more(&tally->selections, 1, SELECTION_ROOM + (counted != NULL ? counted->types : 0)) > MW_LIMIT_SELECTIONS)
		refuse(tally, "bytes of types of selections in a second", MW_LIMIT_SELECTIONS);
}

/* Who copied is told of each, and gets a descriptor. */
void mw_limits_paste(struct wl_client *client, const char *type) {
	struct tally *tally = tally_of(client);
	if (tally != NULL && more(&tally->pastes, 1, PASTE_ROOM + (type != NULL ? (uint32_t)strlen(type) : 0)) > MW_LIMIT_PASTES)
		refuse(tally, "bytes of types asked for in a second", MW_LIMIT_PASTES);
}

void mw_limits_refuse(struct wl_client *client, const char *what, int64_t most) {
	struct tally *tally = tally_of(client);
	if (tally != NULL)
		refuse(tally, what, most);
}

void mw_limits_configures(struct wl_client *client, const struct wl_list *unanswered) {
	struct tally *tally = tally_of(client);
	if (tally != NULL && wl_list_length(unanswered) > MW_LIMIT_CONFIGURES)
		refuse(tally, "unanswered configures of a surface", MW_LIMIT_CONFIGURES);
}

void mw_limits_region(struct wl_resource *region) {
	struct tally *tally = tally_of(wl_resource_get_client(region));
	if (tally != NULL && pixman_region32_n_rects((pixman_region32_t *)wlr_region_from_resource(region)) > MW_LIMIT_RECTANGLES)
		refuse(tally, "rectangles in a region", MW_LIMIT_RECTANGLES);
}

void mw_limits_damage(struct wl_resource *resource) {
	struct wlr_surface *surface = wlr_surface_from_resource(resource);
	pixman_region32_t *both[] = { &surface->pending.surface_damage, &surface->pending.buffer_damage };
	for (size_t i = 0; i < MW_COUNT(both); i++) {
		if (pixman_region32_n_rects(both[i]) > MW_DAMAGE_RECTANGLES) {
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
	if (tally != NULL && count > MW_LIMIT_CACHED)
		refuse(tally, "commits of a subsurface that wait for its parent's", MW_LIMIT_CACHED);
	else if (tally != NULL && rectangles > MW_LIMIT_CACHED_RECTANGLES)
		refuse(tally, "rectangles in commits that wait", MW_LIMIT_CACHED_RECTANGLES);
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
