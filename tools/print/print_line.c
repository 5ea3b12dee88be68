/*
 * print_line.c - format a launch from its record and from the records before it in its ring.
 */
#include "print/print_parts.h"

#include <inttypes.h>
#include <string.h>

#include "numbers/print_number.h"
#include "report/report_names.h"

static void add_ranges(const struct printed_ring *ring, enum nvtx_scope scope,
		       const char *separator, struct text *out)
{
	for (uint8_t i = 0; i < ring->n_open[scope]; i++) {
		const struct record_nvtx *range = &ring->ranges[scope][i];
		text_add(out, i ? separator : "  [");
		text_add_foreign(out, range->text, range->text_size);
		text_add(out, range->is_cut ? "..." : "");
	}
	text_add(out, ring->n_open[scope] ? "]" : "");
}

/* Update the NVTX ranges that are open at the ring's next launch. */
static void update_ranges(struct printed_ring *ring, const struct record_nvtx *range)
{
	for (int scope = 0; scope < N_NVTX_SCOPES; scope++)
		ring->n_open[scope] =
			range->n_open[scope] < NVTX_MAX_OPEN ? range->n_open[scope] : NVTX_MAX_OPEN;
	if (range->scope >= N_NVTX_SCOPES || range->index >= NVTX_MAX_OPEN)
		return;
	ring->ranges[range->scope][range->index] = *range;
	if (range->text_size > NVTX_TEXT_MAX)
		ring->ranges[range->scope][range->index].text_size = NVTX_TEXT_MAX;
}

static void append_arguments(struct printed_ring *ring, const struct journal_record *record)
{
	struct launch_arguments *arguments = &ring->arguments;
	size_t room = sizeof(arguments->bytes) - arguments->n_bytes;
	size_t n = room < RECORD_PAYLOAD ? room : RECORD_PAYLOAD;
	memcpy(arguments->bytes + arguments->n_bytes, record->argument_bytes, n);
	arguments->n_bytes += n;
}

/* Set the arguments' bytes: from the rows before or, if they were cut there, from their table. */
static void limit_arguments(const struct bundle_view *view, const struct journal_record *record,
			    struct launch_arguments *out)
{
	bool is_cut = record->work == WORK_KERNEL && record->flags & RECORD_ARGUMENTS_CUT;
	size_t n_whole =
		is_cut ? view_whole_arguments(view, record, out->bytes, sizeof(out->bytes)) : 0;
	if (n_whole)
		out->n_bytes = n_whole;
	else if (out->n_bytes > record->launch.argument_bytes)
		out->n_bytes = record->launch.argument_bytes;
}

static void add_number(const struct printed_process *process, const struct journal_record *record,
		       struct text *out)
{
	print_decimal((uint64_t)process->pid, out);
	if (record->kind == RECORD_CAPTURED) {
		print_words("  captured  ", out);
		return;
	}
	print_words("  #", out);
	print_decimal(record->sequence, out);
	print_words("  ", out);
}

static void add_kernel(const struct print_choice *choice, struct printed_ring *ring,
		       const struct journal_record *record, const struct line_frame *frame,
		       struct text *out)
{
	print_bytes(frame->text, frame->n_head, out);
	print_arguments(ring->process, record, choice->batch, &ring->arguments, out);
	print_words(")", out);
}

static void add_launch(const struct print_choice *choice, struct printed_ring *ring,
		       const struct journal_record *record, struct text *out)
{
	bool is_kernel = record->work == WORK_KERNEL;
	if (!is_kernel && (record->work != WORK_GRAPH || choice->kernels))
		return;
	const struct line_frame *frame = print_frame_find(choice, ring->process, record);
	if (is_kernel && !frame->n_head)
		return;
	add_number(ring->process, record, out);
	if (is_kernel)
		add_kernel(choice, ring, record, frame, out);
	else
		report_work_name(&ring->process->report, record, true, out);
	print_bytes(frame->text + frame->n_head, frame->n_tail, out);
	if (record->flags & RECORD_IN_RANGES) {
		add_ranges(ring, NVTX_OF_THREAD, " > ", out);
		add_ranges(ring, NVTX_OF_PROCESS, ", ", out);
	}
	print_words("\n", out);
}

static void add_lost(const struct print_entry *entry, struct text *out)
{
	text_addf(out,
		  "%ld  %" PRIu64 " records of a thread were overwritten before they were read\n",
		  entry->ring->process->pid, entry->n_lost);
	entry->ring->arguments.n_bytes = 0;
}

/* Update what is kept of every launch, printed or not. */
static void note_submission(const struct print_choice *choice, struct printed_ring *ring,
			    const struct journal_record *record)
{
	struct printed_process *process = ring->process;
	process->n_seen += record->kind == RECORD_SUBMISSION ? 1 : 0;
	if (record->work != WORK_KERNEL)
		return;
	limit_arguments(&process->view, record, &ring->arguments);
	if (choice->inspects && record->kind == RECORD_SUBMISSION)
		print_producers_note(process, record, &ring->arguments, choice->batch);
}

void print_line(const struct print_choice *choice, const struct print_entry *entry,
		struct text *out)
{
	const struct journal_record *record = &entry->record;
	struct printed_ring *ring = entry->ring;
	if (entry->n_lost) {
		add_lost(entry, out);
		return;
	}
	switch (record->kind) {
	case RECORD_ARGUMENTS:
		append_arguments(ring, record);
		return;
	case RECORD_NVTX:
		update_ranges(ring, &record->nvtx);
		return;
	case RECORD_SUBMISSION:
	case RECORD_CAPTURED:
		note_submission(choice, ring, record);
		if (!choice->is_silent)
			add_launch(choice, ring, record, out);
		break;
	case RECORD_REJECTION:
		text_addf(out, "%ld  #%" PRIu64 "  was refused by the driver: %" PRId32 "\n",
			  ring->process->pid, record->sequence, record->result);
		break;
	default:
		break;
	}
	ring->arguments.n_bytes = 0;
}
