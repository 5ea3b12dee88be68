/*
 * coredump_memory.c - copies and memsets that the driver did with a kernel of its own. Such a
 * kernel has its addresses as parameters: destination and source of a copy, the destination of a
 * memset (driver 580.159 on an H200: memcpy32_post, memcpy_post, memcpy128; memset8, memset32).
 * Copies from and to the host, and short memsets, need no kernel and leave no dump.
 */
#include "attribution/coredump_parts.h"

#include <string.h>

#include "base/text.h"
#include "view/record_walk.h"

bool coredump_is_drivers_name(const char *name)
{
	return text_has_prefix(name, "memcpy") || text_has_prefix(name, "memset");
}

/* True if a parameter is in the range. Each aligned 8-byte value counts as a pointer. */
static bool has_address(struct byte_span parameters, uint64_t start, uint64_t bytes)
{
	for (size_t at = 0; at + sizeof(uint64_t) <= parameters.size; at += sizeof(uint64_t)) {
		uint64_t word = span_u64(parameters, at);
		/* The size may be that of a refused call, or of a hostile bundle: any. */
		if (word >= start && word - start < bytes)
			return true;
	}
	return false;
}

/* True if the kernel has this submission's addresses. False if the journal does not have them. */
static bool names(const struct gpu_fault_grid *entry, const struct journal_record *record)
{
	const struct record_memory *memory = &record->memory;
	struct byte_span parameters = entry->grid.parameters;
	if (record->kind != RECORD_SUBMISSION || !gpu_is_host_grid(&entry->grid) ||
	    !has_address(parameters, memory->destination, memory->bytes))
		return false;
	if (record->work == WORK_MEMSET)
		return text_has_prefix(entry->kernel, "memset");
	return record->work == WORK_COPY && text_has_prefix(entry->kernel, "memcpy") &&
	       has_address(parameters, memory->source, memory->bytes);
}

static bool is_named_by(const struct progress *progress, const struct gpu_fault_grid *entry)
{
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk))
		if (names(entry, &walk.record) &&
		    progress_may_be_queued(progress->view, &progress->moment, &walk.record))
			return true;
	return false;
}

uint32_t coredump_naming_grids(const struct progress *progress, const struct gpu_fault *fault)
{
	uint32_t grids = 0;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		const struct gpu_fault_grid *entry = &fault->grids[i];
		if (coredump_is_drivers_name(entry->kernel) && is_named_by(progress, entry))
			grids |= 1u << i;
	}
	return grids;
}

/* The journal has no addresses for copies in two or three dimensions, nor for batches. */
static bool has_addresses(const struct journal_record *record)
{
	return record->work == WORK_MEMOP || record->memory.bytes != 0;
}

static enum coredump_fit fit_grid(const struct coredump_clues *clues, uint32_t index,
				  const struct journal_record *record)
{
	const struct gpu_fault_grid *entry = &clues->fault->grids[index];
	if (names(entry, record))
		return coredump_is_in_context(clues->view, &clues->moment, record,
					      entry->grid.context)
			       ? COREDUMP_SURE
			       : COREDUMP_POSSIBLE;
	return clues->naming_grids >> index & 1 && has_addresses(record) ? COREDUMP_RULED_OUT
									 : COREDUMP_POSSIBLE;
}

enum coredump_fit coredump_fit_memory(const struct coredump_clues *clues,
				      const struct journal_record *record)
{
	enum coredump_fit best = COREDUMP_RULED_OUT;
	if (clues->is_application)
		return COREDUMP_RULED_OUT;
	if (clues->fault->n_locations > 0)
		return COREDUMP_POSSIBLE;
	for (uint32_t i = 0; i < clues->fault->n_grids; i++) {
		enum coredump_fit fit = fit_grid(clues, i, record);
		best = fit > best ? fit : best;
	}
	return best;
}
