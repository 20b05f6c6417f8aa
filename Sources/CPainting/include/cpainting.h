/* What Chrome calls of Cairo, Pango, GdkPixbuf and GIO under its own names; the libraries' headers declare it. */
