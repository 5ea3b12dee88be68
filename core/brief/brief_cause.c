/*
 * brief_cause.c - choose the cause, and word it.
 */
#include "brief/brief_parts.h"

#include <inttypes.h>

#include "fault/fault_story.h"
#include "memory/memory_host.h"
#include "memory/memory_labels.h"

enum { NOTE_SIZE = 256 };

/* True if the pointer is to memory of the program itself, which the GPU cannot access. */
static bool is_host_pointer(const struct page *full, const struct argument *argument)
{
	char note[NOTE_SIZE];
	struct text text = text_in(note, sizeof(note));
	return argument->has_value && argument->place == PLACE_NONE &&
	       memory_add_host(full->report.view, full->launch.context, argument->value, &text);
}

static bool is_freed(const struct argument *argument)
{
	return argument->place == PLACE_FREED || argument->place == PLACE_IN_FLIGHT;
}

static void find_argument(const struct page *full, struct brief_cause *out)
{
	for (uint32_t i = 0; i < full->n_arguments && !out->argument; i++) {
		const struct argument *argument = &full->arguments[i];
		out->is_host = is_host_pointer(full, argument);
		if (is_freed(argument) || out->is_host)
			out->argument = argument;
		if (is_freed(argument))
			out->range = &argument->range;
	}
}

/* Look up the memory of a copy or a memset, which is not among the page's arguments. */
static void find_operand(const struct page *full, uint64_t address, const char *name,
			 struct brief_cause *out)
{
	struct argument operand = {.value = address};
	if (out->argument)
		return;
	operand.place = memory_find_place(full->report.view, address, &full->launch.at,
					  &operand.range, &operand.distance);
	if (!is_freed(&operand))
		return;
	out->of_copy = operand;
	out->argument = &out->of_copy;
	out->range = &out->of_copy.range;
	out->operand = name;
}

static void find_without_fault(const struct page *full, struct brief_cause *out)
{
	const struct journal_record *record = &full->report.verdict->suspects[0].record;
	if (record->work == WORK_COPY)
		find_operand(full, record->memory.source, "source", out);
	if (record->work == WORK_COPY || record->work == WORK_MEMSET)
		find_operand(full, record->memory.destination, "destination", out);
	else
		find_argument(full, out);
}

static void find_fault(const struct page *full, struct launch_arguments *scratch,
		       struct brief_cause *out)
{
	const struct verdict *verdict = full->report.verdict;
	const struct bundle_view *view = full->report.view;
	struct fault_story story;
	fault_story_read(view, &story);
	memory_fault_read(view, verdict, &story, &out->fault);
	bool is_other = verdict->fault_code.function && verdict->fault_code.pc != story.pcs[0];
	out->is_of_suspect =
		out->fault.kind != MEMORY_FAULT_NONE && verdict->n_suspects == 1 && !is_other;
	if (out->fault.has_address && out->fault.answer.relation != MEMORY_NOWHERE)
		out->range = &out->fault.answer.range;
	if (!out->is_of_suspect)
		return;
	report_fault_arguments(&full->report, &verdict->suspects[0], scratch);
	out->base = report_fault_base(view, &out->fault, scratch);
}

void brief_cause_find(const struct page *full, struct launch_arguments *scratch,
		      struct brief_cause *out)
{
	const struct verdict *verdict = full->report.verdict;
	*out = (struct brief_cause){.is_host = false};
	if (verdict->unknown_reason == UNKNOWN_NO_FAILURE)
		return;
	if (verdict->n_suspects > 0) {
		const struct stream_row *stream =
			view_stream(full->report.view, verdict->suspects[0].record.stream);
		out->context = stream ? view_context(full->report.view, stream->context) : NULL;
	}
	find_fault(full, scratch, out);
	if (out->fault.kind == MEMORY_FAULT_NONE && verdict->n_suspects == 1)
		find_without_fault(full, out);
}

bool brief_cause_is_base_there(const struct brief_cause *cause)
{
	const struct range_row *range = cause->range;
	return range && cause->base.fit > 0 && cause->base.value - range->start <= range->size;
}

static const char *verb_of_access(uint8_t access, bool has_object)
{
	switch (access) {
	case FAULT_READ:
		return "read";
	case FAULT_WRITE:
		return has_object ? "wrote" : "wrote to";
	default:
		return "accessed";
	}
}

static const char *verb_of(const struct memory_fault *fault, bool has_distance)
{
	return verb_of_access(fault->row->access, has_distance);
}

static void add_nowhere(const struct page *full, const struct brief_cause *cause, struct text *out)
{
	const struct memory_fault *fault = &cause->fault;
	char note[NOTE_SIZE];
	struct text text = text_in(note, sizeof(note));
	const char *verb = verb_of(fault, false);
	if (fault->kind == MEMORY_FAULT_INVALID)
		text_addf(out, " %s an address that no memory can have", verb);
	else if (memory_fault_is_null(fault))
		text_addf(out, " %s a null pointer", verb);
	else if (memory_add_host(full->report.view, cause->context, fault->row->address, &text))
		text_addf(out, " %s host memory, which the GPU cannot access", verb);
	else if (memory_is_unmapped(full->report.view, cause->context, fault->row->address))
		text_addf(out, " %s 0x%" PRIx64 ", which the program has not mapped", verb,
			  fault->row->address);
	else
		text_addf(out, " %s 0x%" PRIx64 ", where no known memory is", verb,
			  fault->row->address);
}

/* Append " wrote 8 KiB past the end of allocation #3". */
static void add_beside(const struct memory_fault *fault, struct text *out)
{
	const struct memory_answer *answer = &fault->answer;
	bool is_after = answer->relation == MEMORY_AFTER;
	char size[MEMORY_SIZE_TEXT];
	text_addf(out, " %s %s %s allocation #%" PRIu64, verb_of(fault, true),
		  answer->distance ? memory_size_short(answer->distance, size) : "right",
		  is_after ? "past the end of" : "before", answer->range.number);
}

static void add_access(const struct page *full, const struct brief_cause *cause, struct text *out)
{
	const struct memory_fault *fault = &cause->fault;
	switch (fault->answer.relation) {
	case MEMORY_FREED:
		text_addf(out, " %s freed memory", verb_of(fault, false));
		break;
	case MEMORY_IN_FLIGHT:
		text_addf(out, " %s memory that was freed while in flight", verb_of(fault, false));
		break;
	case MEMORY_AFTER:
	case MEMORY_BEFORE:
		add_beside(fault, out);
		break;
	case MEMORY_INSIDE:
		text_addf(out, " %s allocation #%" PRIu64 ", which the GPU refused",
			  verb_of(fault, false), fault->answer.range.number);
		break;
	default:
		add_nowhere(full, cause, out);
		break;
	}
}

static void add_exception(const struct brief_cause *cause, struct text *out)
{
	switch (cause->fault.kind) {
	case MEMORY_FAULT_ALIGNMENT:
		if (cause->fault.access.bytes)
			text_addf(out, " %s %u bytes at a misaligned address",
				  verb_of_access(cause->fault.access.kind, true),
				  cause->fault.access.bytes);
		else
			text_add(out, " accessed a misaligned address");
		break;
	case MEMORY_FAULT_LOCAL:
		text_add(out, " accessed local memory out of range");
		break;
	case MEMORY_FAULT_SHARED:
		text_add(out, " accessed shared memory out of range");
		break;
	case MEMORY_FAULT_STACK:
		text_add(out, " overflowed its stack");
		break;
	default:
		break;
	}
}

static void add_argument_deed(const struct brief_cause *cause, struct text *out)
{
	bool is_freed = cause->argument->place == PLACE_FREED;
	if (cause->operand)
		text_addf(out, ", its %s was freed%s", cause->operand,
			  is_freed ? "" : " while in flight");
	else
		text_addf(out, ", argument %" PRIu32 " %s", cause->argument->index,
			  cause->is_host ? "is a host pointer"
			  : is_freed     ? "points into freed memory"
					 : "points into memory freed while in flight");
}

void brief_cause_add_deed(const struct page *full, const struct brief_cause *cause,
			  struct text *out)
{
	if (cause->argument)
		add_argument_deed(cause, out);
	else if (!cause->is_of_suspect)
		return;
	else if (cause->fault.kind == MEMORY_FAULT_MEMORY ||
		 cause->fault.kind == MEMORY_FAULT_INVALID)
		add_access(full, cause, out);
	else
		add_exception(cause, out);
}
