/*
 * test_range_order.c - memory as it was when a launch was made, by the order of calls and streams.
 */
#include "memory/memory_find.h"
#include "memory/memory_pointer.h"
#include "progress/anomaly.h"
#include "progress/range_order.h"
#include "support/bundle_builder.h"
#include "support/check.h"

enum { TID = 1, OTHER_TID = 2, SIZE = 4096, MS = 1000000 };

static const uint64_t MEMORY = UINT64_C(0x700000000000);

static struct bundle_builder builder;
static struct bundle_view view;
static uint32_t context, function, user, freer, between, legacy;
static struct range_row *range;
static struct journal_record launch;

static uint32_t make_stream(enum stream_kind kind, uint32_t flags)
{
	return builder_stream(&builder, context, kind, flags, 0);
}

/* Launch a kernel with stream-ordered memory that was allocated before. */
static void begin(void)
{
	static const uint32_t sizes[] = {8};
	builder_begin(&builder, 16);
	context = builder_context(&builder, 0, "GPU");
	user = make_stream(STREAM_EXPLICIT, STREAM_NON_BLOCKING);
	freer = make_stream(STREAM_EXPLICIT, STREAM_NON_BLOCKING);
	between = make_stream(STREAM_EXPLICIT, STREAM_NON_BLOCKING);
	legacy = make_stream(STREAM_LEGACY, 0);
	function = builder_function(&builder, "kernel", 1, sizes);
	range = builder_range_row(&builder, builder_range(&builder, MEMORY, SIZE, 0));
	range->kind = RANGE_ORDERED;
	range->tid = TID;
	(void)builder_submit(&builder, TID, user, WORK_KERNEL);
	launch = *builder_launch(&builder, TID, user, function, &MEMORY, sizeof(MEMORY));
}

static struct journal_record *submit(uint32_t stream)
{
	return builder_submit(&builder, TID, stream, WORK_KERNEL);
}

/* The range is freed after all that was submitted. */
static void free_range(const char *call, uint32_t stream)
{
	range->state = RANGE_FREED;
	range->freed_call = builder_string(&builder, call);
	range->freed_stream = stream;
	range->freed_tid = TID;
	range->freed_after = submit(between)->sequence;
	range->freed_ns = UINT64_C(1) << 60;
}

static enum place place(void)
{
	struct range_row found;
	uint64_t distance = 0;
	const struct range_moment at = range_moment_of(&launch);
	builder_view(&builder, &view);
	return memory_find_place(&view, MEMORY + 8, &at, &found, &distance);
}

static void check(enum place expected)
{
	CHECK_EQUAL(place(), expected);
	builder_end(&builder);
}

static void test_freed_before(void)
{
	begin();
	free_range("cuMemFreeAsync", user);
	range->freed_after = launch.sequence - 1;
	check(PLACE_FREED);
}

static void test_freed_later_in_order(void)
{
	begin();
	free_range("cuMemFreeAsync", user);
	check(PLACE_INSIDE);
	begin();
	free_range("cuMemFreeAsync", user);
	range->freed_after = launch.sequence; /* the next call */
	check(PLACE_INSIDE);
	begin();
	range->kind = RANGE_DEVICE;
	free_range("cuMemFree_v2", 0); /* waits for the work */
	check(PLACE_INSIDE);
	begin();
	free_range("cuCtxDestroy_v2", 0);
	check(PLACE_INSIDE);
}

static void test_freed_in_flight(void)
{
	begin();
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin();
	range->kind = RANGE_MAPPED;
	free_range("cuMemUnmap", 0);
	check(PLACE_IN_FLIGHT);
	begin();
	free_range("cuMemFree_v2", 0);
	check(PLACE_IN_FLIGHT);
}

/* The graph frees its memory when it runs. */
static void test_graph(void)
{
	begin();
	range->kind = RANGE_GRAPH;
	free_range("cuMemFreeAsync", user);
	range->freed_after = launch.sequence - 1;
	check(PLACE_INSIDE);
}

static void test_events(void)
{
	begin();
	(void)builder_wait(&builder, TID, freer, user, launch.ordinal);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin(); /* the event is older than the launch */
	(void)builder_wait(&builder, TID, freer, user, launch.ordinal - 1);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin(); /* over a third stream, and the ring's order is not that of the way */
	(void)submit(between);
	(void)builder_wait(&builder, OTHER_TID, freer, between, 2);
	(void)builder_wait(&builder, TID, between, user, launch.ordinal);
	(void)submit(between);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin(); /* the third stream's event is older than its wait */
	(void)submit(between);
	(void)builder_wait(&builder, TID, freer, between, 1);
	(void)submit(between);
	(void)builder_wait(&builder, TID, between, user, launch.ordinal);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin(); /* the third stream is reached late at first, and then earlier */
	builder_wait(&builder, TID, between, user, launch.ordinal)->ordinal = 3;
	builder_wait(&builder, TID, between, user, launch.ordinal)->ordinal = 1;
	(void)builder_wait(&builder, TID, freer, between, 2);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin(); /* the stream waits after it has freed the memory */
	free_range("cuMemFreeAsync", freer);
	(void)submit(between);
	(void)builder_wait(&builder, TID, freer, user, launch.ordinal);
	check(PLACE_IN_FLIGHT);
}

/* Nothing is claimed if something else may order the streams, or if not all is known. */
static void test_unknown_order(void)
{
	begin();
	(void)builder_wait(&builder, TID, between, 0, 0);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin();
	(void)builder_submit(&builder, TID, freer, WORK_MEMOP);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin();
	free_range("cuMemFreeAsync", 0); /* as in older bundles */
	check(PLACE_INSIDE);
	begin();
	launch.flags |= RECORD_UNORDERED;
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin(); /* the ring has wrapped */
	for (int i = 0; i < 40; i++)
		(void)submit(user);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
}

/* The way leads over so many streams that it is not followed to its end. */
static void test_long_way(void)
{
	enum { N_HOPS = 9 };
	uint32_t streams[N_HOPS + 1];
	begin();
	streams[0] = user;
	for (int i = 1; i < N_HOPS; i++)
		streams[i] = make_stream(STREAM_EXPLICIT, STREAM_NON_BLOCKING);
	streams[N_HOPS] = freer;
	for (int i = N_HOPS; i > 0; i--)
		(void)builder_wait(&builder, TID, streams[i], streams[i - 1], launch.ordinal);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin(); /* more streams wait than are followed */
	for (uint32_t i = 0; i < 40; i++)
		(void)builder_wait(&builder, TID + i / 8,
				   make_stream(STREAM_EXPLICIT, STREAM_NON_BLOCKING), user,
				   launch.ordinal);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
}

/* A wait came before the free if its time is earlier. Clocks of two threads may differ. */
static void test_wait_near_the_free(void)
{
	static const uint32_t tids[] = {TID, TID, OTHER_TID, OTHER_TID};
	static const uint64_t later_ns[] = {0, 1, 2 * MS, 2 * MS + 1};
	for (size_t i = 0; i < 4; i++) {
		begin();
		uint64_t time_ns =
			builder_wait(&builder, tids[i], freer, user, launch.ordinal)->time_ns;
		free_range("cuMemFreeAsync", freer);
		range->freed_after = launch.sequence;
		range->freed_ns = time_ns - later_ns[i];
		check(i % 2 == 0 ? PLACE_INSIDE : PLACE_IN_FLIGHT);
	}
}

/* Work that is no memory operation orders no streams, and what is captured does not run. */
static void test_no_order(void)
{
	begin();
	(void)builder_submit(&builder, TID, between, WORK_MEMSET);
	builder_submit(&builder, TID, between, WORK_MEMOP)->kind = RECORD_CAPTURED;
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin(); /* it came before the launch */
	(void)builder_submit(&builder, TID, between, WORK_MEMOP);
	launch = *submit(user);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
}

/* A thread that was started after the launch has lost no record. */
static void test_new_thread(void)
{
	begin();
	(void)builder_submit(&builder, OTHER_TID, between, WORK_KERNEL);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin(); /* all that the ring has lost is older than the launch */
	for (int i = 0; i < 20; i++)
		launch = *submit(user);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
}

/* The rows of both streams are lost: any of them may be the legacy stream, or block for it. */
static void test_lost_streams(void)
{
	begin();
	launch.stream = 98;
	free_range("cuMemFreeAsync", 99);
	check(PLACE_INSIDE);
}

static void test_legacy_stream(void)
{
	begin(); /* a non-blocking stream has no order with it */
	free_range("cuMemFreeAsync", legacy);
	check(PLACE_IN_FLIGHT);
	begin();
	launch.stream = legacy;
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin();
	builder_stream_row(&builder, user)->flags = 0;
	free_range("cuMemFreeAsync", legacy);
	check(PLACE_INSIDE);
	begin();
	builder_stream_row(&builder, freer)->flags = 0;
	(void)submit(legacy);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_INSIDE);
	begin();
	builder_stream_row(&builder, freer)->flags = 0;
	submit(legacy)->kind = RECORD_CAPTURED;
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
	begin();
	(void)submit(legacy);
	free_range("cuMemFreeAsync", freer);
	check(PLACE_IN_FLIGHT);
}

/* Two allocations had the address in turn. The launch got the first. */
static void test_reused_address(void)
{
	struct range_row found;
	struct memory_answer answer;
	uint64_t distance = 0;
	begin();
	struct range_moment at = range_moment_of(&launch);
	free_range("cuMemFreeAsync", user);
	(void)builder_range(&builder, MEMORY, SIZE, 0);
	builder_view(&builder, &view);
	CHECK_EQUAL(memory_find_place(&view, MEMORY, &at, &found, &distance), PLACE_INSIDE);
	CHECK_EQUAL(found.number, 1);
	memory_find(&view, MEMORY, &at, &answer);
	CHECK(answer.relation == MEMORY_INSIDE && answer.range.number == 1);
	memory_find(&view, MEMORY, NULL, &answer);
	CHECK(answer.relation == MEMORY_INSIDE && answer.range.number == 2);
	/* The first was freed before the launch, and the second was allocated after it. */
	range = builder_range_row(&builder, 1);
	range->freed_after = launch.sequence - 1;
	builder_range_row(&builder, 2)->time_ns = launch.time_ns + 1;
	builder_range_row(&builder, 2)->tid = TID;
	CHECK_EQUAL(memory_find_place(&view, MEMORY, &at, &found, &distance), PLACE_FREED);
	CHECK_EQUAL(found.number, 1);
	/* Clocks of two threads may differ. */
	builder_range_row(&builder, 2)->tid = OTHER_TID;
	CHECK_EQUAL(memory_find_place(&view, MEMORY, &at, &found, &distance), PLACE_INSIDE);
	builder_range_row(&builder, 2)->time_ns = launch.time_ns + 2 * MS;
	CHECK_EQUAL(memory_find_place(&view, MEMORY, &at, &found, &distance), PLACE_INSIDE);
	builder_range_row(&builder, 2)->time_ns++;
	CHECK_EQUAL(memory_find_place(&view, MEMORY, &at, &found, &distance), PLACE_FREED);
	builder_end(&builder);
}

/* Any of two launches may be meant: what is false for one is not said. */
static void test_several_launches(void)
{
	struct memory_answer answer;
	begin();
	struct range_moment at = range_moment_of(&launch);
	free_range("cuMemFreeAsync", freer);
	struct journal_record later = *submit(user);
	range_moment_add(&at, &later);
	builder_view(&builder, &view);
	memory_find(&view, MEMORY, &at, &answer);
	CHECK_EQUAL(answer.relation, MEMORY_INSIDE);
	at = range_moment_of(&later);
	memory_find(&view, MEMORY, &at, &answer);
	CHECK_EQUAL(answer.relation, MEMORY_FREED);
	range_moment_add(&at, &launch);
	memory_find(&view, MEMORY, &at, &answer);
	CHECK_EQUAL(answer.relation, MEMORY_INSIDE);
	at = range_moment_of(&launch);
	memory_find(&view, MEMORY, &at, &answer);
	CHECK_EQUAL(answer.relation, MEMORY_IN_FLIGHT);
	builder_end(&builder);
}

static enum anomaly_kind anomaly(void)
{
	static struct anomaly_table table;
	table.n = 0;
	builder_view(&builder, &view);
	anomaly_add(&table, &view, 0, &launch);
	anomaly_compare(&table, &view);
	builder_end(&builder);
	return anomaly_of(&table, 0).kind;
}

/* A suspect is not ranked by a state that memory got later, or that is not known. */
static void test_unusual(void)
{
	begin();
	free_range("cuMemFreeAsync", user);
	CHECK_EQUAL(anomaly(), ANOMALY_NONE);
	begin();
	free_range("cuMemFreeAsync", freer);
	CHECK_EQUAL(anomaly(), ANOMALY_NONE);
	begin();
	range->kind = RANGE_MAPPED;
	free_range("cuMemUnmap", 0);
	CHECK_EQUAL(anomaly(), ANOMALY_IN_FLIGHT);
	begin();
	free_range("cuMemFreeAsync", user);
	range->freed_after = launch.sequence - 1;
	CHECK_EQUAL(anomaly(), ANOMALY_FREED);
}

int main(void)
{
	test_freed_before();
	test_freed_later_in_order();
	test_freed_in_flight();
	test_graph();
	test_events();
	test_unknown_order();
	test_long_way();
	test_wait_near_the_free();
	test_no_order();
	test_new_thread();
	test_lost_streams();
	test_legacy_stream();
	test_reused_address();
	test_several_launches();
	test_unusual();
	return 0;
}
