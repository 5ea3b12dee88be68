/*
 * report_arguments.c - the parameters of a launch: how its function declares them, the recorded
 * bytes, and the memory that pointers among them point to.
 */
#include "report/report_arguments.h"

#include <inttypes.h>
#include <string.h>

#include "memory/memory_blocks.h"
#include "memory/memory_find.h"
#include "memory/memory_host.h"
#include "memory/memory_labels.h"
#include "memory/memory_owner.h"
#include "report/report_names.h"
#include "report/report_stack.h"

enum { MAX_SHOWN_BYTES = 16 };

/* Limits for one structure: lines, and words looked up in the failing process. */
enum { MAX_SHOWN_POINTERS = 8, MAX_LOOKED_POINTERS = 64 };

/* Values from here on are more likely the bits of a float, or a pointer, than a count. */
enum { DECIMAL_BELOW = 1 << 29 };

static void set_layout(const struct bundle_view *view, uint32_t function,
		       struct launch_arguments *out)
{
	out->function = view_function(view, function);
	out->n = 0;
	out->is_layout_known = out->function && out->function->n_parameters != UINT32_MAX;
	if (out->is_layout_known)
		out->n = out->function->n_parameters;
}

static void set_context(const struct bundle_view *view, uint32_t stream_id,
			struct launch_arguments *out)
{
	const struct stream_row *stream = view_stream(view, stream_id);
	const struct context_row *context = stream ? view_context(view, stream->context) : NULL;
	out->context = context;
	out->device = context && context->device <= INT16_MAX ? (int)context->device : -1;
}

void report_read_arguments(const struct bundle_view *view, const struct submission *submission,
			   struct launch_arguments *out)
{
	const struct journal_record *record = &submission->record;
	bool is_kernel = record->work == WORK_KERNEL;
	set_layout(view, is_kernel ? record->launch.function : 0, out);
	out->n_bytes = is_kernel ? view_arguments(view, submission->slot, record, out->bytes,
						  sizeof(out->bytes))
				 : 0;
	set_context(view, record->stream, out);
	out->at = range_moment_of(record);
}

void report_read_node_arguments(const struct bundle_view *view, const struct submission *graph,
				const struct graph_node_row *node, struct launch_arguments *out)
{
	bool is_kernel = node->work == WORK_KERNEL;
	size_t n_bytes = node->argument_bytes < sizeof(node->arguments) ? node->argument_bytes
									: sizeof(node->arguments);
	set_layout(view, is_kernel ? node->function : 0, out);
	out->n_bytes = is_kernel ? n_bytes : 0;
	out->at = graph ? range_moment_of(&graph->record) : (struct range_moment){0};
	out->context = NULL; /* a graph's nodes may be on several devices */
	out->device = -1;
	memcpy(out->bytes, node->arguments, out->n_bytes);
}

/* Set the members about a value that was recorded whole. Integers are little-endian as on GPUs. */
static void read_value(const struct launch_arguments *arguments, struct argument *argument)
{
	if (argument->offset > arguments->n_bytes ||
	    argument->size > arguments->n_bytes - argument->offset)
		return;
	argument->bytes = arguments->bytes + argument->offset;
	if (argument->size == 0 || argument->size > sizeof(argument->value))
		return;
	memcpy(&argument->value, argument->bytes, argument->size);
	argument->has_value = true;
}

bool report_argument(const struct bundle_view *view, const struct launch_arguments *arguments,
		     uint32_t index, struct argument *out)
{
	if (index >= arguments->n || arguments->function->first_parameter > UINT32_MAX - index)
		return false;
	const struct parameter_row *parameter =
		view_parameter(view, arguments->function->first_parameter + index);
	if (!parameter)
		return false;
	*out = (struct argument){
		.index = index, .offset = parameter->offset, .size = parameter->size};
	read_value(arguments, out);
	if (out->has_value && out->size == sizeof(out->value))
		out->place = memory_find_place(view, out->value, &arguments->at, &out->range,
					       &out->distance);
	if (view->is_redacted && out->place == PLACE_NONE) {
		out->has_value = false;
		out->bytes = NULL;
	}
	return true;
}

static void add_size(uint64_t bytes, struct text *out)
{
	if (bytes >= 10 << 20)
		text_addf(out, "%" PRIu64 " MiB", bytes >> 20);
	else if (bytes >= 10 << 10 || (bytes >= 1 << 10 && bytes % (1 << 10) == 0))
		text_addf(out, "%" PRIu64 " KiB", bytes >> 10);
	else
		text_addf(out, "%" PRIu64 " bytes", bytes);
}

/* Append "16 KiB", "16 KiB of managed memory", "16 KiB on device 1": the unusual properties. */
static void add_shape(struct page *page, const struct range_row *range)
{
	int device = memory_device(page->report.view, range);
	struct text *out = &page->text;
	add_size(range->size, out);
	if (range->kind != RANGE_UNKNOWN && range->kind != RANGE_DEVICE)
		text_addf(out, " of %s", memory_kind_label(range->kind));
	if (device >= 0 && page->launch.device >= 0 && device != page->launch.device &&
	    range->kind != RANGE_MANAGED)
		text_addf(out, " on device %d, the launch is on %d", device, page->launch.device);
}

static void add_relation(const struct argument *argument, struct text *out)
{
	uint64_t distance = argument->distance;
	text_add(out, " = ");
	if (argument->place == PLACE_PAST && distance == 0)
		text_add(out, "right past the end of ");
	else if (argument->place == PLACE_PAST)
		text_addf(out, "%" PRIu64 " bytes past the end of ", distance);
	else if (argument->place == PLACE_BEFORE)
		text_addf(out, "%" PRIu64 " bytes before ", distance);
	else if (argument->place == PLACE_RESERVED)
		text_add(out, "where nothing is mapped, in ");
	text_addf(out, "allocation #%" PRIu64, argument->range.number);
	if (place_is_inside(argument->place) || argument->place == PLACE_RESERVED)
		text_addf(out, " + %" PRIu64, distance);
}

void report_add_freed(struct page *page, const struct range_row *range, bool is_in_flight)
{
	text_addf(&page->text, "; freed%s after submission #%" PRIu64 ", from ",
		  is_in_flight ? " while in flight," : "", range->freed_after);
	report_add_stack(page, range->freed_stack, 1);
}

void report_add_rights(struct page *page, const struct range_row *range)
{
	if (memory_lacks_read(range))
		text_add(&page->text, "; no device has the right to read or write it");
	else if (memory_lacks_write(range))
		text_add(&page->text, "; no device has the right to write it");
}

static void add_place(struct page *page, const struct argument *argument)
{
	const struct range_row *range = &argument->range;
	struct text *out = &page->text;
	const char *allocator =
		memory_allocator_label(memory_allocator_of(page->report.view, range->stack));
	add_relation(argument, out);
	text_add(out, " (");
	add_shape(page, range);
	if (allocator)
		text_addf(out, ", by %s", allocator);
	text_add(out, ", from ");
	report_add_stack(page, range->stack, 1);
	if (argument->place == PLACE_FREED || argument->place == PLACE_IN_FLIGHT)
		report_add_freed(page, range, argument->place == PLACE_IN_FLIGHT);
	else
		report_add_rights(page, range);
	text_add(out, ")");
}

static void add_bytes(const struct argument *argument, struct text *out)
{
	text_addf(out, "%" PRIu32 " bytes", argument->size);
	for (uint32_t i = 0; argument->bytes && i < argument->size && i < MAX_SHOWN_BYTES; i++)
		text_addf(out, " %02x", argument->bytes[i]);
	if (!argument->bytes)
		text_add(out, ", not kept");
	else if (argument->size > MAX_SHOWN_BYTES)
		text_add(out, " ...");
}

static void add_argument(struct page *page, const struct argument *argument)
{
	struct text *out = &page->text;
	text_addf(out, "%" PRIu32 ": ", argument->index);
	if (!argument->has_value) {
		add_bytes(argument, out);
		return;
	}
	text_addf(out, "0x%" PRIx64, argument->value);
	if (argument->place != PLACE_NONE)
		add_place(page, argument);
	else if (!memory_add_host(page->report.view, page->launch.context, argument->value, out) &&
		 argument->value > 9 && argument->value < DECIMAL_BELOW)
		text_addf(out, " (%" PRIu64 ")", argument->value);
}

/* Add a line below with the block of the memory's pool that contains the pointer's target. */
static void add_block(struct page *page, const struct argument *argument)
{
	const struct memory_block *block =
		place_is_inside(argument->place)
			? memory_block_at(page->report.view->memory_blocks, argument->value,
					  &argument->range)
			: NULL;
	if (!block)
		return;
	page_below(page, PAGE_ARGUMENTS);
	page_set_subject(page, PAGE_OF_ARGUMENT, argument->index);
	text_addf(&page->text, "%" PRIu32 ": ", argument->index);
	memory_block_add(block, argument->value, page->report.directory, &page->text);
	page_end(page);
}

/* Read the word at offset `at` of a structure; true if it points into known memory. */
static bool read_pointer(const struct page *page, const struct argument *structure, uint32_t at,
			 struct argument *out)
{
	*out = (struct argument){.index = structure->index, .size = sizeof(out->value)};
	memcpy(&out->value, structure->bytes + at, sizeof(out->value));
	if (out->value <= UINT32_MAX)
		return false;
	out->place = memory_find_place(page->report.view, out->value, &page->launch.at, &out->range,
				       &out->distance);
	return place_is_inside(out->place);
}

/* Add a line below for each pointer. Only aligned words are checked, because C aligns pointers. */
static void add_pointers(struct page *page, const struct argument *structure)
{
	uint32_t n_shown = 0;
	uint32_t n_looked = 0;
	if (structure->has_value || !structure->bytes)
		return;
	struct argument pointer;
	for (uint32_t at = (8 - structure->offset % 8) % 8;
	     structure->size >= sizeof(uint64_t) && at <= structure->size - sizeof(uint64_t) &&
	     n_shown < MAX_SHOWN_POINTERS && n_looked < MAX_LOOKED_POINTERS;
	     at += sizeof(uint64_t)) {
		uint64_t value = 0;
		memcpy(&value, structure->bytes + at, sizeof(value));
		n_looked += value > UINT32_MAX ? 1 : 0;
		if (!read_pointer(page, structure, at, &pointer))
			continue;
		page_below(page, PAGE_ARGUMENTS);
		page_set_subject(page, PAGE_OF_ARGUMENT, structure->index);
		text_addf(&page->text, "%" PRIu32 " + %" PRIu32 ": 0x%" PRIx64, structure->index,
			  at, pointer.value);
		add_place(page, &pointer);
		page_end(page);
		add_block(page, &pointer);
		n_shown++;
	}
}

/*
 * Add advice if a pointer points into a segment of PyTorch's pool, recognised by its size: tensors
 * cannot be distinguished there.
 */
static void add_pool_advice(struct page *page)
{
	enum { SEGMENT = 2 << 20 };
	for (uint32_t i = 0; i < page->n_arguments; i++) {
		const struct argument *argument = &page->arguments[i];
		if (argument->place == PLACE_NONE || argument->range.size % SEGMENT != 0 ||
		    memory_allocator_of(page->report.view, argument->range.stack) !=
			    MEMORY_BY_PYTORCH ||
		    memory_block_at(page->report.view->memory_blocks, argument->value,
				    &argument->range))
			continue;
		page_below(page, PAGE_ARGUMENTS);
		page_set_subject(page, PAGE_OF_ARGUMENT, argument->index);
		text_add(&page->text,
			 "PYTORCH_NO_CUDA_MEMORY_CACHING=1 gives each tensor memory of "
			 "its own");
		page_end(page);
		return;
	}
}

/* Add the lines of page->launch. */
static void add_lines(struct page *page)
{
	const struct launch_arguments *launch = &page->launch;
	uint32_t n = 0;
	if (!launch->is_layout_known) {
		page_begin(page, PAGE_ARGUMENTS);
		text_add(&page->text, launch->function ? "the driver does not tell their layout"
						       : "not known, since the kernel is not");
		page_end(page);
	}
	while (n < PAGE_MAX_ARGUMENTS &&
	       report_argument(page->report.view, launch, n, &page->arguments[n])) {
		(n == 0 ? page_begin : page_below)(page, PAGE_ARGUMENTS);
		page_set_subject(page, PAGE_OF_ARGUMENT, n);
		add_argument(page, &page->arguments[n]);
		page_end(page);
		add_block(page, &page->arguments[n]);
		add_pointers(page, &page->arguments[n]);
		n++;
	}
	page->n_arguments = n;
	add_pool_advice(page);
	if (n == PAGE_MAX_ARGUMENTS && n < launch->n)
		page_add_more(page, PAGE_ARGUMENTS, launch->n - n);
}

/* True if the operand ends past its range. A copy may continue into an adjacent mapping. */
static bool runs_past(const struct page *page, const struct argument *operand, uint64_t bytes)
{
	const struct range_row *range = &operand->range;
	uint64_t distance = 0;
	struct range_row next;
	return place_is_inside(operand->place) && range->size > 0 &&
	       bytes > range->size - operand->distance &&
	       (range->kind != RANGE_MAPPED ||
		memory_find_place(page->report.view, range->start + range->size, &page->launch.at,
				  &next, &distance) != PLACE_INSIDE);
}

/* Add "from 0x7f.. = allocation #3 + 0 (..)"; false if the memory is not known. */
static bool add_operand(struct page *page, const char *name, uint64_t address, uint64_t bytes,
			bool is_first)
{
	struct argument operand = {.value = address};
	operand.place = memory_find_place(page->report.view, address, &page->launch.at,
					  &operand.range, &operand.distance);
	if (operand.place == PLACE_NONE)
		return false;
	(is_first ? page_begin : page_below)(page, PAGE_ARGUMENTS);
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	text_addf(&page->text, "%s 0x%" PRIx64, name, address);
	add_place(page, &operand);
	if (runs_past(page, &operand, bytes)) {
		text_add(&page->text, ", and it goes ");
		add_size(bytes - (operand.range.size - operand.distance), &page->text);
		text_add(&page->text, " past its end");
	}
	page_end(page);
	return true;
}

static void add_operands(struct page *page, const struct journal_record *record)
{
	const struct record_memory *memory = &record->memory;
	bool has_one = false;
	page->launch.device = -1; /* a copy between devices is as usual */
	if (record->work == WORK_COPY)
		has_one = add_operand(page, "from", memory->source, memory->bytes, true);
	(void)add_operand(page, "to", memory->destination, memory->bytes, !has_one);
}

void report_add_arguments(struct page *page, const struct submission *submission)
{
	const struct journal_record *record = &submission->record;
	report_read_arguments(page->report.view, submission, &page->launch);
	if (record->work == WORK_KERNEL)
		add_lines(page);
	else if (record->work == WORK_COPY || record->work == WORK_MEMSET)
		add_operands(page, record);
}

void report_add_node_arguments(struct page *page, const struct submission *graph,
			       const struct graph_node_row *node)
{
	report_read_node_arguments(page->report.view, graph, node, &page->launch);
	if (node->work == WORK_KERNEL)
		add_lines(page);
}
