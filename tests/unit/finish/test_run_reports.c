/*
 * test_run_reports.c - the end of a run: which bundles and verdicts are reported, what is passed on
 * to an outer run and to build servers, and in which order all of it happens.
 */
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/bundle_contents.h"
#include "finish/reports_case.h"
#include "run/run_reports.h"
#include "support/check.h"

/* A failure of the command, found in its bundle. */
static void test_bundle(void)
{
	reports_begin();
	reports_add_bundle((struct case_bundle){.path = "one", .pid = 10, .has_failure = true},
			   false);
	reports_check_run("read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
			  "share symbols: 1\nopen one\nended with 0\ntake hardware of the watch\n"
			  "note hardware\nstore hardware\nanalyse\nstore\nend of analysis\nclose\n"
			  "pass to : 10, shown: report of one, length 1\ngroup one\n"
			  "share symbols: 0\nend of groups\nterminal 5, colour 1\n"
			  "write: [report of one, length 1\n]\nfollowers\nsettle memory\nsweep\n"
			  "end of memory\nfree bundles\nfree slot\n1 failures, GPU used\n");
	reports_begin();
	case_end.child.status = SIGSEGV;
	case_end.length = REPORT_SHORT;
	case_end.color = TERMINAL_NEVER;
	case_end.findings = &case_findings;
	case_end.outer_run = "outer";
	case_end.is_quiet = true;
	case_end.keeps_sound = true;
	reports_case.n_sound = 1;
	reports_case.has_no_hardware = true;
	reports_add_bundle((struct case_bundle){.path = "one", .pid = 10, .has_failure = true},
			   false);
	reports_add_bundle((struct case_bundle){.path = "two", .pid = 11, .has_failure = true},
			   false);
	reports_check_run(
		"read slot 6\ncollect memory of id, keep sound\nfind bundles\ngroups\n"
		"share symbols: 1\nopen one\nended with 0xb\ntake hardware of the watch\n"
		"note none\nstore hardware\nanalyse\nstore\nadd finding\nend of analysis\n"
		"close\npass to outer: 10: report of one, length 0\ngroup one\nopen two\n"
		"take hardware of the watch\nnote none\nstore hardware\nanalyse\nstore\n"
		"add finding\nend of analysis\nclose\n"
		"pass to outer: 11: report of two, length 0\ngroup two\nshare symbols: 0\n"
		"end of groups\nterminal 5, colour 2\nwrite: [report of one, length 0\n"
		"report of two, length 0\n]\nfollowers\nwrite: followed\n"
		"unfinished to nowhere\nsettle memory\nsweep\nend of memory, quiet\n"
		"free bundles\nfree slot\n2 failures, GPU used\n");
}

/* The process's own text is used if its bundle is damaged, else only for other processes. */
static void test_verdicts(void)
{
	reports_begin();
	case_end.outer_run = "outer";
	reports_add_verdict(10, (char[]){"ten"}, false);
	reports_add_verdict(11, (char[]){"eleven"}, true);
	reports_add_verdict(12, (char[]){"twelve"}, true);
	reports_add_bundle((struct case_bundle){.path = "ok", .pid = 10, .has_failure = true},
			   false);
	reports_add_bundle((struct case_bundle){.path = "bad",
						.pid = 11,
						.status = EXIT_STATUS_DAMAGED,
						.has_failure = true},
			   false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen ok\nended with 0\ntake hardware of the watch\n"
		"note hardware\nstore hardware\nanalyse\nstore\nend of analysis\nclose\n"
		"pass to outer: 10, shown: report of ok, length 1\ngroup ok\nopen bad\n"
		"take hardware of the watch\nnote hardware\nstore hardware\nclose\n"
		"pass to outer: 11, shown: elevengroup \nshare symbols: 0\n"
		"pass to outer: 12, shown: twelveend of groups\nterminal 5, colour 1\n"
		"write: [report of ok, length 1\neleven]\nfollowers\n"
		"unfinished to nowhere\nsettle memory\nsweep\nend of memory\nfree bundles\n"
		"free slot\n3 failures, GPU used\n");
	reports_begin();
	case_end.findings = &case_findings;
	reports_add_verdict(12, (char[]){"twelve"}, false);
	reports_add_bundle((struct case_bundle){.path = "told",
						.pid = 11,
						.status = EXIT_STATUS_DAMAGED,
						.told = "told by the process"},
			   false);
	reports_add_bundle((struct case_bundle){.path = "untold",
						.pid = 0,
						.status = EXIT_STATUS_DAMAGED,
						.has_failure = true,
						.has_no_key = true},
			   false);
	reports_add_bundle((struct case_bundle){.path = "none", .status = EXIT_STATUS_BAD_BUNDLE},
			   false);
	case_end.child.pid = 0;
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen told\ntake hardware of the watch\nnote hardware\n"
		"store hardware\nclose\nadd finding: told by the process\n"
		"pass to : 11, shown: told by the processgroup \nopen untold\n"
		"take hardware of the watch\nnote hardware\nstore hardware\nanalyse\n"
		"store\nadd finding\nend of analysis\nclose\n"
		"add finding: report of untold, length 1\n\n"
		"pass to : 0, shown: report of untold, length 1\ngroup \nopen none\n"
		"pass to : 0, shown: \nshare symbols: 0\nadd finding: twelve\n"
		"pass to : 12, shown: twelvegroup without a label\nend of groups\n"
		"terminal 5, colour 1\n"
		"write: [told by the processreport of untold, length 1\ntwelve]\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"4 failures, GPU used\n");
}

/* A text that a run within this one has shown is not shown again, except in a file. */
static void test_shown(void)
{
	reports_begin();
	case_end.outer_run = "outer";
	reports_add_verdict(11, (char[]){"eleven"}, true);
	reports_add_verdict(12, (char[]){"twelve"}, false);
	case_output.path = "file";
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\n"
		"pass to outer: 11, shown: elevengroup without a label\n"
		"pass to outer: 12: twelvegroup without a label\nend of groups\n"
		"terminal 5, colour 1\nwrite: [eleventwelve]\nfollowers\n"
		"unfinished to nowhere\nsettle memory\nsweep\nend of memory\nfree bundles\n"
		"free slot\n2 failures, GPU used\n");
	reports_begin();
	case_end.outer_run = "outer";
	case_end.is_quiet = true;
	reports_case.is_unseen = true;
	reports_add_verdict(11, (char[]){"eleven"}, true);
	reports_add_verdict(12, (char[]){"twelve"}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\n"
		"pass to outer: 11, shown: elevenpass to outer: 12: twelvegroup without a label\n"
		"end of groups\nunfinished to nowhere\nsettle memory\nsweep\n"
		"end of memory, quiet\nfree bundles\nfree slot\n2 failures, GPU used\n");
}

/* A bundle without a failure: its journal is lost, or that of another program of the process. */
static void test_no_failure(void)
{
	reports_begin();
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_add_bundle((struct case_bundle){.path = "lost", .pid = 10}, false);
	reports_add_bundle((struct case_bundle){.path = "dump", .pid = 12}, false);
	reports_add_bundle((struct case_bundle){.path = "other", .pid = 11}, false);
	reports_check_run("read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
			  "share symbols: 1\nopen lost\nended with 0\ntake hardware of the watch\n"
			  "note hardware\nstore hardware\nanalyse\n"
			  "message: lost: the GPU failed, but what is known of it was lost\n"
			  "end of analysis\nclose\npass to : 10, shown: \nopen dump\n"
			  "take hardware of the watch\nnote hardware\nstore hardware\nanalyse\n"
			  "message: dump: the GPU failed, and the core dump does not tell of what\n"
			  "end of analysis\nclose\npass to : 12, shown: \nopen other\n"
			  "take hardware of the watch\nnote hardware\nstore hardware\nanalyse\n"
			  "end of analysis\nclose\npass to : 11, shown: \nshare symbols: 0\n"
			  "pass to : 11, shown: elevengroup without a label\nend of groups\n"
			  "terminal 5, colour 1\nwrite: [eleven]\nfollowers\nsettle memory\nsweep\n"
			  "end of memory\nfree bundles\nfree slot\n4 failures, GPU used\n");
}

/* Hangs were reported while the command ran. */
static void test_hangs(void)
{
	reports_begin();
	case_end.has_reported_hang = true;
	case_end.child.status = SIGKILL;
	reports_case.n_sound = 2;
	case_end.findings = &case_findings;
	reports_add_bundle((struct case_bundle){.path = "one", .pid = 10, .finding = FINDING_HANG},
			   true);
	reports_add_bundle((struct case_bundle){.path = "two",
						.pid = 11,
						.status = EXIT_STATUS_DAMAGED,
						.finding = FINDING_HANG},
			   true);
	reports_add_bundle((struct case_bundle){.path = "bad", .status = EXIT_STATUS_SYSTEM}, true);
	reports_add_bundle((struct case_bundle){.path = "other", .finding = FINDING_UNFINISHED},
			   true);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen one\nended with 0x9\ntake hardware of the watch\n"
		"note hardware\nstore hardware\nanalyse\nstore\nadd finding\n"
		"end of analysis\nclose\nopen two\ntake hardware of the watch\n"
		"note hardware\nstore hardware\nanalyse\nstore\nadd finding\n"
		"end of analysis\nclose\nopen bad\nopen other\ntake hardware of the watch\n"
		"note hardware\nstore hardware\nanalyse\nend of analysis\nclose\n"
		"share symbols: 0\nend of groups\nsettle memory\nsweep\nend of memory\n"
		"free bundles\nfree slot\n0 failures\n");
	reports_begin();
	reports_add_bundle((struct case_bundle){.path = "one", .pid = 10, .finding = FINDING_HANG},
			   true);
	reports_add_bundle((struct case_bundle){.path = "two", .open_error = -ENOMEM}, true);
	reports_add_bundle((struct case_bundle){.path = "three", .finding = FINDING_HANG}, true);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen one\nended with 0\ntake hardware of the watch\n"
		"note hardware\nstore hardware\nanalyse\nstore\nend of analysis\nclose\n"
		"open two\ntake hardware of the watch\nnote hardware\nstore hardware\n"
		"analyse\nclose\nshare symbols: 0\nend of groups\n"
		"message: the report: Cannot allocate memory; the bundle is one\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"3 failures, GPU used\n");
}

/* Memory runs out at each stream of text. */
static void test_memory(void)
{
	for (unsigned nth = 1; nth <= 4; nth++) {
		reports_begin();
		reports_case.n_sound = 1;
		reports_case.failing_stream = nth;
		reports_add_bundle((struct case_bundle){.path = "one", .has_failure = true}, false);
		(void)run_reports(&case_end);
		trace_add("%u.\n", nth);
	}
	CHECK_TRACE("read slot 6\ncollect memory of id\nfind bundles\ngroups\nend of groups\n"
		    "message: the report: Cannot allocate memory; the bundle is one\n"
		    "followers\nwrite: followed\nsettle memory\nsweep\nend of memory\n"
		    "free bundles\nfree slot\n1.\nread slot 6\ncollect memory of id\n"
		    "find bundles\ngroups\nshare symbols: 1\nshare symbols: 0\nend of groups\n"
		    "message: the report: Cannot allocate memory; the bundle is one\n"
		    "followers\nwrite: followed\nsettle memory\nsweep\nend of memory\n"
		    "free bundles\nfree slot\n2.\nread slot 6\ncollect memory of id\n"
		    "find bundles\ngroups\nshare symbols: 1\nopen one\n"
		    "take hardware of the watch\nnote hardware\nstore hardware\nanalyse\n"
		    "store\nend of analysis\nclose\n"
		    "pass to : 0, shown: report of one, length 1\ngroup one\nshare symbols: 0\n"
		    "end of groups\nterminal 5, colour 1\n"
		    "message: the report: Cannot allocate memory; the bundle is one\n"
		    "followers\nwrite: followed\nsettle memory\nsweep\nend of memory\n"
		    "free bundles\nfree slot\n3.\nread slot 6\ncollect memory of id\n"
		    "find bundles\ngroups\nshare symbols: 1\nopen one\n"
		    "take hardware of the watch\nnote hardware\nstore hardware\nanalyse\n"
		    "store\nend of analysis\nclose\n"
		    "pass to : 0, shown: report of one, length 1\ngroup one\nshare symbols: 0\n"
		    "end of groups\nterminal 5, colour 1\nwrite: [report of one, length 1\n]\n"
		    "settle memory\nsweep\nend of memory\nfree bundles\nfree slot\n4.\n");
}

/* Each failed step, and what is still said. */
static void test_errors(void)
{
	reports_begin();
	reports_case.find_error = -EIO;
	reports_case.has_no_groups = true;
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\n"
		"message: /dir: Input/output error; bundles of this run may lie there unseen\n"
		"groups\nend of groups\n"
		"message: the report: Cannot allocate memory; the bundle is lost\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"1 failures, GPU used\n");
	reports_begin();
	reports_case.find_error = -EIO;
	reports_case.write_error = -ENOSPC;
	case_end.is_quiet = true;
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_add_bundle((struct case_bundle){.path = "one", .has_failure = true}, false);
	reports_check_run("read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
			  "share symbols: 1\nopen one\ntake hardware of the watch\nnote hardware\n"
			  "store hardware\nanalyse\nstore\nend of analysis\nclose\n"
			  "pass to : 0: report of one, length 1\ngroup one\nshare symbols: 0\n"
			  "pass to : 11: elevengroup without a label\nend of groups\n"
			  "terminal 5, colour 1\nwrite: [report of one, length 1\neleven]\n"
			  "message: the report: No space left on device; the bundle is one\n"
			  "followers\nsettle memory\nsweep\nend of memory, quiet\nfree bundles\n"
			  "free slot\n2 failures, GPU used\n");
	reports_begin();
	reports_add_bundle((struct case_bundle){.path = "one", .open_error = -ENOMEM}, false);
	reports_add_bundle((struct case_bundle){.path = "two"}, false);
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen one\ntake hardware of the watch\nnote hardware\n"
		"store hardware\nanalyse\nclose\nshare symbols: 0\nend of groups\n"
		"message: the report: Cannot allocate memory; the bundle is one\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"3 failures, GPU used\n");
}

/* A report cannot be printed, or not be added for build servers. */
static void test_report_errors(void)
{
	reports_begin();
	case_end.findings = &case_findings;
	reports_add_bundle(
		(struct case_bundle){.path = "one", .has_failure = true, .text_error = -EIO},
		false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen one\ntake hardware of the watch\nnote hardware\n"
		"store hardware\nanalyse\nstore\nend of analysis\nclose\nshare symbols: 0\n"
		"end of groups\n"
		"message: the report: Input/output error; the bundle is one\nfollowers\n"
		"settle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"1 failures, GPU used\n");
	reports_begin();
	case_end.findings = &case_findings;
	reports_case.findings_error = -ENOMEM;
	reports_add_bundle((struct case_bundle){.path = "one", .has_failure = true}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nopen one\ntake hardware of the watch\nnote hardware\n"
		"store hardware\nanalyse\nstore\nadd finding\nend of analysis\nclose\n"
		"share symbols: 0\nend of groups\n"
		"message: the report: Cannot allocate memory; the bundle is one\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"1 failures, GPU used\n");
	reports_begin();
	case_end.findings = &case_findings;
	reports_case.findings_error = -EIO;
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_add_verdict(12, (char[]){"twelve"}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\nadd finding: eleven\nend of groups\n"
		"message: the report: Cannot allocate memory; the bundle is lost\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"2 failures, GPU used\n");
	reports_begin();
	reports_case.group_error = -ENOMEM;
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_add_verdict(12, (char[]){"twelve"}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\n"
		"pass to : 11, shown: elevengroup without a label\nend of groups\n"
		"message: the report: Cannot allocate memory; the bundle is lost\n"
		"followers\nsettle memory\nsweep\nend of memory\nfree bundles\nfree slot\n"
		"2 failures, GPU used\n");
}

int main(void)
{
	char directory[] = "/tmp/unit_run_reports.XXXXXX";
	CHECK(mkdtemp(directory) && !chdir(directory) && !mkdir("dump", 0700));
	FILE *dump = fopen("dump/" BUNDLE_COREDUMP_NAME, "w");
	CHECK(dump && !fclose(dump) && !mkdir("lost", 0700));
	int first = dup(0);
	CHECK(!close(first));
	test_bundle();
	test_verdicts();
	test_shown();
	test_no_failure();
	test_hangs();
	test_memory();
	test_errors();
	test_report_errors();
	CHECK(!unlink("dump/" BUNDLE_COREDUMP_NAME) && !rmdir("dump") && !rmdir("lost"));
	int last = dup(0);
	CHECK(first == last);
	CHECK(!chdir("/") && !rmdir(directory));
	return 0;
}
