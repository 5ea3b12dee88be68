/*
 * graph_run.c - run the nodes of an instantiated graph in the order of their dependencies. The seed
 * decides which of several ready nodes runs first.
 *
 * Memory writes run before all other ready nodes, because a GPU needs almost no time for them. With
 * one after each of 200 kernels on branches, all 117 before the bad kernel's were done (H200,
 * driver 580.159). If memory writes are delayed, they are treated like other nodes.
 */
#include "graphs/graph_run.h"

#include <stdlib.h>

#include "objects.h"
#include "random.h"
#include "settings.h"
#include "sim.h"
#include "work/event.h"
#include "work/work_run.h"

struct graph_plan *graph_plan_reference(struct graph_plan *plan)
{
	plan->n_references++;
	return plan;
}

void graph_plan_release(struct graph_plan *plan)
{
	if (!plan || --plan->n_references > 0)
		return;
	for (size_t i = 0; i < plan->n_nodes; i++) {
		work_release(&plan->nodes[i].work);
		graph_plan_release(plan->nodes[i].child);
		free(plan->nodes[i].dependents);
	}
	free(plan->nodes);
	free(plan);
}

static struct graph_run *run_of(struct compound *compound)
{
	return (struct graph_run *)compound;
}

static const struct graph_run *const_run_of(const struct compound *compound)
{
	return (const struct graph_run *)compound;
}

static void release(struct compound *compound)
{
	struct graph_run *run = run_of(compound);
	for (size_t i = 0; i < run->plan->n_nodes; i++)
		work_release(&run->works[i]);
	free(run->works);
	free(run->n_missing);
	completion_release(run->before);
	completion_release(run->finished);
	graph_plan_release(run->plan);
	free(run);
}

static bool is_prompt(const struct work *work)
{
	return work->kind == WORK_MEMOPS && settings.marker_delay_us == 0;
}

/* One of the nodes that may run. */
struct choice {
	size_t node;
	uint64_t n_ready;
};

static void consider(struct choice *choice, size_t node)
{
	if (settings.seed == 0 && choice->n_ready > 0)
		return;
	if (random_below(++choice->n_ready) == 0)
		choice->node = node;
}

/*
 * A programmatic launch may run as soon as the kernel before it could. Kernels do not ask for what
 * they wait for here, so such a launch may even finish first.
 */
static void consider_early(const struct graph_run *run, struct choice *choice, size_t before)
{
	const struct plan_node *node = &run->plan->nodes[before];
	for (size_t i = 0; settings.seed != 0 && i < node->n_dependents; i++)
		if (node->dependents[i].may_overlap && run->n_missing[node->dependents[i].to] == 1)
			consider(choice, node->dependents[i].to);
}

/* Return the index of a ready node, or the number of nodes if none is ready. */
static size_t choose_node(const struct graph_run *run)
{
	struct choice choice = {.node = run->plan->n_nodes};
	for (size_t i = 0; i < run->plan->n_nodes; i++) {
		if (run->n_missing[i] != 0 || !work_is_ready(&run->works[i]))
			continue;
		if (is_prompt(&run->works[i]))
			return i;
		consider(&choice, i);
		consider_early(run, &choice, i);
	}
	return choice.node;
}

static bool is_ready(const struct compound *compound)
{
	const struct graph_run *run = const_run_of(compound);
	if (run->before && !run->before->is_done)
		return false;
	if (run->n_left == 0)
		return true;
	for (size_t i = 0; i < run->plan->n_nodes; i++)
		if (run->n_missing[i] == 0 && work_is_ready(&run->works[i]))
			return true;
	return false;
}

static bool polls(const struct compound *compound)
{
	const struct graph_run *run = const_run_of(compound);
	for (size_t i = 0; i < run->plan->n_nodes; i++)
		if (run->n_missing[i] == 0 && work_polls(&run->works[i]))
			return true;
	return false;
}

static void finish_node(struct graph_run *run, size_t index)
{
	const struct plan_node *node = &run->plan->nodes[index];
	run->n_missing[index] = SIZE_MAX;
	run->n_left--;
	for (size_t i = 0; i < node->n_dependents; i++)
		run->n_missing[node->dependents[i].to]--;
}

static CUresult step(struct compound *compound)
{
	struct graph_run *run = run_of(compound);
	if (run->n_left > 0) {
		size_t index = choose_node(run);
		if (index == run->plan->n_nodes)
			return WORK_UNFINISHED;
		compound->index = index;
		compound->current = &run->works[index];
		CUresult result = work_run(&run->works[index]);
		if (result != CUDA_SUCCESS)
			return result;
		finish_node(run, index);
	}
	if (run->n_left > 0)
		return WORK_UNFINISHED;
	if (run->finished)
		run->finished->is_done = true;
	return CUDA_SUCCESS;
}

static unsigned count_ends(const struct compound *compound)
{
	const struct graph_plan *plan = const_run_of(compound)->plan;
	unsigned n = 0;
	for (size_t i = 0; i < plan->n_nodes; i++)
		n += plan->nodes[i].n_dependents == 0 ? 1 : 0;
	return n;
}

static const struct compound_parts parts = {
	.is_ready = is_ready,
	.count_ends = count_ends,
	.polls = polls,
	.step = step,
	.release = release,
};

/* Copy a node's work for a launch. Its event is recorded, or waited for, as of the launch. */
static struct work start_work(const struct plan_node *node, uint64_t replay)
{
	if (node->is_disabled)
		return (struct work){.kind = WORK_EMPTY};
	if (node->child)
		return (struct work){.kind = WORK_GRAPH,
				     .graph = graph_run_create(node->child, replay, NULL, NULL)};
	struct work work = work_copy(&node->work);
	if (work.kind == WORK_EVENT_RECORD)
		work.event.completion = event_start_recording(work.event.event);
	else if (work.kind == WORK_EVENT_WAIT && work.event.event->last)
		work.event.completion = completion_reference(work.event.event->last);
	return work;
}

struct compound *graph_run_create(struct graph_plan *plan, uint64_t replay,
				  struct completion *before, struct completion *finished)
{
	struct graph_run *run = sim_alloc(sizeof(*run));
	*run = (struct graph_run){.compound = {.parts = &parts, .replay = replay},
				  .plan = graph_plan_reference(plan),
				  .works = sim_alloc(plan->n_nodes * sizeof(*run->works)),
				  .n_missing = sim_alloc(plan->n_nodes * sizeof(*run->n_missing)),
				  .n_left = plan->n_nodes,
				  .before = before,
				  .finished = finished};
	for (size_t i = 0; i < plan->n_nodes; i++) {
		run->works[i] = start_work(&plan->nodes[i], replay);
		run->n_missing[i] = plan->nodes[i].n_dependencies;
	}
	return &run->compound;
}
