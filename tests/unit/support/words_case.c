/*
 * words_case.c - builds such cases.
 */
#include "support/words_case.h"

#include "support/check.h"

uint32_t counters_channel;

struct verdict_case *words_begin(uint32_t started)
{
	struct verdict_case *c = case_begin();
	counters_channel = builder_channel(&c->builder, c->context, started);
	return c;
}

struct journal_record *words_submit(struct verdict_case *c, uint32_t stream, enum work_kind work)
{
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, stream, work);
	record->progress.channel = counters_channel;
	record->progress.payload = (uint32_t)record->sequence;
	return record;
}

void words_launch(struct verdict_case *c, uint32_t stream, uint32_t n, uint16_t flags)
{
	for (uint32_t i = 0; i < n; i++)
		words_submit(c, stream, WORK_KERNEL)->flags = flags;
}

struct verdict_case *words_begin_waiting(uint32_t started)
{
	struct verdict_case *c = words_begin(started);
	uint32_t first = case_stream(c);
	uint32_t waiting = case_stream(c);
	words_launch(c, first, 2, 0);
	builder_wait(&c->builder, CASE_TID, waiting, first, 2);
	words_launch(c, waiting, 2, 0);
	return c;
}

void words_set_state(struct verdict_case *c, uint64_t sequence, uint32_t value, uint32_t turn)
{
	struct journal_record *record = case_find(c, sequence);
	record->progress.state = builder_kernel_state(&c->builder, record->stream, value);
	record->progress.turn = turn;
}

void words_check_trouble(const struct verdict_case *c, enum counters_trouble trouble)
{
	const struct evidence *evidence = case_evidence(c, EVIDENCE_DRIVER_REFUSED);
	CHECK_EQUAL(evidence ? evidence->count : 0, trouble);
	CHECK(!evidence || !case_evidence(c, EVIDENCE_DRIVER_STARTED));
}
