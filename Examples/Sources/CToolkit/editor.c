#include "ctoolkit.h"

#include <gtk/gtk.h>
#include <stdlib.h>
#include <string.h>

/* An editor is a scrolled text view. */
struct editor {
	ct_callback changed;
	void *user;
	/* Where to scroll to when the text has its size; below 0: nowhere. */
	double wanted;
	/* The program changes it, not the person. */
	bool is_own;
};

static GtkTextView *view(ct_widget *editor) {
	return GTK_TEXT_VIEW(gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW((GtkWidget *)editor)));
}

static GtkAdjustment *place(ct_widget *editor) { return gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW((GtkWidget *)editor)); }

static struct editor *facts(ct_widget *editor) { return g_object_get_data(G_OBJECT(editor), "editor"); }

static void told(struct editor *editor) {
	if (!editor->is_own)
		editor->changed(editor->user);
}

static void text_changed(GtkTextBuffer *buffer, gpointer data) {
	(void)buffer;
	told(data);
}

static void cursor_moved(GObject *buffer, GParamSpec *property, gpointer data) {
	(void)buffer;
	(void)property;
	told(data);
}

static void scrolled(GtkAdjustment *adjustment, gpointer data) {
	(void)adjustment;
	struct editor *editor = data;
	if (editor->wanted < 0)
		told(editor);
}

/* The text is laid out bit by bit. */
static void grown(GtkAdjustment *adjustment, gpointer data) {
	struct editor *editor = data;
	if (editor->wanted < 0)
		return;
	double most = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment);
	if (gtk_adjustment_get_page_size(adjustment) <= 0 || most < editor->wanted)
		return;
	double wanted = editor->wanted;
	gtk_adjustment_set_value(adjustment, wanted);
	editor->wanted = -1;
}

ct_widget *ct_editor(ct_callback changed, void *user) {
	GtkWidget *text = gtk_text_view_new();
	gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(text), GTK_WRAP_WORD_CHAR);
	gtk_text_view_set_left_margin(GTK_TEXT_VIEW(text), 12);
	gtk_text_view_set_right_margin(GTK_TEXT_VIEW(text), 12);
	GtkWidget *scroller = gtk_scrolled_window_new();
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), text);
	gtk_widget_set_vexpand(scroller, TRUE);
	gtk_widget_set_hexpand(scroller, TRUE);
	struct editor *editor = g_new0(struct editor, 1);
	editor->changed = changed;
	editor->user = user;
	editor->wanted = -1;
	g_object_set_data_full(G_OBJECT(scroller), "editor", editor, g_free);
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(text));
	g_signal_connect(buffer, "changed", G_CALLBACK(text_changed), editor);
	g_signal_connect(buffer, "notify::cursor-position", G_CALLBACK(cursor_moved), editor);
	GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
	g_signal_connect(adjustment, "value-changed", G_CALLBACK(scrolled), editor);
	g_signal_connect(adjustment, "changed", G_CALLBACK(grown), editor);
	return (ct_widget *)scroller;
}

char *ct_editor_text(ct_widget *editor) {
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(view(editor));
	GtkTextIter start, end;
	gtk_text_buffer_get_bounds(buffer, &start, &end);
	char *text = gtk_text_buffer_get_text(buffer, &start, &end, TRUE), *copy = strdup(text);
	g_free(text);
	return copy;
}

int ct_editor_cursor(ct_widget *editor) {
	int position = 0;
	g_object_get(gtk_text_view_get_buffer(view(editor)), "cursor-position", &position, NULL);
	return position;
}

double ct_editor_scroll(ct_widget *editor) {
	struct editor *own = facts(editor);
	return own->wanted >= 0 ? own->wanted : gtk_adjustment_get_value(place(editor));
}

void ct_editor_show(ct_widget *editor, const char *text, int cursor, double scroll) {
	struct editor *own = facts(editor);
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(view(editor));
	own->is_own = true;
	gtk_text_buffer_set_text(buffer, text, -1);
	GtkTextIter place_of_cursor;
	gtk_text_buffer_get_iter_at_offset(buffer, &place_of_cursor, cursor);
	gtk_text_buffer_place_cursor(buffer, &place_of_cursor);
	own->is_own = false;
	own->wanted = scroll;
	grown(place(editor), own);
}

void ct_editor_type(ct_widget *editor, const char *text) {
	gtk_text_buffer_insert_at_cursor(gtk_text_view_get_buffer(view(editor)), text, -1);
	gtk_text_view_scroll_mark_onscreen(view(editor), gtk_text_buffer_get_insert(gtk_text_view_get_buffer(view(editor))));
}
