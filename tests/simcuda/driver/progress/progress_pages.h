/*
 * progress_pages.h - the pages that a context's driver shares with its GPU, and the words that the
 * GPU writes there. All: lock held.
 */
#ifndef SIMCUDA_PROGRESS_PAGES_H
#define SIMCUDA_PROGRESS_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGES_BYTES = 2 << 20 };

struct progress_pages {
	unsigned char *start; /* NULL: there are none */
	bool is_left;         /* the GPU writes elsewhere now */
};

/* Maps fresh ones. None where the host has no memory or descriptor for them. */
void progress_pages_map(struct progress_pages *pages);

/* Accepts pages that are gone. What the GPU has still to write is dropped. */
void progress_pages_unmap(struct progress_pages *pages);

/* From now on there are zeros, for good. */
void progress_pages_blank(struct progress_pages *pages);

/* Channel's word: 16 bytes, the payload and when that began. Late, where that is asked for. */
void progress_pages_write_channel(struct progress_pages *pages, unsigned offset, uint32_t payload);

/* Writes what is late and due: its thread may not have come to that. */
void progress_pages_put_due(void);

/* A kernel's word, which only grows. */
void progress_pages_write_state(struct progress_pages *pages, unsigned offset, uint32_t value);

#endif
