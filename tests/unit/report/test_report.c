/*
 * test_report.c - reports compared with their expected text, and the accessors they are made of.
 */

#include "report/report_page.h"
#include "report/report_stack.h"
#include "support/check.h"
#include "support/sample_bundle.h"

static struct page page;
static char buffer[REPORT_TEXT_SIZE];

static size_t test_frames(void *state, uint32_t module_id, const struct module_row *module,
			  const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	CHECK(max >= 2);
	CHECK((module_id == 0) == (module == NULL));
	if (strcmp(path, "/home/user/train") != 0)
		return 0;
	if (offset == 0x22) {
		out[0] = (struct source_frame){
			.function = "main", .file = "src/train.cc", .line = 5};
		return 1;
	}
	out[0] = (struct source_frame){.function = "void launch<float>(float*)",
				       .file = "/home/user/src/launch.h",
				       .line = 88,
				       .is_inlined = true};
	out[1] = (struct source_frame){
		.function = "(anonymous namespace)::step(int)", .file = "src/train.cc", .line = 14};
	return 2;
}

static const char *test_demangle(void *state, const char *mangled)
{
	(void)state;
	return strcmp(mangled, "_ZN4math7scatterIfEEvPT_S2_") == 0
		       ? "void math::scatter<float>(float*, float*)"
		       : NULL;
}

static const struct symbol_source symbols = {.frames = test_frames, .demangle = test_demangle};

static const char *report_of(const struct verdict_case *c, const struct symbol_source *source)
{
	const struct report report = {.view = &c->view,
				      .verdict = &c->verdict,
				      .symbols = source,
				      .bundle_path = "./culprit-train-1234"};
	struct text text = text_in(buffer, sizeof(buffer));
	report_page(&report, &page);
	report_text(&page, &text);
	CHECK(!text.cut);
	return buffer;
}

static const char *headline_of(const struct verdict_case *c)
{
	const struct report report = {
		.view = &c->view, .verdict = &c->verdict, .symbols = &symbols};
	report_page(&report, &page);
	return report_headline(&page);
}

static void test_exact(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	CHECK_STRING(
		report_of(c, &symbols),
		"culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, "
		"math::scatter<float>\n"
		"  void math::scatter<float>(float*, float*)<<<(16,1,1),(128,1,1),1024>>> on "
		"stream 0x0, "
		"device 0 (Test GPU), thread 100 \"main\"\n"
		"  fault           wrote 0x700000030000 (4 KiB page), 64 KiB past the end of "
		"allocation #3 (16 B, from launch.h:88 launch)\n"
		"                  most likely argument 2 (0x700000020010) + 16 * argument 3 "
		"(4096)\n"
		"  launched from   launch.h:88 launch  <- train.cc:14 (anonymous namespace)::step  "
		"<- "
		"train.cc:5 main\n"
		"  arguments       0: 0x700000000040 = allocation #1 + 64 (16 KiB, from "
		"launch.h:88 "
		"launch)\n"
		"                  1: 0x700000010010 = allocation #2 + 16 (1000 bytes, from "
		"launch.h:88 "
		"launch; freed after submission #3, from launch.h:88 launch)\n"
		"                  2: 0x700000020010 = right past the end of allocation #3 (16 "
		"bytes, "
		"from launch.h:88 launch)\n"
		"                  3: 0x1000 (4096)\n"
		"                  4: 24 bytes 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 "
		"...\n"
		"                  5: 0x7\n"
		"  used before by  0: #6 math::scatter<float> from launch.h:88 launch\n"
		"  seen by         cuCtxSynchronize from launch.h:88 launch, 5 submissions and 135 "
		"ms "
		"later\n"
		"  evidence        marker in the stream itself: stream 0x0 finished #6\n"
		"                  stream order: 3 submissions of stream 0x0 cannot have started\n"
		"                  event order: 1 submission of stream 0x5010 not started, after "
		"unfinished work\n"
		"  in flight       stream 0x0: #6 done, >>#7 culprit<<, #8-#10 not started\n"
		"                  stream 0x5010: none known done, #12 not started, waits for "
		"another "
		"stream\n"
		"  afterwards      31 cleanup calls made harmless\n"
		"  refused         launch (1): scatter from launch.h:88 launch: the grid's x is 0: "
		"it must be 1 at least [launch.grid_is_zero], the first of 2 there\n"
		"  bundle          ./culprit-train-1234\n"
		"  help            culprit explain out-of-bounds\n");
	case_end(c);
}

/* The first suspect stopped elsewhere than the fault that is described. */
static void test_fault_of_other_code(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	CHECK(strstr(report_of(c, NULL), "most likely argument 2"));
	c->verdict.fault_code =
		(struct code_location){.function = 1, .pc = 0x1010, .start = 0x1000};
	CHECK(!strstr(report_of(c, NULL), "most likely argument"));
	CHECK(strstr(buffer, "on the device"));
	case_end(c);
}

/* Other components' lines come before the bundle's. An unknown process has none. */
static void test_process(void)
{
	static const struct report_process process = {
		.pid = 1234,
		.rank = "3",
		.lines = {"1234 \"train\x1b\"", "rank 3 of 8"},
		.n_lines = 2};
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	struct report report = {.view = &c->view,
				.verdict = &c->verdict,
				.bundle_path = "./bundle",
				.process = &process};
	struct text text = text_in(buffer, sizeof(buffer));
	case_judge(c, 700);
	report_page(&report, &page);
	report_text(&page, &text);
	CHECK(strstr(buffer, " [pid 1234, rank 3]\n") != NULL);
	CHECK(strstr(buffer, "\n  process         1234 \"train?\"\n"
			     "                  rank 3 of 8\n"
			     "  bundle          ./bundle\n") != NULL);
	report.process = &(struct report_process){.pid = 0};
	text = text_in(buffer, sizeof(buffer));
	report_page(&report, &page);
	report_text(&page, &text);
	CHECK(strstr(buffer, "process") == NULL);
	case_end(c);
}

/* The lines have one label, and are not trusted. */
static void test_hardware(void)
{
	static const struct report_hardware hardware = {
		.lines = {"points to the hardware: \x1b[2J", "operators: reset it"}, .n_lines = 2};
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	struct report report = {.view = &c->view,
				.verdict = &c->verdict,
				.bundle_path = "./bundle",
				.hardware = &hardware};
	struct text text = text_in(buffer, sizeof(buffer));
	case_judge(c, 700);
	report_page(&report, &page);
	report_text(&page, &text);
	CHECK(strstr(buffer, "\n  hardware        points to the hardware: ?[2J\n"
			     "                  operators: reset it\n"
			     "  bundle          ./bundle\n") != NULL);
	CHECK(strstr(report_of(c, NULL), "hardware") == NULL);
	case_end(c);
}

/* Without symbols a report shows what it has: names, modules and offsets. */
static void test_without_symbols(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	case_judge(c, 700);
	const char *text = report_of(c, NULL);
	CHECK(strstr(text, "exact: launch #7, math::scatter<float>\n"));
	CHECK(strstr(text, "launched from   train+0x33  <- train+0x22\n"));
	case_end(c);
}

static void test_narrowed(void)
{
	struct verdict_case *c = sample_bundle(0);
	case_judge(c, 700);
	const char *text = report_of(c, &symbols);
	CHECK(strstr(text, "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — narrowed: one of 5 "
			   "submissions, most likely #12 graph 0x9999, replay 3 (work like it had "
			   "finished least often before)\n"));
	CHECK(strstr(text, "  or else         4 of math::scatter<float>, #7 to #10 on stream 0x0, "
			   "from launch.h:88 launch\n"));
	CHECK(strstr(text, "stream 0x0: #6 done, #7-#10 suspect\n"));
	CHECK(strstr(text, "  next            rerun with CULPRIT_MARKERS=inline"));
	case_end(c);

	c = case_begin();
	case_launch(c, case_stream(c), 12);
	case_judge(c, 710);
	CHECK_STRING(headline_of(c), "culprit: CUDA_ERROR_ASSERT (710) — narrowed: one of 12 "
				     "launches, all of an unknown kernel");
	text = report_of(c, &symbols);
	CHECK(strstr(text, "  or else         11 more of an unknown kernel, #1 to #12 on stream "));
	case_end(c);
}

/* A group may be spread over streams: the first one's is not all of them. */
static void test_streams_of_a_group(void)
{
	struct verdict_case *c = case_begin();
	(void)case_launch(c, case_stream(c), 2);
	(void)case_launch(c, case_stream(c), 1);
	(void)case_launch(c, case_stream(c), 1);
	case_judge(c, 710);
	const char *text = report_of(c, &symbols);
	CHECK(strstr(text,
		     "  or else         3 more of an unknown kernel, #1 to #4 on 3 streams, "));
	case_end(c);
	c = case_begin();
	for (int i = 0; i <= STREAM_SET_MAX; i++)
		(void)case_launch(c, case_stream(c), 1);
	case_judge(c, 710);
	text = report_of(c, &symbols);
	CHECK(strstr(text, " on more than 16 streams, from "));
	case_end(c);
}

static void test_late_markers(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_SIDE);
	case_judge(c, 700);
	const char *text = report_of(c, &symbols);
	CHECK(strstr(text, "narrowed: one of 5 submissions, most likely one of the 4 of "
			   "math::scatter<float> (the others come after side markers that have "
			   "not landed)\n"));
	CHECK(strstr(text, "weaker: only side markers, which may be late, hold back 4 suspects\n"));
	CHECK(strstr(text, "marker: stream 0x0 finished #6\n"));
	case_end(c);
}

static void test_unknown(void)
{
	struct verdict_case *c = case_begin();
	case_judge(c, 700);
	CHECK_STRING(headline_of(c), "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — unknown: no "
				     "unfinished work was seen that can raise it");
	CHECK(strstr(report_of(c, NULL), "  next            rerun with CULPRIT_MARKERS=inline"));
	case_end(c);

	c = case_begin();
	case_judge(c, 9999);
	CHECK(strstr(headline_of(c), "culprit: CUresult 9999 (9999) — unknown: "));
	case_end(c);

	c = case_begin();
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(attribute(&c->view, NULL, 0, &c->verdict), 0);
	CHECK_STRING(headline_of(c), "culprit: no call seen by culprit reported a failure");
	CHECK_STRING(report_of(c, NULL), "culprit: no call seen by culprit reported a failure\n"
					 "  bundle          ./culprit-train-1234\n");
	case_end(c);
}

static const char *stack_of(struct verdict_case *c, uint32_t stack, size_t max)
{
	static char line[256];
	const struct report report = {.view = &c->view, .verdict = &c->verdict};
	struct text text = text_in(line, sizeof(line));
	report_stack(&report, stack, max, &text);
	return line;
}

/* Unknown parts of a stack are mentioned where its end is shown. The way it was found always is. */
static void test_stack_ends(void)
{
	struct verdict_case *c = case_begin();
	uint32_t end = builder_stack(&c->builder, 0, STACK_END, STACK_END_NO_MODULE);
	uint32_t outer = builder_stack(&c->builder, end, 0, 0x10);
	uint32_t inner = builder_stack(&c->builder, outer, 0, 0x20);
	uint32_t both =
		builder_stack(&c->builder, 0, STACK_END, STACK_END_BORROWED | STACK_END_LIMIT);
	uint32_t borrowed =
		builder_stack(&c->builder, builder_stack(&c->builder, both, 0, 0x30), 0, 0x40);
	builder_view(&c->builder, &c->view);
	CHECK_STRING(stack_of(c, inner, 8), "0x20  <- 0x10  (outer frames not known: called by "
					    "generated code)");
	CHECK_STRING(stack_of(c, inner, 1), "0x20");
	CHECK_STRING(stack_of(c, borrowed, 8), "0x40  <- 0x30  (by the fallback unwinder; outer "
					       "frames left out: too deep)");
	CHECK_STRING(stack_of(c, borrowed, 1), "0x40  (by the fallback unwinder)");
	case_end(c);
}

/* Mentioned only if stacks differed. */
static void test_stack_check(void)
{
	struct verdict_case *c = case_begin();
	uint32_t id = 0;
	struct stack_check_row *check = builder_rows(&c->builder, JOURNAL_STACK_CHECKS, 1, &id);
	check->n_checks = 10;
	case_judge(c, 700);
	CHECK(!strstr(report_of(c, NULL), "self-check"));
	case_end(c);

	c = case_begin();
	check = builder_rows(&c->builder, JOURNAL_STACK_CHECKS, 1, &id);
	*check = (struct stack_check_row){.n_checks = 10, .n_unlike_full = 1, .n_unlike_other = 2};
	case_judge(c, 700);
	CHECK(strstr(report_of(c, NULL),
		     "  stacks          self-check: of 10, 1 differ from a full "
		     "walk and 2 from the C library's unwinder\n"));
	case_end(c);
}

/* Mentioned only if something is missing. */
static void test_no_room(void)
{
	struct verdict_case *c = case_begin();
	case_judge(c, 700);
	CHECK(!strstr(report_of(c, NULL), "no room"));
	c->view.tables[JOURNAL_FUNCTIONS].lost = 1;
	c->view.tables[JOURNAL_PYTHON_CODES].lost = 4464;
	CHECK(strstr(report_of(c, NULL),
		     "  no room         for 1 kernel, 4464 Python functions\n"));
	case_end(c);
}

static void test_small_buffer(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	const struct report report = {.view = &c->view,
				      .verdict = &c->verdict,
				      .symbols = &symbols,
				      .bundle_path = "./culprit-train-1234"};
	case_judge(c, 700);
	size_t whole = strlen(report_of(c, &symbols));
	for (size_t size = 1; size < whole; size += 7) {
		char small[4096];
		memset(small, 'x', sizeof(small));
		struct text text = text_in(small, size);
		report_page(&report, &page);
		report_text(&page, &text);
		CHECK(text.cut);
		CHECK_EQUAL(strlen(small), size - 1);
		CHECK(small[size] == 'x');
	}
	case_end(c);
}

/* Names come from the program: they must not reach a terminal as commands. */
static void test_hostile_names(void)
{
	struct verdict_case *c = case_begin();
	struct journal_record *record = builder_launch(
		&c->builder, CASE_TID, case_stream(c),
		builder_function(&c->builder, "k\033[31m\n\xc2\x9b\xff\xc3\xa9", 0, NULL), NULL, 0);
	CHECK(record->launch.argument_bytes == 0);
	case_judge(c, 700);
	CHECK(strstr(headline_of(c), "exact: launch #1, k?[31m???\xc3\xa9"));
	case_end(c);
}

int main(void)
{
	test_exact();
	test_fault_of_other_code();
	test_process();
	test_hardware();
	test_without_symbols();
	test_narrowed();
	test_streams_of_a_group();
	test_late_markers();
	test_unknown();
	test_stack_ends();
	test_stack_check();
	test_no_room();
	test_small_buffer();
	test_hostile_names();
	return 0;
}
