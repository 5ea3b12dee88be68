/*
 * ranks_json.c - build the object JOB of status_json.h.
 */
#include "status/ranks.h"

#include "json/json_values.h"

/* Each process of a job repeats the findings. */
enum { MAX_NAMES = 64 };

static json_t *number_or_null(uint64_t number)
{
	return number ? json_count(number) : json_null();
}

/* Return the collective's name; null if it is no longer in the window. */
static json_t *kind_to_json(const struct rank_group *group, uint64_t number)
{
	const struct rank_collective *place = &group->window[number % RANKS_WINDOW];
	return number && place->number == number ? json_string(place->kind) : json_null();
}

static json_t *groups_to_json(const struct rank_process *process)
{
	json_t *groups = json_array();
	for (uint32_t i = 0; i < process->n_groups; i++) {
		const struct rank_group *group = &process->groups[i];
		json_array_append_new(groups,
				      json_pack("{s:i, s:b, s:o, s:o, s:o, s:o}", "group",
						(int)i + 1, "moves", !group->stream, "launched",
						json_count(group->newest), "newest",
						kind_to_json(group, group->newest), "unfinished",
						number_or_null(group->front), "front",
						kind_to_json(group, group->front)));
	}
	return groups;
}

static json_t *names_to_json(const struct ranks *ranks, const struct rank_finding *finding,
			     enum rank_role role)
{
	json_t *names = json_array();
	for (size_t i = 0; i < ranks->n && json_array_size(names) < MAX_NAMES; i++)
		if (finding->roles[i] == role)
			json_array_append_new(names, json_foreign(ranks->rows[i].name));
	return names;
}

static json_t *finding_to_json(const struct ranks *ranks, const struct rank_finding *finding)
{
	return json_pack(
		"{s:i, s:s, s:o, s:o, s:o, s:o, s:o}", "group", (int)finding->group, "kind",
		finding->is_odds ? "odds" : "behind", "number", json_count(finding->number),
		"collective", *finding->kind ? json_string(finding->kind) : json_null(), "ranks",
		names_to_json(ranks, finding, finding->is_odds ? RANK_AT_ODDS : RANK_BEHIND),
		"others", names_to_json(ranks, finding, RANK_WAITS), "text",
		json_foreign(finding->text));
}

json_t *ranks_to_json(const struct ranks *ranks, size_t own, const struct rank_findings *findings)
{
	const struct rank_process *process = &ranks->rows[own];
	json_t *array = json_array();
	for (uint32_t i = 0; i < findings->n; i++)
		json_array_append_new(array, finding_to_json(ranks, &findings->rows[i]));
	return json_pack("{s:o, s:o, s:b, s:o, s:o}", "name", json_foreign(process->name), "n",
			 json_count(ranks->n), "outlier", process->is_outlier, "groups",
			 groups_to_json(process), "findings", array);
}
