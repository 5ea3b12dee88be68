/*
 * report.c - `culprit report`: prints the verdict of each bundle in one of its forms.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "bundle/bundle_parts.h"
#include "bundle/selection.h"
#include "ci/ci.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "command/patience.h"
#include "files/read_ahead.h"
#include "html/page_html.h"
#include "job/job_survey.h"
#include "pack/pack_parts.h"
#include "redaction/redaction.h"
#include "report/json_reports.h"
#include "report/stored.h"
#include "report/terminal.h"
#include "report/text_reports.h"
#include "json/report_json.h"

/* As in commands.def; further values are enum ci_view. */
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML, FORMAT_CI };

enum { MAX_WAIT = 3600 };

/* Collects the reports of the bundles, one after the other. */
struct printer {
	enum format format;
	enum report_length length; /* FORMAT_TEXT: of each report */
	FILE *out;
	const char *coredump;         /* path; NULL: the bundle's own */
	const char *symfs;            /* NULL: files are at their recorded paths */
	unsigned wait_seconds;        /* for files with symbols */
	struct text_reports *texts;   /* FORMAT_TEXT: the reports so far */
	struct json_reports *objects; /* FORMAT_JSON: the same */
	struct html_page *page;       /* FORMAT_HTML: the same */
	struct job_survey survey;     /* of the reports */
	struct ci_findings findings;  /* from FORMAT_CI on: the same */
	enum terminal_color color;
	bool is_redacted;
};

/* If the report does not come from the analysis, it is only a text, and its parts are not known. */
static int print_html(struct printer *printer, const struct analysis *analysis,
		      const struct analysis_filter *filter, bool is_stored)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = is_stored || analysis->is_told ? open_memstream(&text, &size) : NULL;
	int result = (is_stored || analysis->is_told) && !out ? -ENOMEM : 0;
	if (out && is_stored)
		result = stored_print_text(analysis->bundle, REPORT_FULL, out);
	else if (out)
		result = analysis_text_print(analysis, REPORT_FULL, out);
	if (out && fclose(out) && !result)
		result = -errno;
	if (!result)
		result = html_page_add(printer->page, analysis, filter, text);
	if (!result)
		result = job_survey_add(&printer->survey, analysis);
	free(text);
	return result;
}

static int print_json(struct printer *printer, const struct analysis *analysis, bool is_stored)
{
	json_t *report = is_stored ? stored_read_json(analysis->bundle) : NULL;
	if (!report)
		report = report_to_json(analysis);
	int result = json_reports_add(printer->objects, report, analysis);
	json_decref(report);
	return result;
}

static int print_report(struct printer *printer, const struct analysis *analysis,
			const struct analysis_filter *filter)
{
	/* A stored report is only a text: its parts are not known. */
	bool is_stored = !printer->coredump && !printer->symfs && !printer->is_redacted &&
			 printer->format < FORMAT_CI && stored_is_better(analysis);
	if (printer->format >= FORMAT_CI)
		return analysis->finding != FINDING_NONE
			       ? ci_findings_add(&printer->findings, analysis)
			       : 0;
	if (printer->format == FORMAT_TEXT)
		return text_reports_add(printer->texts, analysis, printer->length, is_stored);
	if (printer->format == FORMAT_HTML)
		return print_html(printer, analysis, filter, is_stored);
	return print_json(printer, analysis, is_stored);
}

static enum exit_status report_open_bundle(struct printer *printer, struct bundle *bundle)
{
	enum exit_status status = EXIT_STATUS_OK;
	struct redaction *redaction = printer->is_redacted ? redaction_open(bundle) : NULL;
	struct analysis_filter filter = redaction_filter(redaction);
	int result = printer->is_redacted && !redaction ? -ENOMEM : 0;
	struct analysis analysis;
	if (!result)
		result = analysis_open(bundle, printer->wait_seconds, redaction ? &filter : NULL,
				       &analysis);
	if (!result) {
		result = print_report(printer, &analysis, redaction ? &filter : NULL);
		if (analysis_is_open(&analysis))
			status = EXIT_STATUS_OPEN;
		else if (analysis.finding == FINDING_NONE && !analysis.is_told)
			status = EXIT_STATUS_NO_FAILURE;
		analysis_close(&analysis);
	}
	redaction_close(redaction);
	if (!result)
		return status;
	message("%s: %s", bundle->path, strerror(-result));
	return EXIT_STATUS_SYSTEM;
}

static int add_text(struct printer *printer, const char *text, size_t size)
{
	return printer->format == FORMAT_JSON ? json_reports_add_text(printer->objects, text, size)
					      : text_reports_add_text(printer->texts, text, size);
}

/* Its report was made when it was packed. */
static enum exit_status report_pack(struct printer *printer, const char *path)
{
	char *text = NULL;
	size_t size = 0;
	if (printer->coredump || printer->is_redacted) {
		message("%s: is a file; --coredump and --redact are for bundles", path);
		return EXIT_STATUS_USAGE;
	}
	if (printer->format >= FORMAT_HTML) {
		message("%s: is a file; of packs there is text and JSON", path);
		return EXIT_STATUS_USAGE;
	}
	enum pack_view view = printer->format == FORMAT_JSON   ? PACK_AS_JSON
			      : printer->length == REPORT_FULL ? PACK_AS_TEXT
							       : PACK_AS_SHORT_TEXT;
	FILE *out = open_memstream(&text, &size);
	enum exit_status status = out ? pack_print(path, view, out) : EXIT_STATUS_SYSTEM;
	if ((out && fclose(out)) || (size && add_text(printer, text, size)))
		status = EXIT_STATUS_SYSTEM;
	free(text);
	return status;
}

static enum exit_status report_path(struct printer *printer, const char *path)
{
	if (pack_is_file(path))
		return report_pack(printer, path);
	patience_print("reading", path);
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);

	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return status;
	if (printer->coredump) {
		enum exit_status used = bundle_use_coredump(bundle, printer->coredump);
		status = used > status ? used : status;
	}
	enum exit_status report_status = report_open_bundle(printer, bundle);
	bundle_close(bundle);
	return report_status > status ? report_status : status;
}

/* Print all reports to fit the output. Return 0, or -errno if out of memory. */
static int print_texts(struct printer *printer)
{
	struct terminal terminal = terminal_of(fileno(printer->out), printer->color);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return -errno;
	int result = text_reports_print(printer->texts, out);
	if (fclose(out) && !result)
		result = -ENOMEM;
	if (!result)
		terminal_print(&terminal, text, size, printer->out);
	free(text);
	return result;
}

/* A job's root cause is at the top of the page. */
static int arrange_page(struct printer *printer)
{
	const struct job_survey *survey = &printer->survey;
	size_t *order = calloc(survey->n + 1, sizeof(*order));
	char *heads = NULL;
	size_t size = 0;
	size_t n_told = 0;
	FILE *to = open_memstream(&heads, &size);
	int result = order && to ? job_survey_arrange(survey, order, &n_told, to) : -ENOMEM;
	if (to && fclose(to) && !result)
		result = -ENOMEM;
	if (!result)
		result = html_page_arrange(printer->page, order, survey->n, n_told, heads);
	free(heads);
	free(order);
	return result;
}

static enum exit_status report_all(struct printer *printer, const struct selection *bundles)
{
	enum exit_status worst = EXIT_STATUS_OK;
	printer->texts = text_reports_open();
	printer->page = printer->format == FORMAT_HTML ? html_page_open(bundles->n) : NULL;
	printer->objects = json_reports_open(printer->out);
	if (!printer->texts || !printer->objects ||
	    (printer->format == FORMAT_HTML && !printer->page)) {
		text_reports_close(printer->texts);
		json_reports_close(printer->objects);
		message("%s", strerror(ENOMEM));
		return EXIT_STATUS_SYSTEM;
	}
	struct read_ahead *ahead = read_ahead_begin(bundles->paths, bundles->n, NULL);
	symbols_share(true);
	for (size_t index = 0; index < bundles->n; index++) {
		read_ahead_reach(ahead, index);
		enum exit_status status = report_path(printer, bundles->paths[index]);
		worst = status > worst ? status : worst;
	}
	symbols_share(false);
	read_ahead_end(ahead);
	patience_hide();
	if (print_texts(printer) || json_reports_print(printer->objects))
		worst = EXIT_STATUS_SYSTEM;
	if (printer->page && arrange_page(printer))
		worst = EXIT_STATUS_SYSTEM;
	else if (printer->page)
		html_page_print(printer->page, printer->out);
	if (printer->format >= FORMAT_CI &&
	    ci_view_print((enum ci_view)(printer->format - FORMAT_CI), &printer->findings,
			  printer->out))
		worst = EXIT_STATUS_SYSTEM;
	ci_findings_free(&printer->findings);
	html_page_close(printer->page);
	job_survey_free(&printer->survey);
	text_reports_close(printer->texts);
	json_reports_close(printer->objects);
	return worst;
}

/* Open the output after the checks, and write all reports to it. */
static enum exit_status report_selection(struct printer *printer, const struct selection *bundles,
					 const char *output)
{
	if (printer->coredump && bundles->n > 1) {
		message("--coredump is of one process, but %zu bundles are given", bundles->n);
		return EXIT_STATUS_USAGE;
	}
	printer->out = output_open(output);
	if (!printer->out)
		return EXIT_STATUS_SYSTEM;
	enum exit_status status = report_all(printer, bundles);
	return output_close(printer->out, output) ? EXIT_STATUS_SYSTEM : status;
}

/*
 * Returns 0, or -errno after one line. The helper that reads files has another working directory.
 */
static int find_root(const char *directory, struct printer *printer)
{
	static char root[PATH_MAX];
	if (!directory)
		return 0;
	if (!realpath(directory, root)) {
		int error = errno;
		message("--symfs '%s': %s", directory, strerror(error));
		return -error;
	}
	printer->symfs = root;
	symbols_set_root(root);
	return 0;
}

int report_main(const struct arguments *arguments)
{
	int format = options_choice(arguments, OPTION_report_format);
	int color = options_choice(arguments, OPTION_report_color);
	struct printer printer = {.coredump = arguments->values[OPTION_report_coredump],
				  .wait_seconds = SYMBOLS_WAIT_SECONDS,
				  .is_redacted = arguments->values[OPTION_report_redact]};
	if (format < 0 || color < 0 ||
	    options_number(arguments, OPTION_report_symbol_wait, 1, MAX_WAIT,
			   &printer.wait_seconds))
		return EXIT_STATUS_USAGE;
	printer.format = (enum format)format;
	printer.length =
		arguments->values[OPTION_report_verbose] ? REPORT_FULL : analysis_text_length();
	printer.color = (enum terminal_color)color;
	if (find_root(arguments->values[OPTION_report_symfs], &printer))
		return EXIT_STATUS_USAGE;
	struct selection bundles;
	int result = selection_make(arguments->operands, arguments->n_operands, &bundles);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	enum exit_status status =
		report_selection(&printer, &bundles, arguments->values[OPTION_report_output]);
	selection_free(&bundles);
	return (int)status;
}
