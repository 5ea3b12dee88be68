/*
 * verdict.h - what attribution finds: which submission did it, how sure that is, by which evidence,
 * and what every stream was doing. How it is found is attribution.h's business.
 */
#ifndef CULPRIT_VERDICT_VERDICT_H
#define CULPRIT_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "verdict/attribution/graph_claim.h"
#include "verdict/coredump/gpu_fault.h"
#include "verdict/progress/driver_words.h"
#include "verdict/progress/unusual.h"

/*
 * EXACT    evidence leaves one suspect and proves it.
 * LIKELY   one suspect is left, but by markers that may lag, or without a sign that it began.
 * NARROWED several suspects are left, ranked; or one, but of other work nothing is known.
 * UNKNOWN  no suspect can be named; `unknown_reason` says why.
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
	EVIDENCE_CODE,          /* `count` kernels cleared: their code cannot raise it */
	EVIDENCE_MEMORY, /* `count` of other work than kernels cleared: its memory was there */
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
	EVIDENCE_DRIVER_BEGUN,   /* the driver's words: `sequence` of `stream` had begun, 0: none */
	EVIDENCE_DRIVER_STOPPED, /* as above, and nothing behind it; checked `count` times */
	EVIDENCE_DRIVER_ENDED,   /* the driver's words: `sequence` of `stream` had, well or not */
	EVIDENCE_DRIVER_ORDER,   /* by these, `count` others of `stream` cannot have started */
	EVIDENCE_DRIVER_SILENT,  /* weakens: they cleared the rest, and show no suspect at work */
	EVIDENCE_DRIVER_REFUSED, /* the words contradict: not used. count: enum words_trouble */
	EVIDENCE_CHECKPOINT,     /* weakens: the process was checkpointed before */
	EVIDENCE_BYPASSED,    /* weakens: the module with the path `call` calls the driver itself */
	EVIDENCE_UNSEEN_WORK, /* weakens: what the driver notes of streams tells of work that was
				 not seen. count: enum failure_flags */
	EVIDENCE_ALL_CLEARED, /* weakens: all that was seen is cleared: other work failed, or more
			       */
	EVIDENCE_SHARED,      /* weakens: the GPU is shared with other processes by MPS */
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
	uint64_t startable; /* ordinal: the last that can have started, as far as the verdict trusts
			     */
	bool has_words;     /* the driver's words of its submissions are believed */
	bool is_blocked;    /* its next submission waits for unfinished work elsewhere */
};

enum {
	VERDICT_MAX_SUSPECTS = 64,
	VERDICT_MAX_GROUPS = 64,
	VERDICT_MAX_EVIDENCE = 64,
	VERDICT_MAX_STREAMS = 64
};

/* What puts the first suspect before those of other groups. */
enum suspect_lead {
	LEAD_NONE,    /* nothing but the order in which they were submitted */
	LEAD_FIT,     /* it fits a core dump better */
	LEAD_KIND,    /* the others are no kernels */
	LEAD_TRAP,    /* its code has a trap, the others' has none that is known */
	LEAD_WORDS,   /* the driver's words say more of it: that it ran, or had begun */
	LEAD_NOVEL,   /* the others' kernels, or graphs, had finished more often */
	LEAD_BEGIN,   /* it began when the culprit must have */
	LEAD_UNUSUAL, /* it is unlike earlier launches */
	N_SUSPECT_LEADS
};

/* Suspects of one kernel, or other work, from one stack. */
struct suspect_group {
	struct submission first; /* the most suspect of it, one of the verdict's suspects */
	uint64_t n;
	uint64_t earliest; /* by their numbers in the process */
	uint64_t latest;
};

struct verdict {
	enum verdict_class class;
	enum unknown_reason unknown_reason;
	struct failure_row failure;
	uint64_t n_unfinished; /* of UNKNOWN_NO_FAILURE: see unfinished.h */
	bool is_complete;    /* NARROWED: that one of the suspects did it is proven, as by EXACT */
	bool has_unseen;     /* work that culprit did not see may have failed: no more than NARROWED
			      */
	uint64_t n_suspects; /* all of them; the first VERDICT_MAX_SUSPECTS are below */
	struct submission suspects[VERDICT_MAX_SUSPECTS]; /* most suspect first */
	enum suspect_lead lead;
	uint32_t n_groups; /* of all suspects, in the order of their first ones */
	struct suspect_group groups[VERDICT_MAX_GROUPS];
	uint64_t n_ungrouped; /* suspects of further groups */
	uint32_t n_evidence;
	struct evidence evidence[VERDICT_MAX_EVIDENCE];
	uint32_t n_streams; /* streams with unfinished work, the suspects' first */
	struct stream_state streams[VERDICT_MAX_STREAMS];
	uint64_t n_streams_unlisted;
	struct unusual unusual;           /* of the first suspect */
	struct graph_claim graph;         /* of the first suspect, if it is the launch of a graph */
	const struct gpu_fault *coredump; /* the caller's; NULL: none, or not used */
	const struct gpu_place *place;    /* in it: where the first suspect faulted; NULL unknown */
};

#endif
