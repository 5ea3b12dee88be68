/*
 * gpu_image.h - where code of the GPU comes from: a program counter of a core dump to the function
 * around it, by the images of loaded code in the dump. Any thread.
 */
#ifndef CULPRIT_VERDICT_GPU_IMAGE_H
#define CULPRIT_VERDICT_GPU_IMAGE_H

#include "verdict/coredump/gpu_coredump.h"
#include "verdict/coredump/gpu_line.h"

struct gpu_code {
	const char *function; /* mangled; "" unknown; lies in the dump */
	bool is_kernel;       /* a kernel's own code, not a function that kernels call */
	struct gpu_line line; /* file "" unknown */
};

/*
 * Finds the code at `pc`. False, with nothing known, if no image has it, or if two images have
 * different functions there.
 */
bool gpu_code_at(const struct gpu_coredump *dump, uint64_t pc, struct gpu_code *out);

/* Does any image have code at `pc`, of a known function or not? */
bool gpu_is_code(const struct gpu_coredump *dump, uint64_t pc);

#endif
