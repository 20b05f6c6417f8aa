#include "ctoolkit.h"

#include <gdk/wayland/gdkwayland.h>
#include <gtk/gtk.h>

static GtkWidget *in(ct_widget *widget) { return (GtkWidget *)widget; }

void ct_window_fill(ct_widget *window, ct_widget *content) {
	GtkWidget *widget = in(content);
	gtk_widget_set_margin_top(widget, 48);
	gtk_widget_set_margin_bottom(widget, 32);
	gtk_widget_set_margin_start(widget, 24);
	gtk_widget_set_margin_end(widget, 24);
	gtk_window_set_child(GTK_WINDOW(in(window)), widget);
}

void ct_window_present(ct_widget *window, const char *token) {
	if (token != NULL)
		gtk_window_set_startup_id(GTK_WINDOW(in(window)), token);
	gtk_window_present(GTK_WINDOW(in(window)));
}

void *ct_window_surface(ct_widget *window) {
	gtk_widget_realize(in(window));
	GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(in(window)));
	return GDK_IS_WAYLAND_SURFACE(surface) ? gdk_wayland_surface_get_wl_surface(surface) : NULL;
}

void *ct_display(void) {
	GdkDisplay *display = gdk_display_get_default();
	return GDK_IS_WAYLAND_DISPLAY(display) ? gdk_wayland_display_get_wl_display(display) : NULL;
}

void ct_window_set_parent(ct_widget *window, ct_widget *parent) {
	gtk_window_set_transient_for(GTK_WINDOW(in(window)), GTK_WINDOW(in(parent)));
}

struct call {
	ct_callback call;
	ct_title_callback title;
	void *user, *title_user;
	GtkWidget *popover, *button;
};

static struct call *call_new(ct_callback call, void *user) {
	struct call *made = g_new0(struct call, 1);
	made->call = call;
	made->user = user;
	return made;
}

static void drop(gpointer data, GClosure *closure) {
	(void)closure;
	g_free(data);
}

static gboolean closing(GtkWindow *window, gpointer data) {
	(void)window;
	struct call *call = data;
	call->call(call->user);
	return FALSE;
}

void ct_window_on_close(ct_widget *window, ct_callback call, void *user) {
	g_signal_connect_data(in(window), "close-request", G_CALLBACK(closing), call_new(call, user), drop, 0);
}

void ct_window_close(ct_widget *window) { gtk_window_close(GTK_WINDOW(in(window))); }

static void painted(GdkFrameClock *clock, gpointer data) {
	(void)clock;
	struct call *call = data;
	call->call(call->user);
}

void ct_window_on_layout(ct_widget *window, ct_callback call, void *user) {
	gtk_widget_realize(in(window));
	g_signal_connect_data(gtk_widget_get_frame_clock(in(window)), "after-paint", G_CALLBACK(painted), call_new(call, user), drop, 0);
}

bool ct_bounds(ct_widget *widget, ct_widget *window, int out[4]) {
	graphene_rect_t bounds;
	if (!gtk_widget_get_mapped(in(widget)) || !gtk_widget_compute_bounds(in(widget), in(window), &bounds))
		return false;
	out[0] = (int)bounds.origin.x;
	out[1] = (int)bounds.origin.y;
	out[2] = (int)bounds.size.width;
	out[3] = (int)bounds.size.height;
	return out[2] > 0 && out[3] > 0;
}

/* ---- A menu. ---- */

static void open_menu(struct call *call) {
	char *title = call->title(call->title_user);
	gtk_button_set_label(GTK_BUTTON(call->button), title);
	free(title);
	gtk_popover_popup(GTK_POPOVER(call->popover));
}

static void long_pressed(GtkGestureLongPress *gesture, double x, double y, gpointer data) {
	(void)x, (void)y;
	gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
	open_menu(data);
}

static void secondary(GtkGestureClick *gesture, int count, double x, double y, gpointer data) {
	(void)gesture, (void)count, (void)x, (void)y;
	open_menu(data);
}

static void chosen(GtkButton *button, gpointer data) {
	(void)button;
	struct call *call = data;
	gtk_popover_popdown(GTK_POPOVER(call->popover));
	call->call(call->user);
}

static void unparent(GtkWidget *widget, gpointer popover) {
	(void)widget;
	gtk_widget_unparent(popover);
}

void ct_menu(ct_widget *widget, ct_title_callback title, void *title_user, ct_callback call, void *user) {
	struct call *menu = call_new(call, user);
	menu->title = title;
	menu->title_user = title_user;
	menu->popover = gtk_popover_new();
	menu->button = gtk_button_new();
	gtk_widget_add_css_class(menu->button, "flat");
	gtk_popover_set_child(GTK_POPOVER(menu->popover), menu->button);
	gtk_widget_set_parent(menu->popover, in(widget));
	g_signal_connect(in(widget), "destroy", G_CALLBACK(unparent), menu->popover);
	g_signal_connect_data(menu->button, "clicked", G_CALLBACK(chosen), menu, drop, 0);
	GtkGesture *press = gtk_gesture_long_press_new();
	g_signal_connect(press, "pressed", G_CALLBACK(long_pressed), menu);
	gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(press), GTK_PHASE_CAPTURE);
	gtk_widget_add_controller(in(widget), GTK_EVENT_CONTROLLER(press));
	GtkGesture *click = gtk_gesture_click_new();
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
	g_signal_connect(click, "pressed", G_CALLBACK(secondary), menu);
	gtk_widget_add_controller(in(widget), GTK_EVENT_CONTROLLER(click));
}
