/*
 * report_advice.h - advice on how to learn more, as text for people and as settings for programs.
 */
#ifndef CULPRIT_REPORT_REPORT_ADVICE_H
#define CULPRIT_REPORT_REPORT_ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/attribution.h"
#include "base/text.h"

/* Ways to learn more. If a way is a setting for a rerun, advice_setting() returns it. */
enum advice_kind {
	ADVICE_MARKERS_INLINE,
	ADVICE_COREDUMPS,
	ADVICE_LAUNCH_BLOCKING,
	ADVICE_MORE_RECORDS, /* a setting that needs a larger value than before */
	ADVICE_RERUN,        /* with the same settings: this bundle is damaged */
	ADVICE_DOCTOR,       /* run `culprit doctor` to check whether all calls are seen */
	ADVICE_READ_BUNDLE,  /* the process could not check; `culprit report` can */
	ADVICE_CHECK_GPU,
	ADVICE_SHORTER_KERNEL, /* launch it in parts */
	N_ADVICE_KINDS
};

enum { ADVICE_MAX = 3 };

/* Best way first; n is 0 if there is nothing to do. Ways that are settings are alternatives. */
struct advice {
	uint32_t n;
	enum advice_kind kinds[ADVICE_MAX];
	bool is_to_narrow; /* it will reduce the number of suspects */
};

struct advice_setting {
	const char *name;  /* NULL: the way is not a setting */
	const char *value; /* NULL: a larger value than before */
};

/* Choose what to do after this verdict. Any thread. */
void report_advice(const struct verdict *verdict, struct advice *out);

/* Return "CULPRIT_MARKERS" and "inline": what a rerun needs in its environment. */
struct advice_setting advice_setting(enum advice_kind kind);

/* Return "markers_inline": the id for programs, which never changes. */
const char *advice_label(enum advice_kind kind);

/*
 * Append all advice as one sentence; nothing if there is none. `as_options` shows settings as
 * options of `culprit run`, "--markers inline".
 */
void report_advice_text(const struct advice *advice, bool as_options, struct text *out);

#endif
