/*
 * memory_command.c - `culprit memory`: print who holds memory, and explain addresses.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle/live_memory.h"
#include "bundle/selection.h"
#include "command/commands.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "fault/fault_story.h"
#include "memory/memory_fault.h"
#include "memory/memory_groups.h"
#include "memory/memory_parts.h"
#include "json/json_values.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TORCH }; /* in the order of commands.def */

struct wish {
	enum format format;
	enum memory_by by;
	uint64_t top;
	bool has_address;
	uint64_t address;
	bool is_fault;      /* --at fault: the address that the driver reported */
	const char *before; /* --diff: a bundle to compare with; NULL: not given */
	const char *since;  /* --since: a time to compare with; NULL: not given */
	bool leaks;
	uint64_t fail_code; /* exit status if there are leaks; 0: not given */
	FILE *out;
};

/* Return 0 if the options can be combined; otherwise print one line and return -1. */
static int check_wish(const struct wish *wish, bool has_fail_code)
{
	bool is_special = wish->has_address || wish->before || wish->since;
	if (wish->format == FORMAT_TORCH && is_special) {
		message("--format torch shows all memory of one bundle; leave out --at, --diff "
			"and --since");
		return -1;
	}
	if (wish->leaks && is_special) {
		message("--leaks needs all memory of one bundle; it cannot be used with --at, "
			"--diff or --since");
		return -1;
	}
	if (wish->since && (wish->has_address || wish->before)) {
		message("--since cannot be used with --at or --diff");
		return -1;
	}
	if (has_fail_code && !wish->leaks) {
		message("--fail-code needs --leaks");
		return -1;
	}
	return 0;
}

/* Read the options. Return 0; otherwise print one line and return -1. */
static int read_wish(const struct arguments *arguments, struct wish *out)
{
	int format = options_choice(arguments, OPTION_memory_format);
	int by = options_choice(arguments, OPTION_memory_by);
	const char *at = arguments->values[OPTION_memory_at];
	const char *top = arguments->values[OPTION_memory_top];
	const char *code = arguments->values[OPTION_memory_fail_code];
	if (format < 0 || by < 0)
		return -1;
	*out = (struct wish){.format = (enum format)format,
			     .by = (enum memory_by)by,
			     .top = 10,
			     .has_address = at,
			     .before = arguments->values[OPTION_memory_diff],
			     .since = arguments->values[OPTION_memory_since],
			     .leaks = arguments->values[OPTION_memory_leaks]};
	if (code && (!memory_at_read(code, &out->fail_code) || out->fail_code > UINT8_MAX)) {
		message("--fail-code '%s': expected 0 to 255; see culprit help memory", code);
		return -1;
	}
	out->is_fault = at && strcmp(at, "fault") == 0;
	if (at && !out->is_fault && !memory_at_read(at, &out->address)) {
		message("--at '%s': invalid address; use a number such as 0x7f3a00001200, or fault",
			at);
		return -1;
	}
	if (top && !memory_at_read(top, &out->top)) {
		message("--top '%s': not a number", top);
		return -1;
	}
	if (out->since && !memory_since_is_good(out->since)) {
		message("--since '%s': invalid time; use seconds (30) or a UTC time "
			"(2026-11-22T15:09:36Z)",
			out->since);
		return -1;
	}
	return check_wish(out, code);
}

/* Return the path of the journal if the operand is the ID of a running process; NULL otherwise. */
static char *journal_of_process(const char *operand)
{
	uint64_t pid = 0;
	bool is_number = operand && memory_at_read(operand, &pid) && pid <= INT32_MAX;
	return is_number && access(operand, F_OK) != 0 ? live_memory_of((int)pid) : NULL;
}

/* Open the operand: a running process's ID, a bundle, or a folder that holds exactly one bundle. */
static enum exit_status open_selected(char **operand, struct bundle **out)
{
	char *journal = journal_of_process(operand[0]);
	enum exit_status status = EXIT_STATUS_USAGE;
	if (journal) {
		status = bundle_open(journal, out);
		free(journal);
		return status;
	}
	struct selection selection;
	int result = selection_make(operand, operand[0] ? 1 : 0, &selection);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	if (selection.n == 1)
		status = bundle_open(selection.paths[0], out);
	else
		message("%s: holds %zu bundles; name one of them", operand[0], selection.n);
	selection_free(&selection);
	return status;
}

static bool is_usable(enum exit_status status)
{
	return status == EXIT_STATUS_OK || status == EXIT_STATUS_DAMAGED;
}

/* Read the groups of the bundle at `path`. */
static enum exit_status read_groups(const char *path, enum memory_by by, struct memory_groups *out)
{
	char *operand[] = {strdup(path), NULL};
	struct memory memory = {NULL, 0};
	struct bundle *bundle = NULL;
	enum exit_status status = operand[0] ? open_selected(operand, &bundle) : EXIT_STATUS_SYSTEM;
	free(operand[0]);
	if (!is_usable(status))
		return status;
	struct analysis analysis;
	if (analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis)) {
		bundle_close(bundle);
		return EXIT_STATUS_SYSTEM;
	}
	if (memory_read(&bundle->view, &memory) || memory_groups_make(&analysis, &memory, by, out))
		status = EXIT_STATUS_SYSTEM;
	memory_free(&memory);
	analysis_close(&analysis);
	bundle_close(bundle);
	return status;
}

/* Make the groups of the same bundle at the time --since; `out_when` is that time as text. */
static enum exit_status read_groups_since(const struct analysis *analysis,
					  const struct memory *memory, const struct wish *wish,
					  struct memory_groups *out,
					  char out_when[PROCESS_TIME_SIZE])
{
	enum exit_status status = EXIT_STATUS_OK;
	uint64_t ns = 0;
	if (memory_since_read(analysis, memory, wish->since, &ns))
		return EXIT_STATUS_USAGE;
	struct memory then;
	if (memory_read_at(analysis->report.view, ns, &then))
		return EXIT_STATUS_SYSTEM;
	if (memory_groups_make(analysis, &then, wish->by, out))
		status = EXIT_STATUS_SYSTEM;
	process_time_text(process_wall_ns(analysis->bundle->meta, ns), out_when);
	memory_free(&then);
	return status;
}

static enum exit_status print_groups(const struct analysis *analysis, const struct memory *memory,
				     const struct wish *wish)
{
	struct memory_groups groups;
	struct memory_groups before = {NULL, 0, {0}, {0}};
	enum exit_status status = EXIT_STATUS_OK;
	char when[PROCESS_TIME_SIZE] = "";
	if (memory_groups_make(analysis, memory, wish->by, &groups))
		return EXIT_STATUS_SYSTEM;
	if (wish->before)
		status = read_groups(wish->before, wish->by, &before);
	else if (wish->since)
		status = read_groups_since(analysis, memory, wish, &before, when);
	if (is_usable(status) && (wish->before || wish->since)) {
		if (memory_groups_subtract(&groups, &before))
			status = EXIT_STATUS_SYSTEM;
		memory_groups_free(&before);
	}

	const struct memory_before than = {wish->before, wish->since ? when : NULL};
	if (is_usable(status) && wish->format == FORMAT_JSON)
		memory_list_json(analysis, &groups, wish->by, &than, wish->out);
	else if (is_usable(status))
		memory_list_print(&groups, wish->leaks ? "never freed: " : "", wish->top, &than,
				  wish->out);
	memory_groups_free(&groups);
	return status;
}

/*
 * Find the address of the bundle's fault, and when its work was launched. Prints a message and
 * returns false without one.
 */
static bool find_fault(const struct analysis *analysis, uint64_t *out, struct range_moment *out_at)
{
	struct fault_story story;
	struct memory_fault fault;
	fault_story_read(analysis->report.view, &story);
	*out_at = memory_fault_moment(analysis->verdict);
	memory_fault_read(analysis->report.view, analysis->verdict, &story, &fault);
	if (fault.has_address)
		*out = fault.row->address;
	else
		message("--at fault: %s: the driver reported no address", analysis->bundle->path);
	return fault.has_address;
}

static enum exit_status print_address(const struct analysis *analysis, const struct wish *wish)
{
	uint64_t address = wish->address;
	struct range_moment at = {.sequence = 0};
	if (wish->is_fault && !find_fault(analysis, &address, &at))
		return EXIT_STATUS_USAGE;
	if (wish->format != FORMAT_JSON) {
		memory_at_print(analysis, address, &at, wish->out);
		return EXIT_STATUS_OK;
	}
	json_t *object = memory_at_json(analysis, address, &at);
	bool is_printed = json_print(object, wish->out);
	fputc('\n', wish->out);
	json_decref(object);
	return is_printed ? EXIT_STATUS_OK : EXIT_STATUS_SYSTEM;
}

/* Frees after a failure are not recorded, and a running process may still free its memory. */
static bool can_judge_leaks(const struct analysis *analysis)
{
	const char *why = NULL;
	if (analysis->bundle->end.kind == REPORT_RUNS)
		why = "the process is still running and may free its memory later";
	else if (analysis_has_failure(analysis))
		why = "the GPU failed, and frees after a failure are not recorded";
	if (why)
		message("--leaks: %s: %s", analysis->bundle->path, why);
	return !why;
}

static int leak_status(const struct memory *memory, uint64_t fail_code)
{
	for (size_t i = 0; fail_code && i < memory->n; i++)
		if (memory_place_of(&memory->rows[i]) != MEMORY_NO_ROOM)
			return (int)fail_code;
	return EXIT_STATUS_OK;
}

static int print_answer(const struct analysis *analysis, const struct wish *wish)
{
	if (wish->leaks && !can_judge_leaks(analysis))
		return EXIT_STATUS_USAGE;
	if (wish->has_address)
		return (int)print_address(analysis, wish);
	struct memory memory;
	if (memory_read(analysis->report.view, &memory))
		return EXIT_STATUS_SYSTEM;
	int status = 0;
	if (wish->format == FORMAT_TORCH)
		status = memory_torch_write(analysis, &memory, wish->out) ? EXIT_STATUS_SYSTEM
									  : EXIT_STATUS_OK;
	else
		status = (int)print_groups(analysis, &memory, wish);
	if (status == EXIT_STATUS_OK && wish->leaks)
		status = leak_status(&memory, wish->fail_code);
	memory_free(&memory);
	return status;
}

static int print_bundle(struct bundle *bundle, const struct wish *wish)
{
	struct analysis analysis;
	if (analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis)) {
		message("%s: %s", bundle->path, strerror(ENOMEM));
		return EXIT_STATUS_SYSTEM;
	}
	int status = print_answer(&analysis, wish);
	analysis_close(&analysis);
	return status;
}

int memory_main(const struct arguments *arguments)
{
	const char *output = arguments->values[OPTION_memory_output];
	struct bundle *bundle = NULL;
	struct wish wish;
	if (read_wish(arguments, &wish))
		return EXIT_STATUS_USAGE;
	if (arguments->n_operands > 1) {
		message("more than one bundle given; see culprit help memory");
		return EXIT_STATUS_USAGE;
	}
	enum exit_status status = open_selected(arguments->operands, &bundle);
	if (!is_usable(status))
		return (int)status;
	wish.out = output_open(output);
	int result = wish.out ? print_bundle(bundle, &wish) : EXIT_STATUS_SYSTEM;
	bundle_close(bundle);
	if (wish.out && output_close(wish.out, output))
		return EXIT_STATUS_SYSTEM;
	return result > (int)status ? result : (int)status;
}
