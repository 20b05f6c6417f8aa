/*
 * session-management: apps give their windows names by which they find them again. One state, two dialects: xdg_session
 * as it was adopted, and xx_session, the draft that toolkits still speak.
 *
 * Names live as long as the shell does, and are not yet tied to where a window was.
 */
#include "internal.h"

#include "xdg-session-management-v1-protocol.h"
#include "xx-session-management-v1-protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* What nobody uses is forgotten, oldest first, past these. */
#define MAX_SESSIONS 256
#define MAX_NAMES 256
#define LONGEST_NAME 256

struct dialect {
	const struct wl_interface *manager, *session, *toplevel;
	const void *manager_implementation, *session_implementation, *toplevel_implementation;
	uint32_t name_in_use, already_mapped;
	uint32_t invalid_session_id, invalid_reason, invalid_name;   /* 0: the dialect knows no such error */
	bool names_stay;                     /* a known name cannot be added anew */
	bool names_toplevel;                 /* in the event that it is restored */
};

struct mw_remembered {
	mw_server *server;
	struct wl_global *globals[2];
	struct wl_list sessions;             /* last used first */
	uint64_t last;
};

struct session {
	struct wl_list link;
	char id[33];
	struct wl_list names;                /* last used first */
	struct use *use;                     /* NULL: nobody has it open */
};

struct name {
	struct wl_list link;
	char *text;
	struct member *member;               /* NULL: no window has it now */
};

/* A client's session object. */
struct use {
	const struct dialect *dialect;
	struct mw_remembered *remembered;
	struct wl_resource *resource;
	struct session *session;             /* NULL: inert */
	struct wl_list members;
};

/* A client's object of a window in a session. */
struct member {
	struct wl_list link;                 /* use.members; alone once inert */
	const struct dialect *dialect;
	struct wl_resource *resource;
	struct wl_resource *toplevel_resource;
	struct use *use;                     /* NULL: inert */
	struct name *name;
	struct wl_listener commit;           /* it is restored, and is told so at its first commit */
	struct wl_listener toplevel_destroy;
};

/* ---- names ---- */

static void member_detach(struct member *member) {
	mw_unlisten(&member->commit);
	mw_unlisten(&member->toplevel_destroy);
	if (member->name != NULL)
		member->name->member = NULL;
	member->name = NULL;
	member->use = NULL;
	wl_list_remove(&member->link);
	wl_list_init(&member->link);
}

static void name_free(struct name *name) {
	if (name->member != NULL)
		member_detach(name->member);
	wl_list_remove(&name->link);
	free(name->text);
	free(name);
}

static struct name *name_of(struct session *session, const char *text) {
	struct name *name;
	wl_list_for_each(name, &session->names, link) {
		if (strcmp(name->text, text) == 0)
			return name;
	}
	return NULL;
}

static struct name *name_new(struct session *session, const char *text) {
	if (wl_list_length(&session->names) >= MAX_NAMES) {
		struct name *old, *next;
		wl_list_for_each_reverse_safe(old, next, &session->names, link) {
			if (old->member == NULL) {
				name_free(old);
				break;
			}
		}
	}
	struct name *name = calloc(1, sizeof(*name));
	if (name != NULL)
		name->text = strdup(text);
	if (name == NULL || name->text == NULL) {
		free(name);
		return NULL;
	}
	wl_list_insert(&session->names, &name->link);
	return name;
}

/* ---- sessions ---- */

static void use_detach(struct use *use) {
	struct member *member, *next;
	wl_list_for_each_safe(member, next, &use->members, link)
		member_detach(member);
	if (use->session != NULL)
		use->session->use = NULL;
	use->session = NULL;
}

static void session_free(struct session *session) {
	if (session->use != NULL)
		use_detach(session->use);
	struct name *name, *next;
	wl_list_for_each_safe(name, next, &session->names, link)
		name_free(name);
	wl_list_remove(&session->link);
	free(session);
}

static struct session *session_of(struct mw_remembered *remembered, const char *id) {
	struct session *session;
	wl_list_for_each(session, &remembered->sessions, link) {
		if (strcmp(session->id, id) == 0)
			return session;
	}
	return NULL;
}

static struct session *session_new(struct mw_remembered *remembered) {
	if (wl_list_length(&remembered->sessions) >= MAX_SESSIONS) {
		struct session *old, *next;
		wl_list_for_each_reverse_safe(old, next, &remembered->sessions, link) {
			if (old->use == NULL) {
				session_free(old);
				break;
			}
		}
	}
	struct session *session = calloc(1, sizeof(*session));
	if (session == NULL)
		return NULL;
	/* Whoever knows it may take the session over: it must not be guessed. */
	uint64_t key[2];
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key)) {
		key[0] = (uint64_t)mw_now();
		key[1] = ++remembered->last;
	}
	snprintf(session->id, sizeof(session->id), "%016" PRIx64 "%016" PRIx64, key[0], key[1]);
	wl_list_init(&session->names);
	wl_list_insert(&remembered->sessions, &session->link);
	return session;
}

/* ---- windows of a session ---- */

static bool is_utf8(const char *text) {
	for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
		int more = *c < 0x80 ? 0 : *c >= 0xc2 && *c < 0xe0 ? 1 : *c >= 0xe0 && *c < 0xf0 ? 2 : *c >= 0xf0 && *c < 0xf5 ? 3 : -1;
		if (more < 0)
			return false;
		unsigned char first = *c;
		for (int i = 0; i < more; i++) {
			c++;
			unsigned char low = i == 0 && first == 0xe0 ? 0xa0 : i == 0 && first == 0xf0 ? 0x90 : 0x80;
			unsigned char high = i == 0 && first == 0xed ? 0x9f : i == 0 && first == 0xf4 ? 0x8f : 0xbf;
			if (*c < low || *c > high)
				return false;
		}
	}
	return true;
}

static void destroy_resource(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static void on_member_resource_destroy(struct wl_resource *resource) {
	struct member *member = wl_resource_get_user_data(resource);
	member_detach(member);
	free(member);
}

static void on_toplevel_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct member *member = wl_container_of(listener, member, toplevel_destroy);
	member_detach(member);
}

static void on_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct member *member = wl_container_of(listener, member, commit);
	mw_unlisten(&member->commit);
	if (member->dialect->names_toplevel)
		wl_resource_post_event(member->resource, XX_TOPLEVEL_SESSION_V1_RESTORED, member->toplevel_resource);
	else
		wl_resource_post_event(member->resource, XDG_TOPLEVEL_SESSION_V1_RESTORED);
}

/* False, and an error, if the text can be no name. */
static bool check_name(struct wl_resource *resource, const struct dialect *dialect, const char *text) {
	if (is_utf8(text) && strlen(text) <= LONGEST_NAME)
		return true;
	if (dialect->invalid_name != 0)
		wl_resource_post_error(resource, dialect->invalid_name, "the name is not UTF-8, or longer than 256 bytes");
	else
		wl_client_post_implementation_error(wl_resource_get_client(resource), "the name is not UTF-8, or longer than 256 bytes");
	return false;
}

static void add(struct wl_client *client, struct wl_resource *resource, uint32_t id, struct wl_resource *toplevel_resource,
		const char *text, bool restores) {
	struct use *use = wl_resource_get_user_data(resource);
	const struct dialect *dialect = use->dialect;
	struct wlr_xdg_toplevel *toplevel = mw_xdg_toplevel_of(toplevel_resource);
	if (!check_name(resource, dialect, text))
		return;
	struct name *name = use->session != NULL ? name_of(use->session, text) : NULL;
	bool taken = name != NULL && (name->member != NULL || (!restores && dialect->names_stay));
	if (taken) {
		wl_resource_post_error(resource, dialect->name_in_use, "the name is in use");
		return;
	}
	if (restores && toplevel != NULL && mw_xdg_has_committed(toplevel)) {
		wl_resource_post_error(resource, dialect->already_mapped, "the window has been committed before");
		return;
	}
	struct member *member = calloc(1, sizeof(*member));
	struct wl_resource *made = wl_resource_create(client, dialect->toplevel, wl_resource_get_version(resource), id);
	if (member == NULL || made == NULL) {
		wl_client_post_no_memory(client);
		free(member);
		if (made != NULL)
			wl_resource_destroy(made);
		return;
	}
	member->dialect = dialect;
	member->resource = made;
	wl_list_init(&member->link);
	wl_resource_set_implementation(made, dialect->toplevel_implementation, member, on_member_resource_destroy);
	bool known = name != NULL;
	if (name == NULL && use->session != NULL)
		name = name_new(use->session, text);
	if (toplevel == NULL || name == NULL)
		return;   /* inert from the start */
	member->use = use;
	member->name = name;
	member->toplevel_resource = toplevel_resource;
	name->member = member;
	wl_list_remove(&name->link);
	wl_list_insert(&use->session->names, &name->link);
	wl_list_insert(&use->members, &member->link);
	mw_listen(mw_xdg_destroy_signal(toplevel), &member->toplevel_destroy, on_toplevel_destroy);
	if (restores && known)
		mw_listen(&toplevel->base->surface->events.commit, &member->commit, on_commit);
}

static void add_toplevel(struct wl_client *client, struct wl_resource *resource, uint32_t id, struct wl_resource *toplevel,
		const char *name) {
	add(client, resource, id, toplevel, name, false);
}

static void restore_toplevel(struct wl_client *client, struct wl_resource *resource, uint32_t id, struct wl_resource *toplevel,
		const char *name) {
	add(client, resource, id, toplevel, name, true);
}

static void remove_toplevel(struct wl_client *client, struct wl_resource *resource, const char *text) {
	(void)client;
	struct use *use = wl_resource_get_user_data(resource);
	struct name *name = use->session != NULL ? name_of(use->session, text) : NULL;
	if (name != NULL)
		name_free(name);
}

static void member_remove(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	struct member *member = wl_resource_get_user_data(resource);
	if (member->name != NULL)
		name_free(member->name);
	wl_resource_destroy(resource);
}

static void member_rename(struct wl_client *client, struct wl_resource *resource, const char *text) {
	(void)client;
	struct member *member = wl_resource_get_user_data(resource);
	if (member->name == NULL || member->use == NULL)
		return;
	struct use *use = member->use;
	if (!check_name(use->resource, member->dialect, text))
		return;
	struct name *other = name_of(use->session, text);
	if (other == member->name)
		return;
	if (other != NULL) {
		wl_resource_post_error(use->resource, member->dialect->name_in_use, "the name is in use");
		return;
	}
	char *copy = strdup(text);
	if (copy == NULL) {
		wl_resource_post_no_memory(resource);
		return;
	}
	free(member->name->text);
	member->name->text = copy;
}

static const struct xdg_toplevel_session_v1_interface xdg_toplevel_implementation = {
	.destroy = destroy_resource,
	.rename = member_rename,
};

static const struct xx_toplevel_session_v1_interface xx_toplevel_implementation = {
	.destroy = destroy_resource,
	.remove = member_remove,
	.rename = member_rename,
};

/* ---- session objects ---- */

static void on_use_resource_destroy(struct wl_resource *resource) {
	struct use *use = wl_resource_get_user_data(resource);
	use_detach(use);
	free(use);
}

static void session_remove(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	struct use *use = wl_resource_get_user_data(resource);
	if (use->session != NULL)
		session_free(use->session);
	wl_resource_destroy(resource);
}

static const struct xdg_session_v1_interface xdg_session_implementation = {
	.destroy = destroy_resource,
	.remove = session_remove,
	.add_toplevel = add_toplevel,
	.restore_toplevel = restore_toplevel,
	.remove_toplevel = remove_toplevel,
};

static const struct xx_session_v1_interface xx_session_implementation = {
	.destroy = destroy_resource,
	.remove = session_remove,
	.add_toplevel = add_toplevel,
	.restore_toplevel = restore_toplevel,
};

/* ---- managers ---- */

static const struct dialect dialects[2];

static void get_session(struct wl_client *client, struct wl_resource *manager, uint32_t id, uint32_t reason, const char *wanted) {
	struct mw_remembered *remembered = wl_resource_get_user_data(manager);
	const struct dialect *dialect = wl_resource_instance_of(manager, &xx_session_manager_v1_interface,
		dialects[1].manager_implementation) ? &dialects[1] : &dialects[0];
	if (dialect->invalid_reason != 0 && (reason < XDG_SESSION_MANAGER_V1_REASON_LAUNCH ||
			reason > XDG_SESSION_MANAGER_V1_REASON_SESSION_RESTORE)) {
		wl_resource_post_error(manager, dialect->invalid_reason, "there is no reason %u", reason);
		return;
	}
	if (wanted != NULL && dialect->invalid_session_id != 0 && !is_utf8(wanted)) {
		wl_resource_post_error(manager, dialect->invalid_session_id, "the session's name is not UTF-8");
		return;
	}
	struct session *session = wanted != NULL ? session_of(remembered, wanted) : NULL;
	struct use *before = session != NULL ? session->use : NULL;
	if (before != NULL && wl_resource_get_client(before->resource) == client) {
		wl_resource_post_error(manager, XDG_SESSION_MANAGER_V1_ERROR_IN_USE, "this client has the session already");
		return;
	}
	struct use *use = calloc(1, sizeof(*use));
	struct wl_resource *resource = wl_resource_create(client, dialect->session, wl_resource_get_version(manager), id);
	bool known = session != NULL;
	if (session == NULL)
		session = session_new(remembered);
	if (use == NULL || resource == NULL || session == NULL) {
		wl_client_post_no_memory(client);
		free(use);
		if (resource != NULL)
			wl_resource_destroy(resource);
		return;
	}
	if (before != NULL) {
		/* Both dialects number their events alike. */
		wl_resource_post_event(before->resource, XDG_SESSION_V1_REPLACED);
		use_detach(before);
	}
	use->dialect = dialect;
	use->remembered = remembered;
	use->resource = resource;
	use->session = session;
	wl_list_init(&use->members);
	session->use = use;
	wl_list_remove(&session->link);
	wl_list_insert(&remembered->sessions, &session->link);
	wl_resource_set_implementation(resource, dialect->session_implementation, use, on_use_resource_destroy);
	if (known)
		wl_resource_post_event(resource, XDG_SESSION_V1_RESTORED);
	else
		wl_resource_post_event(resource, XDG_SESSION_V1_CREATED, session->id);
}

static const struct xdg_session_manager_v1_interface xdg_manager_implementation = {
	.destroy = destroy_resource,
	.get_session = get_session,
};

static const struct xx_session_manager_v1_interface xx_manager_implementation = {
	.destroy = destroy_resource,
	.get_session = get_session,
};

static const struct dialect dialects[2] = {
	{
		.manager = &xdg_session_manager_v1_interface, .session = &xdg_session_v1_interface,
		.toplevel = &xdg_toplevel_session_v1_interface, .manager_implementation = &xdg_manager_implementation,
		.session_implementation = &xdg_session_implementation, .toplevel_implementation = &xdg_toplevel_implementation,
		.name_in_use = XDG_SESSION_V1_ERROR_NAME_IN_USE, .already_mapped = XDG_SESSION_V1_ERROR_ALREADY_MAPPED,
		.invalid_session_id = XDG_SESSION_MANAGER_V1_ERROR_INVALID_SESSION_ID,
		.invalid_reason = XDG_SESSION_MANAGER_V1_ERROR_INVALID_REASON, .invalid_name = XDG_SESSION_V1_ERROR_INVALID_NAME,
		.names_stay = true,
	},
	{
		.manager = &xx_session_manager_v1_interface, .session = &xx_session_v1_interface,
		.toplevel = &xx_toplevel_session_v1_interface, .manager_implementation = &xx_manager_implementation,
		.session_implementation = &xx_session_implementation, .toplevel_implementation = &xx_toplevel_implementation,
		.name_in_use = XX_SESSION_V1_ERROR_NAME_IN_USE, .already_mapped = XX_SESSION_V1_ERROR_ALREADY_MAPPED,
		.names_toplevel = true,
	},
};

static void bind_dialect(struct wl_client *client, void *data, uint32_t version, uint32_t id, const struct dialect *dialect) {
	struct wl_resource *resource = wl_resource_create(client, dialect->manager, (int)version, id);
	if (resource == NULL)
		wl_client_post_no_memory(client);
	else
		wl_resource_set_implementation(resource, dialect->manager_implementation, data, NULL);
}

static void on_bind_xdg(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	bind_dialect(client, data, version, id, &dialects[0]);
}

static void on_bind_xx(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	bind_dialect(client, data, version, id, &dialects[1]);
}

/* ---- lifetime ---- */

bool mw_remembered_init(mw_server *server) {
	struct mw_remembered *remembered = server->remembered = calloc(1, sizeof(*remembered));
	if (remembered == NULL)
		return false;
	remembered->server = server;
	wl_list_init(&remembered->sessions);
	const wl_global_bind_func_t binds[2] = { on_bind_xdg, on_bind_xx };
	for (size_t i = 0; i < MW_COUNT(dialects); i++) {
		const struct wl_interface *interface = dialects[i].manager;
		remembered->globals[i] = wl_global_create(server->display, interface, interface->version, remembered, binds[i]);
		if (remembered->globals[i] == NULL)
			return false;
	}
	return true;
}

void mw_remembered_finish(mw_server *server) {
	struct mw_remembered *remembered = server->remembered;
	if (remembered == NULL)
		return;
	struct session *session, *next;
	wl_list_for_each_safe(session, next, &remembered->sessions, link)
		session_free(session);
	for (size_t i = 0; i < MW_COUNT(remembered->globals); i++) {
		if (remembered->globals[i] != NULL)
			wl_global_destroy(remembered->globals[i]);
	}
	server->remembered = NULL;
	free(remembered);
}
