/*
 * hardware_story.c - the lines of a report about the hardware.
 */
#include "hardware/hardware_story.h"

#include <inttypes.h>
#include <string.h>

#include "hardware/hardware_judge.h"

enum { MAX_FACTS = 512 };

static void judge_all(const struct hardware *hardware, struct hardware_facts *facts,
		      enum area_state out[N_HARDWARE_AREAS])
{
	for (enum hardware_area area = 0; area < N_HARDWARE_AREAS; area++)
		out[area] = AREA_CLEAN;
	hardware_events_judge(hardware, facts);
	for (uint32_t i = 0; i < hardware->n_gpus; i++) {
		enum area_state states[N_HARDWARE_AREAS];
		hardware_judge(&hardware->gpus[i], facts, states);
		for (enum hardware_area area = 0; area < N_HARDWARE_AREAS; area++)
			out[area] = states[area] > out[area] ? states[area] : out[area];
	}
}

static bool has_rows(const struct hardware *hardware)
{
	for (uint32_t i = 0; i < hardware->n_gpus; i++)
		if (hardware->gpus[i].after.values[GPU_ROWS_CORRECTED].answer == ANSWER_KNOWN)
			return true;
	return false;
}

static void add_separator(struct text *out)
{
	text_add(out, out->at > out->start ? ", " : "");
}

/* Append what is free of errors: "no ECC errors, no remapped rows". */
static void add_claims(const struct hardware *hardware, const enum area_state states[],
		       struct text *out)
{
	const char *const nouns[N_HARDWARE_AREAS] = {
		[AREA_ECC] = "ECC errors",
		[AREA_MEMORY] = has_rows(hardware) ? "remapped rows" : "retired pages",
		[AREA_NVLINK] = "NVLink errors",
	};
	for (enum hardware_area area = 0; area < N_HARDWARE_AREAS; area++) {
		if (states[area] != AREA_CLEAN && states[area] != AREA_NOT_NEW)
			continue;
		add_separator(out);
		text_addf(out, "no %s%s", states[area] == AREA_NOT_NEW ? "new " : "", nouns[area]);
	}
}

/* Append what nothing was claimed about. A GPU without NVLink is no gap. */
static void add_gaps(const enum area_state states[], bool are_xids_partial, struct text *out)
{
	const char *before = "; not known: ";
	if (states[AREA_ECC] == AREA_UNKNOWN || states[AREA_ECC] == AREA_UNSUPPORTED) {
		text_addf(out, "%sECC errors", before);
		before = ", ";
	}
	if (states[AREA_NVLINK] == AREA_UNKNOWN) {
		text_addf(out, "%sNVLink errors", before);
		before = ", ";
	}
	if (are_xids_partial)
		text_addf(out, "%s%s", before, "whether there were other Xids");
}

static struct text begin_line(struct hardware_story *story)
{
	return text_in(story->lines[story->n_lines++], HARDWARE_LINE_SIZE);
}

static const char *indication(enum hardware_cause cause)
{
	return cause == CAUSE_HARDWARE ? "points to the hardware: "
				       : "points to the driver or the hardware: ";
}

static void add_advice(const struct hardware_facts *facts, struct hardware_story *out)
{
	const char *advice = hardware_advice_text(facts->advice);
	struct text line = begin_line(out);
	text_add(&line, "operators: ");
	text_add(&line, advice ? advice : hardware_advice_text(ADVICE_LOOK));
	if (facts->xid && xid_find(facts->xid))
		text_addf(&line, "; culprit explain 'xid %" PRIu64 "'", facts->xid);
	else if (facts->xid)
		text_add(&line, "; see NVIDIA's list of Xids");
}

void hardware_story_find(const struct hardware *hardware, const struct hardware_span *span,
			 struct hardware_story *out)
{
	char suspicions[MAX_FACTS];
	char notes[MAX_FACTS];
	char known[MAX_FACTS];
	struct hardware_facts facts = {.is_redacted = span->is_redacted,
				       .first_ns = span->first_ns,
				       .suspicions = text_in(suspicions, sizeof(suspicions)),
				       .notes = text_in(notes, sizeof(notes))};
	struct text claims = text_in(known, sizeof(known));
	enum area_state states[N_HARDWARE_AREAS];
	bool are_xids_partial = false;
	*out = (struct hardware_story){.n_lines = 0};
	if (!hardware->n_gpus)
		return;
	judge_all(hardware, &facts, states);
	add_claims(hardware, states, &claims);
	char xids[MAX_FACTS];
	struct text seen = text_in(xids, sizeof(xids));
	if (hardware_events_claim(hardware, span, &seen, &are_xids_partial)) {
		add_separator(&claims);
		text_add(&claims, xids);
	}
	if (*notes) {
		add_separator(&claims);
		text_add(&claims, notes);
	}
	out->cause = facts.cause;
	if (*suspicions) {
		struct text line = begin_line(out);
		text_add(&line, indication(facts.cause));
		text_add(&line, suspicions);
		add_advice(&facts, out);
	}
	if (!*known)
		return;
	add_gaps(states, are_xids_partial, &claims);
	struct text line = begin_line(out);
	text_add(&line, *suspicions ? "otherwise " : "");
	text_add(&line, known);
	if (!*suspicions && facts.xid)
		add_advice(&facts, out);
}
