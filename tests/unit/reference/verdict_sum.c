/*
 * verdict_sum.c - see verdict_sum.h. Members are added one by one: what is between them is not.
 */
#include "reference/verdict_sum.h"

#include <inttypes.h>
#include <stdio.h>

static void add(uint64_t *sum, uint64_t value)
{
	*sum = (*sum ^ value) * 0x9e3779b97f4a7c15u;
	*sum ^= *sum >> 29;
}

static void add_submission(uint64_t *sum, const struct submission *submission)
{
	const struct journal_record *record = &submission->record;
	const uint64_t values[] = {submission->slot, record->sequence, record->ordinal,
				   record->stream,   record->stack,    record->work};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		add(sum, values[i]);
}

static void add_suspects(uint64_t *sum, const struct verdict *verdict)
{
	for (uint32_t i = 0; i < VERDICT_MAX_SUSPECTS && i < verdict->n_suspects; i++)
		add_submission(sum, &verdict->suspects[i]);
	for (uint32_t i = 0; i < verdict->n_groups; i++) {
		const struct suspect_group *group = &verdict->groups[i];
		add_submission(sum, &group->first);
		add(sum, group->n);
		add(sum, group->earliest);
		add(sum, group->latest);
		add(sum, group->streams.n);
	}
}

static void add_evidence(uint64_t *sum, const struct evidence *evidence)
{
	const uint64_t values[] = {evidence->kind,     evidence->stream, evidence->ordinal,
				   evidence->sequence, evidence->count,  evidence->call};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		add(sum, values[i]);
}

static void add_stream(uint64_t *sum, const struct stream_state *state)
{
	const uint64_t values[] = {state->stream,       state->done,          state->submitted,
				   state->started.n,    state->started.first, state->started.last,
				   state->waiting.n,    state->waiting.first, state->waiting.last,
				   state->n_suspects,   state->n_lost,        state->startable,
				   state->has_counters, state->is_blocked,    state->done_sequence};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		add(sum, values[i]);
}

static void add_graph(uint64_t *sum, const struct graph_claim *graph)
{
	const uint64_t values[] = {graph->certainty,   graph->flags,     graph->has_checks,
				   graph->n_nodes,     graph->n_kernels, graph->n_finished,
				   graph->n_candidates};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		add(sum, values[i]);
	for (uint32_t i = 0; i < GRAPH_MAX_CANDIDATES && i < graph->n_candidates; i++) {
		add(sum, graph->candidates[i].index);
		add(sum, graph->candidates[i].version);
		add(sum, graph->candidates[i].work);
	}
}

/* Where in the dump and in the code the first suspect faulted, and what is unusual about it. */
static void add_place(uint64_t *sum, const struct verdict *verdict)
{
	const struct gpu_fault *dump = verdict->coredump;
	const struct gpu_location *place = verdict->location;
	uint64_t index = 0;
	for (uint32_t i = 0; dump && i < dump->n_grids; i++)
		index = place == &dump->grids[i].location ? 1 + i : index;
	for (uint32_t i = 0; dump && i < dump->n_locations; i++)
		index = place == &dump->locations[i] ? 100 + i : index;
	add(sum, dump != NULL);
	add(sum, index);
	add(sum, verdict->fault_code.pc);
	add(sum, verdict->fault_code.start);
	add(sum, verdict->fault_code.function);
	add(sum, verdict->anomaly.kind);
	add(sum, verdict->anomaly.index);
	add(sum, verdict->anomaly.value);
}

uint64_t verdict_sum(const struct verdict *verdict)
{
	uint64_t sum = 1;
	const uint64_t values[] = {verdict->class,         verdict->unknown_reason,
				   verdict->is_complete,   verdict->has_unseen,
				   verdict->n_suspects,    verdict->lead,
				   verdict->n_ungrouped,   verdict->n_streams_unlisted,
				   verdict->n_unfinished,  (uint32_t)verdict->failure.code,
				   verdict->failure.flags, verdict->hang != NULL};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		add(&sum, values[i]);
	add_suspects(&sum, verdict);
	for (uint32_t i = 0; i < verdict->n_evidence; i++)
		add_evidence(&sum, &verdict->evidence[i]);
	for (uint32_t i = 0; i < verdict->n_streams; i++)
		add_stream(&sum, &verdict->streams[i]);
	add_graph(&sum, &verdict->graph);
	add_place(&sum, verdict);
	return sum;
}

void verdict_sum_print(uint64_t number, const struct verdict *verdict)
{
	printf("%" PRIu64 ": class %d reason %d lead %d suspects", number, (int)verdict->class,
	       (int)verdict->unknown_reason, (int)verdict->lead);
	for (uint32_t i = 0; i < VERDICT_MAX_SUSPECTS && i < verdict->n_suspects; i++)
		printf(" #%" PRIu64, verdict->suspects[i].record.sequence);
	printf(" evidence");
	for (uint32_t i = 0; i < verdict->n_evidence; i++)
		printf(" %d:%" PRIu64, (int)verdict->evidence[i].kind, verdict->evidence[i].count);
	printf(" graph %d:%" PRIu64 " sum %016" PRIx64 "\n", (int)verdict->graph.certainty,
	       verdict->graph.n_candidates, verdict_sum(verdict));
}
