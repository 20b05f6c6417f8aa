// Giving back memory that only starting needed.
#ifndef MULLION_CMEMORY_H
#define MULLION_CMEMORY_H

#include <stddef.h>

// Code and constants of the program and its libraries are let go of, and free pages of the heap. What is used again is
// found in the page cache, a minor fault for every 64 KiB. The bytes of the mappings that were let go of.
size_t mm_rest(void);

#endif
