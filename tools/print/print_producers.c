/*
 * print_producers.c - tables by number, in which the newer takes the place of the older.
 */
#include "print/print_producers.h"

#include <string.h>

#include "print/print_number.h"
#include "print/print_places.h"
#include "verdict/report/report_names.h"
#include "verdict/report/report_stack.h"

/* The launch is given the allocation of the row. */
static void note(struct produced *row, uint64_t number, struct recent_launch *launch)
{
	if (row->number != number)
		*row = (struct produced){.number = number};
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
	launch->function = record->launch.function;
	launch->stack = record->stack;
	launch->n_given = 0;
	for (size_t i = 0; i + 8 <= arguments->n_bytes; i += 8) {
		struct range_row range;
		uint64_t value;

		memcpy(&value, arguments->bytes + i, sizeof(value));
		if (value > UINT32_MAX && print_place_find(&at, value, &range))
			note(&process->produced[range.number % N_PRODUCED], range.number, launch);
	}
}

void print_producers_name(const struct printed_process *process, uint64_t sequence,
			  struct text *out)
{
	const struct recent_launch *launch = &process->recent[sequence % N_RECENT];
	const struct journal_record record = {.work = WORK_KERNEL,
					      .launch = {.function = launch->function}};

	text_add(out, "#");
	print_decimal(sequence, out);
	if (launch->sequence != sequence)
		return;
	text_add(out, " ");
	report_work_name(&process->report, &record, true, out);
	text_add(out, " at ");
	report_stack(&process->report, launch->stack, 1, out);
}

void print_producers_add(const struct printed_process *process, uint64_t number, uint64_t sequence,
			 struct text *out)
{
	const struct recent_launch *launch = &process->recent[sequence % N_RECENT];
	unsigned n_told = 0;

	for (uint32_t i = 0; launch->sequence == sequence && i < launch->n_given; i++) {
		const struct produced *given = &launch->given[i];

		for (int k = 0; given->number == number && k < N_PRODUCERS; k++) {
			if (!given->sequences[k])
				continue;
			text_add(out, n_told++ ? ", " : "");
			print_producers_name(process, given->sequences[k], out);
		}
	}
	text_add(out, n_told ? "" : "no launch that was seen");
}

bool print_producers_are_known(const struct printed_process *process, uint64_t sequence)
{
	return process->recent[sequence % N_RECENT].sequence >= sequence;
}
