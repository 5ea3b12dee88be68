/*
 * model_state.h - the state of a story of the model.
 */
#ifndef CULPRIT_TESTS_MODEL_STATE_H
#define CULPRIT_TESTS_MODEL_STATE_H

#include "model/words_model.h"
#include "support/bundle_builder.h"

#define MODEL_PAUSE UINT64_C(250000) /* ns; now and then, if threads wait */

enum { MODEL_MAX_STREAMS = 6, MODEL_MAX_WORK = 96, MODEL_MAX_WAITS = 16, MODEL_THREADS = 3 };

struct model_settings {
	uint64_t seed;
	uint32_t n_operations;
	uint64_t ring_capacity; /* small: records are lost */
	bool has_inline_markers;
	bool has_side_markers;
	bool is_side_lagging;
	bool has_barriers; /* a legacy stream and blocking ones */
	bool has_overlaps; /* programmatic launches */
	enum words_kind words;
	bool has_stuck_words; /* of some channels: they have never moved */
	bool has_words_ahead; /* of some channels: by one */
	bool has_unordered;   /* neighbours of which one passed the other's lock */
	bool has_waits;       /* of streams and of the context, which leave records */
	bool has_times;       /* the GPU takes time, and channels have the times of their starts */
};

enum work_state { WORK_QUEUED, WORK_RUNNING, WORK_FINISHED };

struct model_wait {
	uint32_t stream;
	uint32_t ordinal;
};

struct model_work {
	enum work_state state;
	uint32_t thread;
	uint64_t sequence;
	struct journal_record *record; /* may be overwritten: see `position` */
	uint64_t commit;               /* the record's; if it differs, the record was overwritten */
	struct model_wait waits[MODEL_MAX_WAITS];
	uint32_t n_waits;
	struct work_numbers numbers;
	bool is_culprit;
	bool is_overlapping;
	bool has_passed;       /* its neighbour, which had the lock */
	bool is_beside_next;   /* both were at the driver at once: no event came between */
	bool is_before_marker; /* it passed the lock before its neighbour's inline marker came */
	bool has_inline_marker;
	bool has_side_marker;
	bool has_inline_landed;
	bool has_side_landed;
};

struct model_stream {
	uint32_t id;
	bool is_legacy;
	bool is_blocking;
	uint32_t n_work;
	struct model_work work[MODEL_MAX_WORK];   /* ordinal - 1 */
	struct model_wait waits[MODEL_MAX_WAITS]; /* for the next work */
	uint32_t n_waits;
};

struct gpu_model {
	struct model_settings settings;
	struct bundle_builder builder;
	uint64_t random;
	int32_t code;
	struct words_model words;
	uint32_t n_streams;
	struct model_stream streams[MODEL_MAX_STREAMS];
	uint32_t culprit_countdown; /* able submissions until the one that faults */
	uint64_t culprit;           /* its sequence, 0 until submitted */
	enum work_kind culprit_kind;
	bool has_faulted;
	uint64_t fault_ns; /* with times: when the GPU noticed it, by its own clock; 0 before */
	bool is_failed;    /* a call has seen it */
};

#endif
