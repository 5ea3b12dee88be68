/*
 * test_run_unfinished.c - journals without a failure at the end of a run: which are reported, kept
 * and counted. The parts of the command that are called are traced.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/analysis_text.h"
#include "analysis/fingerprint.h"
#include "analysis/used_gpus.h"
#include "bundle/bundle_parts.h"
#include "bundle/process.h"
#include "command/message.h"
#include "files/input.h"
#include "report/last_rejection.h"
#include "run/left_memory.h"
#include "run/run_parts.h"
#include "support/check.h"
#include "view/record_walk.h"

enum { MOST = 12, COMMAND = 10, LONG_TEXT = 1 << 15 };

/* A journal, by the number that is its path. */
struct row {
	enum exit_status status;
	long pid;
	bool has_ended; /* its process has reported that */
	int open_error; /* of the analysis */
	uint64_t n_unfinished;
	bool is_rejected; /* its last call was refused */
	enum finding_kind finding;
	bool is_foreign; /* its directory is another user's */
	bool is_long;    /* the text about its refused call */
	int64_t rank;
};

static struct row rows[MOST];
static size_t n_rows;
static struct sound_journal sound[MOST];
static char paths[MOST][4];
static struct run_end end;
static struct ci_findings findings;
static struct hardware hardware;
static struct row *opened;
static struct bundle bundle;
static struct verdict verdict;
static char texts[4096];

enum exit_status bundle_open(const char *path, struct bundle **out_bundle)
{
	CHECK(!opened);
	trace_add("open %s\n", path);
	opened = &rows[strtol(path, NULL, 10)];
	enum exit_status status = opened->status;
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED) {
		opened = NULL;
		return status;
	}
	bundle = (struct bundle){.meta = json_pack("{s:I}", "pid", (json_int_t)opened->pid)};
	*out_bundle = &bundle;
	return status;
}

void bundle_close(struct bundle *closed)
{
	CHECK(closed == &bundle && opened);
	if (bundle.end.kind || bundle.end.number)
		trace_add("end %d %d\n", (int)bundle.end.kind, bundle.end.number);
	trace_add("close%s\n", bundle.finding ? json_string_value(bundle.finding) : "");
	json_decref(bundle.meta);
	json_decref(bundle.finding);
	opened = NULL;
}

const struct run_process *run_reported_process(const struct run_reported *told, long pid)
{
	CHECK(told && pid == opened->pid);
	static const struct run_process ended = {1, 1};
	return opened->has_ended ? &ended : NULL;
}

void run_reported_add_process(struct run_reported *told, long pid, uint64_t n_submissions)
{
	CHECK(told != NULL);
	trace_add("add %ld: %" PRIu64 "\n", pid, n_submissions);
}

bool record_walk_next(struct record_walk *walk)
{
	static const uint64_t sequences[] = {4, 9, 9, 2};
	CHECK(walk->view == &bundle.view);
	if (walk->next == 4)
		return false;
	walk->record.sequence = sequences[walk->next++];
	return true;
}

int analysis_open(struct bundle *of, unsigned wait_seconds, const struct analysis_filter *wanted,
		  struct analysis *out)
{
	CHECK(of == &bundle && wait_seconds == SYMBOLS_WAIT_SECONDS && !wanted);
	if (opened->open_error)
		return opened->open_error;
	memset(out, 0, sizeof(*out));
	verdict.n_unfinished = opened->n_unfinished;
	out->bundle = of;
	out->verdict = &verdict;
	out->finding = opened->finding;
	return 0;
}

void analysis_close(struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	trace_add("analysed\n");
}

int analysis_text_print(const struct analysis *analysis, enum report_length length, FILE *out)
{
	CHECK(analysis->bundle == &bundle);
	(void)fprintf(out, "report %d\n", (int)length);
	return 0;
}

void fingerprint_of(const struct analysis *analysis, struct fingerprint *out)
{
	CHECK(analysis->bundle == &bundle);
	(void)snprintf(out->id, sizeof(out->id), "id");
}

json_t *finding_of_unfinished(const char *fingerprint)
{
	return json_sprintf(" unfinished '%s'", fingerprint);
}

json_t *finding_of_rejection(const char *fingerprint)
{
	return json_sprintf(" refused '%s'", fingerprint);
}

void finding_store(const char *path, const json_t *record)
{
	trace_add("store in %s:%s\n", path, json_string_value(record));
}

int ci_findings_add(struct ci_findings *to, const struct analysis *analysis)
{
	CHECK(to == &findings && analysis->bundle == &bundle);
	trace_add("add finding\n");
	return 0;
}

const struct hardware *hardware_watch_take(struct hardware_watch *watch, int timeout_ms)
{
	CHECK(!watch);
	CHECK_EQUAL(timeout_ms, RUN_HARDWARE_MS);
	return &hardware;
}

void used_gpus_note(struct bundle *of, const struct hardware *all)
{
	CHECK(of == &bundle && all == &hardware);
	trace_add("note hardware\n");
}

void used_gpus_store(const struct bundle *of)
{
	CHECK(of == &bundle);
	trace_add("store hardware\n");
}

int input_open_own_directory(const char *path)
{
	CHECK(path == sound[opened - rows].path);
	return opened->is_foreign ? -EPERM : dup(STDIN_FILENO);
}

void bundle_write_end(int directory_fd, int status)
{
	CHECK(directory_fd > STDERR_FILENO);
	trace_add("write end %#x\n", (unsigned)status);
}

bool last_rejection_find(const struct bundle_view *view, struct last_rejection *out)
{
	CHECK(view == &bundle.view && out);
	return opened->is_rejected;
}

void last_rejection_text(const struct report *report, const struct last_rejection *last,
			 struct text *out)
{
	static char longest[LONG_TEXT];
	CHECK(report && last);
	memset(longest, 'x', sizeof(longest) - 1);
	text_add(out, opened->is_long ? longest : "refused\n");
}

void message_mute(bool is_muted)
{
	trace_add("mute %d\n", is_muted);
}

int64_t process_rank_number(const json_t *meta)
{
	CHECK(meta == bundle.meta);
	return opened->rank;
}

static void begin(void)
{
	memset(rows, 0, sizeof(rows));
	n_rows = 0;
	end = (struct run_end){.child = {.pid = COMMAND, .status = SIGKILL}};
}

static void add(struct row row)
{
	(void)snprintf(paths[n_rows], sizeof(paths[0]), "%zu", n_rows);
	sound[n_rows] = (struct sound_journal){.path = paths[n_rows]};
	rows[n_rows++] = row;
}

/* How to look at the journals. */
enum look { UNFINISHED, UNFINISHED_NEWS, REJECTIONS, FOLLOWERS };

static void look(enum look how, bool has_output)
{
	struct left_memory left = {.sound = sound, .n_sound = n_rows};
	struct run_reported told = {.n_verdicts = 0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = has_output ? open_memstream(&text, &size) : NULL;
	if (how == REJECTIONS)
		run_rejections_print(&end, &left, out);
	else if (how == FOLLOWERS)
		run_followers_print(&left, &told, out);
	else
		trace_add("%" PRIu64 " unfinished\n",
			  run_unfinished_print(&end, &left, &told, how == UNFINISHED_NEWS, out));
	CHECK(!out || !fclose(out));
	trace_add("%s", text ? text : "");
	for (size_t i = 0; i < n_rows; i++)
		trace_add("%s", sound[i].is_kept ? "K" : "-");
	trace_add(".\n");
	free(text);
}

static void test_unfinished(void)
{
	begin();
	add((struct row){.pid = 11, .n_unfinished = 3, .status = EXIT_STATUS_DAMAGED});
	add((struct row){.pid = COMMAND, .n_unfinished = 2});
	add((struct row){.pid = 12});
	add((struct row){.pid = 13, .has_ended = true, .n_unfinished = 7});
	add((struct row){.pid = 14, .open_error = -ENOMEM, .n_unfinished = 7});
	add((struct row){.status = EXIT_STATUS_BAD_BUNDLE, .n_unfinished = 7});
	add((struct row){.status = EXIT_STATUS_SYSTEM, .n_unfinished = 7});
	look(UNFINISHED, true);
	CHECK_TRACE("open 0\nclose\nopen 1\nadd 10: 9\nanalysed\nend 3 9\nclose\nopen 2\nclose\n"
		    "open 3\nclose\nopen 4\nclose\nopen 5\nopen 6\nopen 0\nadd 11: 9\nanalysed\n"
		    "close\nopen 1\nclose\nopen 2\nadd 12: 9\nanalysed\nclose\nopen 3\nclose\n"
		    "open 4\nadd 14: 9\nclose\nopen 5\nopen 6\n5 unfinished\n-------.\n");
	look(UNFINISHED_NEWS, true);
	CHECK_TRACE("open 0\nclose\nopen 1\nadd 10: 9\nnote hardware\nstore hardware\n"
		    "write end 0x9\nstore in 1: unfinished 'id'\nanalysed\nend 3 9\n"
		    "close unfinished ''\nopen 2\nclose\nopen 3\nclose\nopen 4\nclose\nopen 5\n"
		    "open 6\nopen 0\nadd 11: 9\nnote hardware\nstore hardware\n"
		    "store in 0: unfinished 'id'\nanalysed\nclose unfinished ''\nopen 1\nclose\n"
		    "open 2\nadd 12: 9\nnote hardware\nanalysed\nclose unfinished ''\nopen 3\n"
		    "close\nopen 4\nadd 14: 9\nnote hardware\nclose unfinished ''\nopen 5\nopen 6\n"
		    "5 unfinished\nreport 0\n\nreport 0\nKK-----.\n");
}

/* Only a few are reported, to nowhere as well. */
static void test_many(void)
{
	begin();
	end.length = REPORT_FULL;
	end.child.status = 3 << 8;
	for (size_t i = 0; i < 5; i++)
		add((struct row){.pid = COMMAND, .n_unfinished = 1, .is_foreign = i == 1});
	look(UNFINISHED_NEWS, true);
	CHECK_TRACE("open 0\nadd 10: 9\nnote hardware\nstore hardware\nwrite end 0x300\n"
		    "store in 0: unfinished 'id'\nanalysed\nend 2 3\nclose unfinished ''\nopen 1\n"
		    "add 10: 9\nnote hardware\nstore hardware\nstore in 1: unfinished 'id'\n"
		    "analysed\nend 2 3\nclose unfinished ''\nopen 2\nadd 10: 9\nnote hardware\n"
		    "store hardware\nwrite end 0x300\nstore in 2: unfinished 'id'\nanalysed\n"
		    "end 2 3\nclose unfinished ''\nopen 3\nadd 10: 9\nnote hardware\n"
		    "store hardware\nwrite end 0x300\nstore in 3: unfinished 'id'\nanalysed\n"
		    "end 2 3\nclose unfinished ''\nopen 4\nadd 10: 9\nnote hardware\nanalysed\n"
		    "end 2 3\nclose unfinished ''\nopen 0\nclose\nopen 1\nclose\nopen 2\nclose\n"
		    "open 3\nclose\nopen 4\nclose\n5 unfinished\nreport 1\n\nreport 1\n\nreport 1\n"
		    "\nreport 1\nculprit: 1 more process ended with work unfinished\nKKKK-.\n");
	add((struct row){.pid = COMMAND, .n_unfinished = 1});
	look(UNFINISHED_NEWS, true);
	CHECK(strstr(trace_take(), "culprit: 2 more processes ended with work unfinished\n"));
	look(UNFINISHED_NEWS, false);
	CHECK(strstr(trace_take(), "6 unfinished\nKKKK--.\n"));
}

static void test_rejections(void)
{
	begin();
	end.length = REPORT_FULL;
	end.findings = &findings;
	add((struct row){.pid = 11, .is_rejected = true, .finding = FINDING_REJECTION});
	add((struct row){.pid = COMMAND, .is_rejected = true, .finding = FINDING_REJECTION});
	add((struct row){.pid = 12, .is_rejected = true, .finding = FINDING_HANG});
	add((struct row){.pid = 13, .finding = FINDING_REJECTION});
	add((struct row){.status = EXIT_STATUS_BAD_BUNDLE});
	add((struct row){.status = EXIT_STATUS_SYSTEM});
	add((struct row){.pid = 14, .is_rejected = true, .open_error = -ENOMEM});
	rows[6].status = EXIT_STATUS_DAMAGED;
	add((struct row){.pid = 15, .is_rejected = true, .finding = FINDING_REJECTION});
	look(REJECTIONS, true);
	CHECK_TRACE("open 0\nclose\nopen 1\nnote hardware\nstore hardware\nwrite end 0x9\n"
		    "store in 1: refused 'id'\nadd finding\nanalysed\nend 3 9\nclose refused ''\n"
		    "open 2\nclose\nopen 3\nclose\nopen 4\nopen 5\nopen 6\nclose\nopen 7\nclose\n"
		    "open 0\nnote hardware\nstore hardware\nstore in 0: refused 'id'\nadd finding\n"
		    "analysed\nclose refused ''\nopen 1\nclose\nopen 2\nnote hardware\nanalysed\n"
		    "close refused ''\nopen 3\nclose\nopen 4\nopen 5\nopen 6\nnote hardware\n"
		    "close refused ''\nrefused\nrefused\nKK------.\n");
	look(REJECTIONS, false);
	CHECK(strstr(trace_take(), "close refused ''\nKK------.\n"));
	end.length = REPORT_SHORT;
	n_rows = 1;
	look(REJECTIONS, true);
	CHECK_TRACE("open 0\nclose\nopen 0\nnote hardware\nstore hardware\n"
		    "store in 0: refused 'id'\nadd finding\nanalysed\nclose refused ''\nreport 0\n"
		    "K.\n");
	begin();
	end.length = REPORT_FULL;
	add((struct row){
		.pid = 11, .is_rejected = true, .is_long = true, .finding = FINDING_REJECTION});
	look(REJECTIONS, true);
	const char *text = strstr(trace_take(), "xxx");
	CHECK(text && strspn(text, "x") == (1 << 14) - 2);
	CHECK_STRING(strchr(text, '\n'), "\nK.\n");
}

static void test_followers(void)
{
	static const int64_t ranks[MOST] = {7, 3, 5, -1, 0, 12, 11, 9, 8, 6, 4, 3};
	for (size_t n = 0; n <= MOST; n += n == 2 ? 3 : 1) {
		begin();
		for (size_t i = 0; i < n; i++)
			add((struct row){.pid = 11 + (long)i,
					 .rank = ranks[i],
					 .has_ended = i == 2 && n < 9,
					 .status = i == 4 && n < 10 ? EXIT_STATUS_SYSTEM
						   : i == 5         ? EXIT_STATUS_DAMAGED
								    : EXIT_STATUS_OK});
		look(FOLLOWERS, true);
		char kept[4096];
		(void)snprintf(kept, sizeof(kept), "%s", trace_take());
		const char *line = strstr(kept, "culprit:");
		CHECK(!n || (strstr(kept, "mute 1\nopen 0\n") && strstr(kept, "mute 0\n")));
		(void)snprintf(texts + strlen(texts), sizeof(texts) - strlen(texts), "%s",
			       line ? line : "none\n");
	}
	CHECK_STRING(texts,
		     "none\nculprit: rank 7 followed: it had no failure of its own\n-.\n"
		     "culprit: rank 3, rank 7 followed: they had no failure of their own\n--.\n"
		     "culprit: rank 3, rank 7 followed: they had no failure of their own\n-----.\n"
		     "culprit: rank 3, rank 7, rank 12 followed: they had no failure of their own\n"
		     "------.\n"
		     "culprit: rank 3, rank 7, rank 11, rank 12 followed: they had no failure of "
		     "their own\n"
		     "-------.\n"
		     "culprit: rank 3, rank 7, rank 9, rank 11, rank 12 followed: they had no "
		     "failure of their own\n"
		     "--------.\n"
		     "culprit: rank 3, rank 5, rank 7, rank 8, rank 9, rank 11, rank 12 followed: "
		     "they had no failure of their own\n"
		     "---------.\n"
		     "culprit: rank 0, rank 3, rank 5, rank 6, rank 7, rank 8, rank 9, rank 11 and "
		     "1 more followed: they had no failure of their own\n"
		     "----------.\n"
		     "culprit: rank 0, rank 3, rank 4, rank 5, rank 6, rank 7, rank 8, rank 9 and "
		     "2 more followed: they had no failure of their own\n"
		     "-----------.\n"
		     "culprit: rank 0, rank 3, rank 3, rank 4, rank 5, rank 6, rank 7, rank 8 and "
		     "3 more followed: they had no failure of their own\n"
		     "------------.\n");
}

int main(void)
{
	int first = dup(STDIN_FILENO);
	CHECK(first > STDERR_FILENO && !close(first));
	test_unfinished();
	test_many();
	test_rejections();
	test_followers();
	CHECK_EQUAL(dup(STDIN_FILENO), first);
	return 0;
}
