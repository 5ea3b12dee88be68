/*
 * ranks_text.c - find the ranks that are behind or differ from the others, group by group.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "status/ranks.h"

static const struct rank_group *group_at(const struct rank_process *process, uint32_t index)
{
	return index < process->n_groups && process->groups[index].stream ? &process->groups[index]
									  : NULL;
}

/* Return the kind of collective `number`; NULL if it was not launched or is no longer kept. */
static const char *kind_at(const struct rank_group *group, uint64_t number)
{
	const struct rank_collective *place = &group->window[number % RANKS_WINDOW];
	return place->number == number ? place->kind : NULL;
}

/* A summary of one group over all processes. */
struct comparison {
	uint32_t index;
	uint64_t newest;    /* highest number that any process has launched */
	uint64_t first;     /* lowest number unfinished in any process; 0: all are finished */
	size_t n_processes; /* in the group */
	/* True if the group's collective `number` is of the kind `kind`. */
	bool (*has_kind)(const struct rank_group *group, uint64_t number, const char *kind);
};

static bool compare(const struct ranks *ranks, uint32_t index, struct comparison *out)
{
	*out = (struct comparison){.index = index};
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], index);
		/* If one process makes progress, the group is not stuck. */
		if (index < ranks->rows[i].n_groups && !group)
			return false;
		if (!group)
			continue;
		out->n_processes++;
		out->newest = group->newest > out->newest ? group->newest : out->newest;
		if (group->front && (!out->first || group->front < out->first))
			out->first = group->front;
	}
	return out->n_processes > 1 && out->first;
}

/* Append the processes for which `is_one` is true, "rank 0, rank 1 and 5 more". Return how many. */
static unsigned add_names(const struct ranks *ranks, const struct comparison *all, uint64_t number,
			  bool (*is_one)(const struct rank_group *group, uint64_t number,
					 const char *kind),
			  const char *kind, struct text *out)
{
	enum { MOST = 8 };
	unsigned n = 0;
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		if (!group || !is_one(group, number, kind))
			continue;
		if (n < MOST)
			text_addf(out, "%s%s", n ? ", " : "", ranks->rows[i].name);
		n++;
	}
	if (n > MOST)
		text_addf(out, " and %u more", n - MOST);
	return n;
}

static bool is_behind(const struct rank_group *group, uint64_t number, const char *kind)
{
	(void)kind;
	return group->newest < number;
}

static bool is_in(const struct rank_group *group, uint64_t number, const char *kind)
{
	(void)kind;
	return group->newest >= number && group->front && group->front <= number;
}

static bool has_launched(const struct rank_group *group, uint64_t number, const char *kind)
{
	return !is_behind(group, number, kind);
}

/* Return the length of the operation: "AllReduce" in "AllReduce_Sum_f32_RING_LL". */
static int word_length(const char *kind)
{
	return (int)strcspn(kind, "_");
}

static bool has_word(const struct rank_group *group, uint64_t number, const char *kind)
{
	const char *own = kind_at(group, number);
	return own && word_length(own) == word_length(kind) &&
	       !strncmp(own, kind, (size_t)word_length(kind));
}

static bool has_kind(const struct rank_group *group, uint64_t number, const char *kind)
{
	const char *own = kind_at(group, number);
	return own && !strcmp(own, kind);
}

/* True if NCCL launched a generic kernel and no NVTX range named its operation. */
static bool is_generic(const char *kind)
{
	return !strncmp(kind, "Generic", strlen("Generic"));
}

/* True if the group is known to have launched something other than `kind`. */
static bool differs(const struct comparison *all, const struct rank_group *group, uint64_t number,
		    const char *kind)
{
	const char *own = kind_at(group, number);
	return own && !is_generic(own) && !all->has_kind(group, number, kind);
}

/* Append the kind as far as `all` compares it: the whole name, or the operation alone. */
static void add_kind(const struct comparison *all, const char *kind, struct text *out)
{
	text_addf(out, "%.*s", all->has_kind == has_kind ? (int)strlen(kind) : word_length(kind),
		  kind);
}

static enum rank_role role_of(const struct comparison *all, const struct rank_finding *finding,
			      const struct rank_group *group)
{
	uint64_t number = finding->number;
	if (!finding->is_odds)
		return is_behind(group, number, NULL) ? RANK_BEHIND : RANK_WAITS;
	if (all->has_kind(group, number, finding->kind))
		return RANK_WAITS;
	return differs(all, group, number, finding->kind) ? RANK_AT_ODDS : RANK_ELSE;
}

static void set_roles(const struct ranks *ranks, const struct comparison *all,
		      struct rank_finding *finding)
{
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		if (group)
			finding->roles[i] = role_of(all, finding, group);
		if (finding->roles[i] == RANK_BEHIND || finding->roles[i] == RANK_AT_ODDS)
			ranks->rows[i].is_outlier = true;
	}
}

/* Append a copy of `what` with the roles filled in. Return NULL if out of memory. */
static struct rank_finding *add_finding(const struct ranks *ranks, const struct comparison *all,
					const struct rank_finding *what, struct rank_findings *out)
{
	struct rank_finding *finding = &out->rows[out->n];
	*finding = *what;
	finding->group = all->index + 1;
	finding->roles = calloc(ranks->n + 1, sizeof(*finding->roles));
	if (!finding->roles)
		return NULL;
	out->n++;
	set_roles(ranks, all, finding);
	return finding;
}

static void add_whereabouts(const struct ranks *ranks, const struct rank_finding *finding,
			    FILE *out)
{
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_process *process = &ranks->rows[i];
		if (finding->roles[i] == RANK_BEHIND && process->has_failed)
			fprintf(out, "; %s failed", process->name);
		else if (finding->roles[i] == RANK_BEHIND)
			fprintf(out, "; %s %s", process->name, process->thread_text);
	}
}

/* Set the finding's text to `line` and the outliers' calls, of any length. Return 0 or -ENOMEM. */
static int keep_line(const struct ranks *ranks, struct rank_finding *finding, const char *line)
{
	size_t size = 0;
	FILE *out = open_memstream(&finding->text, &size);
	if (!out)
		return -ENOMEM;
	fputs(line, out);
	add_whereabouts(ranks, finding, out);
	return fclose(out) ? -ENOMEM : 0;
}

/* Return the lowest number that some process has not launched. */
static uint64_t find_missed(const struct ranks *ranks, const struct comparison *all)
{
	uint64_t number = all->newest;
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		if (group && group->newest < number)
			number = group->newest + 1;
	}
	return number;
}

/* Append the processes that have launched collective `number`, and whether they wait in it. */
static void add_launched(const struct ranks *ranks, const struct comparison *all, uint64_t number,
			 const char *since, struct text *out)
{
	unsigned n = add_names(ranks, all, number, is_in, NULL, out);
	if (n) {
		const char *has = n == 1 ? "has" : "have";
		text_addf(out, " %s, and %s been waiting%s", has, has, since);
		return;
	}
	/* The root of a broadcast, for example, finishes it without waiting for the others. */
	n = add_names(ranks, all, number, has_launched, NULL, out);
	text_addf(out, " %s finished it", n == 1 ? "has" : "have");
}

static int print_ranks_behind(struct ranks *ranks, const struct comparison *all,
			      struct rank_findings *out)
{
	struct rank_finding what = {.number = find_missed(ranks, all)};
	char line[4096];
	struct text text = text_in(line, sizeof(line));
	const char *kind = NULL;
	const char *since = "";
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		if (group && !kind)
			kind = kind_at(group, what.number);
		if (group && !*since && is_in(group, what.number, NULL))
			since = group->front_text;
	}
	snprintf(what.kind, sizeof(what.kind), "%s", kind ? kind : "");
	struct rank_finding *finding = add_finding(ranks, all, &what, out);
	if (!finding)
		return -ENOMEM;
	unsigned n = add_names(ranks, all, what.number, is_behind, NULL, &text);
	text_add(&text, n == 1 ? " has not launched " : " have not launched ");
	add_kind(all, kind ? kind : "collective", &text);
	text_addf(&text, " #%" PRIu64 " of group %u; ", what.number, all->index + 1);
	add_launched(ranks, all, what.number, since, &text);
	return keep_line(ranks, finding, line);
}

/* Return the kind of collective `number` that most processes launched; NULL if none is known. */
static const char *common_kind(const struct ranks *ranks, const struct comparison *all,
			       uint64_t number)
{
	const char *best = NULL;
	size_t most = 0;
	char unused[4096];
	struct text text;
	/* In a large job nearly all are of one kind, which is counted once. */
	for (size_t i = 0; i < ranks->n && most <= all->n_processes / 2; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		const char *kind = group ? kind_at(group, number) : NULL;
		if (!kind || is_generic(kind) || (best && all->has_kind(group, number, best)))
			continue;
		text = text_in(unused, sizeof(unused));
		unsigned n = add_names(ranks, all, number, all->has_kind, kind, &text);
		if (n > most) {
			most = n;
			best = kind;
		}
	}
	return best;
}

static void write_odds(const struct ranks *ranks, const struct comparison *all,
		       const struct rank_finding *finding, struct text *out)
{
	const char *separator = "";
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_process *process = &ranks->rows[i];
		const struct rank_group *group = group_at(process, all->index);
		if (finding->roles[i] != RANK_AT_ODDS)
			continue;
		text_addf(out, "%s%s has launched ", separator, process->name);
		add_kind(all, kind_at(group, finding->number), out);
		text_addf(out, " as #%" PRIu64 " of group %u%s%s", finding->number, finding->group,
			  *group->front_text ? ", and has been waiting" : "", group->front_text);
		separator = "; ";
	}
	text_add(out, "; ");
	add_names(ranks, all, finding->number, all->has_kind, finding->kind, out);
	text_add(out, " launched ");
	add_kind(all, finding->kind, out);
}

static bool is_common(const struct ranks *ranks, const struct comparison *all, uint64_t number,
		      const char *common)
{
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		if (group && differs(all, group, number, common))
			return false;
	}
	return true;
}

/* Report the first collective, if any, of which some processes launched a different kind. */
static int print_odds(struct ranks *ranks, const struct comparison *all, struct rank_findings *out)
{
	/* Earlier collectives are no longer in the window. */
	uint64_t kept = all->newest >= RANKS_WINDOW ? all->newest - RANKS_WINDOW + 1 : 1;
	for (uint64_t number = all->first > kept ? all->first : kept; number <= all->newest;
	     number++) {
		struct rank_finding what = {.is_odds = true, .number = number};
		const char *common = common_kind(ranks, all, number);
		char line[4096];
		struct text text = text_in(line, sizeof(line));
		if (!common || is_common(ranks, all, number, common))
			continue;
		snprintf(what.kind, sizeof(what.kind), "%s", common);
		struct rank_finding *finding = add_finding(ranks, all, &what, out);
		if (!finding)
			return -ENOMEM;
		write_odds(ranks, all, finding, &text);
		return keep_line(ranks, finding, line);
	}
	return 0;
}

static bool is_one_behind(const struct ranks *ranks, const struct comparison *all)
{
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		if (group && group->newest < all->newest)
			return true;
	}
	return false;
}

/*
 * Look for a different operation first, then for a missing one. Only then compare data type and
 * size, which explain less.
 */
static int print_group(struct ranks *ranks, struct comparison *all, struct rank_findings *out)
{
	uint32_t n = out->n;
	all->has_kind = has_word;
	int result = print_odds(ranks, all, out);
	if (!result && out->n == n && is_one_behind(ranks, all))
		result = print_ranks_behind(ranks, all, out);
	if (result || out->n > n)
		return result;
	all->has_kind = has_kind;
	return print_odds(ranks, all, out);
}

int ranks_find(struct ranks *ranks, struct rank_findings *out)
{
	int result = 0;
	memset(out, 0, sizeof(*out));
	for (uint32_t index = 0; index < RANKS_MAX_GROUPS && !result; index++) {
		struct comparison all;
		if (compare(ranks, index, &all))
			result = print_group(ranks, &all, out);
	}
	return result;
}

void ranks_findings_free(struct rank_findings *findings)
{
	for (uint32_t i = 0; i < findings->n; i++) {
		free(findings->rows[i].text);
		free(findings->rows[i].roles);
	}
	memset(findings, 0, sizeof(*findings));
}
