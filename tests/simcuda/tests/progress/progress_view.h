/*
 * progress_view.h - the driver's progress as a tool would see it: by addresses and offsets, with
 * nothing of the driver's own headers.
 */
#ifndef SIMCUDA_PROGRESS_VIEW_H
#define SIMCUDA_PROGRESS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <cuda.h>

enum { KIND_PLAIN = 1, KIND_KERNEL = 3, KIND_HOST = 0x10 };

/* Channels that copy from and to pinned memory, behind the eight of the streams. */
enum { TO_DEVICE = 9, TO_HOST = 12 };

/* The first entry of a tracker. */
struct entry {
	uint32_t kind, garbage;
	uint64_t pairs[2][2]; /* an object and a value */
};

/* What the cases start with. */
struct ground {
	char *pages;
	CUstream stream; /* the first one */
	CUdeviceptr data;
	int *pinned; /* 64 zeros */
};

/* Every function has been launched that the cases launch, so that none is loaded later. */
void view_start(struct ground *out);

CUstream view_make_stream(void);

/* A kernel that does next to nothing. */
void view_launch_add(const struct ground *ground, CUstream stream);

/* How many mappings there are that the driver shares with the GPU. */
int view_count_pages(void);

/* The only one. */
char *view_pages(void);

uint64_t view_word(const void *object, size_t offset);

/* What the channel's word shows, 0 where there are no pages. */
uint32_t view_begun(const char *pages, unsigned channel);

/* Behind a stream's handle, and for the legacy stream behind that of its context. */
const char *view_object(CUstream stream);
const char *view_legacy_object(void);

const char *view_tracker(const char *object);
struct entry view_entry(CUstream stream);

/* The pair that names the channel. */
const uint64_t *view_channel_pair(const struct entry *entry);
uint32_t view_payload(CUstream stream);
unsigned view_channel(CUstream stream);

/* The word of the kernel that the stream's newest submission uses. */
const uint32_t *view_state(CUstream stream);

uint32_t view_state_value(const uint32_t *place);

#endif
