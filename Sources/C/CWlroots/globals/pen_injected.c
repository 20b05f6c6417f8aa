/* A tablet that is not there, for injection: what it does takes the same way as what a real one does. */
#include "seat.h"

#include <stdlib.h>
#include <wlr/interfaces/wlr_tablet_tool.h>

#if WLR18
#define EVENT(name) struct wlr_tablet_tool_##name##_event
#define OF(injected) .tablet = &(injected)->tablet
#else
#define EVENT(name) struct wlr_event_tablet_tool_##name
#define OF(injected) .device = &(injected)->device
#endif

struct mw_injected_pen {
	struct wlr_tablet tablet;
	struct wlr_tablet_tool tool;
#if !WLR18
	struct wlr_input_device device;
#endif
	bool near, down;
};

#if WLR18

static const struct wlr_tablet_impl tablet_impl = { .name = "mullion" };

static struct wlr_input_device *device_init(struct mw_injected_pen *injected) {
	wlr_tablet_init(&injected->tablet, &tablet_impl, tablet_impl.name);
	return &injected->tablet.base;
}

static void device_finish(struct mw_injected_pen *injected) {
	wlr_tablet_finish(&injected->tablet);
}

#else

static void tablet_destroy(struct wlr_tablet *tablet) { (void)tablet; }
static const struct wlr_tablet_impl tablet_impl = { .destroy = tablet_destroy };
static void device_destroy(struct wlr_input_device *device) { (void)device; }
static const struct wlr_input_device_impl device_impl = { .destroy = device_destroy };

static struct wlr_input_device *device_init(struct mw_injected_pen *injected) {
	wlr_tablet_init(&injected->tablet, &tablet_impl);
	wlr_input_device_init(&injected->device, WLR_INPUT_DEVICE_TABLET_TOOL, &device_impl, "mullion", 0, 0);
	injected->device.tablet = &injected->tablet;
	return &injected->device;
}

static void device_finish(struct mw_injected_pen *injected) {
	wlr_input_device_destroy(&injected->device);
}

#endif

static struct mw_injected_pen *pen_of(mw_seat *seat) {
	if (seat->injected_pen != NULL)
		return seat->injected_pen;
	struct mw_injected_pen *injected = calloc(1, sizeof(*injected));
	if (injected == NULL)
		return NULL;
	struct wlr_input_device *device = device_init(injected);
	injected->tool.type = WLR_TABLET_TOOL_TYPE_PEN;
	injected->tool.pressure = injected->tool.tilt = true;
	wl_signal_init(&injected->tool.events.destroy);
	seat->injected_pen = injected;
	mw_seat_new_device(seat, device);
	return injected;
}

/* While the seat still hears of it. */
void mw_injected_pen_finish(mw_seat *seat) {
	struct mw_injected_pen *injected = seat->injected_pen;
	if (injected == NULL)
		return;
	wl_signal_emit(&injected->tool.events.destroy, &injected->tool);
	device_finish(injected);
	seat->injected_pen = NULL;
	free(injected);
}

void mw_inject_pen(mw_server *server, double x, double y, double pressure, double tilt_x, double tilt_y, int64_t when) {
	struct mw_injected_pen *injected = pen_of(server->seat);
	mw_output *output = mw_output_first(server);
	if (injected == NULL || output == NULL)
		return;
	double width, height;
	mw_output_size(output, &width, &height);
	x /= width;
	y /= height;
	if (!injected->near) {
		injected->near = true;
		EVENT(proximity) event = {
			OF(injected), .tool = &injected->tool, .time_msec = MW_MS(when), .x = x, .y = y,
			.state = WLR_TABLET_TOOL_PROXIMITY_IN,
		};
		wl_signal_emit(&injected->tablet.events.proximity, &event);
	}
	if (injected->down != (pressure > 0)) {
		injected->down = pressure > 0;
		EVENT(tip) event = {
			OF(injected), .tool = &injected->tool, .time_msec = MW_MS(when), .x = x, .y = y,
			.state = injected->down ? WLR_TABLET_TOOL_TIP_DOWN : WLR_TABLET_TOOL_TIP_UP,
		};
		wl_signal_emit(&injected->tablet.events.tip, &event);
	}
	EVENT(axis) event = {
		OF(injected), .tool = &injected->tool, .time_msec = MW_MS(when), .x = x, .y = y, .pressure = pressure,
		.tilt_x = tilt_x, .tilt_y = tilt_y,
		.updated_axes = WLR_TABLET_TOOL_AXIS_X | WLR_TABLET_TOOL_AXIS_Y | WLR_TABLET_TOOL_AXIS_PRESSURE |
			WLR_TABLET_TOOL_AXIS_TILT_X | WLR_TABLET_TOOL_AXIS_TILT_Y,
	};
	wl_signal_emit(&injected->tablet.events.axis, &event);
}

void mw_inject_pen_button(mw_server *server, uint32_t button, bool pressed, int64_t when) {
	struct mw_injected_pen *injected = pen_of(server->seat);
	if (injected == NULL || !injected->near)
		return;
	EVENT(button) event = {
		OF(injected), .tool = &injected->tool, .time_msec = MW_MS(when), .button = button,
		.state = pressed ? WLR_BUTTON_PRESSED : WLR_BUTTON_RELEASED,
	};
	wl_signal_emit(&injected->tablet.events.button, &event);
}

void mw_inject_pen_away(mw_server *server, int64_t when) {
	struct mw_injected_pen *injected = server->seat->injected_pen;
	if (injected == NULL || !injected->near)
		return;
	injected->near = injected->down = false;
	EVENT(proximity) event = {
		OF(injected), .tool = &injected->tool, .time_msec = MW_MS(when), .state = WLR_TABLET_TOOL_PROXIMITY_OUT,
	};
	wl_signal_emit(&injected->tablet.events.proximity, &event);
}
