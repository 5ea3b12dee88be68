/*
 * samples.h - small programs in the style of CUDA's samples: ordinary uses of many features of the
 * driver. Their output is the same in every run. They share the objects, kernels and output of the
 * fault corpus.
 */
#ifndef CULPRIT_TRANSPARENCY_SAMPLES_H
#define CULPRIT_TRANSPARENCY_SAMPLES_H

#include "corpus.h"
#include "launch.h"

#define SAMPLES(ROW)                                                                 \
	ROW(vector_add, "memory, copies, a launch, times of events")                 \
	ROW(host_memory, "pinned, mapped, registered and managed memory")            \
	ROW(memory_pools, "stream-ordered allocations from two pools")               \
	ROW(virtual_memory, "reserved, mapped and unmapped addresses")               \
	ROW(rectangles, "copies and sets of two dimensions")                         \
	ROW(callbacks, "host functions and callbacks in streams")                    \
	ROW(priorities, "streams of all priorities that wait for each other")        \
	ROW(default_streams, "the legacy and the per-thread default streams")        \
	ROW(memory_operations, "a stream that waits for a word another writes")      \
	ROW(captured_graph, "capture on two streams, replays, an update")            \
	ROW(built_graph, "a graph of all simple kinds of nodes, a clone, queries")   \
	ROW(broken_capture, "captures that are made invalid, and calls they refuse") \
	ROW(cooperative_launch, "cooperative, extended and old launches")            \
	ROW(occupancy, "attributes and occupancy of kernels")                        \
	ROW(threads, "eight threads, each with a context of its own")                \
	ROW(one_context, "one context that goes from thread to thread")              \
	ROW(primary_context, "the primary context, retained, reset, used again")     \
	ROW(libraries, "kernels of a library that is independent of contexts")       \
	ROW(errors, "names and texts of errors, and calls that fail")                \
	ROW(error_text, "the text of an error that has happened")                    \
	ROW(process_tree, "five levels of processes, the GPU in the leaves alone")   \
	ROW(spawned, "commands that use no GPU, and one that does")

#define ROW(name, description) int name(struct corpus *corpus);
SAMPLES(ROW)
#undef ROW

/* Fills N words of host memory; adds them on the GPU and compares. */
enum { SAMPLE_COUNT = 1024, SAMPLE_BYTES = SAMPLE_COUNT * 4 };

/* Launch fill, add or spin; exit if the launch is refused. */
void sample_fill(struct corpus *corpus, CUdeviceptr data, CUstream stream);
void sample_add(struct corpus *corpus, CUdeviceptr out, CUdeviceptr left, CUdeviceptr right,
		CUstream stream);

/* Return the first word of device memory, after all work in the context is done. */
unsigned sample_word(CUdeviceptr data);

#endif
