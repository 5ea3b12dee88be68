/*
 * story.c - print the runs of triage and what they have in common.
 */
#include "triage/attempt.h"

#include <string.h>

#include "command/message.h"

enum { WAY_COLUMN = 32 };

void story_begin_run(unsigned index, enum way way)
{
	message("run %u, %s", index + 1, attempt_way_text(way));
}

/* Print compute-sanitizer's error, indented, below the line of its run. */
static void print_set_in(const char *text, FILE *out)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		fprintf(out, "    %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void print_run(const struct story_facts *told, unsigned index, FILE *out)
{
	const struct plan_run *run = &told->runs[index];
	const char *headline = told->attempts[index].headline;
	fprintf(out, "  %2u  %-*s %s\n", index + 1, WAY_COLUMN, told->attempts[index].how,
		run->finding.has_failure ? headline : "no GPU failure seen");
	print_set_in(told->attempts[index].sanitizer, out);
}

/* Print each culprit of repeated runs once, with the number of runs that named it. */
static void print_count(const struct story_facts *told, unsigned index, FILE *out)
{
	const struct finding *finding = &told->runs[index].finding;
	unsigned n = 0;
	for (unsigned i = 0; i < told->n; i++) {
		bool is_same =
			!strcmp(told->runs[i].finding.fingerprint.id, finding->fingerprint.id);
		if (is_same && i < index)
			return;
		n += is_same ? 1 : 0;
	}
	fprintf(out, "  %4u of %u  %s\n", n, told->n,
		finding->has_failure ? told->attempts[index].headline : "no GPU failure seen");
}

/* True if this way was tried and none of its runs failed. */
static bool vanishes(const struct story_facts *told, enum way way)
{
	bool is_tried = false;
	for (unsigned i = 0; i < told->n; i++) {
		if (told->runs[i].way != way)
			continue;
		is_tried = true;
		if (told->runs[i].finding.has_failure)
			return false;
	}
	return is_tried;
}

static const char *reason_to_vanish(enum way way)
{
	switch (way) {
	case WAY_BLOCKING:
		return "the failure depends on what runs at the same time: look for a race, "
		       "between streams or with the host";
	case WAY_MARKERS_INLINE:
	case WAY_COREDUMP:
		return "the failure depends on timing: look for a race, or for memory that is "
		       "freed too early";
	case WAY_SANITIZED:
		return "compute-sanitizer slows checked launches down: look for a race, or a "
		       "fault in a launch that was not checked";
	case WAY_UNCACHED:
		return "the failure depends on the layout of tensors in memory: look for a tensor "
		       "that is used after it was freed, or beyond its end";
	case WAY_AS_IS:
	case N_WAYS:
		break;
	}
	return NULL;
}

static void print_constancy(const struct story_facts *told, FILE *out)
{
	bool has_failed = told->runs[plan_best(told->runs, told->n)].finding.has_failure;
	switch (plan_constancy(told->runs, told->n)) {
	case PLAN_STEADY:
		fputs("  steady: all runs that name a launch name the same code\n", out);
		break;
	case PLAN_MOVES:
		fputs("  moves: the runs name different launches: several faults, or a race\n",
		      out);
		break;
	case PLAN_ONE_RUN:
		break;
	}
	for (enum way way = WAY_MARKERS_INLINE; has_failed && way < N_WAYS; way++)
		if (vanishes(told, way))
			fprintf(out, "  vanishes with %s: %s\n", attempt_way_text(way),
				reason_to_vanish(way));
}

/* One run is the surest about the launch, and another one, which agrees, knows more of it. */
static void print_combination(const struct story_facts *told, unsigned best, unsigned shown,
			      FILE *out)
{
	const struct finding *surest = &told->runs[best].finding;
	const struct finding *finding = &told->runs[shown].finding;
	const char *what = finding->has_node && !surest->has_node ? "node"
			   : finding->has_device_line             ? "line on the device"
								  : "place on the device";
	fprintf(out, "  together: run %u %s the launch, run %u also names the %s and follows\n",
		best + 1, surest->class == VERDICT_EXACT ? "proves" : "names", shown + 1, what);
}

void story_print(const struct story_facts *told, FILE *out)
{
	unsigned best = plan_best(told->runs, told->n);
	unsigned shown = plan_shown(told->runs, told->n);
	fprintf(out, "culprit triage: %u run%s, bundles in %s\n", told->n, told->n == 1 ? "" : "s",
		told->directory);
	for (unsigned i = 0; i < told->n; i++) {
		if (told->repeats)
			print_count(told, i, out);
		else
			print_run(told, i, out);
	}
	print_constancy(told, out);
	for (unsigned i = 0; i < told->n; i++)
		if (told->attempts[i].hardware)
			fprintf(out, "  run %u %s\n", i + 1, told->attempts[i].hardware);
	if (shown != best)
		print_combination(told, best, shown, out);
	if (told->runs[shown].finding.has_failure)
		fprintf(out, "\n%s", told->attempts[shown].report);
}
