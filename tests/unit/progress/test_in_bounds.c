/*
 * test_in_bounds.c - which copies and memsets memory clears, and which it must not.
 */
#include "support/check.h"
#include "support/verdict_case.h"

enum { UNKNOWN_CODE = 799 };
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
	story.copy->memory.source = 0x70000; /* no allocation; in other work this is the value */
	if (work == WORK_COPY)
		check_kept(&story, ILLEGAL_ADDRESS);
	else
		check_cleared(&story, ILLEGAL_ADDRESS);
	case_end(story.c);
}

static void test_unknown_code(void)
{
	struct story story = begin(WORK_MEMSET);
	check_kept(&story, UNKNOWN_CODE);
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
	story.buffer->time_ns = 0;
	story.buffer->state = RANGE_FREED;
	story.buffer->freed_ns = story.copy->time_ns + 1;
	check_kept(&story, ILLEGAL_ADDRESS);
	story.buffer->freed_ns = UINT64_MAX; /* after the failure */
	check_cleared(&story, ILLEGAL_ADDRESS);
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
	struct host_mapping_row *mapping = builder_rows(builder, JOURNAL_HOST_MAPPINGS, 1, &id);
	*mapping = (struct host_mapping_row){.start = 0x70000, .end = 0x70040};
	check_kept(&story, ILLEGAL_ADDRESS);
	context->flags = CONTEXT_LACKS_HOST_MEMORY;
	story.copy->call = builder_string(builder, "cuMemcpyDtoDAsync_v2");
	check_kept(&story, ILLEGAL_ADDRESS); /* a mistake that the GPU meets */
	story.copy->call = builder_string(builder, "cuMemcpyDtoH_v2");
	check_kept(&story, ILLEGAL_ADDRESS); /* of the source */
	test_copy_to_host(&story);
	story.copy->call = builder_string(builder, "cuMemcpyHtoDAsync_v2");
	check_cleared(&story, ILLEGAL_ADDRESS);
	story.copy->memory.source = 0x70001; /* like the rest, in no allocation */
	check_kept(&story, ILLEGAL_ADDRESS);
	story.copy->memory.source = 0x70000;
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
	case_end(story.c);
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

int main(void)
{
	test_cleared(WORK_COPY);
	test_cleared(WORK_MEMSET);
	test_cleared(WORK_MEMOP);
	test_unknown_code();
	test_memory_that_may_go();
	test_pageable();
	test_nobody();
	test_unordered();
	return 0;
}
