/*
 * list.c - `culprit list`: bundles as a table, one line each, for eyes or for scripts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/fingerprint.h"
#include "bundle/bundle_meta.h"
#include "bundle/selection.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "report/report_names.h"
#include "report/report_words.h"

enum format { FORMAT_TABLE, FORMAT_TSV }; /* as in commands.def */

enum column {
	WHEN,
	PROGRAM,
	PID,
	RANK,
	ERROR,
	VERDICT,
	FINGERPRINT,
	WORK,
	PLACE,
	BUNDLE,
	N_COLUMNS
};

enum { CELL_SIZE = 512 };

/* Column names, for people and scripts. A column keeps its name and its position. */
static const char *const names[N_COLUMNS] = {"when",    "program",     "pid",  "rank",  "error",
					     "verdict", "fingerprint", "work", "place", "bundle"};

struct row {
	char cells[N_COLUMNS][CELL_SIZE];
};

struct table {
	struct row *rows;
	size_t n;
};

static void set_cell(struct row *row, enum column column, const char *bytes, size_t length)
{
	struct text text = text_in(row->cells[column], CELL_SIZE);
	text_add_foreign(&text, bytes, length);
}

static void set_string(struct row *row, enum column column, const char *string)
{
	set_cell(row, column, string ? string : "", string ? strlen(string) : 0);
}

/* Set the innermost location in the user's code, as in the report. */
static void set_place(struct row *row, const struct page *page, enum page_id id)
{
	for (uint32_t index = 0; index < page->n_lines; index++) {
		const struct page_line *line = &page->lines[index];
		if (line->id != id || !line->n_places)
			continue;
		set_cell(row, PLACE, line->text + page->places[line->first_place].begin,
			 page->places[line->first_place].length);
		return;
	}
}

static void set_process(struct row *row, const struct analysis *analysis)
{
	const json_t *meta = analysis->bundle->meta;
	uint64_t failed_ns = analysis->verdict->failure.time_ns;
	char formatted[PROCESS_TIME_SIZE];
	process_time_text(process_wall_ns(meta, failed_ns), formatted);
	set_string(row, WHEN, *formatted ? formatted : bundle_meta_text(meta, "start_time"));
	set_string(row, PROGRAM, bundle_meta_text(meta, "program"));
	snprintf(row->cells[PID], CELL_SIZE, "%ld", analysis->process.report.pid);
	set_string(row, RANK, analysis->process.report.rank);
	set_string(row, BUNDLE, analysis->bundle->path);
}

static void set_failure(struct row *row, const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	struct text work = text_in(row->cells[WORK], CELL_SIZE);
	set_string(row, VERDICT, "no failure");
	if (analysis->finding == FINDING_NONE)
		return;
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	if (analysis->finding == FINDING_HANG)
		set_string(row, ERROR, "hung");
	else
		snprintf(row->cells[ERROR], CELL_SIZE, "%d", (int)analysis_code(analysis));
	set_string(row, VERDICT,
		   analysis->finding == FINDING_REFUSAL ? "refused"
							: report_verdict_word(verdict->class));
	set_string(row, FINGERPRINT, fingerprint.id);
	if (analysis->finding == FINDING_REFUSAL)
		set_string(
			row, WORK,
			view_string(analysis->report.view, analysis->refusal.row->subject, NULL));
	else if (verdict->n_suspects)
		report_work_name(&analysis->report, &verdict->suspects[0].record, true, &work);
	set_place(row, analysis->page, analysis_place_line(analysis));
}

static int add_row(struct table *table, struct bundle *bundle)
{
	struct row *rows = realloc(table->rows, (table->n + 1) * sizeof(rows[0]));
	if (!rows)
		return -ENOMEM;
	table->rows = rows;
	struct analysis analysis;
	int result = analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis);
	if (result)
		return result;
	rows[table->n] = (struct row){0};
	set_process(&rows[table->n], &analysis);
	set_failure(&rows[table->n], &analysis);
	table->n++;
	analysis_close(&analysis);
	return 0;
}

static enum exit_status add_bundle(struct table *table, const char *path)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return status;
	if (add_row(table, bundle)) {
		message("%s: %s", path, strerror(ENOMEM));
		status = EXIT_STATUS_SYSTEM;
	}
	bundle_close(bundle);
	return status;
}

static void print_tsv(const struct table *table, FILE *out)
{
	for (size_t column = 0; column < N_COLUMNS; column++)
		fprintf(out, "%s%s", column ? "\t" : "", names[column]);
	fputc('\n', out);
	for (size_t index = 0; index < table->n; index++) {
		for (size_t column = 0; column < N_COLUMNS; column++)
			fprintf(out, "%s%s", column ? "\t" : "", table->rows[index].cells[column]);
		fputc('\n', out);
	}
}

/* Return the width of the widest cell or of the name, or 0 if all cells are empty: leave it out. */
static size_t width_of(const struct table *table, size_t column)
{
	size_t widest = 0;
	size_t name = strlen(names[column]);
	for (size_t index = 0; index < table->n; index++) {
		size_t width = strlen(table->rows[index].cells[column]);
		widest = width > widest ? width : widest;
	}
	return widest && widest < name ? name : widest;
}

/* Print a row, or the column names if `row` is NULL. The last column is not padded. */
static void print_row(const struct row *row, const size_t widths[N_COLUMNS], FILE *out)
{
	for (size_t column = 0; column < N_COLUMNS; column++) {
		const char *cell = row ? row->cells[column] : names[column];
		if (column == BUNDLE)
			fprintf(out, "%s\n", cell);
		else if (widths[column])
			fprintf(out, "%-*s  ", (int)widths[column], cell);
	}
}

static void print_table(const struct table *table, FILE *out)
{
	size_t widths[N_COLUMNS];
	for (size_t column = 0; column < N_COLUMNS; column++)
		widths[column] = width_of(table, column);
	if (table->n)
		print_row(NULL, widths, out);
	for (size_t index = 0; index < table->n; index++)
		print_row(&table->rows[index], widths, out);
}

static enum exit_status list_selection(const struct selection *bundles, enum format format,
				       const char *output)
{
	enum exit_status worst = EXIT_STATUS_OK;
	struct table table = {NULL, 0};
	FILE *out = output_open(output);
	if (!out)
		return EXIT_STATUS_SYSTEM;
	symbols_share(true);
	for (size_t index = 0; index < bundles->n; index++) {
		enum exit_status status = add_bundle(&table, bundles->paths[index]);
		worst = status > worst ? status : worst;
	}
	symbols_share(false);
	(format == FORMAT_TSV ? print_tsv : print_table)(&table, out);
	free(table.rows);
	return output_close(out, output) ? EXIT_STATUS_SYSTEM : worst;
}

int list_main(const struct arguments *arguments)
{
	int format = options_choice(arguments, OPTION_list_format);
	char *fallback[] = {selection_default_folder()};
	if (format < 0)
		return EXIT_STATUS_USAGE;
	struct selection bundles;
	int result = selection_make(arguments->n_operands ? arguments->operands : fallback,
				    arguments->n_operands ? arguments->n_operands : 1, &bundles);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	enum exit_status status = list_selection(&bundles, (enum format)format,
						 arguments->values[OPTION_list_output]);
	selection_free(&bundles);
	return (int)status;
}
