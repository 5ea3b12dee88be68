/*
 * job_print.c - prints the heading of a job's report: the first failure, the evidence, and the
 * followers.
 */
#include <inttypes.h>
#include <string.h>

#include "job/job.h"

/* A job may have thousands of ranks, most of which did the same. */
enum { MAX_LINES = 16 };

static size_t count_role(const struct job *job, enum job_role role)
{
	size_t n = 0;
	for (size_t index = 0; index < job->n; index++)
		n += job->ranks[index]->role == role;
	return n;
}

static const char *label_once(const char **label)
{
	const char *text = *label;
	*label = "";
	return text;
}

static double seconds_between(uint64_t early_ns, uint64_t late_ns)
{
	return late_ns > early_ns ? (double)(late_ns - early_ns) / 1e9 : 0;
}

static void print_reason(const struct job_rank *first, const struct job_rank *other, FILE *out)
{
	switch (job_is_before(first, other)) {
	case JOB_COLLECTIVES:
		fprintf(out,
			"collectives: %" PRIu64 " before its culprit, %" PRIu64
			" before that of rank %s\n",
			first->collectives.n_all, other->collectives.n_all, other->rank);
		break;
	case JOB_IN_NCCL:
		fprintf(out, "rank %s failed in a kernel of NCCL, which waits for its peers\n",
			other->rank);
		break;
	case JOB_CLOCK:
		fprintf(out, "clock: seen %.3f s before rank %s submitted its culprit%s\n",
			seconds_between(first->seen_ns, other->submitted_ns), other->rank,
			strcmp(first->host, other->host) != 0
				? "; hosts are taken to differ by 1 s at most"
				: "");
		break;
	default:
		fprintf(out, "clock: seen %.3f s before that of rank %s, which proves nothing\n",
			seconds_between(first->seen_ns, other->seen_ns), other->rank);
		break;
	}
}

/* Print how many more there are than the MAX_LINES that were printed. */
static void print_more(size_t n, FILE *out)
{
	if (n > MAX_LINES)
		fprintf(out, "  %-16sand %zu more\n", "", n - MAX_LINES);
}

static void print_reasons(const struct job *job, const struct job_rank *first, FILE *out)
{
	const char *label = "known by";
	size_t n_failed = 0;
	for (size_t index = 0; index < job->n; index++) {
		const struct job_rank *other = job->ranks[index];
		if (other == first || !other->seen_ns || n_failed++ >= MAX_LINES)
			continue;
		fprintf(out, "  %-16s", label_once(&label));
		print_reason(first, other, out);
	}
	print_more(n_failed, out);
	if (!n_failed)
		fprintf(out, "  %-16sno other rank's bundle has a failure\n", label);
}

/* Print what a follower rank was doing. */
static void print_follower(const struct job_rank *rank, FILE *out)
{
	const struct collectives *collectives = &rank->collectives;
	fprintf(out, "%s: %s", rank->where, *rank->headline ? rank->headline : "no failure");
	if (!rank->seen_ns && collectives->open_number)
		fprintf(out, "; not finished: its collective %" PRIu64 ", %s",
			collectives->open_number, collectives->open_name);
	fprintf(out, "\n  %-16s  %s\n", "", rank->path);
}

static void print_title(const struct job *job, FILE *out)
{
	const struct job_rank *first = job->ranks[0];
	size_t n_undecided = count_role(job, JOB_UNDECIDED);
	fputs("culprit: job", out);
	if (*first->size)
		fprintf(out, " of %s ranks", first->size);
	fprintf(out, ", %zu bundles: ", job->n);
	for (size_t index = 0; index < job->n; index++)
		if (job->ranks[index]->role == JOB_FIRST)
			fprintf(out, "rank %s %sfailed first", job->ranks[index]->rank,
				job_is_proven(job) ? "" : "probably ");
	if (n_undecided)
		fprintf(out, "%zu failed, and which was first is not known", n_undecided);
	fprintf(out, ", %zu followed\n", count_role(job, JOB_FOLLOWED));
}

/* Print the ranks that may have failed first. */
static void print_failed(const struct job *job, FILE *out)
{
	const char *label = "failed";
	size_t n = 0;
	for (size_t index = 0; index < job->n; index++) {
		const struct job_rank *rank = job->ranks[index];
		if (rank->role == JOB_FOLLOWED || n++ >= MAX_LINES)
			continue;
		fprintf(out, "  %-16s%s: %s\n", label_once(&label), rank->where, rank->headline);
		if (rank->role == JOB_FIRST)
			print_reasons(job, rank, out);
	}
	print_more(n, out);
}

void job_print(const struct job *job, FILE *out)
{
	const char *label = "followed";
	size_t n = 0;
	print_title(job, out);
	print_failed(job, out);
	for (size_t index = 0; index < job->n; index++) {
		if (job->ranks[index]->role != JOB_FOLLOWED || n++ >= MAX_LINES)
			continue;
		fprintf(out, "  %-16s", label_once(&label));
		print_follower(job->ranks[index], out);
	}
	print_more(n, out);
}
