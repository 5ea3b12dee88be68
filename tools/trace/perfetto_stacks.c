/*
 * perfetto_stacks.c - number the stacks, and the frames, functions and files that they refer to.
 */
#include "trace/trace_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/perfetto_fields.h"

static uint64_t add_text(struct perfetto_stacks *stacks, struct interned *table, const char *text,
			 uint32_t field, struct protobuf *interned)
{
	bool is_new = false;
	uint64_t id = interned_id(table, text, &is_new);
	stacks->is_out_of_memory |= !id;
	if (!is_new)
		return id;
	size_t begun = protobuf_begin(interned, field);
	protobuf_add_number(interned, INTERNED_ID, id);
	protobuf_add_string(interned, INTERNED_TEXT, text);
	protobuf_end(interned, begun);
	return id;
}

static uint64_t add_frame(struct perfetto_stacks *stacks, const struct trace_frame *frame,
			  struct protobuf *interned)
{
	uint64_t function = add_text(stacks, &stacks->functions, frame->function,
				     INTERNED_FUNCTION_NAMES, interned);
	uint64_t path =
		add_text(stacks, &stacks->paths, frame->file, INTERNED_SOURCE_PATHS, interned);
	char key[96];
	snprintf(key, sizeof(key), "%" PRIu64 " %" PRIu64 " %" PRIu32, function, path, frame->line);
	bool is_new = false;
	uint64_t id = interned_id(&stacks->frames, key, &is_new);
	stacks->is_out_of_memory |= !id;
	if (!is_new)
		return id;
	size_t begun = protobuf_begin(interned, INTERNED_FRAMES);
	protobuf_add_number(interned, INTERNED_ID, id);
	protobuf_add_number(interned, FRAME_FUNCTION, function);
	protobuf_add_number(interned, FRAME_SOURCE_PATH, path);
	if (frame->line)
		protobuf_add_number(interned, FRAME_LINE, frame->line);
	protobuf_end(interned, begun);
	return id;
}

/* Append a new stack. Perfetto wants the outermost frame first. */
static void add_stack(struct perfetto_stacks *stacks, uint32_t stack, uint64_t id,
		      struct protobuf *interned)
{
	struct trace_frame *frames = calloc(TRACE_MAX_FRAMES, sizeof(*frames));
	size_t n = frames ? trace_frames(stacks->analysis, stack, frames) : 0;
	stacks->is_out_of_memory |= !frames;
	uint64_t ids[TRACE_MAX_FRAMES];
	for (size_t index = 0; index < n; index++)
		ids[index] = add_frame(stacks, &frames[index], interned);
	free(frames);
	size_t begun = protobuf_begin(interned, INTERNED_CALLSTACKS);
	protobuf_add_number(interned, INTERNED_ID, id);
	for (size_t index = n; index > 0; index--)
		protobuf_add_number(interned, CALLSTACK_FRAMES, ids[index - 1]);
	protobuf_end(interned, begun);
}

uint64_t perfetto_stack(struct perfetto_stacks *stacks, uint32_t stack, struct protobuf *interned)
{
	if (!stack)
		return 0;
	char key[16];
	snprintf(key, sizeof(key), "%" PRIu32, stack);
	bool is_new = false;
	uint64_t id = interned_id(&stacks->stacks, key, &is_new);
	stacks->is_out_of_memory |= !id;
	if (is_new)
		add_stack(stacks, stack, id, interned);
	return id;
}

void perfetto_stacks_free(struct perfetto_stacks *stacks)
{
	interned_free(&stacks->stacks);
	interned_free(&stacks->frames);
	interned_free(&stacks->functions);
	interned_free(&stacks->paths);
}
