/*
 * memory_at.c - explain an address as text or JSON.
 */
#include "memory/memory_parts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "memory/memory_blocks.h"
#include "memory/memory_find.h"
#include "memory/memory_labels.h"
#include "report/report_stack.h"
#include "json/json_parts.h"
#include "json/json_values.h"

enum { LINE_SIZE = 2048, MAX_FRAMES = 6 };

bool memory_at_read(const char *text, uint64_t *out_address)
{
	errno = 0;
	char *end = NULL;
	*out_address = strtoull(text, &end, 0);
	return isdigit((unsigned char)text[0]) && end != text && !*end && !errno;
}

/* Append "allocation #3 (device memory, 16 KiB at 0x7f.., device 0)". */
static void add_range(const struct analysis *analysis, const struct range_row *range,
		      struct text *out)
{
	int device = memory_device(analysis->report.view, range);
	char size[MEMORY_SIZE_TEXT];
	text_addf(out, "allocation #%" PRIu64 " (%s, %s at 0x%" PRIx64, range->number,
		  memory_kind_label(range->kind), memory_size_text(range->size, size),
		  range->start);
	if (device >= 0)
		text_addf(out, ", device %d", device);
	text_add(out, ")");
}

static void add_relation(const struct analysis *analysis, const struct memory_answer *answer,
			 struct text *out)
{
	static const char *const places[] = {
		[MEMORY_INSIDE] = " bytes into ",
		[MEMORY_FREED] = " bytes into memory that was freed and not reused: ",
		[MEMORY_IN_FLIGHT] = " bytes into memory that was freed while in flight: ",
		[MEMORY_AFTER] = " bytes after the end of ",
		[MEMORY_BEFORE] = " bytes before ",
	};
	if (answer->relation == MEMORY_NOWHERE) {
		text_add(out, "not in or near any known memory");
		return;
	}
	if (answer->relation == MEMORY_AFTER || answer->relation == MEMORY_BEFORE)
		text_add(out, "not in any known memory; ");
	text_addf(out, "%" PRIu64 "%s", answer->distance, places[answer->relation]);
	add_range(analysis, &answer->range, out);
}

struct event {
	const char *label;
	uint32_t call, stack, tid;
	uint64_t ns;
};

/* Print "  made by     cuMemAlloc_v2 from a.c:1 f, thread 12, 2026-...". */
static void print_event(const struct analysis *analysis, const struct event *event, FILE *out)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	size_t length = 0;
	const char *call = view_string(analysis->report.view, event->call, &length);
	text_add_foreign(&text, call, length);
	text_add(&text, " from ");
	report_stack(&analysis->report, event->stack, MAX_FRAMES, &text);
	char when[PROCESS_TIME_SIZE];
	process_time_text(process_wall_ns(analysis->bundle->meta, event->ns), when);
	fprintf(out, "  %-11s %s, thread %" PRIu32 "%s%s\n", event->label, line, event->tid,
		*when ? ", " : "", when);
}

static void print_range(const struct analysis *analysis, const struct range_row *range, FILE *out)
{
	const struct event made = {"made by", range->call, range->stack, range->tid,
				   range->time_ns};
	const struct event freed = {"freed by", range->freed_call, range->freed_stack,
				    range->freed_tid, range->freed_ns};
	print_event(analysis, &made, out);
	if (range->state == RANGE_FREED && range->flags & RANGE_OF_CONTEXT_END)
		fputs("  freed       with its context\n", out);
	if (range->state == RANGE_FREED)
		print_event(analysis, &freed, out);
}

static const char *access_words(const struct range_row *range)
{
	if (memory_lacks_read(range))
		return "no device may read or write it: cuMemSetAccess granted no access";
	return memory_lacks_write(range) ? "no device may write it: cuMemSetAccess granted read "
					   "access only"
					 : NULL;
}

static void print_other(const struct analysis *analysis, const char *label, const char *words,
			const struct range_row *range, FILE *out)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	add_range(analysis, range, &text);
	fprintf(out, "  %-11s %s%s\n", label, words, line);
	print_range(analysis, range, out);
}

/* Return the caching allocator's block at the address; NULL if none is known. */
static const struct memory_block *block_of(const struct analysis *analysis,
					   const struct memory_answer *answer, uint64_t address)
{
	bool is_in = answer->relation == MEMORY_INSIDE || answer->relation == MEMORY_IN_FLIGHT ||
		     answer->relation == MEMORY_FREED;
	return is_in ? memory_block_at(analysis->report.view->memory_blocks, address,
				       &answer->range)
		     : NULL;
}

static void print_block(const struct analysis *analysis, const struct memory_answer *answer,
			uint64_t address, FILE *out)
{
	const struct memory_block *block = block_of(analysis, answer, address);
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	if (!block)
		return;
	memory_block_add(block, address, analysis->report.directory, &text);
	fprintf(out, "  block       %s\n", line);
}

void memory_at_print(const struct analysis *analysis, uint64_t address,
		     const struct range_moment *at, FILE *out)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	struct memory_answer answer;
	memory_find(analysis->report.view, address, at, &answer);
	add_relation(analysis, &answer, &text);
	fprintf(out, "0x%" PRIx64 ": %s\n", address, line);
	if (answer.relation != MEMORY_NOWHERE)
		print_range(analysis, &answer.range, out);
	print_block(analysis, &answer, address, out);
	if (answer.relation == MEMORY_INSIDE && access_words(&answer.range))
		fprintf(out, "  access      %s\n", access_words(&answer.range));
	if (answer.was_freed && answer.relation == MEMORY_INSIDE)
		print_other(analysis, "before", "it was in ", &answer.freed, out);
	if (answer.is_reserved && answer.relation != MEMORY_INSIDE)
		print_other(analysis, "reserved", "but nothing is mapped there: ", &answer.reserved,
			    out);
}

static json_t *event_json(const struct analysis *analysis, const struct event *event)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "call",
			 json_view_string(analysis->report.view, event->call), "tid",
			 json_count(event->tid), "time",
			 json_time(process_wall_ns(analysis->bundle->meta, event->ns)), "stack",
			 stack_to_json(analysis, event->stack), "python_stack",
			 python_stack_to_json(analysis, event->stack));
}

static json_t *range_json(const struct analysis *analysis, const struct range_row *range,
			  bool is_there)
{
	const struct event made = {"", range->call, range->stack, range->tid, range->time_ns};
	const struct event freed = {"", range->freed_call, range->freed_stack, range->freed_tid,
				    range->freed_ns};
	const char *access = is_there ? access_words(range) : NULL;
	int device = is_there ? memory_device(analysis->report.view, range) : -1;
	if (!is_there)
		return json_null();
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s?}", "number",
			 json_count(range->number), "kind", memory_kind_label(range->kind), "start",
			 json_handle(range->start), "size", json_count(range->size), "device",
			 device >= 0 ? json_integer(device) : json_null(), "made",
			 event_json(analysis, &made), "freed",
			 range->state == RANGE_FREED ? event_json(analysis, &freed) : json_null(),
			 "access", access);
}

json_t *memory_at_json(const struct analysis *analysis, uint64_t address,
		       const struct range_moment *at)
{
	static const char *const relations[] = {
		[MEMORY_NOWHERE] = "nowhere", [MEMORY_INSIDE] = "inside",
		[MEMORY_FREED] = "freed",     [MEMORY_IN_FLIGHT] = "freed_in_flight",
		[MEMORY_AFTER] = "after",     [MEMORY_BEFORE] = "before",
	};
	struct memory_answer answer;
	memory_find(analysis->report.view, address, at, &answer);
	return json_pack(
		"{s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "address", json_handle(address), "relation",
		relations[answer.relation], "distance", json_count(answer.distance), "allocation",
		range_json(analysis, &answer.range, answer.relation != MEMORY_NOWHERE), "before",
		range_json(analysis, &answer.freed,
			   answer.was_freed && answer.relation == MEMORY_INSIDE),
		"reserved", range_json(analysis, &answer.reserved, answer.is_reserved), "block",
		block_to_json(block_of(analysis, &answer, address), address));
}
