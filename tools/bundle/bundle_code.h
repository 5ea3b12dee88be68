/*
 * bundle_code.h - facts about a bundle's kernels from their code: from images that the bundle
 * keeps, and from files if these are still the files of the run.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_CODE_H
#define CULPRIT_TOOLS_BUNDLE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/code_access.h"
#include "code/code_line.h"
#include "fault/code_extents.h"
#include "view/bundle_view.h"

/*
 * For each function of the bundle, by its index in its table, finds bits of enum code_fact and the
 * size of its code. Stores them in *out_code and *out_sizes, which the caller frees. Returns their
 * number, from index 0; 0 and NULL if out of memory. Reads and decompresses files, which may take
 * seconds.
 */
uint32_t bundle_code_read(const struct bundle_view *view, uint8_t **out_code,
			  struct code_size **out_sizes);
void bundle_code_free(uint8_t *code, struct code_size *sizes, uint32_t n);

/*
 * Find the source line at `offset` of a function's code, and the instruction there. Returns false
 * if the code has no line information, is not here, or has versions with different lines. Without
 * the code, or if its versions differ, *out_instruction is none. Reads files. The caller frees *out
 * with code_line_free.
 */
bool bundle_code_line(const struct bundle_view *view, uint32_t function, uint64_t offset,
		      struct code_line *out, struct code_instruction *out_instruction);

#endif
