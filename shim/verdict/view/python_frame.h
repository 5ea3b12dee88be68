/*
 * python_frame.h - one frame of Python out of the journal: its function and line, whose code it is,
 * and its file as people name it.
 */
#ifndef CULPRIT_VERDICT_PYTHON_FRAME_H
#define CULPRIT_VERDICT_PYTHON_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/view/bundle_view.h"

/* Foreign bytes, not ended by a NUL. */
struct python_text {
	const char *bytes;
	size_t length;
};

/* Whose code it is, as far as its file's name tells; of code made from a string, its caller's. */
enum python_origin {
	PYTHON_USER,
	PYTHON_LIBRARY, /* installed packages, the standard library, Python's own frozen modules */
	PYTHON_GENERATED, /* written by torch.compile or torch.fx: neither wrote the line by hand */
};

/* Texts are the bundle's and live as long as its bytes. */
struct python_frame {
	struct python_text file; /* co_filename; length 0: unknown */
	struct python_text function;
	uint32_t line; /* 0 unknown */
	uint32_t first_line;
	enum python_origin origin;
	struct python_text package; /* of a library, within `file`: "torch"; length 0: unknown */
};

/*
 * Frame `id` of python-frames; one of unknown file and function where the bundle contradicts
 * itself. Any thread.
 */
void python_frame_read(const struct bundle_view *view, uint32_t id, struct python_frame *out);

/* Is it no frame, but stands for callers that were left out? Any thread. */
bool python_frame_is_cut(const struct bundle_view *view, uint32_t id);

/* Its origin alone, without the work of decoding lines. Any thread. */
enum python_origin python_frame_origin(const struct bundle_view *view, uint32_t id);

/*
 * The file as people say it, a part of frame->file: from `directory` (that of the process; NULL
 * unknown) on if it lies below it, from its package on in a library, else its last components. Any
 * thread.
 */
struct python_text python_frame_short_file(const struct python_frame *frame, const char *directory);

#endif
