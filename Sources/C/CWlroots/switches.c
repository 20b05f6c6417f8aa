/*
 * Switches that are built into a device: silence, and the cover over screen and microphone. libinput knows
 * two kinds and says nothing of the others, so their state is asked from the kernel. Only on a console of our own: in a
 * window or without a screen the machine's switches are another shell's.
 */
#include "seat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SW_MACHINE_COVER
#define SW_MACHINE_COVER 0x10
#endif

#define BIT(n) (1UL << (n))
#define COVERS (BIT(SW_LID) | BIT(SW_MACHINE_COVER))
#define SILENCE BIT(SW_MUTE_DEVICE)

struct mw_switch_device {
	struct wl_list link;
	struct mw_switches *switches;
	dev_t dev;
	owned_fd copy;               /* of libinput's, where that has the device */
	struct wlr_device *opened;   /* by the session for us alone, where libinput has it not */
	bool shared;                 /* the same open file as libinput's: what it reads must not be read here */
	unsigned long has, on;
	struct wl_event_source *source;
};

struct mw_switches {
	mw_server *server;
	struct wl_list list;
};

static int number_of(const struct mw_switch_device *it) {
	return it->opened != NULL ? it->opened->fd : owned_fd_number(it->copy);
}

static void switch_free(struct mw_switch_device *it) {
	wl_event_source_remove(it->source);
	if (it->opened != NULL)
		wlr_session_close_file(it->switches->server->session, it->opened);
	owned_fd_close(&it->copy);
	wl_list_remove(&it->link);
	free(it);
}

/* Asks for the state and tells what changed of it. */
static void look(struct mw_switch_device *it, bool first) {
	unsigned long state[SW_CNT / (8 * sizeof(long)) + 1] = { 0 };
	if (ioctl(number_of(it), EVIOCGSW(sizeof(state)), state) < 0)
		return;
	mw_server *server = it->switches->server;
	unsigned long on = state[0] & it->has, changed = on ^ it->on;
	it->on = on;
	if ((changed & SILENCE) != 0 || (first && (it->has & SILENCE) != 0))
		server->on.switched(server->on.user, MW_SWITCH_SILENCE, (on & SILENCE) != 0);
	if ((changed & COVERS) != 0)
		server->on.switched(server->on.user, MW_SWITCH_COVER, (on & COVERS) != 0);
}

static int on_readable(int fd, uint32_t mask, void *data) {
	struct mw_switch_device *it = data;
	bool gone = (mask & (WL_EVENT_HANGUP | WL_EVENT_ERROR)) != 0;
	if (!it->shared && !gone) {
		struct input_event events[64];
		ssize_t count;
		do
			count = read(fd, events, sizeof(events));
		while (count > 0);
		gone = count == 0 || (errno != EAGAIN && errno != EINTR);
	}
	if (gone)
		switch_free(it);
	else
		look(it, false);
	return 0;
}

/* Which of our switches a device has, without opening it. */
static unsigned long switches_of(const char *name) {
	char path[300], text[128];
	snprintf(path, sizeof(path), "/sys/class/input/%s/device/capabilities/sw", name);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return 0;
	unsigned long bits = 0;
	/* Words of the kernel's size, the lowest last. */
	if (fgets(text, sizeof(text), file) != NULL) {
		char *last = strrchr(text, ' ');
		bits = strtoul(last != NULL ? last + 1 : text, NULL, 16);
	}
	fclose(file);
	return bits & (COVERS | SILENCE);
}

static struct wlr_device *in_session(struct wlr_session *session, dev_t dev) {
	struct wlr_device *device;
	wl_list_for_each(device, &session->devices, link) {
		if (device->dev == dev)
			return device;
	}
	return NULL;
}

static void add(struct mw_switches *switches, const char *name) {
	unsigned long has = switches_of(name);
	char path[300];
	struct stat status;
	snprintf(path, sizeof(path), "/dev/input/%s", name);
	if (has == 0 || stat(path, &status) != 0)
		return;
	struct mw_switch_device *it;
	wl_list_for_each(it, &switches->list, link) {
		if (it->dev == status.st_rdev)
			return;
	}
	it = calloc(1, sizeof(*it));
	if (it == NULL)
		return;
	struct wlr_session *session = switches->server->session;
	struct wlr_device *taken = in_session(session, status.st_rdev);
	it->switches = switches;
	it->dev = status.st_rdev;
	it->has = has;
	if (taken != NULL) {
		/* A device is taken once in a session. */
		it->shared = true;
		it->copy = owned_fd_take(fcntl(taken->fd, F_DUPFD_CLOEXEC, 0), "switch of a device");
	} else {
		it->opened = wlr_session_open_file(session, path);
	}
	if (number_of(it) >= 0)
		it->source = wl_event_loop_add_fd(switches->server->loop, number_of(it), WL_EVENT_READABLE, on_readable, it);
	if (it->source == NULL) {
		if (it->opened != NULL)
			wlr_session_close_file(session, it->opened);
		owned_fd_close(&it->copy);
		free(it);
		return;
	}
	wl_list_insert(&switches->list, &it->link);
	look(it, true);
}

void mw_switches_look(mw_server *server) {
	if (server->seat == NULL || server->seat->switches == NULL || !server->session->active)
		return;
	DIR *folder = opendir("/sys/class/input");
	if (folder == NULL)
		return;
	struct dirent *entry;
	while ((entry = readdir(folder)) != NULL) {
		if (strncmp(entry->d_name, "event", 5) == 0)
			add(server->seat->switches, entry->d_name);
	}
	closedir(folder);
}

static void look_later(void *data) {
	mw_server *server = data;
	mw_seat *seat = server->seat;
	if (seat == NULL)
		return;
	seat->switches_idle = NULL;
	mw_switches_look(server);
}

/* libinput is done with a new device after this turn of the loop. */
void mw_switches_device_added(mw_seat *seat) {
	if (seat->switches != NULL && seat->switches_idle == NULL)
		seat->switches_idle = wl_event_loop_add_idle(seat->server->loop, look_later, seat->server);
}

bool mw_switches_init(mw_seat *seat) {
	if (seat->server->session == NULL)
		return true;
	seat->switches = calloc(1, sizeof(*seat->switches));
	if (seat->switches == NULL)
		return false;
	seat->switches->server = seat->server;
	wl_list_init(&seat->switches->list);
	mw_switches_device_added(seat);
	return true;
}

void mw_switches_finish(mw_seat *seat) {
	if (seat->switches_idle != NULL)
		wl_event_source_remove(seat->switches_idle);
	seat->switches_idle = NULL;
	if (seat->switches == NULL)
		return;
	struct mw_switch_device *it, *next;
	wl_list_for_each_safe(it, next, &seat->switches->list, link)
		switch_free(it);
	free(seat->switches);
	seat->switches = NULL;
}
