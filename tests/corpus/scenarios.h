/*
 * scenarios.h - every scenario of the corpus. Each returns CUDA_SUCCESS, or the first sticky code
 * that it saw at a call whose result is the same in every run.
 */
#ifndef CULPRIT_CORPUS_SCENARIOS_H
#define CULPRIT_CORPUS_SCENARIOS_H

#include "corpus.h"
#include "launch.h"
#include "truth.h"

/* The state in which a scenario starts: with a current context, or before cuInit. */
enum scenario_start { START_CONTEXT, START_NOTHING };

#define SCENARIO_ROWS(ROW)                                                               \
	ROW(stray_store, CONTEXT, "a store far outside an array")                        \
	ROW(stray_load, CONTEXT, "a load from far outside an array")                     \
	ROW(misaligned, CONTEXT, "a store to an odd address")                            \
	ROW(device_assert, CONTEXT, "a failed assertion in device code")                 \
	ROW(trap, CONTEXT, "device code that traps")                                     \
	ROW(illegal_instruction, CONTEXT, "data run as code")                            \
	ROW(stack_overflow, CONTEXT, "endless recursion")                                \
	ROW(shared_out_of_bounds, CONTEXT, "a store far behind shared memory")           \
	ROW(use_after_free, CONTEXT, "a kernel given freed memory")                      \
	ROW(host_pointer, CONTEXT, "a kernel given memory of the host")                  \
	ROW(first_launch, CONTEXT, "the only launch is the bad one")                     \
	ROW(sync_each, CONTEXT, "a synchronisation after each launch")                   \
	ROW(late_in_stream, CONTEXT, "launch 217 of 300 on a busy stream")               \
	ROW(one_of_four_streams, CONTEXT, "one bad launch among four busy streams")      \
	ROW(after_event_wait, CONTEXT, "a bad launch that waited for another stream")    \
	ROW(per_thread_stream, CONTEXT, "a bad launch on the per-thread default stream") \
	ROW(one_of_eight_threads, CONTEXT, "one of eight launching threads is at fault") \
	ROW(two_contexts, CONTEXT, "the second of two contexts fails")                   \
	ROW(two_devices, CONTEXT, "the second device fails, the first is busy")          \
	ROW(green_contexts, CONTEXT, "a stream of the second of two green contexts")     \
	ROW(launch_ex, CONTEXT, "cuLaunchKernelEx with programmatic dependent launch")   \
	ROW(cooperative, CONTEXT, "a cooperative launch")                                \
	ROW(graph_replay, CONTEXT, "the seventh replay of a captured graph")             \
	ROW(graph_one_node, CONTEXT, "a captured graph of one kernel")                   \
	ROW(graph_added, CONTEXT, "a graph built node by node")                          \
	ROW(graph_child, CONTEXT, "a node of a child graph")                             \
	ROW(graph_conditional, CONTEXT, "a node in the body of a conditional one")       \
	ROW(graph_clone, CONTEXT, "a clone whose original is gone")                      \
	ROW(graph_update, CONTEXT, "a graph that was updated from another one")          \
	ROW(graph_params, CONTEXT, "bad arguments for one replay, good ones again")      \
	ROW(graph_disabled, CONTEXT, "of two bad nodes one is switched off")             \
	ROW(graph_updatable, CONTEXT, "the one switched off may be switched on again")   \
	ROW(copy_fault, CONTEXT, "an asynchronous copy from a range unmapped meanwhile") \
	ROW(managed, CONTEXT, "an index in managed memory that leads astray")            \
	ROW(async_alloc, CONTEXT, "a stray store behind stream-ordered allocations")     \
	ROW(cleanup_storm, CONTEXT, "every kind of cleanup call after the fault")        \
	ROW(ok, CONTEXT, "clean: launches, streams, events, a graph")                    \
	ROW(invalid_value, CONTEXT, "clean: refused arguments")                          \
	ROW(out_of_memory, CONTEXT, "clean: an allocation larger than any GPU")          \
	ROW(too_many_threads, CONTEXT, "clean: a block of 2048 threads")                 \
	ROW(too_many_registers, CONTEXT, "clean: a block that needs too many registers") \
	ROW(shared_too_large, CONTEXT, "clean: a launch with too much shared memory")    \
	ROW(missing_kernel, CONTEXT, "clean: a kernel name that no module has")          \
	ROW(registered_twice, CONTEXT, "clean: host memory that is registered already")  \
	ROW(never_registered, CONTEXT, "clean: host memory that never was registered")   \
	ROW(ptx_too_new, CONTEXT, "clean: PTX of a version to come")                     \
	ROW(ptx_invalid, CONTEXT, "clean: PTX with a word that is none")                 \
	ROW(busy_at_exit, CONTEXT, "clean: the program ends while the GPU works")        \
	ROW(not_initialized, NOTHING, "clean: calls before cuInit")                      \
	ROW(free_at_exit, NOTHING, "clean: a free after the driver has shut down")       \
	ROW(fork_before_init, NOTHING, "clean: parent and child use the GPU")            \
	ROW(fault_in_child, NOTHING, "the forked child is at fault, its parent is not")  \
	ROW(exec_self, NOTHING, "clean: a program that replaces itself")

#define ROW(name, start, description) CUresult name(struct corpus *corpus);
SCENARIO_ROWS(ROW)
#undef ROW

#endif
