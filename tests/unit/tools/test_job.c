/*
 * test_job.c - which rank of a job failed first, and how far each was in its collectives.
 */
#include "job/job.h"

#include "support/check.h"
#include "support/verdict_case.h"

enum { MAX_RANKS = 4 };

#define SECOND UINT64_C(1000000000)

static struct job_rank ranks[MAX_RANKS];
static struct job_rank *pointers[MAX_RANKS];
static struct job job = {.ranks = pointers};

/*
 * Add a rank of a job on host "one". It submitted its culprit and was seen to fail so many seconds
 * on; 0: it did not fail.
 */
static struct job_rank *add(const char *rank, uint64_t submitted, uint64_t seen)
{
	struct job_rank *added = &ranks[job.n];
	memset(added, 0, sizeof(*added));
	snprintf(added->rank, sizeof(added->rank), "%s", rank);
	snprintf(added->host, sizeof(added->host), "one");
	snprintf(added->mistake, sizeof(added->mistake), "%s", seen ? rank : "");
	added->started_ns = 1000 * SECOND;
	added->submitted_ns = seen ? (1000 + submitted) * SECOND : 0;
	added->seen_ns = seen ? (1000 + seen) * SECOND : 0;
	added->collectives.is_whole = true;
	pointers[job.n] = added;
	job.n++;
	return added;
}

static void check_roles(bool is_decided, enum job_role first, enum job_role second)
{
	CHECK_EQUAL(job_decide(&job), is_decided);
	CHECK_EQUAL(ranks[0].role, first);
	CHECK_EQUAL(ranks[1].role, second);
	job.n = 0;
}

static void test_one_failure(void)
{
	add("0", 0, 0);
	add("1", 1, 2);
	check_roles(true, JOB_FOLLOWED, JOB_FIRST);
	/*
	 * No rank failed; there is one rank only; all made one mistake: there is nothing to order.
	 */
	add("0", 0, 0);
	add("1", 0, 0);
	CHECK(!job_decide(&job));
	job.n = 0;
	add("1", 1, 2);
	add("1", 0, 0);
	CHECK(!job_decide(&job));
	job.n = 0;
	add("0", 1, 2);
	add("1", 3, 4);
	memcpy(ranks[1].mistake, ranks[0].mistake, sizeof(ranks[0].mistake));
	check_roles(false, JOB_UNDECIDED, JOB_UNDECIDED);
}

static void test_clocks(void)
{
	/* Seen before the other was submitted: known. Both at work: only seen earlier. */
	add("0", 3, 4);
	add("1", 1, 2);
	CHECK_EQUAL(job_is_before(&ranks[1], &ranks[0]), JOB_CLOCK);
	CHECK_EQUAL(job_is_before(&ranks[0], &ranks[1]), JOB_UNKNOWN);
	check_roles(true, JOB_FOLLOWED, JOB_FIRST);
	add("0", 1, 4);
	add("1", 1, 2);
	CHECK_EQUAL(job_is_before(&ranks[1], &ranks[0]), JOB_SEEN);
	check_roles(true, JOB_FOLLOWED, JOB_FIRST);
	/* Closer than failures are noticed, or than the clocks of two hosts agree. */
	add("0", 1, 2);
	add("1", 1, 2)->seen_ns += SECOND / 3;
	check_roles(true, JOB_UNDECIDED, JOB_UNDECIDED);
	add("0", 1, 2);
	add("1", 1, 3);
	ranks[1].host[0] = 't';
	check_roles(true, JOB_UNDECIDED, JOB_UNDECIDED);
	add("0", 1, 2);
	add("1", 1, 4);
	ranks[1].host[0] = 't';
	check_roles(true, JOB_FIRST, JOB_FOLLOWED);
}

static void test_collectives(void)
{
	/* Collectives count more than the time of the failure. */
	add("0", 1, 2)->collectives.n[0] = 14;
	add("1", 1, 4)->collectives.n[0] = 12;
	CHECK_EQUAL(job_is_before(&ranks[1], &ranks[0]), JOB_COLLECTIVES);
	check_roles(true, JOB_FOLLOWED, JOB_FIRST);
	/* But not against what cannot be. */
	add("0", 1, 2)->collectives.n[0] = 14;
	add("1", 3, 4)->collectives.n[0] = 12;
	check_roles(true, JOB_UNDECIDED, JOB_UNDECIDED);
	/*
	 * They do not count if the communicators contradict each other, or the beginning is lost.
	 */
	add("0", 1, 2)->collectives.n[0] = 14;
	add("1", 1, 4)->collectives.n[0] = 12;
	ranks[1].collectives.n[1] = 1;
	check_roles(true, JOB_FIRST, JOB_FOLLOWED);
	add("0", 1, 2)->collectives.n[0] = 14;
	add("1", 1, 4)->collectives.n[0] = 12;
	ranks[1].collectives.is_whole = false;
	check_roles(true, JOB_FIRST, JOB_FOLLOWED);
	/* A kernel that waits for its peers fails with them. */
	add("0", 1, 2)->collectives.is_of_culprit = true;
	add("1", 1, 4);
	CHECK_EQUAL(job_is_before(&ranks[1], &ranks[0]), JOB_IN_NCCL);
	check_roles(true, JOB_FOLLOWED, JOB_FIRST);
}

static void test_jobs(void)
{
	add("0", 1, 2);
	add("1", 1, 2);
	CHECK(job_has_both(&ranks[0], &ranks[1]));
	/*
	 * A rank that started after the other failed is of a later run. A rank of another job is
	 * not compared.
	 */
	ranks[1].started_ns = 1003 * SECOND;
	CHECK(!job_has_both(&ranks[0], &ranks[1]));
	ranks[1].started_ns = 1000 * SECOND;
	snprintf(ranks[1].job, sizeof(ranks[1].job), "other");
	CHECK(!job_has_both(&ranks[0], &ranks[1]));
	job.n = 0;
}

/* Three collectives, a bad kernel, one collective more; on two streams. */
static void test_count(void)
{
	struct verdict_case *c = case_begin();
	uint32_t work = case_stream(c);
	uint32_t first = case_stream(c);
	uint32_t second = case_stream(c);
	uint32_t reduce = builder_function(&c->builder,
					   "_Z39ncclDevKernel_AllReduce_Sum_f32_RING_LLi", 0, NULL);
	uint32_t gather = builder_function(&c->builder, "ncclKernel_AllGather", 0, NULL);
	/* The prefix is not at the start of the identifier, or longer than it. */
	uint32_t own = builder_function(&c->builder, "my_ncclKernel_AllGather", 0, NULL);
	uint32_t cut = builder_function(&c->builder, "_Z13ncclDevKernel_v", 0, NULL);
	struct analysis analysis = {.verdict = &c->verdict};
	builder_launch(&c->builder, CASE_TID, first, reduce, NULL, 0);
	builder_launch(&c->builder, CASE_TID, second, gather, NULL, 0);
	builder_launch(&c->builder, CASE_TID, first, reduce, NULL, 0);
	builder_launch(&c->builder, CASE_TID, second, own, NULL, 0);
	builder_launch(&c->builder, CASE_TID, second, cut, NULL, 0);
	builder_sync(&c->builder, second, 3, "cuStreamSynchronize");
	builder_sync(&c->builder, first, 2, "cuStreamSynchronize");
	case_launch_flagged(c, work, 1, RECORD_MARKED_INLINE);
	builder_wait(&c->builder, CASE_TID, first, work, 1);
	builder_launch(&c->builder, CASE_TID, first, reduce, NULL, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 6);
	analysis.report = (struct report){.view = &c->view, .verdict = &c->verdict};
	struct collectives counted;
	CHECK_EQUAL(collectives_count(&analysis, &counted), 0);
	CHECK(counted.is_whole && !counted.is_of_culprit);
	CHECK_EQUAL(counted.n_communicators, 2);
	CHECK_EQUAL(counted.n[0], 2);
	CHECK_EQUAL(counted.n[1], 1);
	CHECK_EQUAL(counted.n_all, 3);
	CHECK_EQUAL(counted.open_number, 4);
	CHECK(strstr(counted.open_name, "ncclDevKernel_AllReduce"));
	case_end(c);
}

/* The heading says why the last rank that was added failed first. */
static void check_reason(const char *reason)
{
	char heading[1024] = "";
	CHECK(job_decide(&job));
	FILE *out = fmemopen(heading, sizeof(heading), "w");
	CHECK(out);
	job_print(&job, out);
	CHECK_EQUAL(fclose(out), 0);
	CHECK(strstr(heading, " failed first, 1 followed\n"));
	const char *said = strstr(heading, "  known by        ");
	CHECK(said);
	CHECK_EQUAL(strncmp(said + 18, reason, strlen(reason)), 0);
	job.n = 0;
}

static void test_reasons(void)
{
	add("0", 1, 2)->collectives =
		(struct collectives){.n = {14}, .n_all = 14, .is_whole = true};
	add("1", 1, 4)->collectives =
		(struct collectives){.n = {12}, .n_all = 12, .is_whole = true};
	check_reason("collectives: 12 before its culprit, 14 before that of rank 0\n");
	add("0", 1, 2)->collectives.is_of_culprit = true;
	add("1", 1, 4);
	check_reason("rank 0 failed in a kernel of NCCL, which waits for its peers\n");
	add("0", 3, 4);
	add("1", 1, 2);
	check_reason("clock: seen 1.000 s before rank 0 submitted its culprit\n");
	add("0", 6, 7);
	add("1", 1, 2);
	ranks[1].host[0] = 't';
	check_reason("clock: seen 4.000 s before rank 0 submitted its culprit; hosts are taken to "
		     "differ by 1 s at most\n");
	add("0", 1, 4);
	add("1", 1, 2);
	check_reason("clock: seen 2.000 s before that of rank 0, which proves nothing\n");
}

int main(void)
{
	test_one_failure();
	test_clocks();
	test_collectives();
	test_jobs();
	test_count();
	test_reasons();
	return 0;
}
