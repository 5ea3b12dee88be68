/*
 * stream_make.h - the beginning of a stream's life, in fresh memory or in that of a retired one.
 */
#ifndef CULPRIT_RECORD_STREAM_MAKE_H
#define CULPRIT_RECORD_STREAM_MAKE_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"

struct context;
struct stream;

/*
 * A stream of the context with this handle, described in its row as made by the thread `tid`. NULL:
 * no row is left, or no memory. Calls the driver: no lock held. Any thread.
 */
struct stream *stream_make(struct context *context, CUstream handle, enum stream_kind kind,
			   uint32_t tid);

#endif
