/*
 * blocks_read.c - read PyTorch's blocks from JSON; invalid blocks are left out.
 */
#include "bundle/bundle_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bundle_names.h"
#include "files/input.h"

enum { MAX_BYTES = 1 << 20, MAX_STRING = 1024, HEX = 16 };

/* Read an address like "0x7f3a00001200". Return 0 if it is invalid. */
static uint64_t read_address(const json_t *value)
{
	const char *text = json_string_value(value);
	if (!text || strncmp(text, "0x", 2) != 0 || strlen(text) > 2 + HEX ||
	    strspn(text + 2, "0123456789abcdef") != strlen(text + 2))
		return 0;
	char *end = NULL;
	uint64_t address = strtoull(text, &end, HEX);
	return address;
}

/* Return a string, or "" if the value is not a string or is too long. */
static const char *read_string(const json_t *value)
{
	return json_is_string(value) && json_string_length(value) <= MAX_STRING
		       ? json_string_value(value)
		       : "";
}

static uint32_t read_line(const json_t *value)
{
	json_int_t line = json_integer_value(value);
	return line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
}

static void read_stack(const json_t *frames, struct memory_block_stack *out)
{
	size_t index = 0;
	const json_t *frame = NULL;
	json_array_foreach(frames, index, frame)
	{
		if (out->n == MEMORY_MAX_BLOCK_FRAMES || !json_is_object(frame))
			return;
		out->frames[out->n++] = (struct memory_block_frame){
			.file = read_string(json_object_get(frame, "file")),
			.function = read_string(json_object_get(frame, "function")),
			.line = read_line(json_object_get(frame, "line")),
		};
	}
}

static bool read_state(const json_t *value, enum memory_block_state *out)
{
	const char *word = json_string_value(value);
	for (enum memory_block_state state = 0; word && state < N_MEMORY_BLOCK_STATES; state++) {
		if (strcmp(word, memory_block_label(state)) != 0)
			continue;
		*out = state;
		return true;
	}
	return false;
}

static bool read_block(const json_t *value, struct memory_block *out)
{
	json_int_t size = json_integer_value(json_object_get(value, "size"));
	memset(out, 0, sizeof(*out));
	out->start = read_address(json_object_get(value, "start"));
	if (!out->start || size <= 0 || (uint64_t)size > UINT64_MAX - out->start ||
	    !read_state(json_object_get(value, "state"), &out->state))
		return false;
	out->size = (uint64_t)size;
	read_stack(json_object_get(value, "allocated"), &out->allocated);
	if (out->state != MEMORY_BLOCK_IN_USE)
		read_stack(json_object_get(value, "freed"), &out->freed);
	return true;
}

static void read_blocks(const json_t *list, struct memory_blocks *out)
{
	size_t index = 0;
	const json_t *value = NULL;
	json_array_foreach(list, index, value)
	{
		if (out->n == MEMORY_MAX_BLOCKS)
			return;
		out->n += read_block(value, &out->rows[out->n]) ? 1 : 0;
	}
}

int blocks_read(int directory_fd, struct memory_blocks **out_blocks, json_t **out_owner,
		const char **out_reason)
{
	size_t size = 0;
	char *bytes = NULL;
	int result = input_read_file(directory_fd, BUNDLE_BLOCKS_NAME, MAX_BYTES, &bytes, &size);
	if (result) {
		*out_reason = input_error_text(result);
		return result;
	}
	json_t *owner = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	struct memory_blocks *blocks = calloc(1, sizeof(*blocks));
	if (!owner || !blocks || !json_is_array(json_object_get(owner, "blocks"))) {
		*out_reason = "is not a list of memory blocks";
		json_decref(owner);
		free(blocks);
		return -EBADMSG;
	}
	read_blocks(json_object_get(owner, "blocks"), blocks);
	*out_blocks = blocks;
	*out_owner = owner;
	return 0;
}

static void mask_stack(struct memory_block_stack *stack,
		       void (*mask)(void *state, char *bytes, size_t size), void *state)
{
	for (uint32_t i = 0; i < stack->n; i++) {
		const struct memory_block_frame *frame = &stack->frames[i];
		/* The JSON object owns the bytes, but an empty string may be a constant. */
		if (*frame->file)
			mask(state, (char *)(uintptr_t)frame->file, strlen(frame->file));
		if (*frame->function)
			mask(state, (char *)(uintptr_t)frame->function, strlen(frame->function));
	}
}

void blocks_mask(struct memory_blocks *blocks, void (*mask)(void *state, char *bytes, size_t size),
		 void *state)
{
	for (uint32_t i = 0; blocks && i < blocks->n; i++) {
		mask_stack(&blocks->rows[i].allocated, mask, state);
		mask_stack(&blocks->rows[i].freed, mask, state);
	}
}
