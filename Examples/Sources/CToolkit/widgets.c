#include "ctoolkit.h"

#include <gtk/gtk.h>
#include <glib-unix.h>

struct callback {
	ct_callback call;
	ct_value_callback value;
	void *user;
};

static GtkApplication *application;

static void drop(gpointer data, GClosure *closure) {
	(void)closure;
	g_free(data);
}

static struct callback *callback_new(ct_callback call, ct_value_callback value, void *user) {
	struct callback *out = g_new0(struct callback, 1);
	out->call = call;
	out->value = value;
	out->user = user;
	return out;
}

/* ---- The program. ---- */

static void activated(GtkApplication *app, gpointer data) {
	(void)app;
	struct callback *callback = data;
	callback->call(callback->user);
}

int ct_run(const char *id, ct_callback activate, void *user) {
	/* One window for each start, as tests and a second window of the same app want it. */
	application = gtk_application_new(id, G_APPLICATION_NON_UNIQUE);
	g_signal_connect_data(application, "activate", G_CALLBACK(activated), callback_new(activate, NULL, user), drop, 0);
	int status = g_application_run(G_APPLICATION(application), 0, NULL);
	g_clear_object(&application);
	return status;
}

void ct_quit(void) {
	if (application != NULL)
		g_application_quit(G_APPLICATION(application));
}

static gboolean again(gpointer data) {
	struct callback *callback = data;
	callback->call(callback->user);
	return G_SOURCE_CONTINUE;
}

unsigned ct_every(unsigned milliseconds, ct_callback call, void *user) {
	return g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, again, callback_new(call, NULL, user), g_free);
}

static gboolean once(gpointer data) {
	struct callback *callback = data;
	callback->call(callback->user);
	return G_SOURCE_REMOVE;
}

unsigned ct_after(unsigned milliseconds, ct_callback call, void *user) {
	return g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, once, callback_new(call, NULL, user), g_free);
}

static gboolean ready(gint fd, GIOCondition condition, gpointer data) {
	(void)fd;
	(void)condition;
	return again(data);
}

unsigned ct_watch(int fd, bool read, bool write, ct_callback call, void *user) {
	GIOCondition condition = G_IO_HUP | (read ? G_IO_IN : 0) | (write ? G_IO_OUT : 0);
	return g_unix_fd_add_full(G_PRIORITY_DEFAULT, fd, condition, ready, callback_new(call, NULL, user), g_free);
}

void ct_cancel(unsigned source) {
	if (source != 0)
		g_source_remove(source);
}

static void child_ended(GPid pid, gint status, gpointer data) {
	struct callback *callback = data;
	g_spawn_close_pid(pid);
	if (callback->value != NULL)
		callback->value(callback->user, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

bool ct_spawn(const char *const *arguments, ct_value_callback ended, void *user) {
	GPid pid;
	GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD;
	if (!g_spawn_async(NULL, (char **)arguments, NULL, flags, NULL, NULL, &pid, NULL))
		return false;
	g_child_watch_add_full(G_PRIORITY_DEFAULT, pid, child_ended, callback_new(NULL, ended, user), g_free);
	return true;
}

/* ---- Widgets. ---- */

static ct_widget *out(GtkWidget *widget) { return (ct_widget *)widget; }
static GtkWidget *in(ct_widget *widget) { return (GtkWidget *)widget; }

ct_widget *ct_window(const char *title, int width, int height) {
	GtkWidget *window = gtk_application_window_new(application);
	gtk_window_set_title(GTK_WINDOW(window), title);
	gtk_window_set_default_size(GTK_WINDOW(window), width, height);
	return out(window);
}

void ct_window_show(ct_widget *window, ct_widget *content) {
	GtkWidget *widget = in(content);
	/* A column in the middle, below what a shell may show at a window's top. */
	gtk_widget_set_halign(widget, GTK_ALIGN_CENTER);
	/* With its margins as wide as the narrowest place of a window, 320 points. */
	gtk_widget_set_size_request(widget, 272, -1);
	gtk_widget_set_margin_top(widget, 48);
	gtk_widget_set_margin_bottom(widget, 32);
	gtk_widget_set_margin_start(widget, 24);
	gtk_widget_set_margin_end(widget, 24);
	gtk_window_set_child(GTK_WINDOW(in(window)), widget);
	gtk_window_present(GTK_WINDOW(in(window)));
}

static GtkWidget *box(GtkOrientation orientation, int spacing) { return gtk_box_new(orientation, spacing); }

ct_widget *ct_column(int spacing) {
	GtkWidget *column = box(GTK_ORIENTATION_VERTICAL, spacing);
	return out(column);
}

ct_widget *ct_row(int spacing) {
	GtkWidget *row = box(GTK_ORIENTATION_HORIZONTAL, spacing);
	gtk_widget_set_halign(row, GTK_ALIGN_CENTER);
	return out(row);
}

void ct_add(ct_widget *box, ct_widget *child) { gtk_box_append(GTK_BOX(in(box)), in(child)); }

void ct_clear(ct_widget *box) {
	GtkWidget *child;
	while ((child = gtk_widget_get_first_child(in(box))) != NULL)
		gtk_box_remove(GTK_BOX(in(box)), child);
}

ct_widget *ct_label(const char *text, const char *style) {
	GtkWidget *label = gtk_label_new(text);
	gtk_label_set_wrap(GTK_LABEL(label), TRUE);
	gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_CENTER);
	gtk_label_set_max_width_chars(GTK_LABEL(label), 40);
	if (style != NULL)
		gtk_widget_add_css_class(label, style);
	return out(label);
}

void ct_label_set(ct_widget *label, const char *text) { gtk_label_set_text(GTK_LABEL(in(label)), text); }

static void pressed(GtkButton *button, gpointer data) {
	(void)button;
	again(data);
}

ct_widget *ct_button(const char *text, const char *icon, ct_callback call, void *user) {
	GtkWidget *button = gtk_button_new();
	ct_button_set(out(button), text, icon);
	g_signal_connect_data(button, "clicked", G_CALLBACK(pressed), callback_new(call, NULL, user), drop, 0);
	return out(button);
}

void ct_button_set(ct_widget *button, const char *text, const char *icon) {
	GtkWidget *widget = in(button);
	if (icon == NULL) {
		gtk_button_set_label(GTK_BUTTON(widget), text);
		return;
	}
	gtk_button_set_icon_name(GTK_BUTTON(widget), icon);
	gtk_widget_set_tooltip_text(widget, text);
	gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void ct_enable(ct_widget *widget, bool enabled) { gtk_widget_set_sensitive(in(widget), enabled); }

void ct_style(ct_widget *widget, const char *style) { gtk_widget_add_css_class(in(widget), style); }

static gboolean moved(GtkRange *range, GtkScrollType scroll, gdouble value, gpointer data) {
	(void)scroll;
	struct callback *callback = data;
	GtkAdjustment *adjustment = gtk_range_get_adjustment(range);
	callback->value(callback->user, CLAMP(value, gtk_adjustment_get_lower(adjustment), gtk_adjustment_get_upper(adjustment)));
	return FALSE;
}

ct_widget *ct_slider(double from, double to, double step, ct_value_callback call, void *user) {
	GtkWidget *slider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, from, to, step);
	gtk_scale_set_draw_value(GTK_SCALE(slider), FALSE);
	gtk_widget_set_hexpand(slider, TRUE);
	/* "change-value" is a person's wish alone; "value-changed" would hear what the program sets, too. */
	g_signal_connect_data(slider, "change-value", G_CALLBACK(moved), callback_new(NULL, call, user), drop, 0);
	return out(slider);
}

void ct_slider_set(ct_widget *slider, double value, double to) {
	gtk_range_set_range(GTK_RANGE(in(slider)), 0, to > 0 ? to : 1);
	gtk_range_set_value(GTK_RANGE(in(slider)), value);
}

ct_widget *ct_meter(void) {
	GtkWidget *meter = gtk_level_bar_new();
	gtk_widget_set_hexpand(meter, TRUE);
	return out(meter);
}

void ct_meter_set(ct_widget *meter, double value) { gtk_level_bar_set_value(GTK_LEVEL_BAR(in(meter)), value); }

ct_widget *ct_scrolled(ct_widget *child) {
	GtkWidget *scrolled = gtk_scrolled_window_new();
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), in(child));
	gtk_widget_set_vexpand(scrolled, TRUE);
	return out(scrolled);
}
