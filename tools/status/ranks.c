/*
 * ranks.c - collect the collectives that each process has launched on its communicators' streams.
 */
#include "status/ranks.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/nccl_kernel.h"
#include "bundle/process.h"
#include "report/report_stack.h"
#include "status/status_json.h"
#include "status/status_text.h"
#include "view/nvtx_view.h"
#include "view/record_walk.h"

static bool is_launched(const struct journal_record *record)
{
	return record->kind == RECORD_SUBMISSION && record->work == WORK_KERNEL &&
	       record->ordinal && (record->result == 0 || record->result == RESULT_PENDING);
}

/* Return the stream's group, added if new, in order of streams; NULL if there is no room. */
static struct rank_group *group_of(struct rank_process *process, uint32_t stream)
{
	uint32_t at = 0;
	while (at < process->n_groups && process->groups[at].stream < stream)
		at++;
	if (at < process->n_groups && process->groups[at].stream == stream)
		return &process->groups[at];
	if (process->n_groups == RANKS_MAX_GROUPS)
		return NULL;
	struct rank_group *groups =
		reallocarray(process->groups, process->n_groups + 1, sizeof(*groups));
	if (!groups)
		return NULL;
	process->groups = groups;
	memmove(&process->groups[at + 1], &process->groups[at],
		(process->n_groups - at) * sizeof(process->groups[0]));
	process->n_groups++;
	memset(&process->groups[at], 0, sizeof(process->groups[at]));
	process->groups[at].stream = stream;
	return &process->groups[at];
}

static uint64_t number_of(const struct bundle_view *view, const struct journal_record *record)
{
	const struct stream_row *stream = view_stream(view, record->stream);
	return stream && record->ordinal > stream->before ? record->ordinal - stream->before : 0;
}

/* Read the collective from the thread's innermost NVTX range of NCCL, such as "ncclAllReduce". */
static void read_range(const struct bundle_view *view, uint32_t slot,
		       const struct journal_record *record, char out[RANKS_KIND])
{
	static const char prefix[] = "nccl";
	struct nvtx_ranges ranges;
	if (!view_nvtx(view, slot, record, &ranges))
		return;
	struct record_nvtx range;
	for (uint32_t index = ranges.n_open[NVTX_OF_THREAD]; index > 0; index--) {
		size_t length = sizeof(prefix) - 1;
		if (!view_nvtx_range(view, slot, &ranges, NVTX_OF_THREAD, index - 1, &range) ||
		    strncmp(range.text, prefix, length) != 0)
			continue;
		while (length < range.text_size && isalnum((unsigned char)range.text[length]))
			length++;
		(void)snprintf(out, RANKS_KIND, "%.*s", (int)(length - (sizeof(prefix) - 1)),
			       range.text + sizeof(prefix) - 1);
		return;
	}
}

/* Add a collective. A generic kernel does not name its operation; NCCL's NVTX range does, if on. */
static void add_collective(struct rank_process *process, const struct bundle_view *view,
			   uint32_t slot, const struct journal_record *record)
{
	struct rank_collective one = {.number = number_of(view, record)};
	if (!is_launched(record) || !one.number || !nccl_kernel_read(view, record, one.kind))
		return;
	if (!strncmp(one.kind, "Generic", strlen("Generic")))
		read_range(view, slot, record, one.kind);
	struct rank_group *group = group_of(process, record->stream);
	if (!group)
		return;
	group->newest = one.number > group->newest ? one.number : group->newest;
	struct rank_collective *place = &group->window[one.number % RANKS_WINDOW];
	if (one.number > place->number)
		*place = one;
}

static void read_rings(struct rank_process *process, const struct bundle_view *view)
{
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		add_collective(process, view, walk.slot, &walk.record);
}

static void read_fronts(struct rank_process *process, const struct process_status *status)
{
	const struct bundle_view *view = &status->bundle->view;
	for (uint32_t i = 0; i < status->stalls.n; i++) {
		const struct stall *stall = &status->stalls.rows[i];
		char kind[RANKS_KIND];
		if (!nccl_kernel_read(view, &stall->front, kind) || !is_launched(&stall->front))
			continue;
		struct rank_group *group = group_of(process, stall->stream);
		if (group)
			group->front = number_of(view, &stall->front);
	}
}

/* Append " for 61.2 s, from train.py:91 step". */
static void add_place(const struct process_status *status, uint64_t since_ns, uint32_t stack,
		      struct text *out)
{
	if (status->now_ns > since_ns) {
		text_add(out, " for ");
		status_add_time(status->now_ns - since_ns, out);
	}
	if (stack) {
		text_add(out, ", from ");
		report_stack(&status->analysis.report, stack, 1, out);
	}
}

static void write_thread(const struct process_status *status, struct text *out)
{
	const struct waiting_thread *wait = &status->waits[0];
	if (!status->n_waits) {
		text_addf(out, "%s not in a driver call", status->is_alive ? "is" : "was");
		return;
	}
	text_add(out, status->is_alive ? "is " : "");
	status_add_wait(status, wait, out);
	if (!wait->stack)
		return;
	text_add(out, ", from ");
	report_stack(&status->analysis.report, wait->stack, 1, out);
}

static void write_texts(struct rank_process *process, const struct process_status *status)
{
	struct text text = text_in(process->thread_text, RANKS_TEXT);
	write_thread(status, &text);
	for (uint32_t i = 0; i < status->stalls.n; i++) {
		const struct stall *stall = &status->stalls.rows[i];
		for (uint32_t g = 0; g < process->n_groups; g++) {
			struct rank_group *group = &process->groups[g];
			struct text front = text_in(group->front_text, RANKS_TEXT);
			if (group->stream == stall->stream && group->front)
				add_place(status, stall->front.time_ns, stall->front.stack, &front);
		}
	}
}

static void write_name(const struct process_status *status, char out[RANKS_WORD])
{
	struct rank rank = process_rank(status->bundle->meta);
	struct text text = text_in(out, RANKS_WORD);
	if (rank.rank && *rank.rank) {
		text_add(&text, "rank ");
		text_add_foreign(&text, rank.rank, strlen(rank.rank));
	} else {
		text_addf(&text, "process %ld", status->pid);
	}
}

static char *text_of(const struct process_status *status)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	(void)status_print_text(status, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

int ranks_add(struct ranks *ranks, const struct process_status *status, bool is_for_programs)
{
	struct rank_process *rows = realloc(ranks->rows, (ranks->n + 1) * sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	ranks->rows = rows;
	struct rank_process *process = &rows[ranks->n];
	memset(process, 0, sizeof(*process));
	ranks->n++;
	if (is_for_programs)
		process->object = status_to_json(status);
	else
		process->text = text_of(status);
	if (!process->object && !process->text)
		return -ENOMEM;
	process->pid = status->pid;
	process->rank = process_rank_number(status->bundle->meta);
	process->has_failed = view_failure(&status->bundle->view);
	write_name(status, process->name);
	read_rings(process, &status->bundle->view);
	read_fronts(process, status);
	write_texts(process, status);
	return 0;
}

static void drop(struct rank_process *process)
{
	free(process->text);
	free(process->groups);
	json_decref(process->object);
}

void ranks_free(struct ranks *ranks)
{
	for (size_t i = 0; i < ranks->n; i++)
		drop(&ranks->rows[i]);
	free(ranks->rows);
	*ranks = (struct ranks){NULL, 0};
}

bool ranks_have_groups(const struct ranks *ranks)
{
	for (size_t i = 0; i < ranks->n; i++)
		if (ranks->rows[i].n_groups)
			return true;
	return false;
}

/* Processes without a rank (-1) compare as the largest. */
static int compare_ranks(const void *left, const void *right)
{
	const struct rank_process *a = left;
	const struct rank_process *b = right;
	uint64_t a_rank = (uint64_t)a->rank;
	uint64_t b_rank = (uint64_t)b->rank;
	if (a_rank != b_rank)
		return a_rank < b_rank ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

void ranks_sort(struct ranks *ranks)
{
	if (ranks->n > 1)
		qsort(ranks->rows, ranks->n, sizeof(ranks->rows[0]), compare_ranks);
}

static struct rank_process *find_process(struct ranks *ranks, const struct process_status *status)
{
	char name[RANKS_WORD];
	write_name(status, name);
	for (size_t i = 0; i < ranks->n; i++)
		if (ranks->rows[i].pid == status->pid && !strcmp(ranks->rows[i].name, name))
			return &ranks->rows[i];
	return NULL;
}

bool ranks_confirm(struct ranks *ranks, const struct process_status *status)
{
	struct rank_process *now = calloc(1, sizeof(*now));
	struct rank_process *before = find_process(ranks, status);
	if (now && before) {
		read_rings(now, &status->bundle->view);
		read_fronts(now, status);
		for (uint32_t g = 0; g < before->n_groups; g++) {
			const struct rank_group *group = group_of(now, before->groups[g].stream);
			/* The group makes progress, so it is not compared. */
			if (!group || group->newest != before->groups[g].newest ||
			    group->front != before->groups[g].front)
				before->groups[g].stream = 0;
		}
	}
	if (now)
		free(now->groups);
	free(now);
	return before;
}
