/*
 * gpu_image.h - maps a program counter of a core dump to its function and source line, by the
 * images of loaded code in the dump. Any thread.
 */
#ifndef CULPRIT_COREDUMP_GPU_IMAGE_H
#define CULPRIT_COREDUMP_GPU_IMAGE_H

#include "coredump/gpu_coredump.h"
#include "coredump/gpu_line.h"

struct gpu_code {
	const char *function; /* mangled; "": unknown; points into the dump */
	bool is_kernel;       /* a kernel's own code, not a function that it calls */
	struct gpu_line line; /* file "": unknown */
	uint32_t n_callers;   /* if the line is inlined: the lines that call it, outermost last */
	struct gpu_line callers[GPU_LINES_MAX - 1];
};

/*
 * Find the code at `pc`. False, and *out is unknown, if no image has it or two images have
 * different functions there.
 */
bool gpu_code_at(const struct gpu_coredump *dump, uint64_t pc, struct gpu_code *out);

enum { GPU_INSTRUCTION_BYTES = 16 };

/*
 * Find the bytes of the instruction at `pc` and the image that has them. False if no image has
 * them, or only a part.
 */
bool gpu_instruction_at(const struct gpu_coredump *dump, uint64_t pc, struct byte_span *out_image,
			struct byte_span *out_bytes);

/* True if any image has code at `pc`, whether its function is known or not. */
bool gpu_is_code(const struct gpu_coredump *dump, uint64_t pc);

#endif
