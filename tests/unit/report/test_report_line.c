/*
 * test_report_line.c - suspects that all come from one line of the user's: people look for the
 * line, whichever suspect it was.
 */
#include <string.h>

#include "report/report_page.h"
#include "report/report_parts.h"
#include "support/check.h"
#include "support/python_builder.h"
#include "support/verdict_case.h"

static uint32_t add_stack(struct verdict_case *c, uint32_t *frame, const char *file, uint32_t line)
{
	uint32_t code = builder_python_code(&c->builder, file, "step", line, NULL, 0);
	*frame = builder_python_frame(&c->builder, *frame, code, 2);
	return builder_python_stack(&c->builder, 0, *frame);
}

static void launch(struct verdict_case *c, uint32_t stream, uint32_t kernel, uint32_t stack)
{
	builder_launch(&c->builder, CASE_TID, stream, kernel, NULL, 0)->stack = stack;
}

static void check(struct verdict_case *c, enum line_certainty certainty, const char *headline)
{
	static struct page page;
	const struct report report = {
		.view = &c->view, .verdict = &c->verdict, .directory = "/home/user/project"};
	case_judge(c, ILLEGAL_ADDRESS);
	report_page(&report, &page);
	CHECK(strstr(page.lines[0].text, headline));
	bool is_kernel = false;
	CHECK_EQUAL(report_suspects_line(&report, &is_kernel), certainty);
}

static void test_several(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t kernel = builder_function(&c->builder, "gather", 0, NULL);
	uint32_t again = builder_function(&c->builder, "gather", 0, NULL);
	uint32_t scatter = builder_function(&c->builder, "scatter", 0, NULL);
	uint32_t frame = 0;
	uint32_t line = add_stack(c, &frame, "/home/user/project/train.py", 6);
	uint32_t deeper =
		add_stack(c, &frame, "/opt/lib/python3.12/site-packages/torch/functional.py", 2);
	uint32_t elsewhere = add_stack(c, &frame, "/home/user/project/train.py", 7);
	launch(c, stream, kernel, line);
	launch(c, stream, again, deeper);
	launch(c, stream, scatter, line);
	check(c, LINE_EXACT, "— narrowed: 3 launches, all at train.py:6");
	case_find(c, 3)->launch.function = kernel;
	check(c, LINE_EXACT, "— narrowed: 3 launches, all of gather at train.py:6");
	/* If not all work is known, it is not proven that one of these launches failed. */
	builder_failure_row(&c->builder)->flags = FAILURE_STREAMS_LOST;
	check(c, LINE_LIKELY, "— narrowed: one of 3 launches, all of gather at train.py:6");
	builder_failure_row(&c->builder)->flags = 0;
	launch(c, stream, kernel, elsewhere);
	check(c, LINE_NONE,
	      "— narrowed: one of 4 launches: 3 of gather at train.py:6, #4 gather at train.py:7");
	case_find(c, 4)->stack = 0;
	check(c, LINE_NONE, "— narrowed: one of 4 launches: 3 of gather at train.py:6, #4 gather");
	case_end(c);
}

/* Kernels without a name may be different ones, so they are not counted together. */
static void test_unnamed(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t unnamed = builder_function(&c->builder, "gather", 0, NULL);
	uint32_t other = builder_function(&c->builder, "scatter", 0, NULL);
	builder_function_row(&c->builder, unnamed)->name = 0;
	builder_function_row(&c->builder, other)->name = 0;
	uint32_t frame = 0;
	uint32_t line = add_stack(c, &frame, "/home/user/project/train.py", 6);
	uint32_t elsewhere = add_stack(c, &frame, "/home/user/project/train.py", 7);
	launch(c, stream, unnamed, line);
	launch(c, stream, other, line);
	launch(c, stream, other, elsewhere);
	check(c, LINE_NONE,
	      "— narrowed: one of 3 launches: #1 the kernel 0x2001 at train.py:6, "
	      "#2 the kernel 0x2002 at train.py:6, #3 the kernel 0x2002 at train.py:7");
	case_end(c);
}

/* A side marker may lag, so it clears none of the launches. */
static void test_lagging(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t kernel = builder_function(&c->builder, "gather", 0, NULL);
	uint32_t frame = 0;
	uint32_t line = add_stack(c, &frame, "/home/user/project/train.py", 6);
	for (int i = 0; i < 4; i++)
		launch(c, stream, kernel, line);
	case_find(c, 2)->flags = RECORD_MARKED_SIDE;
	check(c, LINE_EXACT, "— narrowed: 4 launches, all of gather at train.py:6");
	case_find(c, 2)->flags = RECORD_MARKED_INLINE;
	check(c, LINE_EXACT, "— narrowed: 2 launches, all of gather at train.py:6");
	case_end(c);
}

static void test_one(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t frame = 0;
	launch(c, stream, 0, add_stack(c, &frame, "/home/user/project/train.py", 6));
	check(c, LINE_EXACT, "— exact: launch #1, ");
	builder_sync(&c->builder, stream, 1, "cuStreamSynchronize");
	check(c, LINE_NONE, "— unknown: ");
	case_end(c);
}

int main(void)
{
	test_several();
	test_unnamed();
	test_lagging();
	test_one();
	return 0;
}
