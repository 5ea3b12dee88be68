/*
 * ranks_text.c - who is behind, or at odds with the rest, in one group after the other.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "status/ranks.h"

static const struct rank_group *group_at(const struct rank_process *process, uint32_t index)
{
	return index < process->n_groups && process->groups[index].stream ? &process->groups[index]
									  : NULL;
}

/* The kind of collective `number`, NULL: it was not launched, or is gone. */
static const char *kind_at(const struct rank_group *group, uint64_t number)
{
	const struct rank_collective *place = &group->window[number % RANKS_WINDOW];

	return place->number == number ? place->kind : NULL;
}

/* What all have launched in one group. */
struct comparison {
	uint32_t index;
	uint64_t newest;    /* the newest number that anybody has launched */
	uint64_t first;     /* the earliest that anybody has unfinished, 0: none is */
	size_t n_processes; /* that are in the group */
};

static bool compare(const struct ranks *ranks, uint32_t index, struct comparison *out)
{
	*out = (struct comparison){.index = index};
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], index);

		/* One that makes progress speaks for all: nobody is kept. */
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

/* "rank 3", "rank 0, rank 1 and 5 more": those for whom `is_one` holds. */
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

static bool has_kind(const struct rank_group *group, uint64_t number, const char *kind)
{
	const char *own = kind_at(group, number);

	return own && !strcmp(own, kind);
}

static void add_whereabouts(struct ranks *ranks, const struct comparison *all, uint64_t number,
			    FILE *out)
{
	for (size_t i = 0; i < ranks->n; i++) {
		struct rank_process *process = &ranks->rows[i];
		const struct rank_group *group = group_at(process, all->index);

		if (!group || !is_behind(group, number, NULL))
			continue;
		process->is_outlier = true;
		fprintf(out, "; %s is %s", process->name,
			*process->thread_text ? process->thread_text : "in no call of the driver");
	}
}

/* The first number that all wait for, or that somebody has not launched. */
static void print_behind(struct ranks *ranks, const struct comparison *all, FILE *out)
{
	char line[4096];
	struct text text = text_in(line, sizeof(line));
	const char *kind = NULL, *since = "";
	uint64_t number = all->newest;
	unsigned n;

	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);

		if (group && group->newest + 1 <= number && group->newest < all->newest)
			number = group->newest + 1;
	}
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);

		if (group && !kind)
			kind = kind_at(group, number);
		if (group && !*since && is_in(group, number, NULL))
			since = group->front_text;
	}
	n = add_names(ranks, all, number, is_behind, NULL, &text);
	text_add(&text, n == 1 ? " has" : " have");
	text_addf(&text, " not launched %s #%" PRIu64 " of group %u; ", kind ? kind : "collective",
		  number, all->index + 1);
	n = add_names(ranks, all, number, is_in, NULL, &text);
	text_addf(&text, "%s, and wait%s%s", n == 1 ? " has" : " have", n == 1 ? "s" : "", since);
	fprintf(out, "culprit: ranks: %s", line);
	add_whereabouts(ranks, all, number, out);
	fputc('\n', out);
}

/* Of the kinds of collective `number` the one that most ranks have. */
static const char *common_kind(const struct ranks *ranks, const struct comparison *all,
			       uint64_t number)
{
	char unused[4096];
	struct text text;
	const char *best = NULL;
	unsigned most = 0;

	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);
		const char *kind = group ? kind_at(group, number) : NULL;
		unsigned n;

		if (!kind)
			continue;
		text = text_in(unused, sizeof(unused));
		n = add_names(ranks, all, number, has_kind, kind, &text);
		if (n > most) {
			most = n;
			best = kind;
		}
	}
	return best;
}

/* Is collective `number` another one to some? Then they are told, with what they launched. */
static bool print_odds(struct ranks *ranks, const struct comparison *all, uint64_t number,
		       FILE *out)
{
	const char *common = common_kind(ranks, all, number);
	char line[4096];
	struct text text = text_in(line, sizeof(line));
	unsigned n = 0;

	for (size_t i = 0; i < ranks->n && common; i++) {
		struct rank_process *process = &ranks->rows[i];
		const struct rank_group *group = group_at(process, all->index);
		const char *kind = group ? kind_at(group, number) : NULL;

		if (!kind || !strcmp(kind, common))
			continue;
		text_addf(&text, "%s%s has launched %s as #%" PRIu64 " of group %u%s",
			  n++ ? "; " : "", process->name, kind, number, all->index + 1,
			  group->front_text);
		process->is_outlier = true;
	}
	if (!n)
		return false;
	text_add(&text, "; ");
	add_names(ranks, all, number, has_kind, common, &text);
	fprintf(out, "culprit: ranks: %s launched %s\n", line, common);
	return true;
}

static bool print_group(struct ranks *ranks, const struct comparison *all, FILE *out)
{
	uint64_t first = all->first;

	/* Earlier ones are not kept. */
	if (all->newest >= first + RANKS_WINDOW)
		first = all->newest - RANKS_WINDOW + 1;
	for (uint64_t number = first; number <= all->newest; number++)
		if (print_odds(ranks, all, number, out))
			return true;
	for (size_t i = 0; i < ranks->n; i++) {
		const struct rank_group *group = group_at(&ranks->rows[i], all->index);

		if (group && group->newest < all->newest) {
			print_behind(ranks, all, out);
			return true;
		}
	}
	return false;
}

unsigned ranks_print(struct ranks *ranks, FILE *out)
{
	unsigned n_lines = 0;

	for (uint32_t index = 0; index < RANKS_MAX_GROUPS; index++) {
		struct comparison all;

		if (compare(ranks, index, &all) && print_group(ranks, &all, out))
			n_lines++;
	}
	return n_lines;
}
