/*
 * call_parts.h - the stages that call.c runs for the roles of calls. Each runs before or after the
 * driver's call. Slot owner only, no lock held, except where said. Private to this folder.
 */
#ifndef CULPRIT_CALL_CALL_PARTS_H
#define CULPRIT_CALL_CALL_PARTS_H

#include "call/call_state.h"
#include "rejection/rejected_line.h"

/* memory_stages.c: the stages of calls that make memory usable by the GPU, or release it. */

/* Journal the range that a successful call has made. Slot owner only. */
void memory_alloc_after(struct call *call, CUresult result);

/* After a call that succeeded: look whether it gave the program a pool of managed memory. */
void memory_pool_after(const struct call *call);

/*
 * Note the range before the driver frees it: afterwards another thread may get the same address at
 * once. Slot owner only.
 */
void memory_free_before(struct call *call);

/* Keep the range if the driver rejected the free, as it does during capture. Slot owner only. */
void memory_free_after(struct call *call, CUresult result);

/* Note the end of a context (its id in contexts), and so of its memory, by this call. Slot owner
 * only. */
void memory_context_ended(const struct call *call, uint32_t context);

/*
 * objects.c: the stages of calls that make and destroy objects without a stage file of their own:
 * streams, events, arrays, executable graphs, captures, modules and their functions.
 */

/* Slot owner only, no lock held. An object is forgotten before its handle becomes free. */
void object_create_after(struct call *call, CUresult result);
void object_cleanup_before(struct call *call);
void object_cleanup_after(struct call *call, CUresult result);
void object_capture_before(struct call *call);
void object_capture_after(struct call *call, CUresult result);
void object_module_before(struct call *call);
void object_module_after(struct call *call, CUresult result);
void object_lookup_after(struct call *call, CUresult result);

/* context_stages.c: the stages of calls that make, change or end contexts. */

/* Find the context that the call may end, while its handle is still valid. Slot owner only. */
void context_before(struct call *call);

/* Note the contexts that a successful call has made or ended. Slot owner only. */
void context_after(struct call *call, CUresult result);

/*
 * graph_stages.c: the stages of calls that build, copy, instantiate, launch, change or destroy
 * graphs. After them the journal knows the nodes of each executable graph, and the stack of each
 * node.
 */

void graph_before(struct call *call);
void graph_after(struct call *call, CUresult result);

void graph_launch_after(struct call *call, CUresult result);

/* Note an instantiation, if the call is one. The call has returned success. */
void graph_instantiated(struct call *call);

/* Forget a graph, or an executable graph, that the call is about to destroy. */
void graph_destroy_before(struct call *call);

/*
 * synchronize.c: the stages of calls that prove the GPU's progress or tie one stream to another:
 * synchronisation, queries, event records and waits.
 */

/* Success of a sync or query proves finished what was accepted before it. Slot owner only. */
void synchronize_before(struct call *call);
void synchronize_after(struct call *call, CUresult result);

/* Let the event stand for its stream's work so far. The stream is locked from before to after. */
void synchronize_record_before(struct call *call);
void synchronize_record_after(struct call *call, CUresult result);

/* Note that a graph node, or another process, may record an event from now on. */
void synchronize_graph_before(struct call *call);

/* Journal an edge: a stream waits for an event. The stream is locked from before to after. */
void synchronize_wait_before(struct call *call);
void synchronize_wait_after(struct call *call, CUresult result);

/*
 * waits.c: publish the call that a thread is in, for snapshots, if that call may wait for the GPU.
 * Submissions publish theirs by their record, which has no result yet.
 */

/*
 * Begin after the call's stage and before the driver's call; end when the driver has returned. If a
 * thread leaves the call otherwise, its row changes at its next such call. Slot owner only.
 */
void waits_begin(struct call *call);
void waits_end(const struct call *call);

/* prepare.c: make contexts ready for markers before the first launch in them. */

struct context;

/*
 * Make what the context's markers and checks need, if any are wanted and nothing has failed. Called
 * when a context (NULL: none) is seen outside a launch. Returns the context. Calls the driver: no
 * lock held. Any thread.
 */
struct context *prepare_context(struct context *context);

/* The same for the current context. */
struct context *prepare_current_context(void);

/*
 * rejection.c: a launch that the driver refused, explained by the limit that it broke, or by its
 * image: one line on standard error, once for each source location.
 */

/* Describe a call that has returned, with its stack. Slot owner only. */
struct rejected_call rejection_of(const struct call *call, CUresult result);

/*
 * Explain why the driver refused the launch of *call, which has a record, with this error,
 * although the GPU has not failed. Prints nothing unless a broken limit is proven. Queries the
 * driver, so no lock may be held. Slot owner only.
 */
void rejection_explain(const struct call *call, CUresult result);

/*
 * pycuda.c: explain PyCUDA's own abort(). PyCUDA mirrors the driver's stack of contexts. If a
 * thread or the process ends with a context still on it, PyCUDA's extension calls abort(). Its
 * message does not say which context, or why, so culprit prints a line before it.
 */

/*
 * Run after a successful call about contexts. Remembers PyCUDA's extension if it made the call, and
 * the context that is now current in this thread (NULL: none). Slot owner only.
 */
void pycuda_context_call(const struct call *call, struct context *current);

/*
 * Code at `caller` calls abort(). If it is PyCUDA's and a context is current in this thread, print
 * the line and return true. Otherwise return false without taking a lock or calling anything,
 * because abort() may come from anywhere. Any thread.
 */
bool pycuda_aborts(const void *caller);

#endif
