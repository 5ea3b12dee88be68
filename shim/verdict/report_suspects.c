/*
 * report_suspects.c - the lines about the suspects: what was launched, from where, with what.
 */
#include <inttypes.h>

#include "report_lines.h"

enum {
	MAX_LISTED_SUSPECTS = 8,
	MAX_LISTED_ARGUMENTS = 24,
	MAX_SHOWN_BYTES = 16,
};

/* Larger values are more likely the bits of a float, or a pointer, than a count. */
enum { DECIMAL_BELOW = 1 << 29 };

static void add_dimensions(const uint32_t dimensions[3], struct text *out)
{
	text_addf(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", dimensions[0], dimensions[1],
		  dimensions[2]);
}

void add_launch_shape(const struct journal_record *record, struct text *out)
{
	const struct record_launch *launch = &record->launch;

	text_add(out, "<<<");
	add_dimensions(launch->grid, out);
	text_add(out, ",");
	add_dimensions(launch->block, out);
	if (launch->shared_bytes != 0)
		text_addf(out, ",%" PRIu32, launch->shared_bytes);
	text_add(out, ">>>");
	if (launch->cluster[0] != 0)
		text_addf(out, " in clusters of (%u,%u,%u)", launch->cluster[0], launch->cluster[1],
			  launch->cluster[2]);
	if (record->flags & RECORD_COOPERATIVE)
		text_add(out, " cooperative");
}

static void add_memory_shape(const struct journal_record *record, struct text *out)
{
	const struct record_memory *memory = &record->memory;

	text_addf(out, "%s0x%" PRIx64 " %s 0x%" PRIx64,
		  record->work == WORK_COPY ? " from " : " of ", memory->source, "to",
		  memory->destination);
	if (memory->bytes != 0)
		text_addf(out, ", %" PRIu64 " bytes", memory->bytes);
}

static void add_work(const struct report *report, const struct journal_record *record,
		     struct text *out)
{
	report_work_name(report, record, false, out);
	if (record->work == WORK_KERNEL)
		add_launch_shape(record, out);
	else if (record->work == WORK_COPY || record->work == WORK_MEMSET)
		add_memory_shape(record, out);
	text_add(out, " on ");
	report_stream_label(report, record->stream, out);
	text_add(out, ", ");
	report_device_label(report, record->stream, out);
	text_add(out, ", ");
	report_thread_label(report, record->tid, out);
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

static void add_place(const struct report *report, const struct argument *argument,
		      struct text *out)
{
	const struct range_row *range = &argument->range;

	if (argument->place != PLACE_PAST)
		text_addf(out, " = allocation #%" PRIu64 " + %" PRIu64, range->number,
			  argument->distance);
	else if (argument->distance == 0)
		text_addf(out, " = right past the end of allocation #%" PRIu64, range->number);
	else
		text_addf(out, " = %" PRIu64 " bytes past the end of allocation #%" PRIu64,
			  argument->distance, range->number);
	text_add(out, " (");
	add_size(range->size, out);
	text_add(out, ", from ");
	report_stack(report, range->stack, 1, out);
	if (argument->place == PLACE_FREED) {
		text_addf(out, "; freed after submission #%" PRIu64 ", from ", range->freed_after);
		report_stack(report, range->freed_stack, 1, out);
	}
	text_add(out, ")");
}

static void add_argument(const struct report *report, const struct argument *argument,
			 struct text *out)
{
	text_addf(out, "%" PRIu32 ": ", argument->index);
	if (argument->has_value) {
		text_addf(out, "0x%" PRIx64, argument->value);
		if (argument->place != PLACE_NONE)
			add_place(report, argument, out);
		else if (argument->value > 9 && argument->value < DECIMAL_BELOW)
			text_addf(out, " (%" PRIu64 ")", argument->value);
		return;
	}
	text_addf(out, "%" PRIu32 " bytes", argument->size);
	for (uint32_t i = 0; argument->bytes && i < argument->size && i < MAX_SHOWN_BYTES; i++)
		text_addf(out, " %02x", argument->bytes[i]);
	if (!argument->bytes)
		text_add(out, ", not kept");
	else if (argument->size > MAX_SHOWN_BYTES)
		text_add(out, " ...");
}

static void add_read_arguments(const struct report *report,
			       const struct launch_arguments *arguments, struct text *out)
{
	struct argument argument;
	uint32_t index = 0;

	if (!arguments->is_layout_known) {
		begin_line(out, "arguments");
		text_add(out, "the driver does not tell their layout\n");
	}
	while (index < MAX_LISTED_ARGUMENTS &&
	       report_argument(report->view, arguments, index, &argument)) {
		begin_line(out, index == 0 ? "arguments" : "");
		add_argument(report, &argument, out);
		end_line(out);
		index++;
	}
	if (index == MAX_LISTED_ARGUMENTS && index < arguments->n) {
		begin_line(out, "");
		text_addf(out, "and %" PRIu32 " more\n", arguments->n - index);
	}
}

static void add_arguments(const struct report *report, const struct submission *submission,
			  struct text *out)
{
	struct launch_arguments arguments;

	report_read_arguments(report->view, submission, &arguments);
	if (submission->record.work == WORK_KERNEL)
		add_read_arguments(report, &arguments, out);
}

void add_node_arguments(const struct report *report, const struct graph_node_row *node,
			struct text *out)
{
	struct launch_arguments arguments;

	report_read_node_arguments(report->view, node, &arguments);
	if (node->work == WORK_KERNEL)
		add_read_arguments(report, &arguments, out);
}

void add_suspect(const struct report *report, const struct submission *submission, struct text *out)
{
	text_add(out, "  ");
	add_work(report, &submission->record, out);
	end_line(out);
	add_origin(report, submission->record.stack, out);
	add_device_place(report, out);
	add_nvtx(report, submission, out);
	add_arguments(report, submission, out);
}

void add_suspect_list(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;
	uint64_t n = verdict->n_suspects < MAX_LISTED_SUSPECTS ? verdict->n_suspects
							       : MAX_LISTED_SUSPECTS;

	for (uint64_t i = 1; i < n; i++) {
		const struct journal_record *record = &verdict->suspects[i].record;

		begin_line(out, i == 1 ? "or else" : "");
		text_addf(out, "#%" PRIu64 " ", record->sequence);
		report_work_name(report, record, true, out);
		text_add(out, " on ");
		report_stream_label(report, record->stream, out);
		text_add(out, ", from ");
		report_stack(report, record->stack, 1, out);
		end_line(out);
	}
	if (verdict->n_suspects > n) {
		begin_line(out, "");
		text_addf(out, "and %" PRIu64 " more\n", verdict->n_suspects - n);
	}
}
