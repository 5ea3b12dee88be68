/*
 * suspect_groups.c - see suspect_groups.h.
 */
#include "verdict/attribution/suspect_groups.h"

static_assert((int)VERDICT_MAX_GROUPS <= (int)VERDICT_MAX_SUSPECTS, "each has one in the list");

/* From group `from` on. */
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

uint32_t suspect_groups_count(const struct bundle_view *view, const struct submission *suspect,
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
	return index;
}

void suspect_groups_add(const struct progress *progress, uint32_t index, struct verdict *verdict,
			uint32_t best[VERDICT_MAX_GROUPS])
{
	const struct open_work *work = &progress->open[index];
	struct submission suspect = {.slot = work->slot};
	uint32_t group;

	suspect_read(progress, work, &suspect.record);
	group = suspect_groups_count(progress->view, &suspect, verdict);
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

uint32_t suspect_groups_represent(const struct progress *progress, const struct verdict *verdict,
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

void suspect_groups_sort(const struct bundle_view *view, struct verdict *verdict)
{
	uint32_t n_sorted = 0;

	for (uint32_t i = 0; i < VERDICT_MAX_SUSPECTS && i < verdict->n_suspects; i++) {
		uint32_t index = find_group(view, verdict, &verdict->suspects[i].record, n_sorted);
		struct suspect_group group;

		if (index == verdict->n_groups)
			continue;
		group = verdict->groups[index];
		group.first = verdict->suspects[i];
		verdict->groups[index] = verdict->groups[n_sorted];
		verdict->groups[n_sorted++] = group;
	}
}
