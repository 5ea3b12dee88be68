/*
 * test_nan_story.c - where a NaN began, by rows of checked launches and of checked nodes of graphs;
 * and rows that contradict themselves.
 */
#include "checks/nan_story.h"

#include <string.h>

#include "report/report_nan.h"
#include "support/bundle_builder.h"
#include "support/check.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000 };

static struct bundle_builder builder;
static struct bundle_view view;
static struct verdict verdict;

/* An argument with so many NaN before and after, whose bytes change or not. */
struct seen {
	uint64_t address;
	uint64_t before, after;
	bool is_written;
};

static void launch(uint64_t sequence, const struct seen *seen, uint32_t n)
{
	uint32_t id = 0;
	struct check_row *rows = builder_rows(&builder, JOURNAL_CHECKS, n, &id);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct check_row){
			.sequence = sequence,
			.address = seen[i].address,
			.bytes = 0x100,
			.n_rows = n,
			.index = i,
			.parameter = i,
			.flags = CHECK_ROW_HAS_AFTER,
			.before = {.n = 64, .n_nan = seen[i].before, .first_infinite = UINT64_MAX},
			.after = {.n = 64,
				  .n_nan = seen[i].after,
				  .first_infinite = UINT64_MAX,
				  .checksum = seen[i].is_written}};
}

#define LAUNCH(sequence, ...)                                \
	launch(sequence, (const struct seen[]){__VA_ARGS__}, \
	       sizeof((const struct seen[]){__VA_ARGS__}) / sizeof(struct seen))

static struct nan_story story(void)
{
	struct nan_story out;
	builder_view(&builder, &view);
	nan_story_find(&view, &verdict, &out);
	builder_end(&builder);
	builder_begin(&builder, 64);
	return out;
}

static void check_made(void)
{
	LAUNCH(1, {A, 0, 0, true}, {B, 0, 0, false});
	LAUNCH(2, {C, 0, 3, true}, {A, 0, 0, false});
	LAUNCH(3, {D, 0, 1, true}, {C, 3, 3, false});
	LAUNCH(4, {B, 0, 0, true}, {C, 3, 3, false}); /* takes it, and makes no NaN of it */
	LAUNCH(5, {A, 0, 2, true}, {D, 1, 1, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.first.row, 3);
	CHECK_EQUAL(found.n_links, 2);
}

/* In place, and what was there before a clean launch overwrote it. */
static void check_in_place(void)
{
	LAUNCH(1, {A, 5, 0, true}, {B, 0, 0, false});
	LAUNCH(2, {A, 0, 1, true});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.first.row, 3);
}

/* Old contents of its result do not excuse a launch, but it is not certain. */
static void check_perhaps(void)
{
	LAUNCH(1, {A, 5, 2, true}, {B, 0, 0, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_PERHAPS);
	CHECK_EQUAL(found.first.row, 1);
	CHECK_EQUAL(found.other.row, 1);
}

static void check_brought(void)
{
	LAUNCH(1, {A, 0, 1, true}, {B, 1, 1, false});
	LAUNCH(2, {C, 0, 1, true}, {A, 1, 1, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_BROUGHT);
	CHECK_EQUAL(found.first.row, 2);
	CHECK_EQUAL(found.n_links, 1);
	/* A launch that makes one of clean arguments later is a better beginning. */
	LAUNCH(1, {A, 0, 1, true}, {B, 1, 1, false});
	LAUNCH(2, {C, 0, 1, true}, {D, 0, 0, false});
	found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.first.row, 3);
}

static void check_unfinished(void)
{
	LAUNCH(1, {A, 0, 1, true}, {B, 0, 0, false});
	builder_view(&builder, &view);
	uint32_t id = 0;
	struct check_row *row = builder_rows(&builder, JOURNAL_CHECKS, 1, &id);
	*row = (struct check_row){.sequence = 2, .address = C, .bytes = 4, .n_rows = 1};
	CHECK_EQUAL(story().origin, NAN_MADE);
	CHECK_EQUAL(story().origin, NAN_NONE);
}

/* A node's argument, with the replays since which it was odd; 0: it was not. */
struct seen_node {
	uint32_t node;
	uint64_t address;
	uint32_t before, after;
};

enum { GRAPH = 7 };

static void finding(enum graph_check_kind kind, uint32_t replay, const struct seen_node *seen,
		    uint32_t n)
{
	uint32_t id = 0;
	struct graph_check_row *rows = builder_rows(&builder, JOURNAL_GRAPH_CHECKS, n, &id);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct graph_check_row){
			.graph = GRAPH,
			.kind = kind,
			.replay = replay,
			.flags = GRAPH_CHECK_IS_LINEAR,
			.node = seen[i].node,
			.address = seen[i].address,
			.bytes = 0x100,
			.n_rows = n,
			.index = i,
			.before = {.n = 64, .n_nan = seen[i].before, .run = seen[i].before},
			.after = {.n = 64, .n_nan = seen[i].after, .run = seen[i].after}};
}

#define FINDING(kind, replay, ...)                                     \
	finding(kind, replay, (const struct seen_node[]){__VA_ARGS__}, \
		sizeof((const struct seen_node[]){__VA_ARGS__}) / sizeof(struct seen_node))

static void add_stream(void)
{
	if (!builder.tables[JOURNAL_STREAMS].bytes)
		(void)builder_stream(&builder, builder_context(&builder, 0, "a device"),
				     STREAM_EXPLICIT, 0, 0x5000);
}

/* Record a launch of the graph. Return its number. */
static uint64_t replay_graph(uint64_t replay)
{
	add_stream();
	struct journal_record *record = builder_submit(&builder, 1, 1, WORK_GRAPH);
	record->graph = (struct record_graph){.number = GRAPH, .replay = replay};
	return record->sequence;
}

static void suspect(uint64_t sequence)
{
	verdict = (struct verdict){.n_suspects = 1};
	verdict.suspects[0].record.sequence = sequence;
}

static void check_nodes(void)
{
	FINDING(GRAPH_CHECK_ODD, 3, {1, A, 0, 3}, {2, B, 0, 3}, {2, A, 3, 3}, {4, C, 0, 3},
		{4, B, 3, 3});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK(found.first.is_node && !found.first.sequence && !found.has_company);
	CHECK_EQUAL(found.first.row, 1);
	CHECK_EQUAL(found.n_links, 2);
	CHECK_EQUAL(found.links[1].row, 4);
	/* The graph was given it. */
	FINDING(GRAPH_CHECK_ODD, 3, {2, B, 0, 3}, {2, A, 3, 3});
	found = story();
	CHECK_EQUAL(found.origin, NAN_BROUGHT);
	CHECK_EQUAL(found.first.row, 2);
}

static void check_branches(void)
{
	FINDING(GRAPH_CHECK_ODD, 3, {1, A, 0, 3});
	uint32_t id = 0;
	struct graph_check_row *rows = builder_rows(&builder, JOURNAL_GRAPH_CHECKS, 1, &id);
	rows[-1].flags = 0;
	rows->kind = GRAPH_CHECK_NONE;
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK(found.has_company);
}

/* The driver refused a launch of the graph: the next one is the replay. */
static void check_refused(void)
{
	builder.sequence = 0;
	CHECK_EQUAL(replay_graph(1), 1);
	builder_submit(&builder, 1, 1, WORK_GRAPH)->graph =
		(struct record_graph){.number = GRAPH, .replay = 2};
	struct journal_record *refused = builder_submit(&builder, 1, 1, WORK_GRAPH);
	refused->graph = (struct record_graph){.number = GRAPH, .replay = 3};
	refused->result = 1;
	uint64_t accepted = replay_graph(3);
	refused = builder_submit(&builder, 1, 1, WORK_GRAPH);
	refused->graph = (struct record_graph){.number = GRAPH, .replay = 4};
	refused->result = 1;
	FINDING(GRAPH_CHECK_ODD, 3, {1, A, 0, 3});
	CHECK_EQUAL(story().first.sequence, accepted);
}

/* A part of an argument was not read before the kernel. */
static void check_sampled(void)
{
	FINDING(GRAPH_CHECK_ODD, 3, {1, A, 0, 3}, {2, B, 0, 3}, {2, A, 3, 3});
	uint32_t id = 0;
	struct graph_check_row *rows = builder_rows(&builder, JOURNAL_GRAPH_CHECKS, 1, &id);
	rows[-3].kib_read = 5 << 10;
	rows[-3].kib_given = 33 << 10;
	rows->kind = GRAPH_CHECK_NONE;
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK(found.is_sampled && !nan_story_is_sure(&found));
	CHECK(strcmp(report_nan_label(&found), "probably_made") == 0);
	CHECK_EQUAL(found.n_links, 1);
}

/* A launch makes it and a graph passes it on, or the other way round. */
static void check_both(void)
{
	LAUNCH(1, {A, 0, 1, true});
	builder.sequence = 1;
	CHECK_EQUAL(replay_graph(1), 2);
	FINDING(GRAPH_CHECK_ODD, 1, {0, B, 0, 1}, {0, A, 1, 1});
	LAUNCH(3, {C, 0, 1, true}, {B, 1, 1, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.first.sequence, 1);
	CHECK_EQUAL(found.n_links, 2);
	CHECK(found.links[0].is_node && !found.links[1].is_node);
	CHECK_EQUAL(found.links[0].sequence, 2);

	CHECK_EQUAL(replay_graph(1), 1);
	FINDING(GRAPH_CHECK_ODD, 1, {0, B, 0, 1});
	LAUNCH(2, {A, 0, 1, true});
	LAUNCH(3, {C, 0, 1, true}, {B, 1, 1, false});
	found = story();
	CHECK(found.first.is_node);
	CHECK_EQUAL(found.first.sequence, 1);
	CHECK_EQUAL(found.n_links, 1);
	CHECK_EQUAL(found.links[0].sequence, 3);
}

/* The suspect had not finished, and was given it. Others do not count. */
static void check_reached(void)
{
	for (uint64_t sequence = 1; sequence < 4; sequence++) {
		LAUNCH(1, {A, 0, 1, true});
		uint32_t id = 0;
		struct check_row *row = builder_rows(&builder, JOURNAL_CHECKS, 1, &id);
		*row = (struct check_row){.sequence = 2,
					  .address = A,
					  .bytes = 4,
					  .n_rows = 1,
					  .before = {.n_nan = 1}};
		suspect(sequence);
		struct nan_story found = story();
		CHECK_EQUAL(found.first.row, 1);
		CHECK_EQUAL(found.reached.row, sequence == 2 ? 2 : 0);
	}
	for (uint32_t node = 1; node < 4; node++) {
		FINDING(GRAPH_CHECK_ODD, 3, {1, A, 0, 3});
		FINDING(GRAPH_CHECK_UNFINISHED, 5, {2, A, 5, 0});
		(void)replay_graph(3);
		suspect(replay_graph(5));
		verdict.graph.n_candidates = 1;
		verdict.graph.candidates[0].index = node;
		verdict.graph.candidates[1].index = 2; /* does not count */
		struct nan_story found = story();
		CHECK_EQUAL(found.first.row, 1);
		CHECK_EQUAL(found.first.sequence, 1);
		CHECK_EQUAL(found.reached.row, node == 2 ? 2 : 0);
	}
	verdict = (struct verdict){0};
}

/* The suspect has a pointer into what a launch wrote that was given a NaN, or elsewhere. */
static void check_derived(void)
{
	static const uint64_t pointers[] = {B, B + 0xfc, B + 0x100, B - 4};
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		LAUNCH(1, {A, 0, 1, true});
		LAUNCH(2, {B, 0, 0, true}, {A, 1, 1, false});
		add_stream();
		builder.sequence = 2;
		verdict = (struct verdict){.n_suspects = 1};
		verdict.suspects[0].record =
			*builder_launch(&builder, 1, 1, 0, &pointers[i], sizeof(pointers[i]));
		struct nan_story found = story();
		CHECK_EQUAL(found.first.row, 1);
		CHECK_EQUAL(found.derived.row, i < 2 ? 2 : 0);
	}
	verdict = (struct verdict){0};
}

/* A part that was not checked may have had some before. */
static void check_words(void)
{
	const struct report report = {.view = &view};
	char line[256];
	for (uint32_t is_cut = 0; is_cut < 2; is_cut++) {
		struct text text = text_in(line, sizeof(line));
		struct nan_story found = {0};
		LAUNCH(1, {A, 0, 1, true}, {B, 0, 0, false});
		builder_view(&builder, &view);
		struct check_row *row = (struct check_row *)(uintptr_t)view_check(&view, 2);
		row->flags |= is_cut ? CHECK_ROW_CUT : 0;
		nan_story_find(&view, NULL, &found);
		report_nan_values(&report, &found, &text);
		CHECK(strstr(line, "argument 0: 1 NaN among 64 "));
		CHECK_EQUAL(strstr(line, "; not all of the arguments' memory was checked") != NULL,
			    is_cut);
		builder_end(&builder);
		builder_begin(&builder, 64);
	}
}

/* Numbers of rows that are not there, and launches without an end. */
static void check_hostile(void)
{
	for (uint32_t n = 0; n < 40; n++) {
		uint32_t id = 0;
		struct check_row *rows = builder_rows(&builder, JOURNAL_CHECKS, 3, &id);
		for (uint32_t i = 0; i < 3; i++)
			rows[i] = (struct check_row){.n_rows = n * n * n,
						     .index = n % (i + 1),
						     .bytes = UINT64_MAX,
						     .address = n,
						     .flags = UINT32_MAX,
						     .after = {.n_nan = n, .checksum = n}};
		struct graph_check_row *nodes =
			builder_rows(&builder, JOURNAL_GRAPH_CHECKS, 3, &id);
		for (uint32_t i = 0; i < 3; i++)
			nodes[i] = (struct graph_check_row){.n_rows = n * n,
							    .index = n % (i + 1),
							    .kind = n % 7,
							    .node = i / 2,
							    .bytes = UINT64_MAX,
							    .address = n,
							    .replay = n / 2,
							    .before = {.run = i},
							    .after = {.run = n % 5}};
	}
	struct nan_story found = story();
	CHECK(found.first.row <= 120);
}

int main(void)
{
	builder_begin(&builder, 64);
	check_made();
	check_in_place();
	check_perhaps();
	check_brought();
	check_unfinished();
	check_nodes();
	check_branches();
	check_refused();
	check_sampled();
	check_both();
	check_reached();
	check_derived();
	check_words();
	check_hostile();
	builder_end(&builder);
	return 0;
}
