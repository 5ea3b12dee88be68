/*
 * checked_execs.c - find checked graphs by handle, and keep their launches in order.
 */
#include "graph_checks/checked_execs.h"

#include <pthread.h>

#include "failure/failure.h"
#include "graph_checks/graph_findings.h"
#include "record/driver/driver.h"
#include "record/graphs/graph_snapshot.h"
#include "record/graphs/graphs.h"
#include "record/host/arena.h"
#include "record/host/clock.h"
#include "record/host/handle_map.h"
#include "record/host/recording.h"
#include "record/objects/ranges.h"
#include "record/streams/contexts.h"

#define ASK_EVERY_NS 100000000ull

static const struct driver *driver; /* written at the start only */
static struct handle_map map;       /* CUgraphExec -> struct checked_exec */

/* Guards the lists. Findings are written under it, too; the driver is not called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct checked_exec *all, *free_ones;
static bool is_finished; /* the last findings are written */

void checked_execs_start(const struct driver *real_driver)
{
	driver = real_driver;
}

/* A forked child has neither the answers nor the other threads, which may hold locks. */
struct checked_exec *checked_execs_find(CUgraphExec exec)
{
	uint64_t value = 0;
	if (!exec || !recording_is_on() || !handle_map_get(&map, (uintptr_t)exec, &value))
		return NULL;
	return (struct checked_exec *)(uintptr_t)value;
}

static struct checked_exec *take(void)
{
	pthread_mutex_lock(&lock);
	struct checked_exec *checked = free_ones;
	if (checked)
		free_ones = checked->next;
	pthread_mutex_unlock(&lock);
	return checked ? checked : arena_alloc_aside(sizeof(*checked));
}

static void enlist(struct checked_exec *checked)
{
	pthread_mutex_lock(&lock);
	checked->next = all;
	all = checked;
	pthread_mutex_unlock(&lock);
}

/* Under lock. */
static void write_last(struct checked_exec *checked)
{
	if (!is_finished)
		graph_findings_write_last(checked);
}

/* Report what the graph found, and take it off the list. */
static void delist(struct checked_exec *checked)
{
	pthread_mutex_lock(&lock);
	write_last(checked);
	struct checked_exec **at = &all;
	while (*at && *at != checked)
		at = &(*at)->next;
	if (*at)
		*at = checked->next;
	pthread_mutex_unlock(&lock);
}

static void free_checked(struct checked_exec *checked)
{
	pthread_mutex_lock(&lock);
	*checked = (struct checked_exec){.next = free_ones};
	free_ones = checked;
	pthread_mutex_unlock(&lock);
}

void checked_execs_add(CUgraphExec exec, struct checked_graph *made, const char *reason)
{
	/* Without its table the verdict would not know that a check may have failed. */
	struct checked_exec *checked = graph_findings_prepare() ? take() : NULL;
	if (!checked) {
		checked_graph_destroy(made);
		return;
	}
	*checked = (struct checked_exec){
		.graph = *made, .handle = exec, .reason = reason, .generation = made->generation};
	enlist(checked);
	if (handle_map_put(&map, (uintptr_t)exec, (uintptr_t)checked))
		return;
	delist(checked);
	checked_graph_destroy(&checked->graph);
	free_checked(checked);
}

static void write_new(struct checked_exec *checked)
{
	pthread_mutex_lock(&lock);
	graph_findings_write_new(checked);
	pthread_mutex_unlock(&lock);
}

/*
 * Memory that the checks would read was freed: a kernel need not use all that it is given. The
 * findings there are written first, while its size is known.
 */
static void follow_frees(struct checked_exec *checked)
{
	uint64_t generation = ranges_generation();
	if (checked->generation == generation)
		return;
	checked->generation = generation;
	bool is_written = false;
	for (uint32_t i = 0; checked->graph.instance && i < checked->graph.n_nodes; i++) {
		struct checked_node *node = &checked->graph.nodes[i];
		if (!node->has_checks || node_ranges_are_live(&node->list))
			continue;
		if (!is_written)
			write_new(checked);
		is_written = true;
		if (!checked_graph_drop_freed(&checked->graph, node))
			checked_exec_give_up(checked, "the driver refused a change of a check");
	}
}

static void ask(struct checked_exec *checked)
{
	uint64_t now_ns = clock_kernel_ns();
	if (now_ns - checked->asked_ns < ASK_EVERY_NS)
		return;
	checked->asked_ns = now_ns;
	write_new(checked);
}

static void identify(struct checked_exec *checked, CUgraphExec exec)
{
	const struct graph_snapshot *snapshot = graphs_snapshot(exec);
	checked->number = snapshot ? snapshot->number : 0;
	checked->stack = snapshot ? graph_snapshot_stack(snapshot) : 0;
	if (snapshot && checked->graph.instance)
		graph_snapshot_note_checks(snapshot);
}

static void tell_reason(struct checked_exec *checked)
{
	if (!checked->reason)
		return;
	pthread_mutex_lock(&lock);
	graph_findings_write_reason(checked);
	pthread_mutex_unlock(&lock);
	checked->reason = NULL;
}

CUgraphExec checked_exec_begin_launch(struct checked_exec *checked, CUgraphExec exec,
				      CUstream stream)
{
	identify(checked, exec);
	if (checked->graph.instance && !failure_has_happened()) {
		follow_frees(checked);
		ask(checked);
	}
	tell_reason(checked);
	if (checked->graph.instance)
		return checked->graph.instance;
	if (checked->is_owed) {
		(void)driver->cuStreamWaitEvent(stream, checked->finished, 0);
		checked->is_owed = false;
	}
	return exec;
}

static void make_event(struct checked_exec *checked)
{
	const struct context *current = contexts_current();
	if (!current ||
	    driver->cuEventCreate(&checked->finished, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
		checked->finished = NULL;
		return;
	}
	checked->owner = current->handle;
	checked->owner_id = current->id;
}

/* An event is of one context, and so is a checked graph, but its launches may be elsewhere. */
void checked_exec_launched(struct checked_exec *checked, CUstream stream)
{
	checked->n_replays++;
	checked->is_launched = true;
	if (checked->finished && !checked_graph_has_owner(checked->owner, checked->owner_id))
		checked->finished = NULL; /* it was destroyed with its context */
	if (!checked->finished)
		make_event(checked);
	if (checked->finished)
		(void)driver->cuEventRecord(checked->finished, stream);
}

/* Programs that change many nodes do so between two launches. */
void checked_exec_before_change(struct checked_exec *checked)
{
	if (!checked->is_launched)
		return;
	checked->is_launched = false;
	write_new(checked);
}

/*
 * A check between two nodes has new results for what the first is given. So it no longer shows that
 * the second one's arguments were odd before it.
 */
void checked_exec_after_change(struct checked_exec *checked, uint32_t version)
{
	struct checked_graph *graph = &checked->graph;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 1; i < graph->n_nodes; i++)
		if (graph->nodes[i].is_joined && graph->nodes[i - 1].version > version)
			graph->nodes[i].since = checked->n_replays;
	pthread_mutex_unlock(&lock);
}

void checked_exec_give_up(struct checked_exec *checked, const char *reason)
{
	if (!checked->graph.instance)
		return;
	pthread_mutex_lock(&lock);
	write_last(checked);
	/* Another thread may write the last findings of all graphs from now on. */
	struct checked_graph graph = checked->graph;
	checked->graph = (struct checked_graph){0};
	pthread_mutex_unlock(&lock);
	checked->reason = reason;
	checked->is_owed = checked->n_replays && checked->finished;
	checked_graph_destroy(&graph);
}

void checked_execs_remove(CUgraphExec exec)
{
	uint64_t value = 0;
	if (!handle_map_take(&map, (uintptr_t)exec, &value))
		return;
	struct checked_exec *checked = (struct checked_exec *)(uintptr_t)value;
	delist(checked);
	if (checked->finished && checked_graph_has_owner(checked->owner, checked->owner_id))
		(void)driver->cuEventDestroy_v2(checked->finished);
	checked_graph_destroy(&checked->graph);
	free_checked(checked);
}

void checked_execs_finish(void)
{
	if (!check_lock_at_end(&lock))
		return;
	for (struct checked_exec *at = all; at; at = at->next)
		write_last(at);
	is_finished = true;
	pthread_mutex_unlock(&lock);
}
