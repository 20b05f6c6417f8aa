/*
 * The few things of GTK 4, GLib and GStreamer that the example apps need, as functions that Swift can call: both are
 * half macros and variadic functions.
 *
 * Widgets are lent: they live as long as their window. Callbacks come on the main thread, from `ct_run`.
 */
#ifndef MULLION_CTOOLKIT_H
#define MULLION_CTOOLKIT_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*ct_callback)(void *user);
typedef void (*ct_value_callback)(void *user, double value);
typedef void (*ct_text_callback)(void *user, const char *text);

/* ---- The program. ---- */

/* Runs until the window is closed. `id` is the app's id, which its window has, too. Gives the exit status. */
int ct_run(const char *id, ct_callback activate, void *user);
void ct_quit(void);
/* Calls again every `milliseconds`, until `ct_cancel`. */
unsigned ct_every(unsigned milliseconds, ct_callback call, void *user);
/* Calls once, after so many milliseconds, unless `ct_cancel` comes first. */
unsigned ct_after(unsigned milliseconds, ct_callback call, void *user);
/* Calls whenever `fd` can be read or written, whichever is asked for, or was hung up. */
unsigned ct_watch(int fd, bool read, bool write, ct_callback call, void *user);
void ct_cancel(unsigned source);
/* Runs a program and tells when it has ended, with its exit status. False: it could not be started. */
bool ct_spawn(const char *const *arguments, ct_value_callback ended, void *user);

/* ---- Widgets. ---- */

typedef struct ct_widget ct_widget;

ct_widget *ct_window(const char *title, int width, int height);
void ct_window_show(ct_widget *window, ct_widget *content);
/* The same in two steps, for MullionKit, which says what a window is for before it is shown. */
void ct_window_fill(ct_widget *window, ct_widget *content);
/* `token`: an activation token, or null. */
void ct_window_present(ct_widget *window, const char *token);
/* Its wl_surface, also before it is shown, and the wl_display; null on other platforms. */
void *ct_window_surface(ct_widget *window);
void *ct_display(void);
void ct_window_set_parent(ct_widget *window, ct_widget *parent);
/* Called when the window is about to close, by whomever. */
void ct_window_on_close(ct_widget *window, ct_callback call, void *user);
void ct_window_close(ct_widget *window);
/* Called after each frame in which the content of the window may have moved. */
void ct_window_on_layout(ct_widget *window, ct_callback call, void *user);
/* Where a widget lies in its window: x, y, width and height. False: it is not seen. */
bool ct_bounds(ct_widget *widget, ct_widget *window, int out[4]);
/* A menu of one entry, by a long press or the secondary button. `title` gives its text when it opens, to be freed by it. */
typedef char *(*ct_title_callback)(void *user);
void ct_menu(ct_widget *widget, ct_title_callback title, void *title_user, ct_callback chosen, void *user);
ct_widget *ct_column(int spacing);
ct_widget *ct_row(int spacing);
void ct_add(ct_widget *box, ct_widget *child);
void ct_clear(ct_widget *box);
/* `style`: a style class of GTK ("title-1", "dim-label", "caption"), or null. */
ct_widget *ct_label(const char *text, const char *style);
void ct_label_set(ct_widget *label, const char *text);
/* `icon`: an icon name; `text` is then what a screen reader says. */
ct_widget *ct_button(const char *text, const char *icon, ct_callback pressed, void *user);
void ct_button_set(ct_widget *button, const char *text, const char *icon);
void ct_enable(ct_widget *widget, bool enabled);
void ct_style(ct_widget *widget, const char *style);
ct_widget *ct_slider(double from, double to, double step, ct_value_callback moved, void *user);
/* Does not call back. */
void ct_slider_set(ct_widget *slider, double value, double to);
ct_widget *ct_meter(void);
void ct_meter_set(ct_widget *meter, double value);
ct_widget *ct_scrolled(ct_widget *child);

/* Text of many lines that scrolls. `changed`: the person typed, moved the cursor or scrolled. */
ct_widget *ct_editor(ct_callback changed, void *user);
/* The text, to be given to free(). */
char *ct_editor_text(ct_widget *editor);
/* In characters from the start. */
int ct_editor_cursor(ct_widget *editor);
/* In points from the top. */
double ct_editor_scroll(ct_widget *editor);
/* Shows it as it was; the place to scroll to is taken when the text has its size. Does not call back. */
void ct_editor_show(ct_widget *editor, const char *text, int cursor, double scroll);
/* Types at the cursor. */
void ct_editor_type(ct_widget *editor, const char *text);

/* ---- Sound. ---- */

typedef struct ct_sound ct_sound;

/* What a pipeline reports; each may be null. `level` is the peak of the last tenth of a second, in dB. */
typedef struct {
	ct_callback ended;
	ct_text_callback failed;
	ct_value_callback level;
} ct_sound_calls;

/* Plays a file: `role` is the media.role of its stream, or null. */
ct_sound *ct_play(const char *path, const char *role, ct_sound_calls calls, void *user);
/* The element that plays where this session's sound goes, for a pipeline. */
const char *ct_sink(void);
/* Any pipeline, as gst-launch takes it. Null: it cannot be made, and `failed` was called. */
ct_sound *ct_pipeline(const char *description, ct_sound_calls calls, void *user);
void ct_sound_start(ct_sound *sound);
void ct_sound_pause(ct_sound *sound);
/* Lets a recording write its end; `ended` follows. */
void ct_sound_finish(ct_sound *sound);
void ct_sound_free(ct_sound *sound);
/* Seconds; below 0: not known. */
double ct_sound_position(ct_sound *sound);
double ct_sound_duration(ct_sound *sound);
void ct_sound_seek(ct_sound *sound, double seconds);

/* ---- A media player on the session bus (MPRIS), so that desktops without audio sessions can control it. ---- */

typedef struct {
	/* "Play", "Pause", "PlayPause", "Stop", "Next", "Previous". */
	ct_text_callback command;
	/* By so many seconds. */
	ct_value_callback seek;
	/* To this second. */
	ct_value_callback position;
} ct_mpris_calls;

typedef struct ct_mpris ct_mpris;

/* `name` is the last part of the bus name, `entry` the desktop entry. */
ct_mpris *ct_mpris_new(const char *name, const char *identity, const char *entry, ct_mpris_calls calls, void *user);
/* `status`: "Playing", "Paused" or "Stopped". Times in seconds. */
void ct_mpris_set(ct_mpris *mpris, const char *status, const char *title, const char *artist, const char *artwork, double length,
				  double position);
void ct_mpris_seeked(ct_mpris *mpris, double position);

#endif
