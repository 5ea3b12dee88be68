/*
 * test_sanitizer.c - the launches that compute-sanitizer has to check.
 */
#include "triage/sanitizer.h"

#include "support/check.h"
#include "support/verdict_case.h"

enum { SLACK = 8 };

static struct verdict_case *c;
static struct sanitizer_target target;

/* The first group of suspects is what has these numbers. */
static void find_target(uint64_t earliest, uint64_t latest)
{
	static struct analysis analysis;
	builder_view(&c->builder, &c->view);
	memset(&c->verdict, 0, sizeof(c->verdict));
	c->verdict.n_groups = 1;
	c->verdict.groups[0].earliest = earliest;
	c->verdict.groups[0].latest = latest;
	c->verdict.groups[0].first.record = *case_find(c, earliest);
	analysis.verdict = &c->verdict;
	analysis.report.view = &c->view;
	sanitizer_target_of(&analysis, &target);
}

static void begin(uint32_t n_launches)
{
	c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t kernel = builder_function(&c->builder, "kernel", 0, NULL);
	uint32_t other = builder_function(&c->builder, "other", 0, NULL);
	for (uint32_t i = 0; i < n_launches; i++) { /* 1, 3, 5, ... */
		builder_launch(&c->builder, CASE_TID, stream, kernel, NULL, 0);
		builder_launch(&c->builder, CASE_TID, stream, other, NULL, 0);
	}
}

static void test_launches_around_the_suspects(void)
{
	begin(20);
	find_target(23, 27); /* the kernel's 12th to 14th launch */
	CHECK_STRING(target.kernel, "kernel");
	CHECK_EQUAL(target.n_skipped, 11 - SLACK);
	CHECK_EQUAL(target.n_checked, SLACK + 3 + SLACK);
	find_target(3, 3);
	CHECK_EQUAL(target.n_skipped, 0);
	CHECK_EQUAL(target.n_checked, 1 + 1 + SLACK);
	case_end(c);
}

/* Launches that a ring has overwritten or lost cannot be counted, so all are checked. */
static void test_lost_launches(void)
{
	for (int is_lost = 0; is_lost < 2; is_lost++) {
		begin(is_lost ? 20 : 200);
		void *header = c->builder.rings[0].bytes;
		((struct file_header *)header)->lost = (uint64_t)is_lost;
		uint64_t newest = c->builder.sequence - 1;
		find_target(newest, newest);
		CHECK_STRING(target.kernel, "kernel");
		CHECK_EQUAL(target.n_skipped, 0);
		CHECK_EQUAL(target.n_checked, 0);
		case_end(c);
	}
}

static void test_copy(void)
{
	begin(1);
	struct journal_record *copy = builder_submit(&c->builder, CASE_TID, 1, WORK_COPY);
	copy->launch.function = 1; /* these bytes have another meaning */
	find_target(copy->sequence, copy->sequence);
	CHECK_STRING(target.kernel, "");
	CHECK_EQUAL(target.n_skipped + target.n_checked, 0);
	case_end(c);
}

int main(void)
{
	test_launches_around_the_suspects();
	test_lost_launches();
	test_copy();
	return 0;
}
