/* C, because only a macro brings a text of the build into the program. */
#include "build.h"

#ifndef MULLION_BUILD
#define MULLION_BUILD "development"
#endif

const char *mullion_build(void) { return MULLION_BUILD; }
