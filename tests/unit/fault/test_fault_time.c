/*
 * test_fault_time.c - kernels that started after the GPU had noticed a memory fault are cleared.
 */
#include "base/time_units.h"
#include "fault/fault_time.h"
#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

#define PAGE         0x700000009000
#define TIME         UINT64_C(1795698983775624608) /* of the fault, by the GPU's clock */
#define CLOCKS_APART UINT64_C(1795698900000000000)

enum { EARLY = 1, LATER = 2, N_KERNELS = 2 };
enum { ROW_SUMMARY = 1, ROW_EVENT, ROW_LIST, ROW_TIMES, ROW_FIRST, ROW_AGAIN, N_ROWS = ROW_AGAIN };

/* Add the fault's rows: an event, the driver's list, and two reports with times. */
static void add_fault(struct verdict_case *c)
{
	uint32_t id;
	struct fault_row *rows = builder_rows(&c->builder, JOURNAL_FAULTS, N_ROWS, &id);
	rows[ROW_SUMMARY - 1] = (struct fault_row){.kind = FAULT_EVENTS_READ, .count = 1};
	rows[ROW_EVENT - 1].kind = FAULT_EVENT;
	rows[ROW_LIST - 1].kind = FAULT_MMU;
	rows[ROW_TIMES - 1] = (struct fault_row){.kind = FAULT_TIMES_READ, .count = 2};
	rows[ROW_FIRST - 1] = (struct fault_row){.kind = FAULT_TIMED, .gpu_ns = TIME};
	rows[ROW_AGAIN - 1] = (struct fault_row){.kind = FAULT_TIMED, .gpu_ns = TIME + 56000};
	for (int i = 0; i < N_ROWS; i++) {
		rows[i].address = PAGE;
		rows[i].time_ns = TIME - CLOCKS_APART + 20000;
		rows[i].flags = rows[i].count ? 0 : FAULT_ADDRESS_PAGE;
	}
}

/*
 * Two kernels, on streams and channels of their own, each after a copy that has finished. Both have
 * started: EARLY 2 us before the fault, LATER 2 us after it, as do all after that.
 */
static struct verdict_case *begin_many(uint32_t n_kernels)
{
	struct verdict_case *c = case_begin();
	builder_context_row(&c->builder, c->context)->flags = CONTEXT_LACKS_HOST_MEMORY;
	for (uint32_t i = 0; i < n_kernels; i++) {
		uint32_t stream = case_stream(c);
		uint32_t channel = builder_channel(&c->builder, c->context, 11);
		struct journal_record *copy =
			builder_submit(&c->builder, CASE_TID, stream, WORK_MEMSET);
		copy->progress = (struct record_progress){.channel = channel, .payload = 10};
		struct journal_record *kernel =
			builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL);
		kernel->progress = (struct record_progress){.channel = channel, .payload = 11};
		kernel->time_ns = TIME - CLOCKS_APART - 50000;
		builder_channel_row(&c->builder, channel)->started_gpu_ns =
			i == 0 ? TIME - 2000 : TIME + 2000;
	}
	add_fault(c);
	return c;
}

static struct verdict_case *begin(void)
{
	return begin_many(N_KERNELS);
}

static struct journal_record *kernel_of(struct verdict_case *c, unsigned number)
{
	return case_find(c, number * UINT64_C(2));
}

static struct channel_row *channel_of(struct verdict_case *c, unsigned number)
{
	return builder_channel_row(&c->builder, kernel_of(c, number)->progress.channel);
}

/* Judge. True if LATER was cleared, and EARLY is the only suspect. */
static bool is_cleared(struct verdict_case *c)
{
	case_judge(c, ILLEGAL_ADDRESS);
	bool is_one = c->verdict.n_suspects == 1;
	const struct evidence *evidence = case_evidence(c, EVIDENCE_FAULT_TIME);
	CHECK_EQUAL(c->verdict.class, is_one ? VERDICT_EXACT : VERDICT_NARROWED);
	CHECK_EQUAL(is_one, evidence != NULL);
	if (is_one) {
		CHECK_EQUAL(evidence->count, 1);
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 2 * EARLY);
		CHECK(!case_evidence(c, EVIDENCE_FAULT_PAGE));
	} else {
		CHECK(c->verdict.n_suspects >= N_KERNELS);
	}
	return is_one;
}

static void test_a_later_kernel_is_cleared(void)
{
	struct verdict_case *c = begin();
	CHECK(is_cleared(c));
	case_end(c);
}

/* So many later kernels are compared. The others stay suspect. */
static void test_many_later_kernels(void)
{
	enum { MOST = 64, MORE = MOST + 3 };
	struct verdict_case *c = begin_many(EARLY + MORE);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, EARLY + MORE - MOST);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_TIME)->count, MOST);
	CHECK(case_suspects(c, 2 * EARLY));
	case_end(c);
}

/* The clocks may be coarse. */
static void test_margin(void)
{
	for (uint64_t i = 0; i < 2; i++) {
		struct verdict_case *c = begin();
		channel_of(c, LATER)->started_gpu_ns = TIME + FAULT_TIME_MARGIN_NS + i;
		CHECK_EQUAL(is_cleared(c), i == 1);
		case_end(c);
	}
}

/* The channel's time is that of its newest submission, which has to be the kernel and no more. */
static void test_the_start_needs_to_be_the_kernels(void)
{
	for (int i = 0; i < 8; i++) {
		struct verdict_case *c = begin();
		struct journal_record *kernel = kernel_of(c, LATER);
		struct journal_record *before = case_find(c, kernel->sequence - 1);
		bool is_clear = false;
		switch (i) {
		case 0: /* the number is another's, too */
			channel_of(c, LATER)->started = kernel->progress.payload + 1;
			break;
		case 1: /* the call took two numbers */
			before->progress.payload--;
			break;
		case 2: /* one of them was the marker's */
			before->progress.payload--;
			before->flags |= RECORD_MARKED_INLINE;
			builder_mark(&c->builder, before->stream, before->ordinal);
			is_clear = true;
			break;
		case 3: /* a marker of another stream may have come later */
			before->progress.payload--;
			before->flags |= RECORD_MARKED_INLINE;
			before->stream = kernel_of(c, EARLY)->stream;
			before->ordinal = kernel_of(c, EARLY)->ordinal + 1;
			break;
		case 4: /* the number before is of another channel */
			before->progress.channel = kernel_of(c, EARLY)->progress.channel;
			before->progress.payload = 9;
			break;
		case 5: /* a graph may start with an earlier submission */
			kernel->work = WORK_GRAPH;
			break;
		case 6: /* the number before is in the text of a range */
			before->progress.channel = 0;
			builder_record(&c->builder, CASE_TID, RECORD_NVTX)->progress =
				(struct record_progress){.channel = kernel->progress.channel,
							 .payload = kernel->progress.payload - 1};
			break;
		default: /* the time is not known */
			channel_of(c, LATER)->started_gpu_ns = 0;
			break;
		}
		CHECK_EQUAL(is_cleared(c), is_clear);
		case_end(c);
	}
}

/* Each of these makes the time of the fault unknown, or not believed. */
static void test_the_time_needs_to_be_the_faults(void)
{
	for (int i = 0; i < 10; i++) {
		struct verdict_case *c = begin();
		struct fault_row *first = builder_fault_row(&c->builder, ROW_FIRST);
		switch (i) {
		case 0: /* no report of this page */
			first->address += FAULT_PAGE_SIZE;
			builder_fault_row(&c->builder, ROW_AGAIN)->address = first->address;
			break;
		case 1: /* the first report came later */
			first->gpu_ns = TIME + 40000;
			break;
		case 2: /* a fault was served before */
			first[1].gpu_ns = TIME - NS_PER_S / 100;
			first[1].address += FAULT_PAGE_SIZE;
			break;
		case 3: /* the list has another page */
			builder_fault_row(&c->builder, ROW_LIST)->address += FAULT_PAGE_SIZE;
			break;
		case 4: /* there was managed memory */
			(void)builder_range(&c->builder, PAGE - 0x100000, 0x1000, 0);
			builder_range_row(&c->builder, 1)->kind = RANGE_MANAGED;
			break;
		case 8: /* the GPU may fault on host memory, too */
			builder_context_row(&c->builder, c->context)->flags = 0;
			break;
		case 5: /* another clock */
			builder_fault_row(&c->builder, ROW_FIRST)->time_ns +=
				2 * (uint64_t)NS_PER_S;
			break;
		case 6: /* the same */
			builder_fault_row(&c->builder, ROW_FIRST)->time_ns -= NS_PER_S / 100;
			break;
		case 7: /* when it was read is not known */
			first->time_ns = 0;
			builder_fault_row(&c->builder, ROW_AGAIN)->time_ns = 0;
			break;
		default: /* no time at all */
			first->gpu_ns = 0;
			builder_fault_row(&c->builder, ROW_AGAIN)->gpu_ns = 0;
			break;
		}
		CHECK(!is_cleared(c));
		case_end(c);
	}
}

/* How far the times of the report may be from those of the counters: both ends. */
static void test_distance_of_clocks(void)
{
	/* The report was read so long after EARLY's record, on the GPU's clock. */
	const int64_t distance = 68000;
	const struct {
		int64_t distance;
		bool is_clear;
	} rows[] = {{-50000, false}, {-49999, true}, {NS_PER_S - 1, true}, {NS_PER_S, false}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct verdict_case *c = begin();
		builder_fault_row(&c->builder, ROW_FIRST)->time_ns +=
			(uint64_t)(rows[i].distance - distance);
		CHECK_EQUAL(is_cleared(c), rows[i].is_clear);
		case_end(c);
	}
}

/* With MPS, the fault may be a neighbour's. */
static void test_shared_gpu(void)
{
	struct verdict_case *c = begin();
	CHECK(is_cleared(c));
	builder_failure_row(&c->builder)->flags = FAILURE_SHARED;
	CHECK(!is_cleared(c));
	case_end(c);
}

/* A trap has no report: the time is that of another fault. */
static void test_another_code(void)
{
	enum { LAUNCH_FAILED = 719 };
	struct verdict_case *c = begin();
	case_judge(c, LAUNCH_FAILED);
	CHECK(c->verdict.n_suspects >= N_KERNELS);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_TIME));
	case_end(c);
}

/* Only accesses that were given up count, and the first of them. */
static void test_several_accesses(void)
{
	enum { GIVEN_UP_LATER, GIVEN_UP_EARLIER, PREFETCHED, WITHOUT_REPORT, N_CASES };
	for (int i = 0; i < N_CASES; i++) {
		struct verdict_case *c = begin();
		uint32_t id;
		uint64_t page = PAGE + 4 * FAULT_PAGE_SIZE;
		struct fault_row *rows = builder_rows(&c->builder, JOURNAL_FAULTS, 2, &id);
		rows[0] = (struct fault_row){
			.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE, .address = page};
		rows[1] = *builder_fault_row(&c->builder, ROW_FIRST);
		rows[1].address = page;
		rows[1].gpu_ns = i == GIVEN_UP_LATER ? TIME + 90000 : TIME - 90000;
		if (i == PREFETCHED)
			rows[1].access = FAULT_PREFETCH;
		if (i == WITHOUT_REPORT)
			rows[1].kind = FAULT_MMU_LIST_READ;
		/* EARLY started after the earlier access, so that all work would be cleared. */
		if (i == GIVEN_UP_EARLIER)
			CHECK(!is_cleared(c));
		else
			CHECK(is_cleared(c));
		case_end(c);
	}
}

/* A time that clears all work is wrong. */
static void test_nobody_left(void)
{
	struct verdict_case *c = begin();
	channel_of(c, EARLY)->started_gpu_ns = TIME + 4000;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

/* Clocks that are further apart than 64 bits can say are not those of one GPU. */
static void test_absurd_times(void)
{
	const uint64_t much = UINT64_C(3) << 61;
	struct verdict_case *c = begin();
	channel_of(c, EARLY)->started_gpu_ns = 0;
	channel_of(c, LATER)->started_gpu_ns = much;
	kernel_of(c, LATER)->time_ns = 1;
	for (uint32_t id = ROW_FIRST; id <= ROW_AGAIN; id++) {
		builder_fault_row(&c->builder, id)->time_ns = much;
		builder_fault_row(&c->builder, id)->gpu_ns = 1000;
	}
	CHECK(!is_cleared(c));
	case_end(c);
}

int main(void)
{
	test_a_later_kernel_is_cleared();
	test_many_later_kernels();
	test_margin();
	test_the_start_needs_to_be_the_kernels();
	test_the_time_needs_to_be_the_faults();
	test_distance_of_clocks();
	test_shared_gpu();
	test_another_code();
	test_several_accesses();
	test_nobody_left();
	test_absurd_times();
	return 0;
}
