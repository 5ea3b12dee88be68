/*
 * test_coredump_fit.c - which launches a core dump fits: clusters, rows that are missing, calls
 * that failed, more launches than are kept, and grids that kernels launched.
 */
#include "support/check.h"
#include "support/coredump_case.h"

/* A side that gives no cluster fits any. */
static void test_clusters(void)
{
	static const struct {
		uint16_t launched;
		uint32_t dumped;
		bool fits;
	} rows[] = {{0, 0, true}, {2, 2, true}, {0, 2, true}, {2, 0, true}, {2, 4, false}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct story story = story_begin();
		story_launch(&story, story.stream, story.scatter, 1)->launch.cluster[1] =
			rows[i].launched;
		story_dump(&story, story.scatter, 1)->grids[0].grid.cluster[1] = rows[i].dumped;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, rows[i].fits ? VERDICT_EXACT : VERDICT_NARROWED, 1);
		CHECK_EQUAL(story.c->verdict.coredump != NULL, rows[i].fits);
		case_end(story.c);
	}
}

/* A bundle may refer to rows that it does not have. Then the launch's context is not known. */
static void test_missing_contexts(void)
{
	enum { MISSING = 999 };
	for (int is_primary = 0; is_primary < 2; is_primary++) {
		struct story story = story_begin();
		struct bundle_builder *builder = &story.c->builder;
		story_launch(&story, story.stream, story.scatter, 1);
		story_dump(&story, story.scatter, 1);
		if (is_primary)
			builder_context_row(builder, story.c->context)->primary = MISSING;
		else
			builder_stream_row(builder, story.stream)->context = MISSING;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
		case_end(story.c);
	}
}

/* The driver refused an equal launch, which never ran. */
static void test_rejected_launch(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	builder_reject(&story.c->builder,
		       story_launch(&story, story.other_stream, story.scatter, 1), 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(story.c, EVIDENCE_COREDUMP_GRID)->count, 1);
	case_end(story.c);
}

/* An equal launch without a place on its stream cannot be ranked, but prevents a proof. */
static void test_launch_without_place(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.scatter, 1)->ordinal = 0;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 1, 1);
	case_end(story.c);
}

/* By the grid's number, the newest of many launches are the best. */
static void test_the_best_are_kept(void)
{
	enum { MORE = VERDICT_MAX_SUSPECTS + 6 };
	struct story story = story_begin();
	for (uint32_t i = 0; i < MORE; i++)
		story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1)->grids[0].grid.id = MORE;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, MORE, MORE);
	for (uint32_t i = 0; i < VERDICT_MAX_SUSPECTS; i++)
		CHECK_EQUAL(story.c->verdict.suspects[i].record.sequence, MORE - i);
	CHECK_EQUAL(story.c->verdict.n_ungrouped, MORE - VERDICT_MAX_SUSPECTS);
	CHECK_EQUAL(story.c->verdict.n_groups, 1);
	case_end(story.c);
}

/* A grid that a kernel launched is numbered apart: it points to no launch. */
static void test_numbers_of_launched_grids(void)
{
	enum { BY_HOST, BY_PARENT, BY_ORIGIN, N_CASES };
	for (int i = 0; i < N_CASES; i++) {
		struct story story = story_begin();
		for (int launch = 0; launch < 4; launch++)
			story_launch(&story, story.stream, story.scatter, 1);
		struct gpu_grid *grid = &story_dump(&story, story.scatter, 1)->grids[0].grid;
		grid->id = 3;
		grid->parent = i == BY_PARENT ? 2 : 0;
		grid->origin = i == BY_ORIGIN ? 1 : 0;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		story_check_narrowed(&story, 4, i == BY_HOST ? 3 : 1);
		case_end(story.c);
	}
}

int main(void)
{
	test_clusters();
	test_missing_contexts();
	test_rejected_launch();
	test_launch_without_place();
	test_the_best_are_kept();
	test_numbers_of_launched_grids();
	return 0;
}
