/*
 * bundle_code.h - what the code that was loaded tells of the kernels of a bundle: of images that
 * the bundle keeps, and of files, if they are those of the run.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_CODE_H
#define CULPRIT_TOOLS_BUNDLE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/code_line.h"
#include "fault/code_extents.h"
#include "view/bundle_view.h"

/*
 * For each function of the bundle, by its place in its table, bits of enum code_fact and the size
 * of its code. In *out_code and *out_sizes, for bundle_code_free(); returns how many there are,
 * from 0 on; 0 and NULL without memory. Reads files, decompresses: it may take seconds.
 */
uint32_t bundle_code_read(const struct bundle_view *view, uint8_t **out_code,
			  struct code_size **out_sizes);
void bundle_code_free(uint8_t *code, struct code_size *sizes, uint32_t n);

/*
 * Find the source line at `offset` of a function's code. False: it was not compiled with line
 * information, its code is not here, or versions of it have different lines. Reads files.
 */
bool bundle_code_line(const struct bundle_view *view, uint32_t function, uint64_t offset,
		      struct code_line *out);

#endif
