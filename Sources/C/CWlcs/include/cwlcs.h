/*
 * The binary interface through which WLCS, the Wayland conformance suite, drives a compositor, redeclared here:
 * the order and types of the members are the contract. And the few functions that Swift cannot implement.
 *
 * WLCS loads the module, looks up `wlcs_server_integration`, and creates and destroys one server per test.
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

/* A protocol and the newest version that the tests may use. Tests of missing protocols are skipped. */
struct cw_extension {
	const char *name;
	uint32_t version;
};

struct cw_descriptor {
	uint32_t version; /* of this structure: 1 */
	size_t count;
	const struct cw_extension *extensions;
};

/* Coordinates are 24.8 fixed-point values in points of the screen. */
struct cw_pointer {
	uint32_t version; /* 1 */
	void (*move_to)(struct cw_pointer *pointer, int32_t x, int32_t y);
	void (*move_by)(struct cw_pointer *pointer, int32_t dx, int32_t dy);
	void (*release)(struct cw_pointer *pointer, int button);
	void (*press)(struct cw_pointer *pointer, int button);
	void (*destroy)(struct cw_pointer *pointer);
	void *owner; /* ours */
};

/* Coordinates are whole points of the screen. The test's thread makes the three calls. */
struct cw_touch {
	uint32_t version; /* 1 */
	void (*down)(struct cw_touch *touch, int32_t x, int32_t y);
	void (*move)(struct cw_touch *touch, int32_t x, int32_t y);
	void (*up)(struct cw_touch *touch);
	void (*destroy)(struct cw_touch *touch);
	void *owner; /* ours */
	int32_t id;	 /* ours */
};

struct cw_server {
	uint32_t version;						 /* 3 */
	void (*start)(struct cw_server *server); /* unused: `run` is there */
	void (*stop)(struct cw_server *server);
	int (*client_socket)(struct cw_server *server);
	void (*place)(struct cw_server *server, struct wl_display *client, struct wl_proxy *surface, int x, int y);
	struct cw_pointer *(*make_pointer)(struct cw_server *server);
	struct cw_touch *(*make_touch)(struct cw_server *server);
	const struct cw_descriptor *(*describe)(const struct cw_server *server);
	/* Runs until stopped. Calls other than touches arrive through the given loop, which the server dispatches
	 * together with its own. */
	void (*run)(struct cw_server *server, struct wl_event_loop *calls);
	void *owner; /* ours */
};

struct cw_integration {
	uint32_t version; /* 1 */
	struct cw_server *(*create)(int argc, const char *const *argv);
	void (*destroy)(struct cw_server *server);
};

extern const struct cw_integration wlcs_server_integration;

/* Implemented in Swift. */
struct cw_server *mullion_wlcs_create(int argc, const char *const *argv);
void mullion_wlcs_destroy(struct cw_server *server);

/* Keeps the module in memory until the process ends: WLCS unloads it at exit, while threads of the Swift runtime
 * are still running in it. */
void cw_stay(void);

/* The protocols that the module supports. */
const struct cw_descriptor *cw_describe(void);

/* The clients of one server. */
struct cw_clients;
struct cw_clients *cw_clients_create(struct wl_display *display);
void cw_clients_destroy(struct cw_clients *clients);
/* Returns the client's end of a new connection, which the caller closes; -1 on failure. */
int cw_clients_connect(struct cw_clients *clients);
/* The server-side surface of a proxy that a client in this process holds, or NULL, and a subsurface's offset from
 * the window geometry of its toplevel. */
struct wlr_surface *cw_clients_surface(struct cw_clients *clients, struct wl_display *client, struct wl_proxy *surface, int32_t *dx,
									   int32_t *dy);

/* Places a layer surface for a test, as if its client had anchored it to the top left with margins. Returns false
 * if it is not a layer surface. */
bool cw_place_layer(struct wlr_surface *surface, int32_t x, int32_t y);

/* An eventfd that wakes the loop of another thread; -1 on failure. */
int cw_wake_create(void);
int cw_loop_fd(struct wl_event_loop *loop);
void cw_loop_dispatch(struct wl_event_loop *loop);

#endif
