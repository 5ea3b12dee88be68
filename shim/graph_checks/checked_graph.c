/*
 * checked_graph.c - choose the kernels, place their checks, and follow changes.
 */
#include "graph_checks/checked_graph.h"

#include <sys/mman.h>

#include "graph_checks/check_nodes.h"
#include "graph_checks/node_edges.h"
#include "record/driver/driver.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graph_pairs.h"
#include "record/graphs/graph_walk.h"
#include "record/objects/functions.h"
#include "record/objects/ranges.h"
#include "record/streams/contexts.h"
#include "record/thread.h"

static const struct driver *driver; /* written at the start only */

void checked_graph_start(const struct driver *real_driver)
{
	driver = real_driver;
}

static const struct checked_node *end_of(const struct checked_graph *checked)
{
	return checked->nodes + checked->n_nodes;
}

/* Return why a graph with this node has no checks; NULL: it may have some. */
static const char *refuse(CUgraphNode node, CUgraphNodeType type)
{
	switch (type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return graph_walk_is_updatable(node) ? "kernels on the device may change a node"
						     : NULL;
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
	case CU_GRAPH_NODE_TYPE_MEM_FREE:
		return "it allocates or frees memory";
	case CU_GRAPH_NODE_TYPE_MEMCPY:
	case CU_GRAPH_NODE_TYPE_MEMSET:
	case CU_GRAPH_NODE_TYPE_HOST:
	case CU_GRAPH_NODE_TYPE_GRAPH:
	case CU_GRAPH_NODE_TYPE_EMPTY:
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		return NULL;
	default:
		return "it has conditional nodes, or nodes of an unknown kind";
	}
}

struct survey {
	const struct check_choice *choice;
	const char *rejection;
	bool is_chosen; /* a kernel is */
};

/* The driver may refuse to copy a graph with conditional or memory nodes, so look first. */
static void look(const struct graph_visit *visit, void *data)
{
	struct survey *survey = data;
	CUDA_KERNEL_NODE_PARAMS params;
	if (!survey->rejection)
		survey->rejection = refuse(visit->node, visit->type);
	if (visit->type == CU_GRAPH_NODE_TYPE_KERNEL && !survey->is_chosen &&
	    graph_walk_params(visit->node, &params))
		survey->is_chosen = survey->choice->is_chosen(graph_walk_kernel(&params));
}

/* The check runs in the current context, so the kernel must, too. */
static bool is_of_current_context(const CUDA_KERNEL_NODE_PARAMS *params)
{
	CUcontext current = NULL;
	return !params->ctx ||
	       (real.cuCtxGetCurrent(&current) == CUDA_SUCCESS && params->ctx == current);
}

/*
 * List what a kernel's parameters point to. The list is empty for a kernel without pointers.
 * Earlier results are those of another list, if this one differs.
 */
static void list_ranges(struct checked_graph *checked, struct checked_node *node,
			const CUDA_KERNEL_NODE_PARAMS *params)
{
	const struct context *owner = contexts_known(checked->owner);
	struct thread *thread = thread_self();
	const struct function *function =
		thread ? functions_of(&thread->functions, graph_walk_kernel(params)) : NULL;
	uint32_t id = function ? function->id : 0;
	struct node_ranges list = {.n = 0};
	if (function && owner)
		node_ranges_find(function, params, owner, &list);
	if (node->version && id == node->function && node_ranges_are_equal(&list, &node->list))
		return;
	node->version = ++checked->version;
	node->function = id;
	node->list = list;
}

/* False: the graph has a kernel of another context. */
static bool choose(struct checked_graph *checked, struct checked_node *node,
		   const struct graph_pair *pair, const struct check_choice *choice)
{
	CUDA_KERNEL_NODE_PARAMS params;
	*node = (struct checked_node){.node = pair->node,
				      .copy = pair->copy,
				      .graph = pair->copy_graph,
				      .holder = pair->holder,
				      .stack = graph_origins_get(pair->node).stack};
	if (pair->type != CU_GRAPH_NODE_TYPE_KERNEL || !graph_walk_params(pair->node, &params) ||
	    !choice->is_chosen(graph_walk_kernel(&params)))
		return true;
	list_ranges(checked, node, &params);
	node->has_checks = node->list.n > 0;
	checked->n_checked += node->has_checks;
	return is_of_current_context(&params);
}

/* List the ranges of the kernels that have checks, which may be other kernels by now. */
static void renew_ranges(struct checked_graph *checked, struct checked_node *nodes,
			 const struct graph_pairs *pairs)
{
	for (uint32_t i = 0; i < pairs->n_pairs; i++) {
		CUDA_KERNEL_NODE_PARAMS params;
		if (!nodes[i].has_checks)
			continue;
		nodes[i].stack = graph_origins_get(pairs->pairs[i].node).stack;
		if (pairs->pairs[i].type == CU_GRAPH_NODE_TYPE_KERNEL &&
		    graph_walk_params(pairs->pairs[i].node, &params))
			list_ranges(checked, &nodes[i], &params);
		else
			nodes[i].list.n = 0;
	}
}

/* See node_checks.h for what joins the checks of two nodes. */
static void join_checks(struct checked_node *nodes, const struct graph_pairs *pairs)
{
	for (uint32_t i = 1; i < pairs->n_pairs; i++) {
		const struct graph_pair *pair = &pairs->pairs[i];
		nodes[i].is_joined = nodes[i].has_checks && nodes[i - 1].has_checks &&
				     node_edges_follow(pair->node, pair[-1].node, true) &&
				     node_edges_is_only_one_after(pair[-1].node, pair->node);
	}
}

/*
 * In a row of nodes the last check counts the runs of all. So the others need not find out which of
 * their blocks finishes last, which takes a third of a short check.
 */
static void choose_counter(struct checked_graph *checked)
{
	bool may_count = checked->is_linear && (checked->mode.flags & CHECK_ODD_ONLY);
	for (uint32_t i = 0; may_count && i < checked->n_nodes; i++)
		if (checked->nodes[i].has_checks)
			checked->counter = checked->nodes[i].slots[AFTER].device_scratch;
}

static void fill_order(const struct checked_graph *checked, struct checked_node *node,
		       enum check_when when, struct check_order *out)
{
	node_checks_fill_order(node, end_of(checked), when, &checked->mode, out);
	if (checked->counter)
		out->counter = checked->counter;
}

static bool take_slots(struct checked_graph *checked)
{
	for (struct checked_node *node = checked->nodes; node < end_of(checked); node++) {
		if (!node->has_checks)
			continue;
		if (node->is_joined)
			node->slots[BEFORE] = node[-1].slots[AFTER];
		else if (!check_take_slots(checked->context, 1, &node->slots[BEFORE]))
			return false;
		if (!check_take_slots(checked->context, 1, &node->slots[AFTER]))
			return false;
	}
	return true;
}

/* Add the checks of nodes[i] to the copy in pairs[i], all of one kind. */
static bool add_all(struct checked_graph *checked, struct checked_node *nodes,
		    const struct graph_pairs *pairs, enum check_when when, bool is_ours)
{
	CUfunction check = check_kernel(checked->context, checked->mode.flags);
	CUgraphNode (*add)(CUgraph, CUgraphNode, CUfunction, struct check_order *) =
		when == BEFORE ? check_nodes_add_before : check_nodes_add_after;
	for (uint32_t i = 0; i < pairs->n_pairs; i++) {
		const struct graph_pair *pair = &pairs->pairs[i];
		struct check_order order;
		if (!nodes[i].has_checks || (when == BEFORE && nodes[i].is_joined))
			continue;
		fill_order(checked, &nodes[i], when, &order);
		CUgraphNode added = add(pair->copy_graph, pair->copy, check, &order);
		if (!added)
			return false;
		if (is_ours)
			nodes[i].checks[when] = added;
	}
	return true;
}

/* Nodes of programmatic launches overlap in the copy, too, if neither has checks. */
static bool is_linear(const struct checked_node *nodes, const struct graph_pairs *pairs)
{
	for (uint32_t i = 0; i < pairs->n_pairs; i++) {
		const struct graph_pair *pair = &pairs->pairs[i];
		bool is_full = nodes[i].has_checks || (i && nodes[i - 1].has_checks);
		if (pair->holder ||
		    !node_edges_follow(pair->node, i ? pair[-1].node : NULL, is_full))
			return false;
	}
	return true;
}

static const char *place_checks(const struct graph_pairs *pairs, const struct check_choice *choice,
				struct checked_graph *checked)
{
	if (!pairs->is_complete)
		return "the driver does not pair its nodes with those of a copy";
	for (uint32_t i = 0; i < pairs->n_pairs; i++)
		if (!choose(checked, &checked->nodes[i], &pairs->pairs[i], choice))
			return "a kernel runs in another context";
	if (!checked->n_checked)
		return "";
	/* By now the pointers of all nodes are known: where one leads to, the part before it ends.
	 */
	renew_ranges(checked, checked->nodes, pairs);
	checked->is_linear = is_linear(checked->nodes, pairs);
	join_checks(checked->nodes, pairs);
	checked->context = check_current_context();
	if (!checked->context || !take_slots(checked))
		return "there is no memory, or no checking kernel for this context";
	choose_counter(checked);
	if (!add_all(checked, checked->nodes, pairs, BEFORE, true) ||
	    !add_all(checked, checked->nodes, pairs, AFTER, true))
		return "the driver refused a check between its nodes";
	return NULL;
}

static bool make_list(uint32_t n_nodes, struct checked_graph *checked)
{
	checked->bytes = n_nodes * sizeof(*checked->nodes);
	void *memory = mmap(NULL, checked->bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	checked->nodes = memory;
	checked->n_nodes = n_nodes;
	return true;
}

static const char *fill(CUgraph graph, const struct check_choice *choice,
			struct checked_graph *checked)
{
	struct graph_pairs pairs;
	const char *rejection = NULL;
	if (real.cuGraphClone(&checked->copy, graph) != CUDA_SUCCESS)
		return "the driver does not copy it";
	if (!graph_pairs_open(graph, checked->copy, &pairs))
		return "it has no nodes, or the driver does not list them";
	rejection = make_list(pairs.n_pairs, checked) ? place_checks(&pairs, choice, checked)
						      : "there is no memory";
	graph_pairs_close(&pairs);
	return rejection;
}

const char *checked_graph_make(CUgraph graph, unsigned long long flags,
			       const struct check_choice *choice, struct checked_graph *out)
{
	struct survey survey = {.choice = choice};
	const struct context *context = contexts_current();
	*out = (struct checked_graph){.generation = ranges_generation(),
				      .mode = choice->mode,
				      .owner = context ? context->handle : NULL,
				      .owner_id = context ? context->id : 0};
	bool is_listed = graph_walk(graph, look, &survey) == 0;
	if (!survey.is_chosen)
		return "";
	const char *rejection = context ? survey.rejection : "no context is current";
	if (!is_listed && !rejection)
		rejection = "the driver does not list its nodes";
	if (!rejection)
		rejection = fill(graph, choice, out);
	if (!rejection &&
	    driver->cuGraphInstantiateWithFlags(&out->instance, out->copy, flags) != CUDA_SUCCESS)
		rejection = "the driver did not instantiate the copy";
	if (rejection)
		checked_graph_destroy(out);
	return rejection;
}

bool checked_graph_has_owner(CUcontext owner, uint32_t owner_id)
{
	const struct context *context = contexts_known(owner);
	return context && context->id == owner_id && !contexts_is_ending(context);
}

void checked_graph_destroy(struct checked_graph *checked)
{
	bool has_owner = checked_graph_has_owner(checked->owner, checked->owner_id);
	if (has_owner && checked->instance)
		(void)driver->cuGraphExecDestroy(checked->instance);
	if (has_owner && checked->copy)
		(void)driver->cuGraphDestroy(checked->copy);
	if (checked->nodes)
		(void)munmap(checked->nodes, checked->bytes);
	*checked = (struct checked_graph){0};
}

static struct checked_node *find_between(const struct checked_graph *checked, CUgraphNode node,
					 uint32_t from, uint32_t end)
{
	for (uint32_t i = from; i < end; i++)
		if (checked->nodes[i].node == node)
			return &checked->nodes[i];
	return NULL;
}

/* Start where the last search ended: programs that change many nodes do so in order. */
struct checked_node *checked_graph_find(struct checked_graph *checked, CUgraphNode node)
{
	struct checked_node *found = find_between(checked, node, checked->cursor, checked->n_nodes);
	if (!found)
		found = find_between(checked, node, 0, checked->cursor);
	if (found)
		checked->cursor = (uint32_t)(found - checked->nodes) + 1;
	return found;
}

CUgraph checked_graph_imitate(struct checked_graph *checked, struct checked_node *holder,
			      CUgraph graph)
{
	struct graph_pairs pairs;
	CUgraph copy = NULL;
	struct checked_node *nodes = holder ? holder + 1 : checked->nodes;
	if (real.cuGraphClone(&copy, graph) != CUDA_SUCCESS)
		return NULL;
	if (!graph_pairs_open(graph, copy, &pairs)) {
		(void)driver->cuGraphDestroy(copy);
		return NULL;
	}
	bool is_made = pairs.is_complete &&
		       pairs.n_pairs <= (uint32_t)(checked->nodes + checked->n_nodes - nodes);
	if (is_made)
		renew_ranges(checked, nodes, &pairs);
	is_made = is_made && add_all(checked, nodes, &pairs, BEFORE, false) &&
		  add_all(checked, nodes, &pairs, AFTER, false);
	graph_pairs_close(&pairs);
	if (!is_made)
		(void)driver->cuGraphDestroy(copy);
	return is_made ? copy : NULL;
}

static bool set_checks(const struct checked_graph *checked, struct checked_node *node)
{
	CUfunction check = check_kernel(checked->context, checked->mode.flags);
	CUgraphNode nodes[N_WHEN] = {node->is_joined ? node[-1].checks[AFTER]
						     : node->checks[BEFORE],
				     node->checks[AFTER]};
	for (enum check_when when = BEFORE; when < N_WHEN; when++) {
		struct check_order order;
		fill_order(checked, node, when, &order);
		if (!check_nodes_set(checked->instance, nodes[when], check, &order))
			return false;
	}
	return true;
}

bool checked_graph_set_ranges(struct checked_graph *checked, struct checked_node *node,
			      const CUDA_KERNEL_NODE_PARAMS *params)
{
	if (!node->has_checks)
		return true;
	list_ranges(checked, node, params);
	return set_checks(checked, node);
}

bool checked_graph_drop_freed(const struct checked_graph *checked, struct checked_node *node)
{
	node_ranges_drop_freed(&node->list);
	return set_checks(checked, node);
}
