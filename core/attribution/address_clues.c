/*
 * address_clues.c - compare the fault's address with sums of arguments, of launches and of nodes.
 */
#include "attribution/clue_parts.h"

#include "attribution/graph_claim.h"
#include "fault/address_sum.h"

enum { MAX_ARGUMENT_BYTES = 1024 };

/* Return the fault whose address is known, if there are no faults of the other kind; else NULL. */
static const struct fault_row *row_of(const struct fault_story *story)
{
	switch (story->kind) {
	case FAULT_STORY_MEMORY:
		return story->memory;
	case FAULT_STORY_EXCEPTION:
		/* The addresses of other exceptions may be offsets. */
		return story->are_accesses ? story->exception : NULL;
	default:
		return NULL;
	}
}

/* True if the address may leave one suspect: an earlier fault may have had another address. */
static bool is_decisive(const struct fault_story *story)
{
	return story->kind != FAULT_STORY_MEMORY || story->is_first_known;
}

static enum address_fit fit_of(const struct bundle_view *view, const struct fault_row *row,
			       uint32_t function, const unsigned char *bytes, size_t size)
{
	struct address_sum sum;
	if (!address_sum_find(view, row, view_function(view, function), bytes, size, &sum))
		return ADDRESS_UNRELATED;
	return sum.is_far ? ADDRESS_FOLLOWS_FAR : ADDRESS_FOLLOWS;
}

static enum address_fit fit_of_node(const struct bundle_view *view, const struct fault_row *row,
				    const struct graph_node_row *node)
{
	size_t size = node->argument_bytes < sizeof(node->arguments) ? node->argument_bytes
								     : sizeof(node->arguments);
	return node->work == WORK_KERNEL ? fit_of(view, row, node->function, node->arguments, size)
					 : ADDRESS_UNRELATED;
}

/* Return the best fit among the nodes that may have failed. */
static enum address_fit fit_of_graph(const struct bundle_view *view, int32_t code,
				     const struct journal_record *record,
				     const struct fault_clues *clues, const struct fault_row *row)
{
	struct graph_claim claim;
	enum address_fit best = ADDRESS_UNRELATED;
	fault_claim_node(view, code, record, clues, &claim);
	for (uint64_t i = 0; i < claim.n_candidates && i < GRAPH_MAX_CANDIDATES; i++) {
		enum address_fit fit = fit_of_node(view, row, &claim.candidates[i]);
		best = fit > best ? fit : best;
	}
	return best;
}

static enum address_fit fit_of_work(const struct progress *progress, const struct open_work *open,
				    const struct fault_clues *clues, const struct fault_row *row)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES];
	struct journal_record record;
	progress_record(progress, open, &record);
	if (record.work == WORK_GRAPH)
		return fit_of_graph(progress->view, progress->moment.code, &record, clues, row);
	if (record.work != WORK_KERNEL)
		return ADDRESS_UNRELATED;
	size_t size = view_arguments(progress->view, open->slot, &record, bytes, sizeof(bytes));
	return fit_of(progress->view, row, record.launch.function, bytes,
		      size < sizeof(bytes) ? size : sizeof(bytes));
}

void address_mark_work(struct progress *progress, const struct fault_clues *clues)
{
	const struct fault_row *row = progress->is_fault_used ? row_of(&clues->story) : NULL;
	uint32_t n_far = 0;
	for (uint32_t i = 0; row && i < progress->n_open; i++) {
		struct open_work *open = &progress->open[i];
		if (!progress_is_suspect(progress, open))
			continue;
		open->address_fit = (uint8_t)fit_of_work(progress, open, clues, row);
		n_far += open->address_fit == ADDRESS_FOLLOWS_FAR;
	}
	for (uint32_t i = 0; row && i < progress->n_unordered; i++) {
		struct open_work *open = &progress->unordered[i].open;
		open->address_fit = (uint8_t)fit_of_work(progress, open, clues, row);
	}
	if (n_far != 1 || !is_decisive(&clues->story))
		return;
	for (uint32_t i = 0; i < progress->n_open; i++)
		progress->open[i].is_unlikely =
			progress->open[i].address_fit != ADDRESS_FOLLOWS_FAR;
}

void address_only_ranks(struct progress *progress)
{
	for (uint32_t i = 0; i < progress->n_open; i++)
		progress->open[i].is_unlikely = false;
}

void address_claim_node(const struct bundle_view *view, const struct fault_clues *clues,
			struct graph_claim *claim)
{
	const struct fault_row *row = row_of(&clues->story);
	enum address_fit best = ADDRESS_UNRELATED;
	uint64_t n_best = 0;
	struct graph_node_row node = {.index = 0};
	if (claim->certainty != GRAPH_NARROWED || !row ||
	    claim->n_candidates > GRAPH_MAX_CANDIDATES)
		return;
	for (uint64_t i = 0; i < claim->n_candidates; i++) {
		enum address_fit fit = fit_of_node(view, row, &claim->candidates[i]);
		n_best = fit > best ? 1 : n_best + (fit == best);
		if (fit > best)
			node = claim->candidates[i];
		best = fit > best ? fit : best;
	}
	if (best == ADDRESS_UNRELATED || n_best != 1)
		return;
	graph_claim_prefer(claim, &node);
	if (best == ADDRESS_FOLLOWS_FAR && is_decisive(&clues->story) &&
	    !graph_claim_is_unsure(view))
		claim->certainty = GRAPH_LIKELY;
}
