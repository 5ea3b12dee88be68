/*
 * captures.h - captures under way: streams that record their operations into a graph instead of
 * running them. All: lock held.
 */
#ifndef SIMCUDA_CAPTURES_H
#define SIMCUDA_CAPTURES_H

#include <stdbool.h>

#include "objects.h"

/*
 * Lives from the begin to the end of the capture and as long as an event remembers that it was
 * recorded by it. Its streams are those whose capture member it is, all of one context.
 */
struct capture {
	struct capture *next;  /* in captures, until it is ended */
	unsigned n_references; /* the list, each stream, each event */
	unsigned long long id;
	CUcontext context;
	CUstream origin;
	CUstreamCaptureMode mode;
	uint64_t thread; /* that began it */
	CUgraph graph;
	bool owns_graph; /* not given by cuStreamBeginCaptureToGraph */
	bool is_invalid, is_ended;
};

/* Those under way. */
extern struct capture *captures;

/* The stream records into the capture from now on, beginning behind tails. */
void capture_join(struct capture *capture, CUstream stream, const struct node_set *tails);

/* The stream, which records into one, does so no more. */
void capture_leave(CUstream stream);

/* Takes every stream out of it. The graph is left alone. */
void capture_end(struct capture *capture);

/* Would work on the legacy stream run into a capture? */
bool capture_blocks_legacy(CUstream legacy);

/*
 * For calls that could disturb a capture. CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if one is under
 * way that forbids them to this thread; it is then invalid.
 */
CUresult capture_check_unsafe_call(void);

/*
 * For calls on a stream that cannot be captured (synchronise, query, launch a graph: driver
 * 580.159, H200): as above if the stream is capturing, whatever its mode.
 */
CUresult capture_check_uncapturable(CUstream stream);

/*
 * Work on the legacy stream would depend on blocking streams of its context that capture: an error,
 * which invalidates those captures.
 */
CUresult capture_check_legacy(CUstream stream);

/* The event now stands for what the capturing stream has recorded. */
CUresult capture_record_event(CUstream stream, CUevent event);

/*
 * The stream waits for the event, and one of them belongs to a capture: joins the stream to it, or
 * adds the dependency. Returns false if neither does.
 */
bool capture_handles_wait(CUstream stream, CUevent event, CUresult *out_result);

/* The event was recorded by a capture: it cannot be queried. Invalidates that capture. */
CUresult capture_check_event(CUevent event);

/* The event is no longer (or was never) recorded by a capture. */
void capture_forget_event(CUevent event);

#endif
