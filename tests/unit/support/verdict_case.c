/*
 * verdict_case.c - see verdict_case.h.
 */
#include "support/verdict_case.h"

#include <stdlib.h>

#include "progress/progress_parts.h"
#include "support/check.h"

enum { CASE_RING_CAPACITY = 256 };

struct verdict_case *case_begin(void)
{
	static struct verdict_case c;
	c.is_failed_late = false;
	c.n_streams = 0;
	builder_begin(&c.builder, CASE_RING_CAPACITY);
	c.context = builder_context(&c.builder, 0, "Test GPU");
	builder_thread(&c.builder, CASE_TID, "main");
	return &c;
}

uint32_t case_stream(struct verdict_case *c)
{
	return builder_stream(&c->builder, c->context, STREAM_EXPLICIT, STREAM_NON_BLOCKING,
			      0x5000 + 0x10 * (uint64_t)c->n_streams++);
}

uint64_t case_launch_flagged(struct verdict_case *c, uint32_t stream, uint32_t n, uint16_t flags)
{
	uint64_t first = c->builder.sequence + 1;
	for (uint32_t i = 0; i < n; i++)
		builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL)->flags = flags;
	return first;
}

uint64_t case_launch(struct verdict_case *c, uint32_t stream, uint32_t n)
{
	return case_launch_flagged(c, stream, n, 0);
}

struct journal_record *case_find(struct verdict_case *c, uint64_t sequence)
{
	struct journal_record *records =
		(struct journal_record *)(void *)(c->builder.rings[0].bytes +
						  sizeof(struct file_header));
	for (uint64_t i = 0; i < c->builder.ring_capacity; i++) {
		if (records[i].commit && records[i].kind == RECORD_SUBMISSION &&
		    records[i].sequence == sequence)
			return &records[i];
	}
	return NULL;
}

const struct verdict *case_judge(struct verdict_case *c, int32_t code)
{
	if (!c->builder.tables[JOURNAL_FAILURE].bytes) {
		builder_fail(&c->builder, code, CASE_TID, "cuCtxSynchronize");
		c->is_failed_late = true;
	} else if (c->is_failed_late) {
		builder_failure_row(&c->builder)->sequence = c->builder.sequence;
	}
	builder_view(&c->builder, &c->view);
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute(&c->view, scratch, size, &c->verdict), 0);
	free(scratch);
	return &c->verdict;
}

const struct evidence *case_evidence(const struct verdict_case *c, enum evidence_kind kind)
{
	for (uint32_t i = 0; i < c->verdict.n_evidence; i++) {
		if (c->verdict.evidence[i].kind == kind)
			return &c->verdict.evidence[i];
	}
	return NULL;
}

bool case_suspects(const struct verdict_case *c, uint64_t sequence)
{
	for (uint64_t i = 0; i < c->verdict.n_suspects && i < VERDICT_MAX_SUSPECTS; i++) {
		if (c->verdict.suspects[i].record.sequence == sequence)
			return true;
	}
	return false;
}

void case_end(struct verdict_case *c)
{
	builder_end(&c->builder);
}

void case_check_unknown(const struct verdict_case *c, enum unknown_reason reason)
{
	CHECK_EQUAL(c->verdict.class, VERDICT_UNKNOWN);
	CHECK_EQUAL(c->verdict.unknown_reason, reason);
	CHECK_EQUAL(c->verdict.n_suspects, 0);
}

void *case_read_progress(struct verdict_case *c, const struct moment *moment, struct progress *out)
{
	builder_view(&c->builder, &c->view);
	CHECK(!view_failure(&c->view));
	size_t size = progress_read_scratch(&c->view, moment);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(progress_read(&c->view, moment, false, scratch, size, out), 0);
	limits_raise_done(out);
	limits_find(out, LEVEL_STRICT);
	limits_find(out, LEVEL_LIKELY);
	return scratch;
}
