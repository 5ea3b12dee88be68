/*
 * captures.h - active captures: streams that record their operations into a graph instead of
 * running them. All: lock held.
 */
#ifndef SIMCUDA_CAPTURES_H
#define SIMCUDA_CAPTURES_H

#include <stdbool.h>

#include "objects.h"

/*
 * A capture lives until it has finished and no event refers to it any more. Its streams are the
 * ones whose member `capture` points to it; all belong to one context.
 */
struct capture {
	struct capture *next;  /* in `captures`, until the capture ends */
	unsigned n_references; /* of the list, each stream and each event */
	unsigned long long id;
	CUcontext context;
	CUstream origin;
	CUstreamCaptureMode mode;
	uint64_t thread; /* the thread that started it */
	CUgraph graph;
	bool owns_graph; /* not given by cuStreamBeginCaptureToGraph */
	bool is_invalid, is_ended;
};

/* The active captures. */
extern struct capture *captures;

/* Make the stream record into the capture; its first node depends on `tails`. */
void capture_join(struct capture *capture, CUstream stream, const struct node_set *tails);

/* Stop a capturing stream from recording. */
void capture_leave(CUstream stream);

/* Remove every stream from the capture. The graph is unchanged. */
void capture_end(struct capture *capture);

/* True if work on the legacy stream would conflict with a capture. */
bool capture_blocks_legacy(CUstream legacy);

/*
 * For calls that could disturb a capture. Return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if an active
 * capture forbids them to this thread; that capture becomes invalid.
 */
CUresult capture_check_unsafe_call(void);

/*
 * For calls on a stream that cannot be captured: synchronise, query, launch a graph (seen on an
 * H200, driver 580.159). Return the same error if the stream is capturing, in any mode.
 */
CUresult capture_check_uncapturable(CUstream stream);

/*
 * Work on the legacy stream depends on the blocking streams of its context. Return an error if one
 * of them is capturing, and invalidate those captures.
 */
CUresult capture_check_legacy(CUstream stream);

/* Make the event stand for the nodes that the capturing stream has recorded. */
CUresult capture_record_event(CUstream stream, CUevent event);

/*
 * Handle a wait if the stream or the event belongs to a capture: join the stream to the capture, or
 * add the dependency. Return false if neither belongs to one.
 */
bool capture_handles_wait(CUstream stream, CUevent event, CUresult *out_result);

/*
 * An event recorded by a capture cannot be queried: return an error and invalidate the capture.
 * Return CUDA_SUCCESS for other events.
 */
CUresult capture_check_event(CUevent event);

/* Mark the event as not recorded by a capture. */
void capture_forget_event(CUevent event);

#endif
