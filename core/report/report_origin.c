/*
 * report_origin.c - lines about where work was submitted from: Python first, then what is between
 * it and the driver. Also how it differs from earlier work from there.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/time_units.h"
#include "memory/memory_producers.h"
#include "progress/run_time.h"
#include "report/report_arguments.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_python.h"
#include "report/report_stack.h"

enum { MAX_FRAMES = 8, MAX_NATIVE_FRAMES = 6, MAX_NOTES = 4 };

/* Add what a compiler-generated file says about its own line. */
static void add_notes(struct page *page, const struct python_frame *frame)
{
	const struct symbol_source *symbols = page->report.symbols;
	size_t n = 0;
	const char *notes[MAX_NOTES];
	if (symbols && symbols->notes && frame->line > 0)
		n = symbols->notes(symbols->state, frame->file.bytes, frame->line, notes,
				   MAX_NOTES);
	for (size_t i = 0; i < n; i++) {
		page_below(page, PAGE_GENERATED);
		text_add_foreign(&page->text, notes[i], strlen(notes[i]));
		page_end(page);
	}
}

static void add_generated(struct page *page, uint32_t stack)
{
	struct python_frame frame;
	if (!report_python_generated(&page->report, stack, &frame))
		return;
	page_begin(page, PAGE_GENERATED);
	page_set_subject(page, PAGE_OF_STACK, stack);
	text_add_foreign(&page->text, frame.file.bytes, frame.file.length);
	if (frame.line > 0)
		text_addf(&page->text, ":%" PRIu32, frame.line);
	page_add_location(page, 0,
			  (struct page_location){
				  .language = PAGE_PYTHON,
				  .file = {frame.file.bytes, frame.file.length},
				  .function = {frame.function.bytes, frame.function.length},
				  .line = frame.line,
			  });
	page_end(page);
	add_notes(page, &frame);
}

static void begin_stack(struct page *page, enum page_id id, uint32_t stack)
{
	page_begin(page, id);
	page_set_subject(page, PAGE_OF_STACK, stack);
}

/* End the line, or discard it if it is empty. */
static void end_or_drop(struct page *page, bool is_there)
{
	if (is_there)
		page_end(page);
	else
		page_drop(page);
}

void report_add_origin(struct page *page, uint32_t stack)
{
	begin_stack(page, PAGE_LAUNCHED_FROM, stack);
	report_add_stack(page, stack, MAX_FRAMES);
	page_end(page);
	if (!report_has_python(&page->report, stack))
		return;
	begin_stack(page, PAGE_THROUGH, stack);
	end_or_drop(page, report_add_python_through(page, stack));
	add_generated(page, stack);
	begin_stack(page, PAGE_NATIVE, stack);
	end_or_drop(page, report_add_native_beside(page, stack, MAX_NATIVE_FRAMES));
}

enum { CODE_LAUNCH_TIMEOUT = 702 }; /* CUDA_ERROR_LAUNCH_TIMEOUT */

static void add_time(uint64_t ns, struct text *out)
{
	text_addf(out, "%" PRIu64 ".%03" PRIu64 " s", ns / NS_PER_S, ns / NS_PER_MS % MS_PER_S);
}

void report_add_run_time(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	const struct journal_record *launch = &verdict->suspects[0].record;
	struct text *out = &page->text;
	if (verdict->failure.code != CODE_LAUNCH_TIMEOUT || launch->work != WORK_KERNEL)
		return;
	struct run_time time = run_time_of(page->report.view, launch, verdict->failure.time_ns);
	page_begin(page, PAGE_ANOMALY);
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	text_add(out, "it ran for at most ");
	add_time(time.longest_ns, out);
	if (time.n_earlier > 0) {
		text_addf(out, "; the newest %" PRIu32 " before it took at most ", time.n_earlier);
		add_time(time.earlier_ns, out);
	}
	page_end(page);
}

/* Append "argument 3" or "grid y". */
static void add_value_name(uint32_t index, struct text *out)
{
	if (index < ANOMALY_GRID)
		text_addf(out, "argument %" PRIu32, index);
	else if (index < ANOMALY_BLOCK)
		text_addf(out, "grid %c", "xyz"[index - ANOMALY_GRID]);
	else if (index < ANOMALY_SHARED)
		text_addf(out, "block %c", "xyz"[index - ANOMALY_BLOCK]);
	else
		text_add(out, "shared memory");
}

/* True if the bundle is redacted and the value is not a pointer to known memory. */
static bool is_hidden(const struct bundle_view *view, const struct anomaly *anomaly)
{
	return view->is_redacted && anomaly->index < ANOMALY_GRID &&
	       (anomaly->kind == ANOMALY_NUMBER || anomaly->kind == ANOMALY_STRAY);
}

static void add_hidden(const struct anomaly *anomaly, struct text *out)
{
	if (anomaly->kind == ANOMALY_NUMBER)
		text_addf(out, ": not what it was in the %" PRIu64 " launches before",
			  anomaly->n_before);
	else
		text_add(out, ": points to no memory that is known");
}

/* Add "argument 3: 17179869184; 64 in the 119 launches before". */
void report_add_anomaly(struct page *page)
{
	static const char *const pointers[] = {
		[ANOMALY_PAST] = "points right behind an allocation",
		[ANOMALY_STRAY] = "points to no memory that is known",
		[ANOMALY_FREED] = "points into freed memory",
		[ANOMALY_IN_FLIGHT] = "points into memory that was freed while in flight",
	};
	const struct anomaly *anomaly = &page->report.verdict->anomaly;
	struct text *out = &page->text;
	if (anomaly->kind == ANOMALY_NONE)
		return;
	page_begin(page, PAGE_ANOMALY);
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	add_value_name(anomaly->index, out);
	if (is_hidden(page->report.view, anomaly))
		add_hidden(anomaly, out);
	else if (anomaly->kind == ANOMALY_NUMBER)
		text_addf(out, ": %" PRIu64 "; %" PRIu64 " in the %" PRIu64 " launches before",
			  anomaly->value, anomaly->usual, anomaly->n_before);
	else
		text_addf(out, ": 0x%" PRIx64 " %s", anomaly->value, pointers[anomaly->kind]);
	page_end(page);
}

enum { MAX_LISTED_REJECTIONS = 8 };

/*
 * Append "launch (1): fill from train.py:6: the grid's x is 0: ... [launch.grid_is_zero], the first
 * of 3 there". For the other calls, only the location and the result are known.
 */
static void add_rejection(struct page *page, const struct rejection_row *row)
{
	uint64_t n = view_live(&row->count);
	page_set_subject(page, PAGE_OF_STACK, row->stack);
	report_add_string(&page->report, row->what, &page->text);
	text_addf(&page->text, " (%" PRId32 "): ", row->result);
	report_add_string(&page->report, row->subject, &page->text);
	text_add(&page->text, " from ");
	report_add_stack(page, row->stack, 1);
	text_add(&page->text, ": ");
	report_add_string(&page->report, row->why, &page->text);
	text_add(&page->text, " [");
	report_add_string(&page->report, row->rule, &page->text);
	text_add(&page->text, "]");
	if (n > 1)
		text_addf(&page->text, ", the first of %" PRIu64 " there", n);
}

void report_add_rejections(struct page *page)
{
	const struct bundle_view *view = page->report.view;
	uint64_t n_rows = view->tables[JOURNAL_REJECTIONS].n_rows;
	uint64_t n = 0;
	for (uint32_t id = 1; id <= n_rows && id <= REJECTION_ROWS_MAX; id++) {
		const struct rejection_row *row = view_rejection(view, id);
		if (view_rejection_is_memory(view, row) || ++n > MAX_LISTED_REJECTIONS)
			continue;
		(n == 1 ? page_begin : page_below)(page, PAGE_REJECTED);
		add_rejection(page, row);
		page_end(page);
	}
	if (n > MAX_LISTED_REJECTIONS)
		page_add_more(page, PAGE_REJECTED, n - MAX_LISTED_REJECTIONS);
}

static uint32_t list_pieces(const struct page *page, struct memory_piece *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < page->n_arguments && n < MEMORY_MAX_PIECES; i++) {
		const struct argument *argument = &page->arguments[i];
		if (place_is_inside(argument->place))
			out[n++] = (struct memory_piece){argument->range.start,
							 argument->range.size, argument->index};
	}
	return n;
}

void report_add_producers(struct page *page, const struct submission *submission)
{
	struct memory_piece pieces[MEMORY_MAX_PIECES];
	uint32_t n = list_pieces(page, pieces);
	struct memory_producers found;
	memory_find_producers(page->report.view, submission->record.sequence, pieces, n, &found);
	for (uint32_t i = 0; i < found.n; i++) {
		const struct journal_record *record = &found.rows[i].record;
		(i == 0 ? page_begin : page_below)(page, PAGE_PRODUCERS);
		page_set_subject(page, PAGE_OF_ARGUMENT, pieces[found.rows[i].piece].argument);
		text_addf(&page->text, "%" PRIu32 ": #%" PRIu64 " ",
			  pieces[found.rows[i].piece].argument, record->sequence);
		report_work_name(&page->report, record, true, &page->text);
		text_add(&page->text, " from ");
		report_add_stack(page, record->stack, 1);
		page_end(page);
	}
}
