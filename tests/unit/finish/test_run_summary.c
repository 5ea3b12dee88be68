/*
 * test_run_summary.c - the end of a run without a failure, its summary, and the end of a run whose
 * disk hangs.
 */
#include <signal.h>

#include "finish/reports_case.h"
#include "run/run_reports.h"
#include "support/check.h"

/* A command that failed without a failure of the GPU. */
static void test_sound(void)
{
	static const int statuses[] = {0, 256, SIGKILL, SIGINT, SIGHUP, SIGINT, 129 << 8, 130 << 8};
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		reports_begin();
		case_end.child.status = statuses[i];
		reports_case.n_sound = 1;
		reports_case.n_unfinished = 3;
		struct run_summary summary = run_reports(&case_end);
		CHECK(!summary.n_failures && !summary.has_used_gpu);
		struct sigaction left;
		CHECK(!sigaction(SIGXFSZ, NULL, &left) && left.sa_handler == SIG_IGN);
		trace_add("%#x.\n", (unsigned)statuses[i]);
	}
	CHECK_TRACE("read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		    "share symbols: 1\nshare symbols: 0\nend of groups\nsettle memory\nsweep\n"
		    "end of memory\nfree bundles\nfree slot\n0.\nread slot 6\n"
		    "collect memory of id\nfind bundles\ngroups\nshare symbols: 1\n"
		    "share symbols: 0\nend of groups\nrejections\nterminal 5, colour 1\n"
		    "write: [rejected\n]\nunfinished, news\nterminal 5, colour 1\n"
		    "write: [unfinished\n]\nsettle memory\nsweep\nend of memory\nfree bundles\n"
		    "free slot\n0x100.\nread slot 6\ncollect memory of id\nfind bundles\n"
		    "groups\nshare symbols: 1\nshare symbols: 0\nend of groups\nrejections\n"
		    "terminal 5, colour 1\nwrite: [rejected\n]\nunfinished, news\n"
		    "terminal 5, colour 1\nwrite: [unfinished\n]\nsettle memory\nsweep\n"
		    "end of memory\nfree bundles\nfree slot\n0x9.\nread slot 6\n"
		    "collect memory of id\nfind bundles\ngroups\nshare symbols: 1\n"
		    "share symbols: 0\nend of groups\nsettle memory\nsweep\nend of memory\n"
		    "free bundles\nfree slot\n0x2.\nread slot 6\ncollect memory of id\n"
		    "find bundles\ngroups\nshare symbols: 1\nshare symbols: 0\nend of groups\n"
		    "settle memory\nsweep\nend of memory\nfree bundles\nfree slot\n0x1.\n"
		    "read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		    "share symbols: 1\nshare symbols: 0\nend of groups\nsettle memory\nsweep\n"
		    "end of memory\nfree bundles\nfree slot\n0x2.\nread slot 6\n"
		    "collect memory of id\nfind bundles\ngroups\nshare symbols: 1\n"
		    "share symbols: 0\nend of groups\nsettle memory\nsweep\nend of memory\n"
		    "free bundles\nfree slot\n0x8100.\nread slot 6\ncollect memory of id\n"
		    "find bundles\ngroups\nshare symbols: 1\nshare symbols: 0\nend of groups\n"
		    "settle memory\nsweep\nend of memory\nfree bundles\nfree slot\n0x8200.\n");
}

/* Unfinished work is news only for some runs. */
static void test_unfinished(void)
{
	for (unsigned i = 0; i < 64; i++) {
		reports_begin();
		case_end.child.status = 256;
		reports_case.n_sound = i & 1;
		reports_case.n_unfinished = 3;
		reports_case.is_unseen = i & 2;
		case_end.findings = i & 4 ? &case_findings : NULL;
		case_end.is_verbose = i & 8;
		case_end.requires_cuda = i & 16;
		case_end.outer_run = i & 32 ? "outer" : "";
		reports_case.has_no_hardware = true;
		trace_add("%u:\n", i);
		(void)run_reports(&case_end);
	}
	uint64_t sum = 0;
	for (const char *at = trace_take(); *at; at++)
		sum = (sum ^ (unsigned char)*at) * 1099511628211U;
	CHECK_EQUAL(sum, -946078604138463414);
}

static void test_summary(void)
{
	reports_begin();
	case_end.is_verbose = true;
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\nend of groups\nunfinished to nowhere\n"
		"settle memory\nsweep\nend of memory\nmessage: no process used the GPU\n"
		"take hardware of the watch\nstory from 1234, the start\nfree bundles\n"
		"free slot\n0 failures\n");
	reports_begin();
	case_end.is_verbose = true;
	case_end.outer_run = "outer";
	reports_case.has_running = true;
	reports_case.n_hardware_lines = 3;
	reports_case.n_unfinished = 2;
	reports_case.processes[0] = (struct run_process){20, 0};
	reports_case.n_processes = 1;
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\nend of groups\nunfinished to nowhere\n"
		"settle memory\nsweep\nend of memory\npass to outer: end of 20, 0\n"
		"message: 1 process used the GPU: 0 submissions, 2 of them unfinished at the end, "
		"0 failures\n"
		"take hardware of the watch\nstory from 1234, the start\n"
		"message: hardware: line 0\nmessage:   line 1\nmessage:   line 2\n"
		"free bundles\nfree slot\n0 failures, GPU used\n");
	reports_begin();
	case_end.is_verbose = true;
	reports_case.n_unfinished = 1;
	reports_case.processes[0] = (struct run_process){20, 4};
	reports_case.processes[1] = (struct run_process){21, 5};
	reports_case.n_processes = 2;
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\n"
		"pass to : 11, shown: elevengroup without a label\nend of groups\n"
		"terminal 5, colour 1\nwrite: [eleven]\nfollowers\nunfinished to nowhere\n"
		"settle memory\nsweep\nend of memory\npass to : end of 20, 4\n"
		"pass to : end of 21, 5\n"
		"message: 2 processes used the GPU: 9 submissions, 1 of them unfinished at the "
		"end, 1 failure\n"
		"free bundles\nfree slot\n1 failures, GPU used\n");
}

static void test_other_summaries(void)
{
	reports_begin();
	case_end.is_verbose = true;
	reports_case.has_no_hardware = true;
	reports_case.processes[0] = (struct run_process){20, 1};
	reports_case.n_processes = 1;
	reports_check_run(
		"read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
		"share symbols: 1\nshare symbols: 0\nend of groups\nunfinished to nowhere\n"
		"settle memory\nsweep\nend of memory\npass to : end of 20, 1\n"
		"message: 1 process used the GPU: 1 submission, 0 failures\n"
		"take hardware of the watch\nfree bundles\nfree slot\n"
		"0 failures, GPU used\n");
	reports_begin();
	case_end.is_verbose = true;
	reports_add_verdict(11, (char[]){"eleven"}, false);
	reports_add_verdict(12, (char[]){"twelve"}, false);
	reports_check_run("read slot 6\ncollect memory of id\nfind bundles\ngroups\n"
			  "share symbols: 1\nshare symbols: 0\n"
			  "pass to : 11, shown: elevengroup without a label\n"
			  "pass to : 12, shown: twelvegroup without a label\nend of groups\n"
			  "terminal 5, colour 1\nwrite: [eleventwelve]\nfollowers\n"
			  "unfinished to nowhere\nsettle memory\nsweep\nend of memory\n"
			  "message: 0 processes used the GPU: 0 submissions, 2 failures\n"
			  "free bundles\nfree slot\n2 failures, GPU used\n");
}

/* If the disk hangs, only the slot is read. */
static void test_print(void)
{
	for (unsigned i = 0; i < 3; i++) {
		reports_begin();
		case_end.outer_run = "outer";
		if (i)
			reports_case.processes[reports_case.n_processes++] =
				(struct run_process){20, i - 1};
		else
			reports_add_verdict(11, (char[]){"eleven"}, false);
		struct run_summary summary = run_reports_print(&case_end);
		trace_add("%u failures%s\n", summary.n_failures,
			  summary.has_used_gpu ? ", GPU used" : "");
	}
	CHECK_TRACE("read slot 6\ngroups\nshare symbols: 1\nshare symbols: 0\n"
		    "pass to outer: 11, shown: elevengroup without a label\nend of groups\n"
		    "terminal 5, colour 1\nwrite: [eleven]\nfree slot\n1 failures, GPU used\n"
		    "read slot 6\ngroups\nshare symbols: 1\nshare symbols: 0\nend of groups\n"
		    "pass to outer: end of 20, 0\nfree slot\n0 failures\nread slot 6\ngroups\n"
		    "share symbols: 1\nshare symbols: 0\nend of groups\n"
		    "pass to outer: end of 20, 1\nfree slot\n0 failures, GPU used\n");
}

int main(void)
{
	test_sound();
	test_unfinished();
	test_summary();
	test_other_summaries();
	test_print();
	return 0;
}
