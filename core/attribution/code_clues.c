/*
 * code_clues.c - mark work by the code of its kernel.
 */
#include "attribution/code_clues.h"

enum {
	CODE_ASSERT = 710, /* CUDA_ERROR_ASSERT */
	CODE_LAUNCH_FAILED =
		719, /* CUDA_ERROR_LAUNCH_FAILED, which a trap raises (H200, driver 580.159) */
};

/* Return the facts for the function that used the row at the launch. */
static uint8_t facts_of_function(const struct bundle_view *view, uint32_t function,
				 const struct attribution_facts *facts)
{
	uint32_t place = row_id_place(function);
	return view_function(view, function) && place < facts->n_functions ? facts->code[place] : 0;
}

static uint8_t facts_of(const struct progress *progress, const struct open_work *open,
			const struct attribution_facts *facts)
{
	struct journal_record record;
	if (open->work != WORK_KERNEL ||
	    !view_record(progress->view, open->slot, open->position, &record) ||
	    record.sequence != open->sequence || record.kind != RECORD_SUBMISSION ||
	    record.work != WORK_KERNEL)
		return 0;
	return facts_of_function(progress->view, record.launch.function, facts);
}

void code_mark_work(struct progress *progress, const struct attribution_facts *facts)
{
	int32_t code = progress->moment.code;
	if ((code != CODE_ASSERT && code != CODE_LAUNCH_FAILED) || !facts->code)
		return;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		struct open_work *open = &progress->open[i];
		uint8_t known = facts_of(progress, open, facts);
		open->is_harmless = code == CODE_ASSERT && known & CODE_ASSERTS_NEVER;
		open->can_trap = code == CODE_LAUNCH_FAILED && known & CODE_TRAPS;
	}
}
