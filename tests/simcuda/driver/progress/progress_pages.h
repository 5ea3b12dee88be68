/*
 * progress_pages.h - the pages that a context shares with the GPU, and the counters that the GPU
 * writes there. All: lock held.
 */
#ifndef SIMCUDA_PROGRESS_PAGES_H
#define SIMCUDA_PROGRESS_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGES_BYTES = 2 << 20 };

struct progress_pages {
	unsigned char *start; /* NULL: not mapped */
	bool is_left;         /* the GPU writes to other pages now */
};

/* Map new pages. They are missing if the host has no memory or descriptor for them. */
void progress_pages_map(struct progress_pages *pages);

/* Unmap the pages, if mapped, and drop delayed writes to them. */
void progress_pages_unmap(struct progress_pages *pages);

/* Fill the pages with zeros, and ignore later writes. */
void progress_pages_blank(struct progress_pages *pages);

/*
 * Write a channel's counter: 16 bytes with the payload and the time when it started. The write is
 * delayed with SIMCUDA_PROGRESS=lag=NS.
 */
void progress_pages_write_channel(struct progress_pages *pages, unsigned offset, uint32_t payload);

/* Perform all delayed writes now. */
void progress_pages_put_all(void);

/* Write a kernel counter, which only increases. */
void progress_pages_write_state(struct progress_pages *pages, unsigned offset, uint32_t value);

#endif
