/*
 * diff.c - `culprit diff`: the first launch whose results differ between two runs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "bundle/bundle.h"
#include "bundle/bundle_meta.h"
#include "bundle/selection.h"
#include "command/commands.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "diff/launch_diff.h"
#include "report/report_nan.h"
#include "symbols/symbols.h"

enum { LINE_SIZE = 4096, N_RUNS = 2 };

struct run {
	struct bundle *bundle;
	struct launch_list list;
};

/* The first launches of each difference, and how many have it. */
struct comparison {
	struct run runs[N_RUNS];
	uint64_t n_compared, n_missing; /* missing: in one of the runs */
	uint64_t n[LAUNCH_RESULT_DIFFERS + 1];
	const struct checked_launch *first[LAUNCH_RESULT_DIFFERS + 1]; /* of the first run */
	uint32_t index[LAUNCH_RESULT_DIFFERS + 1];
};

/* Open the bundle, or the only bundle in a folder. */
static enum exit_status open_run(char **operand, struct run *out)
{
	struct selection selection;
	enum exit_status status = EXIT_STATUS_USAGE;
	int result = selection_make(operand, 1, &selection);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	if (selection.n == 1)
		status = bundle_open(selection.paths[0], &out->bundle);
	else
		message("%s: holds %zu bundles; name one of them", *operand, selection.n);
	selection_free(&selection);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return status;
	if (launch_list_make(&out->bundle->view, &out->list))
		return EXIT_STATUS_SYSTEM;
	const struct view_rows *checks = &out->bundle->view.tables[JOURNAL_CHECKS];
	if (checks->n_rows + CHECK_MAX_RANGES > CHECK_ROWS_MAX)
		message("%s: the table of checks is full; later launches are not compared",
			*operand);
	else if (checks->lost)
		message("%s: checks are missing; launches after them may be paired wrongly",
			*operand);
	if (out->list.n)
		return EXIT_STATUS_OK;
	message("%s: holds no checksums; record them with culprit run --checksums --keep always",
		*operand);
	return EXIT_STATUS_BAD_BUNDLE;
}

static void compare(struct comparison *comparison)
{
	const struct run *one = &comparison->runs[0];
	const struct run *other = &comparison->runs[1];
	for (size_t i = 0; i < one->list.n; i++) {
		const struct checked_launch *launch = &one->list.launches[i];
		const struct checked_launch *like =
			launch_list_find(&other->list, launch->stream, launch->place);
		if (!like) {
			comparison->n_missing++;
			continue;
		}
		const struct launch_run sides[] = {{&one->bundle->view, launch},
						   {&other->bundle->view, like}};
		uint32_t index = 0;
		enum launch_difference difference = launch_diff(&sides[0], &sides[1], &index);
		comparison->n_compared++;
		if (!comparison->n[difference]++) {
			comparison->first[difference] = launch;
			comparison->index[difference] = index;
		}
	}
	comparison->n_missing += other->list.n - comparison->n_compared;
}

static const char *explanation(enum launch_difference difference)
{
	switch (difference) {
	case LAUNCH_RESULT_DIFFERS:
		return "its inputs were equal: a race, or a read of memory that was never written";
	case LAUNCH_WRITTEN_DIFFERS:
		return "the memory that it only reads was equal, but the memory that it writes "
		       "differed before, too";
	case LAUNCH_INPUT_DIFFERS:
		return "it reads this argument";
	default:
		return "the other run launches another kernel there, or passes other sizes";
	}
}

static void add_result(const struct check_result *result, struct text *out)
{
	text_addf(out, "min %g, max %g, %" PRIu64 " NaN", result->min, result->max, result->n_nan);
}

static void add_difference(const struct report *report, const struct comparison *comparison,
			   enum launch_difference difference, struct text *out)
{
	uint32_t id = comparison->first[difference]->first + comparison->index[difference];
	const struct check_row *row = view_check(report->view, id);
	const struct checked_launch *launch = comparison->first[difference];
	const struct checked_launch *like =
		launch_list_find(&comparison->runs[1].list, launch->stream, launch->place);
	const struct check_row *other = view_check(&comparison->runs[1].bundle->view,
						   like->first + comparison->index[difference]);
	bool is_input = difference == LAUNCH_INPUT_DIFFERS;
	text_add(out, is_input                            ? "first input that differs: "
		      : difference == LAUNCH_OTHER_KERNEL ? "first other launch: "
							  : "first result that differs: ");
	report_nan_launch(report, row, out);
	text_addf(out, " (#%" PRIu64 " in the other run)\n", other ? other->sequence : 0);
	if (difference != LAUNCH_OTHER_KERNEL && other) {
		text_add(out, "  ");
		report_nan_argument(row->parameter, row->offset, out);
		text_addf(out, ", %" PRIu64 " %s: ", row->before.n,
			  report_nan_type(row->after.type));
		add_result(is_input ? &row->before : &row->after, out);
		text_add(out, "; in the other run ");
		add_result(is_input ? &other->before : &other->after, out);
		text_add(out, "\n");
	}
	text_addf(out, "  %s\n", explanation(difference));
}

/* True if anything differs. */
static bool print_comparison(const struct comparison *comparison, FILE *out)
{
	const struct bundle *bundle = comparison->runs[0].bundle;
	struct symbols *symbols = symbols_open(SYMBOLS_WAIT_SECONDS);
	struct symbol_source source = symbols ? symbols_source(symbols) : (struct symbol_source){0};
	const struct report report = {.view = &bundle->view,
				      .symbols = symbols ? &source : NULL,
				      .directory = bundle_meta_text(bundle->meta, "directory")};
	uint64_t n_different = comparison->n_compared - comparison->n[LAUNCH_EQUAL];
	for (enum launch_difference i = LAUNCH_RESULT_DIFFERS; i > LAUNCH_EQUAL; i--) {
		char line[LINE_SIZE];
		struct text text = text_in(line, sizeof(line));
		if (!comparison->first[i])
			continue;
		add_difference(&report, comparison, i, &text);
		fputs(line, out);
	}
	fprintf(out, "%" PRIu64 " of %" PRIu64 " launches differ\n", n_different,
		comparison->n_compared);
	if (comparison->n_missing)
		fprintf(out, "%" PRIu64 " launches are in one run only\n", comparison->n_missing);
	if (symbols)
		symbols_close(symbols);
	return n_different || comparison->n_missing;
}

static enum exit_status write_comparison(struct comparison *comparison, const char *path)
{
	FILE *out = output_open(path);
	if (!out)
		return EXIT_STATUS_SYSTEM;
	compare(comparison);
	bool is_different = print_comparison(comparison, out);
	if (output_close(out, path))
		return EXIT_STATUS_SYSTEM;
	return is_different ? EXIT_STATUS_NO_FAILURE : EXIT_STATUS_OK;
}

int diff_main(const struct arguments *arguments)
{
	struct comparison comparison = {0};
	if (arguments->n_operands != N_RUNS) {
		message("two bundles are needed; see culprit help diff");
		return EXIT_STATUS_USAGE;
	}
	enum exit_status status = open_run(&arguments->operands[0], &comparison.runs[0]);
	if (status == EXIT_STATUS_OK)
		status = open_run(&arguments->operands[1], &comparison.runs[1]);
	if (status == EXIT_STATUS_OK)
		status = write_comparison(&comparison, arguments->values[OPTION_diff_output]);
	for (int i = 0; i < N_RUNS; i++) {
		launch_list_free(&comparison.runs[i].list);
		if (comparison.runs[i].bundle)
			bundle_close(comparison.runs[i].bundle);
	}
	return (int)status;
}
