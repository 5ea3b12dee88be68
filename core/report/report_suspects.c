/*
 * report_suspects.c - lines about the suspects: what was launched, from where, with what.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <string.h>

#include "report/report_arguments.h"
#include "report/report_fault.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_python.h"
#include "report/report_stack.h"

enum { MAX_LISTED_SUSPECTS = 8, MAX_NAMED_LOCATIONS = 3 };

static void add_memory_shape(const struct journal_record *record, struct text *out)
{
	const struct record_memory *memory = &record->memory;
	text_addf(out, "%s0x%" PRIx64 " %s 0x%" PRIx64,
		  record->work == WORK_COPY ? " from " : " of ", memory->source, "to",
		  memory->destination);
	if (memory->bytes != 0)
		text_addf(out, ", %" PRIu64 " bytes", memory->bytes);
}

static void add_work(const struct report *report, const struct journal_record *record,
		     struct text *out)
{
	report_work_name(report, record, false, out);
	if (record->work == WORK_KERNEL)
		report_launch_shape(record, out);
	else if (record->work == WORK_COPY || record->work == WORK_MEMSET)
		add_memory_shape(record, out);
	text_add(out, " on ");
	report_stream_label(report, record->stream, out);
	text_add(out, ", ");
	report_device_label(report, record->stream, out);
	text_add(out, ", ");
	report_thread_label(report, record->tid, out);
}

void report_add_suspect(struct page *page)
{
	const struct submission *suspect = &page->report.verdict->suspects[0];
	page_begin(page, PAGE_WORK);
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	add_work(&page->report, &suspect->record, &page->text);
	page_end(page);
	report_add_fault(page, suspect);
	report_add_origin(page, suspect->record.stack);
	report_add_device(page);
	report_add_nvtx(page, suspect);
	report_add_arguments(page, suspect);
	report_add_run_time(page);
	report_add_anomaly(page);
	if (page->report.verdict->class >= VERDICT_LIKELY)
		report_add_producers(page, suspect);
}

static void add_next(struct page *page, uint64_t index)
{
	const struct journal_record *record = &page->report.verdict->suspects[index].record;
	struct text *out = &page->text;
	(index == 1 ? page_begin : page_below)(page, PAGE_OR_ELSE);
	page_set_subject(page, PAGE_OF_SUSPECT, index);
	text_addf(out, "#%" PRIu64 " ", record->sequence);
	report_work_name(&page->report, record, true, out);
	text_add(out, " on ");
	report_stream_label(&page->report, record->stream, out);
	text_add(out, ", from ");
	report_add_stack(page, record->stack, 1);
	page_end(page);
}

static bool is_same_line(const struct python_frame *a, const struct python_frame *b)
{
	return a->line == b->line && a->file.length == b->file.length &&
	       memcmp(a->file.bytes, b->file.bytes, a->file.length) == 0;
}

static bool is_same_work(const struct report *report, const struct journal_record *a,
			 const struct journal_record *b)
{
	if (a->work != b->work || a->work != WORK_KERNEL)
		return false;
	const struct function_row *rows[2];
	rows[0] = view_function(report->view, a->launch.function);
	rows[1] = view_function(report->view, b->launch.function);
	return rows[0] && rows[1] && rows[0]->name &&
	       !strcmp(view_string(report->view, rows[0]->name, NULL),
		       view_string(report->view, rows[1]->name, NULL));
}

static bool is_same_place(const struct report *report, const struct journal_record *a,
			  const struct journal_record *b)
{
	struct python_frame frames[2];
	return is_same_work(report, a, b) && report_python_location(report, a->stack, &frames[0]) &&
	       report_python_location(report, b->stack, &frames[1]) &&
	       is_same_line(&frames[0], &frames[1]);
}

static void add_to_places(const struct report *report, const struct suspect_group *group,
			  struct suspect_locations *locations)
{
	struct suspect_location *location = locations->rows;
	while (location < locations->rows + locations->n &&
	       !is_same_place(report, &location->group->first.record, &group->first.record))
		location++;
	if (location == locations->rows + locations->n) {
		locations->n++;
		*location = (struct suspect_location){group, group->n, group->earliest,
						      group->latest, group->streams};
		return;
	}
	location->n += group->n;
	location->earliest =
		group->earliest < location->earliest ? group->earliest : location->earliest;
	location->latest = group->latest > location->latest ? group->latest : location->latest;
	stream_set_add_all(&location->streams, &group->streams);
}

static const struct suspect_locations *find_places(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	page->suspects.n = 0;
	for (uint32_t i = 0; i < verdict->n_groups; i++)
		add_to_places(&page->report, &verdict->groups[i], &page->suspects);
	return &page->suspects;
}

/* Return the index of the place's first suspect. */
static uint64_t index_of(const struct verdict *verdict, const struct suspect_location *location)
{
	uint64_t index = 0;
	while (index + 1 < VERDICT_MAX_SUSPECTS &&
	       verdict->suspects[index].record.sequence != location->group->first.record.sequence)
		index++;
	return index;
}

/* Append "stream 0x7f1c" or "4 streams". */
static void add_streams(struct page *page, const struct stream_set *streams)
{
	if (streams->n == 1)
		report_stream_label(&page->report, streams->members[0], &page->text);
	else if (streams->n > STREAM_SET_MAX)
		text_addf(&page->text, "more than %d streams", STREAM_SET_MAX);
	else
		text_add_count(&page->text, streams->n, "stream");
}

/* Append "389 more of spin, #10 to #399, from slow.c:9 main". */
static void add_place(struct page *page, const struct suspect_location *location,
		      bool is_first_line, bool has_first)
{
	const struct journal_record *record = &location->group->first.record;
	struct text *out = &page->text;
	(is_first_line ? page_begin : page_below)(page, PAGE_OR_ELSE);
	page_set_subject(page, PAGE_OF_SUSPECT, index_of(page->report.verdict, location));
	if (location->n == 1)
		text_addf(out, "#%" PRIu64 " ", record->sequence);
	else
		text_addf(out, "%" PRIu64 "%s of ", location->n - (has_first ? 1 : 0),
			  has_first ? " more" : "");
	report_work_name(&page->report, record, true, out);
	if (location->n > 1)
		text_addf(out, ", #%" PRIu64 " to #%" PRIu64, location->earliest, location->latest);
	text_add(out, " on ");
	add_streams(page, &location->streams);
	text_add(out, ", from ");
	report_add_stack(page, record->stack, 1);
	page_end(page);
}

/* Add each place's suspects, except the first suspect, which has its own lines. */
static void add_places(struct page *page, const struct suspect_locations *locations)
{
	const struct verdict *verdict = page->report.verdict;
	uint64_t n_left = verdict->n_suspects - 1;
	uint32_t n_listed = 0;
	for (uint32_t i = 0; i < locations->n && n_listed < MAX_LISTED_SUSPECTS - 1; i++) {
		const struct suspect_location *location = &locations->rows[i];
		if (i == 0 && location->n == 1)
			continue;
		add_place(page, location, n_listed++ == 0, i == 0);
		n_left -= location->n - (i == 0 ? 1 : 0);
	}
	if (n_left > 0)
		page_add_more(page, PAGE_OR_ELSE, n_left);
}

void report_add_suspect_list(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	const struct suspect_locations *locations = find_places(page);
	uint64_t n = verdict->n_suspects < MAX_LISTED_SUSPECTS ? verdict->n_suspects
							       : MAX_LISTED_SUSPECTS;
	if (locations->n + verdict->n_ungrouped < verdict->n_suspects) {
		add_places(page, locations);
		return;
	}
	for (uint64_t i = 1; i < n; i++)
		add_next(page, i);
	if (verdict->n_suspects > n)
		page_add_more(page, PAGE_OR_ELSE, verdict->n_suspects - n);
}

/* Append "390 of spin at a.py:3" or "#12 graph 0x9999, replay 3". */
static void add_location_name(struct page *page, const struct suspect_location *location)
{
	const struct journal_record *record = &location->group->first.record;
	if (location->n == 1)
		text_addf(&page->text, "#%" PRIu64 " ", record->sequence);
	else
		text_addf(&page->text, "%" PRIu64 " of ", location->n);
	report_work_name(&page->report, record, true, &page->text);
	(void)report_add_python_location(page, " at ", record->stack);
}

void report_add_groups(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	uint64_t n_left = verdict->n_suspects;
	const struct suspect_locations *locations = find_places(page);
	if (verdict->lead != LEAD_NONE) {
		text_add(&page->text, locations->rows[0].n == 1 ? ", most likely "
								: ", most likely one of the ");
		add_location_name(page, &locations->rows[0]);
		text_addf(&page->text, " (%s)", report_lead_text(verdict->lead));
		return;
	}
	if (locations->n == 1 && !verdict->n_ungrouped) {
		text_add(&page->text, ", all of ");
		report_work_name(&page->report, &verdict->suspects[0].record, true, &page->text);
		return;
	}
	for (uint32_t i = 0; i < locations->n && i < MAX_NAMED_LOCATIONS; i++) {
		text_add(&page->text, i ? ", " : ": ");
		add_location_name(page, &locations->rows[i]);
		n_left -= locations->rows[i].n;
	}
	if (n_left > 0)
		text_addf(&page->text, " and %" PRIu64 " more", n_left);
}

static bool are_of_one_line(const struct report *report)
{
	const struct verdict *verdict = report->verdict;
	uint32_t stack = verdict->suspects[0].record.stack;
	struct python_frame first;
	if (!report_python_location(report, stack, &first))
		return false;
	for (uint64_t i = 1; i < verdict->n_suspects; i++) {
		uint32_t other = verdict->suspects[i].record.stack;
		struct python_frame frame;
		if (other != stack && (!report_python_location(report, other, &frame) ||
				       !is_same_line(&first, &frame)))
			return false;
	}
	return true;
}

/* True if all launch one kernel, by name: a kernel may have several handles, each with a row. */
static bool are_of_one_kernel(const struct report *report)
{
	const struct verdict *verdict = report->verdict;
	const struct function_row *first =
		view_function(report->view, verdict->suspects[0].record.launch.function);
	for (uint64_t i = 0; i < verdict->n_suspects; i++) {
		const struct journal_record *record = &verdict->suspects[i].record;
		const struct function_row *row =
			record->work == WORK_KERNEL
				? view_function(report->view, record->launch.function)
				: NULL;
		if (!row || row->name == 0 ||
		    strcmp(view_string(report->view, row->name, NULL),
			   view_string(report->view, first->name, NULL)) != 0)
			return false;
	}
	return true;
}

enum line_certainty report_suspects_line(const struct report *report, bool *out_is_kernel)
{
	const struct verdict *verdict = report->verdict;
	bool is_proven = verdict->class == VERDICT_EXACT || verdict->is_complete;
	*out_is_kernel = false;
	if (verdict->class == VERDICT_UNKNOWN || verdict->n_suspects == 0 ||
	    verdict->n_suspects > VERDICT_MAX_SUSPECTS || !are_of_one_line(report))
		return LINE_NONE;
	*out_is_kernel = are_of_one_kernel(report);
	return is_proven ? LINE_EXACT : LINE_LIKELY;
}

const char *report_line_label(enum line_certainty certainty)
{
	static const char *const words[] = {
		[LINE_NONE] = NULL, [LINE_LIKELY] = "likely", [LINE_EXACT] = "exact"};
	return words[certainty];
}

bool report_are_all_kernels(const struct verdict *verdict)
{
	if (verdict->n_suspects > VERDICT_MAX_SUSPECTS)
		return false;
	for (uint64_t i = 0; i < verdict->n_suspects; i++) {
		if (verdict->suspects[i].record.work != WORK_KERNEL)
			return false;
	}
	return true;
}
