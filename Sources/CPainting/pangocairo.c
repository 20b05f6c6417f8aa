/* Pango on Cairo. */
#include "late.h"

#include <pango/pangocairo.h>

LIBRARY("libpangocairo-1.0.so.0")

F2(void, pango_cairo_context_set_font_options, PangoContext *, const cairo_font_options_t *)
F0(PangoFontMap *, pango_cairo_font_map_new)
F2(void, pango_cairo_layout_line_path, cairo_t *, PangoLayoutLine *)
F2(void, pango_cairo_show_layout_line, cairo_t *, PangoLayoutLine *)
