/*
 * words_builder.h - the driver's own words of its progress, in a synthetic bundle.
 */
#ifndef CULPRIT_TESTS_WORDS_BUILDER_H
#define CULPRIT_TESTS_WORDS_BUILDER_H

#include "support/bundle_builder.h"

/* Adds a channel, trusted and read, whose counter is `begun`. Returns its id. */
uint32_t builder_channel(struct bundle_builder *builder, uint32_t context, uint32_t started);

/* A word of a stream's kernels' state, read; its id. */
uint32_t builder_kernel_state(struct bundle_builder *builder, uint32_t stream, uint32_t value);

/* The rows, to change them; valid until the next one of their kind is added. */
struct channel_row *builder_channel_row(struct bundle_builder *builder, uint32_t id);
struct kernel_state_row *builder_kernel_state_row(struct bundle_builder *builder, uint32_t id);

#endif
