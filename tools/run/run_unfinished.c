/*
 * run_unfinished.c - reads the journals that are about to be removed.
 */
#include "run/left_memory.h"
#include "run/run_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "analysis/fingerprint.h"
#include "analysis/used_gpus.h"
#include "bundle/bundle.h"
#include "bundle/bundle_parts.h"
#include "bundle/process.h"
#include "command/message.h"
#include "files/input.h"
#include "report/last_rejection.h"
#include "view/record_walk.h"

/* A few are enough: if a large job was killed, they are all similar. */
enum { MAX_REPORTS = 4, MAX_REJECTION = 16 * 1024 };

struct teller {
	const struct run_end *end;
	struct run_reported *told;
	bool is_news;
	FILE *out; /* NULL: print nothing */
	unsigned n_written;
	unsigned n_more;
	uint64_t n_unfinished;
};

static long pid_of(const struct bundle *bundle)
{
	return (long)json_integer_value(json_object_get(bundle->meta, "pid"));
}

static uint64_t count_submissions(const struct bundle_view *view)
{
	uint64_t newest = 0;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		if (walk.record.sequence > newest)
			newest = walk.record.sequence;
	return newest;
}

/* Note how the command exited. For the processes that it started, this is not known. */
static void note_end(const struct run_end *end, struct bundle *bundle)
{
	int status = end->child.status;
	if (pid_of(bundle) != end->child.pid)
		return;
	bundle->end.kind = WIFSIGNALED(status) ? REPORT_KILLED : REPORT_EXITED;
	bundle->end.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void note_hardware(const struct run_end *end, struct bundle *bundle)
{
	used_gpus_note(bundle, hardware_watch_take(end->hardware, RUN_HARDWARE_MS));
}

static void keep(const struct run_end *end, const struct bundle *bundle, struct sound_journal *row)
{
	int fd = input_open_own_directory(row->path);
	row->is_kept = true;
	used_gpus_store(bundle);
	if (fd < 0)
		return;
	if (pid_of(bundle) == end->child.pid)
		bundle_write_end(fd, end->child.status);
	close(fd);
}

/* Store the finding for later readers, and pass it to build servers. */
static void keep_finding(const struct run_end *end, const struct analysis *analysis,
			 json_t *(*record_of)(const char *fingerprint), struct sound_journal *row)
{
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	json_t *record = record_of(fingerprint.id);
	keep(end, analysis->bundle, row);
	if (record)
		finding_store(row->path, record);
	json_decref(record);
	if (end->findings)
		(void)ci_findings_add(end->findings, analysis);
}

static void report_one(struct teller *teller, const struct analysis *analysis,
		       struct sound_journal *row)
{
	if (teller->n_written == MAX_REPORTS) {
		teller->n_more++;
		return;
	}
	if (teller->out && teller->n_written)
		fputc('\n', teller->out);
	teller->n_written++;
	if (teller->out)
		(void)analysis_text_print(analysis, teller->end->length,
					  teller->out); /* to memory */
	keep_finding(teller->end, analysis, finding_of_unfinished, row);
}

static void tell(struct teller *teller, struct bundle *bundle, struct sound_journal *row)
{
	note_end(teller->end, bundle);
	if (teller->is_news) {
		note_hardware(teller->end, bundle);
		json_decref(bundle->finding);
		bundle->finding = finding_of_unfinished("");
	}
	struct analysis analysis;
	if (analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis))
		return;
	teller->n_unfinished += analysis.verdict->n_unfinished;
	if (teller->is_news && analysis.verdict->n_unfinished)
		report_one(teller, &analysis, row);
	analysis_close(&analysis);
}

/* Looks at the journal only if it is the command's own (`of_command`), or only if it is not. */
static void look_at(struct teller *teller, struct sound_journal *row, bool of_command)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(row->path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return; /* bundle_open has printed the reason */
	/* A process in `told` exited normally. Its journal was left only to be printed. */
	if (of_command == (pid_of(bundle) == teller->end->child.pid) &&
	    !run_reported_process(teller->told, pid_of(bundle))) {
		run_reported_add_process(teller->told, pid_of(bundle),
					 count_submissions(&bundle->view));
		tell(teller, bundle, row);
	}
	bundle_close(bundle);
}

uint64_t run_unfinished_print(const struct run_end *end, struct left_memory *left,
			      struct run_reported *told, bool is_news, FILE *out)
{
	struct teller teller = {.end = end, .told = told, .is_news = is_news, .out = out};
	for (int of_command = 1; of_command >= 0; of_command--)
		for (size_t index = 0; index < left->n_sound; index++)
			look_at(&teller, &left->sound[index], of_command);
	if (teller.n_more && out)
		fprintf(out, "culprit: %u more process%s ended with work unfinished\n",
			teller.n_more, teller.n_more == 1 ? "" : "es");
	return teller.n_unfinished;
}

static void print_rejection(const struct analysis *analysis, enum report_length length, FILE *out)
{
	if (length == REPORT_SHORT) {
		(void)analysis_text_print(analysis, length, out); /* to memory */
		return;
	}
	char bytes[MAX_REJECTION];
	struct text text = text_in(bytes, sizeof(bytes) - 1);
	last_rejection_text(&analysis->report, &analysis->rejection, &text);
	if (text.cut)
		*text.at++ = '\n';
	fwrite(bytes, 1, (size_t)(text.at - bytes), out); /* to memory */
}

static void print_rejection_left(const struct run_end *end, struct bundle *bundle,
				 struct sound_journal *row, FILE *out)
{
	note_end(end, bundle);
	note_hardware(end, bundle);
	json_decref(bundle->finding);
	bundle->finding = finding_of_rejection("");
	struct analysis analysis;
	if (analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis))
		return;
	if (analysis.finding == FINDING_REJECTION) {
		if (out)
			print_rejection(&analysis, end->length, out);
		keep_finding(end, &analysis, finding_of_rejection, row);
	}
	analysis_close(&analysis);
}

static bool print_rejection_of(const struct run_end *end, struct sound_journal *row,
			       bool of_command, FILE *out)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(row->path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return false;
	struct last_rejection last;
	bool is_told = of_command == (pid_of(bundle) == end->child.pid) &&
		       last_rejection_find(&bundle->view, &last);
	if (is_told)
		print_rejection_left(end, bundle, row, out);
	bundle_close(bundle);
	return is_told;
}

void run_rejections_print(const struct run_end *end, struct left_memory *left, FILE *out)
{
	unsigned n_told = 0;
	for (int of_command = 1; of_command >= 0; of_command--)
		for (size_t index = 0; index < left->n_sound && n_told < MAX_REPORTS; index++)
			n_told += print_rejection_of(end, &left->sound[index], of_command, out);
}

/* Print a few: a job may have thousands. */
enum { MAX_NAMES = 8 };

static int compare_numbers(const void *left, const void *right)
{
	const int64_t *a = left;
	const int64_t *b = right;
	return (*a > *b) - (*a < *b);
}

/* -1: it has no rank, did not follow (since it reported its end), or cannot be read. */
static int64_t rank_of(const struct sound_journal *row, const struct run_reported *told)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(row->path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return -1;
	int64_t number =
		run_reported_process(told, pid_of(bundle)) ? -1 : process_rank_number(bundle->meta);
	bundle_close(bundle);
	return number;
}

static size_t collect_ranks(const struct left_memory *left, const struct run_reported *told,
			    int64_t *out)
{
	size_t n = 0;
	message_mute(true);
	for (size_t index = 0; index < left->n_sound; index++) {
		out[n] = rank_of(&left->sound[index], told);
		n += out[n] >= 0 ? 1 : 0;
	}
	message_mute(false);
	if (n > 1)
		qsort(out, n, sizeof(*out), compare_numbers);
	return n;
}

void run_followers_print(const struct left_memory *left, const struct run_reported *told, FILE *out)
{
	int64_t *ranks = left->n_sound ? calloc(left->n_sound, sizeof(*ranks)) : NULL;
	size_t n = ranks ? collect_ranks(left, told, ranks) : 0;
	for (size_t i = 0; i < n && i < MAX_NAMES; i++)
		fprintf(out, "%srank %" PRId64, i ? ", " : "culprit: ", ranks[i]);
	if (n > MAX_NAMES)
		fprintf(out, " and %zu more", n - MAX_NAMES);
	if (n)
		fprintf(out, " followed: %s\n",
			n == 1 ? "it had no failure of its own"
			       : "they had no failure of their own");
	free(ranks);
}
