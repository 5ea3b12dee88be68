/*
 * test_fault_view.c - rows of "faults" read back; a missing or cut table has no faults.
 */
#include "support/bundle_builder.h"
#include "support/check.h"
#include "view/bundle_view.h"

static struct bundle_view view;

static void test_faults_read_back(void)
{
	struct bundle_builder builder;
	uint32_t id = 0;

	builder_begin(&builder, 16);
	struct fault_row *rows = builder_rows(&builder, JOURNAL_FAULTS, 2, &id);
	rows[0] = (struct fault_row){.kind = FAULT_EXCEPTION, .pc = 0x1230};
	rows[1] = (struct fault_row){.kind = FAULT_STATES_READ, .count = 5};
	builder_view(&builder, &view);

	CHECK_EQUAL(view_fault(&view, 1)->pc, 0x1230);
	CHECK(view_fault(&view, 0) == NULL && view_fault(&view, 3) == NULL);
	CHECK_EQUAL(view_fault_summary(&view, FAULT_STATES_READ)->count, 5);
	CHECK(view_fault_summary(&view, FAULT_EVENTS_READ) == NULL);
	builder_end(&builder);
}

static void test_older_bundles_have_no_faults(void)
{
	struct bundle_builder builder;

	builder_begin(&builder, 16);
	builder_thread(&builder, 7, "first");
	builder_view(&builder, &view);
	CHECK(view_fault(&view, 1) == NULL);
	CHECK(view_fault_summary(&view, FAULT_STATES_READ) == NULL);
	builder_end(&builder);
}

static void test_rows_past_the_file_are_none(void)
{
	struct bundle_builder builder;
	uint32_t id = 0;

	builder_begin(&builder, 16);
	(void)builder_rows(&builder, JOURNAL_FAULTS, 1, &id);
	((struct file_header *)(void *)builder.tables[JOURNAL_FAULTS].bytes)->n_rows = 100;
	builder_view(&builder, &view);
	CHECK(view_fault(&view, 2) == NULL);
	CHECK(view_fault_summary(&view, FAULT_EVENTS_READ) == NULL);
	builder_end(&builder);
}

int main(void)
{
	test_faults_read_back();
	test_older_bundles_have_no_faults();
	test_rows_past_the_file_are_none();
	return 0;
}
