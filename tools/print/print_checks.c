/*
 * print_checks.c - read the table of checked memory, which is untrusted input.
 */
#include "print/print_parts.h"

#include <inttypes.h>
#include <string.h>

#include "checks/check_rows.h"
#include "checks/nan_story.h"
#include "report/report_nan.h"

enum { BLOCK_SIZE = 64 * 1024 };

static enum value_type value_type_of(uint32_t type)
{
	return type && type < N_VALUE_TYPES ? (enum value_type)type : VALUE_U8;
}

static void summarise(const struct check_result *result, struct value_summary *out)
{
	uint64_t n_odd = result->n_nan + result->n_infinite;
	uint64_t n_finite = n_odd < result->n ? result->n - n_odd : 0;
	*out = (struct value_summary){.n = result->n,
				      .n_nan = result->n_nan,
				      .n_infinite = result->n_infinite,
				      .first_odd = result->first_nan < result->first_infinite
							   ? result->first_nan
							   : result->first_infinite,
				      .min = result->min,
				      .max = result->max,
				      .mean = n_finite ? result->sum / (double)n_finite : 0};
}

static void look(const struct check_row *row, struct inspected *out)
{
	bool has_after = row->flags & CHECK_ROW_HAS_AFTER;
	const struct check_result *last = has_after ? &row->after : &row->before;
	*out = (struct inspected){.address = row->address,
				  .number = row->number,
				  .start = row->start,
				  .allocation_size = row->size,
				  .parameter = row->parameter,
				  .offset = row->offset,
				  .size = row->bytes,
				  .type = value_type_of(last->type),
				  .is_guess = last->flags & CHECK_TYPE_WAS_GUESSED,
				  .has_after = has_after,
				  .is_changed = check_rows_is_written(row)};
	summarise(&row->before, &out->before);
	summarise(&row->after, &out->after);
}

/* Collect the rows of a launch, of which this is the first. Return their number. */
static uint32_t collect(const struct bundle_view *view, uint32_t first, struct inspected *out)
{
	uint32_t n = check_rows_count(view, first);
	for (uint32_t i = 0; i < n; i++)
		look(view_check(view, first + i), &out[i]);
	return n;
}

static void print_block(struct printed_process *process, uint64_t sequence,
			const struct inspected *inspected, uint32_t n, FILE *out)
{
	static char block[BLOCK_SIZE]; /* used by one thread only */
	struct text text = text_in(block, sizeof(block));
	text_addf(&text, "%ld  inspected ", process->pid);
	print_producers_launch(process, sequence, &text);
	text_add(&text, "\n");
	print_inspected(process, sequence, inspected, n, &text);
	fwrite(block, 1, (size_t)(text.at - block), out);
}

void print_checks(struct printed_process *process, bool is_end, FILE *out)
{
	static struct inspected inspected[CHECK_MAX_RANGES];
	uint64_t n_rows = process->view.tables[JOURNAL_CHECKS].n_rows;
	while (process->n_checks < n_rows && process->n_checks < CHECK_ROWS_MAX) {
		uint32_t first = (uint32_t)process->n_checks + 1;
		const struct check_row *row = view_check(&process->view, first);
		uint32_t n = collect(&process->view, first, inspected);
		if (!is_end && !print_producers_are_known(process, row->sequence))
			return;
		if (row->flags & CHECK_ROW_INSPECTED)
			print_block(process, row->sequence, inspected, n, out);
		process->n_checks += n;
	}
}

/* Use the rings as well: the reader's thread has finished. They say which launch a replay was. */
static void find_story(struct printed_process *process, struct nan_story *out)
{
	memcpy(process->view.rings, process->rings_view.rings, sizeof(process->view.rings));
	process->view.n_rings = process->rings_view.n_rings;
	nan_story_find(&process->view, NULL, out);
}

void print_checks_nan(struct printed_process *process, FILE *out)
{
	static char block[BLOCK_SIZE]; /* used by one thread only */
	struct text text = text_in(block, sizeof(block));
	struct nan_story story;
	uint64_t n_lost = process->view.tables[JOURNAL_CHECKS].lost +
			  process->view.tables[JOURNAL_GRAPH_CHECKS].lost;
	find_story(process, &story);
	if (story.origin == NAN_NONE && !n_lost)
		return;
	text_addf(&text, "%ld  first NaN: ", process->pid);
	if (story.origin == NAN_NONE) {
		text_add(&text, "none found");
	} else {
		report_nan_origin(&process->report, &story, &text);
		text_add(&text, "\n  ");
		report_nan_values(&process->report, &story, &text);
	}
	if (story.n_links) {
		text_add(&text, "\n  ");
		report_nan_links(&process->report, &story, &text);
	}
	if (n_lost)
		text_addf(&text,
			  "\n  %" PRIu64 " checks are missing: the GPU was too far "
			  "behind, or memory or the journal was full",
			  n_lost);
	text_add(&text, "\n");
	fwrite(block, 1, (size_t)(text.at - block), out);
}
