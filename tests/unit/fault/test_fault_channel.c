/*
 * test_fault_channel.c - a channel that went on twice after finished work shows that it raised no
 * exception.
 */
#include "fault/fault_case.h"
#include "support/words_builder.h"

/* Their payloads. Each is followed by a marker, which has the next number. */
enum { LATE = 10, FIRST = 12, SECOND = 14 };

static struct verdict_case *c;
static uint32_t channel;
static uint32_t streams[3]; /* of LATE, FIRST and SECOND */

static bool has_arguments; /* then no record comes between two launches of a thread */

static void add(uint32_t tid, uint32_t stream, uint32_t payload)
{
	static const uint8_t arguments[8];
	struct journal_record *record =
		builder_launch(&c->builder, tid, stream, payload == LATE ? 3 : 1, arguments,
			       has_arguments ? sizeof(arguments) : 0);
	record->progress = (struct record_progress){.channel = channel, .payload = payload};
	record->flags |= RECORD_MARKED_INLINE;
	if (tid == CASE_TID && !has_arguments)
		builder_record(&c->builder, tid, RECORD_EVENT_RECORD); /* the call has returned */
	builder_time(&c->builder, 1); /* the driver may have recovered */
	builder_mark(&c->builder, stream, builder_stream_row(&c->builder, stream)->submitted);
}

/*
 * #5 is at the program counter. #9, which has finished, runs the same code; #10 and #11 do not. The
 * thread launches #10.
 */
static void begin_with(uint32_t tid, uint32_t started)
{
	c = fault_begin();
	fault_add_words(c);
	channel = builder_channel(&c->builder, c->context, started);
	for (uint32_t i = 0; i < 3; i++) {
		streams[i] = case_stream(c);
		add(i == 1 ? tid : CASE_TID, streams[i], LATE + 2 * i);
	}
}

static void begin(uint32_t started)
{
	begin_with(CASE_TID, started);
}

static struct journal_record *record_of(uint32_t payload)
{
	return case_find(c, 9 + (payload - LATE) / 2);
}

static void check(bool is_cleared)
{
	fault_check_late(c, is_cleared);
}

static void test_two_starts_behind_it_clear_it(void)
{
	begin(SECOND);
	check(true);
	begin(SECOND - 1); /* the marker of the first */
	check(false);
	begin(SECOND);
	record_of(SECOND)->progress.channel = 0;
	check(false);
}

/* A number below the work's is that of earlier work, whatever the times say. */
static void test_lower_numbers_are_earlier(void)
{
	begin(SECOND);
	record_of(FIRST)->progress.payload = LATE - 1;
	check(false);
}

/* The counters wrap. */
static void test_numbers_wrap(void)
{
	begin(2);
	record_of(LATE)->progress.payload = UINT32_MAX - 1;
	record_of(FIRST)->progress.payload = 1;
	record_of(SECOND)->progress.payload = 2;
	check(true);
}

static void test_each_has_a_marker_behind_it(void)
{
	begin(SECOND);
	record_of(LATE)->flags &= (uint16_t)~RECORD_MARKED_INLINE;
	check(false);
	begin(SECOND);
	record_of(FIRST)->flags &= (uint16_t)~RECORD_MARKED_INLINE;
	check(false);
}

/* The next record of the thread is then that of arguments, which has no time. */
static void test_arguments_come_before_a_launch(void)
{
	has_arguments = true;
	begin(SECOND);
	check(true);
	has_arguments = false;
}

static void test_work_of_unknown_order_does_not_count(void)
{
	begin(SECOND);
	record_of(SECOND)->flags |= RECORD_UNORDERED;
	check(false);
}

/* Another thread's call may have come between a launch and its marker. */
static void test_the_marker_was_given_before(void)
{
	enum { OTHER = CASE_TID + 1 };
	for (int64_t lead_ns = -1; lead_ns <= 1; lead_ns++) {
		begin_with(OTHER, SECOND);
		builder_record(&c->builder, OTHER, RECORD_EVENT_RECORD)->time_ns =
			record_of(SECOND)->time_ns + (uint64_t)lead_ns;
		check(lead_ns <= 0);
	}
	begin_with(OTHER, SECOND); /* which may never have returned */
	check(false);
}

/* Without markers, what is on one stream waits. */
static void test_a_stream_waits(void)
{
	for (int n = 0; n <= 3; n++) {
		begin(LATE);
		builder_channel_row(&c->builder, channel)->started = SECOND + 4;
		record_of(FIRST)->progress.channel = 0;
		record_of(SECOND)->progress.channel = 0;
		record_of(LATE)->flags &= (uint16_t)~RECORD_MARKED_INLINE;
		for (uint32_t i = 0; i < 2; i++) {
			struct journal_record *record =
				builder_submit(&c->builder, CASE_TID, streams[0], WORK_COPY);
			record->progress = (struct record_progress){.channel = channel,
								    .payload = SECOND + 2 * i};
			record->flags |= n == (int)i + 1 ? RECORD_OVERLAPS : 0;
			record->result = n == 3 && i == 1 ? 1 : 0;
			builder_mark(&c->builder, streams[0], 2 + i);
		}
		check(n == 0);
	}
}

/* A counter that was seldom checked may be ahead by one. */
static void test_the_counter_is_believed(void)
{
	for (uint32_t lead = 0; lead < 2; lead++) {
		begin(SECOND + lead);
		builder_channel_row(&c->builder, channel)->n_checks = 11;
		check(lead == 1);
	}
	begin(SECOND);
	builder_channel_row(&c->builder, channel)->trust = CHANNEL_REFUSED;
	check(false);
}

/*
 * #5 is the only suspect, and its stream went on by a counter that may be ahead by one. The fault
 * is then refused, unless it has cleared only work that had finished anyway.
 */
static void test_a_stream_that_went_on(void)
{
	for (uint64_t is_finished = 0; is_finished < 2; is_finished++) {
		c = fault_begin();
		fault_add_words(c);
		channel = builder_channel(&c->builder, c->context, LATE);
		builder_channel_row(&c->builder, channel)->n_checks = 11;
		case_find(c, 6)->progress =
			(struct record_progress){.channel = channel, .payload = LATE};
		uint32_t waiter = case_stream(c);
		for (uint32_t i = 1; i <= N_KERNELS; i++) {
			case_find(c, UINT64_C(2) * i)->work = WORK_HOST_FUNC; /* raises nothing */
			if (i != 3)
				builder_wait(&c->builder, CASE_TID, waiter, i, 2);
		}
		builder_submit(&c->builder, CASE_TID, waiter, WORK_HOST_FUNC);
		builder_mark(&c->builder, waiter, is_finished);
		fault_add_exception(c, PC);
		fault_judge_code(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_REFUSED) == NULL, is_finished);
		CHECK_EQUAL(c->verdict.n_suspects, is_finished ? 1 : N_KERNELS);
		case_end(c);
	}
}

int main(void)
{
	test_two_starts_behind_it_clear_it();
	test_lower_numbers_are_earlier();
	test_numbers_wrap();
	test_each_has_a_marker_behind_it();
	test_arguments_come_before_a_launch();
	test_work_of_unknown_order_does_not_count();
	test_the_marker_was_given_before();
	test_a_stream_waits();
	test_the_counter_is_believed();
	test_a_stream_that_went_on();
	return 0;
}
