/*
 * cubin.h - an ELF file with GPU machine code. Each kernel has a section, which also contains
 * copies of functions that it calls; other functions have their own sections. The file is not
 * trusted.
 */
#ifndef CULPRIT_TOOLS_CUBIN_H
#define CULPRIT_TOOLS_CUBIN_H

#include <stdbool.h>

#include "coredump/byte_span.h"
#include "coredump/elf_sections.h"

struct cubin {
	struct elf_sections sections;
	struct byte_span symbols;
	struct byte_span names;
	struct byte_span calls; /* .nv.callgraph; empty: missing or unusable */
	bool is_understood;     /* linked, and its architecture's calls are known */
	uint8_t architecture;   /* 90 for sm_90; 0: unknown */
};

/*
 * Open a cubin. Return 0, or -EBADMSG if it is not a cubin or has no symbols. The bytes must
 * outlive *out. Thread-safe.
 */
int cubin_open(struct byte_span file, struct cubin *out);

/* Return the architecture that code of this file is for, 90 for sm_90; 0: unknown. Thread-safe. */
uint8_t cubin_architecture(struct byte_span file);

/*
 * Return the name of the next kernel from symbol *at on, and set *at to the symbol after it. Return
 * NULL at the end. Thread-safe.
 */
const char *cubin_next_kernel(const struct cubin *cubin, uint64_t *at);

#endif
