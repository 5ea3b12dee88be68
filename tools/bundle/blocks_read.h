/*
 * blocks_read.h - read the bundle's list of blocks in PyTorch's memory pool. The Python package
 * writes it; like all of a bundle, it is not trusted.
 */
#ifndef CULPRIT_TOOLS_BLOCKS_READ_H
#define CULPRIT_TOOLS_BLOCKS_READ_H

#include <jansson.h>

#include "memory/memory_blocks.h"

/*
 * Read the list from the bundle's directory. Return 0 with the blocks (the caller calls free()) and
 * the object that owns their strings (the caller calls json_decref()). Return -ENOENT if there is
 * no list, or another -errno. *out_reason then describes the problem. Invalid blocks are left out.
 */
int blocks_read(int directory_fd, struct memory_blocks **out_blocks, json_t **out_owner,
		const char **out_reason);

/* Call `mask` for the name of each file and function; it changes the bytes in place. */
void blocks_mask(struct memory_blocks *blocks, void (*mask)(void *state, char *bytes, size_t size),
		 void *state);

#endif
