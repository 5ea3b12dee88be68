/*
 * verdict.h - what attribution finds: which submission caused the failure, how sure that is, by
 * which evidence, and what each stream was doing. attribution.h has the rules.
 */
#ifndef CULPRIT_ATTRIBUTION_VERDICT_H
#define CULPRIT_ATTRIBUTION_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/graph_claim.h"
#include "attribution/stream_set.h"
#include "base/journal_format.h"
#include "coredump/gpu_fault.h"
#include "fault/code_extents.h"
#include "progress/anomaly.h"
#include "progress/driver_counters.h"

/*
 * EXACT    evidence leaves one suspect and proves it.
 * LIKELY   one suspect is left, but its proof has a gap, which the evidence names. For example, the
 *          counters do not confirm that it was running. classify() in attribution.c lists the gaps.
 * NARROWED several suspects are left, ranked; or one is left, but other work is not known.
 * UNKNOWN  no suspect can be named; `unknown_reason` says why.
 */
enum verdict_class { VERDICT_UNKNOWN, VERDICT_NARROWED, VERDICT_LIKELY, VERDICT_EXACT };

struct hang_claim; /* attribution/hang_claim.h */

enum unknown_reason {
	UNKNOWN_NOT,                /* the verdict is not UNKNOWN */
	UNKNOWN_NO_FAILURE,         /* the bundle holds no failure */
	UNKNOWN_NOTHING_UNFINISHED, /* all submissions are finished or cannot raise the code */
	UNKNOWN_HARDWARE,           /* the hardware raised the code: no submission is to blame */
	UNKNOWN_RECORDS_LOST,       /* the unfinished submissions are no longer in the journal */
	UNKNOWN_BAD_BUNDLE,         /* the files contradict each other */
	UNKNOWN_NO_MEMORY,          /* the process that failed had no memory to look for it */
};

/*
 * Why a claim holds; each becomes a line of the report. docs/contributing/how-to/evidence.md says
 * how to add one. A kind that "weakens" explains why the verdict is not stronger.
 */
enum evidence_kind {
	EVIDENCE_SYNC,          /* `call` returned: `stream` finished up to `ordinal` */
	EVIDENCE_PASSED_WAIT,   /* `stream` finished up to `ordinal`: work that waited for it did */
	EVIDENCE_MARKER,        /* the marker of `stream` showed `ordinal` */
	EVIDENCE_MARKER_INLINE, /* the same, in the stream's own order: proof */
	EVIDENCE_STREAM_ORDER,  /* `count` later submissions of `stream` cannot have started */
	EVIDENCE_EVENT_ORDER,   /* `count` submissions of `stream` wait for unfinished work */
	EVIDENCE_LEGACY_ORDER,  /* same, by the legacy stream's barrier */
	EVIDENCE_CLASS,         /* the code is raised only by kernels: `count` others cleared */
	EVIDENCE_CODE,          /* `count` kernels cleared: their code cannot raise it */
	EVIDENCE_MEMORY,        /* `count` copies and the like cleared: their memory existed */
	EVIDENCE_ONLY_SUSPECT,  /* nothing else was unfinished in the process */
	EVIDENCE_OVERLAP,       /* `count` programmatic launches may have run beside the first */
	EVIDENCE_COREDUMPS,     /* weakens: with GPU core dumps on, success proves nothing */
	EVIDENCE_UNSEEN_LAUNCH, /* weakens: an entry point unknown to culprit can launch */
	EVIDENCE_RECORDS_LOST,  /* weakens: `count` unfinished submissions are not in the journal */
	EVIDENCE_MARKERS_SPARSE, /* weakens: `stream` had no marker for `count` submissions */
	EVIDENCE_MARKERS_LAG,    /* weakens: only side markers, which may be late, hold back `count`
				    suspects */
	EVIDENCE_MARKERS_REFUSED, /* weakens: on `stream`, by the driver, with code `count` */
	EVIDENCE_UNPLACED,      /* weakens: `count` submissions without a known order, 0: unseen */
	EVIDENCE_REJECTED,      /* weakens: `count` suspects may not have run: their calls failed */
	EVIDENCE_COREDUMP_GRID, /* what faulted is `sequence`, or one of `count` submissions */
	EVIDENCE_COREDUMP_KERNEL, /* `count` submissions run, or may run, the kernel that faulted */
	EVIDENCE_COREDUMP_PASSED, /* the stream of `sequence` went on after it */
	EVIDENCE_COREDUMP_UNMATCHED, /* weakens: no submission fits what the dump says */
	EVIDENCE_COREDUMP_OTHER,     /* weakens: the dump is not of this failure */
	EVIDENCE_COREDUMP_MISSING,   /* weakens: dumps were wanted, but not available */
	EVIDENCE_DRIVER_STARTED, /* driver's counters: `sequence` of `stream` had started, 0: none
				  */
	EVIDENCE_DRIVER_STOPPED, /* the same, and nothing after it; checked `count` times */
	EVIDENCE_DRIVER_OVER,   /* driver's counters: `sequence` of `stream` is over, well or not */
	EVIDENCE_DRIVER_ORDER,  /* by these, `count` others of `stream` cannot have started */
	EVIDENCE_DRIVER_SILENT, /* weakens: they cleared the rest, and show no suspect running */
	EVIDENCE_DRIVER_REFUSED, /* counters contradict, not used. count: enum counters_trouble */
	EVIDENCE_CHECKPOINT,     /* weakens: the process was checkpointed before */
	EVIDENCE_BYPASSED, /* weakens: the module with the path `call` calls the driver itself; 0:
			      the heap has addresses of its functions */
	EVIDENCE_UNSEEN_WORK, /* weakens: the driver's notes of streams show work that culprit
				 did not see. count: enum failure_flags */
	EVIDENCE_ALL_CLEARED, /* weakens: all work is cleared: unseen work may have failed */
	EVIDENCE_SHARED,      /* weakens: the GPU is shared with other processes by MPS */
	EVIDENCE_CHECKS,      /* weakens: kernels of culprit's own read the same memory */
	EVIDENCE_FAULT_CODE, /* the GPU stopped `ordinal` bytes into the code of the kernel with the
				name `call` (0: into several kernels): `count` others cleared */
	EVIDENCE_FAULT_NEAREST, /* the same, as far as is known: it clears nothing */
	EVIDENCE_FAULT_PAGE,    /* the pages that faulted are in no memory of `count` copies and the
				   like: cleared */
	EVIDENCE_FAULT_TIME,    /* the GPU noticed the fault before it started `count` kernels */
	EVIDENCE_FAULT_ADDRESS, /* weakens: only the fault's address, which follows from the
				   suspect's arguments, makes `count` others less likely */
	EVIDENCE_FAULT_LATE, /* weakens: `count` submissions that have finished run the code where
				the GPU stopped */
	EVIDENCE_FAULT_REFUSED, /* weakens: what the driver said of the fault contradicts the rest
				 */
	N_EVIDENCE_KINDS
};

struct evidence {
	enum evidence_kind kind;
	uint32_t stream;   /* id, 0 none */
	uint64_t ordinal;  /* on the stream */
	uint64_t sequence; /* its number in the process, 0 if its record is lost */
	uint64_t count;
	uint32_t call; /* string id, 0 none */
};

/* A copy of a submission's record, and the ring that has it. */
struct submission {
	uint32_t slot; /* of the ring */
	struct journal_record record;
};

/* Submissions of one stream, by their numbers in the process; n is 0 if there are none. */
struct submission_span {
	uint64_t n;
	uint64_t first;
	uint64_t last;
};

/* A stream's state when the failure was seen. */
struct stream_state {
	uint32_t stream; /* id */
	uint64_t done;   /* ordinal: proven finished up to here */
	uint64_t submitted;
	uint64_t done_sequence;         /* number of the submission at `done`, 0 if it is lost */
	struct submission_span started; /* unfinished, may have started: suspects and bystanders */
	struct submission_span waiting; /* cannot have started, as far as the verdict trusts */
	uint64_t n_suspects;            /* of the verdict's suspects */
	uint64_t n_lost;                /* unfinished submissions that are not in the journal */
	uint64_t startable; /* ordinal: the last that can have started, as far as the verdict trusts
			     */
	bool has_counters;  /* the driver's counters of its submissions are believed */
	bool is_blocked;    /* its next submission waits for unfinished work elsewhere */
};

enum {
	VERDICT_MAX_SUSPECTS = 64,
	VERDICT_MAX_GROUPS = 64,
	VERDICT_MAX_EVIDENCE = 64,
	VERDICT_MAX_STREAMS = 64
};

/* Why the first suspect ranks before those of other groups. */
enum suspect_lead {
	LEAD_NONE,    /* by the order of submission alone */
	LEAD_KIND,    /* the others are not kernels */
	LEAD_FAULT,   /* the fault was in its code or at its memory, as far as is known */
	LEAD_MARKERS, /* the others come after side markers that have not landed, but may be late */
	LEAD_TRAP,    /* its code has a trap, the others' has no known one */
	LEAD_COUNTERS, /* the driver's counters show more of it: that it ran, or had started */
	LEAD_NOVEL,    /* the others' kernels or graphs had finished more often before */
	LEAD_BEGIN,    /* it started when the culprit must have */
	LEAD_ANOMALY,  /* it is unlike earlier launches */
	N_SUSPECT_LEADS
};

/* The suspects that run one kernel, or do the same other work, from one stack. */
struct suspect_group {
	struct submission first; /* the most suspect one, also in the verdict's list */
	uint64_t n;
	uint64_t earliest; /* number in the process */
	uint64_t latest;
	struct stream_set streams;
};

struct verdict {
	enum verdict_class class;
	enum unknown_reason unknown_reason;
	struct failure_row failure;
	uint64_t n_unfinished;         /* with UNKNOWN_NO_FAILURE: see unfinished.h */
	const struct hang_claim *hang; /* with UNKNOWN_NO_FAILURE: still hangs; the caller's */
	bool is_complete;    /* NARROWED: it is proven, as for EXACT, that a suspect did it */
	bool has_unseen;     /* work that culprit did not see may have failed: NARROWED at most */
	uint64_t n_suspects; /* in total; the first VERDICT_MAX_SUSPECTS are below */
	struct submission suspects[VERDICT_MAX_SUSPECTS]; /* most suspect first */
	enum suspect_lead lead;
	uint32_t n_groups; /* of all suspects, in the order of their first suspects */
	struct suspect_group groups[VERDICT_MAX_GROUPS];
	uint64_t n_ungrouped; /* suspects of further groups */
	uint32_t n_evidence;
	struct evidence evidence[VERDICT_MAX_EVIDENCE];
	uint32_t n_streams; /* streams with unfinished work, the suspects' first */
	struct stream_state streams[VERDICT_MAX_STREAMS];
	uint64_t n_streams_unlisted;
	struct anomaly anomaly;   /* of the first suspect */
	struct graph_claim graph; /* of the first suspect, if it is the launch of a graph */
	/* where the GPU stopped in the first suspect's code; function 0: not known */
	struct code_location fault_code;
	/* its source, which the command finds, as gpu_lines_find() has it */
	const struct gpu_line *fault_lines;
	uint32_t n_fault_lines;                 /* 0: not known */
	struct instruction_access fault_access; /* of that instruction, which the command decodes */
	const struct gpu_fault *coredump;       /* the caller's; NULL if none is used */
	const struct gpu_location
		*location; /* where in it the first suspect faulted; NULL unknown */
};

#endif
