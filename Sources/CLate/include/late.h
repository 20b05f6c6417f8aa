/*
 * Libraries that are loaded when they are first used, not when the program starts: a client that waits for the shell is
 * answered before anything is painted, and what only painting needs is a third of the dynamic loader's work until then.
 *
 * Each function of a library that is used is defined here under its own name, loads the library and goes on to the
 * function there. Who calls it knows nothing of that, and the header of the library checks what is written here. To use
 * another function, add its line: the linker says which are missing. A library that is not there ends the program and is
 * named, as the dynamic loader would do it.
 */
#ifndef MULLION_LATE_H
#define MULLION_LATE_H

#include <stddef.h>

struct late_library {
	const char *name;
	void *handle;
};
/* Of one thread, or of several that may both find the same. */
void *late_find(struct late_library *library, const char *function);

#define LIBRARY(NAME) static struct late_library library = { .name = NAME };

/* Result, name, types of the arguments. */
#define F0(R, NAME) \
	R NAME(void) { \
		static R (*next)(void); \
		if (next == NULL) \
			next = (R (*)(void))late_find(&library, #NAME); \
		return next(); \
	}
#define F1(R, NAME, A) \
	R NAME(A a) { \
		static R (*next)(A); \
		if (next == NULL) \
			next = (R (*)(A))late_find(&library, #NAME); \
		return next(a); \
	}
#define F2(R, NAME, A, B) \
	R NAME(A a, B b) { \
		static R (*next)(A, B); \
		if (next == NULL) \
			next = (R (*)(A, B))late_find(&library, #NAME); \
		return next(a, b); \
	}
#define F3(R, NAME, A, B, C) \
	R NAME(A a, B b, C c) { \
		static R (*next)(A, B, C); \
		if (next == NULL) \
			next = (R (*)(A, B, C))late_find(&library, #NAME); \
		return next(a, b, c); \
	}
#define F4(R, NAME, A, B, C, D) \
	R NAME(A a, B b, C c, D d) { \
		static R (*next)(A, B, C, D); \
		if (next == NULL) \
			next = (R (*)(A, B, C, D))late_find(&library, #NAME); \
		return next(a, b, c, d); \
	}
#define F5(R, NAME, A, B, C, D, E) \
	R NAME(A a, B b, C c, D d, E e) { \
		static R (*next)(A, B, C, D, E); \
		if (next == NULL) \
			next = (R (*)(A, B, C, D, E))late_find(&library, #NAME); \
		return next(a, b, c, d, e); \
	}
#define F6(R, NAME, A, B, C, D, E, F) \
	R NAME(A a, B b, C c, D d, E e, F f) { \
		static R (*next)(A, B, C, D, E, F); \
		if (next == NULL) \
			next = (R (*)(A, B, C, D, E, F))late_find(&library, #NAME); \
		return next(a, b, c, d, e, f); \
	}
#define F7(R, NAME, A, B, C, D, E, F, G) \
	R NAME(A a, B b, C c, D d, E e, F f, G g) { \
		static R (*next)(A, B, C, D, E, F, G); \
		if (next == NULL) \
			next = (R (*)(A, B, C, D, E, F, G))late_find(&library, #NAME); \
		return next(a, b, c, d, e, f, g); \
	}
#define F8(R, NAME, A, B, C, D, E, F, G, H) \
	R NAME(A a, B b, C c, D d, E e, F f, G g, H h) { \
		static R (*next)(A, B, C, D, E, F, G, H); \
		if (next == NULL) \
			next = (R (*)(A, B, C, D, E, F, G, H))late_find(&library, #NAME); \
		return next(a, b, c, d, e, f, g, h); \
	}
#define F9(R, NAME, A, B, C, D, E, F, G, H, I) \
	R NAME(A a, B b, C c, D d, E e, F f, G g, H h, I i) { \
		static R (*next)(A, B, C, D, E, F, G, H, I); \
		if (next == NULL) \
			next = (R (*)(A, B, C, D, E, F, G, H, I))late_find(&library, #NAME); \
		return next(a, b, c, d, e, f, g, h, i); \
	}

#endif
