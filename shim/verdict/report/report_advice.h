/*
 * report_advice.h - what to do to learn more, for people to read and for programs to do.
 */
#ifndef CULPRIT_VERDICT_REPORT_ADVICE_H
#define CULPRIT_VERDICT_REPORT_ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "verdict/attribution/attribution.h"

/* Ways to learn more. A way that is a setting of a rerun has one by advice_setting(). */
enum advice_kind {
	ADVICE_MARKERS_INLINE,
	ADVICE_COREDUMPS,
	ADVICE_LAUNCH_BLOCKING,
	ADVICE_MORE_RECORDS, /* a setting whose value is to be larger than it was */
	ADVICE_RERUN,        /* as it was: this bundle is damaged */
	ADVICE_DOCTOR,       /* ask it whether all calls are seen */
	ADVICE_READ_BUNDLE,  /* the process could not look; the command can */
	ADVICE_CHECK_GPU,
	ADVICE_SHORTER_KERNEL, /* launch it in parts */
	N_ADVICE_KINDS
};

enum { ADVICE_MAX = 3 };

/* The best first, n is 0 if there is nothing to do. Those that are settings are alternatives. */
struct advice {
	uint32_t n;
	enum advice_kind kinds[ADVICE_MAX];
	bool is_to_narrow; /* there are suspects, of which it will leave fewer */
};

struct advice_setting {
	const char *name;  /* NULL: the way is no setting */
	const char *value; /* NULL: a larger one */
};

/* What to do after this verdict. Any thread. */
void report_advice(const struct verdict *verdict, struct advice *out);

/* "CULPRIT_MARKERS" and "inline": what a rerun needs in its environment. */
struct advice_setting advice_setting(enum advice_kind kind);

/* "markers_inline": the kind for programs, which never changes. */
const char *advice_word(enum advice_kind kind);

/*
 * One sentence for all of it; nothing if there is none. `as_options`: settings as the options of
 * `culprit run`, "--markers inline".
 */
void report_advice_text(const struct advice *advice, bool as_options, struct text *out);

#endif
