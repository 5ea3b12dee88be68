/*
 * trace_frames.h - the call stack of a submission as the viewers of traces show one: Python's
 * frames, and inside the innermost of them native ones.
 */
#ifndef CULPRIT_TOOLS_TRACE_FRAMES_H
#define CULPRIT_TOOLS_TRACE_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "bundle/analysis.h"

enum { TRACE_MAX_FRAMES = 128, TRACE_FRAME_TEXT = 512 };

/* Texts are UTF-8 and harmless; "" for what is not known. */
struct trace_frame {
	char function[TRACE_FRAME_TEXT];
	char file[TRACE_FRAME_TEXT]; /* of native code without lines the module */
	uint32_t line;
};

/* Up to TRACE_MAX_FRAMES of them into `out`, the innermost one first; returns how many. */
size_t trace_frames(const struct analysis *analysis, uint32_t stack, struct trace_frame *out);

#endif
