/*
 * attribution.h - from a bundle with a failure to a verdict: which submission did it, how sure that
 * is, and by which evidence. Pure: reads the view, writes the verdict, uses the caller's scratch.
 */
#ifndef CULPRIT_VERDICT_ATTRIBUTION_H
#define CULPRIT_VERDICT_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle_view.h"
#include "gpu_fault.h"
#include "graph_claim.h"

/*
 * EXACT    evidence leaves one suspect and proves it.
 * LIKELY   one suspect is left, but by markers that may lag behind the GPU.
 * NARROWED several suspects are left, ranked; or one, but of other work nothing is known.
 * UNKNOWN  no suspect can be named; `unknown_reason` says why.
 *
 * The rules, and why each is sound. "Finished", "unfinished" and "started" are meant at the moment
 * of the failure.
 *
 *  1. The culprit was running, so it is unfinished. A stream has finished what a successful sync or
 *     a landed marker says: both happen after the work they stand for, and a culprit never ends.
 *  2. If work behind an event wait (or behind the legacy barrier) has finished, the work that was
 *     waited for has finished too.
 *  3. Unfinished is every submission above that whose call succeeded or has not returned, and one
 *     whose call waits for its own work and returned this very error. A call that began after the
 *     failure was seen cannot have caused it.
 *  4. Some codes are raised by kernels only (failures.def); work that cannot raise the code is no
 *     suspect. Of unknown codes and kinds of work nothing is assumed.
 *  5. An inline marker lies in its stream between a submission and the next, so while it has not
 *     landed nothing behind it has started. Programmatic launches (RECORD_OVERLAPS) directly behind
 *     it are excepted: they are made to start early.
 *  6. A side marker is written by another stream and may land late: its absence proves nothing. It
 *     narrows LIKELY and NARROWED by rule 5, never EXACT.
 *  7. An event wait is not passed while its event is behind such a marker, or behind a wait that is
 *     not passed. What lies behind it has not started. The legacy barrier acts as an event
 *     wait, but only between calls of one thread: the order in which two threads entered the
 *     driver is not known.
 *  8. Work of no known stream or of no known order (RECORD_UNORDERED) can be neither cleared nor
 *     ranked: it is counted, and while the journal holds any, nothing is EXACT.
 *  9. EXACT needs one suspect by rules 1-5 and 7, every unfinished submission of every stream in
 *     the journal, and nothing unplaced or unseen (failure_flags). A copy or memset whose own call
 *     returned the error is not EXACT: the driver may have refused it for an error it had already.
 *
 * 10. A GPU core dump of this process names the kernel that faulted, with its parameters and
 *     dimensions; what differs is no suspect. A kernel of the driver's names the copy or memset
 *     that it does by the addresses among its parameters. While it writes a dump the driver may
 *     report success for work that has not ended, and let work behind the fault run, so rules 1 and
 *     2 prove nothing then, and rule 9 gives nothing. EXACT instead needs: one grid with warps that
 *     faulted, by exceptions of warps that end in this very code; one submission in all of the
 *     journal that it can be (rules 3 and 5 clear others, and so do syncs that the recorder checked
 *     against the dump, FAILURE_SYNCS_WATCHED, if no warp that faulted has gone); the same function
 *     handle, context, dimensions and parameter bytes, or addresses; no submission missing in the
 *     journal. A dump whose exceptions end in other codes is not of this failure, and not used; one
 *     that fits no submission leaves NARROWED at most. With dumps on and none that can be used
 *     (FAILURE_COREDUMPS), all submissions in the journal are suspect that can raise the code:
 *     those first that seem unfinished. coredump_join.h has the details.
 *
 * EXACT also rests on two promises of the recorder: ordinals are the driver's order of a stream,
 * and no work behind a fault is let run (a driver that swallows errors breaks rule 1).
 */
enum verdict_class { VERDICT_UNKNOWN, VERDICT_NARROWED, VERDICT_LIKELY, VERDICT_EXACT };

enum unknown_reason {
	UNKNOWN_NOT,                /* the verdict is not UNKNOWN */
	UNKNOWN_NO_FAILURE,         /* the bundle holds no failure */
	UNKNOWN_NOTHING_UNFINISHED, /* all submissions are finished or cannot raise the code */
	UNKNOWN_HARDWARE,           /* the code is the hardware's: no submission is to blame */
	UNKNOWN_RECORDS_LOST,       /* the unfinished submissions are no longer in the journal */
	UNKNOWN_BAD_BUNDLE,         /* the files contradict each other */
	UNKNOWN_NO_MEMORY,          /* in the process that failed: it could not look */
};

/* Why a claim is held; each becomes a line of the report. */
enum evidence_kind {
	EVIDENCE_SYNC,          /* `call` returned: `stream` finished up to `ordinal` */
	EVIDENCE_PASSED_WAIT,   /* work that waited for it finished: as above */
	EVIDENCE_MARKER,        /* the marker of `stream` showed `ordinal` */
	EVIDENCE_MARKER_INLINE, /* as above, in the stream's own order: proof */
	EVIDENCE_STREAM_ORDER,  /* `count` later submissions of `stream` cannot have started */
	EVIDENCE_EVENT_ORDER,   /* `count` submissions of `stream` wait for unfinished work */
	EVIDENCE_LEGACY_ORDER,  /* same, by the legacy stream's barrier */
	EVIDENCE_CLASS,         /* the code is raised only by kernels: `count` others cleared */
	EVIDENCE_ONLY_SUSPECT,  /* nothing else was unfinished in the process */
	EVIDENCE_OVERLAP,       /* `count` programmatic launches may have run beside the first */
	EVIDENCE_COREDUMPS,     /* weakens: with GPU core dumps on, success proves nothing */
	EVIDENCE_UNSEEN_LAUNCH, /* weakens: an entry point unknown to culprit can launch */
	EVIDENCE_RECORDS_LOST,  /* weakens: `count` unfinished submissions are not in the journal */
	EVIDENCE_MARKERS_SPARSE,  /* weakens: `stream` had no marker for `count` submissions */
	EVIDENCE_MARKERS_LAG,     /* weakens: side markers may lag */
	EVIDENCE_MARKERS_REFUSED, /* weakens: on `stream`, by the driver, with code `count` */
	EVIDENCE_UNPLACED,        /* weakens: `count` submissions of no known place, 0: unseen */
	EVIDENCE_REFUSED, /* weakens: calls of `count` suspects returned the error: did they run? */
	EVIDENCE_COREDUMP_GRID,      /* what faulted is `sequence`, or one of `count` submissions */
	EVIDENCE_COREDUMP_KERNEL,    /* a kernel faulted that `count` submissions run, or may run */
	EVIDENCE_COREDUMP_PASSED,    /* the stream of `sequence` had gone on behind it */
	EVIDENCE_COREDUMP_UNMATCHED, /* weakens: no submission fits what the dump says */
	EVIDENCE_COREDUMP_OTHER,     /* weakens: the dump is not of this failure */
	EVIDENCE_COREDUMP_MISSING,   /* weakens: dumps were wanted, and not to be had */
	N_EVIDENCE_KINDS
};

struct evidence {
	enum evidence_kind kind;
	uint32_t stream;   /* id, 0 none */
	uint64_t ordinal;  /* on the stream */
	uint64_t sequence; /* its number in the process, 0 if its record is gone */
	uint64_t count;
	uint32_t call; /* string id, 0 none */
};

/* Where a submission is in the journal, with a copy of it. */
struct submission {
	uint32_t slot;
	struct journal_record record;
};

/* Submissions of one stream, by their numbers in the process; n is 0 where there are none. */
struct submission_span {
	uint64_t n;
	uint64_t first;
	uint64_t last;
};

/* What a stream was doing when the failure was seen. */
struct stream_state {
	uint32_t stream; /* id */
	uint64_t done;   /* ordinal: proven finished up to here */
	uint64_t submitted;
	uint64_t done_sequence;         /* number of the submission at `done`, 0 if it is gone */
	struct submission_span started; /* unfinished, may have started: suspects and bystanders */
	struct submission_span waiting; /* cannot have started, as far as the verdict trusts */
	uint64_t n_suspects;            /* of the verdict's suspects */
	uint64_t n_lost;                /* unfinished submissions that are not in the journal */
	bool is_blocked; /* its next submission waits for unfinished work elsewhere */
};

enum { VERDICT_MAX_SUSPECTS = 64, VERDICT_MAX_EVIDENCE = 64, VERDICT_MAX_STREAMS = 64 };

struct verdict {
	enum verdict_class class;
	enum unknown_reason unknown_reason;
	struct failure_row failure;
	uint64_t n_suspects; /* all of them; the first VERDICT_MAX_SUSPECTS are below */
	struct submission suspects[VERDICT_MAX_SUSPECTS]; /* most suspect first */
	uint32_t n_evidence;
	struct evidence evidence[VERDICT_MAX_EVIDENCE];
	uint32_t n_streams; /* streams with unfinished work, the suspects' first */
	struct stream_state streams[VERDICT_MAX_STREAMS];
	uint64_t n_streams_unlisted;
	struct graph_claim graph;         /* of the first suspect, if it is the launch of a graph */
	const struct gpu_fault *coredump; /* the caller's; NULL: none, or not used */
	const struct gpu_place *place;    /* in it: where the first suspect faulted; NULL unknown */
};

/* Scratch that attribute() needs at most for this view, in bytes. */
size_t attribution_scratch(const struct bundle_view *view);

/*
 * Fills *out. 0, or -ENOMEM: `scratch` is not aligned to 8 or `scratch_size` is below
 * attribution_scratch(view). Records added to a live journal in between are welcome. A bundle that
 * contradicts itself gives VERDICT_UNKNOWN, never a fault. Any thread.
 */
int attribute(const struct bundle_view *view, void *scratch, size_t scratch_size,
	      struct verdict *out);

/*
 * The same with what a GPU core dump says, which must outlive *out. The caller answers for the dump
 * being of this process; NULL: there is none.
 */
int attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
			    void *scratch, size_t scratch_size, struct verdict *out);

#endif
