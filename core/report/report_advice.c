/*
 * report_advice.c - chooses advice by the verdict, and writes it as text.
 */
#include "report/report_advice.h"

#include <stddef.h>
#include <string.h>

#include "base/settings.h"

enum { CODE_LAUNCH_TIMEOUT = 702 }; /* CUDA_ERROR_LAUNCH_TIMEOUT */

static const struct {
	const char *word;
	struct advice_setting setting;
	const char *sentence; /* NULL: the way is a setting */
} ways[N_ADVICE_KINDS] = {
	[ADVICE_MARKERS_INLINE] = {"markers_inline", {"CULPRIT_MARKERS", "inline"}, NULL},
	[ADVICE_COREDUMPS] = {"coredumps", {"CULPRIT_COREDUMP", "on"}, NULL},
	[ADVICE_LAUNCH_BLOCKING] = {"launch_blocking", {"CUDA_LAUNCH_BLOCKING", "1"}, NULL},
	[ADVICE_MORE_RECORDS] = {"more_records", {"CULPRIT_RECORDS", NULL}, NULL},
	[ADVICE_RERUN] = {"rerun",
			  {NULL, NULL},
			  "rerun: this bundle was damaged after it was written"},
	[ADVICE_DOCTOR] = {"doctor",
			   {NULL, NULL},
			   "\"culprit doctor\" tells whether all calls are seen"},
	[ADVICE_READ_BUNDLE] = {"read_bundle",
				{NULL, NULL},
				"\"culprit report\" on the bundle, if there is one, tells more"},
	[ADVICE_CHECK_GPU] =
		{"check_gpu",
		 {NULL, NULL},
		 "look for Xid messages in the kernel's log, and have the GPU checked"},
	[ADVICE_SHORTER_KERNEL] =
		{"shorter_kernel",
		 {NULL, NULL},
		 "launch the kernel in parts, of fewer blocks each, or on a GPU that drives no "
		 "display, where it may take as long as it wants"},
};

static void add(struct advice *advice, enum advice_kind kind)
{
	advice->kinds[advice->n++] = kind;
}

/* Advise what was not in use. With both in use, only one launch at a time reveals more. */
static void advise_for_narrowed(const struct verdict *verdict, struct advice *out)
{
	bool has_dump = verdict->coredump ||
			verdict->failure.flags & (FAILURE_COREDUMP_MISSING | FAILURE_COREDUMPS);
	bool has_inline = verdict->suspects[0].record.flags & RECORD_MARKED_INLINE;
	out->is_to_narrow = true;
	if (!has_inline)
		add(out, ADVICE_MARKERS_INLINE);
	if (!has_dump)
		add(out, ADVICE_COREDUMPS);
	if (has_inline && has_dump)
		add(out, ADVICE_LAUNCH_BLOCKING);
}

static void advise_for_unknown(enum unknown_reason reason, struct advice *out)
{
	switch (reason) {
	case UNKNOWN_NOTHING_UNFINISHED:
		add(out, ADVICE_MARKERS_INLINE);
		add(out, ADVICE_DOCTOR);
		break;
	case UNKNOWN_HARDWARE:
		add(out, ADVICE_CHECK_GPU);
		break;
	case UNKNOWN_RECORDS_LOST:
		add(out, ADVICE_MARKERS_INLINE);
		add(out, ADVICE_MORE_RECORDS);
		break;
	case UNKNOWN_BAD_BUNDLE:
		add(out, ADVICE_RERUN);
		break;
	case UNKNOWN_NO_MEMORY:
		add(out, ADVICE_READ_BUNDLE);
		break;
	case UNKNOWN_NOT:
	case UNKNOWN_NO_FAILURE:
		break;
	}
}

void report_advice(const struct verdict *verdict, struct advice *out)
{
	*out = (struct advice){.n = 0};
	if (verdict->class == VERDICT_NARROWED)
		advise_for_narrowed(verdict, out);
	else
		advise_for_unknown(verdict->unknown_reason, out);
	if (verdict->failure.code == CODE_LAUNCH_TIMEOUT)
		add(out, ADVICE_SHORTER_KERNEL);
}

struct advice_setting advice_setting(enum advice_kind kind)
{
	return ways[kind].setting;
}

const char *advice_label(enum advice_kind kind)
{
	return ways[kind].word;
}

/* Return the option of `culprit run` for this variable, or NULL. */
static const char *flag_of(const char *name)
{
	for (int which = 0; which < N_SETTINGS; which++) {
		if (strcmp(setting_facts[which].environment, name) == 0)
			return setting_facts[which].flag;
	}
	return NULL;
}

static void add_setting(struct advice_setting setting, bool as_options, struct text *out)
{
	const char *flag = as_options ? flag_of(setting.name) : NULL;
	if (!setting.value)
		text_add(out, "a larger ");
	if (flag)
		text_addf(out, "--%s", flag);
	else
		text_add(out, setting.name);
	if (setting.value)
		text_addf(out, "%s%s", flag ? " " : "=", setting.value);
}

/* Append "rerun with A", "rerun with A, or with B". Return the number of settings. */
static uint32_t add_settings(const struct advice *advice, bool as_options, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < advice->n; i++) {
		if (ways[advice->kinds[i]].sentence)
			continue;
		text_add(out, n++ == 0 ? "rerun with " : ", or with ");
		add_setting(ways[advice->kinds[i]].setting, as_options, out);
	}
	return n;
}

void report_advice_text(const struct advice *advice, bool as_options, struct text *out)
{
	uint32_t n_settings = add_settings(advice, as_options, out);
	const char *before = n_settings > 0 ? "; " : "";
	if (advice->is_to_narrow)
		text_add(out, n_settings > 1 ? ", to narrow it down" : " to narrow it down");
	for (uint32_t i = 0; i < advice->n; i++) {
		const char *sentence = ways[advice->kinds[i]].sentence;
		if (!sentence)
			continue;
		text_add(out, before);
		text_add(out, sentence);
		before = "; ";
	}
}
