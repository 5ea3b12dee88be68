/*
 * coredump_parts.h - declarations shared by the files that match a GPU core dump with the journal.
 * Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_COREDUMP_PARTS_H
#define CULPRIT_ATTRIBUTION_COREDUMP_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/graph_claim.h"
#include "coredump/gpu_fault.h"
#include "progress/moment.h"
#include "progress/progress.h"
#include "view/bundle_view.h"

enum coredump_fit { COREDUMP_RULED_OUT, COREDUMP_POSSIBLE, COREDUMP_SURE };

struct coredump_clues {
	const struct bundle_view *view;
	const struct gpu_fault *fault;
	struct moment moment;  /* of the failure */
	uint32_t naming_grids; /* see coredump_naming_grids() */
	bool is_application;   /* see coredump_is_application() */
};

/* coredump_context.c: which context of the journal a core dump means. */

/*
 * True if a dump of the moment means this context by `handle`. A dump shows a green context's work
 * in the primary context.
 */
bool coredump_is_context(const struct bundle_view *view, const struct moment *moment,
			 const struct context_row *context, uint64_t handle);

/* True if the submission was made in that context, and it still existed then. False: not known. */
bool coredump_is_in_context(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record, uint64_t handle);

/* coredump_order.c: the submission that a grid's number points to. */

/*
 * Return the submission that the number of the faulting grid points to, 0 if unknown. Use it only
 * to order suspects.
 */
uint64_t coredump_expected(const struct progress *progress, const struct gpu_fault *fault);

/*
 * coredump_memory.c: copies and memsets that the driver did with a kernel of its own.
 */

/* True for a name of the driver's own kernels. The application may have kernels of that name. */
bool coredump_is_drivers_name(const char *kernel);

/*
 * Return the grids, a bit for each, that are kernels of the driver's and whose parameters have the
 * addresses of a copy or memset in the journal that the driver may have accepted.
 */
uint32_t coredump_naming_grids(const struct progress *progress, const struct gpu_fault *fault);

/* Return whether this copy, memset or memory operation can be what faulted, by its addresses. */
enum coredump_fit coredump_fit_memory(const struct coredump_clues *clues,
				      const struct journal_record *record);

/*
 * coredump_graph.c: compare the launch of a graph with what faulted by a core dump.
 */

/* Return whether this launch of a graph can be what faulted, by its nodes. */
enum coredump_fit coredump_fit_graph(const struct coredump_clues *clues,
				     const struct journal_record *record);

/* Fill *out with the claim on a graph launch's node, using the dump (NULL: none). */
void coredump_claim_node(const struct bundle_view *view, const struct gpu_fault *fault,
			 int32_t code, const struct journal_record *record,
			 struct graph_claim *out);

/*
 * coredump_fit.c: compare one submission with what faulted by a core dump.
 */

/*
 * True if all code that faulted belongs to kernels in the journal. The driver's own kernels do
 * copies and memsets.
 */
bool coredump_is_application(const struct bundle_view *view, const struct gpu_fault *fault);

/* Return whether this submission, in ring `slot`, can be what faulted. */
enum coredump_fit coredump_fit(const struct coredump_clues *clues, uint32_t slot,
			       const struct journal_record *record);

/* Return where on the device this submission faulted, NULL if the dump does not say. */
const struct gpu_location *coredump_location(const struct coredump_clues *clues, uint32_t slot,
					     const struct journal_record *record);

#endif
