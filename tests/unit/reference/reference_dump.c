/*
 * reference_dump.c - each candidate is compared with each grid and place of the dump.
 */
#include "reference/reference_dump.h"

#include <string.h>

#include "base/failure_class.h"
#include "reference/order.h"
#include "reference/reference_words.h"
#include "support/check.h"

enum fit { RULED_OUT, POSSIBLE, SURE };

struct dumped {
	struct story story;
	const struct gpu_fault *fault;
	bool trusts_syncs;   /* 10b, 10c */
	bool is_application; /* all that faulted are kernels of the application */
	uint64_t expected;   /* submission that the grid's number points to, 0 unknown */
};

static bool is_driver_name(const char *name)
{
	return strncmp(name, "memcpy", 6) == 0 || strncmp(name, "memset", 6) == 0;
}

static const char *name_of(const struct bundle_view *view, const struct journal_record *work)
{
	const struct function_row *row = view_function(view, work->launch.function);
	return view_string(view, row->name, NULL);
}

static bool is_shaped(const struct journal_record *work, const struct gpu_grid *grid)
{
	return memcmp(work->launch.grid, grid->grid, sizeof(grid->grid)) == 0 &&
	       memcmp(work->launch.block, grid->block, sizeof(grid->block)) == 0;
}

static uint64_t context_of(const struct bundle_view *view, const struct journal_record *work)
{
	return view_context(view, view_stream(view, work->stream)->context)->handle;
}

static enum fit fit_grid(const struct bundle_view *view, const struct gpu_fault_grid *entry,
			 const struct journal_record *work)
{
	const struct function_row *row = view_function(view, work->launch.function);
	if (entry->grid.parent != 0)
		return POSSIBLE;
	if (strcmp(name_of(view, work), entry->kernel) != 0 || !is_shaped(work, &entry->grid))
		return RULED_OUT;
	return row->handle == entry->grid.function && context_of(view, work) == entry->grid.context
		       ? SURE
		       : POSSIBLE;
}

static enum fit fit_kernel(const struct dumped *dump, const struct journal_record *work)
{
	const struct gpu_fault *fault = dump->fault;
	enum fit best = RULED_OUT;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		enum fit fit = fit_grid(dump->story.view, &fault->grids[i], work);
		best = fit > best ? fit : best;
	}
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		const struct gpu_code *code = &fault->locations[i].code;
		if (best == RULED_OUT &&
		    (!code->is_kernel ||
		     strcmp(name_of(dump->story.view, work), code->function) == 0))
			best = POSSIBLE;
	}
	return best;
}

static enum fit fit_of(const struct dumped *dump, const struct journal_record *work)
{
	enum fit fit = POSSIBLE; /* a graph, whose nodes are not known */
	if (work->work == WORK_HOST_FUNC)
		return RULED_OUT;
	if (work->work == WORK_KERNEL)
		fit = fit_kernel(dump, work);
	else if (work->work != WORK_GRAPH && dump->is_application)
		fit = RULED_OUT;
	return fit == RULED_OUT && dump->fault->is_partial ? POSSIBLE : fit;
}

static bool knows(const struct bundle_view *view, uint64_t handle, const char *name)
{
	const struct function_row *row = NULL;
	for (uint32_t id = 1; (row = view_function(view, id)); id++)
		if ((handle != 0 && row->handle == handle) ||
		    (!is_driver_name(name) &&
		     strcmp(view_string(view, row->name, NULL), name) == 0))
			return true;
	return false;
}

static bool is_application(const struct bundle_view *view, const struct gpu_fault *fault)
{
	for (uint32_t i = 0; i < fault->n_grids; i++)
		if (!knows(view, fault->grids[i].grid.function, fault->grids[i].kernel))
			return false;
	for (uint32_t i = 0; i < fault->n_locations; i++)
		if (!knows(view, 0, fault->locations[i].code.function))
			return false;
	return true;
}

/* --- coredump_order.h: the number of a grid --- */

static const struct journal_record *work_of(const struct story *story, uint64_t sequence)
{
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].sequence == sequence)
			return &story->work[i];
	for (uint32_t i = 0; i < story->n_unordered; i++)
		if (story->unordered[i].sequence == sequence)
			return &story->unordered[i];
	return NULL;
}

static uint64_t expected(const struct dumped *dump)
{
	const struct gpu_grid *grid = &dump->fault->grids[0].grid;
	uint64_t last = dump->story.failure->sequence;
	uint64_t pointed = 0;
	uint64_t n = 0;
	if (dump->fault->n_grids != 1 || grid->parent != 0)
		return 0;
	for (uint64_t i = 1; i <= last; i++) {
		const struct journal_record *work = work_of(&dump->story, i);
		if (!work || work->work == WORK_GRAPH)
			return 0;
		bool has_number = work->work == WORK_KERNEL || work->work == WORK_MEMSET;
		if (has_number && work->result <= 0 &&
		    context_of(dump->story.view, work) == grid->context)
			n++;
		if (pointed == 0 && n >= grid->id)
			pointed = i;
	}
	return pointed ? pointed : last;
}

/* --- Candidates --- */

static uint64_t trusted_done(const struct dumped *dump, uint32_t stream)
{
	return dump->trusts_syncs ? view_stream(dump->story.view, stream)->synced : 0;
}

static bool can_have_failed(const struct dumped *dump, const struct journal_record *work)
{
	bool has_waited = work->flags & RECORD_UNORDERED && work->work == WORK_COPY &&
			  work->flags & RECORD_SYNCHRONOUS && work->result == 0;
	bool is_over = (work->ordinal != 0 && work->ordinal <= trusted_done(dump, work->stream)) ||
		       (has_waited && dump->trusts_syncs);
	return !is_over && failure_may_come_from(dump->story.failure->code, work->work);
}

static bool may_have_faulted(const struct dumped *dump, const struct journal_record *work)
{
	const struct story *story = &dump->story;
	if (!can_have_failed(dump, work) || fit_of(dump, work) == RULED_OUT)
		return false;
	return work->flags & RECORD_UNORDERED
		       ? !order_is_held_back(story, work)
		       : order_can_have_started(story, work->stream, work->ordinal);
}

static bool is_passed(const struct dumped *dump, const struct journal_record *work)
{
	return work->ordinal != 0 && !order_is_unfinished(&dump->story, work);
}

static uint64_t distance(const struct dumped *dump, const struct journal_record *work)
{
	uint64_t difference = work->sequence > dump->expected ? work->sequence - dump->expected
							      : dump->expected - work->sequence;
	return dump->expected ? difference : 0;
}

/* The order that coredump_join.h says. */
static bool is_before(const struct dumped *dump, const struct journal_record *a,
		      const struct journal_record *b)
{
	enum fit fits[] = {fit_of(dump, a), fit_of(dump, b)};
	bool are_passed[] = {is_passed(dump, a), is_passed(dump, b)};
	if (fits[0] != fits[1])
		return fits[0] > fits[1];
	if (order_is_late(&dump->story, a) != order_is_late(&dump->story, b))
		return order_is_late(&dump->story, b);
	if (distance(dump, a) != distance(dump, b))
		return distance(dump, a) < distance(dump, b);
	if (are_passed[0] != are_passed[1])
		return are_passed[1];
	return are_passed[0] ? a->sequence > b->sequence : a->sequence < b->sequence;
}

static void add(const struct dumped *dump, const struct journal_record *work,
		struct reference_verdict *out)
{
	uint64_t location = out->n_suspects;
	if (!may_have_faulted(dump, work))
		return;
	CHECK(out->n_suspects < ORDER_MAX_WORK);
	out->n_suspects++;
	for (; location > 0 && is_before(dump, work, out->suspects[location - 1]); location--)
		out->suspects[location] = out->suspects[location - 1];
	out->suspects[location] = work;
}

static void find_candidates(struct dumped *dump, struct reference_verdict *out)
{
	const struct story *story = &dump->story;
	out->n_suspects = 0;
	for (uint32_t i = 0; i < story->n_work; i++)
		add(dump, &story->work[i], out);
	for (uint32_t i = 0; i < story->n_unordered; i++)
		add(dump, &story->unordered[i], out);
}

/* 10c: the journal lacks no submission, and knows the stream and the order of each. */
static bool is_complete(const struct dumped *dump)
{
	const struct story *story = &dump->story;
	if (story->has_unplaced || (story->has_waited && !dump->trusts_syncs) ||
	    story->failure->flags & FAILURE_WORK_UNSEEN)
		return false;
	for (uint32_t i = 0; i < story->n_unordered; i++)
		if (can_have_failed(dump, &story->unordered[i]) &&
		    !order_is_held_back(story, &story->unordered[i]))
			return false;
	for (uint32_t id = 1; id <= story->n_streams; id++)
		for (uint64_t i = trusted_done(dump, id) + 1;
		     i <= view_stream(story->view, id)->submitted; i++)
			if (!order_has_work(story, id, i))
				return false;
	return true;
}

static bool is_proof(const struct dumped *dump)
{
	const struct gpu_fault *fault = dump->fault;
	return fault->n_grids == 1 && fault->n_locations == 0 && !fault->is_partial &&
	       !(dump->story.failure->flags & FAILURE_CHECKPOINTED);
}

static void judge(const struct dumped *dump, struct reference_verdict *out)
{
	bool is_likely = out->n_suspects == 1 && is_complete(dump);
	bool is_exact = is_likely && fit_of(dump, out->suspects[0]) == SURE && is_proof(dump);
	out->class = is_exact          ? VERDICT_EXACT
		     : is_likely       ? VERDICT_LIKELY
		     : out->n_suspects ? VERDICT_NARROWED
				       : VERDICT_UNKNOWN;
}

void reference_attribute_dump(const struct bundle_view *view, const struct gpu_fault *fault,
			      struct reference_verdict *out)
{
	static const struct gpu_fault unknown = {.is_partial = true};
	static struct dumped dump;
	memset(&dump, 0, sizeof(dump));
	order_read(&dump.story, view);
	words_solve(&dump.story, WORDS_LEFT_OUT); /* rule 11g */
	dump.fault = fault;
	dump.trusts_syncs = dump.story.failure->flags & FAILURE_SYNCS_WATCHED &&
			    fault->n_locations == 0 && !fault->is_partial;
	dump.is_application = is_application(view, fault);
	dump.expected = expected(&dump);
	order_find_late(&dump.story);
	order_find_limits(&dump.story, RECORD_MARKED_INLINE);
	find_candidates(&dump, out);
	judge(&dump, out);
	if (out->n_suspects > 0)
		return;
	/* 10d, 10e */
	dump.fault = &unknown;
	dump.trusts_syncs = false;
	dump.is_application = true;
	dump.expected = 0;
	find_candidates(&dump, out);
	judge(&dump, out);
	if (out->class > VERDICT_NARROWED)
		out->class = VERDICT_NARROWED;
}
