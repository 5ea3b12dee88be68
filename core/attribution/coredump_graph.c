/*
 * coredump_graph.c - compare the launch of a graph with what faulted by a core dump: by the graph's
 * kernel nodes, as far as the journal has them.
 */
#include "attribution/coredump_parts.h"

static struct graph_match match_of(const struct gpu_fault_grid *entry)
{
	const struct gpu_grid *grid = &entry->grid;
	struct graph_match match = {.function = grid->function,
				    .name = entry->kernel,
				    .is_cooperative_grid = gpu_is_cooperative_grid(grid),
				    .parameters = grid->parameters.bytes,
				    .parameter_bytes = grid->parameters.size};
	for (int i = 0; i < 3; i++) {
		match.grid[i] = grid->grid[i];
		match.block[i] = grid->block[i];
	}
	return match;
}

/*
 * Claim the nodes that can have been the grid. A node's handle may be a CUkernel, which dumps never
 * name. So if no node has the dump's handle, that clears no node.
 */
static void claim_nodes(const struct bundle_view *view, const struct journal_record *record,
			int32_t code, const struct gpu_fault_grid *entry, struct graph_claim *out)
{
	struct graph_match match = match_of(entry);
	graph_claim(view, record, code, &match, out);
	if (out->n_candidates > 0)
		return;
	match.function = 0;
	graph_claim(view, record, code, &match, out);
}

/* True if the node's row has all of its parameters, so that they were compared. */
static bool has_all_parameters(const struct bundle_view *view, const struct function_row *function,
			       const struct graph_node_row *node)
{
	if (function->n_parameters == 0 || function->n_parameters == UINT32_MAX)
		return false;
	const struct parameter_row *last =
		view_parameter(view, function->first_parameter + function->n_parameters - 1);
	return last && !(node->flags & GRAPH_NODE_ARGUMENTS_CUT) &&
	       (uint64_t)last->offset + last->size <= node->argument_bytes;
}

/*
 * True if all parameters were compared, or both sides have none. Parameters that kernels may change
 * are not compared.
 */
static bool were_parameters_compared(const struct bundle_view *view,
				     const struct function_row *function,
				     const struct graph_node_row *node, const struct gpu_grid *grid)
{
	if (node->flags & GRAPH_NODE_UPDATABLE)
		return false;
	if (!grid->has_parameters)
		return node->argument_bytes == 0;
	return has_all_parameters(view, function, node) &&
	       node->argument_bytes <= grid->parameters.size;
}

/* True if the one node is surely the grid: same function handle, and all parameters compared. */
static bool is_sure(const struct coredump_clues *clues, const struct journal_record *record,
		    const struct gpu_grid *grid, const struct graph_claim *claim)
{
	const struct bundle_view *view = clues->view;
	const struct graph_node_row *node = &claim->candidates[0];
	const struct function_row *function = view_function(view, node->function);
	return claim->certainty == GRAPH_EXACT && node->work == WORK_KERNEL && function &&
	       function->handle == grid->function &&
	       were_parameters_compared(view, function, node, grid) &&
	       coredump_is_in_context(view, &clues->moment, record, grid->context);
}

/*
 * Claim the nodes that run the kernel whose code faulted, for a warp that has exited. The dump does
 * not show which grid ran the code; it may be a kernel that a node's kernel launched. So a node is
 * sure only if it was the only one without the name, too.
 */
static void claim_by_name(const struct bundle_view *view, const struct journal_record *record,
			  int32_t code, const struct gpu_location *location,
			  struct graph_claim *out)
{
	const struct graph_match match = {.name = location->code.function};
	graph_claim(view, record, code, &match, out);
	if (out->certainty != GRAPH_EXACT)
		return;
	struct graph_claim all;
	graph_claim(view, record, code, NULL, &all);
	if (all.certainty != GRAPH_EXACT)
		out->certainty = GRAPH_LIKELY;
}

/* True if the graph has a node other than a kernel that a kernel of the driver's may have done. */
static bool may_use_drivers(const struct bundle_view *view, const struct journal_record *record,
			    int32_t code)
{
	struct graph_claim all;
	graph_claim(view, record, code, NULL, &all);
	return all.n_candidates + all.n_finished > all.n_kernels;
}

static bool is_ruled_out(const struct coredump_clues *clues, const struct journal_record *record,
			 const struct graph_claim *claim)
{
	return claim->n_candidates == 0 && claim->n_nodes > 0 && claim->flags == 0 &&
	       (clues->is_application || !may_use_drivers(clues->view, record, clues->moment.code));
}

static enum coredump_fit fit_grid(const struct coredump_clues *clues,
				  const struct gpu_fault_grid *entry,
				  const struct journal_record *record)
{
	const struct gpu_grid *grid = &entry->grid;
	if (!gpu_is_host_grid(grid))
		return COREDUMP_POSSIBLE;
	struct graph_claim claim;
	claim_nodes(clues->view, record, clues->moment.code, entry, &claim);
	if (is_ruled_out(clues, record, &claim))
		return COREDUMP_RULED_OUT;
	return is_sure(clues, record, grid, &claim) ? COREDUMP_SURE : COREDUMP_POSSIBLE;
}

static enum coredump_fit fit_location(const struct coredump_clues *clues,
				      const struct gpu_location *location,
				      const struct journal_record *record)
{
	if (!location->code.is_kernel)
		return COREDUMP_POSSIBLE;
	struct graph_claim claim;
	claim_by_name(clues->view, record, clues->moment.code, location, &claim);
	return is_ruled_out(clues, record, &claim) ? COREDUMP_RULED_OUT : COREDUMP_POSSIBLE;
}

enum coredump_fit coredump_fit_graph(const struct coredump_clues *clues,
				     const struct journal_record *record)
{
	const struct gpu_fault *fault = clues->fault;
	enum coredump_fit best = COREDUMP_RULED_OUT;
	if (fault->is_partial)
		return COREDUMP_POSSIBLE;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		enum coredump_fit fit = fit_grid(clues, &fault->grids[i], record);
		best = fit > best ? fit : best;
	}
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		enum coredump_fit fit = fit_location(clues, &fault->locations[i], record);
		best = fit > best ? fit : best;
	}
	return best;
}

void coredump_claim_node(const struct bundle_view *view, const struct gpu_fault *fault,
			 int32_t code, const struct journal_record *record, struct graph_claim *out)
{
	bool is_one = fault && fault->n_grids + fault->n_locations == 1 && !fault->is_partial;
	if (is_one && fault->n_grids == 1 && gpu_is_host_grid(&fault->grids[0].grid))
		claim_nodes(view, record, code, &fault->grids[0], out);
	else if (is_one && fault->n_locations == 1 && fault->locations[0].code.is_kernel)
		claim_by_name(view, record, code, &fault->locations[0], out);
	else
		graph_claim(view, record, code, NULL, out);
}
