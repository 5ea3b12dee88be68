/*
 * reference_fault.c - a story has one context and one column of code addresses, which are true.
 */
#include "reference/reference_fault.h"

#include <string.h>

#include "base/cuda_api.h"
#include "base/time_units.h"
#include "fault/code_extents.h"

enum { NEAR_CODE = 1 << 20 };

/* --- Rules 12 and 13 --- */

static uint8_t code_of(const struct reference_clues *clues, const struct journal_record *work)
{
	uint32_t function = work->work == WORK_KERNEL ? work->launch.function : 0;
	return function < clues->facts->n_functions ? clues->facts->code[function] : 0;
}

static bool is_memory_work(const struct journal_record *work)
{
	return (work->work == WORK_COPY || work->work == WORK_MEMSET || work->work == WORK_MEMOP) &&
	       work->memory.bytes > 0;
}

static bool is_allocated(const struct reference_clues *clues, const struct journal_record *work,
			 uint64_t start)
{
	uint32_t context = view_stream(clues->view, work->stream)->context;
	struct range_row row;
	for (uint32_t id = 1; view_range_copy(clues->view, id, &row); id++) {
		bool is_kept = row.kind == RANGE_DEVICE || row.kind == RANGE_HOST;
		bool has_stayed = row.state == RANGE_LIVE || row.freed_ns > clues->failure->time_ns;
		if (is_kept && has_stayed && row.context == context &&
		    row.time_ns <= work->time_ns && start >= row.start &&
		    start + work->memory.bytes <= row.start + row.size)
			return true;
	}
	return false;
}

bool reference_contains(const struct reference_clues *clues, const struct journal_record *work)
{
	int32_t code = clues->failure->code;
	return clues->uses_facts && is_memory_work(work) &&
	       (code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_LAUNCH_FAILED) &&
	       is_allocated(clues, work, work->memory.destination) &&
	       (work->work != WORK_COPY || is_allocated(clues, work, work->memory.source));
}

/* --- Rule 15: code --- */

/* The address of the function's code; NULL: it has none. */
static const struct code_address_row *start_of(const struct reference_clues *clues,
					       uint32_t function)
{
	const struct code_address_row *row = NULL;
	for (uint32_t id = 1; (row = view_code_address(clues->view, id)); id++)
		if (row->function == function)
			return row;
	return NULL;
}

/* The function whose code starts nearest below; NULL: none does. */
static const struct code_address_row *nearest_below(const struct reference_clues *clues,
						    uint64_t pc)
{
	const struct code_address_row *row = NULL;
	const struct code_address_row *nearest = NULL;
	for (uint32_t id = 1; (row = view_code_address(clues->view, id)); id++)
		if (row->address <= pc && (!nearest || row->address > nearest->address))
			nearest = row;
	return nearest;
}

static struct code_size size_of(const struct reference_clues *clues, uint32_t function)
{
	return clues->facts->sizes.of[function];
}

/* code_extents.h: could the column be one of ends of code, of which one contains it? */
static bool may_be_end(const struct reference_clues *clues, uint64_t pc)
{
	const struct code_address_row *a = NULL;
	const struct code_address_row *b = NULL;
	bool has_end = false;
	for (uint32_t i = 1; (a = view_code_address(clues->view, i)); i++) {
		uint32_t bytes = size_of(clues, a->function).most;
		has_end |= a->address > pc && a->address - pc <= bytes;
		for (uint32_t j = 1; (b = view_code_address(clues->view, j)); j++)
			if (b->address < a->address &&
			    a->address - b->address < size_of(clues, a->function).least)
				return false;
	}
	return has_end;
}

static bool has_neighbour(const struct reference_clues *clues, uint32_t function)
{
	const struct code_address_row *row = NULL;
	for (uint32_t id = 1; (row = view_code_address(clues->view, id)); id++)
		if (row->function != function && size_of(clues, row->function).least > 0)
			return true;
	return false;
}

/* Is it known whose code this is? */
static bool is_inside(const struct reference_clues *clues, uint64_t pc)
{
	const struct code_address_row *row = nearest_below(clues, pc);
	return row && row->flags & CODE_CONFIRMED &&
	       pc - row->address < size_of(clues, row->function).least &&
	       has_neighbour(clues, row->function) && !may_be_end(clues, pc);
}

bool reference_is_placed(const struct reference_clues *clues, uint64_t pc)
{
	const struct code_address_row *row = nearest_below(clues, pc);
	return row && row->flags & CODE_CONFIRMED &&
	       (is_inside(clues, pc) || pc - row->address < NEAR_CODE);
}

bool reference_runs(const struct reference_clues *clues, const struct journal_record *work,
		    uint64_t pc)
{
	if (work->work != WORK_KERNEL)
		return false;
	return code_of(clues, work) & CODE_LAUNCHES ||
	       (reference_is_placed(clues, pc) &&
		nearest_below(clues, pc)->function == work->launch.function);
}

static bool runs_other_code(const struct reference_clues *clues, const struct journal_record *work)
{
	const struct code_address_row *row = start_of(clues, work->launch.function);
	uint32_t bytes = size_of(clues, work->launch.function).most;
	if (!row || !(row->flags & CODE_CONFIRMED) || bytes == 0 ||
	    code_of(clues, work) & CODE_LAUNCHES)
		return false;
	for (uint32_t i = 0; i < clues->n_pcs; i++)
		if (clues->pcs[i] >= row->address && clues->pcs[i] - row->address < bytes)
			return false;
	return true;
}

static bool is_cleared_by_code(const struct reference_clues *clues,
			       const struct journal_record *work)
{
	switch (work->work) {
	case WORK_KERNEL:
		return clues->pcs_clear && runs_other_code(clues, work);
	case WORK_GRAPH: /* its nodes are not known */
		return false;
	default:
		return clues->pcs_clear_copies;
	}
}

/* --- Rule 16: pages --- */

static bool is_page(const struct fault_row *row)
{
	return row->kind == FAULT_EVENT || row->kind == FAULT_MMU;
}

static bool meets(const struct fault_row *row, uint64_t start, uint64_t bytes)
{
	return row->flags & FAULT_ADDRESS_PAGE && start < row->address + fault_page_size(row) &&
	       start + bytes > row->address;
}

/* Does it touch a page that was reported? */
static bool is_at_page(const struct reference_clues *clues, const struct journal_record *work)
{
	const struct fault_row *row = NULL;
	const struct record_memory *memory = &work->memory;
	if (!is_memory_work(work))
		return false;
	for (uint32_t id = 1; (row = view_fault(clues->view, id)); id++)
		if (is_page(row) &&
		    (meets(row, memory->destination, memory->bytes) ||
		     (work->work == WORK_COPY && meets(row, memory->source, memory->bytes))))
			return true;
	return false;
}

static bool have_all_pages(const struct reference_clues *clues)
{
	const struct fault_row *row = NULL;
	for (uint32_t id = 1; (row = view_fault(clues->view, id)); id++)
		if (is_page(row) && !(row->flags & FAULT_ADDRESS_PAGE))
			return false;
	return true;
}

/* --- Reading --- */

static bool is_in_events(const struct bundle_view *view, const struct fault_row *listed)
{
	const struct fault_row *row = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++)
		if (row->kind == FAULT_EVENT && meets(row, listed->address, 1))
			return true;
	return false;
}

static bool are_pages_confirmed(const struct bundle_view *view)
{
	const struct fault_row *row = NULL;
	bool is_any = false;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		if (row->kind != FAULT_MMU)
			continue;
		if (!is_in_events(view, row))
			return false;
		is_any = true;
	}
	return is_any;
}

/* The facts of all rows together. */
struct summary {
	bool has_memory, has_exception, has_states, has_events;
	bool are_pcs_whole, are_contexts_known, is_one_context, are_events_whole;
	const struct fault_row *page; /* the first event's, else the first of the list */
};

static void read_pc(const struct fault_row *row, struct summary *all, struct reference_clues *out)
{
	all->has_exception = true;
	all->are_contexts_known &= row->context != 0;
	for (uint32_t i = 0; i < out->n_pcs; i++)
		if (row->flags & FAULT_HAS_PC && out->pcs[i] == row->pc)
			return;
	if (row->flags & FAULT_HAS_PC && out->n_pcs < EXTENTS_PCS_MAX)
		out->pcs[out->n_pcs++] = row->pc;
	else
		all->are_pcs_whole = false;
}

static void read_row(const struct fault_row *row, struct summary *all, struct reference_clues *out)
{
	switch (row->kind) {
	case FAULT_EVENT:
	case FAULT_MMU:
		all->has_memory = true;
		if (!all->page || (all->page->kind == FAULT_MMU && row->kind == FAULT_EVENT))
			all->page = row;
		break;
	case FAULT_EXCEPTION:
		read_pc(row, all, out);
		break;
	case FAULT_EVENTS_READ:
		all->has_memory |= row->count > 0;
		all->are_events_whole = row->n_lost == 0 && !(row->flags & FAULT_LATE);
		break;
	case FAULT_STATES_READ:
		all->is_one_context = row->flags & FAULT_ONE_CONTEXT;
		all->are_pcs_whole &= row->n_lost == 0;
		break;
	default:
		break;
	}
}

/* Do exceptions of warps end in this code? */
static bool is_of_exception(int32_t code)
{
	return code == CUDA_ERROR_ILLEGAL_ADDRESS || (code >= 714 && code <= 718);
}

/* --- Rule 17: times --- */

/* 17a: an access that was given up has an event. */
static bool is_given_up(const struct bundle_view *view, const struct fault_row *report)
{
	const struct fault_row *row = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++)
		if (row->kind == FAULT_EVENT && row->address == report->address &&
		    row->access == report->access)
			return true;
	return false;
}

/* 17d */
static bool may_be_served(const struct bundle_view *view)
{
	const struct context_row *context = NULL;
	struct range_row range;
	for (uint32_t id = 1; (context = view_context(view, id)); id++)
		if (!(context->flags & CONTEXT_LACKS_HOST_MEMORY))
			return true;
	for (uint32_t id = 1; view_range_copy(view, id, &range); id++)
		if (range.kind == RANGE_MANAGED)
			return true;
	return false;
}

/* 17a and 17d; NULL: the time is not known. */
static const struct fault_row *time_report(const struct bundle_view *view)
{
	const struct fault_row *row = NULL;
	const struct fault_row *first = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++)
		if (row->kind == FAULT_TIMED && row->gpu_ns && row->time_ns &&
		    is_given_up(view, row) && (!first || row->gpu_ns < first->gpu_ns))
			first = row;
	for (uint32_t id = 1; first && (row = view_fault(view, id)); id++)
		if (row->kind == FAULT_TIMED && (row->gpu_ns > first->gpu_ns + NS_PER_MS ||
						 row->gpu_ns + NS_PER_MS < first->gpu_ns))
			return NULL;
	return may_be_served(view) ? NULL : first;
}

void reference_read_clues(const struct bundle_view *view, const struct attribution_facts *facts,
			  struct reference_clues *out)
{
	struct summary all = {.are_pcs_whole = true, .are_contexts_known = true};
	const struct fault_row *row = NULL;
	*out = (struct reference_clues){
		.view = view, .failure = view_failure(view), .facts = facts, .uses_facts = true};
	for (uint32_t id = 1; (row = view_fault(view, id)); id++)
		read_row(row, &all, out);
	int32_t code = out->failure->code;
	bool is_shared = out->failure->flags & FAILURE_SHARED;
	if (!all.is_one_context || !all.are_contexts_known) /* 15b */
		out->n_pcs = 0;
	bool are_inside = out->n_pcs > 0;
	for (uint32_t i = 0; i < out->n_pcs; i++) /* 15a */
		are_inside &= is_inside(out, out->pcs[i]);
	bool is_usable =
		all.are_pcs_whole && !all.has_memory && !is_shared && is_of_exception(code);
	out->pcs_clear = are_inside && is_usable;
	out->n_late_pcs = is_usable ? out->n_pcs : 0; /* 15g */
	memcpy(out->late_pcs, out->pcs, sizeof(out->pcs));
	out->pcs_clear_copies =
		out->pcs_clear && (code != CUDA_ERROR_ILLEGAL_ADDRESS || all.are_events_whole);
	out->has_pages = all.page && all.page->flags & FAULT_ADDRESS_PAGE && !all.has_exception;
	if (all.page && !all.has_exception && are_pages_confirmed(view) && !is_shared &&
	    code == CUDA_ERROR_ILLEGAL_ADDRESS)
		out->report = time_report(view);
	out->pages_clear = out->has_pages && all.are_events_whole && are_pages_confirmed(view) &&
			   have_all_pages(out) && !is_shared;
}

void reference_drop_fault(struct reference_clues *clues)
{
	clues->has_pages = clues->pages_clear = false;
	clues->pcs_clear = clues->pcs_clear_copies = false;
	clues->n_pcs = 0;
	clues->report = NULL;
}

bool reference_fault_clears(const struct reference_clues *clues, const struct journal_record *work)
{
	return (clues->pages_clear && is_memory_work(work) && !is_at_page(clues, work)) ||
	       is_cleared_by_code(clues, work);
}

bool reference_clears(const struct reference_clues *clues, const struct journal_record *work)
{
	bool is_harmless = clues->uses_facts && clues->failure->code == CUDA_ERROR_ASSERT &&
			   code_of(clues, work) & CODE_ASSERTS_NEVER;
	return is_harmless || reference_contains(clues, work) ||
	       reference_fault_clears(clues, work);
}

bool reference_is_at_fault(const struct reference_clues *clues, const struct journal_record *work)
{
	if (clues->has_pages)
		return is_at_page(clues, work);
	for (uint32_t i = 0; i < clues->n_pcs; i++) {
		const struct code_address_row *row = nearest_below(clues, clues->pcs[i]);
		if (work->work == WORK_KERNEL && row && row->flags & CODE_CONFIRMED &&
		    row->function == work->launch.function &&
		    clues->pcs[i] - row->address < NEAR_CODE)
			return true;
	}
	return false;
}

bool reference_can_trap(const struct reference_clues *clues, const struct journal_record *work)
{
	return clues->failure->code == CUDA_ERROR_LAUNCH_FAILED &&
	       code_of(clues, work) & CODE_TRAPS;
}
