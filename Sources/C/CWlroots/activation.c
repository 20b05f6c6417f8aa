/* xdg-activation (who may ask for attention) and xdg-decoration (nobody draws title bars). */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECENT (INT64_C(10) * 1000 * 1000 * 1000)

/* What is known of a token besides what wlroots keeps: when it was made, and for which launch. */
struct token {
	struct wl_list link;
	struct wlr_xdg_activation_token_v1 *wlr;
	struct wl_listener destroy;
	int64_t made;
	uint32_t launch;
};

static void token_free(struct token *token) {
	token->wlr->data = NULL;
	wl_list_remove(&token->link);
	mw_unlisten(&token->destroy);
	free(token);
}

static void on_token_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct token *token = wl_container_of(listener, token, destroy);
	token_free(token);
}

/* NULL if nothing is known of it yet. There may be thousands, and each activation asks. */
static struct token *token_of(struct wlr_xdg_activation_token_v1 *wlr) {
	return wlr->data;
}

static struct token *token_note(mw_shell *shell, struct wlr_xdg_activation_token_v1 *wlr) {
	struct token *token = token_of(wlr);
	if (token != NULL)
		return token;
	token = calloc(1, sizeof(*token));
	if (token == NULL)
		return NULL;
	token->wlr = wlr;
	wlr->data = token;
	token->made = mw_now();
	mw_listen(&wlr->events.destroy, &token->destroy, on_token_destroy);
	wl_list_insert(&shell->tokens, &token->link);
	return token;
}

/* 0.15 does not say when a client made a token; the next moment at which it is looked for is near enough. */
void mw_activation_note_tokens(mw_server *server) {
	mw_shell *shell = server->shell;
	if (shell == NULL || shell->activation == NULL)
		return;
	struct wlr_xdg_activation_token_v1 *wlr;
	wl_list_for_each(wlr, &shell->activation->tokens, link) {
		if (token_of(wlr) != NULL)
			return;   /* the newest are the first */
		token_note(shell, wlr);
	}
}

static int note_after(void *data) {
	mw_shell *shell = data;
	mw_activation_note_tokens(shell->server);
	return 0;
}

/* A client has begun to make a token; it is done soon after. */
void mw_activation_note_soon(mw_shell *shell) {
	if (shell->note_timer == NULL)
		shell->note_timer = wl_event_loop_add_timer(shell->server->loop, note_after, shell);
	if (shell->note_timer != NULL)
		wl_event_source_timer_update(shell->note_timer, 100);
}

bool mw_activation_token(mw_server *server, uint32_t launch, char *text, size_t size) {
	mw_shell *shell = server->shell;
	struct wlr_xdg_activation_token_v1 *wlr = wlr_xdg_activation_token_v1_create(shell->activation);
	if (wlr == NULL)
		return false;
	struct token *token = token_note(shell, wlr);
	if (token == NULL)
		return false;
	token->launch = launch;
	const char *name = wlr_xdg_activation_token_v1_get_name(wlr);
	return snprintf(text, size, "%s", name) < (int)size;
}

#if WLR18
static void on_new_token(struct wl_listener *listener, void *data) {
	mw_shell *shell = wl_container_of(listener, shell, new_token);
	token_note(shell, data);
}
#endif

/* A token that was presented for a surface before its first commit made a window of it, as some toolkits do. */
struct early {
	struct wl_list link;
	struct wlr_surface *surface;
	struct wl_listener destroy;
	uint32_t launch;
	bool recent;
};

static void early_free(struct early *early) {
	wl_list_remove(&early->link);
	mw_unlisten(&early->destroy);
	free(early);
}

static void on_early_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct early *early = wl_container_of(listener, early, destroy);
	early_free(early);
}

static struct early *early_of(mw_shell *shell, struct wlr_surface *surface) {
	struct early *early;
	wl_list_for_each(early, &shell->early, link) {
		if (early->surface == surface)
			return early;
	}
	return NULL;
}

static void early_note(mw_shell *shell, struct wlr_surface *surface, bool recent, uint32_t launch) {
	struct early *early = early_of(shell, surface);
	if (early == NULL) {
		early = calloc(1, sizeof(*early));
		if (early == NULL)
			return;
		early->surface = surface;
		mw_listen(&surface->events.destroy, &early->destroy, on_early_destroy);
		wl_list_insert(&shell->early, &early->link);
	}
	early->recent = early->recent || recent;
	early->launch = launch != 0 ? launch : early->launch;
}

void mw_activation_created(mw_window *window) {
	mw_shell *shell = window->server->shell;
	struct early *early = early_of(shell, window->surface);
	if (early == NULL)
		return;
	bool recent = early->recent;
	uint32_t launch = early->launch;
	early_free(early);
	window->server->on.window_activation(window->server->on.user, window, recent, launch);
}

static void on_request_activate(struct wl_listener *listener, void *data) {
	mw_shell *shell = wl_container_of(listener, shell, request_activate);
	struct wlr_xdg_activation_v1_request_activate_event *event = data;
	mw_server *server = shell->server;
	struct token *token = token_of(event->token);
	int64_t made = token != NULL ? token->made : mw_now();
	uint32_t launch = token != NULL ? token->launch : 0;
	/* wlroots has checked at the token's commit that the serial was given to that client and its surface focused;
	 * what it does not check is that the serial came with a press and not with a mere focus change, and when. */
	bool recent = event->token->seat != NULL && mw_seat_serial_recent(server, event->token->serial, made - RECENT);
	mw_window *window = mw_window_of_surface(server, event->surface);
	if (window == NULL || !window->created)
		early_note(shell, event->surface, recent, launch);
	else
		server->on.window_activation(server->on.user, window, recent, launch);
}

/* ---- decoration ---- */

struct decoration {
	struct wl_list link;
	struct wlr_xdg_toplevel_decoration_v1 *wlr;
	struct wlr_surface *surface;
	struct wl_listener destroy, request_mode, commit;
};

static void decoration_free(struct decoration *decoration) {
	mw_unlisten(&decoration->destroy);
	mw_unlisten(&decoration->request_mode);
	mw_unlisten(&decoration->commit);
	wl_list_remove(&decoration->link);
	free(decoration);
}

/* "Server side" means that the client draws no title bar; the shell draws none either. */
static void decide(struct decoration *decoration) {
#if WLR18
	if (!decoration->wlr->toplevel->base->initialized)
		return;   /* decided at the initial commit */
#endif
	wlr_xdg_toplevel_decoration_v1_set_mode(decoration->wlr, WLR_XDG_TOPLEVEL_DECORATION_V1_MODE_SERVER_SIDE);
}

static void on_decoration_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct decoration *decoration = wl_container_of(listener, decoration, destroy);
	decoration_free(decoration);
}

static void on_request_mode(struct wl_listener *listener, void *data) {
	(void)data;
	struct decoration *decoration = wl_container_of(listener, decoration, request_mode);
	decide(decoration);
}

#if WLR18
static void on_decoration_commit(struct wl_listener *listener, void *data) {
	(void)data;
	struct decoration *decoration = wl_container_of(listener, decoration, commit);
	if (decoration->wlr->toplevel->base->initial_commit)
		decide(decoration);
}
#endif

static void on_new_decoration(struct wl_listener *listener, void *data) {
	mw_shell *shell = wl_container_of(listener, shell, new_decoration);
	struct wlr_xdg_toplevel_decoration_v1 *wlr = data;
	struct decoration *decoration = calloc(1, sizeof(*decoration));
	if (decoration == NULL)
		return;
	decoration->wlr = wlr;
	wl_list_insert(&shell->decorations, &decoration->link);
	mw_listen(&wlr->events.destroy, &decoration->destroy, on_decoration_destroy);
	mw_listen(&wlr->events.request_mode, &decoration->request_mode, on_request_mode);
#if WLR18
	mw_listen(&wlr->toplevel->base->surface->events.commit, &decoration->commit, on_decoration_commit);
#endif
	decide(decoration);
}

/* ---- lifetime ---- */

void mw_activation_init(mw_shell *shell) {
	struct wl_display *display = shell->server->display;
	shell->activation = wlr_xdg_activation_v1_create(display);
	if (shell->activation != NULL) {
		mw_listen(&shell->activation->events.request_activate, &shell->request_activate, on_request_activate);
#if WLR18
		mw_listen(&shell->activation->events.new_token, &shell->new_token, on_new_token);
#endif
	}
	shell->decoration = wlr_xdg_decoration_manager_v1_create(display);
	if (shell->decoration != NULL)
		mw_listen(&shell->decoration->events.new_toplevel_decoration, &shell->new_decoration, on_new_decoration);
}

void mw_activation_finish(mw_shell *shell) {
	if (shell->note_timer != NULL)
		wl_event_source_remove(shell->note_timer);
	mw_unlisten(&shell->request_activate);
	mw_unlisten(&shell->new_token);
	mw_unlisten(&shell->new_decoration);
	struct token *token, *next_token;
	wl_list_for_each_safe(token, next_token, &shell->tokens, link)
		token_free(token);
	struct early *early, *next_early;
	wl_list_for_each_safe(early, next_early, &shell->early, link)
		early_free(early);
	struct decoration *decoration, *next;
	wl_list_for_each_safe(decoration, next, &shell->decorations, link)
		decoration_free(decoration);
}
