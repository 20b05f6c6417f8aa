/* Protocols of surfaces and input that are more than a line: one file each in globals/. */
#ifndef MULLION_GLOBALS_H
#define MULLION_GLOBALS_H

#include "internal.h"

/* globals/presentation.c */
void mw_presentation_output_init(mw_output *output);
void mw_presentation_output_finish(mw_output *output);
bool mw_presentation_shown(mw_output *output, struct wlr_surface *surface);   /* in the next commit; true if somebody waits to know */
void mw_presentation_committed(mw_output *output, struct wlr_surface *scanned);   /* with what was shown; as it is: `scanned` */

#endif
