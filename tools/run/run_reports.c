/*
 * run_reports.c - prints the report of each bundle that has a failure, and of each verdict without
 * a bundle.
 */
#include "run/run_reports.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "analysis/used_gpus.h"
#include "bundle/bundle.h"
#include "bundle/bundle_parts.h"
#include "command/message.h"
#include "files/input.h"
#include "report/groups.h"
#include "report/stored.h"
#include "run/left_memory.h"
#include "run/run_parts.h"
#include "run/run_slot.h"

static bool has_coredump(const char *path)
{
	int fd = input_open_directory(path);
	bool result = fd >= 0 && !faccessat(fd, BUNDLE_COREDUMP_NAME, F_OK, AT_SYMLINK_NOFOLLOW);
	if (fd >= 0)
		close(fd);
	return result;
}

/*
 * Print the bundle's report if it has a failure. If its process is known to have failed, a whole
 * journal without a failure belongs to an earlier program in the same process (exec).
 */
static int print_analysis(struct bundle *bundle, struct run_verdict *verdict,
			  enum report_length length, struct ci_findings *findings, FILE *out,
			  struct group_label *out_label)
{
	struct analysis analysis;
	int result = analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis);
	if (result)
		return result;
	if (analysis_has_failure(&analysis)) {
		result = analysis_text_print(&analysis, length, out);
		group_label_make(&analysis, out_label);
		stored_write(&analysis);
		if (findings && !result)
			result = ci_findings_add(findings, &analysis);
		if (verdict)
			verdict->is_told = true;
	} else if (!verdict) {
		message("%s: the GPU failed, %s", bundle->path,
			has_coredump(bundle->path) ? "and the core dump does not tell of what"
						   : "but what is known of it was lost");
	}
	analysis_close(&analysis);
	return result;
}

/* Ask what the GPUs say now, before the bundle's report is made. */
static void note_hardware(const struct run_end *end, struct bundle *bundle)
{
	used_gpus_note(bundle, hardware_watch_take(end->hardware, RUN_HARDWARE_MS));
	used_gpus_store(bundle);
}

static void print_told(struct run_verdict *verdict, FILE *out)
{
	fwrite(verdict->text, 1, verdict->size, out);
	verdict->is_told = true;
}

/*
 * Report a bundle. If it was read whole, its report says more than its process could, for example
 * source lines. If it was not, the process's own text is better.
 */
static int report_bundle(const struct run_end *end, const char *path, struct run_reported *told,
			 long *out_pid, FILE *out, struct group_label *out_label)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);
	int result = 0;
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return 0; /* bundle_open has printed the reason */
	*out_pid = (long)json_integer_value(json_object_get(bundle->meta, "pid"));
	if (*out_pid && *out_pid == end->child.pid)
		bundle_note_end(bundle, end->child.status);
	note_hardware(end, bundle);
	struct run_verdict *verdict = run_reported_find(told, *out_pid);
	if (status == EXIT_STATUS_OK || !(verdict || bundle->told))
		result =
			print_analysis(bundle, verdict, end->length, end->findings, out, out_label);
	else if (verdict)
		print_told(verdict, out);
	else
		fwrite(bundle->told, 1, bundle->told_size, out);
	bundle_close(bundle);
	return result;
}

/* State of the loop that prints all reports. */
struct telling {
	const struct run_end *end;
	struct groups *all;
	unsigned n_failures;
};

/* Pass the text to the outer run, and to our output unless it is there already. */
static int tell(struct telling *telling, long pid, const struct group_label *label,
		const char *text, size_t size, bool is_shown)
{
	const struct run_end *end = telling->end;
	bool is_ours_shown = !end->output->path && !end->is_quiet;
	/* An analysed report (it has a key) was added before, with more than its text. */
	if (end->findings && size && (!label || !*label->key) &&
	    ci_findings_add_text(end->findings, text, size))
		return -ENOMEM;
	/* The outer run counts a failure without a text as well. */
	run_slot_pass_verdict(end->outer_run, pid, size ? text : "\n", size ? size : 1,
			      !size || is_shown || is_ours_shown);
	if (!size || (is_shown && !end->output->path))
		return 0;
	return groups_add(telling->all, label, text, size);
}

static int print_bundle(struct telling *telling, const char *path, struct run_reported *told)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct group_label label = {.key = ""};
	long pid = 0;
	int result = out ? report_bundle(telling->end, path, told, &pid, out, &label) : -ENOMEM;
	if (out && fclose(out) && !result)
		result = -errno;
	telling->n_failures++;
	if (!result)
		result = tell(telling, pid, &label, text, size, false);
	free(text);
	return result;
}

/* The text of a hang was printed while it lasted. Build servers get it now. */
static int print_hang(const struct run_end *end, const char *path)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return 0; /* bundle_open has printed the reason */
	if (json_integer_value(json_object_get(bundle->meta, "pid")) == end->child.pid)
		bundle_note_end(bundle, end->child.status);
	note_hardware(end, bundle);
	struct analysis analysis;
	int result = analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis);
	if (!result) {
		if (analysis.finding == FINDING_HANG) {
			stored_write(&analysis);
			result = end->findings ? ci_findings_add(end->findings, &analysis) : 0;
		}
		analysis_close(&analysis);
	}
	bundle_close(bundle);
	return result;
}

static int print_all(struct telling *telling, const struct failed_bundles *bundles,
		     struct run_reported *told)
{
	int result = 0;
	symbols_share(true);
	for (size_t index = 0; index < bundles->n && !result; index++)
		result = bundles->rows[index].is_hung
				 ? print_hang(telling->end, bundles->rows[index].path)
				 : print_bundle(telling, bundles->rows[index].path, told);
	symbols_share(false);
	for (size_t index = 0; index < told->n_verdicts && !result; index++) {
		const struct run_verdict *verdict = &told->verdicts[index];
		if (verdict->is_told)
			continue;
		telling->n_failures++;
		result = tell(telling, verdict->pid, NULL, verdict->text, verdict->size,
			      verdict->is_shown);
	}
	return result;
}

int run_reports_write(const struct run_end *end, const char *text, size_t size)
{
	struct terminal terminal = terminal_of(end->output->fd, end->color);
	char *fitted = NULL;
	size_t fitted_size = 0;
	FILE *out = open_memstream(&fitted, &fitted_size);
	int result = -ENOMEM;
	if (out)
		terminal_print(&terminal, text, size, out);
	if (out && !fclose(out))
		result = report_output_write(end->output, fitted, fitted_size);
	free(fitted);
	return result;
}

/* Returns the number of reported failures. */
static unsigned report_all(const struct run_end *end, const struct failed_bundles *bundles,
			   struct run_reported *told)
{
	char *text = NULL;
	size_t size = 0;
	FILE *all = open_memstream(&text, &size);
	struct telling telling = {.end = end, .all = groups_open()};
	int result = all && telling.all ? print_all(&telling, bundles, told) : -ENOMEM;
	if (all && telling.all)
		groups_print(telling.all, all);
	groups_close(telling.all);
	if (all && fclose(all) && !result)
		result = -errno;
	if (!result && size && report_output_is_seen(end->output))
		result = run_reports_write(end, text, size);
	free(text);
	if (result)
		message("the report: %s; the bundle is %s", strerror(-result),
			bundles->n ? bundles->rows[0].path : "lost");
	return result ? (unsigned)(bundles->n + told->n_verdicts) : telling.n_failures;
}

/* True if the user stopped it. */
static bool was_interrupted(int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
	return number == SIGINT || number == SIGHUP;
}

/*
 * True if a process without a failure is worth a report. It is not if the command succeeded:
 * a helper that returns with work in flight, or calls _exit(), may well intend that. It is not
 * after a stop from the keyboard. If something failed, the failure is the news.
 */
static bool is_sound_news(const struct run_end *end, unsigned n_failures)
{
	return end->child.status && !end->has_reported_hang &&
	       !was_interrupted(end->child.status) && !n_failures;
}

/* With -v the processes have printed their own reports. */
static void print_rejections(const struct run_end *end, struct left_memory *left)
{
	char *text = NULL;
	size_t size = 0;
	bool is_told = !end->is_verbose && report_output_is_seen(end->output);
	FILE *out = is_told ? open_memstream(&text, &size) : NULL;
	run_rejections_print(end, left, out);
	if (out && !fclose(out) && size)
		(void)run_reports_write(end, text, size);
	free(text);
}

static uint64_t print_unfinished(const struct run_end *end, struct left_memory *left,
				 struct run_reported *told, unsigned n_failures)
{
	bool is_seen = report_output_is_seen(end->output);
	bool is_news =
		is_sound_news(end, n_failures) && left->n_sound && (is_seen || end->findings);
	char *text = NULL;
	size_t size = 0;
	FILE *out = is_news && is_seen ? open_memstream(&text, &size) : NULL;
	uint64_t n_unfinished = 0;
	if (is_news || end->is_verbose || end->requires_cuda || *end->outer_run)
		n_unfinished = run_unfinished_print(end, left, told, is_news, out);
	if (out && !fclose(out) && size)
		(void)run_reports_write(end, text, size);
	free(text);
	return n_unfinished;
}

/* If something failed, unfinished work of other processes is not reported. */
static void print_followers(const struct run_end *end, const struct left_memory *left,
			    const struct run_reported *told)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = report_output_is_seen(end->output) ? open_memstream(&text, &size) : NULL;
	if (out)
		run_followers_print(left, told, out);
	if (out && !fclose(out) && size)
		(void)report_output_write(end->output, text, size);
	free(text);
}

static void publish_to_outer_run(const struct run_end *end, const struct run_reported *told)
{
	for (size_t index = 0; index < told->n_processes; index++) {
		const struct run_process *process = &told->processes[index];
		run_slot_pass_end(end->outer_run, process->pid, process->n_submissions);
	}
}

/* "3 submissions". */
static const char *count(uintmax_t n, const char *noun, const char *plural, char out[64])
{
	snprintf(out, 64, "%ju %s%s", n, noun, n == 1 ? "" : plural);
	return out;
}

static uint64_t count_submissions(const struct run_reported *told)
{
	uint64_t n_submissions = 0;
	for (size_t index = 0; index < told->n_processes; index++)
		n_submissions += told->processes[index].n_submissions;
	return n_submissions;
}

/*
 * Say what the GPUs say after a run without a failure. The processes have removed their journals,
 * so it is not known which GPUs they used: the line is about all that NVML lists.
 */
static void find_hardware(const struct run_end *end)
{
	const struct hardware *hardware = hardware_watch_take(end->hardware, RUN_HARDWARE_MS);
	struct hardware_story story = {.n_lines = 0};
	struct hardware_span span = {.first_ns = end->start_ns, .first = "the start"};
	if (hardware)
		hardware_story_find(hardware, &span, &story);
	for (uint32_t i = 0; i < story.n_lines; i++)
		message("%s%s", i ? "  " : "hardware: ", story.lines[i]);
}

/* Print a summary of the run (-v). */
static void print_summary(const struct run_reported *told, uint64_t n_unfinished,
			  unsigned n_failures)
{
	uint64_t n_submissions = count_submissions(told);
	char unfinished[64] = "";
	if (n_unfinished)
		snprintf(unfinished, sizeof(unfinished), ", %ju of them unfinished at the end",
			 (uintmax_t)n_unfinished);
	char counts[3][64];
	if (!told->n_processes && !n_failures)
		message("no process used the GPU");
	else
		message("%s used the GPU: %s%s, %s",
			count(told->n_processes, "process", "es", counts[0]),
			count(n_submissions, "submission", "s", counts[1]), unfinished,
			count(n_failures, "failure", "s", counts[2]));
}

struct run_summary run_reports(const struct run_end *end)
{
	struct failed_bundles bundles = {0};
	/* If the size of the file is limited, the write fails and prints a message. */
	signal(SIGXFSZ, SIG_IGN);
	struct run_reported told;
	run_slot_read(end->slot_fd, &told);
	struct left_memory left;
	const struct left_run run = {end->run_id, &told, end->keeps_sound};
	left_memory_collect(&run, &left);
	int result = run_bundles_find(end, &told, &left, &bundles);
	if (result && !end->is_quiet)
		message("%s: %s; bundles of this run may lie there unseen", end->directory,
			strerror(-result));
	struct run_summary summary;
	summary.n_failures = report_all(end, &bundles, &told);
	if (summary.n_failures)
		print_followers(end, &left, &told);
	if (is_sound_news(end, summary.n_failures))
		print_rejections(end, &left);
	uint64_t n_unfinished = print_unfinished(end, &left, &told, summary.n_failures);
	left_memory_settle(&left);
	run_bundles_sweep(end);
	left_memory_end(&left, end->is_quiet);
	publish_to_outer_run(end, &told);
	if (end->is_verbose)
		print_summary(&told, n_unfinished, summary.n_failures);
	if (end->is_verbose && !summary.n_failures)
		find_hardware(end);
	summary.has_used_gpu =
		summary.n_failures || bundles.has_running || count_submissions(&told);
	run_bundles_free(&bundles);
	run_reported_free(&told);
	return summary;
}

struct run_summary run_reports_print(const struct run_end *end)
{
	const struct failed_bundles none = {0};
	struct run_reported told;
	run_slot_read(end->slot_fd, &told);
	struct run_summary summary;
	summary.n_failures = report_all(end, &none, &told);
	summary.has_used_gpu = summary.n_failures || count_submissions(&told);
	publish_to_outer_run(end, &told);
	run_reported_free(&told);
	return summary;
}
