/*
 * test_coredump_memory.c - core dumps of the driver's own kernels, which do copies and memsets: by
 * their parameters, as an H200 wrote them under driver 580.159.
 */
#include "support/check.h"
#include "support/coredump_case.h"
#include "support/graph_builder.h"

enum { BYTES = 64 };
static const uint64_t here = 0x7f0000001000, there = 0x7f0000202000, elsewhere = 0x7f0000403000;

static struct journal_record *move(struct story *story, enum work_kind work, uint64_t destination,
				   uint64_t source)
{
	struct journal_record *record =
		builder_submit(&story->c->builder, CASE_TID, story->stream, work);
	record->memory.destination = destination;
	record->memory.source = source;
	record->memory.bytes = BYTES;
	return record;
}

/* The dump of a kernel of the driver's with these words as its parameters. */
static void dump_words(struct story *story, const char *kernel, const uint64_t words[3])
{
	story_dump(story, story->scatter, 1);
	struct gpu_fault_grid *entry = &story->fault.grids[0];
	entry->kernel = kernel;
	entry->grid.function = 0x9999;
	entry->grid.parameters.bytes = (const unsigned char *)words;
	entry->grid.parameters.size = 3 * sizeof(*words);
}

static void judge_words(struct story *story, const char *kernel, const uint64_t words[3])
{
	dump_words(story, kernel, words);
	story_judge(story, FAILURE_SYNCS_WATCHED);
}

/* A copy, between another one, a memset and a write of what it reads or writes. */
static struct story copy_story(void)
{
	struct story story = story_begin();
	move(&story, WORK_COPY, here, elsewhere);
	move(&story, WORK_COPY, here, there);
	move(&story, WORK_MEMSET, here, 0);
	builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_MEMOP);
	story_launch(&story, story.other_stream, story.scatter, 1);
	return story;
}

static void test_copy(void)
{
	const uint64_t words[] = {here, there, BYTES / 4};
	struct story story = copy_story();
	judge_words(&story, "memcpy32_post", words);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	CHECK(case_evidence(story.c, EVIDENCE_COREDUMP_GRID));
	/* In another context only the name and the addresses match: the verdict is not certain. */
	dump_words(&story, "memcpy32_post", words);
	story.fault.grids[0].grid.context++;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 2);
	case_end(story.c);
}

/* The rest of a copy: the kernel's parameters point past the copy's start. */
static void test_rest_of_copy(void)
{
	const uint64_t words[] = {here + 60, there + 60, 4};
	struct story story = copy_story();
	move(&story, WORK_COPY, elsewhere, there);
	judge_words(&story, "memcpy_post", words);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	case_end(story.c);
}

static void test_memset(void)
{
	const uint64_t words[] = {here, 0x5a5a5a5a, BYTES};
	struct story story = copy_story();
	judge_words(&story, "memset8", words);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 3);
	case_end(story.c);
}

/* All but the application's kernel are suspect. */
static void check_all_open(const struct story *story)
{
	CHECK_EQUAL(story->c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(story->c->verdict.n_suspects, 4);
}

/* Addresses that no copy has, and names that are not known to be the driver's, clear no work. */
static void test_unknown_words(void)
{
	const uint64_t words[] = {here + BYTES, there + BYTES, BYTES};
	const uint64_t known[] = {here, there, BYTES};
	struct story story = copy_story();
	judge_words(&story, "memcpy32_post", words);
	check_all_open(&story);
	judge_words(&story, "move_words", known);
	check_all_open(&story);
	/* The warp exited: it is not known which copy it ran. */
	story_dump_place(&story, "memcpy32_post", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	check_all_open(&story);
	/* A location has no handle, so a kernel's row without one is not its kernel. */
	uint32_t own = builder_function(&story.c->builder, "memcpy32_post", 0, NULL);
	builder_function_row(&story.c->builder, own)->handle = 0;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	check_all_open(&story);
	case_end(story.c);
}

/* No memory is around the end of all addresses, and a refused call touches none. */
static void test_absurd_size(void)
{
	const uint64_t words[] = {here + BYTES, there + BYTES, BYTES};
	struct story story = copy_story();
	move(&story, WORK_MEMSET, elsewhere, 0)->memory.bytes = UINT64_MAX;
	judge_words(&story, "memset8", words);
	CHECK_EQUAL(story.c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(story.c->verdict.n_suspects, 5);
	case_end(story.c);
	story = copy_story();
	struct journal_record *refused = move(&story, WORK_MEMSET, here - BYTES, 0);
	refused->memory.bytes = UINT64_MAX;
	refused->result = 1; /* CUDA_ERROR_INVALID_VALUE */
	judge_words(&story, "memset8", words);
	check_all_open(&story);
	case_end(story.c);
}

/* A kernel of such a name that a kernel launched is not the driver's: any work may have faulted. */
static void test_launched_by_a_kernel(void)
{
	const uint64_t words[] = {here, there, BYTES};
	for (int has_parent = 0; has_parent < 2; has_parent++) {
		struct story story = copy_story();
		dump_words(&story, "memcpy32_post", words);
		story.fault.grids[0].grid.parent = has_parent ? 3 : 0;
		story.fault.grids[0].grid.origin = has_parent ? 0 : 1;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_EQUAL(story.c->verdict.class, VERDICT_NARROWED);
		CHECK_EQUAL(story.c->verdict.n_suspects, 5);
		case_end(story.c);
	}
}

/* Two equal copies, or one of unknown shape: each may have failed. */
static void test_alike(void)
{
	const uint64_t words[] = {here, there, BYTES};
	struct story story = copy_story();
	move(&story, WORK_COPY, here, there);
	judge_words(&story, "memcpy32_post", words);
	story_check_narrowed(&story, 2, 6);
	case_end(story.c);
	story = copy_story();
	move(&story, WORK_COPY, 0, 0)->memory.bytes = 0;
	judge_words(&story, "memcpy32_post", words);
	story_check_narrowed(&story, 2, 2);
	case_end(story.c);
}

/* The application may have a kernel of such a name. */
static void test_own_kernel(void)
{
	const uint32_t sizes[] = {8, 8, 8};
	const uint64_t words[] = {here, there, BYTES};
	struct story story = copy_story();
	uint32_t own = builder_function(&story.c->builder, "memcpy32_post", 3, sizes);
	builder_launch(&story.c->builder, CASE_TID, story.stream, own, words, sizeof(words));
	judge_words(&story, "memcpy32_post", words);
	story_check_narrowed(&story, 2, 2);
	dump_words(&story, "memcpy32_post", words);
	story.fault.grids[0].grid.function = 0x2000 + own;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 6);
	case_end(story.c);
}

/* A graph of kernels alone copies nothing. */
static void test_graph(void)
{
	const uint8_t kernels[] = {WORK_KERNEL, NODE_WORK_NONE};
	const uint8_t copies[] = {WORK_KERNEL, WORK_COPY};
	const uint64_t words[] = {here, there, BYTES};
	struct story story = copy_story();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, kernels, 2);
	builder_node_row(&story.c->builder, graph, 0)->function = story.scatter;
	builder_launch_graph(&story.c->builder, CASE_TID, story.other_stream, graph, 1);
	judge_words(&story, "memcpy32_post", words);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	case_end(story.c);
	story = copy_story();
	graph = builder_graph(&story.c->builder, 0x9000, copies, 2);
	builder_node_row(&story.c->builder, graph, 0)->function = story.scatter;
	builder_launch_graph(&story.c->builder, CASE_TID, story.other_stream, graph, 1);
	judge_words(&story, "memcpy32_post", words);
	story_check_narrowed(&story, 2, 2);
	case_end(story.c);
}

int main(void)
{
	test_copy();
	test_rest_of_copy();
	test_memset();
	test_unknown_words();
	test_absurd_size();
	test_launched_by_a_kernel();
	test_alike();
	test_own_kernel();
	test_graph();
	return 0;
}
