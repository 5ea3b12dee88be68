/*
 * words_builder.c - see words_builder.h.
 */
#include "support/words_builder.h"

#include "progress/trusted_channels.h"

uint32_t builder_channel(struct bundle_builder *builder, uint32_t context, uint32_t started)
{
	uint32_t id = 0;
	struct channel_row *row = builder_rows(builder, JOURNAL_CHANNELS, 1, &id);
	*row = (struct channel_row){.context = context,
				    .index = id - 1,
				    .trust = CHANNEL_TRUSTED,
				    .n_checks = BELIEF_OF_ONE,
				    .started = started,
				    .is_read = 1};
	return id;
}

uint32_t builder_kernel_state(struct bundle_builder *builder, uint32_t stream, uint32_t value)
{
	uint32_t id = 0;
	struct kernel_state_row *row = builder_rows(builder, JOURNAL_KERNEL_STATES, 1, &id);
	*row = (struct kernel_state_row){.stream = stream, .value = value, .is_read = 1};
	return id;
}

static void *row_of(struct builder_file *file, uint32_t id, size_t size)
{
	return file->bytes + sizeof(struct file_header) + (id - 1) * size;
}

struct channel_row *builder_channel_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_CHANNELS], id, sizeof(struct channel_row));
}

struct kernel_state_row *builder_kernel_state_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_KERNEL_STATES], id, sizeof(struct kernel_state_row));
}
