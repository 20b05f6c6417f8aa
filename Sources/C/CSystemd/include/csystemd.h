/*
 * A connection to a D-Bus message bus, as functions that Swift can call: libsystemd's sd-bus is half macros and
 * variadic functions, which Swift does not import.
 *
 * Nothing here waits. Connecting, calling and sending only queue; `csd_bus_process` does what can be done now.
 * Functions that return int give 0 or more, or a negative errno. Times are CLOCK_MONOTONIC microseconds.
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

/* ---- What a connection reports. `user` is the pointer given to csd_bus_open; every member must be set. Messages and
 * strings are lent for the call. A handler must not close its connection: it is being processed. ---- */

typedef struct {
	/* Whether the object is there and has the interface. Asked before each of the next three. */
	bool (*has)(void *user, const char *path, const char *interface);
	/* A call of a method that was described. Answers it (csd_reply_new, csd_send), or returns a negative errno, which
	 * becomes the error that the caller gets. */
	int (*method)(void *user, csd_message *call);
	/* Appends the value of a property to `reply`. */
	int (*get)(void *user, const char *path, const char *interface, const char *property, csd_message *reply);
	/* Takes the new value of a writable property from `value`. */
	int (*set)(void *user, const char *path, const char *interface, const char *property, csd_message *value);
	/* The answer to csd_call_send: see csd_message_is_error. */
	void (*answer)(void *user, uint64_t token, csd_message *answer);
	/* A signal that a rule of csd_bus_match lets in. */
	void (*signal)(void *user, csd_message *signal);
} csd_handlers;

/* ---- The connection. ---- */

/* Begins to connect to a bus; `address` is a D-Bus address. Nothing is set on failure. */
int csd_bus_open(csd_bus **bus, const char *address, const csd_handlers *handlers, void *user);
/* Drops what is still queued. Null is allowed. */
void csd_bus_close(csd_bus *bus);
/* Does one thing that can be done now. Above 0: there may be more to do; 0: nothing; below: the connection is lost. */
int csd_bus_process(csd_bus *bus);
/* The bus has said hello: csd_bus_name is known. */
bool csd_bus_is_ready(csd_bus *bus);
int csd_bus_fd(csd_bus *bus);
void csd_bus_events(csd_bus *bus, bool *read, bool *write);
/* When csd_bus_process has to be called at the latest; UINT64_MAX: only for the descriptor. */
uint64_t csd_bus_timeout(csd_bus *bus);
/* Messages that wait to be written. */
uint64_t csd_bus_queued(csd_bus *bus);
/* The connection's unique name, null while not ready. */
const char *csd_bus_name(csd_bus *bus);

/* ---- What it exports. ---- */

enum csd_member_kind {
	CSD_METHOD = 0,
	CSD_PROPERTY = 1,
	CSD_WRITABLE_PROPERTY = 2,
	/* One whose changes are told (PropertiesChanged); whoever has it tells them. */
	CSD_TOLD_PROPERTY = 3,
	/* For who asks what there is; sending needs no description. Its signature is `arguments`. */
	CSD_SIGNAL = 4,
};

/* Describes an interface of every object below `prefix`: begin, its members, end. Calls whose arguments do not fit the
 * signature are refused by the library. */
int csd_interface_begin(csd_bus *bus);
int csd_interface_member(csd_bus *bus, enum csd_member_kind kind, const char *name, const char *arguments,
                         const char *result);
int csd_interface_end(csd_bus *bus, const char *prefix, const char *interface);

/* Asks for signals; `rule` is a D-Bus match rule. */
int csd_bus_match(csd_bus *bus, const char *rule);
/* The same for a while; null on failure. To be given back before the connection is closed. */
typedef struct sd_bus_slot csd_watch;
csd_watch *csd_watch_new(csd_bus *bus, const char *rule);
void csd_watch_end(csd_watch *watch);

/* ---- Messages to send. Each is consumed by its send function, whether that succeeds or not. ---- */

csd_message *csd_call_new(csd_bus *bus, const char *destination, const char *path, const char *interface,
                          const char *member);
/* A call for who is there: a service that is not is not started for it. */
/* The answer comes to `answer` with this token, an error after `timeout` microseconds. */
int csd_call_send(csd_bus *bus, csd_message *call, uint64_t timeout, uint64_t token);
csd_message *csd_signal_new(csd_bus *bus, const char *path, const char *interface, const char *member);
/* To one connection alone. */
csd_message *csd_signal_new_to(csd_bus *bus, const char *destination, const char *path, const char *interface,
                               const char *member);
csd_message *csd_reply_new(csd_message *call);
int csd_send(csd_message *message);
void csd_drop(csd_message *message);
/* Answers a call with a named error. */
int csd_reply_error(csd_message *call, const char *name, const char *text);

/* ---- Messages that came. ---- */

bool csd_message_is_error(csd_message *message);
/* Of an error; null if it is none. */
const char *csd_message_error_name(csd_message *message);
const char *csd_message_error_text(csd_message *message);
/* Keeps a message after the handler's call, until csd_drop: a call that is answered later. */
csd_message *csd_keep(csd_message *message);

/* Above 0: read; 0: at the end of the container; below: something else is there. */
/* Of any integer type: 'y', 'n', 'q', 'i', 'u', 'x', 't'; what is above INT64_MAX becomes that. */
int csd_read_integer(csd_message *message, char type, int64_t *value);
/* Passes over the next value, whatever it is. */
int csd_skip(csd_message *message);
/* Passes over what is left of the container, and leaves it. */
int csd_leave(csd_message *message);

#endif
