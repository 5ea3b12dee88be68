/*
 * status.c - `culprit status`: print what processes are doing on the GPU now.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bundle/selection.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "files/read_ahead.h"
#include "status/process_status.h"
#include "status/ranks.h"
#include "status/status_json.h"
#include "status/status_text.h"
#include "json/json_values.h"

/* In the order of the choices in commands.def. */
enum format { FORMAT_TEXT, FORMAT_JSON };

struct printer {
	enum format format;
	bool is_for_all; /* print all processes of a job, even if only some are outliers */
	bool is_first;
	bool is_any_alive;
};

static int print_json(const struct process_status *status, FILE *out)
{
	json_t *object = status_to_json(status);
	bool is_printed = object && json_print(object, out);
	json_decref(object);
	fputc('\n', out);
	return is_printed ? 0 : -ENOMEM;
}

static enum exit_status print_status(struct printer *printer, const struct target *target)
{
	struct process_status *status = malloc(sizeof(*status));
	enum exit_status result = status ? process_status_open(target, status) : EXIT_STATUS_SYSTEM;
	if (status && process_status_is_read(result)) {
		if (!printer->is_first && printer->format == FORMAT_TEXT)
			putchar('\n');
		printer->is_first = false;
		printer->is_any_alive = printer->is_any_alive || status->is_alive;
		int error = printer->format == FORMAT_JSON ? print_json(status, stdout)
							   : status_print_text(status, stdout);
		result = error ? EXIT_STATUS_SYSTEM : result;
		process_status_close(status);
	}
	free(status);
	return result;
}

/*
 * Read the process of the bundle at `path`, with names or without, and pass it to `take`.
 * *out_is_live is whether a second look may show more: the process runs, or its journal is still in
 * memory.
 */
static enum exit_status visit(const char *path, bool has_names,
			      int (*take)(void *state, const struct process_status *status),
			      void *state, bool *out_is_live)
{
	struct process_status *status = malloc(sizeof(*status));
	struct target target;
	enum exit_status result = status ? target_of_bundle(path, &target) : EXIT_STATUS_SYSTEM;
	if (status && result == EXIT_STATUS_OK) {
		*out_is_live = target.is_alive || target.memory_fd >= 0;
		result = has_names ? process_status_open(&target, status)
				   : process_status_read(&target, status);
		target_close(&target);
		if (process_status_is_read(result)) {
			result = take(state, status) ? EXIT_STATUS_SYSTEM : result;
			process_status_close(status);
		}
	}
	free(status);
	return result;
}

struct job {
	struct printer *printer;
	struct ranks ranks;
};

static int add_rank(void *state, const struct process_status *status)
{
	struct job *job = state;
	job->printer->is_any_alive = job->printer->is_any_alive || status->is_alive;
	return ranks_add(&job->ranks, status, job->printer->format == FORMAT_JSON);
}

static int confirm_rank(void *state, const struct process_status *status)
{
	struct job *job = state;
	(void)ranks_confirm(&job->ranks, status);
	return 0;
}

static void print_texts(const struct job *job, const struct rank_findings *findings)
{
	bool is_first = findings->n == 0;
	for (uint32_t i = 0; i < findings->n; i++)
		printf("culprit: ranks: %s\n", findings->rows[i].text);
	for (size_t i = 0; i < job->ranks.n; i++) {
		const struct rank_process *process = &job->ranks.rows[i];
		if (findings->n && !process->is_outlier && !job->printer->is_for_all)
			continue;
		printf("%s%s", is_first ? "" : "\n", process->text);
		is_first = false;
	}
}

static int print_objects(const struct job *job, const struct rank_findings *findings)
{
	for (size_t i = 0; i < job->ranks.n; i++) {
		json_t *object = job->ranks.rows[i].object;
		if (json_object_set_new(object, "job", ranks_to_json(&job->ranks, i, findings)) ||
		    !json_print(object, stdout))
			return -ENOMEM;
		putchar('\n');
	}
	return 0;
}

static int print_ranks(struct job *job)
{
	struct rank_findings findings;
	int result = ranks_find(&job->ranks, &findings);
	if (!result && job->printer->format == FORMAT_JSON)
		result = print_objects(job, &findings);
	else if (!result)
		print_texts(job, &findings);
	ranks_findings_free(&findings);
	return result;
}

/* Look at the processes again that may have made progress since. */
static void confirm_ranks(struct job *job, const struct selection *bundles, bool *is_live)
{
	static const struct timespec pause = {.tv_nsec = 500000000};
	(void)nanosleep(&pause, NULL);
	message_mute(true);
	for (size_t index = 0; index < bundles->n; index++)
		if (is_live[index])
			(void)visit(bundles->paths[index], false, confirm_rank, job,
				    &is_live[index]);
	message_mute(false);
}

/* Take two snapshots of each living process: one that was merely read earlier is not behind. */
static enum exit_status read_ranks(struct job *job, const struct selection *bundles, bool *is_live)
{
	enum exit_status worst = EXIT_STATUS_OK;
	bool is_any_live = false;
	struct read_ahead *ahead = read_ahead_begin(bundles->paths, bundles->n, NULL);
	symbols_share(true);
	for (size_t index = 0; index < bundles->n; index++) {
		read_ahead_reach(ahead, index);
		enum exit_status result =
			visit(bundles->paths[index], true, add_rank, job, &is_live[index]);
		is_any_live = is_any_live || is_live[index];
		worst = result > worst ? result : worst;
	}
	symbols_share(false);
	read_ahead_end(ahead);
	if (is_any_live && ranks_have_groups(&job->ranks))
		confirm_ranks(job, bundles, is_live);
	return worst;
}

static enum exit_status print_job(struct printer *printer, const struct selection *bundles)
{
	struct job job = {.printer = printer};
	bool *is_live = calloc(bundles->n, sizeof(*is_live));
	enum exit_status worst = is_live ? read_ranks(&job, bundles, is_live) : EXIT_STATUS_SYSTEM;
	free(is_live);
	ranks_sort(&job.ranks);
	if (print_ranks(&job))
		worst = EXIT_STATUS_SYSTEM;
	ranks_free(&job.ranks);
	return worst;
}

static enum exit_status print_process(struct printer *printer, const char *number)
{
	struct target target;
	enum exit_status result = target_of_process(number, &target);
	if (result == EXIT_STATUS_OK) {
		result = print_status(printer, &target);
		target_close(&target);
	}
	return result;
}

static enum exit_status print_bundles(struct printer *printer, char **operands, int n)
{
	enum exit_status worst = EXIT_STATUS_OK;
	struct selection bundles;
	int error = selection_make(operands, n, &bundles);
	if (error)
		return error == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	if (bundles.n > 1) {
		worst = print_job(printer, &bundles);
		selection_free(&bundles);
		return worst;
	}
	for (size_t index = 0; index < bundles.n; index++) {
		struct target target;
		enum exit_status result = target_of_bundle(bundles.paths[index], &target);
		if (result == EXIT_STATUS_OK) {
			result = print_status(printer, &target);
			target_close(&target);
		}
		worst = result > worst ? result : worst;
	}
	selection_free(&bundles);
	return worst;
}

/* Print each operand's status once. */
static enum exit_status print_all(struct printer *printer, const struct arguments *arguments)
{
	enum exit_status worst = EXIT_STATUS_OK;
	printer->is_first = true;
	printer->is_any_alive = false;
	if (!arguments->n_operands)
		return print_bundles(printer, arguments->operands, 0);
	for (int index = 0; index < arguments->n_operands; index++) {
		char *operand = arguments->operands[index];
		enum exit_status result = target_is_number(operand)
						  ? print_process(printer, operand)
						  : print_bundles(printer, &operand, 1);
		worst = result > worst ? result : worst;
	}
	return worst;
}

int status_main(const struct arguments *arguments)
{
	static const struct timespec pause = {.tv_sec = 1};
	int format = options_choice(arguments, OPTION_status_format);
	struct printer printer = {.format = (enum format)format,
				  .is_for_all = arguments->values[OPTION_status_all]};
	if (format < 0)
		return EXIT_STATUS_USAGE;
	for (;;) {
		enum exit_status result = print_all(&printer, arguments);
		if (!arguments->values[OPTION_status_watch] || !printer.is_any_alive)
			return (int)result;
		if (fflush(stdout) || nanosleep(&pause, NULL))
			return EXIT_STATUS_SYSTEM;
		if (printer.format == FORMAT_TEXT)
			putchar('\n');
	}
}
