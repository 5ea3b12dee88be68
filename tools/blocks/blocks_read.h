/*
 * blocks_read.h - the file of a bundle in which PyTorch told of its blocks: written by the Python
 * package, foreign input as all of a bundle is.
 */
#ifndef CULPRIT_TOOLS_BLOCKS_READ_H
#define CULPRIT_TOOLS_BLOCKS_READ_H

#include <jansson.h>

#include "verdict/memory/memory_blocks.h"

/*
 * Reads it in the bundle's directory: 0, with the blocks and the object that holds their strings,
 * both the caller's (free, json_decref); -ENOENT: there is none. Else -errno, and a reason that can
 * be told of the file. Blocks that contradict themselves are left out.
 */
int blocks_read(int directory_fd, struct memory_blocks **out_blocks, json_t **out_owner,
		const char **out_reason);

/* Gives each string that a file system or a person has named to `mask`, which changes it in place.
 */
void blocks_mask(struct memory_blocks *blocks, void (*mask)(void *state, char *bytes, size_t size),
		 void *state);

#endif
