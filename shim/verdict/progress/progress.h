/*
 * progress.h - how far each stream came: which submissions are unfinished, and which of those
 * cannot have started. The ground on which attribution.c stands.
 */
#ifndef CULPRIT_VERDICT_PROGRESS_H
#define CULPRIT_VERDICT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/progress/driver_words.h"
#include "verdict/progress/moment.h"
#include "verdict/view/bundle_view.h"

#define NO_ORDINAL UINT64_MAX

/* Side streams of a context that are told apart; a row with more shares the last one. */
enum { MAX_SIDES = 15, SIDE_SLOTS = MAX_SIDES + 1 };

/* Which markers may hold a stream back: proofs only, or also those that may lag. */
enum order_level { LEVEL_STRICT, LEVEL_LIKELY, N_ORDER_LEVELS };

/* A submission that was not proven finished when the journal was read. */
struct open_work {
	uint64_t ordinal;
	uint64_t sequence;
	uint64_t position; /* in ring `slot` */
	uint32_t stream;
	uint32_t slot;
	uint32_t channel; /* of the driver's words, 0 unknown */
	uint32_t payload;
	uint16_t flags; /* enum record_flags */
	uint8_t work;
	uint8_t said;      /* enum words_say, of words that are believed */
	bool denies_end;   /* its own word says that it has not finished, believed or not */
	bool is_accepted;  /* its call has succeeded */
	bool has_failed;   /* its own call returned the failure's code: it may never have run */
	bool is_ruled_out; /* by a core dump */
	bool is_harmless;  /* a kernel whose code cannot raise the failure's */
	bool is_contained; /* no kernel, and its memory was there: see contained.h */
	bool can_trap;     /* its code can, where a trap's error is sought */
	uint8_t fit;       /* enum coredump_fit, if there is a core dump */
};

/* One of unknown order on its stream, not known to be finished when the journal was read. */
struct unordered_work {
	uint64_t ordinal; /* a place that is not before its own, 0: its call has not returned */
	uint64_t behind;  /* it comes after this ordinal, 0 unknown */
	uint64_t sequence;
	uint64_t position; /* in ring `slot` */
	uint32_t slot;
	uint32_t stream;
	uint32_t next;  /* of the stream, as first_unordered */
	uint16_t flags; /* enum record_flags */
	uint8_t work;
	bool is_contained; /* see contained.h */
	bool has_waited;   /* its call returned when it was over */
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
 * What holds a stream back at one level.
 * wall         smallest unfinished ordinal with a marker of this level, which has not landed, or
 * that the driver's words say is unfinished: work above it cannot have started, but for
 *              programmatic launches
 * overlap_end  the last of the programmatic launches that directly follow the wall; else the wall
 * blocked_above work above this ordinal waits for unfinished work of another stream
 * unbegun_above work above this ordinal has not begun, by the driver's words
 */
struct stream_limit {
	uint64_t wall;
	uint64_t overlap_end;
	uint64_t wall_sequence; /* of the submission at the wall */
	uint64_t blocked_above;
	uint64_t unbegun_above;
	bool is_blocked_by_legacy; /* what set blocked_above */
	bool is_wall_worded;       /* the wall stands by the driver's words, not by a marker */
};

/* The legacy barrier as one thread made it, while that thread's ring is read. */
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
	uint64_t before; /* ordinals up to here are an earlier stream's */
	uint64_t synced;
	uint64_t marked;
	uint64_t followed;      /* by a marker that no record tells of */
	uint64_t done_sequence; /* of the submission at `done`, 0 unknown */
	uint64_t n_lost;        /* unfinished ordinals without a record */
	uint64_t n_late;        /* ordinals of work of unknown order: see unordered.h */
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
	bool is_unordered;     /* ordinals of some of its work are not their places */
	bool is_marked_inline; /* the marker at `marked` was an inline one */
	bool has_words;        /* the driver's words tell of some of its open work */
	uint32_t words_channel;
	uint64_t worded;     /* `done` as the words raised it, 0: they did not */
	uint64_t head;       /* has begun, and did so when all before it had finished; 0 unknown */
	uint64_t last_begun; /* the next by the words: 0 unknown */
	uint64_t last_begun_sequence;
	uint64_t passed;         /* what is before it is finished, unless a word is ahead by one */
	uint64_t ended_sequence; /* the last that the words say has ended, 0 unknown */
	uint64_t unbegun_above;  /* NO_ORDINAL unknown */
	struct barrier_state barrier;
	struct stream_limit limits[N_ORDER_LEVELS];
};

/* Everything known of the bundle's progress; all arrays lie in the caller's scratch. */
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
	struct order_edge *other_edges; /* where the next sort puts them */
	uint32_t first_queued;          /* list of streams whose edges are to be looked at */
	uint64_t n_unplaced; /* of no known stream, or no room: may have led to the code */
	bool is_contradictory;
	bool has_words;                /* the driver's words are used, */
	bool are_next_spared;          /* but clear no stream's next, */
	bool is_all_cleared;           /* what is believed no more cleared all work that was seen */
	struct trusted_channels trust; /* those of these channels */
	enum words_trouble trouble;    /* with which nothing of this is to be used */
};

/*
 * Is it unfinished work of the moment? Not what is proven finished by now, to which
 * limits_raise_done adds, nor what was submitted later: what other devices were given, say.
 */
bool progress_is_open(const struct progress *progress, const struct open_work *open);

/* Is it work that can have led to the moment's code? */
bool progress_is_able(const struct progress *progress, const struct open_work *open);

/* Its record as it is in the ring, or what is left if it was overwritten since. */
void progress_record(const struct progress *progress, const struct open_work *open,
		     struct journal_record *out);

/* Did its own call return an error? */
bool progress_has_error(const struct journal_record *record);

/*
 * Has the driver taken this work, for all we know? Yes if its call succeeded or has not returned. A
 * call that waits for its own work may also return the very error that this work caused, unless the
 * failure had been seen before it began.
 */
bool progress_may_be_queued(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record);

/* The stream's row, NULL for an id that the bundle does not have. */
struct stream_progress *progress_stream(const struct progress *progress, uint32_t id);

/* The last ordinal of the stream that can have started. After limits_find, as the next. */
uint64_t progress_last_startable(const struct stream_progress *stream, enum order_level level);

/* Can this submission not have started before the moment? */
bool progress_is_blocked(const struct progress *progress, const struct open_work *open,
			 enum order_level level);

/* Is it open, able and not blocked: suspect? */
bool progress_is_suspect(const struct progress *progress, const struct open_work *open,
			 enum order_level level);

/* The strict suspect that is alone; NULL: there are several, or none. */
const struct open_work *progress_only_suspect(const struct progress *progress);

#endif
