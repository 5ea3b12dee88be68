/*
 * test_run.c - `culprit run`: the environment of the command, the order of all that happens, and
 * the status to exit with.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "finish/run_case.h"
#include "support/check.h"

static struct arguments arguments;
static char texts[8192];
static char *command[] = {(char[]){"command"}, NULL};

static void begin(void)
{
	for (enum setting which = 0; which < N_SETTINGS; which++)
		CHECK(!unsetenv(setting_facts[which].environment));
	CHECK(!unsetenv("CULPRIT_LEAVE") && !unsetenv("CULPRIT_RUN"));
	CHECK(!setenv("DEBUGINFOD_URLS", "http://host", 1) && !chdir("/"));
	run_case = (struct run_case){.hardware = 1};
	arguments = (struct arguments){.operands = command, .n_operands = 1};
	arguments.values[OPTION_FIRST_SETTING + SETTING_dir] = "/";
}

static void run(void)
{
	int status = run_main(&arguments);
	trace_add("status %d\n", status);
}

static void set(enum setting which, const char *value)
{
	arguments.values[OPTION_FIRST_SETTING + which] = value;
}

static void test_plain(void)
{
	begin();
	run();
	CHECK_TRACE("number 0 to 255\nkind of command\npreload library\noffer NVTX of library\n"
		    "output -\nno print\nbegin early 8\nbegin hang\n"
		    "child command: CULPRIT_DIR=/ CULPRIT_RUN=inner CULPRIT_ANNOTATE=on\n"
		    "command of 8\nprint early\nkill in 8 inner, outer ''\n"
		    "kill in 8 inner, outer ''\nend of early\nend of print\nend of hang\n"
		    "bounded, /\n"
		    "reports: / 8 inner '', colour 0, length 0, start 1, DEBUGINFOD unset\n"
		    "views\nclose output\nend of hardware\nexit with 0\nstatus 200\n");
	begin();
	CHECK(!setenv("CULPRIT_RUN", "outer", 1) && !setenv("CULPRIT_ANNOTATE", "off", 1));
	run_case.hardware = 0;
	run_case.color = TERMINAL_NEVER;
	run_case.has_left = true;
	run_case.max_bytes = 5000;
	run_case.has_unknown_setting = true;
	run_case.kind = COMMAND_IS_STATIC;
	run_case.prepare_error = -ENOENT;
	run_case.child_status = SIGSEGV;
	arguments.values[OPTION_run_verbose] = "1";
	arguments.values[OPTION_run_require_cuda] = "1";
	arguments.values[OPTION_run_report] = "file";
	arguments.values[OPTION_run_append] = "1";
	set(SETTING_keep, "always");
	run();
	CHECK_TRACE("number 0 to 255\nmessage: unknown: %s\nkind of command\n"
		    "message: 'command' is of a kind\npreload library\noffer NVTX of library\n"
		    "output file, append\nwatch hardware\ntry\ncollect memory\nend of memory\n"
		    "bounded, /\nremove old of /: 5000\n"
		    "message: no GPU core dump of what hangs: No such file or directory\n"
		    "no print\nbegin early 8\nbegin hang\n"
		    "child command: CULPRIT_DIR=/ CULPRIT_RUN=inner CULPRIT_VERBOSE=1 "
		    "CULPRIT_ANNOTATE=off CULPRIT_KEEP=always\n"
		    "command of 8\nprint early\nkill in 8 inner, outer 'outer'\n"
		    "kill in 8 inner, outer 'outer'\nprint early\nend of early\nend of print\n"
		    "end of hang\nbounded, /\n"
		    "reports: / 8 inner 'outer', colour 2, length 1, verbose, CUDA, keeps, start "
		    "1, DEBUGINFOD unset\n"
		    "views\nclose output\nend of hardware\nexit with 0xb\nstatus 200\n");
	begin();
	run_case.has_unknown_setting = true;
	run_case.kind = COMMAND_IS_MUSL;
	arguments.values[OPTION_run_verbose] = "1";
	set(SETTING_quiet, "1");
	set(SETTING_report, "full");
	run();
	CHECK_TRACE("number 0 to 255\nkind of command\noffer NVTX of library\noutput -, quiet\n"
		    "no print\nbegin early 8, quiet\nbegin hang\n"
		    "child command: CULPRIT_DIR=/ CULPRIT_RUN=inner CULPRIT_VERBOSE=1 "
		    "CULPRIT_ANNOTATE=on\n"
		    "command of 8\nprint early\nkill in 8 inner, outer '', quiet\n"
		    "kill in 8 inner, outer '', quiet\nend of early\nend of print\nend of hang\n"
		    "bounded, /\n"
		    "reports: / 8 inner '', colour 0, length 1, quiet, start 1, DEBUGINFOD unset\n"
		    "views, quiet\nclose output\nend of hardware\nexit with 0\nstatus 200\n");
}

/* Each refusal before the command starts. */
static void test_refusals(void)
{
	for (unsigned i = 0; i < 13; i++) {
		begin();
		trace_add("%u: ", i);
		run_case.color = i == 0 ? -EINVAL : 0;
		run_case.hardware = i == 1 ? -EINVAL : 1;
		run_case.number_error = i == 2 ? -EINVAL : 0;
		run_case.hang_error = i == 3 ? -EINVAL : 0;
		run_case.size_error = i == 4 ? -EINVAL : 0;
		if (i == 5)
			set(SETTING_keep, "never");
		arguments.n_operands = i == 6 ? 0 : 1;
		run_case.library_error = i == 7 ? -ENOENT : 0;
		if (i == 8)
			set(SETTING_dir, "/proc/none/bundles");
		run_case.preload_error = i == 9 ? -ENOMEM : 0;
		run_case.nvtx_error = i == 10 ? -ENOMEM : 0;
		run_case.output_error = i == 11 ? -EACCES : 0;
		run_case.print_error = i == 12 ? -EIO : 0;
		run();
	}
	CHECK_TRACE("0: status 125\n1: status 125\n2: number 0 to 255\nstatus 125\n"
		    "3: number 0 to 255\nstatus 125\n4: number 0 to 255\nstatus 125\n"
		    "5: message: --keep 'never': expected failure|always; see culprit help run\n"
		    "status 125\n6: number 0 to 255\n"
		    "message: no command given; see culprit help run\nstatus 125\n"
		    "7: number 0 to 255\nkind of command\nstatus 125\n8: number 0 to 255\n"
		    "kind of command\n"
		    "message: bundle directory '/proc/none/bundles': No such file or directory\n"
		    "status 125\n9: number 0 to 255\nkind of command\npreload library\n"
		    "message: environment: Cannot allocate memory\nstatus 125\n"
		    "10: number 0 to 255\nkind of command\npreload library\n"
		    "offer NVTX of library\nmessage: environment: Cannot allocate memory\n"
		    "status 125\n11: number 0 to 255\nkind of command\npreload library\n"
		    "offer NVTX of library\noutput -\nstatus 125\n12: number 0 to 255\n"
		    "kind of command\npreload library\noffer NVTX of library\noutput -\n"
		    "no print\nend of hang\nclose output\nend of hardware\nstatus 125\n");
}

/* Keep only the trace from a line on. */
static void keep_end(const char *from)
{
	char kept[1024];
	const char *text = strstr(trace_take(), from);
	CHECK(text != NULL);
	(void)snprintf(kept, sizeof(kept), "%s", text);
	(void)strncat(texts, kept, sizeof(texts) - strlen(texts) - 1);
}

static void test_not_started(void)
{
	static const int errors[] = {ENOENT, EACCES, EAGAIN, EMFILE, ENFILE, ENOEXEC};
	char path[] = "./command";
	char *with_path[] = {path, NULL};
	for (size_t i = 0; i < 7; i++) {
		begin();
		run_case.child_error = -errors[i % 6];
		if (i == 6)
			arguments.operands = with_path;
		run();
		keep_end("end of hang\n");
	}
	CHECK_STRING(texts,
		     "end of hang\nend of hardware\nclose output\n"
		     "message: 'command': command not found\nstatus 127\nend of hang\n"
		     "end of hardware\nclose output\n"
		     "message: cannot run 'command': Permission denied\nstatus 126\nend of hang\n"
		     "end of hardware\nclose output\n"
		     "message: cannot run 'command': Resource temporarily unavailable\n"
		     "status 125\nend of hang\nend of hardware\nclose output\n"
		     "message: cannot run 'command': Too many open files\nstatus 125\n"
		     "end of hang\nend of hardware\nclose output\n"
		     "message: cannot run 'command': Too many open files in system\nstatus 125\n"
		     "end of hang\nend of hardware\nclose output\n"
		     "message: cannot run 'command': Exec format error\nstatus 126\nend of hang\n"
		     "end of hardware\nclose output\n"
		     "message: cannot run './command': No such file or directory\nstatus 127\n");
}

/* The status of a run, by what happened in it. */
static void test_status(void)
{
	texts[0] = '\0';
	for (unsigned i = 0; i < 12; i++) {
		begin();
		run_case.summary.n_failures = i == 0 || i == 1 || i == 2 ? 2 : 0;
		run_case.fail_code = i == 0 || i == 3 ? 9 : i == 11 ? 255 : 0;
		run_case.has_aborted = i == 1 || i == 4;
		run_case.has_reported_hang = i == 4;
		run_case.is_killed = i == 2 || i == 4 || i == 5;
		run_case.child_status = i == 6 ? 256 : 0;
		arguments.values[OPTION_run_require_cuda] = i == 6 || i == 7 || i == 8 ? "1" : NULL;
		run_case.summary.has_used_gpu = i == 8;
		run_case.bounded_result = i == 9 ? -ETIMEDOUT : i == 10 ? -ECHILD : 0;
		if (i == 11)
			run_case.bounded_result = 7;
		run();
		keep_end("bounded, ");
	}
	begin();
	set(SETTING_quiet, "1");
	run_case.bounded_result = -ETIMEDOUT;
	run();
	keep_end("bounded, ");
	CHECK_STRING(
		texts,
		"bounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nstatus 9\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nstatus 124\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, killed, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nstatus 134\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nexit with 0\nstatus 200\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, killed, hang, keeps, start 1, "
		"DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nstatus 124\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, killed, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nstatus 134\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, CUDA, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nexit with 0x100\nstatus 200\n"
		"bounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, CUDA, start 1, DEBUGINFOD unset\n"
		"views\nclose output\n"
		"message: no process used the GPU with the library in it (--require-cuda); see "
		"culprit doctor\n"
		"end of hardware\nstatus 9\nbounded, /\n"
		"reports: / 8 inner '', colour 0, length 0, CUDA, start 1, DEBUGINFOD unset\n"
		"views\nclose output\nend of hardware\nexit with 0\nstatus 200\nbounded, /\n"
		"message: /: the disk does not answer; this run's bundles stay in memory until the "
		"next culprit run\n"
		"print: / 8 inner '', colour 0, length 0, start 1, DEBUGINFOD unset\nviews\n"
		"close output\nend of hardware\nexit with 0\nstatus 200\nbounded, /\n"
		"print: / 8 inner '', colour 0, length 0, start 1, DEBUGINFOD unset\nviews\n"
		"close output\nend of hardware\nexit with 0\nstatus 200\nbounded, /\n"
		"end of hardware\nstatus 7\nbounded, /\n"
		"print: / 8 inner '', colour 0, length 0, quiet, start 1, DEBUGINFOD unset\n"
		"views, quiet\nclose output\nend of hardware\nexit with 0\nstatus 200\n");
}

/* A command that crashed, or whose shell says so, keeps sound journals. */
static void test_crashes(void)
{
	texts[0] = '\0';
	for (int number = 0; number < 65; number++)
		for (int kind = 0; kind < 2; kind++) {
			begin();
			run_case.child_status = kind ? (128 + number) << 8 : number;
			run();
			char kept[8] = "";
			if (strstr(trace_take(), ", keeps"))
				(void)snprintf(kept, sizeof(kept), " %d%s", number,
					       kind ? "s" : "");
			(void)strcat(texts, kept);
		}
	CHECK_STRING(texts, " 4 4s 5 5s 6 6s 7 7s 8 8s 11 11s 31 31s");
}

/* Launches are printed or inspected as the options say. */
static void test_print(void)
{
	texts[0] = '\0';
	for (unsigned i = 0; i < 16; i++) {
		begin();
		CHECK(!setenv("CULPRIT_LEAVE", "0", 1));
		arguments.values[OPTION_run_print] = i & 1 ? "kernels" : NULL;
		arguments.values[OPTION_run_print_to] = i & 2 ? "file" : NULL;
		set(SETTING_inspect, i & 4 ? "inspected" : NULL);
		set(SETTING_nan, i & 8 ? "" : NULL);
		run();
		(void)snprintf(texts + strlen(texts), sizeof(texts) - strlen(texts),
			       "%u: %s, '%s', ", i, getenv("CULPRIT_LEAVE") ? "leave" : "-",
			       getenv("CULPRIT_NAN") ? getenv("CULPRIT_NAN") : "");
		const char *text = trace_take();
		const char *line = strstr(text, "\nprint '");
		line = line ? line : strstr(text, "\nno print");
		CHECK(line != NULL);
		(void)snprintf(texts + strlen(texts), sizeof(texts) - strlen(texts), "%.*s\n",
			       (int)strcspn(line + 1, "\n"), line + 1);
	}
	CHECK_STRING(texts,
		     "0: -, '', no print\n"
		     "1: leave, '', print 'kernels' '' '' 0 0 - of inner: 4 0\n"
		     "2: leave, '', print '' '' '' 0 0 file of inner: 4 0\n"
		     "3: leave, '', print 'kernels' '' '' 0 0 file of inner: 4 0\n"
		     "4: leave, '', print '' 'inspected' '' 1 0 - of inner: 4 0\n"
		     "5: leave, '', print 'kernels' 'inspected' '' 0 0 - of inner: 4 0\n"
		     "6: leave, '', print '' 'inspected' '' 1 0 file of inner: 4 0\n"
		     "7: leave, '', print 'kernels' 'inspected' '' 0 0 file of inner: 4 0\n"
		     "8: leave, '.', print '' '' '.' 1 0 - of inner: 4 0\n"
		     "9: leave, '.', print 'kernels' '' '.' 0 0 - of inner: 4 0\n"
		     "10: leave, '.', print '' '' '.' 1 0 file of inner: 4 0\n"
		     "11: leave, '.', print 'kernels' '' '.' 0 0 file of inner: 4 0\n"
		     "12: leave, '.', print '' 'inspected' '.' 1 0 - of inner: 4 0\n"
		     "13: leave, '.', print 'kernels' 'inspected' '.' 0 0 - of inner: 4 0\n"
		     "14: leave, '.', print '' 'inspected' '.' 1 0 file of inner: 4 0\n"
		     "15: leave, '.', print 'kernels' 'inspected' '.' 0 0 file of inner: 4 0\n");
}

/* The directory is made with those above it, and its name is no pattern. */
static void test_directory(void)
{
	char directory[] = "/tmp/unit_run.XXXXXX";
	CHECK(mkdtemp(directory));
	begin();
	CHECK(!chdir(directory));
	set(SETTING_dir, "one//two%%/three/");
	run();
	const char *made = getenv("CULPRIT_DIR");
	CHECK(made && !strncmp(made, "/tmp/unit_run.", 14));
	CHECK_STRING(made + strlen(directory), "/one/two%%/three");
	(void)trace_take();
	CHECK(!rmdir("one/two%/three") && !rmdir("one/two%") && !rmdir("one"));
	static char longer[PATH_MAX + 8];
	memset(longer, 'x', sizeof(longer) - 1);
	memcpy(longer, "a/", 2);
	set(SETTING_dir, longer);
	run();
	CHECK(strstr(trace_take(), "status 125"));
	(void)rmdir("a");
	CHECK(!chdir("/") && !rmdir(directory));
}

int main(void)
{
	test_plain();
	test_refusals();
	test_not_started();
	test_status();
	test_crashes();
	test_print();
	test_directory();
	return 0;
}
