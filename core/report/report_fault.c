/*
 * report_fault.c - lines about what the GPU did wrong, and the argument that it came from.
 */
#include "report/report_fault.h"

#include <inttypes.h>
#include <string.h>

#include "fault/address_sum.h"
#include "memory/memory_blocks.h"
#include "memory/memory_labels.h"
#include "report/report_stack.h"

/* Append "(30 KiB, from demo.c:62 load)" and who freed it, as arguments are shown. */
static void add_range(struct page *page, const struct memory_answer *answer)
{
	const struct range_row *range = &answer->range;
	char size[MEMORY_SIZE_TEXT];
	text_addf(&page->text, " (%s", memory_size_short(range->size, size));
	if (range->kind != RANGE_UNKNOWN && range->kind != RANGE_DEVICE)
		text_addf(&page->text, " of %s", memory_kind_label(range->kind));
	text_add(&page->text, ", from ");
	report_add_stack(page, range->stack, 1);
	if (answer->relation == MEMORY_FREED || answer->relation == MEMORY_IN_FLIGHT)
		report_add_freed(page, range, answer->relation == MEMORY_IN_FLIGHT);
	else if (answer->relation == MEMORY_INSIDE)
		report_add_rights(page, range);
	text_add(&page->text, ")");
}

/* Add a line below with the pool's block that contains the address, or the whole page. */
static void add_block(struct page *page, const struct memory_fault *fault)
{
	const struct memory_answer *answer = &fault->answer;
	uint64_t address = fault->row->address;
	uint64_t size = fault->is_page ? fault_page_size(fault->row) : 1;
	bool is_inside = fault->has_address &&
			 (answer->relation == MEMORY_INSIDE || answer->relation == MEMORY_FREED ||
			  answer->relation == MEMORY_IN_FLIGHT);
	const struct memory_block *block =
		is_inside
			? memory_block_at(page->report.view->memory_blocks, address, &answer->range)
			: NULL;
	if (!block || size > block->size - (address - block->start))
		return;
	page_below(page, PAGE_FAULT);
	memory_block_add(block, address, page->report.directory, &page->text);
	page_end(page);
}

/* Compare the pointers of one argument, which may be a structure. */
static void find_in_argument(const struct memory_fault *fault, const struct argument *argument,
			     struct fault_base *best)
{
	for (uint32_t at = (8 - argument->offset % 8) % 8;
	     argument->bytes && argument->size >= sizeof(uint64_t) &&
	     at <= argument->size - sizeof(uint64_t);
	     at += sizeof(uint64_t)) {
		struct fault_base base = {.index = argument->index,
					  .offset = at,
					  .is_field = argument->size > sizeof(uint64_t)};
		memcpy(&base.value, argument->bytes + at, sizeof(base.value));
		base.fit = memory_fault_fit(fault, base.value);
		if (base.fit > best->fit)
			*best = base;
	}
}

/* Find the argument that has the byte at this offset of the parameter buffer. */
static bool find_place(const struct bundle_view *view, const struct launch_arguments *launch,
		       uint32_t offset, struct argument *out)
{
	for (uint32_t i = 0; report_argument(view, launch, i, out); i++) {
		if (out->bytes && offset >= out->offset && offset - out->offset < out->size)
			return true;
	}
	return false;
}

/* Name the arguments of a sum, if it leaves the page of its pointer. */
static bool name_sum(const struct bundle_view *view, const struct launch_arguments *launch,
		     const struct fault_row *row, const struct address_sum *sum,
		     struct fault_base *out)
{
	struct argument pointer;
	struct argument factor;
	int64_t page = (int64_t)fault_page_size(row);
	bool is_large = sum->product >= page || sum->product <= -page;
	if (!is_large || !find_place(view, launch, sum->pointer_at, &pointer) ||
	    !find_place(view, launch, sum->factor_at, &factor))
		return false;
	*out = (struct fault_base){
		.index = pointer.index,
		.offset = sum->pointer_at - pointer.offset,
		.value = sum->pointer,
		.fit = UINT64_MAX,
		.is_field = pointer.size > sizeof(uint64_t),
		.scale = sum->scale,
		.factor = sum->factor,
		.factor_index = factor.index,
		.factor_offset = sum->factor_at - factor.offset,
		.is_factor_field = factor.size > sizeof(uint64_t),
	};
	return true;
}

/* True if the pointer is in the page of the address, or is the address. */
static bool is_there(const struct memory_fault *fault, const struct fault_base *base)
{
	return base->fit > 0 && base->value - fault->row->address < fault_page_size(fault->row);
}

struct fault_base report_fault_base(const struct bundle_view *view,
				    const struct memory_fault *fault,
				    const struct launch_arguments *launch)
{
	struct fault_base best = {.fit = 0};
	struct argument argument;
	for (uint32_t i = 0; fault->has_address && report_argument(view, launch, i, &argument); i++)
		find_in_argument(fault, &argument, &best);
	struct address_sum sum;
	struct fault_base of_sum;
	if (fault->has_address && !is_there(fault, &best) &&
	    address_sum_find(view, fault->row, launch->function, launch->bytes, launch->n_bytes,
			     &sum) &&
	    name_sum(view, launch, fault->row, &sum, &of_sum))
		return of_sum;
	return best;
}

void report_fault_arguments(const struct report *report, const struct submission *suspect,
			    struct launch_arguments *out)
{
	const struct graph_claim *graph = &report->verdict->graph;
	if (suspect->record.work == WORK_GRAPH &&
	    (graph->n_candidates == 1 || graph->certainty >= GRAPH_LIKELY))
		report_read_node_arguments(report->view, suspect, &graph->candidates[0], out);
	else
		report_read_arguments(report->view, suspect, out);
}

static void add_name(struct page *page, uint32_t index, bool is_field, uint32_t offset)
{
	text_addf(&page->text, "argument %" PRIu32, index);
	if (is_field)
		text_addf(&page->text, ", the field at %" PRIu32, offset);
}

/* Add " + 4 * argument 2 (68719476736)". */
static void add_factor(struct page *page, const struct fault_base *base)
{
	text_add(&page->text, " + ");
	if (base->scale > 1)
		text_addf(&page->text, "%" PRIu32 " * ", base->scale);
	add_name(page, base->factor_index, base->is_factor_field, base->factor_offset);
	text_addf(&page->text, " (%" PRId64 ")", base->factor);
}

/*
 * Add "most likely argument 1 (0x7f6c34a0a000) + 32 KiB", or "+ 4 * argument 2 (8192)".
 */
static void add_base(struct page *page, const struct memory_fault *fault,
		     const struct fault_base *base)
{
	uint64_t address = fault->row->address;
	char size[MEMORY_SIZE_TEXT];
	page_below(page, PAGE_FAULT);
	page_set_subject(page, PAGE_OF_ARGUMENT, base->index);
	text_add(&page->text, "most likely ");
	add_name(page, base->index, base->is_field, base->offset);
	text_addf(&page->text, " (0x%" PRIx64 ")", base->value);
	if (base->scale)
		add_factor(page, base);
	else if (address > base->value)
		text_addf(&page->text, " + %s", memory_size_short(address - base->value, size));
	else if (base->value - address >= fault_page_size(fault->row))
		text_addf(&page->text, " - %s", memory_size_short(base->value - address, size));
	page_end(page);
}

/* True if the fault that is described is known to be another one than the first suspect's. */
static bool is_of_other_code(const struct verdict *verdict, const struct fault_story *story)
{
	return verdict->fault_code.function && verdict->fault_code.pc != story->pcs[0];
}

void report_add_fault(struct page *page, const struct submission *suspect)
{
	const struct bundle_view *view = page->report.view;
	const struct stream_row *stream = view_stream(view, suspect ? suspect->record.stream : 0);
	struct fault_story story;
	struct memory_fault fault;
	fault_story_read(view, &story);
	memory_fault_read(view, page->report.verdict, &story, &fault);
	if (fault.kind == MEMORY_FAULT_NONE)
		return;
	page_begin(page, PAGE_FAULT);
	memory_fault_add_access(&fault, &page->text);
	memory_fault_add_place(view, &fault, stream ? view_context(view, stream->context) : NULL,
			       &page->text);
	if (fault.has_address && fault.answer.relation != MEMORY_NOWHERE)
		add_range(page, &fault.answer);
	page_end(page);
	add_block(page, &fault);
	if (!suspect || is_of_other_code(page->report.verdict, &story))
		return;
	report_fault_arguments(&page->report, suspect, &page->launch);
	struct fault_base base = report_fault_base(view, &fault, &page->launch);
	if (base.fit > 0)
		add_base(page, &fault, &base);
}
