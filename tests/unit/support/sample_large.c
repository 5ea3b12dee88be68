/*
 * sample_large.c - see sample_large.h.
 */
#include "support/sample_large.h"

enum { RING = 1 << 17, N_STREAMS = 8, EVENT_EVERY = 500 };

struct verdict_case *sample_large_bundle(uint32_t n_works)
{
	struct verdict_case *c = case_begin();
	const uint32_t sizes[] = {8};
	c->builder.ring_capacity = RING;
	uint32_t kernels[2];
	kernels[0] = builder_function(&c->builder, "_Z6updatePf", 1, sizes);
	kernels[1] = builder_function(&c->builder, "_ZN4math7scatterIfEEvPT_S2_", 1, sizes);
	uint32_t streams[N_STREAMS];
	for (uint32_t i = 0; i < N_STREAMS; i++)
		streams[i] = case_stream(c);
	for (uint32_t i = 0; i < n_works; i++) {
		struct journal_record *record =
			builder_submit(&c->builder, CASE_TID, streams[i % N_STREAMS], WORK_KERNEL);
		record->launch.function = kernels[i % 3 == 0];
		record->flags = RECORD_MARKED_INLINE;
		if (i % EVENT_EVERY == 0 && i >= N_STREAMS)
			builder_wait(&c->builder, CASE_TID, streams[(i + 1) % N_STREAMS],
				     streams[i % N_STREAMS], i / N_STREAMS);
	}
	for (uint32_t i = 0; i < N_STREAMS; i++)
		builder_mark(&c->builder, streams[i], n_works / N_STREAMS - 5);
	builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuStreamSynchronize");
	return c;
}
