/*
 * test_trusted_channels.c - which channels are trusted although the recorder has not checked them
 * enough.
 */
#include "progress/trusted_channels.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

static const struct moment failed = {.code = 700};

/* A channel beside another one, on one stream whose kernels all have markers. */
struct example {
	uint32_t started;
	uint32_t n_checks; /* its own */
	uint32_t checked;
	uint32_t n_others; /* checks of another channel in its context */
	uint32_t n_synced; /* finished, of the three kernels that have 10, 12 and 14 */
	uint32_t n_marked; /* by their markers */
	bool is_trusted;
	bool is_contradicted;
};

static const struct example examples[] = {
	/* Three checks in the context, one of them its own. */
	{10, 1, 10, 2, 0, 0, true, false},
	{10, 1, 10, 1, 0, 0, false, false},
	{10, 3, 10, 0, 0, 0, true, false},
	/*
	 * The moment counts as one if the counter reached a number that the channel was given and
	 * that is finished,
	 */
	{10, 0, 0, 2, 1, 0, true, false},
	{13, 0, 0, 2, 2, 2, true, false},
	{13, 0, 0, 2, 0, 2, true, false},
	{12, 0, 0, 2, 2, 1, true, false},  /* no marker has the second one's number, */
	{12, 0, 0, 2, 2, 2, false, false}, /* or it is one higher. */
	{16, 0, 0, 2, 1, 0, true, false},
	{17, 0, 0, 2, 1, 0, false, false},
	{12, 0, 0, 1, 2, 0, false, false}, /* but no more than one, */
	{12, 0, 0, 0, 2, 0, false, false},
	{12, 2, 10, 0, 2, 0, true, false}, /* and one that is new. */
	{12, 2, 12, 0, 2, 0, false, false},
	{12, 2, 0, 0, 2, 0, false, false}, /* The number was not recorded. */
	/* A counter that has not moved shows that nothing had started. */
	{9, 0, 0, 3, 0, 0, false, false},
	{10, 0, 0, 3, 0, 0, false, false},
	{3, 0, 0, 3, 0, 0, false, false},
	/* It shows less than is finished, or than a marker that has landed. */
	{9, 0, 0, 3, 1, 0, false, true},
	{11, 0, 0, 3, 2, 0, false, true},
	{12, 0, 0, 3, 0, 2, false, false},
	/* It shows less than it did, or nothing any more; numbers wrap. */
	{9, 1, 10, 2, 0, 0, true, true},
	{0, 1, 10, 2, 0, 0, true, true},
	{2, 1, UINT32_MAX, 2, 0, 0, true, false},
	{UINT32_MAX, 0, 0, 3, 0, 0, false, false},
};

/* All numbers are so much larger; they wrap. */
static uint32_t shift;

static struct verdict_case *tell(const struct example *example)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t id = builder_channel(&c->builder, c->context, example->started + shift);
	uint32_t other = builder_channel(&c->builder, c->context, 1);
	struct channel_row *row = builder_channel_row(&c->builder, id);
	builder_channel_row(&c->builder, other)->n_checks = example->n_others;
	builder_channel_row(&c->builder, other)->trust = CHANNEL_UNCHECKED;
	row->trust = CHANNEL_UNCHECKED;
	row->n_checks = example->n_checks;
	row->checked = example->checked ? example->checked + shift : 0;
	for (uint32_t i = 0; i < 3; i++) {
		struct journal_record *record =
			builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL);
		record->flags = RECORD_MARKED_INLINE;
		record->progress.channel = id;
		record->progress.payload = 10 + 2 * i + shift;
	}
	case_find(c, 1)->progress.state = builder_kernel_state(&c->builder, stream, 6);
	if (example->n_synced)
		builder_sync(&c->builder, stream, example->n_synced, "cuEventSynchronize");
	if (example->n_marked)
		builder_mark(&c->builder, stream, example->n_marked);
	builder_view(&c->builder, &c->view);
	return c;
}

static void check_examples(void)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct verdict_case *c = tell(&examples[i]);
		struct trusted_channels trust;
		trusted_channels_find(&c->view, &failed, &trust);
		CHECK_EQUAL(trusted_channels_row(&c->view, &trust, 1) != NULL,
			    examples[i].is_trusted);
		CHECK_EQUAL(trust.is_contradicted, examples[i].is_contradicted);
		CHECK(!trusted_channels_row(&c->view, &trust, 3));
		case_end(c);
	}
}

static void test_examples(void)
{
	static const uint32_t shifts[] = {0, 1u << 31, UINT32_MAX - 10}; /* no number becomes 0 */
	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
		shift = shifts[i];
		check_examples();
	}
	shift = 0;
}

/* Newer checks and newer finished work do not contradict counters that were read before them. */
static void test_old_readings(void)
{
	const struct moment later = {.code = 700, .counters_ns = 1};
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct verdict_case *c = tell(&examples[i]);
		struct trusted_channels trust;
		trusted_channels_find(&c->view, &later, &trust);
		CHECK_EQUAL(trusted_channels_row(&c->view, &trust, 1) != NULL,
			    examples[i].is_trusted);
		CHECK(!trust.is_contradicted);
		case_end(c);
	}
}

/* In that case, even a channel that the recorder trusts is not believed. */
static void test_gone_back(void)
{
	static const struct example blank = {0, 1, 10, 2, 0, 0, true, true};
	struct verdict_case *c = tell(&blank);
	builder_channel_row(&c->builder, 1)->trust = CHANNEL_TRUSTED;
	struct trusted_channels trust;
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK(trust.is_contradicted);
	builder_channel_row(&c->builder, 1)->is_read = 0;
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK(!trust.is_contradicted);
	case_end(c);
}

/* No kernel's state shows that the channel's counter is ahead. */
static void test_no_states(void)
{
	static const struct example trial = {12, 0, 0, 2, 2, 0, true, false};
	struct verdict_case *c = tell(&trial);
	builder_kernel_state_row(&c->builder, 1)->is_read = 0;
	struct trusted_channels trust;
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK(!trusted_channels_row(&c->view, &trust, 1));
	for (uint64_t sequence = 1; sequence <= 3; sequence++)
		case_find(c, sequence)->work = WORK_GRAPH; /* it was given none */
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK(!trusted_channels_row(&c->view, &trust, 1));
	case_end(c);
}

/* Only an inline marker of a kernel has the next number of its channel. */
static void test_other_markers(void)
{
	static const struct example landed = {12, 0, 0, 2, 2, 2, false, false};
	for (int change = 0; change < 3; change++) {
		struct verdict_case *c = tell(&landed);
		struct trusted_channels trust;
		if (change == 1)
			case_find(c, 2)->flags = RECORD_MARKED_SIDE;
		else if (change == 2)
			case_find(c, 2)->work = WORK_COPY;
		trusted_channels_find(&c->view, &failed, &trust);
		CHECK_EQUAL(trusted_channels_row(&c->view, &trust, 1) != NULL, change != 0);
		case_end(c);
	}
}

/* The moment is one of the checks that the report mentions. */
static void test_count(void)
{
	static const struct example trial = {12, 0, 0, 2, 2, 0, true, false};
	static const struct example counted[] = {{10, 1, 10, 2, 0, 0, true, false},
						 {12, 1, 10, 2, 2, 0, true, false}};
	struct verdict_case *c = tell(&trial);
	struct trusted_channels trust;
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK_EQUAL(trusted_channels_checks(&c->view, &trust, 1), 1);
	CHECK_EQUAL(trusted_channels_checks(&c->view, &trust, 2), 2);
	CHECK_EQUAL(trusted_channels_checks(&c->view, &trust, 3), 0);
	CHECK(trusted_channels_is_tried(&trust, 1));
	CHECK(!trusted_channels_is_tried(&trust, 2) && !trusted_channels_is_tried(&trust, 3));
	case_end(c);
	for (int i = 0; i < 2;
	     i++) { /* there are enough checks, whether it passes a trial or not */
		c = tell(&counted[i]);
		trusted_channels_find(&c->view, &failed, &trust);
		CHECK_EQUAL(trusted_channels_checks(&c->view, &trust, 1), 1);
		CHECK(!trusted_channels_is_tried(&trust, 1));
		case_end(c);
	}
}

/* They are those of the last launch's channel that has started, not of the next one's. */
static void test_count_of_two_channels(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 2);
	for (uint64_t sequence = 1; sequence <= 2; sequence++) {
		uint32_t id = builder_channel(&c->builder, c->context, 1);
		builder_channel_row(&c->builder, id)->n_checks += id;
		case_find(c, sequence)->progress =
			(struct record_progress){.channel = id, .payload = (uint32_t)sequence};
	}
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_DRIVER_STOPPED)->count, BELIEF_OF_ONE + 1);
	case_end(c);
}

/* Work of unknown order, and work whose call failed, is not known to be finished. */
static void test_no_proof(void)
{
	static const struct example finished = {10, 0, 0, 2, 1, 0, true, false};
	for (int breach = 0; breach < 10; breach++) {
		struct verdict_case *c = tell(&finished);
		struct journal_record *record = case_find(c, 1);
		if (breach == 0)
			record->flags |= RECORD_UNORDERED;
		else if (breach == 1)
			record->result = ILLEGAL_ADDRESS;
		else if (breach == 2)
			record->progress.payload = 0,
			builder_channel_row(&c->builder, 1)->started = 2;
		else if (breach == 3)
			record->ordinal = record->flags = 0;
		else if (breach == 4)
			builder_channel_row(&c->builder, 1)->is_read = 0;
		else if (breach == 5)
			record->kind = RECORD_CAPTURED;
		else if (breach == 8)
			record->stream = 77;
		else if (breach == 6)
			builder_kernel_state_row(&c->builder, 1)->stream++;
		else if (breach == 7)
			builder_channel_row(&c->builder, 2)->trust = CHANNEL_REFUSED;
		else
			builder_channel_row(&c->builder, 2)->context++;
		builder_view(&c->builder, &c->view);
		struct trusted_channels trust;
		trusted_channels_find(&c->view, &failed, &trust);
		CHECK(!trusted_channels_row(&c->view, &trust, 1));
		CHECK(!trust.is_contradicted);
		case_end(c);
	}
}

static void test_nothing(void)
{
	struct verdict_case *c = case_begin();
	builder_view(&c->builder, &c->view);
	struct trusted_channels trust;
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK(!trust.is_any);
	CHECK(!trusted_channels_row(&c->view, &trust, 0));
	CHECK(!trusted_channels_are_past(&c->view, &trust, 0, 0));
	CHECK(!trusted_channels_are_past(&c->view, &trust, 1, 0));
	CHECK_EQUAL(trusted_channels_checks(&c->view, &trust, 1), 0);
	for (uint32_t i = 0; i < TRIED_CHANNELS_MAX + 2; i++)
		builder_channel_row(&c->builder, builder_channel(&c->builder, c->context, 1))
			->trust = CHANNEL_UNCHECKED;
	builder_view(&c->builder, &c->view);
	trusted_channels_find(&c->view, &failed, &trust);
	CHECK_EQUAL(trust.n, TRIED_CHANNELS_MAX);
	CHECK(trust.is_any); /* they have all been checked */
	CHECK(!trusted_channels_row(&c->view, &trust, TRIED_CHANNELS_MAX + 1));
	case_end(c);
}

int main(void)
{
	test_examples();
	test_old_readings();
	test_gone_back();
	test_no_states();
	test_other_markers();
	test_count();
	test_count_of_two_channels();
	test_no_proof();
	test_nothing();
	return 0;
}
