/*
 * rank_jobs.c - read a job from its text, and print all members of its findings.
 */
#include "run/rank_jobs.h"

#include <ctype.h>

#include "support/check.h"

/* The letters' collectives: three operations, two data types, and kernels that name none. */
static const char *const kinds[128] = {
	['A'] = "AllReduce_Sum_f32_RING_LL", ['a'] = "AllReduce_Sum_f16_RING_LL",
	['L'] = "AllReduceLong_Sum_f32",     ['B'] = "Broadcast_RING_LL",
	['R'] = "ReduceScatter_Sum_f32",     ['G'] = "Generic_f32",
};

static void add_collective(struct rank_group *group, char letter)
{
	uint64_t number = ++group->newest;
	struct rank_collective *place = &group->window[number % RANKS_WINDOW];
	/* It is launched, but its row is lost. */
	if (letter == '.')
		return;
	CHECK(kinds[(unsigned char)letter]);
	place->number = number;
	(void)snprintf(place->kind, sizeof(place->kind), "%s", kinds[(unsigned char)letter]);
}

static const char *make_group(const char *at, struct rank_group *out)
{
	out->stream = *at == '-' ? 0 : 7;
	while (*at && !strchr(" \n", *at)) {
		char *end = NULL;
		unsigned long number = strchr("*@", *at) ? strtoul(at + 1, &end, 10) : 0;
		for (unsigned long i = 1; *at == '*' && i < number; i++)
			add_collective(out, at[-1]);
		if (*at == '@')
			out->front = number;
		else if (*at != '*' && *at != '-')
			add_collective(out, *at);
		at = end ? end : at + 1;
	}
	if (out->front)
		(void)snprintf(out->front_text, sizeof(out->front_text), " for %" PRIu64 " s",
			       out->front);
	return at;
}

static const char *make_process(const char *at, size_t rank, struct rank_process *out)
{
	*out = (struct rank_process){.rank = (int64_t)rank, .has_failed = *at == '!'};
	at += out->has_failed;
	(void)snprintf(out->name, sizeof(out->name), "rank %zu", rank);
	(void)snprintf(out->thread_text, sizeof(out->thread_text), "is in call %zu", rank);
	size_t n = 1;
	for (const char *next = at; *next && *next != '\n'; next++)
		n += *next == ' ';
	out->groups = calloc(n, sizeof(*out->groups));
	CHECK(out->groups);
	while (*at && *at != '\n') {
		at = make_group(at, &out->groups[out->n_groups++]);
		at += *at == ' ';
	}
	return at + (*at == '\n');
}

void rank_jobs_make(const char *text, struct ranks *out)
{
	*out = (struct ranks){NULL, 0};
	while (*text) {
		out->rows = realloc(out->rows, (out->n + 1) * sizeof(*out->rows));
		CHECK(out->rows);
		text = make_process(text, out->n, &out->rows[out->n]);
		out->n++;
	}
}

void rank_jobs_free(struct ranks *job)
{
	for (size_t i = 0; i < job->n; i++)
		free(job->rows[i].groups);
	free(job->rows);
}

void rank_jobs_print(struct ranks *job, struct text *out)
{
	static const char roles[] = {
		[RANK_ELSE] = '-', [RANK_BEHIND] = 'B', [RANK_AT_ODDS] = 'O', [RANK_WAITS] = 'W'};
	struct rank_findings findings;
	memset(&findings, 0xff, sizeof(findings));
	CHECK_EQUAL(ranks_find(job, &findings), 0);
	for (uint32_t i = 0; i < findings.n; i++) {
		const struct rank_finding *finding = &findings.rows[i];
		text_addf(out, "%s\n  %s %u #%" PRIu64 " %s ", finding->text,
			  finding->is_odds ? "odds" : "behind", finding->group, finding->number,
			  finding->kind);
		for (size_t p = 0; p < job->n; p++)
			text_addf(out, "%c", roles[finding->roles[p]]);
		text_add(out, "\n");
	}
	for (size_t p = 0; p < job->n; p++)
		if (job->rows[p].is_outlier)
			text_addf(out, "outlier %zu\n", p);
	ranks_findings_free(&findings);
	CHECK(findings.n == 0 && !findings.rows[0].text);
}
