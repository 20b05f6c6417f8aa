/*
 * A connection to PipeWire as functions that Swift can call: libpipewire is half macros and variadic functions,
 * which Swift does not import. One source for 0.3.65 and 1.4.
 *
 * The library is loaded when it is first needed, so that a machine without it only lacks sound. Nothing here
 * blocks: requests are queued, and `cpw_process` does what is possible without waiting. Functions that return int
 * return 0 or more, or a negative errno. Objects are identified by the server's ids, which it reuses at once.
 *
 * Threads: none of ours, and everything here is confined to one thread. libpipewire has a thread of its own, which sleeps
 * unless there is a meter.
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

/* Properties of a node. Only those in `has` are set. Volumes are linear factors. */
enum { CPW_VOLUMES = 1, CPW_MUTE = 2, CPW_SOFT_VOLUMES = 4 };
enum { CPW_CHANNELS = 64 };

typedef struct {
	uint32_t has;
	uint32_t count, soft_count;
	float volumes[CPW_CHANNELS];
	float soft_volumes[CPW_CHANNELS];
	bool mute;
} cpw_props;

/* A jack, or another route of a device. */
enum { CPW_ROUTE_DEVICES = 16 };

typedef struct {
	/* Whether the profile's device `device` uses it now. Otherwise it is only available. */
	bool is_current;
	bool is_output;
	int32_t index, device, priority;
	/* 0 unknown, 1 no, 2 yes. */
	int32_t available;
	const char *name, *description;
	/* "headphones", "speaker" and so on, or "". */
	const char *port_type;
	int32_t devices[CPW_ROUTE_DEVICES];
	uint32_t device_count;
	/* For the current one. */
	cpw_props props;
} cpw_route;

/* Callbacks of a connection. `user` is the pointer given to cpw_open. Every member must be set. Strings and
 * structures are valid only during the call. A callback must not close its connection. */
typedef struct {
	/* An object appeared, with some of its properties. The first one is its "object.serial". */
	void (*appeared)(void *user, uint32_t id, cpw_kind kind, const cpw_pair *properties, size_t count);
	void (*disappeared)(void *user, uint32_t id);
	/* All properties of a bound node, client or device, or only the state of a bound link. `state` of a node: -1 error,
	 * 0 creating, 1 suspended, 2 idle, 3 running; of a link: below 3 not ready, 3 paused, 4 active. */
	void (*info)(void *user, uint32_t id, int state, const cpw_pair *properties, size_t count);
	void (*props)(void *user, uint32_t id, const cpw_props *props);
	/* All routes of a bound device, one at a time, then NULL. */
	void (*route)(void *user, uint32_t id, const cpw_route *route);
	/* `key` NULL: all of the subject's keys were removed; `value` NULL: this one was. */
	void (*metadata)(void *user, uint32_t id, uint32_t subject, const char *key, const char *value);
	/* The object requested by cpw_link or cpw_make_node exists, with this id, or failed with a negative errno. */
	void (*made)(void *user, uint64_t token, uint32_t id, int error);
	/* The reply to cpw_sync: all earlier requests are done. */
	void (*synced)(void *user, int sequence);
	/* The input of the meter with this token fell silent a second ago, or sounds again. */
	void (*measured)(void *user, uint64_t token, bool sounds);
	/* The connection is lost; close it. */
	void (*lost)(void *user, const char *reason);
} cpw_handlers;

/* ---- The connection. ---- */

/* The version of libpipewire, "0.3.65". */
const char *cpw_version(void);

/* Whether a server listens on the socket at `path`: 0, or a negative errno. */
int cpw_probe(const char *path);

/* Connects to the socket at `path`: 0, or a negative errno. */
int cpw_open(cpw **result, const char *path, const cpw_handlers *handlers, void *user);
void cpw_close(cpw *connection);

/* Becomes readable when there is something to process. */
int cpw_descriptor(const cpw *connection);
void cpw_process(cpw *connection);
/* Returns the number that `synced` will pass. */
int cpw_sync(cpw *connection);

/* ---- Objects. ---- */

/* Starts events of a node (state, properties, volumes), a link (state), a client, a device (routes) or metadata. */
int cpw_bind(cpw *connection, uint32_t id);

/* Makes a link from an output port to an input port that outlives this connection. Answered by `made`. */
int cpw_link(cpw *connection, uint64_t token, uint32_t output_node, uint32_t output_port, uint32_t input_node, uint32_t input_port);
/* Makes a node with the factory "adapter". It outlives this connection if its properties contain object.linger.
 * Answered by `made`. */
int cpw_make_node(cpw *connection, uint64_t token, const cpw_pair *properties, size_t count);
/* Asks the server to destroy any object. */
int cpw_destroy(cpw *connection, uint32_t id);

/* Sets linear volumes of a bound node. Soft volumes replace its volumes until any client sets those. */
int cpw_set_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count, bool mute, bool is_to_tell);
int cpw_set_soft_volumes(cpw *connection, uint32_t id, const float *volumes, uint32_t count);
/* PipeWire 1.4 does not report volumes set on a node that never ran. After this call, or with `is_to_tell` above,
 * it does. */
int cpw_tell_volumes(cpw *connection, uint32_t id);

/* Makes a bound device use the route `index` for the profile's device `device`. With `count` > 0, also sets its
 * volumes. */
int cpw_set_route(cpw *connection, uint32_t id, int32_t index, int32_t device, const float *volumes, uint32_t count, bool mute, bool save);

/* Gives a bound stream, or with `is_input` a sink, its ports: left and right at this rate. Normally the session
 * manager does this. */
int cpw_set_ports(cpw *connection, uint32_t id, bool is_input, uint32_t rate);

typedef struct {
	float level;	   /* the loudest sample of silence */
	uint64_t patience; /* nanoseconds without a louder one until it counts as silent */
	uint64_t gap;	   /* nanoseconds without samples after which it counts as started anew */
} cpw_meter_rules;

/* Makes a node with the inputs FL and FR, to which sources can be linked, until it is removed or the connection closes. `token` must
 * differ from those of other meters. */
int cpw_meter_add(cpw *connection, uint64_t token, const char *name, cpw_meter_rules rules);
/* Not from a callback of the meter. */
void cpw_meter_remove(cpw *connection, uint64_t token);

/* Sets a value of bound metadata. `value` NULL removes it. */
int cpw_set_metadata(cpw *connection, uint32_t id, uint32_t subject, const char *key, const char *type, const char *value);

#endif
