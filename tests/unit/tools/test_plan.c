/*
 * test_plan.c - the run that triage chooses next.
 */
#include "triage/plan.h"

#include <string.h>

#include "support/check.h"

static struct plan_run failed(enum way way, enum verdict_class class, const char *fingerprint)
{
	struct plan_run run = {.way = way,
			       .finding = {.has_failure = true, .code = 700, .class = class}};
	memcpy(run.finding.fingerprint.id, fingerprint, strlen(fingerprint) + 1);
	return run;
}

static void begins_with_the_command_as_it_is(void)
{
	enum way way = WAY_BLOCKING;
	CHECK_EQUAL(plan_next(NULL, 0, &(struct plan_means){4, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_AS_IS);
}

static void ends_where_nothing_failed(void)
{
	const struct plan_run runs[] = {{.way = WAY_AS_IS}};
	enum way way;
	CHECK_EQUAL(plan_next(runs, 1, &(struct plan_means){4, false}, &way), PLAN_NO_FAILURE);
}

static void proves_before_it_looks_at_the_device(void)
{
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_NARROWED, "a"),
				  failed(WAY_MARKERS_INLINE, VERDICT_EXACT, "b"),
				  failed(WAY_COREDUMP, VERDICT_EXACT, "b")};
	enum way way;
	CHECK_EQUAL(plan_next(runs, 1, &(struct plan_means){4, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_MARKERS_INLINE);
	CHECK_EQUAL(plan_next(runs, 2, &(struct plan_means){4, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_COREDUMP);
	CHECK_EQUAL(plan_next(runs, 3, &(struct plan_means){4, false}, &way), PLAN_FOUND);
}

static void looks_at_the_device_only_where_it_must(void)
{
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_EXACT, "a")};
	runs[0].finding.has_device_line = true;
	enum way way;
	CHECK_EQUAL(plan_next(runs, 1, &(struct plan_means){4, false}, &way), PLAN_FOUND);
}

static void goes_on_where_a_run_did_not_fail(void)
{
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_NARROWED, "a"),
				  {.way = WAY_MARKERS_INLINE},
				  {.way = WAY_COREDUMP},
				  {.way = WAY_BLOCKING}};
	enum way way;
	CHECK_EQUAL(plan_next(runs, 2, &(struct plan_means){9, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_COREDUMP);
	CHECK_EQUAL(plan_next(runs, 3, &(struct plan_means){9, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_BLOCKING);
	CHECK_EQUAL(plan_next(runs, 4, &(struct plan_means){9, false}, &way), PLAN_SPENT);
}

static void takes_the_cache_away_from_python_alone(void)
{
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_NARROWED, "a"),
				  failed(WAY_MARKERS_INLINE, VERDICT_NARROWED, "a"),
				  failed(WAY_COREDUMP, VERDICT_NARROWED, "a")};
	enum way way;
	CHECK_EQUAL(plan_next(runs, 3, &(struct plan_means){9, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_BLOCKING);
	for (int i = 0; i < 3; i++)
		runs[i].finding.is_python = true;
	CHECK_EQUAL(plan_next(runs, 3, &(struct plan_means){9, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_UNCACHED);
	for (int i = 0; i < 3; i++)
		runs[i].finding.code = 719;
	CHECK_EQUAL(plan_next(runs, 3, &(struct plan_means){9, false}, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_BLOCKING);
}

static void asks_the_sanitizer_last_where_there_is_one(void)
{
	const struct plan_means means = {9, true};
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_EXACT, "a"),
				  failed(WAY_COREDUMP, VERDICT_EXACT, "a")};
	enum way way;
	CHECK_EQUAL(plan_next(runs, 2, &means, &way), PLAN_FOUND);
	strcpy(runs[0].finding.target.kernel, "scatter");
	CHECK_EQUAL(plan_next(runs, 2, &(struct plan_means){9, false}, &way), PLAN_FOUND);
	CHECK_EQUAL(plan_next(runs, 2, &means, &way), PLAN_GOES_ON);
	CHECK_EQUAL(way, WAY_SANITIZED);
	runs[0].finding.has_device_line = true;
	CHECK_EQUAL(plan_next(runs, 2, &means, &way), PLAN_FOUND);
}

static void makes_no_more_runs_than_allowed(void)
{
	const struct plan_run narrowed[] = {failed(WAY_AS_IS, VERDICT_NARROWED, "a")};
	const struct plan_run exact[] = {failed(WAY_AS_IS, VERDICT_EXACT, "a")};
	enum way way;
	CHECK_EQUAL(plan_next(narrowed, 1, &(struct plan_means){1, false}, &way), PLAN_SPENT);
	CHECK_EQUAL(plan_next(exact, 1, &(struct plan_means){1, false}, &way), PLAN_FOUND);
}

static void prefers_what_is_sure_and_then_what_has_a_line(void)
{
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_NARROWED, "a"),
				  failed(WAY_MARKERS_INLINE, VERDICT_EXACT, "a"),
				  failed(WAY_COREDUMP, VERDICT_EXACT, "a")};
	CHECK_EQUAL(plan_best(runs, 3), 1);
	runs[2].finding.has_device_location = true;
	CHECK_EQUAL(plan_best(runs, 3), 2);
	runs[2].finding.has_device_line = true;
	CHECK_EQUAL(plan_best(runs, 3), 2);
	runs[2].finding.class = VERDICT_NARROWED;
	CHECK_EQUAL(plan_best(runs, 3), 1);
}

/* One run proves the launch, another one names its node: neither is lost. */
static void shows_the_richest_of_the_runs_that_agree(void)
{
	const struct plan_means means = {9, true};
	struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_EXACT, "a"),
				  failed(WAY_COREDUMP, VERDICT_LIKELY, "a"),
				  failed(WAY_BLOCKING, VERDICT_LIKELY, "b")};
	runs[1].finding.has_node = true;
	runs[1].finding.has_device_location = true;
	runs[2].finding.has_node = true;
	runs[2].finding.has_device_location = runs[2].finding.has_device_line = true;
	CHECK_EQUAL(plan_best(runs, 3), 0);
	CHECK_EQUAL(plan_shown(runs, 3), 1);
	CHECK_EQUAL(plan_shown(runs, 1), 0);
	/* A line that one run has found is not searched for again. */
	enum way way;
	strcpy(runs[0].finding.target.kernel, "scatter");
	CHECK_EQUAL(plan_next(runs, 2, &means, &way), PLAN_GOES_ON);
	runs[1].finding.has_device_line = true;
	CHECK_EQUAL(plan_next(runs, 2, &means, &way), PLAN_FOUND);
	/* A report that names no launch tells nothing more of the device. */
	runs[1].finding.class = VERDICT_NARROWED;
	CHECK_EQUAL(plan_shown(runs, 3), 0);
}

static void compares_only_runs_that_name_a_launch(void)
{
	const struct plan_run runs[] = {failed(WAY_AS_IS, VERDICT_NARROWED, "x"),
					failed(WAY_MARKERS_INLINE, VERDICT_EXACT, "a"),
					failed(WAY_COREDUMP, VERDICT_LIKELY, "a"),
					failed(WAY_BLOCKING, VERDICT_EXACT, "b")};
	CHECK_EQUAL(plan_constancy(runs, 2), PLAN_ONE_RUN);
	CHECK_EQUAL(plan_constancy(runs, 3), PLAN_STEADY);
	CHECK_EQUAL(plan_constancy(runs, 4), PLAN_MOVES);
}

int main(void)
{
	begins_with_the_command_as_it_is();
	ends_where_nothing_failed();
	proves_before_it_looks_at_the_device();
	looks_at_the_device_only_where_it_must();
	goes_on_where_a_run_did_not_fail();
	takes_the_cache_away_from_python_alone();
	asks_the_sanitizer_last_where_there_is_one();
	makes_no_more_runs_than_allowed();
	prefers_what_is_sure_and_then_what_has_a_line();
	shows_the_richest_of_the_runs_that_agree();
	compares_only_runs_that_name_a_launch();
	return 0;
}
