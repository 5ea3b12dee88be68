/*
 * report.c - `culprit report`: the verdict of each bundle as text or JSON.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "commands.h"
#include "exit_status.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "report_json.h"

enum format { FORMAT_TEXT, FORMAT_JSON }; /* as in commands.def */

/* Collects what the bundles have to say, one after the other. */
struct printer {
	enum format format;
	FILE *out;
	json_t *array;        /* FORMAT_JSON: all reports */
	const char *coredump; /* path; NULL: the bundle's own */
	unsigned n_printed;
};

static int print_text(struct printer *printer, const struct analysis *analysis)
{
	if (printer->n_printed++)
		fputc('\n', printer->out);
	return analysis_print_text(analysis, printer->out);
}

static int print_report(struct printer *printer, const struct analysis *analysis)
{
	json_t *report;

	if (printer->format == FORMAT_TEXT)
		return print_text(printer, analysis);
	report = report_to_json(analysis);
	return report && !json_array_append_new(printer->array, report) ? 0 : -ENOMEM;
}

static enum exit_status report_open_bundle(struct printer *printer, struct bundle *bundle)
{
	struct analysis analysis;
	enum exit_status status = EXIT_STATUS_OK;
	int result = analysis_open(bundle, &analysis);

	if (!result) {
		result = print_report(printer, &analysis);
		if (!analysis_has_failure(&analysis))
			status = EXIT_STATUS_NO_FAILURE;
		analysis_close(&analysis);
	}
	if (!result)
		return status;
	message("%s: %s", bundle->path, strerror(-result));
	return EXIT_STATUS_SYSTEM;
}

static enum exit_status report_path(struct printer *printer, const char *path)
{
	struct bundle *bundle;
	enum exit_status status = bundle_open(path, &bundle);
	enum exit_status report_status;

	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return status;
	if (printer->coredump) {
		enum exit_status used = bundle_use_coredump(bundle, printer->coredump);

		status = used > status ? used : status;
	}
	report_status = report_open_bundle(printer, bundle);
	bundle_close(bundle);
	return report_status > status ? report_status : status;
}

/* One report as it is, several as an array; after none that could be read nothing. */
static void print_json(const struct printer *printer, int n_bundles)
{
	const json_t *all = printer->array;
	const json_t *shown = n_bundles == 1 ? json_array_get(all, 0) : all;

	if (shown && !json_dumpf(shown, printer->out, JSON_INDENT(2)))
		fputc('\n', printer->out);
}

static enum exit_status report_all(struct printer *printer, char **paths, int n_paths)
{
	enum exit_status worst = EXIT_STATUS_OK;

	for (int index = 0; index < n_paths; index++) {
		enum exit_status status = report_path(printer, paths[index]);

		worst = status > worst ? status : worst;
	}
	if (printer->format == FORMAT_JSON)
		print_json(printer, n_paths);
	return worst;
}

int report_main(const struct arguments *arguments)
{
	const char *output = arguments->values[OPTION_report_output];
	int format = options_choice(arguments, OPTION_report_format);
	struct printer printer = {0};
	enum exit_status status;

	if (format < 0)
		return EXIT_STATUS_USAGE;
	if (!arguments->n_operands) {
		message("no bundle given; see culprit help report");
		return EXIT_STATUS_USAGE;
	}
	printer.coredump = arguments->values[OPTION_report_coredump];
	if (printer.coredump && arguments->n_operands > 1) {
		message("--coredump is of one process, but %d bundles are given",
			arguments->n_operands);
		return EXIT_STATUS_USAGE;
	}
	printer.format = (enum format)format;
	printer.out = output_open(output);
	if (!printer.out)
		return EXIT_STATUS_SYSTEM;
	printer.array = json_array();
	status = report_all(&printer, arguments->operands, arguments->n_operands);
	json_decref(printer.array);
	return output_close(printer.out, output) ? EXIT_STATUS_SYSTEM : (int)status;
}
