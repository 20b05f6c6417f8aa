/*
 * A connection to PipeWire as functions that Swift can call: libpipewire is half macros and variadic functions, which
 * Swift does not import. One source for 0.3.65 and 1.4.
 *
 * The library is loaded when it is first needed, so that a machine without it lacks sound and nothing else. Nothing here
 * waits: what is asked is queued, and `cpw_process` does what can be done now. Functions that return int give 0 or more,
 * or a negative errno. Objects are named by the server's ids, which it uses again at once when one is gone.
 *
 * Threads: none of ours, and everything here belongs to one; libpipewire keeps one of its own that sleeps.
 */
#ifndef MULLION_CPIPEWIRE_H
#define MULLION_CPIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cpw cpw;

typedef struct {
	const char *key;
	const char *value;
} cpw_pair;

typedef enum {
	CPW_NODE,
	CPW_PORT,
	CPW_LINK,
	CPW_CLIENT,
	CPW_DEVICE,
	CPW_METADATA,
} cpw_kind;

/* Of a node: only what the bits of `has` name was told. Volumes are linear factors. */
enum { CPW_VOLUMES = 1, CPW_MUTE = 2, CPW_SOFT_VOLUMES = 4 };
enum { CPW_CHANNELS = 64 };

typedef struct {
	uint32_t has;
	uint32_t count, soft_count;
	float volumes[CPW_CHANNELS];
	float soft_volumes[CPW_CHANNELS];
	bool mute;
} cpw_props;

/* One jack, or the like, of a device. */
enum { CPW_ROUTE_DEVICES = 16 };

typedef struct {
	/* In use now, by the profile's device `device`; else one of those that there are. */
	bool is_current;
	bool is_output;
	int32_t index, device, priority;
	/* 0 nobody knows, 1 no, 2 yes. */
	int32_t available;
	const char *name, *description;
	/* "headphones", "speaker" and so on, or "". */
	const char *port_type;
	int32_t devices[CPW_ROUTE_DEVICES];
	uint32_t device_count;
	/* Of the current one. */
	cpw_props props;
} cpw_route;

/* What a connection reports. `user` is the pointer given to cpw_open; every member must be set. Strings and structures are
 * lent for the call. A handler must not close its connection. */
typedef struct {
	/* An object appeared; with some of its properties, and as its first one its "object.serial". */
	void (*appeared)(void *user, uint32_t id, cpw_kind kind, const cpw_pair *properties, size_t count);
	void (*disappeared)(void *user, uint32_t id);
	/* Everything about a bound node, client or device, or a bound link's state alone. `state` of a node: -1 error,
	 * 0 creating, 1 suspended, 2 idle, 3 running; of a link: below 3 not yet, 3 paused, 4 active. */
	void (*info)(void *user, uint32_t id, int state, const cpw_pair *properties, size_t count);
	void (*props)(void *user, uint32_t id, const cpw_props *props);
	/* All routes of a bound device, one after the other, then NULL. */
	void (*route)(void *user, uint32_t id, const cpw_route *route);
	/* `key` NULL: all of the subject's were removed; `value` NULL: this one was. */
	void (*metadata)(void *user, uint32_t id, uint32_t subject, const char *key, const char *value);
	/* What cpw_link or cpw_make_node was asked for is there, with this id, or failed with a negative errno. */
	void (*made)(void *user, uint64_t token, uint32_t id, int error);
	/* The answer to cpw_sync: everything asked before it was done. */
	void (*synced)(void *user, int sequence);
	/* The connection is lost; close it. */
	void (*lost)(void *user, const char *reason);
} cpw_handlers;

/* ---- The connection. ---- */

/* The version of libpipewire, "0.3.65". */
const char *cpw_version(void);

/* Whether somebody listens on the socket at `path`: 0, or a negative errno. */
int cpw_probe(const char *path);

/* Connects to the socket at `path`: 0, or a negative errno. */
int cpw_open(cpw **result, const char *path, const cpw_handlers *handlers, void *user);
void cpw_close(cpw *connection);

/* Becomes readable when there is something to process. */
int cpw_descriptor(const cpw *connection);
void cpw_process(cpw *connection);
/* A number that `synced` gives back. */
int cpw_sync(cpw *connection);

/* ---- Objects. ---- */

/* Reports of a node (state, properties, volumes), a link (state), a client, a device (routes) or metadata begin. */
int cpw_bind(cpw *connection, uint32_t id);

/* A link from an output port to an input port that outlives this connection. `made` answers. */
int cpw_link(cpw *connection, uint64_t token, uint32_t output_node, uint32_t output_port, uint32_t input_node, uint32_t input_port);
/* A node of the factory "adapter" that outlives this connection if its properties say object.linger. `made` answers. */
int cpw_make_node(cpw *connection, uint64_t token, const cpw_pair *properties, size_t count);
/* Asks the server to destroy any object. */
int cpw_destroy(cpw *connection, uint32_t id);

/* Of bound nodes; linear factors. Soft volumes stand in for the volumes until anybody writes those. */
int cpw_set_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count, bool mute, bool is_to_tell);
int cpw_set_soft_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count);
/* PipeWire 1.4 tells nobody what volumes are set on a node that never ran. After this, or with `is_to_tell` above, it does. */
int cpw_tell_volumes(cpw *connection, uint32_t id);

/* Of a bound device: uses the route `index` for the profile's device `device`. With `count` > 0 its volumes, too. */
int cpw_set_route(cpw *connection, uint32_t id, int32_t index, int32_t device, const float *volumes, uint32_t count, bool mute, bool save);

/* Gives a bound stream, or with `is_input` a sink, its ports: two channels of this rate, left and right. The session
 * manager's work, for when it does not do it. */
int cpw_set_ports(cpw *connection, uint32_t id, bool is_input, uint32_t rate);

/* Of bound metadata; `value` NULL removes. */
int cpw_set_metadata(cpw *connection, uint32_t id, uint32_t subject, const char *key, const char *type, const char *value);

#endif
