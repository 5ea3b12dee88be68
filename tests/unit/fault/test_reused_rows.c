/*
 * test_reused_rows.c - rows that get another use while they are read, as in a live process. From
 * each call on, the look-up of a channel or function finds that its row has another use.
 */
#include <stdlib.h>

#include "fault/fault_case.h"
#include "progress/stall.h"
#include "support/words_builder.h"

static uint32_t n_calls, n_found; /* look-ups so far, and how many find the row */

const struct channel_row *__real_view_channel(const struct bundle_view *view, uint32_t id);
const struct channel_row *__wrap_view_channel(const struct bundle_view *view, uint32_t id);
const struct function_row *__real_view_function(const struct bundle_view *view, uint32_t id);
const struct function_row *__wrap_view_function(const struct bundle_view *view, uint32_t id);

const struct channel_row *__wrap_view_channel(const struct bundle_view *view, uint32_t id)
{
	return n_calls++ < n_found ? __real_view_channel(view, id) : NULL;
}

const struct function_row *__wrap_view_function(const struct bundle_view *view, uint32_t id)
{
	return n_calls++ < n_found ? __real_view_function(view, id) : NULL;
}

static void find_stalls(struct verdict_case *c)
{
	static struct stalls stalls;
	const struct reading_time now = {.ns = 5000};
	builder_view(&c->builder, &c->view);
	size_t size = stalls_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK_EQUAL(stalls_find(&c->view, &now, scratch, size, &stalls), 0);
	free(scratch);
}

static void test_channels(void)
{
	struct verdict_case *c = case_begin();
	uint32_t channel = builder_channel(&c->builder, c->context, 1);
	builder_channel_row(&c->builder, channel)->started_gpu_ns = 400;
	struct journal_record *record =
		builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_KERNEL);
	record->progress = (struct record_progress){.channel = channel, .payload = 1};
	for (n_found = 0; n_found <= n_calls; n_found++) {
		n_calls = 0;
		find_stalls(c);
	}
	CHECK(n_calls > 3);
	case_end(c);
}

static void test_functions(void)
{
	n_found = UINT32_MAX;
	struct verdict_case *c = fault_begin();
	fault_add_word(c, 1, WORD, fault_starts[3]);
	fault_add_words(c);
	fault_add_exception(c, PC);
	for (n_found = 0; n_found <= n_calls; n_found++) {
		n_calls = 0;
		fault_judge(c);
	}
	CHECK(n_calls > 10);
	case_end(c);
}

int main(void)
{
	test_channels();
	test_functions();
	return 0;
}
