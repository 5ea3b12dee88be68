/*
 * test_ranks.c - what is found in jobs whose ranks launched different collectives, as whole texts.
 * Random jobs have a stored sum, which notices each change of a text.
 *
 * If a change is meant, look at what it changes, and store the new sums:
 *
 *     diff <(BEFORE/unit_ranks print) <(AFTER/unit_ranks print)
 */
#include <errno.h>

#include "model/random_pick.h"
#include "run/rank_jobs.h"
#include "support/check.h"

enum { N_JOBS = 4000, MAX_JOB = 4096, MAX_FOUND = 65536 };

static const uint64_t stored_sum = 0xe864e13a2eb93b64;

static char found[MAX_FOUND];

static const char *find(const char *job_text)
{
	struct ranks job;
	struct text text = text_in(found, sizeof(found));
	rank_jobs_make(job_text, &job);
	rank_jobs_print(&job, &text);
	rank_jobs_free(&job);
	return found;
}

/* A group of one process, finished groups and groups that make progress have no finding. */
static void test_nothing(void)
{
	CHECK_STRING(find(""), "");
	CHECK_STRING(find("AA@1\n"), "");
	CHECK_STRING(find("AA\nA\n"), "");
	CHECK_STRING(find("AA@1\nAA@1\n"), "");
	CHECK_STRING(find("AA@1\n-\n"), "");
	CHECK_STRING(find("AA@1\n-\nA\n"), "");
	CHECK_STRING(find("AA@1\n\n\n"), "");
}

/* A job, and its findings. */
struct ranks_case {
	const char *job, *wanted;
};

static const struct ranks_case cases[] = {
	{"AA@2\nA\nAA@2\n",
	 "rank 1 has not launched AllReduce #2 of group 1; rank 0, rank 2 have, and "
	 "have been waiting for 2 s; rank 1 is in call 1\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WBW\n"
	 "outlier 1\n"},
	{"AA@2\n!A\nA\n",
	 "rank 1, rank 2 have not launched AllReduce #2 of group 1; rank 0 has, and "
	 "has been waiting for 2 s; rank 1 failed; rank 2 is in call 2\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WBB\n"
	 "outlier 1\n"
	 "outlier 2\n"},
	{"A.@2\nA\nAA@2\n",
	 "rank 1 has not launched AllReduce #2 of group 1; rank 0, rank 2 have, and "
	 "have been waiting for 2 s; rank 1 is in call 1\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WBW\n"
	 "outlier 1\n"},
	{"..@2\nA\n..@2\n",
	 "rank 1 has not launched collective #2 of group 1; rank 0, rank 2 have, and "
	 "have been waiting for 2 s; rank 1 is in call 1\n"
	 "  behind 1 #2  WBW\n"
	 "outlier 1\n"},
	{"AA@2\nAB@2\nAA@2\n",
	 "rank 1 has launched Broadcast as #2 of group 1, and has been waiting for 2 "
	 "s; rank 0, rank 2 launched AllReduce\n"
	 "  odds 1 #2 AllReduce_Sum_f32_RING_LL WOW\n"
	 "outlier 1\n"},
	{"AA@2\nAa@2\nAA@2\n",
	 "rank 1 has launched AllReduce_Sum_f16_RING_LL as #2 of group 1, and has "
	 "been waiting for 2 s; rank 0, rank 2 launched AllReduce_Sum_f32_RING_LL\n"
	 "  odds 1 #2 AllReduce_Sum_f32_RING_LL WOW\n"
	 "outlier 1\n"},
	{"AA@2\nAL@2\nAA@2\n",
	 "rank 1 has launched AllReduceLong as #2 of group 1, and has been waiting "
	 "for 2 s; rank 0, rank 2 launched AllReduce\n"
	 "  odds 1 #2 AllReduce_Sum_f32_RING_LL WOW\n"
	 "outlier 1\n"},
	{"AL@2\nAA@2\nAL@2\n",
	 "rank 1 has launched AllReduce as #2 of group 1, and has been waiting for 2 "
	 "s; rank 0, rank 2 launched AllReduceLong\n"
	 "  odds 1 #2 AllReduceLong_Sum_f32 WOW\n"
	 "outlier 1\n"},
	{"AA@2\nAG@2\nAA@2\n", ""},
	{"AG@2\nAA@2\nAB@2\n",
	 "rank 2 has launched Broadcast as #2 of group 1, and has been waiting for 2 "
	 "s; rank 1 launched AllReduce\n"
	 "  odds 1 #2 AllReduce_Sum_f32_RING_LL -WO\n"
	 "outlier 2\n"},
	{"AB@2\nAA@2\nAA\nAB\nAR@1\n",
	 "rank 1 has launched AllReduce as #2 of group 1, and has been waiting for 2 "
	 "s; rank 2 has launched AllReduce as #2 of group 1; rank 4 has launched "
	 "ReduceScatter as #2 of group 1, and has been waiting for 1 s; rank 0, rank "
	 "3 launched Broadcast\n"
	 "  odds 1 #2 Broadcast_RING_LL WOOWO\n"
	 "outlier 1\n"
	 "outlier 2\n"
	 "outlier 4\n"},
	{"A@1\nB@1\n", "rank 1 has launched Broadcast as #1 of group 1, and has been waiting for 1 "
		       "s; rank 0 launched AllReduce\n"
		       "  odds 1 #1 AllReduce_Sum_f32_RING_LL WO\n"
		       "outlier 1\n"},
	{"B@1\nA@1\nA@1\n",
	 "rank 0 has launched Broadcast as #1 of group 1, and has been waiting for 1 "
	 "s; rank 1, rank 2 launched AllReduce\n"
	 "  odds 1 #1 AllReduce_Sum_f32_RING_LL OWW\n"
	 "outlier 0\n"},
	{"BA@2\nAA@2\n", ""},
	{"BA@1\nAA@2\n",
	 "rank 1 has launched AllReduce as #1 of group 1, and has been waiting for 2 "
	 "s; rank 0 launched Broadcast\n"
	 "  odds 1 #1 Broadcast_RING_LL WO\n"
	 "outlier 1\n"},
	{"A*70A@70\nA*70B@70\n",
	 "rank 1 has launched Broadcast as #71 of group 1, and has been waiting for "
	 "70 s; rank 0 launched AllReduce\n"
	 "  odds 1 #71 AllReduce_Sum_f32_RING_LL WO\n"
	 "outlier 1\n"},
	{"BA*63@1\nA*64@1\n",
	 "rank 1 has launched AllReduce as #1 of group 1, and has been waiting for 1 "
	 "s; rank 0 launched Broadcast\n"
	 "  odds 1 #1 Broadcast_RING_LL WO\n"
	 "outlier 1\n"},
	{"AAB@3\nAA\nAAa@3\n",
	 "rank 2 has launched AllReduce as #3 of group 1, and has been waiting for 3 "
	 "s; rank 0 launched Broadcast\n"
	 "  odds 1 #3 Broadcast_RING_LL W-O\n"
	 "outlier 2\n"},
	{"AAB@3\nAA\nAAB@3\nAAR@3\n",
	 "rank 3 has launched ReduceScatter as #3 of group 1, and has been waiting "
	 "for 3 s; rank 0, rank 2 launched Broadcast\n"
	 "  odds 1 #3 Broadcast_RING_LL W-WO\n"
	 "outlier 3\n"},
	{"AA@2 BB\nAA@2 B@1\n",
	 "rank 1 has not launched Broadcast #2 of group 2; rank 0 has finished it; "
	 "rank 1 is in call 1\n"
	 "  behind 2 #2 Broadcast_RING_LL WB\n"
	 "outlier 1\n"},
	{"AA@2 BB@2\nA B\n",
	 "rank 1 has not launched AllReduce #2 of group 1; rank 0 has, and has been "
	 "waiting for 2 s; rank 1 is in call 1\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WB\n"
	 "rank 1 has not launched Broadcast #2 of group 2; rank 0 has, and has been "
	 "waiting for 2 s; rank 1 is in call 1\n"
	 "  behind 2 #2 Broadcast_RING_LL WB\n"
	 "outlier 1\n"},
	{"AA@2 BB@2\n- B\n",
	 "rank 1 has not launched Broadcast #2 of group 2; rank 0 has, and has been "
	 "waiting for 2 s; rank 1 is in call 1\n"
	 "  behind 2 #2 Broadcast_RING_LL WB\n"
	 "outlier 1\n"},
	{"AA@2\nAA@2 BB@2\nAA@2 B\n",
	 "rank 2 has not launched Broadcast #2 of group 2; rank 1 has, and has been "
	 "waiting for 2 s; rank 2 is in call 2\n"
	 "  behind 2 #2 Broadcast_RING_LL -WB\n"
	 "outlier 2\n"},
	{"AA@1\nA\n", "rank 1 has not launched AllReduce #2 of group 1; rank 0 has, and has been "
		      "waiting for 1 s; rank 1 is in call 1\n"
		      "  behind 1 #2 AllReduce_Sum_f32_RING_LL WB\n"
		      "outlier 1\n"},
	{"AAA@3\nAA\nA\n", "rank 2 has not launched AllReduce #2 of group 1; rank 0, rank 1 have "
			   "finished it; rank 2 is in call 2\n"
			   "  behind 1 #2 AllReduce_Sum_f32_RING_LL WWB\n"
			   "outlier 2\n"},
	{"AAA@1\nAA@2\nA@1\n",
	 "rank 2 has not launched AllReduce #2 of group 1; rank 0, rank 1 have, and "
	 "have been waiting for 1 s; rank 2 is in call 2\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WWB\n"
	 "outlier 2\n"},
	{"AAA@2\nAAA@3\nA\n",
	 "rank 2 has not launched AllReduce #2 of group 1; rank 0 has, and has been "
	 "waiting for 2 s; rank 2 is in call 2\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WWB\n"
	 "outlier 2\n"},
	{"AB@2\nAB@2\nBA@2\nBA@1\n",
	 "rank 2 has launched Broadcast as #1 of group 1, and has been waiting for 2 "
	 "s; rank 3 has launched Broadcast as #1 of group 1, and has been waiting for "
	 "1 s; rank 0, rank 1 launched AllReduce\n"
	 "  odds 1 #1 AllReduce_Sum_f32_RING_LL WWOO\n"
	 "outlier 2\n"
	 "outlier 3\n"},
	{"AA@2\nAA@2\nAA@2\nAA@2\nAA@2\nAA@2\nAA@2\nAA@2\nAA@2\nAA@2\nA\n",
	 "rank 10 has not launched AllReduce #2 of group 1; rank 0, rank 1, rank 2, rank 3, "
	 "rank 4, rank 5, rank 6, rank 7 and 2 more have, and have been waiting for 2 s; rank 10 "
	 "is in call 10\n"
	 "  behind 1 #2 AllReduce_Sum_f32_RING_LL WWWWWWWWWWB\n"
	 "outlier 10\n"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_STRING(find(cases[i].job), cases[i].wanted);
}

/* The last group that is compared. */
static void test_last_group(void)
{
	char job[256] = "";
	struct text text = text_in(job, sizeof(job));
	for (int process = 0; process < 2; process++)
		for (int group = 1; group <= RANKS_MAX_GROUPS; group++)
			text_addf(&text, "%s",
				  group < RANKS_MAX_GROUPS ? "A "
				  : process                ? "A\n"
							   : "AA@2\n");
	CHECK_STRING(find(job), "rank 1 has not launched AllReduce #2 of group 16; rank 0 has, and "
				"has been waiting for 2 s; rank 1 is in call 1\n"
				"  behind 16 #2 AllReduce_Sum_f32_RING_LL WB\noutlier 1\n");
}

/* Calls of calloc() and open_memstream() (--wrap) until one fails; 0: none does. */
static unsigned n_until_failure;

static bool is_out_of_memory(void)
{
	return n_until_failure && --n_until_failure == 0;
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return is_out_of_memory() ? NULL : __real_calloc(n, size);
}

FILE *__real_open_memstream(char **out_bytes, size_t *out_size);
FILE *__wrap_open_memstream(char **out_bytes, size_t *out_size);
FILE *__wrap_open_memstream(char **out_bytes, size_t *out_size)
{
	return is_out_of_memory() ? NULL : __real_open_memstream(out_bytes, out_size);
}

/* A finding for which there is no memory is an error, even if a later group has its finding. */
static void test_memory(const char *job_text)
{
	for (unsigned n = 1; n <= 4; n++) {
		struct ranks job;
		struct rank_findings findings;
		rank_jobs_make(job_text, &job);
		n_until_failure = n;
		CHECK_EQUAL(ranks_find(&job, &findings), -ENOMEM);
		CHECK_EQUAL(n_until_failure, 0);
		CHECK_EQUAL(findings.n, n / 2);
		ranks_findings_free(&findings);
		rank_jobs_free(&job);
	}
}

/* Append a group: mostly the letters of `common`, with another number, kind or front. */
static void add_group(uint64_t *random, const char *common, struct text *out)
{
	static const char letters[] = "AAaLBRG.";
	uint32_t n = (uint32_t)strlen(common) - random_pick(random, 3);
	for (uint32_t i = 0; i < n; i++)
		text_addf(out, "%c",
			  random_pick(random, 12) ? common[i] : letters[random_pick(random, 8)]);
	if (random_pick(random, 3))
		text_addf(out, "@%u", n - random_pick(random, 3));
}

static void add_process(uint64_t *random, uint32_t n_groups, const char *common, struct text *out)
{
	text_add(out, random_pick(random, 8) ? "" : "!");
	for (uint32_t group = 0; group < n_groups; group++) {
		text_add(out, group ? " " : "");
		if (random_pick(random, 40))
			add_group(random, common, out);
		else
			text_add(out, "-");
	}
	text_add(out, "\n");
}

static void make_random(uint64_t number, char out[MAX_JOB])
{
	static const char *const common[] = {"AAAB", "AaBBR", "LALARA", "GGAG"};
	uint64_t random = number * 77 + 1;
	struct text text = text_in(out, MAX_JOB);
	const char *letters = common[random_pick(&random, 4)];
	uint32_t n_groups = 1 + random_pick(&random, 3);
	for (uint32_t n = 2 + random_pick(&random, 11); n > 0; n--)
		add_process(&random, n_groups - !random_pick(&random, 8), letters, &text);
}

/* Return the sum of what is found in random jobs (FNV-1a), and print it if asked. */
static uint64_t sum_of_jobs(bool is_printed)
{
	static char job[MAX_JOB];
	uint64_t sum = 0xcbf29ce484222325;
	for (uint64_t number = 0; number < N_JOBS; number++) {
		make_random(number, job);
		for (const char *at = find(job); *at; at++)
			sum = (sum ^ (unsigned char)*at) * 0x100000001b3;
		if (is_printed)
			printf("job %" PRIu64 "\n%s%s\n", number, job, found);
	}
	return sum;
}

int main(int argc, char **argv)
{
	bool is_printed = argc > 1 && !strcmp(argv[1], "print");
	uint64_t sum = sum_of_jobs(is_printed);
	if (is_printed)
		return 0;
	test_nothing();
	test_cases();
	test_last_group();
	test_memory("AA@2 AA@2\nA A\n");
	test_memory("AA@2 AA@2\nAB@2 AB@2\n");
	test_memory("AA@2 AA@2\nAB@2 AB@2\nA A\n");
	if (sum != stored_sum)
		fprintf(stderr, "the sum is 0x%" PRIx64 "\n", sum);
	CHECK_EQUAL(sum, stored_sum);
	return 0;
}
