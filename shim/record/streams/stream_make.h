/*
 * stream_make.h - make a stream in fresh memory, or in that of a retired one.
 */
#ifndef CULPRIT_RECORD_STREAM_MAKE_H
#define CULPRIT_RECORD_STREAM_MAKE_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"

struct context;
struct stream;

/*
 * Make the stream of the context with this handle. Its row names the thread `tid` as its maker.
 * NULL: no row is left, or no memory. Calls the driver: no lock held. Any thread.
 */
struct stream *stream_make(struct context *context, CUstream handle, enum stream_kind kind,
			   uint32_t tid);

#endif
