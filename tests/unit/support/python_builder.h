/*
 * python_builder.h - what the recorder of Python frames adds to a bundle of bundle_builder.h.
 */
#ifndef CULPRIT_TESTS_PYTHON_BUILDER_H
#define CULPRIT_TESTS_PYTHON_BUILDER_H

#include "support/bundle_builder.h"

/* A code object, with `lines_size` bytes of the line table of a Python before 3.10; its row's id.
 */
uint32_t builder_python_code(struct bundle_builder *builder, const char *file, const char *name,
			     uint32_t first_line, const void *lines, uint32_t lines_size);

/* The row of the newest code, or frame; valid until the next one is added. */
struct python_code_row *builder_python_code_row(struct bundle_builder *builder);
struct python_frame_row *builder_python_frame_row(struct bundle_builder *builder);

/* A frame at `position` of the code; its id. */
uint32_t builder_python_frame(struct bundle_builder *builder, uint32_t parent, uint32_t code,
			      uint32_t position);

/* Adds the stack that joins a frame to a native stack (0: none). Returns its id. */
uint32_t builder_python_stack(struct bundle_builder *builder, uint32_t native, uint32_t frame);

#endif
