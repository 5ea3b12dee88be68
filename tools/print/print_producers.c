/*
 * print_producers.c - hash tables in which a new entry replaces an old one.
 */

#include <string.h>

#include "numbers/print_number.h"
#include "print/print_parts.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_stack.h"

static size_t index_of(uint64_t what)
{
	return (size_t)(what ^ what >> 8 ^ what >> 20) % N_PRODUCED;
}

static void note(struct printed_process *process, uint64_t what, struct recent_launch *launch)
{
	struct produced *row = &process->produced[index_of(what)];
	if (row->what != what)
		*row = (struct produced){.what = what};
	if (row->sequences[0] == launch->sequence)
		return;
	if (launch->n_given < N_GIVEN)
		launch->given[launch->n_given++] = *row;
	memmove(row->sequences + 1, row->sequences, sizeof(row->sequences) - sizeof(uint64_t));
	row->sequences[0] = launch->sequence;
}

void print_producers_note(struct printed_process *process, const struct journal_record *record,
			  const struct launch_arguments *arguments, uint64_t batch)
{
	const struct print_moment at = {process, record->sequence, batch};
	struct recent_launch *launch = &process->recent[record->sequence % N_RECENT];
	launch->sequence = record->sequence;
	launch->record = *record;
	launch->n_given = 0;
	for (size_t i = 0; i + 8 <= arguments->n_bytes; i += 8) {
		uint64_t value = 0;
		memcpy(&value, arguments->bytes + i, sizeof(value));
		struct range_row range;
		if (value <= UINT32_MAX || !print_location_find(&at, value, &range))
			continue;
		note(process, value, launch);
		note(process, range.number, launch);
	}
}

/* Return the launch's record; NULL if it was too long ago. */
static const struct journal_record *find_record(const struct printed_process *process,
						uint64_t sequence)
{
	const struct recent_launch *launch = &process->recent[sequence % N_RECENT];
	return launch->sequence == sequence ? &launch->record : NULL;
}

/* Append "#4", and the record if the process still has it: its name, after `between`. */
static const struct journal_record *add_name(const struct printed_process *process,
					     uint64_t sequence, const char *between,
					     struct text *out)
{
	const struct journal_record *record = find_record(process, sequence);
	print_words("#", out);
	print_decimal(sequence, out);
	text_add(out, record ? between : "");
	if (record)
		report_work_name(&process->report, record, true, out);
	return record;
}

void print_producers_name(const struct printed_process *process, uint64_t sequence,
			  struct text *out)
{
	const struct journal_record *record = add_name(process, sequence, " ", out);
	if (!record)
		return;
	text_add(out, " at ");
	report_stack(&process->report, record->stack, 1, out);
}

void print_producers_launch(const struct printed_process *process, uint64_t sequence,
			    struct text *out)
{
	const struct journal_record *record = add_name(process, sequence, "  ", out);
	if (!record)
		return;
	report_launch_shape(record, out);
	text_add(out, "  ");
	report_stream_label(&process->report, record->stream, out);
	text_add(out, "  ");
	report_stack(&process->report, record->stack, 1, out);
}

bool print_producers_add(const struct printed_process *process, uint64_t what, uint64_t sequence,
			 struct text *out)
{
	const struct recent_launch *launch = &process->recent[sequence % N_RECENT];
	unsigned n_added = 0;
	for (uint32_t i = 0; launch->sequence == sequence && i < launch->n_given; i++) {
		const struct produced *given = &launch->given[i];
		for (int k = 0; given->what == what && k < N_PRODUCERS; k++) {
			if (!given->sequences[k])
				continue;
			text_add(out, n_added++ ? ", " : "");
			print_producers_name(process, given->sequences[k], out);
		}
	}
	return n_added > 0;
}

static size_t spoiled_location(uint64_t address)
{
	return (size_t)(address >> 4 ^ address >> 20) % N_SPOILED;
}

void print_producers_spoil(struct printed_process *process, const struct spoiled *spoiled)
{
	struct spoiled *place = &process->spoiled[spoiled_location(spoiled->address)];
	if (spoiled->by || place->address == spoiled->address)
		*place = *spoiled;
}

const struct spoiled *print_producers_spoiled(const struct printed_process *process,
					      uint64_t address)
{
	const struct spoiled *place = &process->spoiled[spoiled_location(address)];
	return place->address == address && place->by ? place : NULL;
}

bool print_producers_are_known(const struct printed_process *process, uint64_t sequence)
{
	return process->recent[sequence % N_RECENT].sequence >= sequence;
}
