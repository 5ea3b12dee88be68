/*
 * test_attempt.c - one run of triage: the command line and environment of `culprit run`, and what
 * its bundles say. The parts of the command that it calls are traced.
 */
#include "triage/attempt.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "triage/attempt_case.h"

static const char *users_value = "-";
static struct attempt attempt;
static struct finding finding;

static void begin(void)
{
	memset(&attempt_case, 0, sizeof(attempt_case));
}

/* Make a run whose directory is `directory`, and trace all that it found. */
static void make(enum way way, uint64_t first_suspect, const char *directory)
{
	char *argv[] = {(char[]){"command"}, (char[]){"word"}, NULL};
	struct finding known = {.first_suspect = first_suspect, .target = {.kernel = "suspect"}};
	int result = attempt_make(argv, way, &known, directory, &attempt, &finding);
	CHECK(attempt.seconds >= 0 && attempt.seconds < 1000);
	trace_add("%d, %#x, %s, '%s' '%s' '%s' '%s', %d %d\n", result, (unsigned)attempt.status,
		  attempt.how, attempt.headline ? attempt.headline : "-",
		  attempt.report ? attempt.report : "-", attempt.hardware ? attempt.hardware : "-",
		  attempt.sanitizer, finding.has_device_location, finding.has_device_line);
	if (finding.has_failure)
		trace_add("python %d, node %d, code %d, class %d, first %" PRIu64 ", %s, %s\n",
			  finding.is_python, finding.has_node, finding.code, (int)finding.class,
			  finding.first_suspect, finding.fingerprint.id, finding.target.kernel);
	CHECK_STRING(attempt_variable("PYTORCH_NO_CUDA_MEMORY_CACHING"), "-");
	CHECK_STRING(attempt_variable("CUDA_LAUNCH_BLOCKING"), users_value);
	attempt_free(&attempt);
	CHECK(!attempt.headline && !attempt.report && !attempt.hardware);
}

/* Each way, without a bundle. */
static void test_ways(void)
{
	begin();
	for (enum way way = WAY_AS_IS; way < N_WAYS; way++) {
		trace_add("%s: ", attempt_way_text(way));
		make(way, 0, "empty");
	}
	CHECK_TRACE("as it is: empty -- command word (-, -)\n"
		    "0, 0x100, as it is, '-' '-' '-' '', 0 0\n"
		    "--markers inline: empty --markers inline -- command word (-, -)\n"
		    "0, 0x100, --markers inline, '-' '-' '-' '', 0 0\n"
		    "--coredump on: empty --coredump on -- command word (-, -)\n"
		    "0, 0x100, --coredump on, '-' '-' '-' '', 0 0\n"
		    "PYTORCH_NO_CUDA_MEMORY_CACHING=1: empty -- command word (1, -)\n"
		    "0, 0x100, PYTORCH_NO_CUDA_MEMORY_CACHING=1, '-' '-' '-' '', 0 0\n"
		    "CUDA_LAUNCH_BLOCKING=1: empty -- command word (-, 1)\n"
		    "0, 0x100, CUDA_LAUNCH_BLOCKING=1, '-' '-' '-' '', 0 0\n"
		    "compute-sanitizer: check suspect in empty\n"
		    "empty -- sanitizer --its-option command word (-, -)\n"
		    "read what it found in empty\n"
		    "0, 0x100, compute-sanitizer, '-' '-' '-' 'found', 0 0\n");
	char texts[512] = "";
	static const uint64_t suspects[] = {1, 64, 65, 512, 519, 520, 521, 528, 5280};
	for (size_t i = 0; i < sizeof(suspects) / sizeof(suspects[0]); i++) {
		make(WAY_MARKERS_INLINE, suspects[i], "empty");
		CHECK(strstr(trace_take(), attempt.how) != NULL);
		(void)strncat(texts, attempt.how, sizeof(texts) - strlen(texts) - 2);
		(void)strcat(texts, " ");
	}
	CHECK_STRING(texts, "--markers inline --markers inline --markers inline@1 --markers "
			    "inline@448 --markers inline@455 --markers inline@455 --markers "
			    "inline@456 --markers inline@462 --markers inline@4620 ");
}

/* The user's own value of a variable is back after the run. */
static void test_variables(void)
{
	begin();
	users_value = "mine";
	CHECK(!setenv("CUDA_LAUNCH_BLOCKING", users_value, 1));
	make(WAY_BLOCKING, 0, "empty");
	make(WAY_UNCACHED, 0, "empty");
	attempt_case.run_error = -ENOENT;
	make(WAY_BLOCKING, 0, "full");
	make(WAY_SANITIZED, 0, "full");
	users_value = "-";
	CHECK(!unsetenv("CUDA_LAUNCH_BLOCKING"));
	CHECK_TRACE("empty -- command word (-, 1)\n"
		    "0, 0x100, CUDA_LAUNCH_BLOCKING=1, '-' '-' '-' '', 0 0\n"
		    "empty -- command word (1, mine)\n"
		    "0, 0x100, PYTORCH_NO_CUDA_MEMORY_CACHING=1, '-' '-' '-' '', 0 0\n"
		    "full -- command word (-, 1)\n"
		    "message: run CUDA_LAUNCH_BLOCKING=1: No such file or directory\n"
		    "-2, 0, CUDA_LAUNCH_BLOCKING=1, '-' '-' '-' '', 0 0\ncheck suspect in full\n"
		    "full -- sanitizer --its-option command word (-, mine)\n"
		    "message: run compute-sanitizer: No such file or directory\n"
		    "-2, 0, compute-sanitizer, '-' '-' '-' '', 0 0\n");
}

static const struct attempt_row cases[] = {
	{.headline = "culprit: headline", .time_ns = 1},
	{.headline = "other: headline",
	 .time_ns = UINT64_MAX - 1,
	 .status = EXIT_STATUS_DAMAGED,
	 .python = "CPython 3.11",
	 .cause = CAUSE_PROGRAM,
	 .graph = GRAPH_LIKELY - 1,
	 .host_line = 5,
	 .groups = {7, 5, 6}},
	{.headline = "h",
	 .has_no_line = true,
	 .python = "CPytho",
	 .cause = CAUSE_PROGRAM + 1,
	 .graph = GRAPH_LIKELY,
	 .gpu_line = 1,
	 .groups = {3, 3},
	 .n_ungrouped = 1},
	{.headline = "h", .has_device = true, .graph = GRAPH_LIKELY + 1, .groups = {4, 9}},
	{.headline = "h", .has_no_failure = true},
	{.headline = "h", .time_ns = UINT64_MAX},
	{.headline = "h", .status = EXIT_STATUS_BAD_BUNDLE},
	{.headline = "h", .status = EXIT_STATUS_SYSTEM},
	{.headline = "h", .open_error = -ENOMEM},
	{.headline = "h", .text_error = -EIO},
};

/* The finding comes from the bundle. */
static void test_findings(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		attempt_case.rows[0] = cases[i];
		attempt_case.n_rows = 1;
		make(WAY_AS_IS, 0, "full");
	}
	CHECK_TRACE("full -- command word (-, -)\nselect full\nopen 0\nanalysed\nclose\n"
		    "free selection\n0, 0x100, as it is, 'headline' 'report 0' '-' '', 0 0\n"
		    "python 0, node 0, code 700, class 2, first 0, id 0, kernel 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nanalysed\nclose\n"
		    "free selection\n0, 0x100, as it is, 'other: headline' 'report 0' '-' '', 0 0\n"
		    "python 1, node 0, code 700, class 2, first 5, id 0, kernel 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nanalysed\nclose\n"
		    "free selection\n0, 0x100, as it is, '' 'report 0' 'hardware 2' '', 0 1\n"
		    "python 0, node 1, code 700, class 2, first 0, id 0, kernel 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nanalysed\nclose\n"
		    "free selection\n0, 0x100, as it is, 'h' 'report 0' '-' '', 1 0\n"
		    "python 0, node 1, code 700, class 2, first 4, id 0, kernel 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nanalysed\nclose\n"
		    "free selection\n0, 0x100, as it is, '-' '-' '-' '', 0 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nanalysed\nclose\n"
		    "free selection\n0, 0x100, as it is, '-' '-' '-' '', 0 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nfree selection\n"
		    "0, 0x100, as it is, '-' '-' '-' '', 0 0\nfull -- command word (-, -)\n"
		    "select full\nopen 0\nfree selection\n0, 0x100, as it is, '-' '-' '-' '', 0 0\n"
		    "full -- command word (-, -)\nselect full\nopen 0\nclose\nfree selection\n"
		    "message: run as it is: Cannot allocate memory\n"
		    "-12, 0x100, as it is, '-' '-' '-' '', 0 0\nfull -- command word (-, -)\n"
		    "select full\nopen 0\nanalysed\nclose\nfree selection\n"
		    "message: run as it is: Cannot allocate memory\n"
		    "-12, 0x100, as it is, 'h' '-' '-' '', 0 0\n"
		    "python 0, node 0, code 700, class 2, first 0, id 0, kernel 0\n");
}

/* The first failure counts, whatever the order of the bundles. */
static void test_earliest(void)
{
	static const char wanted[] = "0210";
	static const uint64_t times[][3] = {{1, 2, 3}, {3, 2, 1}, {2, 1, 3}, {2, 2, 2}};
	for (size_t i = 0; i < 4; i++) {
		begin();
		attempt_case.n_rows = 3;
		for (size_t k = 0; k < 3; k++)
			attempt_case.rows[k] = (struct attempt_row){.headline = "h",
								    .time_ns = times[i][k],
								    .cause = CAUSE_PROGRAM + 2};
		make(WAY_COREDUMP, 0, "full");
		CHECK(strstr(trace_take(), "\nopen 0\n"));
		CHECK_EQUAL(finding.fingerprint.id[3], wanted[i]);
	}
	begin();
	attempt_case.n_rows = 3;
	attempt_case.rows[0] = (struct attempt_row){.status = EXIT_STATUS_BAD_BUNDLE};
	attempt_case.rows[1] = (struct attempt_row){.headline = "h", .open_error = -ENOMEM};
	make(WAY_AS_IS, 0, "full");
	begin();
	attempt_case.selection_error = -ENOENT;
	make(WAY_AS_IS, 0, "full");
	attempt_case.selection_error = -ENOMEM;
	make(WAY_AS_IS, 0, "full");
	make(WAY_SANITIZED, 0, "full");
	make(WAY_SANITIZED, 0, "missing");
	attempt_case.has_sanitizer_line = true;
	make(WAY_SANITIZED, 0, "missing");
	CHECK_TRACE("full -- command word (-, -)\nselect full\nopen 0\nopen 1\nclose\n"
		    "free selection\nmessage: run as it is: Cannot allocate memory\n"
		    "-12, 0x100, as it is, '-' '-' '-' '', 0 0\nfull -- command word (-, -)\n"
		    "select full\n0, 0x100, as it is, '-' '-' '-' '', 0 0\n"
		    "full -- command word (-, -)\nselect full\n"
		    "message: run as it is: Cannot allocate memory\n"
		    "-12, 0x100, as it is, '-' '-' '-' '', 0 0\ncheck suspect in full\n"
		    "full -- sanitizer --its-option command word (-, -)\nselect full\n"
		    "message: run compute-sanitizer: Cannot allocate memory\n"
		    "-12, 0x100, compute-sanitizer, '-' '-' '-' '', 0 0\ncheck suspect in missing\n"
		    "missing -- sanitizer --its-option command word (-, -)\n"
		    "read what it found in missing\n"
		    "0, 0x100, compute-sanitizer, '-' '-' '-' 'found', 0 0\n"
		    "check suspect in missing\n"
		    "missing -- sanitizer --its-option command word (-, -)\n"
		    "read what it found in missing\n"
		    "0, 0x100, compute-sanitizer, '-' '-' '-' 'found', 1 1\n");
}

int main(void)
{
	char directory[] = "/tmp/unit_attempt.XXXXXX";
	CHECK(mkdtemp(directory) && !chdir(directory));
	CHECK(!unsetenv("PYTORCH_NO_CUDA_MEMORY_CACHING") && !unsetenv("CUDA_LAUNCH_BLOCKING"));
	CHECK(!mkdir("full", 0700) && !mkdir("full/bundle", 0700) && !mkdir("gone", 0700));
	test_ways();
	test_variables();
	test_findings();
	test_earliest();
	begin();
	make(WAY_AS_IS, 0, "gone"); /* It is empty after the run, and is removed. */
	CHECK_TRACE("gone -- command word (-, -)\n"
		    "0, 0x100, as it is, '-' '-' '-' '', 0 0\n");
	CHECK(rmdir("gone") && errno == ENOENT);
	CHECK(!rmdir("full/bundle") && !rmdir("full") && !chdir("/") && !rmdir(directory));
	return 0;
}
