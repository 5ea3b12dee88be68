/*
 * list.c - `culprit list`: bundles as a table, one line each, for eyes or for scripts.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/fingerprint.h"
#include "base/bundle_names.h"
#include "base/time_units.h"
#include "bundle/selection.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "files/read_ahead.h"
#include "report/list_metrics.h"
#include "report/list_row.h"
#include "symbols/symbols.h"

enum { MAX_UNITS = 1000000000 };

static bool read_ago(const char *text, time_t now, time_t *out)
{
	static const struct {
		char letter;
		time_t seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	char *end = NULL;
	unsigned long n = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!end || n > MAX_UNITS || *end != units[i].letter || end[1])
			continue;
		*out = now - (time_t)n * units[i].seconds;
		return true;
	}
	return false;
}

static bool read_date(const char *text, time_t *out)
{
	static const char *const formats[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct tm broken_down = {.tm_isdst = 0};
		const char *rest = strptime(text, formats[i], &broken_down);
		if (!rest || (*rest && strcmp(rest, "Z") != 0))
			continue;
		*out = timegm(&broken_down);
		return true;
	}
	return false;
}

/*
 * Read a time before `now`: "30m", "12h" or "7d" ago, or a UTC date, "2026-11-22", with or without
 * a time, "2026-11-22T15:09:36Z". Return false for other text.
 */
static bool read_since(const char *text, time_t now, time_t *out)
{
	return read_ago(text, now, out) || read_date(text, out);
}

enum format { FORMAT_TABLE, FORMAT_TSV, FORMAT_METRICS }; /* as in commands.def */

/* Column names, for people and scripts. A column keeps its name and its position. */
static const char *const names[N_LIST_COLUMNS] = {"when",  "program", "pid",         "rank",
						  "error", "verdict", "fingerprint", "work",
						  "place", "bundle"};

/* The lines of a table, whose widths are known at its end. */
struct table {
	char **rows; /* the cells of each row, one after the other, each with a final NUL */
	size_t n;
	size_t widths[N_LIST_COLUMNS]; /* of the widest cell */
};

struct printer {
	FILE *out;
	enum format format;
	const char *fingerprint;       /* of the listed bundles, or its beginning; NULL: any */
	char since[PROCESS_TIME_SIZE]; /* the earliest listed time, as in a row; "": any */
	struct table table;
	struct list_metrics *metrics; /* FORMAT_METRICS */
};

static int add_row(struct table *table, const struct list_row *row)
{
	char *cells = NULL;
	size_t size = 0;
	char **rows = reallocarray(table->rows, table->n + 1, sizeof(*rows));
	FILE *out = rows ? open_memstream(&cells, &size) : NULL;
	if (rows)
		table->rows = rows;
	if (!out)
		return -ENOMEM;
	for (size_t column = 0; column < N_LIST_COLUMNS; column++) {
		size_t width = strlen(row->cells[column]);
		fwrite(row->cells[column], 1, width + 1, out);
		if (width > table->widths[column])
			table->widths[column] = width;
	}
	if (fclose(out))
		return -ENOMEM;
	table->rows[table->n++] = cells;
	return 0;
}

static void print_values(const struct list_row *row, FILE *out)
{
	for (size_t column = 0; column < N_LIST_COLUMNS; column++)
		fprintf(out, "%s%s", column ? "\t" : "", row ? row->cells[column] : names[column]);
	fputc('\n', out);
}

/* Print a row; the last cell is not padded, and columns without any value are left out. */
static void print_cells(const struct table *table, const char *cells, FILE *out)
{
	for (size_t column = 0; column < N_LIST_COLUMNS; column++) {
		const char *cell = cells ? cells : names[column];
		size_t width = table->widths[column];
		if (width < strlen(names[column]))
			width = strlen(names[column]);
		if (column == LIST_BUNDLE)
			fprintf(out, "%s\n", cell);
		else if (table->widths[column])
			fprintf(out, "%-*s  ", (int)width, cell);
		if (cells)
			cells += strlen(cells) + 1;
	}
}

static void print_table(const struct table *table, FILE *out)
{
	if (table->n)
		print_cells(table, NULL, out);
	for (size_t index = 0; index < table->n; index++)
		print_cells(table, table->rows[index], out);
}

static void free_table(struct table *table)
{
	for (size_t index = 0; index < table->n; index++)
		free(table->rows[index]);
	free(table->rows);
}

/* Times in rows are UTC in one form, so they compare as strings. */
static bool is_wanted(const struct printer *printer, const struct list_row *row)
{
	const char *wanted = printer->fingerprint;
	return strcmp(row->cells[LIST_WHEN], printer->since) >= 0 &&
	       (!wanted || !strncmp(row->cells[LIST_FINGERPRINT], wanted, strlen(wanted)));
}

static enum exit_status add_bundle(struct printer *printer, const char *path)
{
	struct list_row row;
	enum exit_status status = list_row_read(path, &row);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED) {
		if (printer->metrics)
			list_metrics_add_unreadable(printer->metrics);
		return status;
	}
	if (!is_wanted(printer, &row))
		return status;
	int result = 0;
	if (printer->format == FORMAT_TSV)
		print_values(&row, printer->out);
	else if (printer->format == FORMAT_METRICS)
		result = list_metrics_add(printer->metrics, &row);
	else
		result = add_row(&printer->table, &row);
	if (result) {
		message("%s: %s", path, strerror(ENOMEM));
		status = EXIT_STATUS_SYSTEM;
	}
	return status;
}

static enum exit_status list_selection(struct printer *printer, const struct selection *bundles)
{
	enum exit_status worst = EXIT_STATUS_OK;
	if (printer->format == FORMAT_TSV)
		print_values(NULL, printer->out);
	static const char *const files[] = {BUNDLE_META_NAME, BUNDLE_REPORT_JSON_NAME, NULL};
	struct read_ahead *ahead = read_ahead_begin(bundles->paths, bundles->n, files);
	symbols_share(true);
	for (size_t index = 0; index < bundles->n; index++) {
		read_ahead_reach(ahead, index);
		enum exit_status status = add_bundle(printer, bundles->paths[index]);
		worst = status > worst ? status : worst;
	}
	symbols_share(false);
	read_ahead_end(ahead);
	print_table(&printer->table, printer->out);
	free_table(&printer->table);
	if (printer->metrics)
		list_metrics_print(printer->metrics, printer->out);
	return worst;
}

/* Write the list to the file. Return the exit status. */
static enum exit_status write_list(struct printer *printer, const struct selection *bundles,
				   const char *path)
{
	if (printer->format == FORMAT_METRICS && !(printer->metrics = list_metrics_open())) {
		message("%s", strerror(ENOMEM));
		return EXIT_STATUS_SYSTEM;
	}
	enum exit_status status = EXIT_STATUS_SYSTEM;
	printer->out = output_open(path);
	if (printer->out) {
		status = list_selection(printer, bundles);
		status = output_close(printer->out, path) ? EXIT_STATUS_SYSTEM : status;
	}
	list_metrics_close(printer->metrics);
	return status;
}

/* True for a directory that is no bundle and has none: to a monitor that is an answer. */
static bool is_empty_folder(const char *path)
{
	DIR *directory = opendir(path);
	bool is_empty = directory;
	struct dirent *entry = NULL;
	while (is_empty && (entry = readdir(directory)))
		is_empty = strcmp(entry->d_name, BUNDLE_META_NAME) != 0 &&
			   strncmp(entry->d_name, BUNDLE_PREFIX, strlen(BUNDLE_PREFIX)) != 0;
	if (directory)
		closedir(directory);
	return is_empty;
}

static int select_bundles(const struct printer *printer, char **operands, int n,
			  struct selection *out)
{
	int n_kept = 0;
	*out = (struct selection){.n = 0};
	for (int i = 0; i < n; i++)
		if (printer->format != FORMAT_METRICS || !is_empty_folder(operands[i]))
			operands[n_kept++] = operands[i];
	return n_kept ? selection_make(operands, n_kept, out) : 0;
}

/* Read the options. Return 0, or -EINVAL after one line on standard error. */
static int read_options(const struct arguments *arguments, struct printer *out)
{
	int format = options_choice(arguments, OPTION_list_format);
	const char *since = arguments->values[OPTION_list_since];
	const char *id = arguments->values[OPTION_list_fingerprint];
	time_t earliest = 0;
	if (format < 0)
		return -EINVAL;
	*out = (struct printer){.format = (enum format)format, .fingerprint = id};
	if (since && !read_since(since, time(NULL), &earliest)) {
		message("--since '%s': invalid time; use an age (30m, 12h, 7d) or a UTC date "
			"(2026-11-22)",
			since);
		return -EINVAL;
	}
	if (earliest > 0)
		process_time_text((uint64_t)earliest * NS_PER_S, out->since);
	if (!id || (*id && strlen(id) < FINGERPRINT_ID_SIZE && !id[strspn(id, "0123456789abcdef")]))
		return 0;
	message("--fingerprint '%s': expected 1 to 16 hexadecimal digits; see culprit help list",
		id);
	return -EINVAL;
}

int list_main(const struct arguments *arguments)
{
	const char *output = arguments->values[OPTION_list_output];
	char *fallback[] = {selection_default_folder()};
	struct printer printer;
	if (read_options(arguments, &printer))
		return EXIT_STATUS_USAGE;
	struct selection bundles;
	bool has_operands = arguments->n_operands;
	int result = select_bundles(&printer, has_operands ? arguments->operands : fallback,
				    has_operands ? arguments->n_operands : 1, &bundles);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	enum exit_status status = write_list(&printer, &bundles, output);
	selection_free(&bundles);
	return (int)status;
}
