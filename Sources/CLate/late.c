#include "late.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *must(void *found) {
	if (found == NULL) {
		fprintf(stderr, "mullion: %s\n", dlerror());
		exit(127);
	}
	return found;
}

void *late_find(struct late_library *library, const char *function) {
	if (library->handle == NULL)
		library->handle = must(dlopen(library->name, RTLD_LAZY | RTLD_LOCAL));
	return must(dlsym(library->handle, function));
}
