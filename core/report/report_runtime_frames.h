/*
 * report_runtime_frames.h - which native frames are not the user's: those of runtimes, of the code
 * that nvcc generates, of Python itself, and of libraries that are headers.
 */
#ifndef CULPRIT_REPORT_REPORT_RUNTIME_FRAMES_H
#define CULPRIT_REPORT_REPORT_RUNTIME_FRAMES_H

#include "report/report_model.h"

/* True for runtime frames, by the module or by the frame's function (NULL: unknown). */
bool report_is_runtime_frame(const char *module_path, const struct source_frame *frame);

/* True for a frame of the CUDA runtime, as far as its names are known. */
bool report_is_runtime_launch(const char *module_path, const struct source_frame *frame);

/* True if the module is part of Python itself, or of how it calls C. */
bool report_is_interpreter(const char *module_path);

/*
 * True for a frame whose source is a header of the system, the toolkit or a known template library,
 * such as Thrust. It is in the user's module, but the user did not write it.
 */
bool report_is_library_header(const struct source_frame *frame);

enum { REPORT_STUB_NAME = 128 };

/* The walk along a stack, for report_is_generated(). It starts with zeros. */
struct stub_walk {
	char kernel[REPORT_STUB_NAME]; /* of the stub that was the last frame; "" if it was no stub
					*/
};

/*
 * True for the stub that nvcc generates for a kernel, and for the host function with the kernel's
 * name that calls it. Call this for each frame of a stack (NULL: unknown), innermost first.
 * `symbols` may be NULL.
 */
bool report_is_generated(struct stub_walk *walk, const struct symbol_source *symbols,
			 const struct source_frame *frame);

#endif
