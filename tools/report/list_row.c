/*
 * list_row.c - fills in the cells. The stored report has what the journal has, and a stored report
 * is read in a tenth of the time.
 */
#include "report/list_row.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/fingerprint.h"
#include "bundle/bundle_meta.h"
#include "command/message.h"
#include "files/input.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/stored_summary.h"

static void set_cell(struct list_row *row, enum list_column column, const char *bytes,
		     size_t length)
{
	struct text text = text_in(row->cells[column], LIST_CELL_SIZE);
	text_add_foreign(&text, bytes, length);
}

static void set_string(struct list_row *row, enum list_column column, const char *string)
{
	set_cell(row, column, string ? string : "", string ? strlen(string) : 0);
}

/* Set the cells about the process. `when` is the time of the failure; "": not known. */
static void set_process(struct list_row *row, const json_t *meta, const char *when,
			const char *path)
{
	long pid = (long)json_integer_value(json_object_get(meta, "pid"));
	set_string(row, LIST_WHEN, *when ? when : bundle_meta_text(meta, "start_time"));
	set_string(row, LIST_PROGRAM, bundle_meta_text(meta, "program"));
	(void)snprintf(row->cells[LIST_PID], LIST_CELL_SIZE, "%ld", pid);
	set_string(row, LIST_RANK, process_rank(meta).rank);
	set_string(row, LIST_BUNDLE, path);
}

/* Set the innermost location in the user's code, as in the report. */
static void set_place(struct list_row *row, const struct page *page, enum page_id id)
{
	for (uint32_t index = 0; index < page->n_lines; index++) {
		const struct page_line *line = &page->lines[index];
		if (line->id != id || !line->n_locations)
			continue;
		set_cell(row, LIST_PLACE, line->text + page->locations[line->first_place].begin,
			 page->locations[line->first_place].length);
		return;
	}
}

static void set_finding(struct list_row *row, const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	struct text work = text_in(row->cells[LIST_WORK], LIST_CELL_SIZE);
	set_string(row, LIST_VERDICT, "no failure");
	if (analysis->finding == FINDING_NONE)
		return;
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	if (analysis->finding == FINDING_HANG)
		set_string(row, LIST_ERROR, "hung");
	else if (analysis->finding == FINDING_UNFINISHED)
		set_string(row, LIST_ERROR, "unfinished");
	else
		(void)snprintf(row->cells[LIST_ERROR], LIST_CELL_SIZE, "%d",
			       (int)analysis_code(analysis));
	set_string(row, LIST_VERDICT,
		   analysis->finding == FINDING_REJECTION ? "refused"
							  : report_verdict_label(verdict->class));
	set_string(row, LIST_FINGERPRINT, fingerprint.id);
	if (analysis->finding == FINDING_REJECTION)
		set_string(
			row, LIST_WORK,
			view_string(analysis->report.view, analysis->rejection.row->subject, NULL));
	else if (verdict->n_suspects)
		report_work_name(&analysis->report, &verdict->suspects[0].record, true, &work);
	set_place(row, analysis->page, analysis_location_line(analysis));
}

static int fill_in(struct bundle *bundle, struct list_row *out)
{
	char when[PROCESS_TIME_SIZE];
	struct analysis analysis;
	int result = analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis);
	if (result)
		return result;
	process_time_text(process_wall_ns(bundle->meta, analysis.verdict->failure.time_ns), when);
	set_process(out, bundle->meta, when, bundle->path);
	set_finding(out, &analysis);
	analysis_close(&analysis);
	return 0;
}

static enum exit_status read_journal(const char *path, struct list_row *out)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return status;
	if (fill_in(bundle, out)) {
		message("%s: %s", path, strerror(ENOMEM));
		status = EXIT_STATUS_SYSTEM;
	}
	bundle_close(bundle);
	return status;
}

/* Return false if there is no stored report, or if it is damaged; *out is undefined then. */
static bool read_stored(const char *path, struct list_row *out)
{
	const char *reason = NULL;
	struct stored_summary summary;
	int directory_fd = input_open_directory(path);
	if (directory_fd < 0)
		return false;
	json_t *meta = bundle_meta_read(directory_fd, &reason);
	bool is_read = meta && stored_read_summary(directory_fd, meta, &summary);
	close(directory_fd);
	if (is_read) {
		set_process(out, meta, summary.when, path);
		set_string(out, LIST_ERROR, summary.error);
		set_string(out, LIST_VERDICT, report_verdict_label(summary.class));
		set_string(out, LIST_FINGERPRINT, summary.fingerprint);
		set_string(out, LIST_WORK, summary.work);
		set_string(out, LIST_PLACE, summary.place);
	}
	json_decref(meta);
	return is_read;
}

enum exit_status list_row_read(const char *path, struct list_row *out)
{
	memset(out, 0, sizeof(*out));
	if (read_stored(path, out))
		return EXIT_STATUS_OK;
	memset(out, 0, sizeof(*out));
	return read_journal(path, out);
}
