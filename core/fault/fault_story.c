/*
 * fault_story.c - read the rows of "faults".
 */
#include "fault/fault_story.h"

/* CUDA_ERROR_... */
enum {
	CODE_ILLEGAL_ADDRESS = 700,
	CODE_HARDWARE_STACK_ERROR = 714,
	CODE_ILLEGAL_INSTRUCTION = 715,
	CODE_MISALIGNED_ADDRESS = 716,
	CODE_INVALID_ADDRESS_SPACE = 717,
	CODE_INVALID_PC = 718,
};

static void add_pc(const struct fault_row *row, struct fault_story *story)
{
	uint32_t i = 0;
	if (!(row->flags & FAULT_HAS_PC)) {
		story->are_pcs_whole = false;
		return;
	}
	while (i < story->n_pcs && story->pcs[i] != row->pc)
		i++;
	if (i < story->n_pcs)
		return;
	if (story->n_pcs < EXTENTS_PCS_MAX)
		story->pcs[story->n_pcs++] = row->pc;
	else
		story->are_pcs_whole = false;
}

/* Seen on an H100: these exceptions are those of addresses and of their alignment. */
static bool is_access(const struct fault_row *row)
{
	enum { ESR_ADDRESS = 0x0e, ESR_ALIGNMENT = 0x0f };
	uint32_t exception = row->warp_esr & FAULT_ESR_EXCEPTION_MASK;
	return exception == ESR_ADDRESS || exception == ESR_ALIGNMENT;
}

static void add_row(const struct fault_row *row, struct fault_story *story)
{
	switch (row->kind) {
	case FAULT_EVENT:
		/* Both sources may have the same fault. Events have the access and the time. */
		if (!story->memory || story->memory->kind == FAULT_MMU)
			story->memory = row;
		story->n_memory++;
		break;
	case FAULT_MMU:
		if (!story->memory)
			story->memory = row;
		break;
	case FAULT_EXCEPTION:
		if (!story->exception)
			story->exception = row;
		story->n_exceptions++;
		story->are_accesses = story->are_accesses && is_access(row);
		story->is_one_context = story->is_one_context && row->context;
		add_pc(row, story);
		break;
	default:
		break;
	}
}

/* True if the row says that there was a memory fault, also one without a row of its own. */
static bool is_memory(const struct fault_row *row)
{
	switch (row->kind) {
	case FAULT_EVENT:
	case FAULT_MMU:
		return true;
	case FAULT_EVENTS_READ:
	case FAULT_MMU_LIST_READ:
		return row->count > 0;
	case FAULT_STATES_READ:
		return row->flags & FAULT_MMU_VALID;
	default:
		return false;
	}
}

static enum fault_story_kind kind_of(const struct fault_story *story, bool has_memory)
{
	if (has_memory)
		return story->exception ? FAULT_STORY_BOTH : FAULT_STORY_MEMORY;
	return story->exception ? FAULT_STORY_EXCEPTION : FAULT_STORY_NONE;
}

/* True if an event's page is the page or contains it: an event's may be larger. */
static bool has_event(const struct bundle_view *view, uint64_t page)
{
	const struct fault_row *row = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		if (row->kind == FAULT_EVENT && row->flags & FAULT_ADDRESS_PAGE &&
		    page - row->address < fault_page_size(row))
			return true;
	}
	return false;
}

/* True if the list has a fault, and each of its pages is an event's. */
static bool are_pages_confirmed(const struct bundle_view *view)
{
	const struct fault_row *row = NULL;
	bool is_any = false;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		if (row->kind != FAULT_MMU)
			continue;
		is_any = true;
		if (!has_event(view, row->address))
			return false;
	}
	return is_any;
}

/*
 * The driver's list is a ring of four entries, of which it leaves one free: it has the newest three
 * faults (kgrctxRecordMmuFault() of NVIDIA's open kernel modules). Events keep the oldest.
 */
static bool is_first_known(const struct bundle_view *view, const struct fault_story *story)
{
	enum { LIST_HOLDS = 3 };
	const struct fault_row *list = view_fault_summary(view, FAULT_MMU_LIST_READ);
	return story->memory &&
	       (story->memory->kind == FAULT_EVENT || (list && list->count < LIST_HOLDS));
}

void fault_story_read(const struct bundle_view *view, struct fault_story *out)
{
	const struct fault_row *row = NULL;
	const struct fault_row *events = view_fault_summary(view, FAULT_EVENTS_READ);
	const struct fault_row *states = view_fault_summary(view, FAULT_STATES_READ);
	bool has_memory = false;
	*out = (struct fault_story){.are_pcs_whole = true,
				    .are_accesses = true,
				    .are_events_whole = events && events->n_lost == 0 &&
							!(events->flags & FAULT_LATE),
				    .is_one_context = states && states->flags & FAULT_ONE_CONTEXT};
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		add_row(row, out);
		has_memory = has_memory || is_memory(row);
		if (row->kind == FAULT_STATES_READ)
			out->are_pcs_whole = out->are_pcs_whole && row->n_lost == 0;
	}
	out->kind = kind_of(out, has_memory);
	out->are_pages_confirmed = are_pages_confirmed(view);
	out->is_first_known = is_first_known(view, out);
}

/* True if an exception of an SM ends in this code. */
static bool may_be_exception(int32_t code)
{
	switch (code) {
	case CODE_ILLEGAL_ADDRESS:
	case CODE_HARDWARE_STACK_ERROR:
	case CODE_ILLEGAL_INSTRUCTION:
	case CODE_MISALIGNED_ADDRESS:
	case CODE_INVALID_ADDRESS_SPACE:
	case CODE_INVALID_PC:
		return true;
	default:
		return false;
	}
}

bool fault_story_clears(const struct fault_story *story, int32_t code, uint32_t flags)
{
	return story->kind == FAULT_STORY_EXCEPTION && story->are_pcs_whole &&
	       story->is_one_context && may_be_exception(code) &&
	       !(flags & (FAILURE_SHARED | FAILURE_COREDUMPS));
}

bool fault_story_clears_copies(const struct fault_story *story, int32_t code)
{
	return code != CODE_ILLEGAL_ADDRESS || story->are_events_whole;
}
