/*
 * progress.h - how far each stream came: which submissions are unfinished, and which of them cannot
 * have started. attribution.c decides by these facts.
 */
#ifndef CULPRIT_PROGRESS_PROGRESS_H
#define CULPRIT_PROGRESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/driver_counters.h"
#include "progress/moment.h"
#include "view/bundle_view.h"

#define NO_ORDINAL UINT64_MAX

/* Side streams of a context, counted apart up to this many. Further ones share the last slot. */
enum { MAX_SIDES = 15, SIDE_SLOTS = MAX_SIDES + 1 };

/*
 * Which markers may hold a stream back: proofs only, or also markers that may lag. The latter rank
 * suspects, and show what a stream is at that stopped long ago; they clear no suspect.
 */
enum order_level { LEVEL_STRICT, LEVEL_LIKELY, N_ORDER_LEVELS };

/* A submission that was not proven finished when the journal was read. */
struct open_work {
	uint64_t ordinal;
	uint64_t sequence;
	uint64_t position; /* in ring `slot` */
	uint32_t stream;
	uint32_t slot;
	uint32_t channel; /* of the driver's counters, 0 unknown */
	uint32_t payload;
	uint16_t flags; /* enum record_flags */
	uint8_t work;
	uint8_t said;      /* enum counters_say, from counters that are believed */
	bool denies_end;   /* its own counter, believed or not, says that it has not finished */
	bool is_accepted;  /* its call has succeeded */
	bool has_failed;   /* its own call returned the failure's code: it may never have run */
	bool is_ruled_out; /* by a core dump */
	bool is_harmless;  /* a kernel whose code cannot raise the failure's */
	bool is_in_bounds; /* not a kernel, and its memory was allocated: see in_bounds.h */
	bool is_elsewhere; /* the fault was in other code or memory, or earlier: rules 15 to 17 */
	bool is_later;     /* it started after the fault: rule 17 */
	bool is_at_fault;  /* it was in its code or at its memory, as far as is known */
	bool can_trap;     /* its code has a trap, and the failure's code is a trap's */
	bool is_unlikely;  /* the fault's address follows from another suspect's arguments alone */
	uint8_t address_fit; /* enum address_fit */
};

/* Finished work that may be the culprit is kept up to this many, the newest. */
enum { MAX_LATE_KEPT = 16 };

/* How the arguments of a launch, or of a graph's node, fit the address of the fault: rule 16c. */
enum address_fit {
	ADDRESS_UNRELATED,
	ADDRESS_FOLLOWS,     /* it is a pointer plus a multiple of a number, both among them */
	ADDRESS_FOLLOWS_FAR, /* and far from the memory that the pointer is in */
};

/* A submission of unknown order on its stream, not proven finished when the journal was read. */
struct unordered_work {
	/* Its ordinal is at or after its real place; 0: its call has not returned. The counters say
	   nothing about it. The fault's evidence does not clear it, it only ranks it. */
	struct open_work open;
	uint64_t behind; /* it comes after this ordinal, 0 unknown */
	uint32_t next;   /* next one of the stream, as first_unordered */
	bool has_waited; /* its call returned after it was over */
};

/* Work of `waiter` above `waiter_ordinal` starts after `source` has finished `source_ordinal`. */
struct order_edge {
	uint64_t waiter_ordinal;
	uint64_t source_ordinal;
	uint32_t waiter;
	uint32_t source;
	bool is_legacy; /* by the legacy stream's barrier, not by an event */
};

/*
 * The limits that hold a stream back at one level:
 * wall          smallest unfinished ordinal that has a marker of this level, which has not landed,
 *               or that the driver's counters show as unfinished. Work above it cannot have
 *               started, except programmatic launches.
 * overlap_end   the last of the programmatic launches that directly follow the wall; else the wall
 * blocked_above work above this ordinal waits for unfinished work of another stream
 * unstarted_above work above this ordinal has not started, by the driver's counters
 */
struct stream_limit {
	uint64_t wall;
	uint64_t overlap_end;
	uint64_t wall_sequence; /* of the submission at the wall */
	uint64_t blocked_above;
	uint64_t unstarted_above;
	bool is_blocked_by_legacy; /* what set blocked_above */
	bool is_wall_said;         /* the driver's counters show the wall as unfinished */
	bool is_wall_of_counters;  /* and it has no marker that says so, too */
};

/* One thread's legacy barrier, while that thread's ring is read. */
struct barrier_state {
	uint32_t run;         /* the rest counts only if this is the current run */
	uint32_t next_dirty;  /* list of blocking streams with work since the last legacy one */
	uint32_t first_dirty; /* of the legacy stream: that list */
	bool is_dirty;
	uint64_t newest;      /* ordinal that the thread submitted last */
	uint64_t legacy_seen; /* newest legacy ordinal that an edge into this stream names */
};

struct stream_progress {
	uint64_t done; /* proven finished up to here; only grows */
	uint64_t submitted;
	uint64_t before;  /* ordinals up to here belong to an earlier stream of the row */
	uint64_t settled; /* of attribution/late_clues.c, as the next four */
	uint64_t waited;
	uint64_t newest_kernel;
	uint64_t second_kernel;
	uint64_t n_apart;
	uint64_t synced;
	uint64_t marked;
	uint64_t followed;      /* newest ordinal with a marker that is in no record */
	uint64_t done_sequence; /* of the submission at `done`, 0 unknown */
	uint64_t n_lost;        /* unfinished ordinals without a record */
	uint64_t n_late;        /* unfinished ordinals of work of unknown order: unordered.h */
	uint32_t synced_by;
	uint32_t context;
	uint32_t side;       /* side stream of its markers, 0 none */
	uint32_t first_open; /* its rows in progress.open */
	uint32_t n_open;
	uint32_t first_unordered; /* 1 + index of its newest in progress.unordered, 0 none */
	uint32_t first_edge;      /* its rows in progress.edges, by the current sort */
	uint32_t n_edges;
	uint32_t next_queued;
	bool is_queued;
	bool is_legacy;
	bool is_blocking;      /* has the legacy barrier */
	bool is_unordered;     /* ordinals of some of its work are not their order */
	bool is_marked_inline; /* the marker at `marked` was an inline one */
	bool has_counters;     /* the driver's counters cover some of its open work */
	uint32_t counters_channel;
	uint64_t raised_by_counters; /* `done` as the counters raised it, 0: they did not */
	uint64_t head;               /* started, and only after all before it finished; 0 unknown */
	uint64_t last_started;       /* the last that started, by the counters; 0 unknown */
	uint64_t last_started_sequence;
	uint64_t passed;          /* all before it is finished, unless a counter is ahead by one */
	uint64_t over_sequence;   /* the last that is over, by the counters; 0 unknown */
	uint64_t unstarted_above; /* by the counters; NO_ORDINAL unknown */
	struct barrier_state barrier;
	struct stream_limit limits[N_ORDER_LEVELS];
};

/* Everything known about the bundle's progress. All arrays are in the caller's scratch. */
struct progress {
	const struct bundle_view *view;
	struct moment moment;
	uint32_t n_streams;
	struct stream_progress *streams; /* by id, 0 unused */
	uint32_t *starts;
	uint32_t *legacy_streams; /* by context id: its legacy stream, 0 none */
	uint64_t *side_heads;     /* by context id and side stream: its oldest missing marker */
	uint32_t n_contexts;
	uint32_t n_open;
	uint32_t max_open;
	struct open_work *open; /* sorted by stream and ordinal once collected */
	struct open_work *open_unsorted;
	uint32_t n_unordered;
	uint32_t max_unordered;
	struct unordered_work *unordered;
	uint32_t n_edges;
	uint32_t max_edges;
	struct order_edge *edges;
	struct order_edge *other_edges; /* the next sort's output */
	uint32_t first_queued;          /* list of streams whose edges must be checked */
	uint64_t n_unplaced; /* submissions without a known stream, or without room, that may have
				led to the code */
	uint64_t n_late;     /* finished work that may be the culprit: late_clues.c */
	uint32_t n_late_kept;
	struct open_work *late;
	uint64_t n_waited; /* the same, but their calls waited for them: only dumps doubt that */
	bool is_contradictory;
	bool has_counters;             /* the driver's counters are used */
	bool are_next_kept;            /* the counters clear no stream's next kernel */
	bool is_all_cleared;           /* facts that were dropped cleared all work that was seen */
	bool is_fault_used;            /* what the driver said of the fault marks work */
	struct trusted_channels trust; /* the channels whose counters are used */
	enum counters_trouble trouble; /* if set, use nothing of this */
};

/*
 * True if it is unfinished work of the moment. False if it is proven finished by now (which
 * limits_raise_done() extends), or was submitted later, for example to another device.
 */
bool progress_is_open(const struct progress *progress, const struct open_work *open);

/* True if the work can have led to the moment's code. */
bool progress_is_able(const struct progress *progress, const struct open_work *open);

/* Copy its record from the ring. Return false if the record was overwritten since. */
bool progress_find_record(const struct progress *progress, const struct open_work *open,
			  struct journal_record *out);

/* Copy its record from the ring, or what is known of it if the record was overwritten since. */
void progress_record(const struct progress *progress, const struct open_work *open,
		     struct journal_record *out);

/* True if its own call returned an error. */
bool progress_has_error(const struct journal_record *record);

/*
 * True if the driver may have accepted this work: its call succeeded or has not returned. A call
 * that waits for its own work may also return the very error that this work caused, unless the call
 * started after the failure was seen.
 */
bool progress_may_be_queued(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record);

/* Return the stream's row, NULL for an id that the bundle does not have. */
struct stream_progress *progress_stream(const struct progress *progress, uint32_t id);

/* Return the stream's last ordinal that can have started. Call all of these after limits_find(). */
uint64_t progress_last_startable(const struct stream_progress *stream, enum order_level level);

/* True if this submission cannot have started before the moment. */
bool progress_is_blocked(const struct progress *progress, const struct open_work *open,
			 enum order_level level);

/* True if it comes after a side marker that has not landed, and may be late. Not unordered work. */
bool progress_is_lagging(const struct progress *progress, const struct open_work *open);

/* True if it is a suspect: open, able to raise the code, and not blocked by proofs. */
bool progress_is_suspect(const struct progress *progress, const struct open_work *open);

/* Return the only suspect; NULL if there are several, or none. */
const struct open_work *progress_only_suspect(const struct progress *progress);

#endif
