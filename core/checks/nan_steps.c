/*
 * nan_steps.c - merge two tables by the numbers of submissions. Findings whose graph launch has no
 * record any more come first, as if they were older than all launches.
 */
#include "checks/nan_steps.h"

#include "checks/check_rows.h"
#include "checks/graph_finding.h"
#include "view/record_walk.h"

static struct nan_values odd_values(const struct check_result *result, bool counts_infinities)
{
	uint64_t first = result->first_nan;
	if (counts_infinities && result->first_infinite < first)
		first = result->first_infinite;
	return (struct nan_values){.result = result,
				   .n = result->n_nan +
					(counts_infinities ? result->n_infinite : 0),
				   .first = first};
}

struct nan_values nan_values_at(const struct bundle_view *view, struct nan_location location,
				bool is_after)
{
	const struct graph_check_row *node =
		location.is_node ? view_graph_check(view, location.row) : NULL;
	const struct check_row *launch = node ? NULL : view_check(view, location.row);
	if (node)
		return odd_values(is_after ? &node->after : &node->before,
				  node->flags & GRAPH_CHECK_INFINITIES);
	return odd_values(is_after ? &launch->after : &launch->before,
			  launch->flags & CHECK_ROW_INFINITIES);
}

static bool is_launch_of(const struct journal_record *record, const struct graph_check_row *row)
{
	bool is_refused = record->result > 0;
	return record->kind == RECORD_SUBMISSION && record->work == WORK_GRAPH && !is_refused &&
	       record->graph.number == row->graph && record->graph.replay == row->replay;
}

/* Find the submissions of all replays in one walk. */
static void find_sequences(struct nan_steps *steps)
{
	struct record_walk walk = {.view = steps->view};
	while (steps->n_replays && record_walk_next(&walk))
		for (uint32_t i = 0; walk.record.work == WORK_GRAPH && i < steps->n_replays; i++) {
			struct nan_replay *replay = &steps->replays[i];
			if (is_launch_of(&walk.record,
					 view_graph_check(steps->view, replay->first)))
				replay->sequence = walk.record.sequence;
		}
}

/* Findings that were written one after another keep that order. */
static void sort_replays(struct nan_steps *steps)
{
	for (uint32_t i = 1; i < steps->n_replays; i++) {
		struct nan_replay moved = steps->replays[i];
		uint32_t at = i;
		for (; at && steps->replays[at - 1].sequence > moved.sequence; at--)
			steps->replays[at] = steps->replays[at - 1];
		steps->replays[at] = moved;
	}
}

void nan_steps_begin(const struct bundle_view *view, struct nan_steps *out)
{
	uint64_t n_rows = view->tables[JOURNAL_GRAPH_CHECKS].n_rows;
	*out = (struct nan_steps){.view = view, .launch = 1};
	for (uint64_t at = 1;
	     at <= n_rows && at <= UINT32_MAX && out->n_replays < NAN_MAX_REPLAYS;) {
		uint32_t id = (uint32_t)at;
		uint32_t kind = view_graph_check(view, id)->kind;
		uint32_t n = graph_finding_count(view, id);
		bool is_odd = kind == GRAPH_CHECK_ODD && out->n_replays < NAN_MAX_ODD_REPLAYS;
		if (is_odd || kind == GRAPH_CHECK_UNFINISHED)
			out->replays[out->n_replays++] = (struct nan_replay){.first = id, .n = n};
		at += n;
	}
	find_sequences(out);
	sort_replays(out);
}

static struct nan_argument launch_argument(const struct bundle_view *view, uint32_t id)
{
	const struct check_row *row = view_check(view, id);
	const struct nan_location location = {.sequence = row->sequence, .row = id};
	return (struct nan_argument){
		.location = location,
		.address = row->address,
		.bytes = row->bytes,
		.was_odd = nan_values_at(view, location, false).n > 0,
		.is_odd = nan_values_at(view, location, true).n > 0,
		.is_written = check_rows_is_written(row),
		.is_whole = !(row->flags & CHECK_ROW_CUT),
	};
}

/* A node's row has its odd values only, and those that it has kept since an earlier replay. */
static struct nan_argument node_argument(const struct bundle_view *view, uint32_t id,
					 uint64_t sequence)
{
	const struct graph_check_row *row = view_graph_check(view, id);
	bool is_gain = graph_finding_is_gain(row);
	return (struct nan_argument){
		.location = {.sequence = sequence, .row = id, .is_node = true},
		.address = row->address,
		.bytes = row->bytes,
		.was_odd = row->before.run != 0,
		.is_odd = is_gain,
		.is_written = is_gain,
	};
}

static void step_of_launch(struct nan_steps *steps, struct nan_step *out)
{
	const struct check_row *row = view_check(steps->view, steps->launch);
	uint32_t n = check_rows_count(steps->view, steps->launch);
	*out = (struct nan_step){.is_unfinished = !(row->flags & CHECK_ROW_HAS_AFTER), .n = n};
	for (uint32_t i = 0; i < n; i++)
		out->arguments[i] = launch_argument(steps->view, steps->launch + i);
	steps->launch += n;
}

static void step_of_node(struct nan_steps *steps, struct nan_step *out)
{
	const struct nan_replay *replay = &steps->replays[steps->next_replay];
	const struct graph_check_row *row = view_graph_check(steps->view, steps->node);
	uint32_t n_left = replay->first + replay->n - steps->node;
	uint32_t n = graph_finding_node(steps->view, steps->node, n_left);
	*out = (struct nan_step){.is_unfinished = row->kind == GRAPH_CHECK_UNFINISHED,
				 .may_have_company = !(row->flags & GRAPH_CHECK_IS_LINEAR),
				 .is_sampled = graph_finding_is_sampled(row),
				 .n = n < CHECK_MAX_RANGES ? n : CHECK_MAX_RANGES};
	for (uint32_t i = 0; i < out->n; i++)
		out->arguments[i] = node_argument(steps->view, steps->node + i, replay->sequence);
	steps->node += n;
	if (n == n_left) {
		steps->node = 0;
		steps->next_replay++;
	}
}

bool nan_steps_next(struct nan_steps *steps, struct nan_step *out)
{
	const struct check_row *launch =
		steps->launch <= CHECK_ROWS_MAX ? view_check(steps->view, steps->launch) : NULL;
	bool has_replay = steps->next_replay < steps->n_replays;
	const struct nan_replay *replay = has_replay ? &steps->replays[steps->next_replay] : NULL;
	if (replay && !steps->node && (!launch || replay->sequence <= launch->sequence))
		steps->node = replay->first;
	if (!steps->node && !launch)
		return false;
	if (steps->node)
		step_of_node(steps, out);
	else
		step_of_launch(steps, out);
	return true;
}
