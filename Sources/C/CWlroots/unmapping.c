/* C, because it counts references to libwayland's shm pools itself. */
/*
 * Unmapping a client's shared memory costs the kernel as much as everything else about closing a window, because
 * it visits every page that was read. So this is deferred and done in small batches, so that neither the waiting
 * client nor the next frame is delayed when a hundred windows close or their program is killed.
 */
#include "internal.h"

#include <stdlib.h>

#if WLR18
typedef struct wlr_buffer kept;
#else
typedef struct wl_shm_pool kept;
#endif

struct mw_unmapping {
	const struct mw_pace *pace;
	struct wl_event_source *timer;
	size_t count;
	int64_t since; /* when the first of them came */
	kept *kept[];  /* up to `unmap_most` */
};

/* The memory of a wl_shm buffer that is about to be destroyed. */
static kept *keep(struct wl_resource *resource) {
#if WLR18
	return wlr_buffer_try_from_resource(resource);
#else
	struct wl_shm_buffer *buffer = wl_shm_buffer_get(resource);
	return buffer != NULL ? wl_shm_buffer_ref_pool(buffer) : NULL;
#endif
}

static void unmap(kept *memory) {
#if WLR18
	wlr_buffer_unlock(memory);
#else
	wl_shm_pool_unref(memory);
#endif
}

static int unmap_some(void *data) {
	struct mw_unmapping *unmapping = data;
	for (uint32_t i = 0; i < unmapping->pace->unmap_at_once && unmapping->count > 0; i++)
		unmap(unmapping->kept[--unmapping->count]);
	if (unmapping->count > 0)
		wl_event_source_timer_update(unmapping->timer, 1);
	return 0;
}

void mw_unmap_later(mw_server *server, struct wl_resource *buffer) {
	struct mw_unmapping *unmapping = server->unmapping;
	if (server->destroying || unmapping == NULL || unmapping->count >= unmapping->pace->unmap_most)
		return;
	kept *memory = keep(buffer);
	if (memory == NULL)
		return;
	int64_t now = mw_now();
	if (unmapping->count == 0)
		unmapping->since = now;
	unmapping->kept[unmapping->count++] = memory;
	if (now - unmapping->since < unmapping->pace->unmap_latest)
		wl_event_source_timer_update(unmapping->timer, (int)(unmapping->pace->unmap_delay / 1000000));
}

bool mw_unmapping_init(mw_server *server) {
	const struct mw_pace *pace = &server->options.pace;
	struct mw_unmapping *unmapping = calloc(1, sizeof(*unmapping) + pace->unmap_most * sizeof(unmapping->kept[0]));
	server->unmapping = unmapping;
	if (unmapping == NULL)
		return false;
	unmapping->pace = pace;
	unmapping->timer = wl_event_loop_add_timer(server->loop, unmap_some, unmapping);
	return unmapping->timer != NULL;
}

void mw_unmapping_finish(mw_server *server) {
	struct mw_unmapping *unmapping = server->unmapping;
	if (unmapping == NULL)
		return;
	while (unmapping->count > 0)
		unmap(unmapping->kept[--unmapping->count]);
	if (unmapping->timer != NULL)
		wl_event_source_remove(unmapping->timer);
	free(unmapping);
	server->unmapping = NULL;
}
