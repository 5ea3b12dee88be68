/*
 * plan.c - try the ways in order: first proof, then the device line, then larger changes.
 */
#include "triage/plan.h"

#include <string.h>

static bool is_tried(const struct plan_run *runs, unsigned n, enum way way)
{
	for (unsigned i = 0; i < n; i++)
		if (runs[i].way == way)
			return true;
	return false;
}

static unsigned rank(const struct finding *finding)
{
	if (!finding->has_failure)
		return 0;
	return 1 + 3 * (unsigned)finding->class + (finding->has_device_location ? 1 : 0) +
	       (finding->has_device_line ? 1 : 0);
}

unsigned plan_best(const struct plan_run *runs, unsigned n)
{
	unsigned best = 0;
	for (unsigned i = 1; i < n; i++)
		if (rank(&runs[i].finding) > rank(&runs[best].finding))
			best = i;
	return best;
}

static bool names_launch(const struct finding *finding)
{
	return finding->has_failure && finding->class >= VERDICT_LIKELY;
}

static bool agree(const struct finding *a, const struct finding *b)
{
	return names_launch(a) && names_launch(b) && !strcmp(a->fingerprint.id, b->fingerprint.id);
}

static unsigned count_details(const struct finding *finding)
{
	unsigned n = finding->has_node ? 1 : 0;
	n += finding->has_device_location ? 1 : 0;
	return n + (finding->has_device_line ? 1 : 0);
}

unsigned plan_shown(const struct plan_run *runs, unsigned n)
{
	unsigned best = plan_best(runs, n);
	unsigned shown = best;
	for (unsigned i = 0; i < n; i++)
		if (agree(&runs[i].finding, &runs[best].finding) &&
		    count_details(&runs[i].finding) > count_details(&runs[shown].finding))
			shown = i;
	return shown;
}

/* Return what the runs know together: the best finding, and the details of those that agree. */
static struct finding combine(const struct plan_run *runs, unsigned n)
{
	struct finding all = runs[plan_best(runs, n)].finding;
	const struct finding best = all;
	for (unsigned i = 0; i < n; i++) {
		if (!agree(&runs[i].finding, &best))
			continue;
		all.has_device_location |= runs[i].finding.has_device_location;
		all.has_device_line |= runs[i].finding.has_device_line;
	}
	return all;
}

/* WAY_UNCACHED helps with bad addresses only: tensors then no longer share allocations. */
static bool may_help(enum way way, const struct finding *finding, const struct plan_means *means)
{
	enum { ILLEGAL_ADDRESS = 700 };
	bool is_exact = finding->class == VERDICT_EXACT;
	switch (way) {
	case WAY_COREDUMP:
		return !finding->has_device_line;
	case WAY_UNCACHED:
		return !is_exact && finding->is_python && finding->code == ILLEGAL_ADDRESS;
	case WAY_MARKERS_INLINE:
	case WAY_BLOCKING:
		return !is_exact;
	case WAY_SANITIZED:
		return means->has_sanitizer && *finding->target.kernel &&
		       (!is_exact || !finding->has_device_line);
	case WAY_AS_IS:
	case N_WAYS:
		break;
	}
	return false;
}

enum plan_end plan_next(const struct plan_run *runs, unsigned n, const struct plan_means *means,
			enum way *out_way)
{
	*out_way = WAY_AS_IS;
	if (n == 0)
		return PLAN_GOES_ON;
	const struct finding known = combine(runs, n);
	if (!known.has_failure)
		return PLAN_NO_FAILURE;
	for (enum way way = WAY_MARKERS_INLINE; way < N_WAYS && n < means->max_runs; way++) {
		if (is_tried(runs, n, way) || !may_help(way, &known, means))
			continue;
		*out_way = way;
		return PLAN_GOES_ON;
	}
	return known.class == VERDICT_EXACT ? PLAN_FOUND : PLAN_SPENT;
}

enum plan_constancy plan_constancy(const struct plan_run *runs, unsigned n)
{
	const struct finding *first = NULL;
	unsigned n_naming = 0;
	for (unsigned i = 0; i < n; i++) {
		if (!names_launch(&runs[i].finding))
			continue;
		if (first && strcmp(first->fingerprint.id, runs[i].finding.fingerprint.id) != 0)
			return PLAN_MOVES;
		first = &runs[i].finding;
		n_naming++;
	}
	return n_naming > 1 ? PLAN_STEADY : PLAN_ONE_RUN;
}
