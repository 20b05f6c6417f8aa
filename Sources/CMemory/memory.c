#include "cmemory.h"

#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// More than any library has: some ten.
#define MOST_HEADERS 64

static bool has_text_relocations(const struct dl_phdr_info *info) {
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		for (const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); entry->d_tag != DT_NULL; entry++)
			if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)))
				return true;
	}
	return false;
}

// Whole pages: a segment starts and ends somewhere in them, and the rest of a page is of the same mapping unless another
// segment lies there.
static uintptr_t first_page(const struct dl_phdr_info *info, const ElfW(Phdr) *segment, uintptr_t page) {
	return (info->dlpi_addr + segment->p_vaddr) & ~(page - 1);
}

static uintptr_t end_page(const struct dl_phdr_info *info, const ElfW(Phdr) *segment, uintptr_t page) {
	return (info->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & ~(page - 1);
}

// A segment that is not to be written to is as it is in the file. What is put right when a library is loaded, and only
// then made unwritable, belongs to a segment that is written to. The loader's lock is held, so no library comes or goes.
static int let_go(struct dl_phdr_info *info, size_t size, void *data) {
	(void)size;
	size_t *sum = data;
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	if (has_text_relocations(info) || info->dlpi_phnum > MOST_HEADERS)
		return 0;
	// A copy: the headers lie in a segment that is let go, and reading on there would bring 64 KiB of each library back.
	ElfW(Phdr) headers[MOST_HEADERS];
	memcpy(headers, info->dlpi_phdr, info->dlpi_phnum * sizeof(*headers));
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &headers[i];
		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) || segment->p_filesz != segment->p_memsz)
			continue;
		uintptr_t from = first_page(info, segment, page), to = end_page(info, segment, page);
		bool alone = true;
		for (int k = 0; k < info->dlpi_phnum && alone; k++) {
			const ElfW(Phdr) *other = &headers[k];
			if (other->p_type == PT_LOAD && (other->p_flags & PF_W))
				alone = end_page(info, other, page) <= from || first_page(info, other, page) >= to;
		}
		if (alone && from < to && madvise((void *)from, to - from, MADV_DONTNEED) == 0)
			*sum += to - from;
	}
	return 0;
}

// A debugger's breakpoints are written into the code.
static bool is_traced(void) {
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	bool traced = false;
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "TracerPid:", 10) == 0)
			traced = atoi(line + 10) != 0;
	if (file != NULL)
		fclose(file);
	return traced;
}

size_t mm_rest(void) {
	size_t sum = 0;
	if (!is_traced())
		dl_iterate_phdr(let_go, &sum);
	malloc_trim(0);
	return sum;
}
