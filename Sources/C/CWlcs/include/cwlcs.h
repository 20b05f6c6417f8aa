/*
 * The binary interface by which WLCS, the Wayland conformance suite, drives a compositor, described here anew: the
 * order and types of the members are what both sides agree on. And the few things that Swift cannot do for it.
 *
 * WLCS loads the module, looks up `wlcs_server_integration`, and makes and destroys one server per test.
 */
#ifndef MULLION_CWLCS_H
#define MULLION_CWLCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_display;
struct wl_event_loop;
struct wl_proxy;
struct wlr_surface;

/* A protocol and the newest version of it that the tests may use. What is not listed is skipped where it is missing. */
struct cw_extension {
	const char *name;
	uint32_t version;
};

struct cw_descriptor {
	uint32_t version;            /* of this structure: 1 */
	size_t count;
	const struct cw_extension *extensions;
};

/* Coordinates are 24.8 fixed-point numbers of the screen. */
struct cw_pointer {
	uint32_t version;            /* 1 */
	void (*move_to)(struct cw_pointer *pointer, int32_t x, int32_t y);
	void (*move_by)(struct cw_pointer *pointer, int32_t dx, int32_t dy);
	void (*release)(struct cw_pointer *pointer, int button);
	void (*press)(struct cw_pointer *pointer, int button);
	void (*destroy)(struct cw_pointer *pointer);
	void *owner;                 /* ours */
};

/* Coordinates are whole points of the screen. The three calls come on the thread of the test. */
struct cw_touch {
	uint32_t version;            /* 1 */
	void (*down)(struct cw_touch *touch, int32_t x, int32_t y);
	void (*move)(struct cw_touch *touch, int32_t x, int32_t y);
	void (*up)(struct cw_touch *touch);
	void (*destroy)(struct cw_touch *touch);
	void *owner;                 /* ours */
	int32_t id;                  /* ours */
};

struct cw_server {
	uint32_t version;            /* 3 */
	void (*start)(struct cw_server *server);   /* unused: `run` is there */
	void (*stop)(struct cw_server *server);
	int (*client_socket)(struct cw_server *server);
	void (*place)(struct cw_server *server, struct wl_display *client, struct wl_proxy *surface, int x, int y);
	struct cw_pointer *(*make_pointer)(struct cw_server *server);
	struct cw_touch *(*make_touch)(struct cw_server *server);
	const struct cw_descriptor *(*describe)(const struct cw_server *server);
	/* Runs until stopped. Calls but for touches come through the given loop, which the server drives with its own. */
	void (*run)(struct cw_server *server, struct wl_event_loop *calls);
	void *owner;                 /* ours */
};

struct cw_integration {
	uint32_t version;            /* 1 */
	struct cw_server *(*create)(int argc, const char *const *argv);
	void (*destroy)(struct cw_server *server);
};

extern const struct cw_integration wlcs_server_integration;

/* Made in Swift. */
struct cw_server *mullion_wlcs_create(int argc, const char *const *argv);
void mullion_wlcs_destroy(struct cw_server *server);

/* The module stays in memory until the process is gone: WLCS unloads it on its way out, while threads of the Swift runtime
 * still run in it. */
void cw_stay(void);

/* What the module says it speaks. */
const struct cw_descriptor *cw_describe(void);

/* The clients of one server. */
struct cw_clients;
struct cw_clients *cw_clients_create(struct wl_display *display);
void cw_clients_destroy(struct cw_clients *clients);
/* The client's end of a new connection, which the caller closes; -1 if there is none to be had. */
int cw_clients_connect(struct cw_clients *clients);
/* The server's side of a surface that a client in this process holds, NULL if there is none, and how far a subsurface is
 * from the window geometry of its toplevel. */
struct wlr_surface *cw_clients_surface(struct cw_clients *clients, struct wl_display *client, struct wl_proxy *surface,
	int32_t *dx, int32_t *dy);

/* The tests want to place layer surfaces too: as if the client had anchored this one to the top left, with margins. false:
 * it is none. */
bool cw_place_layer(struct wlr_surface *surface, int32_t x, int32_t y);

/* An eventfd by which one thread wakes another's loop; -1 if there is none to be had. */
int cw_wake_create(void);
int cw_loop_fd(struct wl_event_loop *loop);
void cw_loop_dispatch(struct wl_event_loop *loop);

#endif
