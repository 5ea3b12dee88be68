/*
 * cubin.h - an ELF file with machine code of the GPU: a section for each kernel, which also has
 * copies of the functions that it calls, or calls some in sections of their own. Foreign input.
 */
#ifndef CULPRIT_TOOLS_CUBIN_H
#define CULPRIT_TOOLS_CUBIN_H

#include <stdbool.h>

#include "verdict/coredump/byte_span.h"
#include "verdict/coredump/elf_sections.h"

struct cubin {
	struct elf_sections sections;
	struct byte_span symbols;
	struct byte_span names;
	struct byte_span calls; /* .nv.callgraph; empty: none that can be used */
	bool is_understood;     /* linked, for an architecture whose calls are known */
};

/*
 * 0; -EBADMSG: no cubin, or one without symbols: nothing can be said of what is in it. The bytes
 * must outlive *out. Any thread.
 */
int cubin_open(struct byte_span file, struct cubin *out);

/* The next kernel's name from symbol *at on, which is moved behind it; NULL: no more. Any thread.
 */
const char *cubin_next_kernel(const struct cubin *cubin, uint64_t *at);

#endif
