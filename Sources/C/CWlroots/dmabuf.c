/* C, because drawing asks it in each frame which buffers could be scanned out. */
/*
 * Buffers in GPU memory (linux-dmabuf, and wl_drm for old programs), besides wl_shm.
 *
 * wlroots' helper for all three fails on 0.15 without a render node, and hides the data needed to tell clients
 * which buffers could be scanned out (scanout.c). So the globals are created one by one here. Without a render
 * node, apps have only wl_shm.
 */
#include "draw.h"

#include <sys/stat.h>
#include <wlr/render/drm_format_set.h>
#include <wlr/types/wlr_drm.h>
#include <wlr/types/wlr_linux_dmabuf_v1.h>

static const struct wlr_drm_format_set *texture_formats(struct wlr_renderer *renderer) {
#if WLR18
	return wlr_renderer_get_texture_formats(renderer, WLR_BUFFER_CAP_DMABUF);
#else
	return wlr_renderer_get_dmabuf_texture_formats(renderer);
#endif
}

bool mw_buffers_init(mw_server *server) {
	if (!wlr_renderer_init_wl_shm(server->renderer, server->display))
		return false;
	const struct wlr_drm_format_set *formats = texture_formats(server->renderer);
	if (formats == NULL || formats->len == 0 || wlr_renderer_get_drm_fd(server->renderer) < 0)
		return true;
	if (wlr_drm_create(server->display, server->renderer) == NULL)
		wlr_log(WLR_INFO, "no wl_drm: the display has no render node");
#if WLR18
	server->dmabuf = wlr_linux_dmabuf_v1_create_with_renderer(server->display, 4, server->renderer);
#else
	server->dmabuf = wlr_linux_dmabuf_v1_create(server->display, server->renderer);
#endif
	if (server->dmabuf == NULL)
		wlr_log(WLR_ERROR, "no linux-dmabuf: apps cannot share buffers in the GPU");
	return true;
}

/* ---- scan-out formats ---- */

#if WLR18
static void tell(mw_output *output, struct wlr_surface *surface) {
	struct wlr_linux_dmabuf_feedback_v1 feedback;
	const struct wlr_linux_dmabuf_feedback_v1_init_options options = {
		.main_renderer = output->server->renderer,
		.scanout_primary_output = output->wlr,
	};
	if (!wlr_linux_dmabuf_feedback_v1_init_with_options(&feedback, &options))
		return;
	wlr_linux_dmabuf_v1_set_surface_feedback(output->server->dmabuf, surface, &feedback);
	wlr_linux_dmabuf_feedback_v1_finish(&feedback);
}
#else
static void tell(mw_output *output, struct wlr_surface *surface) {
	mw_server *server = output->server;
	struct stat renders, shows;
	int screen = wlr_backend_get_drm_fd(server->backend);
	const struct wlr_drm_format_set *formats = texture_formats(server->renderer);
	const struct wlr_drm_format_set *plane = wlr_output_get_primary_formats(output->wlr, WLR_BUFFER_CAP_DMABUF);
	struct wlr_drm_format_set both = {0};
	if (screen < 0 || plane == NULL || fstat(screen, &shows) != 0 || fstat(wlr_renderer_get_drm_fd(server->renderer), &renders) != 0)
		return;
	if (wlr_drm_format_set_intersect(&both, formats, plane) && both.len > 0) {
		/* Formats that the screen accepts come first. All others are composited. */
		const struct wlr_linux_dmabuf_feedback_v1_tranche tranches[] = {
			{.target_device = shows.st_rdev, .flags = 1 /* scanout */, .formats = &both},
			{.target_device = renders.st_rdev, .formats = formats},
		};
		const struct wlr_linux_dmabuf_feedback_v1 feedback = {
			.main_device = renders.st_rdev,
			.tranches_len = MW_COUNT(tranches),
			.tranches = tranches,
		};
		wlr_linux_dmabuf_v1_set_surface_feedback(server->dmabuf, surface, &feedback);
	}
	wlr_drm_format_set_finish(&both);
}
#endif

void mw_buffers_tell(mw_output *output, struct wlr_surface *surface) {
	struct mw_draw_state *state = output->draw;
	if (output->server->dmabuf == NULL || surface == state->whole_surface)
		return;
	if (state->whole_surface != NULL)
		wlr_linux_dmabuf_v1_set_surface_feedback(output->server->dmabuf, state->whole_surface, NULL);
	state->whole_surface = surface;
	if (surface != NULL)
		tell(output, surface);
}
