/* C, because WLCS looks up a constant struct by its symbol name. */
/* The symbol that WLCS looks up in the module. */
#include "cwlcs.h"

#include <dlfcn.h>

const struct cw_integration wlcs_server_integration = {
	.version = 1,
	.create = mullion_wlcs_create,
	.destroy = mullion_wlcs_destroy,
};

static const struct cw_extension extensions[] = {
	{"wl_compositor", 4},
	{"wl_subcompositor", 1},
	{"wl_shm", 1},
	{"wl_data_device_manager", 3},
	{"wl_seat", 7},
	{"wl_output", 4},
	{"xdg_wm_base", 2},
	{"zxdg_output_manager_v1", 3},
	{"zwlr_layer_shell_v1", 4},
	{"zwlr_foreign_toplevel_manager_v1", 3},
	{"zwp_pointer_constraints_v1", 1},
	{"zwp_relative_pointer_manager_v1", 1},
	{"zwp_primary_selection_device_manager_v1", 1},
	{"zwp_text_input_manager_v3", 1},
	{"zwp_input_method_manager_v2", 1},
	{"zwlr_virtual_pointer_manager_v1", 2},
};

static const struct cw_descriptor descriptor = {
	.version = 1,
	.count = sizeof(extensions) / sizeof(extensions[0]),
	.extensions = extensions,
};

const struct cw_descriptor *cw_describe(void) { return &descriptor; }

void cw_stay(void) {
	Dl_info module;
	if (dladdr(&wlcs_server_integration, &module) != 0)
		dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
