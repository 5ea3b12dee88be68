/*
 * hardware_judge.h - what the counters of one GPU say: facts that point to the hardware, others
 * that are worth a word, and whether an area is free of errors. Parts of hardware_story.h.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_JUDGE_H
#define CULPRIT_TOOLS_HARDWARE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "hardware/hardware.h"
#include "hardware/xids.h"

/* The time that the story is about, as CLOCK_MONOTONIC. */
struct hardware_span {
	uint64_t first_ns; /* nothing that matters was before; 0: not known */
	const char *first; /* what came then: "its first work" */
	uint64_t last_ns;  /* the failure; 0: none */
	bool is_moment;    /* no time at all: say nothing about Xids */
	bool is_redacted;  /* leave out what identifies the machine */
};

/* Parts of a GPU that may be free of errors. */
enum hardware_area { AREA_ECC, AREA_MEMORY, AREA_NVLINK, N_HARDWARE_AREAS };

/* From the best to the worst: of two states, the greater one counts. */
enum area_state {
	AREA_CLEAN,       /* no error, ever */
	AREA_NOT_NEW,     /* errors, but none during the run */
	AREA_UNSUPPORTED, /* the GPU has none of it, or does not count it */
	AREA_UNKNOWN,
	AREA_DIRTY, /* the suspicions or notes say more */
};

/* Collects the parts of a story. */
struct hardware_facts {
	bool is_redacted;
	uint64_t first_ns; /* as in the span */
	enum hardware_cause cause;
	enum hardware_advice advice;
	uint64_t xid;           /* of the strongest suspicion; 0: none */
	struct text suspicions; /* joined by "; " */
	struct text notes;
};

/* Start a fact of a cause; append its words to the text that is returned. */
struct text *facts_suspect(struct hardware_facts *facts, enum hardware_cause cause,
			   enum hardware_advice advice);
struct text *facts_note(struct hardware_facts *facts);

/* Append "GPU 3", or "GPU 3 (00000000:1B:00.0)" unless the story is redacted. */
void facts_add_gpu(const struct hardware_facts *facts, const struct hardware_gpu *gpu,
		   struct text *out);

/* Add the facts about a GPU's counters, and set the state of each area. */
void hardware_judge(const struct hardware_gpu *gpu, struct hardware_facts *facts,
		    enum area_state out[N_HARDWARE_AREAS]);

/* Add the facts about all events except for Xids that programs cause. */
void hardware_events_judge(const struct hardware *hardware, struct hardware_facts *facts);

/*
 * Append what is known about Xids: "no Xid except 31 on GPU 0", or only those that were seen.
 * Return false if nothing is known, and nothing was appended. *out_is_partial: Xids may have been
 * missed.
 */
bool hardware_events_claim(const struct hardware *hardware, const struct hardware_span *span,
			   struct text *out, bool *out_is_partial);

#endif
