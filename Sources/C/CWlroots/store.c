/* C, because drawing reads these pages in place. */
/*
 * Large pictures of the shell, stored in a file. Anonymous memory stays in use as long as the shell runs, even
 * while windows cover the picture. The kernel can drop pages of a file at any time, and read them again when they
 * are used. The file has no name, so that no other process can change or truncate it, and it disappears with the shell.
 */
#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20) /* bytes per write, during which the shell blocks */

bool mw_store_make(struct mw_store *store, size_t length) {
	void *pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return false;
	*store = (struct mw_store){.pages = pages, .length = length};
	return true;
}

void mw_store_free(struct mw_store *store) {
	owned_fd_close(&store->file);
	if (store->pages != NULL)
		munmap(store->pages, store->length);
	store->pages = NULL;
}

/* -1 if files there would be in memory, too, or cannot be unnamed. */
static int open_file(const char *folder) {
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	struct statfs system;
	if (file >= 0 && (fstatfs(file, &system) < 0 || system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC)) {
		close(file);
		return -1;
	}
	return file;
}

/* Replaces the pages by the file's. The file is complete by then, so reading it fails only if the disk does. */
static bool take_place(struct mw_store *store) {
	void *pages = mmap(NULL, store->length, PROT_READ, MAP_PRIVATE, owned_fd_number(store->file), 0);
	if (pages == MAP_FAILED)
		return false;
	if (mremap(pages, store->length, store->length, MREMAP_MAYMOVE | MREMAP_FIXED, store->pages) != MAP_FAILED)
		return true;
	munmap(pages, store->length);
	return false;
}

static bool write_piece(struct mw_store *store, const char *folder) {
	if (!owned_fd_is_open(store->file))
		store->file = owned_fd_take(open_file(folder), "wallpaper's file");
	if (!owned_fd_is_open(store->file))
		return false;
	size_t left = store->length - store->written;
	ssize_t written = pwrite(owned_fd_number(store->file), (const char *)store->pages + store->written, left < PIECE ? left : PIECE,
							 (off_t)store->written);
	if (written <= 0)
		return written < 0 && errno == EINTR;
	store->written += (size_t)written;
	if (store->written < store->length)
		return true;
	store->in_file = take_place(store);
	return store->in_file;
}

bool mw_images_store(mw_server *server, const char *folder) {
	mw_image *image;
	wl_list_for_each(image, &server->images, link) {
		struct mw_store *store = &image->store;
		if (store->pages == NULL || store->in_file || store->refused)
			continue;
		store->refused = !write_piece(store, folder);
		if (store->in_file || store->refused)
			owned_fd_close(&store->file);
		return true;
	}
	return false;
}

size_t mw_images_stored(const mw_server *server) {
	size_t bytes = 0;
	const mw_image *image;
	wl_list_for_each(image, &server->images, link) if (image->store.in_file) bytes += image->store.length;
	return bytes;
}

void mw_rest(mw_server *server) {
	mw_image *image;
	wl_list_for_each(image, &server->images, link) if (image->store.in_file)
		madvise(image->store.pages, image->store.length, MADV_DONTNEED);
	mw_pages_rest();
}
