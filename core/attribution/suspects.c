/*
 * suspects.c - collect the suspects, put them into order, and count their groups.
 */
#include "attribution/suspects.h"

#include "attribution/suspect_order.h"
#include "progress/unordered.h"

static_assert((int)VERDICT_MAX_GROUPS <= (int)VERDICT_MAX_SUSPECTS, "each has one in the list");

/* Return the index of the record's group, from `from` on; n_groups if there is none. */
static uint32_t find_group(const struct bundle_view *view, const struct verdict *verdict,
			   const struct journal_record *record, uint32_t from)
{
	const struct suspect_key wanted = suspect_key_of(view, record);
	uint32_t group = from;
	for (; group < verdict->n_groups; group++) {
		const struct suspect_key key =
			suspect_key_of(view, &verdict->groups[group].first.record);
		if (suspect_keys_are_same(&key, &wanted))
			break;
	}
	return group;
}

/* Count one more suspect. Returns its group's index, VERDICT_MAX_GROUPS if there is no room. */
static uint32_t count_in_group(const struct bundle_view *view, const struct submission *suspect,
			       struct verdict *verdict)
{
	uint64_t sequence = suspect->record.sequence;
	uint32_t index = find_group(view, verdict, &suspect->record, 0);
	struct suspect_group *group = &verdict->groups[index];
	if (index == VERDICT_MAX_GROUPS) {
		verdict->n_ungrouped++;
		return index;
	}
	if (index == verdict->n_groups) {
		verdict->n_groups++;
		*group = (struct suspect_group){
			.first = *suspect, .earliest = sequence, .latest = sequence};
	}
	group->n++;
	group->earliest = sequence < group->earliest ? sequence : group->earliest;
	group->latest = sequence > group->latest ? sequence : group->latest;
	stream_set_add(&group->streams, suspect->record.stream);
	return index;
}

/* Count the open work at `index`. best[] has the index of the most suspect work of each group. */
static void add_to_group(const struct progress *progress, uint32_t index, struct verdict *verdict,
			 uint32_t best[VERDICT_MAX_GROUPS])
{
	const struct open_work *work = &progress->open[index];
	struct submission suspect = {.slot = work->slot};
	progress_record(progress, work, &suspect.record);
	uint32_t group = count_in_group(progress->view, &suspect, verdict);
	if (group == VERDICT_MAX_GROUPS)
		return;
	if (verdict->groups[group].n == 1 ||
	    suspect_is_before(progress, work, &progress->open[best[group]]))
		best[group] = index;
}

static bool has_best(const struct progress *progress, const struct verdict *verdict,
		     const uint32_t best[VERDICT_MAX_GROUPS], const struct open_work *work)
{
	for (uint32_t group = 0; group < verdict->n_groups; group++)
		if (&progress->open[best[group]] == work)
			return true;
	return false;
}

static bool is_ranked(const struct open_work *work, const struct open_work **ranked, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (ranked[i] == work)
			return true;
	return false;
}

/*
 * Ensure that `ranked`, of length `n`, has the best suspect of each group. If there is no room, it
 * replaces one of the last. Returns the new length.
 */
static uint32_t represent_groups(const struct progress *progress, const struct verdict *verdict,
				 const uint32_t best[VERDICT_MAX_GROUPS],
				 const struct open_work **ranked, uint32_t n)
{
	for (uint32_t group = 0; group < verdict->n_groups; group++) {
		const struct open_work *work = &progress->open[best[group]];
		uint32_t place = n;
		if (is_ranked(work, ranked, n))
			continue;
		if (n < VERDICT_MAX_SUSPECTS)
			n++;
		else
			do
				place--;
			while (place > 0 && has_best(progress, verdict, best, ranked[place]));
		ranked[place] = work;
	}
	return n;
}

/* Put the groups into the order of the verdict's suspects, which are set. */
static void sort_groups(const struct bundle_view *view, struct verdict *verdict)
{
	uint32_t n_sorted = 0;
	for (uint32_t i = 0; i < VERDICT_MAX_SUSPECTS && i < verdict->n_suspects; i++) {
		uint32_t index = find_group(view, verdict, &verdict->suspects[i].record, n_sorted);
		if (index == verdict->n_groups)
			continue;
		struct suspect_group group = verdict->groups[index];
		group.first = verdict->suspects[i];
		verdict->groups[index] = verdict->groups[n_sorted];
		verdict->groups[n_sorted++] = group;
	}
}

static void copy_suspect(const struct progress *progress, const struct open_work *open,
			 struct submission *out)
{
	out->slot = open->slot;
	progress_record(progress, open, &out->record);
}

void suspects_add(const struct progress *progress, const struct open_work *work, uint32_t place,
		  struct verdict *verdict)
{
	copy_suspect(progress, work, &verdict->suspects[place]);
	(void)count_in_group(progress->view, &verdict->suspects[place], verdict);
}

/* Rank work of unknown order, if there is room. */
static uint32_t rank_late(const struct progress *progress, const struct open_work *late,
			  const struct open_work **ranked, uint32_t n, struct verdict *verdict)
{
	verdict->n_suspects++;
	if (n == VERDICT_MAX_SUSPECTS) {
		verdict->n_ungrouped++;
		return n;
	}
	struct submission suspect;
	copy_suspect(progress, late, &suspect);
	(void)count_in_group(progress->view, &suspect, verdict);
	return suspect_insert(progress, late, ranked, n);
}

/* Rank all work of unknown order. If there is any, the verdict is NARROWED. */
static uint32_t rank_unordered(const struct progress *progress, const struct open_work **ranked,
			       uint32_t n, struct verdict *verdict)
{
	for (uint32_t i = 0; i < progress->n_unordered; i++) {
		const struct unordered_work *late = &progress->unordered[i];
		if (unordered_is_suspect(progress, late, LEVEL_STRICT))
			n = rank_late(progress, &late->open, ranked, n, verdict);
	}
	if (n > 0) {
		verdict->class = VERDICT_NARROWED;
		verdict->unknown_reason = UNKNOWN_NOT;
	}
	return n;
}

static uint32_t rank_ordered(const struct progress *progress, const struct open_work **ranked,
			     struct verdict *verdict)
{
	uint32_t best[VERDICT_MAX_GROUPS] = {0};
	uint32_t n_ranked = 0;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (progress_is_suspect(progress, &progress->open[i]) &&
		    !progress->open[i].is_unlikely) {
			n_ranked = suspect_insert(progress, &progress->open[i], ranked, n_ranked);
			add_to_group(progress, i, verdict, best);
			verdict->n_suspects++;
		}
	}
	return represent_groups(progress, verdict, best, ranked, n_ranked);
}

void suspects_add_late(const struct progress *progress, struct verdict *verdict)
{
	uint64_t n = verdict->n_suspects;
	verdict->n_suspects += progress->n_late;
	verdict->n_ungrouped += progress->n_late - progress->n_late_kept;
	for (uint32_t i = 0; i < progress->n_late_kept; i++, n++) {
		if (n < VERDICT_MAX_SUSPECTS)
			suspects_add(progress, &progress->late[i], (uint32_t)n, verdict);
		else
			verdict->n_ungrouped++;
	}
	if (verdict->n_ungrouped > 0)
		verdict->lead = LEAD_NONE;
}

void suspects_rank(const struct progress *progress, struct anomaly_table *anomaly,
		   struct verdict *verdict)
{
	const struct open_work *ranked[VERDICT_MAX_SUSPECTS];
	uint32_t n_ranked = rank_ordered(progress, ranked, verdict);
	if (verdict->class == VERDICT_NARROWED || verdict->unknown_reason == UNKNOWN_RECORDS_LOST)
		n_ranked = rank_unordered(progress, ranked, n_ranked, verdict);
	verdict->lead = suspect_refine(progress, ranked, n_ranked, anomaly);
	if (verdict->n_ungrouped > 0)
		verdict->lead = LEAD_NONE;
	for (uint32_t i = 0; i < n_ranked; i++)
		copy_suspect(progress, ranked[i], &verdict->suspects[i]);
	sort_groups(progress->view, verdict);
}
