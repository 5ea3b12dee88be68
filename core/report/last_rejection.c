/*
 * last_rejection.c - choose the rejection that counts, by what was submitted after it, and write
 * it.
 */
#include "report/last_rejection.h"

#include <inttypes.h>
#include <string.h>

#include "report/report_labels.h"
#include "report/report_stack.h"
#include "view/record_walk.h"

enum { MAX_FRAMES = 3, PLACE_MAX = 1024 };

/* Work that the driver accepted after one rejection. */
struct followers {
	uint64_t n;
	uint64_t n_launches;
};

static const char *string_of(const struct bundle_view *view, uint32_t id)
{
	return view_string(view, id, NULL);
}

/* A refused submission is in the rings twice: as a submission, and as a rejection. */
static void count_record(const struct journal_record *record, struct followers *out)
{
	int64_t step = record->kind == RECORD_SUBMISSION  ? 1
		       : record->kind == RECORD_REJECTION ? -1
							  : 0;
	out->n += (uint64_t)step;
	if (record->work == WORK_KERNEL)
		out->n_launches += (uint64_t)step;
}

/* The row has the low half of the process's count of submissions, plus one. */
static bool is_later(uint64_t sequence, uint32_t mark)
{
	return (int32_t)((uint32_t)sequence + 1 - mark) > 0;
}

static struct followers count_followers(const struct bundle_view *view, uint32_t mark)
{
	struct followers followers = {0};
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		if (is_later(walk.record.sequence, mark))
			count_record(&walk.record, &followers);
	return followers;
}

static bool has_recovered(const struct bundle_view *view, const struct rejection_row *row,
			  const struct followers *followers)
{
	if (view_rejection_is_memory(view, row))
		return !row->rule || followers->n > 0;
	return strcmp(string_of(view, row->what), REJECTED_IMAGE) == 0 && followers->n_launches > 0;
}

bool last_rejection_find(const struct bundle_view *view, struct last_rejection *out)
{
	uint64_t n = view->tables[JOURNAL_REJECTIONS].n_rows;
	bool is_found = false;
	for (uint32_t id = 1; id <= n && id <= REJECTION_ROWS_MAX; id++) {
		const struct rejection_row *row = view_rejection(view, id);
		/* Pairs with the release store in rejected_rows_mark(). */
		uint32_t mark = __atomic_load_n(&row->mark, __ATOMIC_ACQUIRE);
		if (!mark || (is_found && (int32_t)(mark - out->row->mark) < 0))
			continue;
		const struct followers followers = count_followers(view, mark);
		if (has_recovered(view, row, &followers))
			continue;
		*out = (struct last_rejection){.row = row, .n_followed = followers.n};
		is_found = true;
	}
	return is_found;
}

/* The reason is more important than a long place: its room is kept. */
static void add_place(const struct report *report, uint32_t stack, size_t max, struct text *out)
{
	struct text place = *out;
	if (place.end - place.at > PLACE_MAX)
		place.end = place.at + PLACE_MAX;
	report_stack(report, stack, max, &place);
	out->at = place.at;
}

static void add_line(const struct report *report, const struct rejection_row *row, struct text *out)
{
	text_add(out, "culprit: ");
	report_add_string(report, row->what, out);
	text_addf(out, " refused (%" PRId32 "): ", row->result);
	report_add_string(report, row->subject, out);
	text_add(out, " from ");
	add_place(report, row->stack, MAX_FRAMES - 1, out);
	text_add(out, ": ");
	report_add_string(report, row->why, out);
	text_add(out, " [");
	report_add_string(report, row->rule, out);
	text_add(out, "]");
}

/* Each line of the reason is indented, whatever it begins with: the bundle is foreign input. */
static void add_lines(const struct report *report, uint32_t id, struct text *out)
{
	size_t left = 0;
	const char *at = view_string(report->view, id, &left);
	while (left > 0) {
		const char *newline = memchr(at, '\n', left);
		size_t length = newline ? (size_t)(newline - at) : left;
		text_add(out, "  ");
		report_add_resolved(report, at, length, out);
		text_add(out, "\n");
		length += newline ? 1 : 0;
		at += length;
		left -= length;
	}
}

static void add_memory(const struct report *report, const struct rejection_row *row,
		       struct text *out)
{
	text_add(out, "culprit: out of memory: ");
	report_add_string(report, row->subject, out);
	text_add(out, " from ");
	add_place(report, row->stack, MAX_FRAMES, out);
	text_addf(out, ", and no work followed [pid %ld]\n", report->process->pid);
	add_lines(report, row->why, out);
}

const char *last_rejection_rule(const struct bundle_view *view, const struct last_rejection *last)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz._";
	const char *rule = string_of(view, last->row->rule);
	return rule[strspn(rule, plain)] ? "" : rule;
}

static void add_help(const struct report *report, const struct last_rejection *last,
		     struct text *out)
{
	text_addf(out, "  help            culprit explain %s\n",
		  last_rejection_rule(report->view, last));
}

static void add_end(const struct report_end *end, struct text *out)
{
	if (end->kind == REPORT_EXITED)
		text_addf(out, "it exited with status %d", end->number);
	else if (end->kind == REPORT_KILLED)
		text_addf(out, "it was killed by signal %d", end->number);
	else
		text_add(out, "it ended");
}

void last_rejection_text(const struct report *report, const struct last_rejection *last,
			 struct text *out)
{
	if (view_rejection_is_memory(report->view, last->row)) {
		add_memory(report, last->row, out);
		add_help(report, last, out);
		return;
	}
	add_line(report, last->row, out);
	text_addf(out, "\n  after that      process %ld submitted ", report->process->pid);
	if (last->n_followed)
		text_add_count(out, last->n_followed, "piece");
	else
		text_add(out, "no more");
	text_add(out, last->n_followed ? " of work; " : " work; ");
	add_end(&report->process->end, out);
	text_add(out, "\n");
	add_help(report, last, out);
}
