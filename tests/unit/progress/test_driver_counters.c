/*
 * test_driver_counters.c - what the driver's progress counters say about one submission, and
 * whether they may be used at all.
 */
#include "progress/driver_counters.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

/* One kernel of one stream: its numbers and the words. */
struct example {
	uint32_t started; /* word of the channel */
	uint32_t payload;
	uint32_t value; /* word of the state */
	uint32_t turn;  /* 0: no state */
	enum counters_say said;
};

static const struct example examples[] = {
	/* The channel's word alone, at both sides and where it wraps. */
	{70, 69, 0, 0, COUNTERS_STARTED},
	{70, 70, 0, 0, COUNTERS_STARTED},
	{70, 71, 0, 0, COUNTERS_WAITING},
	{1, UINT32_MAX, 0, 0, COUNTERS_STARTED},
	{UINT32_MAX, 1, 0, 0, COUNTERS_WAITING},
	{UINT32_MAX, UINT32_MAX, 0, 0, COUNTERS_STARTED},
	/* Payload 0 means none; one that is too far ahead is from another time. */
	{70, 0, 0, 0, COUNTERS_SILENT},
	{70, 70 + COUNTERS_QUEUE_LENGTH, 0, 0, COUNTERS_WAITING},
	{70, 71 + COUNTERS_QUEUE_LENGTH, 0, 0, COUNTERS_SILENT},
	{70, 70 + (1u << 31), 0, 0, COUNTERS_SILENT},
	{70, 71 + COUNTERS_QUEUE_LENGTH, 5, 1, COUNTERS_SILENT},
	/* The state's word too. */
	{70, 70, 1, 1, COUNTERS_RUNNING},
	{70, 70, 2, 1, COUNTERS_OVER},
	{70, 70, 5, 1, COUNTERS_FINISHED}, /* reused by a later kernel */
	{70, 71, 2, 2, COUNTERS_WAITING},
	{70, 71, 0, 1, COUNTERS_WAITING},
	{70, 70, UINT32_MAX - 2, 0x40000000, COUNTERS_RUNNING},
	{70, 70, UINT32_MAX - 1, 0x40000000, COUNTERS_OVER},
	{70, 70, 1, 0x40000000, COUNTERS_FINISHED}, /* wrapped */
	/* The counters contradict each other, or are not valid ones. */
	{70, 70, 0, 1, COUNTERS_LIE}, /* else it were caught between the two */
	{70, 70, 2, 2, COUNTERS_LIE},
	{70, 70, UINT32_MAX - 1, 0x40000001, COUNTERS_LIE},
	{70, 71, 1, 1, COUNTERS_LIE},
	{70, 71, 2, 1, COUNTERS_LIE},
	{70, 70, 3, 1, COUNTERS_LIE},
	{70, 70, 8, 1, COUNTERS_LIE},
};

static enum counters_say say(const struct example *example, enum work_kind work, int breach)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, stream, work);
	const struct moment moment = {.code = breach == 6 ? 0 : 700};
	record->progress.channel = builder_channel(&c->builder, c->context, example->started);
	record->progress.payload = example->payload;
	record->progress.turn = example->turn;
	if (example->turn)
		record->progress.state = builder_kernel_state(&c->builder, stream, example->value);
	if (breach == 1)
		*builder_channel_row(&c->builder, 1) =
			(struct channel_row){.started = example->started, .is_read = 1};
	else if (breach == 2)
		builder_channel_row(&c->builder, 1)->is_read = 0;
	else if (breach == 3)
		record->progress.channel = 2;
	else if (breach == 4)
		builder_kernel_state_row(&c->builder, 1)->is_read = 0;
	else if (breach == 5)
		builder_kernel_state_row(&c->builder, 1)->stream = stream + 1;
	else if (breach == 7)
		record->progress.turn = 0; /* it is not known which use of the state it was */
	builder_view(&c->builder, &c->view);
	struct trusted_channels trust;
	trusted_channels_find(&c->view, &moment, &trust);
	enum counters_say said = driver_counters_of(&c->view, &moment, &trust, record);
	case_end(c);
	return said;
}

static void test_examples(void)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		CHECK_EQUAL(say(&examples[i], WORK_KERNEL, 0), examples[i].said);
		CHECK_EQUAL(say(&examples[i], WORK_COPY, 0), examples[i].said);
	}
}

static void test_not_believed(void)
{
	static const struct example finished = {70, 70, 2, 1, COUNTERS_OVER};
	static const struct example caught = {70, 70, 0, 1, COUNTERS_LIE};
	CHECK_EQUAL(say(&finished, WORK_KERNEL, 0), COUNTERS_OVER);
	for (int breach = 1; breach <= 3; breach++)
		CHECK_EQUAL(say(&finished, WORK_KERNEL, breach), COUNTERS_SILENT);
	CHECK_EQUAL(say(&finished, WORK_KERNEL, 4), COUNTERS_STARTED);
	CHECK_EQUAL(say(&finished, WORK_KERNEL, 5), COUNTERS_STARTED);
	CHECK_EQUAL(say(&finished, WORK_KERNEL, 7), COUNTERS_STARTED);
	/* States are kernels'. */
	CHECK_EQUAL(say(&finished, WORK_GRAPH, 0), COUNTERS_STARTED);
	CHECK_EQUAL(say(&finished, WORK_MEMSET, 0), COUNTERS_STARTED);
	/* At a moment at which nothing has failed. */
	CHECK_EQUAL(say(&caught, WORK_KERNEL, 6), COUNTERS_RUNNING);
	CHECK_EQUAL(say(&finished, WORK_KERNEL, 6), COUNTERS_FINISHED);
}

/* A channel that the moment alone has checked may be ahead by as much as that check allows. */
static void test_tried(void)
{
	static const uint32_t BEGUN = 70;
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t id = builder_channel(&c->builder, c->context, BEGUN);
	const struct trusted_channels trust = {
		.n = 1, .channels = {{.id = id, .is_trusted = true, .has_sample = true}}};
	const struct moment moment = {.code = 700};
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, stream, WORK_GRAPH);
	builder_channel_row(&c->builder, id)->trust = CHANNEL_UNCHECKED;
	record->progress.channel = id;
	builder_view(&c->builder, &c->view);
	for (uint32_t lead = 0; lead <= SAMPLE_SPAN; lead++) {
		record->progress.payload = BEGUN - lead;
		CHECK_EQUAL(driver_counters_of(&c->view, &moment, &trust, record),
			    lead < SAMPLE_SPAN ? COUNTERS_SILENT : COUNTERS_STARTED);
	}
	record->progress.payload = BEGUN + 1;
	CHECK_EQUAL(driver_counters_of(&c->view, &moment, &trust, record), COUNTERS_WAITING);
	/* A kernel's own state shows it. */
	record->work = WORK_KERNEL;
	record->progress.payload = BEGUN;
	record->progress.turn = 1;
	record->progress.state = builder_kernel_state(&c->builder, stream, 1);
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(driver_counters_of(&c->view, &moment, &trust, record), COUNTERS_RUNNING);
	case_end(c);
}

static void test_state_of_bundle(void)
{
	struct verdict_case *c = case_begin();
	struct moment moment = {.sequence = UINT64_MAX};
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(driver_counters_state(&c->view, &moment), COUNTERS_NONE);
	builder_channel(&c->builder, c->context, 1);
	builder_channel(&c->builder, c->context, 1);
	builder_channel_row(&c->builder, 1)->trust = CHANNEL_UNCHECKED;
	builder_channel_row(&c->builder, 1)->is_read = 0;
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(driver_counters_state(&c->view, &moment), COUNTERS_USABLE);
	builder_channel_row(&c->builder, 1)->use = UINT16_MAX; /* it is being rewritten */
	CHECK_EQUAL(driver_counters_state(&c->view, &moment), COUNTERS_USABLE);
	builder_channel_row(&c->builder, 1)->use = 0;
	moment.flags = FAILURE_COREDUMPS;
	CHECK_EQUAL(driver_counters_state(&c->view, &moment), COUNTERS_NONE);
	moment.flags = 0;
	builder_channel_row(&c->builder, 2)->is_read = 0;
	CHECK_EQUAL(driver_counters_state(&c->view, &moment), COUNTERS_NONE);
	builder_channel_row(&c->builder, 2)->is_read = 1;
	builder_channel_row(&c->builder, 1)->trust = CHANNEL_REFUSED;
	CHECK_EQUAL(driver_counters_state(&c->view, &moment), COUNTERS_REFUSED);
	case_end(c);
}

int main(void)
{
	test_examples();
	test_not_believed();
	test_tried();
	test_state_of_bundle();
	return 0;
}
