/*
 * progress_view.h - the driver's progress counters as a tool reads them: by addresses and offsets,
 * without the driver's headers.
 */
#ifndef SIMCUDA_PROGRESS_VIEW_H
#define SIMCUDA_PROGRESS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <cuda.h>

enum { KIND_PLAIN = 1, KIND_KERNEL = 3, KIND_HOST = 0x10 };

/* Channels for copies from and to pinned memory, after the streams' eight channels. */
enum { TO_DEVICE = 9, TO_HOST = 12 };

/* The first entry of a tracker. */
struct entry {
	uint32_t kind, garbage;
	uint64_t pairs[2][2]; /* an object and a value */
};

/* The common state of the cases. */
struct ground {
	char *pages;
	CUstream stream; /* the first one */
	CUdeviceptr data;
	int *pinned; /* 64 zeros */
};

/* Start a case. All functions are launched once, so that no later launch has to load one. */
void view_start(struct ground *out);

CUstream view_make_stream(void);

/* Launch a kernel that does almost nothing. */
void view_launch_add(const struct ground *ground, CUstream stream);

/* Return the number of mappings that the driver shares with the GPU. */
int view_count_pages(void);

/* Return the address of the only one. */
char *view_pages(void);

uint64_t view_word(const void *object, size_t offset);

/* Return the payload of the channel's counter, or 0 without pages. */
uint32_t view_begun(const char *pages, unsigned channel);

/* Return a stream's object by its handle, and the legacy stream's by its context's handle. */
const char *view_object(CUstream stream);
const char *view_legacy_object(void);

const char *view_tracker(const char *object);
struct entry view_entry(CUstream stream);

/* Return the pair of an entry that names the channel. */
const uint64_t *view_channel_pair(const struct entry *entry);
uint32_t view_payload(CUstream stream);
unsigned view_channel(CUstream stream);

/* Return the kernel counter that the stream's newest submission uses. */
const uint32_t *view_state(CUstream stream);

uint32_t view_state_value(const uint32_t *place);

#endif
