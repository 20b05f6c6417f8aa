/*
 * security-context: a sandbox engine says of a socket who will connect to it.
 *
 * wlroots 0.15 has none, and 0.18 keeps both descriptors of whoever asks for one with a descriptor that is no listening
 * socket: as many as a client likes. So it is written here for both.
 */
#include "internal.h"
#include "client_limits.h"

#include <stdlib.h>
#include <string.h>

#include "security-context-v1-protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* glibc names it since 2.39. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* So long may a connection keep us that was there and is gone. */
#define PATIENCE_NS 5000000
/* Nobody else sends it. */
#define INTERRUPTION (SIGRTMAX - 3)

struct mw_security_contexts {
	mw_server *server;
	struct wl_global *global;
	struct wl_list contexts;             /* newest first */
};

/* What was said; shared by a context and its clients. */
struct metadata {
	int references;
	char *engine, *app_id, *instance_id;
};

struct context {
	struct wl_list link;
	mw_server *server;
	struct wl_resource *resource;        /* NULL once the engine gave it back */
	pid_t process;                       /* of the engine; 0: not known */
	struct metadata *metadata;
	owned_fd listening_socket, end;      /* the engine's socket, and what hangs up when no more clients may come */
	struct wl_event_source *listening, *closing;   /* NULL before the commit */
};

struct sandboxed {
	struct metadata *metadata;
	struct wl_listener destroy;
};

static void metadata_release(struct metadata *metadata) {
	if (--metadata->references > 0)
		return;
	free(metadata->engine);
	free(metadata->app_id);
	free(metadata->instance_id);
	free(metadata);
}

static void context_free(struct context *context) {
	if (context->resource != NULL)
		wl_resource_set_user_data(context->resource, NULL);
	if (context->listening != NULL)
		wl_event_source_remove(context->listening);
	if (context->closing != NULL)
		wl_event_source_remove(context->closing);
	owned_fd_close(&context->listening_socket);
	owned_fd_close(&context->end);
	metadata_release(context->metadata);
	wl_list_remove(&context->link);
	free(context);
}

/* ---- its clients ---- */

static void on_client_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct sandboxed *sandboxed = wl_container_of(listener, sandboxed, destroy);
	wl_list_remove(&sandboxed->destroy.link);
	metadata_release(sandboxed->metadata);
	free(sandboxed);
}

static void on_interruption(int number) {
	(void)number;
}

/*
 * Whether `accept` waits is said of the open socket, which the engine has, too: it may take the connection that the loop has heard
 * of, and have us wait for the next one. So a timer interrupts this thread, again and again lest it come before the wait. With it
 * alone there is a wait at most of that length; without it (no memory for a timer) nothing is taken. -1: `errno` says why; EINTR,
 * that we had to wait.
 */
static int accept_at_once(int listen_fd) {
	struct sigaction action = { .sa_handler = on_interruption }, before;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = INTERRUPTION };
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	const struct itimerspec often = { { 0, PATIENCE_NS }, { 0, PATIENCE_NS } };
	timer_t timer;
	sigset_t wanted, mask;
	sigemptyset(&wanted);
	sigaddset(&wanted, INTERRUPTION);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		return -1;
	sigaction(INTERRUPTION, &action, &before);
	pthread_sigmask(SIG_UNBLOCK, &wanted, &mask);
	int fd = -1;
	if (timer_settime(timer, 0, &often, NULL) == 0)
		fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	int reason = errno;
	timer_delete(timer);
	/* One that is still under way comes before this returns, while somebody listens to it. */
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	sigaction(INTERRUPTION, &before, NULL);
	errno = reason;
	return fd;
}

static void take_client(struct context *context) {
	int fd = accept_at_once(owned_fd_number(context->listening_socket));
	if (fd < 0 && errno == EINTR) {
		wlr_log(WLR_ERROR, "security-context: a sandbox's engine takes connections from its socket itself; no more are taken there");
		context_free(context);
	}
	if (fd < 0)
		return;
	struct sandboxed *sandboxed = calloc(1, sizeof(*sandboxed));
	struct wl_client *client = sandboxed != NULL ? wl_client_create(context->server->display, fd) : NULL;
	if (client == NULL) {
		free(sandboxed);
		close(fd);
		return;
	}
	sandboxed->metadata = context->metadata;
	sandboxed->metadata->references++;
	sandboxed->destroy.notify = on_client_destroy;
	wl_client_add_destroy_listener(client, &sandboxed->destroy);
}

static int on_listening(int fd, uint32_t mask, void *data) {
	(void)fd;
	struct context *context = data;
	if (mask & (WL_EVENT_HANGUP | WL_EVENT_ERROR))
		context_free(context);
	else if (mask & WL_EVENT_READABLE)
		take_client(context);
	return 0;
}

/* Whatever happens there: no more clients. Those that are there stay. */
static int on_closing(int fd, uint32_t mask, void *data) {
	(void)fd;
	(void)mask;
	context_free(data);
	return 0;
}

bool mw_security_context_of(mw_server *server, struct wl_client *client, struct mw_sandbox *out) {
	(void)server;
	struct wl_listener *listener = wl_client_get_destroy_listener(client, on_client_destroy);
	if (listener == NULL)
		return false;
	struct sandboxed *sandboxed = wl_container_of(listener, sandboxed, destroy);
	const struct metadata *metadata = sandboxed->metadata;
	out->engine = metadata->engine != NULL ? metadata->engine : "";
	out->app_id = metadata->app_id != NULL ? metadata->app_id : "";
	return true;
}

/* ---- requests ---- */

static void destroy_resource(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

/* The context if it is still to be described, else NULL and an error. */
static struct context *open_context(struct wl_resource *resource) {
	struct context *context = wl_resource_get_user_data(resource);
	if (context != NULL && context->listening == NULL)
		return context;
	wl_resource_post_error(resource, WP_SECURITY_CONTEXT_V1_ERROR_ALREADY_USED, "the context has been committed");
	return NULL;
}

static void set(struct wl_resource *resource, char **field, const char *value) {
	if (*field != NULL) {
		wl_resource_post_error(resource, WP_SECURITY_CONTEXT_V1_ERROR_ALREADY_SET, "this has been said before");
		return;
	}
	*field = strdup(value);
	if (*field == NULL)
		wl_resource_post_no_memory(resource);
}

static void set_sandbox_engine(struct wl_client *client, struct wl_resource *resource, const char *name) {
	(void)client;
	struct context *context = open_context(resource);
	if (context != NULL)
		set(resource, &context->metadata->engine, name);
}

static void set_app_id(struct wl_client *client, struct wl_resource *resource, const char *app_id) {
	(void)client;
	struct context *context = open_context(resource);
	if (context != NULL)
		set(resource, &context->metadata->app_id, app_id);
}

static void set_instance_id(struct wl_client *client, struct wl_resource *resource, const char *instance_id) {
	(void)client;
	struct context *context = open_context(resource);
	if (context != NULL)
		set(resource, &context->metadata->instance_id, instance_id);
}

static void commit(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	struct context *context = open_context(resource);
	if (context == NULL)
		return;
	struct wl_event_loop *loop = context->server->loop;
	context->listening = wl_event_loop_add_fd(loop, owned_fd_number(context->listening_socket), WL_EVENT_READABLE, on_listening, context);
	context->closing = wl_event_loop_add_fd(loop, owned_fd_number(context->end), 0, on_closing, context);
	if (context->listening == NULL || context->closing == NULL) {
		/* A close fd that no loop can watch would never end. */
		wl_resource_post_no_memory(resource);
		context_free(context);
	}
}

static const struct wp_security_context_v1_interface context_implementation = {
	.destroy = destroy_resource,
	.set_sandbox_engine = set_sandbox_engine,
	.set_app_id = set_app_id,
	.set_instance_id = set_instance_id,
	.commit = commit,
};

static void on_context_resource_destroy(struct wl_resource *resource) {
	struct context *context = wl_resource_get_user_data(resource);
	if (context == NULL)
		return;
	context->resource = NULL;
	if (context->listening == NULL)
		context_free(context);
}

static bool is_listening(int fd) {
	int value = 0;
	socklen_t size = sizeof(value);
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) != 0 || value == 0)
		return false;
	size = sizeof(value);
	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &value, &size) == 0 && value == AF_UNIX;
}

/*
 * A context stays when its engine's connection goes: its close descriptor says when it ends. But some never say it, an eventfd
 * or a FIFO that is open both ways, and an engine that ends without a word would leave its descriptors with the shell for ever.
 */
static bool has_room(struct mw_security_contexts *contexts, struct wl_client *client, pid_t process) {
	int all = 0, own = 0;
	struct context *context, *oldest = NULL;
	wl_list_for_each(context, &contexts->contexts, link) {
		all++;
		own += context->process == process;
		if (context->process != 0 && kill(context->process, 0) != 0 && errno == ESRCH)
			oldest = context;
	}
	if (own >= MW_LIMIT_CONTEXTS) {
		mw_limits_refuse(client, "security contexts of one process", MW_LIMIT_CONTEXTS);
		return false;
	}
	if (all < MW_CONTEXTS)
		return true;
	if (oldest == NULL) {
		wl_client_post_implementation_error(client, "there are %d security contexts already", all);
		return false;
	}
	context_free(oldest);
	return true;
}

static void create_listener(struct wl_client *client, struct wl_resource *manager, uint32_t id, int32_t listen_fd, int32_t close_fd) {
	struct mw_security_contexts *contexts = wl_resource_get_user_data(manager);
	struct mw_sandbox sandbox;
	struct context *context = NULL;
	struct wl_resource *resource = NULL;
	pid_t process = 0;
	wl_client_get_credentials(client, &process, NULL, NULL);
	if (mw_security_context_of(contexts->server, client, &sandbox)) {
		wl_resource_post_error(manager, WP_SECURITY_CONTEXT_MANAGER_V1_ERROR_NESTED, "asked from within a context");
		goto failed;
	}
	if (!is_listening(listen_fd)) {
		wl_resource_post_error(manager, WP_SECURITY_CONTEXT_MANAGER_V1_ERROR_INVALID_LISTEN_FD, "not a listening stream socket");
		goto failed;
	}
	if (!has_room(contexts, client, process))
		goto failed;
	context = calloc(1, sizeof(*context));
	if (context != NULL)
		context->metadata = calloc(1, sizeof(*context->metadata));
	resource = wl_resource_create(client, &wp_security_context_v1_interface, wl_resource_get_version(manager), id);
	if (context == NULL || context->metadata == NULL || resource == NULL) {
		wl_client_post_no_memory(client);
		if (resource != NULL)
			wl_resource_destroy(resource);
		goto failed;
	}
	/* Somebody else may have taken the connection when we come to it. */
	fcntl(listen_fd, F_SETFL, fcntl(listen_fd, F_GETFL) | O_NONBLOCK);
	context->metadata->references = 1;
	context->server = contexts->server;
	context->resource = resource;
	context->process = process;
	context->listening_socket = owned_fd_take(listen_fd, "socket of a sandbox");
	context->end = owned_fd_take(close_fd, "end of a sandbox");
	wl_list_insert(&contexts->contexts, &context->link);
	wl_resource_set_implementation(resource, &context_implementation, context, on_context_resource_destroy);
	return;
failed:
	if (context != NULL)
		free(context->metadata);
	free(context);
	close(listen_fd);
	close(close_fd);
}

static const struct wp_security_context_manager_v1_interface manager_implementation = {
	.destroy = destroy_resource,
	.create_listener = create_listener,
};

static void on_bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &wp_security_context_manager_v1_interface, (int)version, id);
	if (resource == NULL)
		wl_client_post_no_memory(client);
	else
		wl_resource_set_implementation(resource, &manager_implementation, data, NULL);
}

bool mw_security_context_init(mw_server *server) {
	struct mw_security_contexts *contexts = server->security_contexts = calloc(1, sizeof(*contexts));
	if (contexts == NULL)
		return false;
	contexts->server = server;
	wl_list_init(&contexts->contexts);
	contexts->global = wl_global_create(server->display, &wp_security_context_manager_v1_interface, 1, contexts, on_bind);
	return contexts->global != NULL;
}

void mw_security_context_finish(mw_server *server) {
	struct mw_security_contexts *contexts = server->security_contexts;
	if (contexts == NULL)
		return;
	struct context *context, *next;
	wl_list_for_each_safe(context, next, &contexts->contexts, link)
		context_free(context);
	if (contexts->global != NULL)
		wl_global_destroy(contexts->global);
	server->security_contexts = NULL;
	free(contexts);
}
