/*
 * words_model.h - the driver's own progress counters in the random model: channels, which start in
 * order the work that streams give them, and states of kernels. At the end it writes the truth, or
 * lies that can be found out. A counter that is behind or ahead of the truth contradicts the
 * journal, and the verdict must notice it, unless the recorder has refused the counter. The
 * recorder has made too few checks of some channels to trust them, and their counters may never
 * have moved.
 */
#ifndef CULPRIT_TESTS_WORDS_MODEL_H
#define CULPRIT_TESTS_WORDS_MODEL_H

#include "support/bundle_builder.h"

/* The GPU's clock is ahead of the host's by this. */
#define MODEL_CLOCKS_APART UINT64_C(1795698900000000000)

/* Channels, the last of them for copies, and state words of each stream. */
enum { WORDS_MAX_STREAMS = 6, WORDS_CHANNELS = 7, WORDS_COPY_CHANNEL = 6, WORDS_STATES = 4 };

enum words_kind {
	WORDS_MODEL_NONE,
	WORDS_MODEL_TRUE,   /* a channel for each stream */
	WORDS_MODEL_SHARED, /* one or two for all of them */
	WORDS_MODEL_LYING,
	N_WORDS_KINDS
};

struct model_channel {
	uint32_t id;
	uint32_t newest;  /* payload, submitted */
	uint32_t started; /* payload */
	uint32_t start;   /* payload before all others */
	uint32_t timed;   /* payload that started at started_ns */
	uint64_t started_ns;
};

struct model_state {
	uint32_t id;
	uint32_t value;
};

struct words_model {
	enum words_kind kind;
	struct bundle_builder *builder;
	uint64_t *random;    /* the story's */
	bool has_stuck;      /* some counters that were never checked have never moved */
	bool is_ahead;       /* some that were checked are ahead by one */
	uint32_t n_channels; /* of streams */
	struct model_channel channels[WORDS_CHANNELS];
	struct model_state states[WORDS_MAX_STREAMS][WORDS_STATES];
	uint32_t n_kernels[WORDS_MAX_STREAMS];
};

/* The driver's numbers for one submission. */
struct work_numbers {
	struct model_channel *channel; /* NULL: it has none */
	struct model_state *state;     /* kernels */
	uint32_t first_payload;        /* of n_pieces */
	uint32_t payload;              /* of the last one */
	uint32_t n_pieces;
	uint32_t first_value; /* of the state: it has started */
	uint32_t marker;      /* payload of the inline marker after it; 0: none */
};

/* Chooses channels for the streams, whose ids start at 1. `random` is used from then on. */
void words_model_begin(struct words_model *words, enum words_kind kind,
		       struct bundle_builder *builder, uint64_t *random, uint32_t n_streams);

/* Numbers a submission to stream s, from 0, and notes it in its record, mostly. */
void words_model_submit(struct words_model *words, uint32_t s, struct journal_record *record,
			struct work_numbers *out);

/* May it start, as far as its channel is concerned? */
bool words_model_can_start(const struct work_numbers *work);

/* Start it, with its first piece. */
void words_model_start(const struct work_numbers *work);

/* Submit an inline marker after the work, on its channel. Can the marker land? Land it. */
void words_model_submit_marker(struct work_numbers *work);
bool words_model_can_mark(const struct work_numbers *work);
void words_model_mark(const struct work_numbers *work);

/* Start the next piece. Return false after the last one. */
bool words_model_step(const struct work_numbers *work);

void words_model_finish(const struct work_numbers *work);

/* Note that what has started since the last call did so now, by the GPU's clock. */
void words_model_tick(struct words_model *words, uint64_t gpu_ns);

/* Write the counters into the bundle, after syncs and markers. */
void words_model_write(struct words_model *words);

#endif
