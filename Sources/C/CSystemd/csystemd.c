/* C, because sd-bus describes methods by macros over a union with bit fields, which Swift does not import. */
#include "csystemd.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

/* The most members of one interface, with its start and end. */
enum { MEMBERS = 32 };

/* An exported interface. sd-bus keeps pointers to all of this, and queued messages and watches keep the connection
 * alive after csd_bus_close. */
struct interface {
	struct interface *next;
	csd_bus *bus;
	sd_bus_slot *slot; /* sd-bus owns the rest until this slot goes away */
	size_t count;
	sd_bus_vtable members[MEMBERS];
	char *texts[MEMBERS * 3];
	size_t text_count;
};

struct csd_bus {
	sd_bus *bus;
	csd_handlers handlers;
	void *user;
	struct interface *interfaces;
	struct interface *described; /* between csd_interface_begin and _end */
};

struct pending {
	csd_bus *bus;
	uint64_t token;
};

/* ---- The connection. ---- */

/* Takes every call and signal: sd-bus would answer a call itself, and a monitor that sends is disconnected. */
static int seen(sd_bus_message *message, void *user, sd_bus_error *error) {
	(void)error;
	csd_bus *bus = user;
	uint8_t type = 0;
	if (sd_bus_message_get_type(message, &type) < 0 || type == SD_BUS_MESSAGE_METHOD_RETURN || type == SD_BUS_MESSAGE_METHOD_ERROR)
		return 0;
	bus->handlers.seen(bus->user, message);
	return 1;
}

int csd_bus_open(csd_bus **result, const char *address, enum csd_bus_kind kind, const csd_handlers *handlers, void *user) {
	csd_bus *bus = calloc(1, sizeof(*bus));
	if (bus == NULL)
		return -ENOMEM;
	bus->handlers = *handlers;
	bus->user = user;
	int status = sd_bus_new(&bus->bus);
	if (status >= 0)
		status = sd_bus_set_address(bus->bus, address);
	if (status >= 0)
		status = sd_bus_set_bus_client(bus->bus, true);
	/* Refuse file descriptors, so that no sender can exhaust this process's descriptors. A monitor is not shown messages with descriptors
	 * unless it takes them, such as the command line that a second start of a program hands to the first. It reads one message at a time,
	 * whose descriptors are closed with it. */
	if (status >= 0)
		status = sd_bus_negotiate_fds(bus->bus, kind == CSD_TAKES_FILES || kind == CSD_MONITOR);
	if (status >= 0 && kind == CSD_MONITOR)
		status = sd_bus_set_monitor(bus->bus, true);
	if (status >= 0 && kind == CSD_MONITOR)
		status = sd_bus_add_filter(bus->bus, NULL, seen, bus);
	if (status >= 0)
		status = sd_bus_start(bus->bus);
	if (status < 0) {
		csd_bus_close(bus);
		return status;
	}
	*result = bus;
	return 0;
}

static void interface_free(struct interface *interface) {
	if (interface == NULL)
		return;
	sd_bus_slot_unref(interface->slot);
	for (size_t i = 0; i < interface->text_count; i++)
		free(interface->texts[i]);
	free(interface);
}

void csd_bus_close(csd_bus *bus) {
	if (bus == NULL)
		return;
	while (bus->interfaces != NULL) {
		struct interface *next = bus->interfaces->next;
		interface_free(bus->interfaces);
		bus->interfaces = next;
	}
	interface_free(bus->described);
	sd_bus_close_unref(bus->bus);
	free(bus);
}

int csd_bus_process(csd_bus *bus) {
	int status = sd_bus_process(bus->bus, NULL);
	if (status >= 0 && sd_bus_is_open(bus->bus) <= 0)
		return -ENOTCONN;
	return status;
}

bool csd_bus_is_ready(csd_bus *bus) { return sd_bus_is_ready(bus->bus) > 0; }

int csd_bus_fd(csd_bus *bus) { return sd_bus_get_fd(bus->bus); }

void csd_bus_events(csd_bus *bus, bool *read, bool *write) {
	int events = sd_bus_get_events(bus->bus);
	*read = events < 0 || (events & POLLIN) != 0;
	*write = events >= 0 && (events & POLLOUT) != 0;
}

uint64_t csd_bus_timeout(csd_bus *bus) {
	uint64_t timeout = UINT64_MAX;
	/* On failure the connection is lost. Process at once to report that. */
	return sd_bus_get_timeout(bus->bus, &timeout) < 0 ? 0 : timeout;
}

uint64_t csd_bus_queued(csd_bus *bus) {
	uint64_t count = 0;
	return sd_bus_get_n_queued_write(bus->bus, &count) < 0 ? 0 : count;
}

const char *csd_bus_name(csd_bus *bus) {
	const char *name = NULL;
	/* Before that, the library would block until the name is known. */
	if (!csd_bus_is_ready(bus) || sd_bus_get_unique_name(bus->bus, &name) < 0)
		return NULL;
	return name;
}

/* ---- Exported interfaces. ---- */

static int found(sd_bus *unused, const char *path, const char *name, void *user, void **result, sd_bus_error *error) {
	(void)unused, (void)error;
	struct interface *interface = user;
	*result = interface;
	return interface->bus->handlers.has(interface->bus->user, path, name);
}

static int called(sd_bus_message *call, void *user, sd_bus_error *error) {
	(void)error;
	struct interface *interface = user;
	int status = interface->bus->handlers.method(interface->bus->user, call);
	return status < 0 ? status : 1;
}

static int got(sd_bus *unused, const char *path, const char *name, const char *property, sd_bus_message *reply, void *user,
			   sd_bus_error *error) {
	(void)unused, (void)error;
	struct interface *interface = user;
	return interface->bus->handlers.get(interface->bus->user, path, name, property, reply);
}

static int put(sd_bus *unused, const char *path, const char *name, const char *property, sd_bus_message *value, void *user,
			   sd_bus_error *error) {
	(void)unused, (void)error;
	struct interface *interface = user;
	return interface->bus->handlers.set(interface->bus->user, path, name, property, value);
}

int csd_interface_begin(csd_bus *bus) {
	interface_free(bus->described);
	struct interface *interface = bus->described = calloc(1, sizeof(*interface));
	if (interface == NULL)
		return -ENOMEM;
	interface->bus = bus;
	/* Of a method that is not open, sd-bus refuses the callers of other users, besides root. */
	static const sd_bus_vtable start = SD_BUS_VTABLE_START(SD_BUS_VTABLE_UNPRIVILEGED);
	memcpy(&interface->members[interface->count++], &start, sizeof(start));
	return 0;
}

static const char *kept(struct interface *interface, const char *text) {
	char *copy = strdup(text);
	if (copy != NULL)
		interface->texts[interface->text_count++] = copy;
	return copy;
}

int csd_interface_member(csd_bus *bus, enum csd_member_kind kind, const char *name, const char *arguments, const char *result) {
	struct interface *interface = bus->described;
	if (interface == NULL || interface->count >= MEMBERS - 1)
		return -ENOSPC;
	const char *member = kept(interface, name), *in = kept(interface, arguments), *out = kept(interface, result);
	if (member == NULL || in == NULL || out == NULL)
		return -ENOMEM;
	/* Static, so that the unused parts of the union are zero, as the library requires. */
	static const sd_bus_vtable method = SD_BUS_METHOD("", "", "", called, 0);
	static const sd_bus_vtable open_method = SD_BUS_METHOD("", "", "", called, SD_BUS_VTABLE_UNPRIVILEGED);
	static const sd_bus_vtable constant = SD_BUS_PROPERTY("", "", got, 0, 0);
	static const sd_bus_vtable told = SD_BUS_PROPERTY("", "", got, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE);
	static const sd_bus_vtable signal = SD_BUS_SIGNAL("", "", 0);
	static const sd_bus_vtable variable = SD_BUS_WRITABLE_PROPERTY("", "", got, put, 0, 0);
	sd_bus_vtable *entry = &interface->members[interface->count++];
	if (kind == CSD_METHOD || kind == CSD_OPEN_METHOD) {
		memcpy(entry, kind == CSD_METHOD ? &method : &open_method, sizeof(method));
		entry->x.method.member = member;
		entry->x.method.signature = in;
		entry->x.method.result = out;
	} else if (kind == CSD_SIGNAL) {
		memcpy(entry, &signal, sizeof(signal));
		entry->x.signal.member = member;
		entry->x.signal.signature = in;
	} else {
		memcpy(entry, kind == CSD_PROPERTY ? &constant : kind == CSD_TOLD_PROPERTY ? &told : &variable, sizeof(constant));
		entry->x.property.member = member;
		entry->x.property.signature = out;
	}
	return 0;
}

int csd_interface_end(csd_bus *bus, const char *prefix, const char *name) {
	struct interface *interface = bus->described;
	if (interface == NULL)
		return -EINVAL;
	static const sd_bus_vtable end = SD_BUS_VTABLE_END;
	memcpy(&interface->members[interface->count], &end, sizeof(end));
	const char *place = kept(interface, prefix), *called_name = kept(interface, name);
	if (place == NULL || called_name == NULL)
		return -ENOMEM;
	int status = sd_bus_add_fallback_vtable(bus->bus, &interface->slot, place, called_name, interface->members, found, interface);
	if (status < 0)
		return status;
	bus->described = NULL;
	interface->next = bus->interfaces;
	bus->interfaces = interface;
	return 0;
}

static int signalled(sd_bus_message *signal, void *user, sd_bus_error *error) {
	(void)error;
	csd_bus *bus = user;
	bus->handlers.signal(bus->user, signal);
	return 0;
}

static int installed(sd_bus_message *answer, void *user, sd_bus_error *error) {
	/* If a bus refuses a match rule, only its signals are missing. By default sd-bus would disconnect. */
	(void)answer, (void)user, (void)error;
	return 1;
}

int csd_bus_match(csd_bus *bus, const char *rule) { return sd_bus_add_match_async(bus->bus, NULL, rule, signalled, installed, bus); }

csd_watch *csd_watch_new(csd_bus *bus, const char *rule) {
	sd_bus_slot *slot = NULL;
	return sd_bus_add_match_async(bus->bus, &slot, rule, signalled, installed, bus) < 0 ? NULL : slot;
}

void csd_watch_end(csd_watch *watch) { sd_bus_slot_unref(watch); }

/* ---- Outgoing messages. ---- */

csd_message *csd_call_new(csd_bus *bus, const char *destination, const char *path, const char *interface, const char *member) {
	sd_bus_message *call = NULL;
	return sd_bus_message_new_method_call(bus->bus, &call, destination, path, interface, member) < 0 ? NULL : call;
}

static int answered(sd_bus_message *answer, void *user, sd_bus_error *error) {
	(void)error;
	struct pending *pending = user;
	pending->bus->handlers.answer(pending->bus->user, pending->token, answer);
	return 1;
}

int csd_call_send(csd_bus *bus, csd_message *call, uint64_t timeout, uint64_t token) {
	sd_bus_slot *slot = NULL;
	struct pending *pending = malloc(sizeof(*pending));
	int status = pending == NULL ? -ENOMEM : 0;
	if (status >= 0) {
		*pending = (struct pending){.bus = bus, .token = token};
		status = sd_bus_call_async(bus->bus, &slot, call, answered, pending, timeout);
	}
	if (status >= 0) {
		/* From here on, the connection owns the slot, and the slot owns the allocation. */
		sd_bus_slot_set_destroy_callback(slot, free);
		sd_bus_slot_set_floating(slot, true);
		sd_bus_slot_unref(slot);
	} else {
		free(pending);
	}
	sd_bus_message_unref(call);
	return status;
}

csd_message *csd_signal_new(csd_bus *bus, const char *path, const char *interface, const char *member) {
	sd_bus_message *signal = NULL;
	return sd_bus_message_new_signal(bus->bus, &signal, path, interface, member) < 0 ? NULL : signal;
}

csd_message *csd_signal_new_to(csd_bus *bus, const char *destination, const char *path, const char *interface, const char *member) {
	sd_bus_message *signal = csd_signal_new(bus, path, interface, member);
	if (signal != NULL && sd_bus_message_set_destination(signal, destination) < 0) {
		sd_bus_message_unref(signal);
		return NULL;
	}
	return signal;
}

csd_message *csd_reply_new(csd_message *call) {
	sd_bus_message *reply = NULL;
	return sd_bus_message_new_method_return(call, &reply) < 0 ? NULL : reply;
}

int csd_send(csd_message *message) {
	int status = sd_bus_send(NULL, message, NULL);
	sd_bus_message_unref(message);
	return status;
}

void csd_drop(csd_message *message) { sd_bus_message_unref(message); }

int csd_reply_error(csd_message *call, const char *name, const char *text) {
	const sd_bus_error error = {.name = name, .message = text};
	return sd_bus_reply_method_error(call, &error);
}

/* ---- Incoming messages. ---- */

const char *csd_message_error_name(csd_message *message) {
	const sd_bus_error *error = sd_bus_message_get_error(message);
	return error == NULL ? NULL : error->name;
}

const char *csd_message_error_text(csd_message *message) {
	const sd_bus_error *error = sd_bus_message_get_error(message);
	return error == NULL ? NULL : error->message;
}

csd_message *csd_keep(csd_message *message) { return sd_bus_message_ref(message); }

bool csd_message_is_error(csd_message *message) { return sd_bus_message_is_method_error(message, NULL) > 0; }

int csd_read_integer(csd_message *message, char type, int64_t *value) {
	union {
		uint8_t y;
		int16_t n;
		uint16_t q;
		int32_t i;
		uint32_t u;
		int64_t x;
		uint64_t t;
	} read = {0};
	int status = sd_bus_message_read_basic(message, type, &read);
	if (status <= 0)
		return status;
	switch (type) {
	case SD_BUS_TYPE_BYTE:
		*value = read.y;
		break;
	case SD_BUS_TYPE_INT16:
		*value = read.n;
		break;
	case SD_BUS_TYPE_UINT16:
		*value = read.q;
		break;
	case SD_BUS_TYPE_INT32:
		*value = read.i;
		break;
	case SD_BUS_TYPE_UINT32:
		*value = read.u;
		break;
	case SD_BUS_TYPE_INT64:
		*value = read.x;
		break;
	case SD_BUS_TYPE_UINT64:
		*value = read.t > INT64_MAX ? INT64_MAX : (int64_t)read.t;
		break;
	default:
		return -EINVAL;
	}
	return status;
}

int csd_skip(csd_message *message) { return sd_bus_message_skip(message, NULL); }

int csd_leave(csd_message *message) {
	int status = 0;
	while (status >= 0 && sd_bus_message_at_end(message, false) == 0)
		status = sd_bus_message_skip(message, NULL);
	return status < 0 ? status : sd_bus_message_exit_container(message);
}
