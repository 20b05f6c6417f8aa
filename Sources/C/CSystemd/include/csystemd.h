/*
 * A connection to a D-Bus message bus, as functions that Swift can call: libsystemd's sd-bus is half macros and
 * variadic functions, which Swift does not import.
 *
 * Nothing here blocks. Connecting, calling and sending only queue. `csd_bus_process` does what is possible without
 * waiting. Functions that return int return 0 or more, or a negative errno. Times are in CLOCK_MONOTONIC
 * microseconds.
 *
 * Threads: none. A connection belongs to one thread.
 */
#ifndef MULLION_CSYSTEMD_H
#define MULLION_CSYSTEMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

typedef struct csd_bus csd_bus;
typedef struct sd_bus_message csd_message;

/* ---- Callbacks of a connection. `user` is the pointer given to csd_bus_open. Every member must be set. Messages
 * and strings are valid only during the call. A callback must not close its connection, which is being processed.
 * ---- */

typedef struct {
	/* Whether the object exists and has the interface. Called before each of the next three. */
	bool (*has)(void *user, const char *path, const char *interface);
	/* Handles a call of a described method: replies (csd_reply_new, csd_send), or returns a negative errno, which
	 * the caller gets as an error. */
	int (*method)(void *user, csd_message *call);
	/* Appends the value of a property to `reply`. */
	int (*get)(void *user, const char *path, const char *interface, const char *property, csd_message *reply);
	/* Takes the new value of a writable property from `value`. */
	int (*set)(void *user, const char *path, const char *interface, const char *property, csd_message *value);
	/* The reply to csd_call_send; see csd_message_is_error. */
	void (*answer)(void *user, uint64_t token, csd_message *answer);
	/* A signal that matches a rule of csd_bus_match. */
	void (*signal)(void *user, csd_message *signal);
	/* A message between others, for a connection of the kind CSD_MONITOR. */
	void (*seen)(void *user, csd_message *message);
} csd_handlers;

/* ---- The connection. ---- */

enum csd_bus_kind {
	CSD_PLAIN,
	CSD_TAKES_FILES, /* messages may bring file descriptors */
	CSD_MONITOR,	 /* sees messages between others once the bus has let it (BecomeMonitor), and then sends nothing */
};

/* Starts connecting to a bus. `address` is a D-Bus address. `*bus` is unset on failure. */
int csd_bus_open(csd_bus **bus, const char *address, enum csd_bus_kind kind, const csd_handlers *handlers, void *user);
/* Drops queued messages. Null is allowed. */
void csd_bus_close(csd_bus *bus);
/* Processes one message without blocking. Above 0: there may be more; 0: nothing to do; below 0: the connection is
 * lost. */
int csd_bus_process(csd_bus *bus);
/* Whether the bus accepted the connection, so that csd_bus_name is known. */
bool csd_bus_is_ready(csd_bus *bus);
int csd_bus_fd(csd_bus *bus);
void csd_bus_events(csd_bus *bus, bool *read, bool *write);
/* The latest time for the next csd_bus_process; UINT64_MAX: only when the descriptor is ready. */
uint64_t csd_bus_timeout(csd_bus *bus);
/* The number of messages waiting to be written. */
uint64_t csd_bus_queued(csd_bus *bus);
/* The connection's unique name; null while it is not ready. */
const char *csd_bus_name(csd_bus *bus);

/* ---- Exported interfaces. ---- */

enum csd_member_kind {
	CSD_METHOD = 0,
	CSD_PROPERTY = 1,
	CSD_WRITABLE_PROPERTY = 2,
	/* A property whose changes are signalled (PropertiesChanged) by its owner. */
	CSD_TOLD_PROPERTY = 3,
	/* For introspection. Sending a signal needs no description. Its signature is `arguments`. */
	CSD_SIGNAL = 4,
	/* A method that programs of other users may call, too. */
	CSD_OPEN_METHOD = 5,
};

/* Describes an interface of every object below `prefix`: begin, members, end. The library refuses calls whose
 * arguments do not match the signature. */
int csd_interface_begin(csd_bus *bus);
int csd_interface_member(csd_bus *bus, enum csd_member_kind kind, const char *name, const char *arguments, const char *result);
int csd_interface_end(csd_bus *bus, const char *prefix, const char *interface);

/* Subscribes to signals. `rule` is a D-Bus match rule. */
int csd_bus_match(csd_bus *bus, const char *rule);
/* The same with an end; null on failure. Free the watch before the connection is closed. */
typedef struct sd_bus_slot csd_watch;
csd_watch *csd_watch_new(csd_bus *bus, const char *rule);
void csd_watch_end(csd_watch *watch);

/* ---- Outgoing messages. Each send function consumes its message, even on failure. ---- */

csd_message *csd_call_new(csd_bus *bus, const char *destination, const char *path, const char *interface, const char *member);
/* A call that does not start the service if it is not running. */
/* The reply arrives in `answer` with this token, or an error after `timeout` microseconds. */
int csd_call_send(csd_bus *bus, csd_message *call, uint64_t timeout, uint64_t token);
csd_message *csd_signal_new(csd_bus *bus, const char *path, const char *interface, const char *member);
/* Sent to a single connection. */
csd_message *csd_signal_new_to(csd_bus *bus, const char *destination, const char *path, const char *interface, const char *member);
csd_message *csd_reply_new(csd_message *call);
int csd_send(csd_message *message);
void csd_drop(csd_message *message);
/* Replies to a call with a named error. */
int csd_reply_error(csd_message *call, const char *name, const char *text);

/* ---- Incoming messages. ---- */

bool csd_message_is_error(csd_message *message);
/* The name of an error; null if the message is none. */
const char *csd_message_error_name(csd_message *message);
const char *csd_message_error_text(csd_message *message);
/* Keeps a message after the handler's call until csd_drop, to reply later. */
csd_message *csd_keep(csd_message *message);

/* Above 0: read; 0: at the end of the container; below 0: the next value has another type. */
/* Any integer type: 'y', 'n', 'q', 'i', 'u', 'x', 't'. Values above INT64_MAX are clamped. */
int csd_read_integer(csd_message *message, char type, int64_t *value);
/* Skips the next value of any type. */
int csd_skip(csd_message *message);
/* Skips the rest of the container and leaves it. */
int csd_leave(csd_message *message);

#endif
