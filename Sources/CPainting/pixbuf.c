/* GdkPixbuf: image files. */
#include "late.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

LIBRARY("libgdk_pixbuf-2.0.so.0")

F1(GdkPixbuf *, gdk_pixbuf_apply_embedded_orientation, GdkPixbuf *)
F1(int, gdk_pixbuf_get_bits_per_sample, const GdkPixbuf *)
F1(int, gdk_pixbuf_get_height, const GdkPixbuf *)
F1(int, gdk_pixbuf_get_n_channels, const GdkPixbuf *)
F1(int, gdk_pixbuf_get_rowstride, const GdkPixbuf *)
F1(int, gdk_pixbuf_get_width, const GdkPixbuf *)
F2(gboolean, gdk_pixbuf_loader_close, GdkPixbufLoader *, GError **)
F1(GdkPixbuf *, gdk_pixbuf_loader_get_pixbuf, GdkPixbufLoader *)
F2(GdkPixbufLoader *, gdk_pixbuf_loader_new_with_type, const char *, GError **)
F3(void, gdk_pixbuf_loader_set_size, GdkPixbufLoader *, int, int)
F4(gboolean, gdk_pixbuf_loader_write, GdkPixbufLoader *, const guchar *, gsize, GError **)
F1(const guint8 *, gdk_pixbuf_read_pixels, const GdkPixbuf *)
