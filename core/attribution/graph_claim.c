/*
 * graph_claim.c - read the nodes of a launched graph as they were at that launch.
 */
#include "attribution/graph_claim.h"

#include <string.h>

#include "attribution/check_doubt.h"
#include "base/failure_class.h"

/* Set *node to its state in `version` of its graph, by following newer states back. */
static bool find_version(const struct bundle_view *view, uint32_t version,
			 struct graph_node_row *node)
{
	while (node->version > version) {
		struct graph_node_row older;
		/* Rows of old states may be lost. Each step of a valid chain goes back. */
		if (!view_graph_node_copy(view, node->older, &older) ||
		    older.number != node->number || older.index != node->index ||
		    older.version >= node->version)
			return false;
		*node = older;
	}
	return true;
}

/* A node that a kernel may have enabled counts as on. */
static bool is_off(const struct graph_node_row *node)
{
	return node->flags & GRAPH_NODE_DISABLED && !(node->flags & GRAPH_NODE_UPDATABLE);
}

static bool is_candidate(const struct graph_node_row *node, int32_t code)
{
	if (node->work == NODE_WORK_NONE || is_off(node))
		return false;
	/* The nodes of a child graph are in the list themselves. */
	return node->work != WORK_GRAPH && failure_may_come_from(code, node->work);
}

static bool are_same(const uint32_t *known, const uint32_t *node)
{
	return known[0] == 0 || memcmp(known, node, 3 * sizeof(*known)) == 0;
}

static bool have_same_shape(const struct graph_node_row *node, const struct graph_match *match)
{
	bool is_any_grid = node->flags & GRAPH_NODE_COOPERATIVE && match->is_cooperative_grid;
	return node->flags & GRAPH_NODE_UPDATABLE ||
	       ((is_any_grid || are_same(match->grid, node->grid)) &&
		are_same(match->block, node->block));
}

/* Compare the bytes that both sides have, parameter by parameter: gaps have no meaning. */
static bool have_same_parameters(const struct bundle_view *view,
				 const struct function_row *function,
				 const struct graph_node_row *node, const struct graph_match *match)
{
	size_t n_known = node->argument_bytes < sizeof(node->arguments) ? node->argument_bytes
									: sizeof(node->arguments);
	const unsigned char *bytes = match->parameters;
	if (!bytes || function->n_parameters == UINT32_MAX || node->flags & GRAPH_NODE_UPDATABLE)
		return true;
	if (n_known > match->parameter_bytes)
		n_known = match->parameter_bytes;
	for (uint32_t i = 0; i < function->n_parameters; i++) {
		const struct parameter_row *row =
			view_parameter(view, function->first_parameter + i);
		if (!row || row->offset > n_known || row->size > n_known - row->offset)
			break;
		if (memcmp(bytes + row->offset, node->arguments + row->offset, row->size) != 0)
			return false;
	}
	return true;
}

/* The names that the journal has for the matched handle, which may have been used again. */
enum { MAX_NAMES = 4 };
struct known_names {
	uint32_t n; /* above MAX_NAMES: too many, so the names prove nothing */
	uint32_t names[MAX_NAMES];
};

static struct known_names names_of(const struct bundle_view *view, uint64_t handle)
{
	uint64_t n_rows = view->tables[JOURNAL_FUNCTIONS].n_rows;
	struct known_names known = {0};
	for (uint64_t place = 1; place <= n_rows && place <= UINT32_MAX; place++) {
		uint32_t id = view_id_at(view, JOURNAL_FUNCTIONS, (uint32_t)place);
		const struct function_row *row = view_function(view, id);
		if (!row || row->handle != handle)
			continue;
		if (known.n < MAX_NAMES)
			known.names[known.n] = row->name;
		known.n++;
	}
	return known;
}

/* True if both names are known and differ. */
static bool are_different(const struct bundle_view *view, uint32_t name, uint32_t other)
{
	size_t length = 0;
	const char *bytes = view_string(view, name, &length);
	size_t other_length = 0;
	const char *other_bytes = view_string(view, other, &other_length);
	return length > 0 && other_length > 0 &&
	       (length != other_length || memcmp(bytes, other_bytes, length) != 0);
}

static bool is_other_kernel(const struct bundle_view *view, const struct known_names *known,
			    const struct function_row *function)
{
	if (known->n == 0 || known->n > MAX_NAMES)
		return false;
	for (uint32_t i = 0; i < known->n; i++) {
		if (!are_different(view, known->names[i], function->name))
			return false;
	}
	return true;
}

static bool has_other_name(const struct bundle_view *view, const struct function_row *function,
			   const struct graph_match *match)
{
	const char *name = view_string(view, function->name, NULL);
	return match->name && *match->name && *name && strcmp(name, match->name) != 0;
}

/* True if the match can be this node's kernel, as far as the node's row shows. */
static bool is_match(const struct bundle_view *view, const struct graph_node_row *node,
		     const struct graph_match *match, const struct known_names *known)
{
	const struct function_row *function = view_function(view, node->function);
	if (match->may_be)
		return match->may_be(match->state, node);
	if (node->work != WORK_KERNEL)
		return node->work == NODE_WORK_UNKNOWN;
	if (!function)
		return have_same_shape(node, match);
	return !is_other_kernel(view, known, function) && !has_other_name(view, function, match) &&
	       have_same_shape(node, match) && have_same_parameters(view, function, node, match);
}

/* Insert the node: kernels before other work, each in the graph's own order. */
static void add_candidate(struct graph_claim *claim, const struct graph_node_row *node)
{
	uint64_t n = claim->n_candidates < GRAPH_MAX_CANDIDATES ? claim->n_candidates
								: GRAPH_MAX_CANDIDATES;
	uint64_t at = n;
	while (node->work == WORK_KERNEL && at > 0 && claim->candidates[at - 1].work != WORK_KERNEL)
		at--;
	claim->n_candidates++;
	if (at == GRAPH_MAX_CANDIDATES)
		return;
	if (n == GRAPH_MAX_CANDIDATES)
		n--;
	memmove(&claim->candidates[at + 1], &claim->candidates[at],
		(n - at) * sizeof(claim->candidates[0]));
	claim->candidates[at] = *node;
}

/* The launch's progress by its markers, while its nodes are read in their order. */
struct node_progress {
	uint64_t first_open; /* marked kernels are counted from 1: those before it are finished */
	uint64_t next_open;  /* the first kernel after the next marker */
	uint64_t n_kernels;  /* read so far, without those in child graphs */
	uint32_t interval;   /* 0: nothing is known */
	bool is_linear;
};

static struct node_progress progress_of(const struct graph_row *graph)
{
	if (graph->marked >= graph->n_markers)
		return (struct node_progress){0};
	return (struct node_progress){
		.first_open = (uint64_t)graph->marked * graph->marker_interval + 1,
		.next_open = ((uint64_t)graph->marked + 1) * graph->marker_interval + 1,
		.interval = graph->marker_interval,
		.is_linear = graph->is_linear,
	};
}

/* Count the node. True if it is finished; with branches, only a node with a marker is. */
static bool is_finished(struct node_progress *progress, const struct graph_node_row *node)
{
	bool is_marked_kind = node->work == WORK_KERNEL && node->holder == 0;
	progress->n_kernels += is_marked_kind;
	if (progress->interval == 0)
		return false;
	if (progress->is_linear)
		return progress->n_kernels + !is_marked_kind < progress->first_open;
	return is_marked_kind && progress->n_kernels < progress->first_open &&
	       progress->n_kernels % progress->interval == 0;
}

/* True if the node, which was just counted, comes before the next marker to land. */
static bool is_next(const struct node_progress *progress, const struct graph_node_row *node)
{
	bool is_marked_kind = node->work == WORK_KERNEL && node->holder == 0;
	return progress->is_linear && progress->n_kernels + !is_marked_kind < progress->next_open;
}

/* State of reading the nodes, besides the claim. */
struct reading {
	const struct graph_match *match; /* or NULL */
	struct known_names known;
	struct node_progress progress;
	struct graph_node_row next; /* the first candidate before the next marker */
	uint64_t n_next;            /* number of such candidates */
};

static void read_node(const struct bundle_view *view, const struct graph_node_row *node,
		      int32_t code, struct reading *reading, struct graph_claim *out)
{
	bool is_done = is_finished(&reading->progress, node);
	if (node->work == WORK_KERNEL && !is_off(node))
		out->n_kernels++;
	if (!is_candidate(node, code) ||
	    (reading->match && !is_match(view, node, reading->match, &reading->known)))
		return;
	if (is_done) {
		out->n_finished++;
		return;
	}
	add_candidate(out, node);
	if (is_next(&reading->progress, node) && reading->n_next++ == 0)
		reading->next = *node;
}

/* Read the rows into the claim. Returns false if a row is not what it must be. */
static bool read_nodes(const struct bundle_view *view, const struct graph_row *graph,
		       const struct record_graph *launch, int32_t code, struct reading *reading,
		       struct graph_claim *out)
{
	uint32_t id = graph->first;
	for (uint32_t index = 0; index < graph->n_nodes; index++) {
		struct graph_node_row node;
		if (!view_graph_node_copy(view, id, &node) || node.number != graph->number ||
		    node.index != index)
			return false;
		uint32_t next = node.next;
		if (!find_version(view, launch->version, &node))
			return false;
		read_node(view, &node, code, reading, out);
		id = next;
	}
	return true;
}

void graph_claim_prefer(struct graph_claim *claim, const struct graph_node_row *node)
{
	uint64_t n = claim->n_candidates < GRAPH_MAX_CANDIDATES ? claim->n_candidates
								: GRAPH_MAX_CANDIDATES;
	uint64_t at = 0;
	while (at + 1 < n && claim->candidates[at].index != node->index)
		at++;
	memmove(&claim->candidates[1], &claim->candidates[0], at * sizeof(claim->candidates[0]));
	claim->candidates[0] = *node;
}

bool graph_claim_is_unsure(const struct bundle_view *view)
{
	const struct failure_row *failure = view_failure(view);
	return failure && failure->flags & FAILURE_WORK_UNSEEN;
}

static enum graph_certainty classify(const struct bundle_view *view,
				     const struct graph_claim *claim)
{
	if (claim->flags != 0 || claim->n_candidates == 0)
		return GRAPH_UNKNOWN;
	if (graph_claim_is_unsure(view) || claim->n_candidates > 1)
		return GRAPH_NARROWED;
	return claim->has_checks ? GRAPH_LIKELY : GRAPH_EXACT;
}

/* Checks only read memory. A core dump has the kernel's own function, which no check's node has. */
static bool may_come_from_checks(int32_t code, const struct graph_match *match)
{
	bool is_by_dump = match && !match->may_be;
	return !is_by_dump && check_doubt_raises(code);
}

void graph_claim(const struct bundle_view *view, const struct journal_record *record, int32_t code,
		 const struct graph_match *match, struct graph_claim *out)
{
	const struct record_graph *launch = &record->graph;
	struct reading reading = {.match = match};
	memset(out, 0, sizeof(*out));
	struct graph_row graph;
	if (record->work != WORK_GRAPH || !view_graph_copy(view, launch->row, &graph) ||
	    graph.number != launch->number || graph.handle != launch->handle)
		return;
	out->n_nodes = graph.n_nodes;
	out->flags = graph.flags & ~(uint32_t)GRAPH_HAS_CHECKS;
	out->has_checks = graph.flags & GRAPH_HAS_CHECKS && may_come_from_checks(code, match);
	reading.progress = progress_of(&graph);
	if (match && match->function)
		reading.known = names_of(view, match->function);
	if (!read_nodes(view, &graph, launch, code, &reading, out))
		out->flags |= GRAPH_NODES_LOST;
	out->certainty = classify(view, out);
	if (out->certainty == GRAPH_NARROWED && reading.n_next == 1)
		graph_claim_prefer(out, &reading.next);
}
