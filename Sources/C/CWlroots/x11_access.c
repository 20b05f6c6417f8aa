/*
 * Who gets at X11, and when. libxcb and wlroots have no words for any of it:
 *
 * - wlroots listens at an abstract address as well, which every process of the network namespace reaches, whatever a sandbox
 *   hides. Only the socket with a path stays.
 * - Xwayland lets in every program of the same user, and of a root that is none outside. It is given a cookie: whoever has
 *   not read the file, which lies in the runtime folder, is refused.
 * - X11 programs see each other's windows, also behind a locker. While the session is locked the window manager's connection
 *   holds the server (GrabServer): Xwayland answers nobody else, and who knocks waits. Nobody else can hold it: Xwayland
 *   lets only its window manager (xwl_server_grab; a program that asks is told yes, and nothing happens).
 */
#include "x11.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define COOKIE_BYTES 16

/* ---- the socket ---- */

/* The folder is everybody's, as systemd-tmpfiles makes it. wlroots would make it with the shell's umask, and other users' X
 * servers would find it shut. */
void mw_x11_access_prepare(void) {
	if (mkdir("/tmp/.X11-unix", 0755) == 0)
		chmod("/tmp/.X11-unix", 01777);
}

static int on_nobody(int fd, uint32_t mask, void *data) {
	(void)fd;
	(void)mask;
	(void)data;
	return 0;
}

/* A socket that listens, as Xwayland wants it, where nobody can connect: its path is gone. */
static int unreachable_socket(void) {
	const char *folder = getenv("XDG_RUNTIME_DIR");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path, sizeof(address.sun_path), "%s/mullion-x11-%d", folder != NULL ? folder : "", (int)getpid());
	if (folder == NULL || length < 0 || (size_t)length >= sizeof(address.sun_path))
		return -1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	unlink(address.sun_path);
	bool bound = bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	bool gone = bound && unlink(address.sun_path) == 0;
	if (gone && listen(fd, 1) == 0)
		return fd;
	close(fd);
	return -1;
}

/* wlroots makes the abstract one first, and watches a copy of it until the first client comes. */
static bool leave_abstract_socket(struct mw_xwayland *xwayland) {
	struct wlr_xwayland_server *server = xwayland->wlr->server;
	int other = unreachable_socket();
	if (other < 0)
		return false;
	bool moved = dup3(other, server->x_fd[0], O_CLOEXEC) >= 0;
	close(other);
	if (!moved)
		return false;
	if (server->x_fd_read_event[0] != NULL)
		wl_event_source_remove(server->x_fd_read_event[0]);
	/* wlroots removes it when the first client comes. */
	server->x_fd_read_event[0] = wl_event_loop_add_fd(wl_display_get_event_loop(xwayland->server->display), server->x_fd[0],
		WL_EVENT_READABLE, on_nobody, NULL);
	char path[64];
	snprintf(path, sizeof(path), "/tmp/.X11-unix/X%d", server->display);
	return server->x_fd_read_event[0] != NULL && chmod(path, 0600) == 0;
}

/* ---- the cookie ---- */

/* Of Xwayland's command line. It and libc's function are read after fork, in a process that may do little more than exec. */
static char authority[108];
static __typeof__(execvp) *own_execvp;

struct text { unsigned char bytes[512]; size_t length; };

static void put_part(struct text *text, const void *part, size_t length) {
	if (text->length + 2 + length > sizeof(text->bytes))
		return;
	text->bytes[text->length++] = (unsigned char)(length >> 8);
	text->bytes[text->length++] = (unsigned char)length;
	memcpy(text->bytes + text->length, part, length);
	text->length += length;
}

/* As in Xauthority files: a family, then address, display, name and data, each after its length. */
static void put_entry(struct text *text, unsigned family, const char *address, const char *display, const unsigned char *cookie) {
	text->bytes[text->length++] = (unsigned char)(family >> 8);
	text->bytes[text->length++] = (unsigned char)family;
	put_part(text, address, strlen(address));
	put_part(text, display, strlen(display));
	put_part(text, "MIT-MAGIC-COOKIE-1", strlen("MIT-MAGIC-COOKIE-1"));
	put_part(text, cookie, COOKIE_BYTES);
}

#define FAMILY_LOCAL 256u
#define FAMILY_WILD 65535u

static bool make_cookie(struct mw_xwayland *xwayland) {
	const char *folder = getenv("XDG_RUNTIME_DIR");
	int number = xwayland->wlr->server->display;
	int length = snprintf(authority, sizeof(authority), "%s/mullion-x11-%d.xauth", folder != NULL ? folder : "", number);
	if (folder == NULL || length < 0 || (size_t)length >= sizeof(authority))
		return false;
	unsigned char cookie[COOKIE_BYTES];
	if (getrandom(cookie, sizeof(cookie), 0) != sizeof(cookie))
		return false;
	char display[16], host[256] = "";
	snprintf(display, sizeof(display), "%d", number);
	gethostname(host, sizeof(host) - 1);
	struct text text = { .length = 0 };
	/* Under the machine's name, as every library looks for it, and under any, should the name change. */
	put_entry(&text, FAMILY_LOCAL, host, display, cookie);
	put_entry(&text, FAMILY_WILD, "", display, cookie);
	unlink(authority);
	int fd = open(authority, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool written = fd >= 0 && write(fd, text.bytes, text.length) == (ssize_t)text.length;
	if (fd >= 0)
		close(fd);
	return written;
}

const char *mw_server_x11_authority(mw_server *server) {
	return server->xwayland != NULL && authority[0] != '\0' ? authority : NULL;
}

/*
 * wlroots writes Xwayland's command line itself, and has no option for this. With at least one cookie in the file, Xwayland no
 * longer lets in whoever is of the same user; the window manager's own connection needs none.
 */
INSTEAD int execvp(const char *file, char *const arguments[]) {
	static char option[] = "-auth";
	char *more[72];
	size_t count = 0;
	while (arguments[count] != NULL && count + 3 < MW_COUNT(more)) {
		more[count] = arguments[count];
		count++;
	}
	bool is_xwayland = count > 0 && strcmp(arguments[0], "Xwayland") == 0 && authority[0] != '\0' && arguments[count] == NULL;
	if (is_xwayland) {
		more[count++] = option;
		more[count++] = authority;
		more[count] = NULL;
	}
	__typeof__(execvp) *own = own_execvp != NULL ? own_execvp : LIBXCB(execvp);
	return own(file, is_xwayland ? more : arguments);
}

bool mw_x11_access_init(struct mw_xwayland *xwayland) {
	own_execvp = LIBXCB(execvp);
	return leave_abstract_socket(xwayland) && make_cookie(xwayland);
}

void mw_x11_access_finish(void) {
	if (authority[0] != '\0')
		unlink(authority);
	authority[0] = '\0';
}

/* ---- the lock ---- */

/* The newest that was made from a descriptor, as only window managers' are. */
static xcb_connection_t *newest;

INSTEAD xcb_connection_t *xcb_connect_to_fd(int fd, xcb_auth_info_t *info) {
	newest = LIBXCB(xcb_connect_to_fd)(fd, info);
	return newest;
}

void mw_x11_access_disconnected(const xcb_connection_t *connection) {
	if (newest == connection)
		newest = NULL;
}

void mw_x11_locked(mw_server *server, bool locked) {
	struct mw_xwayland *xwayland = server->xwayland;
	if (xwayland == NULL || xwayland->wlr->xwm == NULL || newest == NULL)
		return;   /* nothing runs; what begins later is held when it is ready */
	if (locked)
		xcb_grab_server(newest);
	else
		xcb_ungrab_server(newest);
	xcb_flush(newest);
}
