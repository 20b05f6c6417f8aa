/* C, because OpenGL ES is called through function pointers, in each frame. */
/*
 * Software OpenGL ES.
 *
 * GPU drivers attach a fence to the buffer that is drawn into, and the screen waits for it. Mesa's llvmpipe does
 * not: its threads may still be drawing some 64-pixel tiles when the screen already shows (or copies) the buffer.
 * So wait for them before each commit. With a GPU, nothing waits.
 */
#include "internal.h"

#include <dlfcn.h>
#include <string.h>
#include <wlr/render/egl.h>
#include <wlr/render/gles2.h>

/* Loaded together with wlroots, but not linked, for machines without it. */
struct gl {
	EGLBoolean (*make_current)(EGLDisplay, EGLSurface, EGLSurface, EGLContext);
	EGLContext (*current)(void);
	const GLubyte *(*get_string)(GLenum);
	void (*finish)(void);
	EGLDisplay display;
	EGLContext context;
};

static bool gl_of(struct wlr_renderer *renderer, struct gl *out) {
	struct wlr_egl *egl = wlr_renderer_is_gles2(renderer) ? wlr_gles2_renderer_get_egl(renderer) : NULL;
	if (egl == NULL)
		return false;
	out->make_current = dlsym(RTLD_DEFAULT, "eglMakeCurrent");
	out->current = dlsym(RTLD_DEFAULT, "eglGetCurrentContext");
	out->get_string = dlsym(RTLD_DEFAULT, "glGetString");
	out->finish = dlsym(RTLD_DEFAULT, "glFinish");
#if WLR18
	out->display = wlr_egl_get_display(egl);
	out->context = wlr_egl_get_context(egl);
#else
	out->display = egl->display;
	out->context = egl->context;
#endif
	return out->make_current != NULL && out->current != NULL && out->get_string != NULL && out->finish != NULL;
}

/* Recognized by the names of Mesa's two software renderers. */
bool mw_gl_is_software(struct wlr_renderer *renderer) {
	struct gl gl;
	if (!gl_of(renderer, &gl) || !gl.make_current(gl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl.context))
		return false;
	const char *name = (const char *)gl.get_string(GL_RENDERER);
	bool software = name != NULL && (strstr(name, "llvmpipe") != NULL || strstr(name, "softpipe") != NULL);
	gl.make_current(gl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	return software;
}

void mw_gl_wait(mw_server *server) {
	struct gl gl;
	if (!server->software_gl || !gl_of(server->renderer, &gl))
		return;
	bool current = gl.current() == gl.context;
	if (!current && !gl.make_current(gl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl.context))
		return;
	gl.finish();
	if (!current)
		gl.make_current(gl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}
