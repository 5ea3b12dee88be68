/*
 * fault_story.h - what the driver said of the fault, read from the journal and compared: the memory
 * fault or the exception, and the program counters. Pure. Any thread.
 */
#ifndef CULPRIT_FAULT_FAULT_STORY_H
#define CULPRIT_FAULT_FAULT_STORY_H

#include <stdbool.h>
#include <stdint.h>

#include "fault/code_extents.h"
#include "view/bundle_view.h"

/*
 * FAULT_STORY_MEMORY     the GPU's memory management refused an access: a page, no program counter
 * FAULT_STORY_EXCEPTION  an SM stopped a warp: a program counter, and mostly an address
 * A story of both may be two faults, of which either may have been the first.
 */
enum fault_story_kind {
	FAULT_STORY_NONE,
	FAULT_STORY_MEMORY,
	FAULT_STORY_EXCEPTION,
	FAULT_STORY_BOTH
};

/* Rows belong to the view. */
struct fault_story {
	enum fault_story_kind kind;
	const struct fault_row *memory;    /* the first memory fault; NULL: none has a row */
	const struct fault_row *exception; /* the first exception; NULL: none */
	uint64_t n_memory, n_exceptions;   /* how many there were */
	uint64_t pcs[EXTENTS_PCS_MAX];     /* of exceptions, each once */
	uint32_t n_pcs;
	bool are_pcs_whole;    /* each exception's is among these */
	bool are_accesses;     /* all exceptions are about addresses: some instruction used one */
	bool are_events_whole; /* nvidia-uvm's events were read, and have each memory fault */
	/* The driver's list of MMU faults has pages, and all of them are pages of events. */
	bool are_pages_confirmed;
	bool is_one_context; /* all exceptions are of the only context that lived */
	bool is_first_known; /* no memory fault came before `memory` */
};

void fault_story_read(const struct bundle_view *view, struct fault_story *out);

/*
 * True if the program counters can clear work, should the code around them be known: attribution.h,
 * 15. `code` (CUresult) and `flags` are the failure's.
 */
bool fault_story_clears(const struct fault_story *story, int32_t code, uint32_t flags);

/*
 * True if it also clears work that is no kernel: this work's memory faults leave an event, and no
 * exception.
 */
bool fault_story_clears_copies(const struct fault_story *story, int32_t code);

#endif
