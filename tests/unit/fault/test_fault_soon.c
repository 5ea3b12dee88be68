/*
 * test_fault_soon.c - finished work that had finished soon after its submission, by the GPU's
 * clock, raised no exception: rule 15h of attribution.h.
 */
#include "fault/fault_case.h"
#include "support/graph_builder.h"
#include "support/words_builder.h"

enum { PAYLOAD = 10, MARKER, FOLLOWER, SOON_NS = 250000, FOLLOWER_SOON_NS = 1000000 };

/* The GPU's clock is that far ahead of CLOCK_MONOTONIC. */
#define AHEAD_NS INT64_C(1795698900000000000)

static struct verdict_case *c;
static uint32_t channel;
static uint32_t stream;
static struct journal_record *late;
static bool is_graph; /* the work is one */

static struct channel_row *row(void)
{
	return builder_channel_row(&c->builder, channel);
}

/* Its newest start was so long after the submission of #9. */
static void start_after(int64_t ns)
{
	row()->started_gpu_ns = (uint64_t)((int64_t)late->time_ns + ns + AHEAD_NS);
}

/* A graph of the kernel at the program counter. */
static struct journal_record *launch_graph(void)
{
	static const uint8_t works[] = {WORK_KERNEL};
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, 1);
	builder_node_row(&c->builder, graph, 0)->function = 3;
	return builder_launch_graph(&c->builder, CASE_TID, stream, graph, 0);
}

/*
 * #5 is at the program counter. #9, which has finished, runs the same code. Its marker has landed,
 * and started 10 us after the submission. No time is between the two clocks' comparison and that.
 */
static void begin(void)
{
	c = fault_begin();
	fault_add_words(c);
	channel = builder_channel(&c->builder, c->context, MARKER);
	stream = case_stream(c);
	builder_time(&c->builder, 1);
	late = is_graph ? launch_graph()
			: builder_launch(&c->builder, CASE_TID, stream, 3, NULL, 0);
	late->progress = (struct record_progress){.channel = channel, .payload = PAYLOAD};
	late->flags |= RECORD_MARKED_INLINE;
	builder_mark(&c->builder, stream, 1);
	builder_time(&c->builder, 1);
	start_after(10000);
	row()->apart_ns = -AHEAD_NS;
	row()->compared_ns = late->time_ns + 10000;
}

static void check(bool is_cleared)
{
	builder_time(&c->builder, 5);
	fault_check_late(c, is_cleared);
}

static void test_its_marker_started_soon(void)
{
	for (int64_t i = -1; i <= 1; i++) {
		begin();
		start_after(SOON_NS + i);
		row()->compared_ns += SOON_NS - 10000;
		check(i < 0);
	}
}

/* A start before the submission contradicts the clocks. */
static void test_it_ended_after_its_submission(void)
{
	for (int64_t i = -1; i <= 1; i++) {
		begin();
		start_after(i);
		row()->compared_ns -= 10000;
		check(i >= 0);
	}
}

static void test_a_comparison_and_a_start_are_needed(void)
{
	begin();
	row()->compared_ns = 0;
	check(false);
	begin();
	row()->started_gpu_ns = 0;
	check(false);
}

/* 500 ns of drift in a millisecond, before the comparison or after it. */
static void test_the_clocks_drift(void)
{
	for (int64_t before = 0; before < 2; before++) {
		for (int64_t i = -1; i <= 0; i++) {
			begin();
			start_after(SOON_NS - 500 + i);
			row()->compared_ns = late->time_ns + SOON_NS - 500 +
					     (before ? 1000000 : UINT64_C(0) - 1000000);
			check(i < 0);
		}
	}
}

/* Each says the most that the clocks can be apart, and the least of them counts. */
static void test_another_channel_may_know_better(void)
{
	enum { CLOSER, DISTRUSTED, UNREAD, OTHER_CONTEXT, N };
	for (int i = 0; i < N; i++) {
		begin();
		uint32_t other = builder_channel(&c->builder, c->context, 1);
		struct channel_row *closer = builder_channel_row(&c->builder, other);
		closer->apart_ns = row()->apart_ns;
		closer->compared_ns = row()->compared_ns;
		row()->apart_ns += SOON_NS;
		closer->trust = i == DISTRUSTED ? CHANNEL_UNCHECKED : CHANNEL_TRUSTED;
		closer->n_checks = i == DISTRUSTED ? 0 : closer->n_checks;
		closer->is_read = i == UNREAD ? 0 : 1;
		closer->context += i == OTHER_CONTEXT ? 1 : 0;
		check(i == CLOSER);
	}
}

/* #5 started after its call: the clocks cannot be further apart than that allows. */
static void test_a_start_contradicts_the_comparison(void)
{
	for (int64_t i = -1; i <= 1; i++) {
		begin();
		uint32_t other = builder_channel(&c->builder, c->context, 7);
		struct journal_record *open = case_find(c, 5);
		open->progress = (struct record_progress){.channel = other, .payload = 7};
		builder_channel_row(&c->builder, other)->started_gpu_ns =
			(uint64_t)((int64_t)open->time_ns + i + AHEAD_NS);
		check(i >= 0);
	}
}

static void test_the_marker_is_known(void)
{
	enum { UNMARKED, NOT_LANDED, NOT_STARTED, N };
	for (int i = 0; i < N; i++) {
		begin();
		if (i == UNMARKED)
			late->flags &= (uint16_t)~RECORD_MARKED_INLINE;
		if (i == NOT_LANDED)
			builder_sync(&c->builder, stream, 1, "cuStreamQuery");
		builder_stream_row(&c->builder, stream)->marked = i == NOT_LANDED ? 0 : 1;
		row()->started -= i == NOT_STARTED ? 1 : 0;
		check(false);
	}
}

/* A graph can be on several channels, and its marker on another one than the graph. */
static void test_the_marker_of_a_graph_is_not_known(void)
{
	is_graph = true;
	begin();
	check(false);
	is_graph = false;
}

/* A kernel that waited for it has started, too: a driver needs longer for that. */
static void check_what_waited(uint8_t work, int64_t soon_ns)
{
	for (int64_t i = -2; i <= 1; i++) {
		is_graph = i % 2 != 0;
		begin();
		struct journal_record *next =
			work == WORK_KERNEL
				? builder_launch(&c->builder, CASE_TID, stream, 1, NULL, 0)
				: builder_submit(&c->builder, CASE_TID, stream, work);
		next->time_ns = late->time_ns + 1000;
		next->progress = (struct record_progress){.channel = channel, .payload = FOLLOWER};
		row()->started = FOLLOWER;
		builder_mark(&c->builder, stream, 2);
		start_after(soon_ns + i);
		row()->compared_ns += (uint64_t)soon_ns - 10000;
		check(i < 0);
	}
	is_graph = false;
}

static void test_what_waited_for_it_started_soon(void)
{
	check_what_waited(WORK_KERNEL, FOLLOWER_SOON_NS);
	check_what_waited(WORK_COPY, SOON_NS);
	check_what_waited(WORK_MEMSET, SOON_NS);
	check_what_waited(WORK_MEMOP, SOON_NS); /* as a marker is */
}

/* Another stream's work waits for a kernel's marker. A graph's may be on another channel. */
static void test_what_waited_for_its_marker_started_soon(void)
{
	for (int i = 0; i < 2; i++) {
		is_graph = i == 1;
		begin();
		struct journal_record *next =
			builder_launch(&c->builder, CASE_TID, case_stream(c), 1, NULL, 0);
		next->time_ns = late->time_ns + 1000;
		next->progress = (struct record_progress){.channel = channel, .payload = FOLLOWER};
		row()->started = FOLLOWER;
		start_after(FOLLOWER_SOON_NS - 1);
		row()->compared_ns += FOLLOWER_SOON_NS - 10000;
		check(!is_graph);
	}
	is_graph = false;
}

/* A bundle can say anything. A number that is no time proves nothing, and no sum may overflow. */
static void test_odd_times_prove_nothing(void)
{
	static const uint64_t odd[] = {INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX,
				       UINT64_MAX - 10000, (uint64_t)INT64_MAX / 3 * 2};
	enum { APART, COMPARED, STARTED, SUBMITTED, ALL, N };
	for (int i = 0; i < (int)(sizeof(odd) / sizeof(odd[0])) * N; i++) {
		int which = i % N;
		uint64_t word = odd[i / N];
		begin();
		if (which == APART || which == ALL)
			row()->apart_ns = (int64_t)word;
		if (which == COMPARED || which == ALL)
			row()->compared_ns = word;
		if (which == STARTED || which == ALL)
			row()->started_gpu_ns = word;
		if (which == SUBMITTED || which == ALL)
			late->time_ns = word;
		check(false);
	}
}

/* A start at 0 is no start, and the clocks are less than CLOCK_END_NS apart. */
static void test_times_at_the_edge(void)
{
	for (uint64_t started = 0; started < 2; started++) {
		begin();
		row()->started_gpu_ns = started;
		row()->apart_ns = (int64_t)late->time_ns + 100;
		row()->compared_ns = late->time_ns + 100;
		check(started == 1);
	}
	for (int64_t i = 0; i < 2; i++) {
		begin();
		row()->started_gpu_ns = row()->compared_ns = (uint64_t)CLOCK_END_NS - 1;
		row()->apart_ns = i - CLOCK_END_NS;
		late->time_ns = (uint64_t)CLOCK_END_NS / CLOCK_DRIFT - 10000;
		check(i == 1);
	}
}

/* Early in a program the channels are not known yet. The stream's next kernel tells. */
static void test_the_channel_need_not_be_known(void)
{
	enum { SAME_STREAM, OTHER_STREAM, COPY, OVERLAPS, WAITING, N };
	for (int i = 0; i < N; i++) {
		begin();
		uint32_t next_stream = i == OTHER_STREAM ? case_stream(c) : stream;
		struct journal_record *next =
			builder_launch(&c->builder, CASE_TID, next_stream, 1, NULL, 0);
		next->time_ns = late->time_ns + 1000;
		next->work = i == COPY ? WORK_COPY : WORK_KERNEL;
		next->flags |= i == OVERLAPS ? RECORD_OVERLAPS : 0;
		next->progress = (struct record_progress){.channel = channel, .payload = FOLLOWER};
		late->progress = (struct record_progress){0};
		row()->started = i == WAITING ? FOLLOWER - 1 : FOLLOWER;
		start_after(900000);
		row()->compared_ns += 890000;
		check(i == SAME_STREAM);
	}
}

int main(void)
{
	test_its_marker_started_soon();
	test_it_ended_after_its_submission();
	test_a_comparison_and_a_start_are_needed();
	test_the_clocks_drift();
	test_another_channel_may_know_better();
	test_a_start_contradicts_the_comparison();
	test_the_marker_is_known();
	test_the_marker_of_a_graph_is_not_known();
	test_what_waited_for_it_started_soon();
	test_what_waited_for_its_marker_started_soon();
	test_the_channel_need_not_be_known();
	test_odd_times_prove_nothing();
	test_times_at_the_edge();
	return 0;
}
