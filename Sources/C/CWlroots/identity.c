/* C until windows move to Swift: it identifies windows at each commit. */
/* Identifies client connections by number. */
#include "internal.h"

#include <stdlib.h>

struct client_identity {
	struct wl_listener destroy;
	uint64_t value;
};

static void identity_destroy(struct wl_listener *listener, void *data) {
	(void)data;
	struct client_identity *identity = wl_container_of(listener, identity, destroy);
	wl_list_remove(&identity->destroy.link);
	free(identity);
}

uint64_t mw_client_identity(struct wl_client *client) {
	static uint64_t last = MW_X11_IDENTITY;
	if (client == NULL)
		return 0;
	struct wl_listener *listener = wl_client_get_destroy_listener(client, identity_destroy);
	if (listener != NULL) {
		struct client_identity *known = wl_container_of(listener, known, destroy);
		return known->value;
	}
	struct client_identity *identity = calloc(1, sizeof(*identity));
	if (identity == NULL)
		return 0;
	identity->value = ++last;
	identity->destroy.notify = identity_destroy;
	wl_client_add_destroy_listener(client, &identity->destroy);
	return identity->value;
}

bool mw_client_is_ending(struct wl_client *client) { return wl_client_get_destroy_listener(client, identity_destroy) == NULL; }
