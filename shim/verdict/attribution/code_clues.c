/*
 * code_clues.c - see code_clues.h.
 */
#include "verdict/attribution/code_clues.h"

enum { CODE_ASSERT = 710 }; /* CUDA_ERROR_ASSERT */

/* Of the use of its row that is meant. */
static bool is_proven(const struct bundle_view *view, uint32_t function,
		      const uint8_t *asserts_never, uint32_t n_functions)
{
	uint32_t place = row_id_place(function);

	return view_function(view, function) && place < n_functions && asserts_never[place];
}

void code_clear_work(struct progress *progress, const uint8_t *asserts_never, uint32_t n_functions)
{
	struct journal_record record;

	if (progress->moment.code != CODE_ASSERT || !asserts_never)
		return;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		struct open_work *open = &progress->open[i];

		open->is_harmless =
			open->work == WORK_KERNEL &&
			view_record(progress->view, open->slot, open->position, &record) &&
			record.sequence == open->sequence && record.kind == RECORD_SUBMISSION &&
			record.work == WORK_KERNEL &&
			is_proven(progress->view, record.launch.function, asserts_never,
				  n_functions);
	}
}
