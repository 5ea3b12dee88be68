/*
 * test_page_rows.c - the page of a memory fault is compared with records as they were when they
 * were listed, and clears nothing if other processes or other pages may be meant. test_fault_page.c
 * has the verdicts.
 */
#include <stdlib.h>

#include "progress/progress_parts.h"
#include "support/check.h"
#include "support/verdict_case.h"

#define PAGE UINT64_C(0x700000009000)

static struct progress progress;
static void *scratch;

/* A copy away from the page, which is #1, and a copy of unknown order into the page. */
static struct verdict_case *begin(uint32_t flags)
{
	const struct moment moment = {
		.code = ILLEGAL_ADDRESS, .flags = flags, .sequence = UINT64_MAX};
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	for (uint64_t i = 1; i <= 2; i++)
		builder_submit(&c->builder, CASE_TID, stream, WORK_COPY)->memory =
			(struct record_memory){.source = 0x1000,
					       .destination = PAGE - 0x2000 + i * 0x1000,
					       .bytes = 8};
	case_find(c, 2)->flags = RECORD_UNORDERED;
	builder_view(&c->builder, &c->view);
	size_t size = progress_read_scratch(&c->view, &moment);
	scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(progress_read(&c->view, &moment, false, scratch, size, &progress), 0);
	CHECK(progress.n_open == 1 && progress.n_unordered == 1);
	/* The rows after the last one are what earlier tables left in the memory. */
	progress.open[1] = progress.open[0];
	progress.unordered[1] = progress.unordered[0];
	return c;
}

static void mark(struct verdict_case *c, const struct fault_row *rows, uint32_t n, bool is_whole)
{
	uint32_t id = 0;
	memcpy(builder_rows(&c->builder, JOURNAL_FAULTS, n, &id), rows, n * sizeof(*rows));
	builder_view(&c->builder, &c->view);
	const struct fault_story story = {.kind = FAULT_STORY_MEMORY,
					  .memory = view_fault(&c->view, 1),
					  .are_events_whole = is_whole,
					  .are_pages_confirmed = true};
	fault_page_mark(&progress, &story);
	CHECK(!progress.open[1].is_elsewhere && !progress.open[1].is_at_fault);
	CHECK(!progress.unordered[1].open.is_at_fault);
}

static void end(struct verdict_case *c)
{
	free(scratch);
	case_end(c);
}

static const struct fault_row page = {
	.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE, .address = PAGE};

static void test_clears(void)
{
	for (int doubt = 0; doubt < 4; doubt++) {
		struct verdict_case *c = begin(doubt == 1 ? FAILURE_SHARED : 0);
		const struct fault_row rows[] = {page, {.kind = FAULT_MMU}};
		mark(c, rows, doubt == 2 ? 2 : 1, doubt != 3);
		CHECK_EQUAL(progress.open[0].is_elsewhere, doubt == 0);
		CHECK(!progress.open[0].is_at_fault);
		CHECK(progress.unordered[0].open.is_at_fault);
		end(c);
	}
}

/* The process continues: it overwrites the records. */
static void test_overwritten(void)
{
	for (int change = 0; change < 2; change++) {
		struct verdict_case *c = begin(0);
		for (uint64_t i = 1; i <= 2; i++) {
			struct journal_record *record = case_find(c, i);
			record->kind = change == 0 ? RECORD_CAPTURED : record->kind;
		}
		if (change == 1)
			for (uint64_t i = 2; i >= 1; i--)
				case_find(c, i)->sequence += 7;
		mark(c, &page, 1, true);
		CHECK(!progress.open[0].is_elsewhere);
		CHECK(!progress.unordered[0].open.is_at_fault);
		end(c);
	}
}

int main(void)
{
	test_clears();
	test_overwritten();
	return 0;
}
