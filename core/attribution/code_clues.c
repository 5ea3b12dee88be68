/*
 * code_clues.c - mark work by the code of its kernel.
 */
#include "attribution/clue_parts.h"

#include <stddef.h>

#include "progress/progress_parts.h"
#include "progress/unordered.h"

enum {
	CODE_ASSERT = 710, /* CUDA_ERROR_ASSERT */
	CODE_LAUNCH_FAILED =
		719, /* CUDA_ERROR_LAUNCH_FAILED, which a trap raises (H200, driver 580.159) */
};

/* Return the facts for the function that used the row at the launch. */
static uint8_t facts_of_function(const struct bundle_view *view, uint32_t function,
				 const struct attribution_facts *facts)
{
	uint32_t place = row_id_place(function);
	return view_function(view, function) && place < facts->n_functions ? facts->code[place] : 0;
}

static uint8_t facts_of(const struct progress *progress, const struct open_work *open,
			const struct attribution_facts *facts)
{
	struct journal_record record;
	if (open->work != WORK_KERNEL || !progress_find_record(progress, open, &record))
		return 0;
	return facts_of_function(progress->view, record.launch.function, facts);
}

static void mark_code(const struct progress *progress, const struct attribution_facts *facts,
		      struct open_work *open)
{
	int32_t code = progress->moment.code;
	uint8_t known = facts_of(progress, open, facts);
	open->is_harmless = code == CODE_ASSERT && known & CODE_ASSERTS_NEVER;
	open->can_trap = code == CODE_LAUNCH_FAILED && known & CODE_TRAPS;
}

void code_mark_work(struct progress *progress, const struct attribution_facts *facts)
{
	int32_t code = progress->moment.code;
	if (code != CODE_ASSERT && code != CODE_LAUNCH_FAILED)
		return;
	for (uint32_t i = 0; i < progress->n_open; i++)
		mark_code(progress, facts, &progress->open[i]);
	for (uint32_t i = 0; i < progress->n_unordered; i++)
		mark_code(progress, facts, &progress->unordered[i].open);
}

void fault_clues_read(const struct bundle_view *view, const struct moment *moment,
		      const struct attribution_facts *facts, struct fault_clues *out)
{
	*out = (struct fault_clues){.facts = facts};
	fault_story_read(view, &out->story);
	struct code_sizes sizes = facts->sizes;
	sizes.are_accesses = out->story.are_accesses;
	if (!out->story.is_one_context)
		return;
	code_extents_locate(view, sizes, out->story.pcs, out->story.n_pcs, &out->extents);
	out->are_pcs_usable = fault_story_clears(&out->story, moment->code, moment->flags);
	out->clears = out->are_pcs_usable && out->extents.are_inside;
	out->clears_copies = out->clears && fault_story_clears_copies(&out->story, moment->code);
}

void fault_place_alone(const struct bundle_view *view, const struct fault_clues *clues,
		       uint32_t function, struct code_location *out)
{
	struct code_sizes sizes = clues->facts->sizes;
	struct code_location place;
	sizes.are_accesses = clues->story.are_accesses;
	if (clues->are_pcs_usable && clues->story.n_pcs == 1 &&
	    code_extents_place_alone(view, sizes, clues->story.pcs[0], function, &place))
		*out = place;
}

/* True if the kernel cannot have raised the fault, nor a kernel that it launched. */
static bool is_elsewhere(const struct bundle_view *view, const struct fault_clues *clues,
			 uint32_t function)
{
	return code_extents_exclude(view, clues->facts->sizes, &clues->extents, function) &&
	       !(facts_of_function(view, function, clues->facts) & CODE_LAUNCHES);
}

/* State of a node's filter. */
struct node_filter {
	const struct bundle_view *view;
	const struct fault_clues *clues;
	uint32_t place; /* bit of the place that is wanted */
};

static bool may_be_node(const void *state, const struct graph_node_row *node)
{
	const struct node_filter *filter = state;
	if (!filter->clues->clears || node->work == NODE_WORK_UNKNOWN)
		return true;
	return node->work == WORK_KERNEL
		       ? !is_elsewhere(filter->view, filter->clues, node->function)
		       : !filter->clues->clears_copies;
}

static void claim_remaining(const struct bundle_view *view, int32_t code,
			    const struct journal_record *record, const struct fault_clues *clues,
			    struct graph_claim *out)
{
	const struct node_filter filter = {.view = view, .clues = clues};
	const struct graph_match match = {.may_be = may_be_node, .state = &filter};
	graph_claim(view, record, code, &match, out);
}

static bool may_assert(const void *state, const struct graph_node_row *node)
{
	const struct node_filter *filter = state;
	/* Other nodes have no function. A kind that is not known may be anything. */
	return node->work != WORK_KERNEL ||
	       !(facts_of_function(filter->view, node->function, filter->clues->facts) &
		 CODE_ASSERTS_NEVER);
}

bool code_claim_node(const struct progress *progress, const struct fault_clues *clues,
		     const struct journal_record *record, struct graph_claim *out)
{
	const struct node_filter filter = {.view = progress->view, .clues = clues};
	const struct graph_match match = {.may_be = may_assert, .state = &filter};
	if (progress->moment.code != CODE_ASSERT || !clues->facts->code)
		return false;
	graph_claim(progress->view, record, CODE_ASSERT, &match, out);
	return out->n_candidates > 0;
}

/* Return the places that this kernel, or one that it launched, can have reached; bits as named. */
static uint32_t places_of_kernel(const struct bundle_view *view, const struct fault_clues *clues,
				 uint32_t function)
{
	if (facts_of_function(view, function, clues->facts) & CODE_LAUNCHES)
		return UINT32_MAX;
	return code_extents_named(view, &clues->extents, function);
}

static bool is_node_at_place(const void *state, const struct graph_node_row *node)
{
	const struct node_filter *filter = state;
	return node->work == WORK_KERNEL &&
	       places_of_kernel(filter->view, filter->clues, node->function) & filter->place;
}

/* Do the same for the nodes of a graph that can have failed. */
static uint32_t places_of_graph(const struct bundle_view *view, int32_t code,
				const struct journal_record *record,
				const struct fault_clues *clues)
{
	uint32_t locations = 0;
	for (uint32_t i = 0; i < clues->extents.n; i++) {
		const struct node_filter filter = {view, clues, 1U << i};
		const struct graph_match match = {.may_be = is_node_at_place, .state = &filter};
		struct graph_claim claim;
		graph_claim(view, record, code, &match, &claim);
		locations |= claim.n_candidates ? 1U << i : 0;
	}
	return locations;
}

void fault_claim_node(const struct bundle_view *view, int32_t code,
		      const struct journal_record *record, const struct fault_clues *clues,
		      struct graph_claim *out)
{
	if (places_of_graph(view, code, record, clues))
		claim_remaining(view, code, record, clues, out);
	else
		graph_claim(view, record, code, NULL, out);
}

static uint32_t places_of_record(const struct progress *progress,
				 const struct journal_record *record,
				 const struct fault_clues *clues)
{
	if (record->work == WORK_GRAPH)
		return places_of_graph(progress->view, progress->moment.code, record, clues);
	return record->work == WORK_KERNEL
		       ? places_of_kernel(progress->view, clues, record->launch.function)
		       : 0;
}

/* True if some program counter is not known to be at a valid handle's code. */
static bool is_any_unplaced(const struct bundle_view *view, const struct fault_clues *clues)
{
	const struct code_extents *extents = &clues->extents;
	for (uint32_t i = 0; i < extents->n; i++) {
		if (!(code_extents_named(view, extents, extents->locations[i].function) >> i & 1))
			return true;
	}
	return false;
}

bool fault_may_be_of(const struct progress *progress, const struct journal_record *record,
		     const struct fault_clues *clues)
{
	const struct code_extents *extents = &clues->extents;
	uint32_t awaited = 0;
	for (uint32_t i = 0; i < extents->n; i++)
		awaited |= extents->locations[i].is_awaited ? 1U << i : 0;
	if (places_of_record(progress, record, clues) & ~awaited)
		return true;
	return (record->work == WORK_KERNEL || record->work == WORK_GRAPH) &&
	       is_any_unplaced(progress->view, clues);
}

static uint32_t places_of(const struct progress *progress, const struct open_work *open,
			  const struct fault_clues *clues)
{
	struct journal_record record;
	return progress_find_record(progress, open, &record)
		       ? places_of_record(progress, &record, clues)
		       : 0;
}

bool fault_is_explained(const struct progress *progress, const struct fault_clues *clues)
{
	uint32_t all = (1U << clues->extents.n) - 1;
	uint32_t explained = 0;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (progress_is_suspect(progress, &progress->open[i]))
			explained |= places_of(progress, &progress->open[i], clues);
	}
	for (uint32_t i = 0; i < progress->n_unordered; i++) {
		const struct unordered_work *work = &progress->unordered[i];
		if (unordered_is_suspect(progress, work, LEVEL_STRICT))
			explained |= places_of(progress, &work->open, clues);
	}
	for (uint32_t i = 0; i < progress->n_late_kept; i++)
		explained |= places_of(progress, &progress->late[i], clues);
	return (explained & all) == all;
}

/* False also if calls that culprit did not see may have changed the graph. */
static bool is_graph_elsewhere(const struct progress *progress, const struct journal_record *record,
			       const struct fault_clues *clues)
{
	struct graph_claim claim;
	if (progress->moment.flags & FAILURE_WORK_UNSEEN)
		return false;
	claim_remaining(progress->view, progress->moment.code, record, clues, &claim);
	return claim.n_nodes > 0 && claim.flags == 0 && claim.n_candidates == 0 &&
	       claim.n_finished == 0;
}

static void mark_one(const struct progress *progress, const struct fault_clues *clues,
		     struct open_work *open)
{
	const struct bundle_view *view = progress->view;
	struct journal_record record;
	if (!progress_find_record(progress, open, &record))
		return;
	switch (open->work) {
	case WORK_KERNEL:
		open->is_elsewhere =
			clues->clears && is_elsewhere(view, clues, record.launch.function);
		open->is_at_fault =
			code_extents_named(view, &clues->extents, record.launch.function) != 0;
		break;
	case WORK_GRAPH:
		open->is_elsewhere = clues->clears && is_graph_elsewhere(progress, &record, clues);
		break;
	case WORK_COPY:
	case WORK_MEMSET:
	case WORK_MEMOP:
	case WORK_HOST_FUNC:
		open->is_elsewhere = clues->clears_copies;
		break;
	default:
		break; /* a later version's kind of work may run code */
	}
}

/* Return the context of a stream, a green one's primary; 0: not known. */
static uint32_t context_of(const struct progress *progress, uint32_t stream)
{
	const struct stream_row *row = view_stream(progress->view, stream);
	const struct context_row *context = row ? view_context(progress->view, row->context) : NULL;
	if (!context)
		return 0;
	return context->primary ? context->primary : row->context;
}

/*
 * Set *context (0: not set yet) to the work's context. Return false if that context is unknown or
 * differs.
 */
static bool take_context(const struct progress *progress, const struct open_work *open,
			 uint32_t *context)
{
	uint32_t own = context_of(progress, open->stream);
	bool is_same = own != 0 && (*context == 0 || *context == own);
	*context = own;
	return is_same;
}

/* True if all open work is of one context: the same address may be other code in another one. */
static bool is_one_context(const struct progress *progress)
{
	uint32_t context = 0;
	for (uint32_t i = 0; i < progress->n_open; i++)
		if (!take_context(progress, &progress->open[i], &context))
			return false;
	for (uint32_t i = 0; i < progress->n_unordered; i++)
		if (!take_context(progress, &progress->unordered[i].open, &context))
			return false;
	return true;
}

bool fault_has_cleared(const struct progress *progress)
{
	for (uint32_t i = 0; i < progress->n_open; i++) {
		const struct open_work *open = &progress->open[i];
		if (open->is_elsewhere && progress_is_open(progress, open) &&
		    !progress_is_blocked(progress, open, LEVEL_STRICT))
			return true;
	}
	return false;
}

void fault_mark_work(struct progress *progress, const struct fault_clues *clues)
{
	progress->is_fault_used = is_one_context(progress);
	if (!progress->is_fault_used)
		return;
	fault_page_mark(progress, &clues->story);
	time_mark_work(progress, &clues->story);
	if (clues->extents.n == 0)
		return;
	for (uint32_t i = 0; i < progress->n_open; i++)
		mark_one(progress, clues, &progress->open[i]);
	for (uint32_t i = 0; i < progress->n_unordered; i++)
		mark_one(progress, clues, &progress->unordered[i].open);
}
