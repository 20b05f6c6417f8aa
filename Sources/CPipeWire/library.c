#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

struct cpw_library cpw_lib;

static void load_once(void) {
	cpw_lib.handle = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
	if (cpw_lib.handle == NULL) {
		cpw_lib.missing = "libpipewire-0.3.so.0 is not installed";
		return;
	}
#define FIND(member, name) \
	if ((cpw_lib.member = (__typeof__(cpw_lib.member))dlsym(cpw_lib.handle, #name)) == NULL) \
		cpw_lib.missing = "libpipewire-0.3.so.0 lacks " #name
	FIND(init, pw_init);
	FIND(version, pw_get_library_version);
	FIND(log_level, pw_log_set_level);
	FIND(loop_new, pw_loop_new);
	FIND(loop_destroy, pw_loop_destroy);
	FIND(context_new, pw_context_new);
	FIND(context_destroy, pw_context_destroy);
	FIND(load_module, pw_context_load_module);
	FIND(connect_fd, pw_context_connect_fd);
	FIND(disconnect, pw_core_disconnect);
	FIND(properties, pw_properties_new_dict);
	FIND(proxy_listen, pw_proxy_add_listener);
	FIND(object_listen, pw_proxy_add_object_listener);
	FIND(proxy_destroy, pw_proxy_destroy);
#undef FIND
	if (cpw_lib.missing != NULL)
		return;
	cpw_lib.init(NULL, NULL);
	/* It would warn that no file of configuration names modules. */
	if (getenv("PIPEWIRE_DEBUG") == NULL)
		cpw_lib.log_level(SPA_LOG_LEVEL_ERROR);
}

const char *cpw_missing(void) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load_once);
	return cpw_lib.missing;
}

const char *cpw_version(void) { return cpw_lib.version != NULL ? cpw_lib.version() : ""; }
