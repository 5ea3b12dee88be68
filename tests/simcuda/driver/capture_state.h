/*
 * capture_state.h - one capture, shared by capture.c and capture_calls.c. All: lock held.
 */
#ifndef SIMCUDA_CAPTURE_STATE_H
#define SIMCUDA_CAPTURE_STATE_H

#include "capture.h"

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

/* Takes every stream out of it. The graph is left alone. */
void capture_end(struct capture *capture);

/* Would work on the legacy stream run into a capture? */
bool capture_blocks_legacy(CUstream legacy);

#endif
