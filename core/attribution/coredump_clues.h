/*
 * coredump_clues.h - what submissions are compared with: the digest of a core dump, and facts about
 * it that are found once, before. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_CLUES_H
#define CULPRIT_VERDICT_COREDUMP_CLUES_H

#include <stdbool.h>
#include <stdint.h>

#include "coredump/gpu_fault.h"
#include "progress/moment.h"
#include "view/bundle_view.h"

enum coredump_fit { COREDUMP_RULED_OUT, COREDUMP_POSSIBLE, COREDUMP_SURE };

struct coredump_clues {
	const struct bundle_view *view;
	const struct gpu_fault *fault;
	struct moment moment;  /* of the failure */
	uint32_t naming_grids; /* see coredump_naming_grids() */
	bool is_application;   /* see coredump_is_application() */
};

#endif
