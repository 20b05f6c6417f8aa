/* C, because it checks the nodes of each frame. */
/*
 * Releases client memory that is no longer read. Reading a buffer in shared memory maps its pages into this
 * process, and they stay mapped. Windows that were visible once would fill the page tables and count as the
 * shell's memory as long as they are open. So the pages are dropped soon after a window goes out of sight. Nothing
 * is lost: the mapping is shared, so the memory belongs to the client, and the next read maps it again.
 */
#include "draw.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct read_buffer {
	struct wl_list link;
	struct wlr_buffer *buffer;
	struct wl_listener destroy;
};

static struct wl_list read_buffers = {&read_buffers, &read_buffers};

static void forget(struct read_buffer *read) {
	mw_unlisten(&read->destroy);
	wl_list_remove(&read->link);
	free(read);
}

static void on_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct read_buffer *read = wl_container_of(listener, read, destroy);
	forget(read);
}

void mw_pages_read(struct wlr_buffer *buffer) {
	if (wl_signal_get(&buffer->events.destroy, on_destroy) != NULL)
		return;
	struct read_buffer *read = calloc(1, sizeof(*read));
	if (read == NULL)
		return;
	read->buffer = buffer;
	wl_list_insert(&read_buffers, &read->link);
	mw_listen(&buffer->events.destroy, &read->destroy, on_destroy);
}

/* While the reduced picture of a window is shown, its pages are not needed until it changes. */
static bool is_shown(mw_server *server, const struct wlr_buffer *buffer) {
	mw_output *output;
	wl_list_for_each(output, &server->outputs, link) {
		const struct mw_nodes *nodes = &output->draw->nodes;
		for (size_t i = 0; i < nodes->count; i++) {
			const struct mw_node *node = &nodes->list[i];
			const struct wlr_client_buffer *shown = NULL;
			if (node->kind == MW_NODE_SURFACE && node->surface != NULL)
				shown = node->surface->buffer;
			else if (node->kind == MW_NODE_HELD && node->held != NULL)
				shown = node->held->buffer;
			if (shown != NULL && shown->source == buffer)
				return true;
		}
	}
	return false;
}

/* All buffers with pixels here that fill a page belong to wl_shm, whose pools are always mapped shared. */
static void let_go(struct wlr_buffer *buffer) {
#if WLR18
	struct wlr_shm_attributes shared;
	if (!wlr_buffer_get_shm(buffer, &shared))
		return;
#endif
	void *data;
	uint32_t format;
	size_t stride;
	if (!wlr_buffer_begin_data_ptr_access(buffer, WLR_BUFFER_DATA_PTR_ACCESS_READ, &data, &format, &stride))
		return;
	/* Only whole pages. The others may be shared with a buffer that is visible. */
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)data;
	uintptr_t from = (begin + page - 1) & ~(page - 1), to = (begin + stride * (size_t)buffer->height) & ~(page - 1);
	if (data != NULL && from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
	wlr_buffer_end_data_ptr_access(buffer);
}

static int sweep(void *data) {
	mw_server *server = data;
	struct read_buffer *read, *next;
	wl_list_for_each_safe(read, next, &read_buffers, link) {
		if (is_shown(server, read->buffer))
			continue;
		let_go(read->buffer);
		forget(read);
	}
	return 0;
}

void mw_pages_rest(void) {
	struct read_buffer *read, *next;
	wl_list_for_each_safe(read, next, &read_buffers, link) {
		let_go(read->buffer);
		forget(read);
	}
}

void mw_pages_sweep_soon(mw_server *server) {
	if (server->pages_timer == NULL)
		server->pages_timer = wl_event_loop_add_timer(server->loop, sweep, server);
	if (server->pages_timer != NULL)
		wl_event_source_timer_update(server->pages_timer, (int)(server->options.pace.pages_kept / 1000000));
}

void mw_pages_compare(mw_server *server, const struct mw_nodes *before) {
	for (size_t i = 0; i < before->count; i++) {
		const struct mw_node *node = &before->list[i];
		if (!node->matched && (node->kind == MW_NODE_SURFACE || node->kind == MW_NODE_REDUCED || node->kind == MW_NODE_HELD)) {
			mw_pages_sweep_soon(server);
			return;
		}
	}
}

void mw_pages_finish(mw_server *server) {
	if (server->pages_timer != NULL)
		wl_event_source_remove(server->pages_timer);
	server->pages_timer = NULL;
	struct read_buffer *read, *next;
	wl_list_for_each_safe(read, next, &read_buffers, link) forget(read);
}
