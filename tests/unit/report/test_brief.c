/*
 * test_brief.c - short reports: each answers what happened, where, how sure and what next.
 */
#include "brief/brief_page.h"

#include <string.h>

#include "report/report_page.h"
#include "support/check.h"
#include "support/sample_bundle.h"

enum { MOST_LINES = 12 };

static struct page page;
static struct page brief;
static char buffer[REPORT_TEXT_SIZE];

static size_t test_frames(void *state, uint32_t module_id, const struct module_row *module,
			  const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	(void)module;
	(void)max;
	if (strcmp(path, "/home/user/train") != 0)
		return 0;
	out[0] = offset == 0x22
			 ? (struct source_frame){.function = "main", .file = "train.cc", .line = 5}
			 : (struct source_frame){
				   .function = "launch(float*)", .file = "launch.h", .line = 88};
	return 1;
}

static const struct symbol_source symbols = {.frames = test_frames};

static const char *brief_of(const struct verdict_case *c, const struct brief_source *source)
{
	static const struct report_process process = {.pid = 1234, .rank = "3"};
	const struct report report = {.view = &c->view,
				      .verdict = &c->verdict,
				      .symbols = &symbols,
				      .process = &process,
				      .bundle_path = "./culprit-train-1234"};
	struct text text = text_in(buffer, sizeof(buffer));
	report_page(&report, &page);
	brief_page(&page, &brief);
	brief_text(&brief, source, &text);
	CHECK(!text.cut);
	return buffer;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_exact(void)
{
	static const struct brief_source source = {"scatter<<<16, 128>>>(a, b);", 88};
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	CHECK_STRING(brief_of(c, &source),
		     "error[700]: illegal memory access: math::scatter<float> wrote 64 KiB past "
		     "the end of allocation #3 (CUDA_ERROR_ILLEGAL_ADDRESS, pid 1234, rank 3)  "
		     "exact\n"
		     "  --> launch.h:88 launch  <- train.cc:5 main\n"
		     "    88 | scatter<<<16, 128>>>(a, b);\n"
		     "       | launch #7, math::scatter<float><<<16, 128, 1024>>> on the default "
		     "stream\n"
		     "  fault      wrote 0x700000030000 (4 KiB page), 64 KiB past the end of "
		     "allocation #3 (16 B), most likely by argument 2 + 16 * argument 3\n"
		     "  allocated  launch.h:88 launch\n"
		     "  seen       launch.h:88 launch, by cuCtxSynchronize, "
		     "135 ms and 5 "
		     "submissions later\n"
		     "  because    its stream had finished #6; the "
		     "address belongs to argument 2\n"
		     "  help       culprit explain out-of-bounds   \xc2\xb7   culprit report -v "
		     "./culprit-train-1234\n");
	CHECK(count_lines(buffer) <= MOST_LINES);
	case_end(c);
}

/* The address is near one allocation, but follows from a pointer into another. */
static void test_other_memory(void)
{
	static const uint32_t sizes[] = {8, 8};
	const uint64_t start = 0x700000000000;
	const uint64_t other = start + 0x10000000;
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, start, 0x1000, 0);
	(void)builder_range(&c->builder, other, 0x1000, 0);
	uint32_t function = builder_function(&c->builder, "put", 2, sizes);
	const uint64_t arguments[] = {start, (other + 0x3000 - start) / 4};
	builder_launch(&c->builder, CASE_TID, case_stream(c), function, arguments,
		       sizeof(arguments));
	uint32_t id;
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_EVENT,
				  .access = FAULT_WRITE,
				  .flags = FAULT_ADDRESS_PAGE,
				  .address = other + 0x3000};
	case_judge(c, 700);
	const char *text = brief_of(c, NULL);
	CHECK(strstr(text, "8 KiB past the end of allocation #2 (4 KiB), most likely by argument 0 "
			   "+ 4 * argument 1\n"));
	CHECK(!strstr(text, "belongs to argument"));
	CHECK(strstr(text, "access: put wrote 8 KiB past the end of allocation #2 ("));
	/* With a second suspect, the first one's arguments explain nothing. */
	c->verdict.class = VERDICT_NARROWED;
	c->verdict.n_suspects = 2;
	c->verdict.suspects[1] = c->verdict.suspects[0];
	text = brief_of(c, NULL);
	CHECK(strstr(text, "8 KiB past the end of allocation #2 (4 KiB)"));
	CHECK(!strstr(text, "by argument") && !strstr(text, "put wrote"));
	case_end(c);
}

/* One line for build servers names no process, so that it is the same in every run. */
static void test_headline(void)
{
	char line[256];
	struct text text = text_in(line, sizeof(line));
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	(void)brief_of(c, NULL);
	brief_headline(&brief, &text);
	CHECK_STRING(line, "error[700]: illegal memory access: math::scatter<float> wrote 64 KiB "
			   "past the end of allocation #3 [exact]");
	case_end(c);
}

/* Suspects on several lines are listed, the most likely one first, and triage is the next step. */
static void test_narrowed(void)
{
	struct verdict_case *c = sample_mixed_bundle();
	case_judge(c, 700);
	CHECK(c->verdict.class == VERDICT_NARROWED);
	(void)brief_of(c, NULL);
	CHECK(strstr(buffer, "error[719]: launch failed: one of 3 submissions"));
	CHECK(strstr(buffer, ")  narrowed\n  most likely  #"));
	CHECK(strstr(buffer, "\n  also "));
	CHECK(strstr(buffer, "nothing proves which of the 3\n"));
	CHECK(strstr(buffer, "\n  to be sure   culprit triage -- COMMAND\n"));
	CHECK(!strstr(buffer, "  --> "));
	CHECK(count_lines(buffer) <= MOST_LINES);
	case_end(c);
}

/* A graph of which the node is not known has no name; its launch is exact, and its node is not. */
static void test_graph(void)
{
	struct verdict_case *c = sample_mixed_bundle();
	case_judge(c, 700);
	for (uint64_t i = 0; i < c->verdict.n_suspects; i++)
		if (c->verdict.suspects[i].record.work == WORK_GRAPH)
			c->verdict.suspects[0] = c->verdict.suspects[i];
	c->verdict.class = VERDICT_EXACT;
	c->verdict.n_suspects = 1;
	c->verdict.graph.certainty = GRAPH_NARROWED;
	c->verdict.graph.n_candidates = 5;
	(void)brief_of(c, NULL);
	CHECK(strstr(buffer, ": a node of a graph, replay 1 (CUDA_ERROR_"));
	CHECK(strstr(buffer, ")  exact launch; node is one of 5\n"));
	case_end(c);
}

/* Without a fault, an argument that points into freed memory is named, and no more is claimed. */
static void test_freed_argument(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	c->view.tables[JOURNAL_FAULTS].n_rows = 0;
	(void)brief_of(c, NULL);
	CHECK(strstr(buffer, "math::scatter<float>, argument 1 points into freed memory ("));
	CHECK(strstr(buffer, "\n  arguments  1: 0x700000010010, in allocation #2 "
			     "(1000 B)\n  freed      launch.h:88 launch"));
	case_end(c);
}

static void test_unknown(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	c->verdict.class = VERDICT_UNKNOWN;
	c->verdict.unknown_reason = UNKNOWN_HARDWARE;
	c->verdict.failure.code = 214;
	c->verdict.n_suspects = 0;
	(void)brief_of(c, NULL);
	CHECK(strstr(buffer, "error[214]: uncorrectable memory error: the hardware failed"));
	CHECK(strstr(buffer, ")  unknown\n"));
	CHECK(strstr(buffer, "\n  help       culprit explain 214"));
	case_end(c);
}

int main(void)
{
	test_exact();
	test_other_memory();
	test_headline();
	test_narrowed();
	test_graph();
	test_freed_argument();
	test_unknown();
	return 0;
}
