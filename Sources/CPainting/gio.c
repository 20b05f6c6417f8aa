/* GIO: what is packed. */
#include "late.h"

#include <gio/gio.h>

LIBRARY("libgio-2.0.so.0")

F9(GConverterResult, g_converter_convert, GConverter *, const void *, gsize, void *, gsize, GConverterFlags, gsize *, gsize *, GError **)
F1(GZlibDecompressor *, g_zlib_decompressor_new, GZlibCompressorFormat)
