/* C, because it handles SIGBUS: Swift cannot run in a signal handler. */
/*
 * A client may truncate the file of its wl_shm memory at any time, and reading past its end raises SIGBUS.
 * libwayland guards reads of live buffers, but wlroots 0.15 reads buffers that their client has destroyed without
 * a guard. So every read of client pixels is bracketed here. A fault inside the bracket maps pages of zeros at the
 * address.
 */
#include "draw.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static __thread uintptr_t guard_from, guard_to;
static __thread uintptr_t faulted; /* the memory that was last read past its end */
static struct sigaction before;

static void give_up(void) {
	/* Return to the fault, which now kills the process as it should. */
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigaction(SIGBUS, &action, NULL);
}

static void on_bus_error(int number, siginfo_t *info, void *context) {
	uintptr_t at = (uintptr_t)info->si_addr;
	if (info->si_code <= 0) {
		/* The handler to which we passed the signal raised it again, so the fault is not in its buffers either. */
		give_up();
		raise(SIGBUS);
		return;
	}
	if (guard_from != 0 && at >= guard_from && at < guard_to) {
		uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
		uintptr_t from = at & ~(page - 1), to = (guard_to + page - 1) & ~(page - 1);
		if (mmap((void *)from, to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
			faulted = guard_from;
			return;
		}
	}
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(number);
	else
		give_up();
}

/*
 * libwayland installs its own handler when a buffer is first read through it, which may be after ours. For faults
 * that it cannot fix, it would raise the signal again, without the address, to us alone. So keep ours first.
 */
static void be_first(void) {
	struct sigaction now;
	if (sigaction(SIGBUS, NULL, &now) != 0 || ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_bus_error))
		return;
	struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER};
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGBUS, &action, NULL) == 0)
		before = now;
}

void mw_guard_begin(const void *data, size_t size) {
	be_first();
	guard_from = (uintptr_t)data;
	guard_to = guard_from + size;
}

void mw_guard_end(void) { guard_from = guard_to = 0; }

/* The address of a shared memory buffer's pixels; NULL for other buffers. */
static const void *pixels_of(struct wl_resource *resource) {
	if (strcmp(wl_resource_get_class(resource), "wl_buffer") != 0)
		return NULL;
#if WLR18
	struct wlr_buffer *buffer = wlr_buffer_try_from_resource(resource);
	if (buffer == NULL)
		return NULL;
	void *data = NULL;
	uint32_t format;
	size_t stride;
	if (wlr_buffer_begin_data_ptr_access(buffer, WLR_BUFFER_DATA_PTR_ACCESS_READ, &data, &format, &stride))
		wlr_buffer_end_data_ptr_access(buffer);
	wlr_buffer_unlock(buffer);
	return data;
#else
	struct wl_shm_buffer *buffer = wl_shm_buffer_get(resource);
	return buffer != NULL ? wl_shm_buffer_get_data(buffer) : NULL;
#endif
}

static enum wl_iterator_result blame(struct wl_resource *resource, void *data) {
	(void)data;
	if ((uintptr_t)pixels_of(resource) != faulted)
		return WL_ITERATOR_CONTINUE;
	wl_resource_post_error(resource, WL_SHM_ERROR_INVALID_FD, "the file behind this buffer was cut off");
	return WL_ITERATOR_STOP;
}

void mw_guard_blame(mw_server *server) {
	if (faulted == 0)
		return;
	struct wl_client *client;
	wl_client_for_each(client, wl_display_get_client_list(server->display)) wl_client_for_each_resource(client, blame, NULL);
	faulted = 0;
}
