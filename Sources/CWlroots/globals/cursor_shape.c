/* cursor-shape-v1: cursors by name. One implementation for both versions of wlroots: theirs lacks version 2. */
#include "globals.h"
#include "seat.h"

#include "cursor-shape-v1-protocol.h"

#include <stdlib.h>
#include <string.h>

/* Themes know the names of CSS or those of X11, most know both. */
static const struct { const char *name, *x11; } shapes[] = {
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_DEFAULT] = { "default", "left_ptr" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_CONTEXT_MENU] = { "context-menu", "left_ptr" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_HELP] = { "help", "question_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_POINTER] = { "pointer", "hand1" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_PROGRESS] = { "progress", "left_ptr_watch" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_WAIT] = { "wait", "watch" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_CELL] = { "cell", "plus" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_CROSSHAIR] = { "crosshair", "cross" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_TEXT] = { "text", "xterm" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_VERTICAL_TEXT] = { "vertical-text", "xterm" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ALIAS] = { "alias", "dnd-link" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_COPY] = { "copy", "dnd-copy" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_MOVE] = { "move", "dnd-move" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NO_DROP] = { "no-drop", "dnd-none" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NOT_ALLOWED] = { "not-allowed", "crossed_circle" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_GRAB] = { "grab", "hand1" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_GRABBING] = { "grabbing", "fleur" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_E_RESIZE] = { "e-resize", "right_side" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_N_RESIZE] = { "n-resize", "top_side" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NE_RESIZE] = { "ne-resize", "top_right_corner" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NW_RESIZE] = { "nw-resize", "top_left_corner" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_S_RESIZE] = { "s-resize", "bottom_side" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_SE_RESIZE] = { "se-resize", "bottom_right_corner" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_SW_RESIZE] = { "sw-resize", "bottom_left_corner" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_W_RESIZE] = { "w-resize", "left_side" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_EW_RESIZE] = { "ew-resize", "sb_h_double_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NS_RESIZE] = { "ns-resize", "sb_v_double_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NESW_RESIZE] = { "nesw-resize", "fd_double_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_NWSE_RESIZE] = { "nwse-resize", "bd_double_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_COL_RESIZE] = { "col-resize", "sb_h_double_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ROW_RESIZE] = { "row-resize", "sb_v_double_arrow" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ALL_SCROLL] = { "all-scroll", "fleur" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ZOOM_IN] = { "zoom-in", "left_ptr" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ZOOM_OUT] = { "zoom-out", "left_ptr" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_DND_ASK] = { "dnd-ask", "left_ptr" },
	[WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ALL_RESIZE] = { "all-resize", "fleur" },
};

const char *mw_cursor_x11_name(const char *name) {
	for (size_t i = 1; i < MW_COUNT(shapes); i++)
		if (strcmp(shapes[i].name, name) == 0)
			return shapes[i].x11;
	return "left_ptr";
}

/* What a device speaks for: one of the two is set. */
struct shape_device {
	mw_server *server;
	struct wl_resource *pointer;         /* NULL once it is gone */
	struct wl_resource *tool;
	struct wl_listener gone;
};

static void on_gone(struct wl_listener *listener, void *data) {
	(void)data;
	struct shape_device *device = wl_container_of(listener, device, gone);
	mw_unlisten(&device->gone);
	device->pointer = device->tool = NULL;
}

static void handle_destroy(struct wl_client *client, struct wl_resource *resource) {
	(void)client;
	wl_resource_destroy(resource);
}

static void handle_set_shape(struct wl_client *client, struct wl_resource *resource, uint32_t serial, uint32_t shape) {
	(void)client;
	struct shape_device *device = wl_resource_get_user_data(resource);
	uint32_t last = wl_resource_get_version(resource) >= 2
		? WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ALL_RESIZE : WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_ZOOM_OUT;
	if (shape < WP_CURSOR_SHAPE_DEVICE_V1_SHAPE_DEFAULT || shape > last) {
		wl_resource_post_error(resource, WP_CURSOR_SHAPE_DEVICE_V1_ERROR_INVALID_SHAPE, "%u is no shape", shape);
		return;
	}
	if (device->server->seat == NULL)
		return;
	if (device->pointer != NULL)
		mw_cursor_set_shape(device->server->seat, device->pointer, serial, shapes[shape].name);
	else if (device->tool != NULL)
		mw_pen_set_shape(device->server->seat, device->tool, serial, shapes[shape].name);
}

static const struct wp_cursor_shape_device_v1_interface device_impl = {
	.destroy = handle_destroy,
	.set_shape = handle_set_shape,
};

static void on_device_destroy(struct wl_resource *resource) {
	struct shape_device *device = wl_resource_get_user_data(resource);
	mw_unlisten(&device->gone);
	free(device);
}

static void add(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *pointer,
		struct wl_resource *tool) {
	struct shape_device *device = calloc(1, sizeof(*device));
	struct wl_resource *resource = device != NULL
		? wl_resource_create(client, &wp_cursor_shape_device_v1_interface, wl_resource_get_version(manager), id) : NULL;
	if (resource == NULL) {
		free(device);
		wl_client_post_no_memory(client);
		return;
	}
	device->server = wl_resource_get_user_data(manager);
	device->pointer = pointer;
	device->tool = tool;
	device->gone.notify = on_gone;
	wl_resource_add_destroy_listener(pointer != NULL ? pointer : tool, &device->gone);
	wl_resource_set_implementation(resource, &device_impl, device, on_device_destroy);
}

static void handle_get_pointer(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *pointer) {
	add(client, manager, id, pointer, NULL);
}

static void handle_get_tool(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *tool) {
	add(client, manager, id, NULL, tool);
}

static const struct wp_cursor_shape_manager_v1_interface manager_impl = {
	.destroy = handle_destroy,
	.get_pointer = handle_get_pointer,
	.get_tablet_tool_v2 = handle_get_tool,
};

static void bind(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
	struct wl_resource *resource = wl_resource_create(client, &wp_cursor_shape_manager_v1_interface, (int)version, id);
	if (resource == NULL) {
		wl_client_post_no_memory(client);
		return;
	}
	wl_resource_set_implementation(resource, &manager_impl, data, NULL);
}

bool mw_cursor_shape_init(mw_server *server) {
	return wl_global_create(server->display, &wp_cursor_shape_manager_v1_interface, 2, server, bind) != NULL;
}
