/*
 * test_path_pattern.c - each placeholder, and text that is not a placeholder.
 */
#include "base/path_pattern.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"

static char path[64];

static void gives(const char *pattern, const char *wanted)
{
	CHECK_EQUAL(path_pattern_expand(pattern, path, sizeof(path)), 0);
	CHECK_STRING(path, wanted);
}

static void refuses(const char *pattern)
{
	strcpy(path, "as it was");
	CHECK_EQUAL(path_pattern_expand(pattern, path, sizeof(path)), -EINVAL);
	CHECK_STRING(path, "as it was");
}

static void replaces_what_it_knows(void)
{
	gives("/plain path", "/plain path");
	gives("%%p", "%p");
	char wanted[300];
	snprintf(wanted, sizeof(wanted), "a%d.b", (int)getpid());
	gives("a%p.b", wanted);
	char host[256];
	CHECK_EQUAL(gethostname(host, sizeof(host)), 0);
	snprintf(wanted, sizeof(wanted), "%.50s/", host);
	gives("%h/", wanted);
	CHECK_EQUAL(path_pattern_expand("%t", path, sizeof(path)), 0);
	CHECK(strtoll(path, NULL, 10) - (long long)time(NULL) <= 0);
	CHECK(strtoll(path, NULL, 10) - (long long)time(NULL) > -60);
}

static void asks_the_environment(void)
{
	setenv("RANK", "3", 1);
	setenv("JOB", "%p/..", 1);
	unsetenv("NONE");
	gives("rank-%r", "rank-3");
	gives("%q{JOB}-%q{NONE}-", "%p/..--");
	unsetenv("RANK");
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMIX_RANK");
	unsetenv("PMI_RANK");
	unsetenv("SLURM_PROCID");
	gives("rank-%r", "rank-");
	refuses("%q{NONE}");
}

static void refuses_what_it_does_not_know(void)
{
	refuses("");
	refuses("%");
	refuses("a%");
	refuses("%z");
	refuses("%q");
	refuses("%q{");
	refuses("%q{}");
	refuses("%q{JOB");
	char name[200];
	memset(name, 'A', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	char pattern[256];
	snprintf(pattern, sizeof(pattern), "%%q{%s}", name);
	refuses(pattern);
	refuses(name); /* no room */
}

static void reads_what_it_writes(void)
{
	char pattern[16];
	CHECK_EQUAL(path_pattern_of("/a%p%", pattern, sizeof(pattern)), 7);
	CHECK_STRING(pattern, "/a%%p%%");
	gives(pattern, "/a%p%");
	CHECK_EQUAL(path_pattern_of("/a%p%", pattern, 4), 7);
	CHECK_STRING(pattern, "/a%");
}

int main(void)
{
	replaces_what_it_knows();
	asks_the_environment();
	refuses_what_it_does_not_know();
	reads_what_it_writes();
	return 0;
}
