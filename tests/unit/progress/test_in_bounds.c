/*
 * test_in_bounds.c - which copies and memsets memory clears, and which it must not.
 */
#include "progress/in_bounds.h"

#include <stdlib.h>

#include "progress/progress_parts.h"
#include "support/check.h"
#include "support/verdict_case.h"

enum { LAUNCH_FAILED = 719, UNKNOWN_CODE = 799 };
enum { BUFFER = 0x10000, SIZE = 0x1000, PINNED = 0x90000 };

/* A kernel on one stream and a copy on another; each is the first on its stream. */
struct story {
	struct verdict_case *c;
	struct journal_record *copy;
	struct range_row *buffer;
	uint32_t stream;
};

static struct story begin(enum work_kind work)
{
	struct story story = {.c = case_begin()};
	struct bundle_builder *builder = &story.c->builder;
	builder_time(builder, 1);
	uint32_t ids[2];
	ids[0] = builder_range(builder, BUFFER, SIZE, 0);
	ids[1] = builder_range(builder, PINNED, SIZE, 0);
	builder_range_row(builder, ids[1])->kind = RANGE_HOST;
	story.buffer = builder_range_row(builder, ids[0]);
	story.buffer->kind = RANGE_DEVICE;
	builder_time(builder, 1);
	case_launch(story.c, case_stream(story.c), 1);
	story.stream = case_stream(story.c);
	story.copy = builder_submit(builder, CASE_TID, story.stream, work);
	story.copy->memory.destination = BUFFER + SIZE - 64;
	story.copy->memory.source = PINNED;
	story.copy->memory.bytes = 64;
	for (int i = 0; i < 2; i++)
		builder_range_row(builder, ids[i])->context =
			builder_stream_row(builder, story.stream)->context;
	return story;
}

static void check_cleared(struct story *story, int32_t code)
{
	case_judge(story->c, code);
	CHECK_VERDICT(story->c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(story->c, EVIDENCE_MEMORY)->count, 1);
	CHECK(!case_evidence(story->c, EVIDENCE_CLASS));
}

static void check_kept(struct story *story, int32_t code)
{
	case_judge(story->c, code);
	CHECK_EQUAL(story->c->verdict.class, VERDICT_NARROWED);
	CHECK(!case_evidence(story->c, EVIDENCE_MEMORY));
}

static void test_cleared(enum work_kind work)
{
	struct story story = begin(work);
	check_cleared(&story, ILLEGAL_ADDRESS);
	story.copy->memory.bytes = 65; /* one beyond its end */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.bytes = UINT64_MAX - 16;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.bytes = 0; /* a shape of its own */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.bytes = 64;
	story.copy->memory.destination = BUFFER - 1;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.destination = BUFFER;
	check_cleared(&story, ILLEGAL_ADDRESS);
	story.copy->memory.bytes = SIZE; /* all of it */
	check_cleared(&story, ILLEGAL_ADDRESS);
	story.copy->memory.bytes = 64;
	story.copy->memory.source = 0x70000; /* no allocation; in other work this is the value */
	if (work == WORK_COPY)
		check_kept(&story, ILLEGAL_ADDRESS);
	else
		check_cleared(&story, ILLEGAL_ADDRESS);
	case_end(story.c);
}

static void test_other_codes(void)
{
	struct story story = begin(WORK_MEMSET);
	check_kept(&story, UNKNOWN_CODE);
	case_end(story.c);
	story = begin(WORK_MEMSET);
	check_cleared(&story, LAUNCH_FAILED);
	case_end(story.c);
}

static void test_memory_that_may_go(void)
{
	static const uint8_t kinds[] = {RANGE_UNKNOWN, RANGE_MANAGED, RANGE_ORDERED, RANGE_GRAPH,
					RANGE_MAPPED,  RANGE_IPC,     RANGE_RESERVED};
	struct story story = begin(WORK_MEMSET);
	for (size_t i = 0; i < sizeof(kinds); i++) {
		story.buffer->kind = kinds[i];
		check_kept(&story, ILLEGAL_ADDRESS);
	}
	story.buffer->kind = RANGE_DEVICE;
	story.buffer->context++;
	check_kept(&story, ILLEGAL_ADDRESS);
	struct context_row *own = builder_context_row(&story.c->builder, story.c->context);
	own->primary = story.buffer->context; /* a green context uses its primary one's memory */
	check_cleared(&story, ILLEGAL_ADDRESS);
	own->primary = 0;
	story.buffer->context--;
	uint32_t context = story.buffer->context;
	story.buffer->context = 0; /* not known: it is no green context's primary */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.buffer->context = context;
	story.buffer->time_ns = story.copy->time_ns + 1; /* made after the call */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.buffer->time_ns--;
	check_cleared(&story, ILLEGAL_ADDRESS);
	story.buffer->time_ns = 0;
	story.buffer->state = RANGE_FREED;
	story.buffer->freed_ns = story.copy->time_ns + 1;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.buffer->freed_ns = builder_failure_row(&story.c->builder)->time_ns;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.buffer->freed_ns++; /* after the failure */
	check_cleared(&story, ILLEGAL_ADDRESS);
	case_end(story.c);
}

/* Rows that no recorder writes, and a stream whose context's row is lost. */
static void test_broken_rows(void)
{
	struct story story = begin(WORK_MEMSET);
	story.buffer->number = 0;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.buffer->number = 1;
	story.buffer->size = UINT64_MAX; /* past the end of all addresses */
	story.copy->memory.destination = 0;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.destination = BUFFER;
	check_cleared(&story, ILLEGAL_ADDRESS);
	builder_stream_row(&story.c->builder, story.stream)->context = 1000;
	check_kept(&story, ILLEGAL_ADDRESS);
	case_end(story.c);
}

/* The destination is the host's, if the call says so and the device cannot use it. */
static void test_copy_to_host(struct story *story)
{
	struct bundle_builder *builder = &story->c->builder;
	uint32_t id = builder_stream_row(builder, story->stream)->context;
	struct record_memory *memory = &story->copy->memory;
	const struct record_memory before = *memory;
	memory->source = before.destination;
	memory->destination = before.source;
	story->copy->call = builder_string(builder, "cuMemcpyHtoD_v2");
	check_kept(story, ILLEGAL_ADDRESS);
	story->copy->call = builder_string(builder, "cuMemcpyDtoH_v2");
	check_cleared(story, ILLEGAL_ADDRESS);
	builder_context_row(builder, id)->flags = 0;
	check_kept(story, ILLEGAL_ADDRESS);
	builder_context_row(builder, id)->flags = CONTEXT_LACKS_HOST_MEMORY;
	*memory = before;
}

/* The other side of a copy is host memory: mapped at the failure, and not known to the driver. */
static void test_pageable(void)
{
	struct story story = begin(WORK_COPY);
	struct bundle_builder *builder = &story.c->builder;
	uint32_t id = builder_stream_row(builder, story.stream)->context;
	struct context_row *context = builder_context_row(builder, id);
	struct range_row *pinned = builder_range_row(builder, 2);
	story.copy->memory.source = 0x70000;
	struct host_mapping_row *mapping = builder_rows(builder, JOURNAL_HOST_MAPPINGS, 2, &id);
	mapping[0] = (struct host_mapping_row){.start = 0x70000, .end = 0x70040};
	mapping[1] = (struct host_mapping_row){.start = 0x70040, .end = 0x70080};
	check_kept(&story, ILLEGAL_ADDRESS);
	context->flags = CONTEXT_LACKS_HOST_MEMORY;
	story.copy->call = builder_string(builder, "cuMemcpyDtoDAsync_v2");
	check_kept(&story, ILLEGAL_ADDRESS); /* a mistake that the GPU meets */
	story.copy->call = builder_string(builder, "cuMemcpyDtoH_v2");
	check_kept(&story, ILLEGAL_ADDRESS); /* of the source */
	story.copy->call = builder_string(builder, "cuMemcpyHtoDAsync_v2");
	story.copy->memory.source = 0x70080; /* after all that is mapped */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.source = 0x6ffc0; /* before it */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.source = 0x70040; /* where one mapping ends and another starts */
	check_cleared(&story, ILLEGAL_ADDRESS);
	story.copy->memory.source = 0x70000;
	test_copy_to_host(&story);
	story.copy->call = builder_string(builder, "cuMemcpyHtoDAsync_v2");
	check_cleared(&story, ILLEGAL_ADDRESS);
	context->flags = 0; /* the device can use it */
	check_kept(&story, ILLEGAL_ADDRESS);
	context->flags = CONTEXT_LACKS_HOST_MEMORY;
	story.copy->memory.source = 0x70001; /* like the rest, in no allocation */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.source = 0x70000;
	pinned->kind = RANGE_ARRAY;
	pinned->start = 0x70000; /* a handle */
	check_cleared(&story, ILLEGAL_ADDRESS);
	pinned->kind = RANGE_REGISTERED;
	pinned->start = 0x70040; /* it starts where the source ends */
	check_cleared(&story, ILLEGAL_ADDRESS);
	pinned->start = 0x7003f; /* the driver knew its last byte, */
	check_kept(&story, ILLEGAL_ADDRESS);
	pinned->state = RANGE_FREED; /* and still did at the call */
	pinned->freed_ns = story.copy->time_ns;
	check_kept(&story, ILLEGAL_ADDRESS);
	pinned->freed_ns--;
	check_cleared(&story, ILLEGAL_ADDRESS);
	pinned->freed_ns++;
	pinned->start = 0x90000; /* others that went since may have been forgotten */
	check_cleared(&story, ILLEGAL_ADDRESS);
	pinned->number = 7;
	check_kept(&story, ILLEGAL_ADDRESS);
	pinned->freed_ns--;
	check_cleared(&story, ILLEGAL_ADDRESS);
	((struct file_header *)(void *)builder->tables[JOURNAL_RANGES].bytes)->lost = 1;
	check_kept(&story, ILLEGAL_ADDRESS);
	case_end(story.c);
}

/* The oldest freed row is dropped first: if one was freed before the call, none has been since. */
static void test_forgotten(void)
{
	for (int older = 0; older <= 2; older++) { /* which of two; 2: none */
		struct story story = begin(WORK_COPY);
		struct bundle_builder *builder = &story.c->builder;
		uint32_t id = builder_stream_row(builder, story.stream)->context;
		builder_context_row(builder, id)->flags = CONTEXT_LACKS_HOST_MEMORY;
		(void)builder_range(builder, 0xa0000, SIZE, 0);
		for (uint32_t i = 0; i < 2; i++) {
			struct range_row *row = builder_range_row(builder, 2 + i);
			row->state = RANGE_FREED;
			row->freed_ns = story.copy->time_ns + 5 - (older == (int)i ? 6 : 0);
			row->number = 8 + i;
		}
		struct host_mapping_row *mapping =
			builder_rows(builder, JOURNAL_HOST_MAPPINGS, 1, &id);
		*mapping = (struct host_mapping_row){.start = 0x70000, .end = 0x70040};
		story.copy->memory.source = 0x70000;
		story.copy->call = builder_string(builder, "cuMemcpyHtoDAsync_v2");
		if (older < 2)
			check_cleared(&story, ILLEGAL_ADDRESS);
		else
			check_kept(&story, ILLEGAL_ADDRESS);
		case_end(story.c);
	}
}

/*
 * No suspect is left: some of the evidence is wrong, so none of it is used, or the culprit is not
 * in the journal.
 */
static void test_nobody(void)
{
	struct story story = begin(WORK_COPY);
	builder_sync(&story.c->builder, case_find(story.c, 1)->stream, 1, "cuStreamSynchronize");
	case_judge(story.c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(story.c, VERDICT_NARROWED, 2);
	CHECK(case_evidence(story.c, EVIDENCE_ALL_CLEARED));
	CHECK(!case_evidence(story.c, EVIDENCE_MEMORY));
	case_end(story.c);
}

/* Work that has no place on its stream is cleared as well. */
static void test_unordered(void)
{
	struct story story = begin(WORK_COPY);
	story.copy->flags = RECORD_UNORDERED;
	story.copy->ordinal = 0;
	builder_stream_row(&story.c->builder, story.stream)->submitted = 0;
	case_judge(story.c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	story.copy->memory.source = 0;
	case_judge(story.c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(story.c, VERDICT_NARROWED, 1);
	case_end(story.c);
}

/* Read the story's progress into scratch memory, which the caller frees. */
static void *read_progress(struct story *story, struct progress *out)
{
	const struct moment moment = {
		.code = ILLEGAL_ADDRESS, .sequence = UINT64_MAX, .time_ns = UINT64_MAX};
	builder_view(&story->c->builder, &story->c->view);
	size_t size = progress_read_scratch(&story->c->view, &moment);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(progress_read(&story->c->view, &moment, false, scratch, size, out), 0);
	limits_raise_done(out);
	limits_find(out, LEVEL_STRICT);
	return scratch;
}

/* The process continues: it overwrites a record with another one of the same memory. */
static void test_overwritten(void)
{
	for (int change = 0; change <= 2; change++) {
		struct story story = begin(WORK_MEMSET);
		struct progress progress;
		void *scratch = read_progress(&story, &progress);
		CHECK_EQUAL(progress.n_open, 2);
		if (change == 1)
			story.copy->sequence++;
		else if (change == 2)
			story.copy->kind = RECORD_CAPTURED;
		in_bounds_mark(&progress);
		CHECK_EQUAL(progress.open[1].is_in_bounds, change == 0);
		free(scratch);
		case_end(story.c);
	}
}

/* The rows after the last one of each table are what earlier tables left in the memory. */
static void test_rows_in_use(void)
{
	struct story story = begin(WORK_MEMSET);
	struct progress progress;
	story.copy->flags = RECORD_UNORDERED;
	builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_MEMSET)->memory =
		story.copy->memory;
	void *scratch = read_progress(&story, &progress);
	CHECK(progress.n_open == 2 && progress.n_unordered == 1);
	progress.open[2] = progress.open[1];
	progress.unordered[1] = progress.unordered[0];
	in_bounds_mark(&progress);
	CHECK(progress.open[1].is_in_bounds && !progress.open[2].is_in_bounds);
	CHECK(progress.unordered[0].open.is_in_bounds);
	CHECK(!progress.unordered[1].open.is_in_bounds);
	free(scratch);
	case_end(story.c);
}

/* Only the first ones are looked at. */
static void test_many(void)
{
	struct story story = begin(WORK_MEMSET);
	struct progress progress;
	const struct record_memory memory = story.copy->memory;
	for (uint32_t i = 1; i <= IN_BOUNDS_MAX; i++)
		builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_MEMSET)->memory =
			memory;
	void *scratch = read_progress(&story, &progress);
	in_bounds_mark(&progress);
	for (uint32_t i = 1; i <= IN_BOUNDS_MAX + 1; i++)
		CHECK_EQUAL(progress.open[i].is_in_bounds, i <= IN_BOUNDS_MAX);
	free(scratch);
	case_end(story.c);
}

int main(void)
{
	test_cleared(WORK_COPY);
	test_cleared(WORK_MEMSET);
	test_cleared(WORK_MEMOP);
	test_other_codes();
	test_memory_that_may_go();
	test_broken_rows();
	test_pageable();
	test_forgotten();
	test_nobody();
	test_unordered();
	test_overwritten();
	test_rows_in_use();
	test_many();
	return 0;
}
