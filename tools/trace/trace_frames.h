/*
 * trace_frames.h - a submission's call stack as trace viewers show it: Python's frames, and the
 * native frames inside the innermost of them.
 */
#ifndef CULPRIT_TOOLS_TRACE_FRAMES_H
#define CULPRIT_TOOLS_TRACE_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"

enum { TRACE_MAX_FRAMES = 128, TRACE_FRAME_TEXT = 512 };

/* Texts are printable UTF-8; "" if not known. */
struct trace_frame {
	char function[TRACE_FRAME_TEXT];
	char file[TRACE_FRAME_TEXT]; /* the module if native code has no line numbers */
	uint32_t line;
};

/* Write up to TRACE_MAX_FRAMES frames to `out`, innermost first. Return their number. */
size_t trace_frames(const struct analysis *analysis, uint32_t stack, struct trace_frame *out);

#endif
