/*
 * test_triage.c - `culprit triage`: how many runs it makes and in which ways, and its status. Runs
 * end as the test says.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "support/check.h"
#include "triage/attempt.h"

static struct {
	struct attempt attempts[8];
	struct finding findings[8];
	int error; /* of the last run */
	unsigned numbers[3];
	int bad_number;
	bool has_sanitizer;
	bool has_no_output;
	bool has_bad_output;
	unsigned n; /* of the runs that end */
} now;

static char kept[4096];
static unsigned n_made;
static unsigned failing_calloc; /* 0: none fails */
static struct arguments arguments;
static char *command[] = {(char[]){"command"}, NULL};

void message(const char *format, ...)
{
	char line[PATH_MAX + 512];
	va_list list;
	va_start(list, format);
	(void)vsnprintf(line, sizeof(line), format, list);
	va_end(list);
	trace_add("message: %s\n", line);
}

int options_number(const struct arguments *of, enum option option, unsigned first, unsigned last,
		   unsigned *out)
{
	static const enum option options[] = {OPTION_triage_runs, OPTION_triage_time,
					      OPTION_triage_repeat};
	CHECK(of == &arguments);
	for (int i = 0; i < 3; i++) {
		if (option != options[i])
			continue;
		trace_add("number %d: %u to %u, %u\n", i, first, last, *out);
		if (now.numbers[i])
			*out = now.numbers[i];
		return now.bad_number == i + 1 ? -EINVAL : 0;
	}
	CHECK(false);
	return 0;
}

bool sanitizer_is_here(void)
{
	return now.has_sanitizer;
}

void story_begin_run(unsigned index, enum way way)
{
	trace_add("run %u, way %d\n", index, (int)way);
}

int attempt_make(char **argv, enum way way, const struct finding *known, const char *directory,
		 struct attempt *out, struct finding *out_finding)
{
	const char *name = strrchr(directory, '/');
	CHECK(argv == command && n_made < 8);
	trace_add("  way %d, known code %d, %s\n", (int)way, known->code, name);
	*out = now.attempts[n_made];
	out->headline = strdup("headline");
	*out_finding = now.findings[n_made];
	n_made++;
	return n_made == now.n ? now.error : 0;
}

void attempt_free(struct attempt *attempt)
{
	trace_add(attempt->headline ? "free\n" : "free none\n");
	free(attempt->headline);
	attempt->headline = NULL;
}

void story_print(const struct story_facts *told, FILE *out)
{
	CHECK(out == stdout);
	const char *name = strrchr(told->directory, '/');
	CHECK(name && !strncmp(name, "/triage-20", 10));
	trace_add("story of %u%s\n", told->n, told->repeats ? ", repeated" : "");
}

FILE *output_open(const char *path)
{
	trace_add("output %s\n", path ? path : "-");
	return now.has_no_output ? NULL : stdout;
}

int output_close(FILE *out, const char *path)
{
	CHECK(out == stdout);
	trace_add("end of output %s\n", path ? path : "-");
	return now.has_bad_output ? -EIO : 0;
}

static void begin(void)
{
	memset(&now, 0, sizeof(now));
	memset(&arguments, 0, sizeof(arguments));
	arguments.operands = command;
	arguments.n_operands = 1;
}

static void triage(void)
{
	n_made = 0;
	int status = triage_main(&arguments);
	trace_add("status %d\n", status);
}

static struct finding failure(enum verdict_class class)
{
	return (struct finding){.has_failure = true, .code = 700 + (int)class, .class = class};
}

static void test_arguments(void)
{
	begin();
	triage();
	for (int i = 1; i <= 3; i++) {
		now.bad_number = i;
		triage();
	}
	begin();
	arguments.n_operands = 0;
	triage();
	begin();
	arguments.values[OPTION_triage_dir] = "missing";
	now.numbers[0] = 1;
	triage();
	(void)snprintf(kept, sizeof(kept), "%s", trace_take());
	char *name = strstr(kept, "triage-20");
	CHECK(name != NULL);
	*name = '\0';
	CHECK_STRING(kept,
		     "number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		     "run 0, way 0\n  way 0, known code 0, /run-1\noutput -\nstory of 1\n"
		     "end of output -\nfree\nfree none\nfree none\nfree none\nstatus 1\n"
		     "number 0: 1 to 1000, 4\nstatus 2\nnumber 0: 1 to 1000, 4\n"
		     "number 1: 1 to 2592000, 0\nstatus 2\nnumber 0: 1 to 1000, 4\n"
		     "number 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\nstatus 2\n"
		     "number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		     "message: no command given; see culprit help triage\nstatus 2\n"
		     "number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		     "message: 'missing/");
	CHECK_STRING(strchr(name + 1, '\''), "': No such file or directory\nstatus 6\n");
	kept[0] = '\0';
}

/* The plan's ways, as many as are allowed. */
static void test_runs(void)
{
	for (unsigned n = 1; n <= 6; n++) {
		begin();
		now.numbers[0] = n;
		arguments.values[OPTION_triage_output] = "file";
		for (size_t i = 0; i < 8; i++)
			now.findings[i] = failure(i == 4 ? VERDICT_EXACT : VERDICT_NARROWED);
		now.findings[1].class = VERDICT_LIKELY;
		triage();
	}
	CHECK_TRACE("number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "run 0, way 0\n  way 0, known code 0, /run-1\noutput file\nstory of 1\n"
		    "end of output file\nfree\nstatus 8\nnumber 0: 1 to 1000, 4\n"
		    "number 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\nrun 0, way 0\n"
		    "  way 0, known code 0, /run-1\nrun 1, way 1\n  way 1, known code 701, /run-2\n"
		    "output file\nstory of 2\nend of output file\nfree\nfree\nstatus 8\n"
		    "number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 1\n"
		    "  way 1, known code 701, /run-2\nrun 2, way 2\n"
		    "  way 2, known code 701, /run-3\noutput file\nstory of 3\nend of output file\n"
		    "free\nfree\nfree\nstatus 8\nnumber 0: 1 to 1000, 4\n"
		    "number 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\nrun 0, way 0\n"
		    "  way 0, known code 0, /run-1\nrun 1, way 1\n  way 1, known code 701, /run-2\n"
		    "run 2, way 2\n  way 2, known code 701, /run-3\nrun 3, way 4\n"
		    "  way 4, known code 701, /run-4\noutput file\nstory of 4\nend of output file\n"
		    "free\nfree\nfree\nfree\nstatus 8\nnumber 0: 1 to 1000, 4\n"
		    "number 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\nrun 0, way 0\n"
		    "  way 0, known code 0, /run-1\nrun 1, way 1\n  way 1, known code 701, /run-2\n"
		    "run 2, way 2\n  way 2, known code 701, /run-3\nrun 3, way 4\n"
		    "  way 4, known code 701, /run-4\noutput file\nstory of 4\nend of output file\n"
		    "free\nfree\nfree\nfree\nfree none\nstatus 8\nnumber 0: 1 to 1000, 4\n"
		    "number 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\nrun 0, way 0\n"
		    "  way 0, known code 0, /run-1\nrun 1, way 1\n  way 1, known code 701, /run-2\n"
		    "run 2, way 2\n  way 2, known code 701, /run-3\nrun 3, way 4\n"
		    "  way 4, known code 701, /run-4\noutput file\nstory of 4\nend of output file\n"
		    "free\nfree\nfree\nfree\nfree none\nfree none\nstatus 8\n");
	begin();
	now.numbers[0] = 6;
	now.has_sanitizer = true;
	for (size_t i = 0; i < 8; i++) {
		now.findings[i] = failure(VERDICT_NARROWED);
		(void)snprintf(now.findings[i].target.kernel, 8, "kernel");
	}
	triage();
	CHECK_TRACE("number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 1\n"
		    "  way 1, known code 701, /run-2\nrun 2, way 2\n"
		    "  way 2, known code 701, /run-3\nrun 3, way 4\n"
		    "  way 4, known code 701, /run-4\nrun 4, way 5\n"
		    "  way 5, known code 701, /run-5\noutput -\nstory of 5\nend of output -\nfree\n"
		    "free\nfree\nfree\nfree\nfree none\nstatus 8\n");
}

static void test_repeats(void)
{
	begin();
	now.numbers[2] = 3;
	now.numbers[0] = 1;
	now.attempts[0].seconds = 5;
	now.findings[0] = failure(VERDICT_EXACT);
	triage();
	CHECK_TRACE("number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 0\n"
		    "  way 0, known code 703, /run-2\nrun 2, way 0\n"
		    "  way 0, known code 703, /run-3\noutput -\nstory of 3, repeated\n"
		    "end of output -\nfree\nfree\nfree\nstatus 0\n");
}

/* A run that would take longer than the time that is left is not started. */
static void test_time(void)
{
	static const double seconds[][3] = {
		{10, 10, 10}, {10, 11, 1}, {10.25, 9.75, 10}, {31, 0, 0}, {0, 30, 1}};
	for (size_t i = 0; i < 5; i++) {
		begin();
		now.numbers[1] = 30;
		now.numbers[2] = 4;
		for (size_t k = 0; k < 3; k++)
			now.attempts[k].seconds = seconds[i][k];
		triage();
		trace_add("%u runs\n", n_made);
	}
	CHECK_TRACE("number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 0\n"
		    "  way 0, known code 0, /run-2\nrun 2, way 0\n  way 0, known code 0, /run-3\n"
		    "output -\nstory of 3, repeated\nend of output -\nfree\nfree\nfree\nfree none\n"
		    "status 1\n3 runs\nnumber 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\n"
		    "number 2: 1 to 1000, 0\nrun 0, way 0\n  way 0, known code 0, /run-1\n"
		    "run 1, way 0\n  way 0, known code 0, /run-2\noutput -\nstory of 2, repeated\n"
		    "end of output -\nfree\nfree\nfree none\nfree none\nstatus 1\n2 runs\n"
		    "number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 0\n"
		    "  way 0, known code 0, /run-2\nrun 2, way 0\n  way 0, known code 0, /run-3\n"
		    "output -\nstory of 3, repeated\nend of output -\nfree\nfree\nfree\nfree none\n"
		    "status 1\n3 runs\nnumber 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\n"
		    "number 2: 1 to 1000, 0\nrun 0, way 0\n  way 0, known code 0, /run-1\n"
		    "output -\nstory of 1, repeated\nend of output -\nfree\nfree none\nfree none\n"
		    "free none\nstatus 1\n1 runs\nnumber 0: 1 to 1000, 4\n"
		    "number 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\nrun 0, way 0\n"
		    "  way 0, known code 0, /run-1\nrun 1, way 0\n  way 0, known code 0, /run-2\n"
		    "output -\nstory of 2, repeated\nend of output -\nfree\nfree\nfree none\n"
		    "free none\nstatus 1\n2 runs\n");
}

/* The last run failed and exited with a status of `culprit run`, and no time is left. */
static void test_last(void)
{
	begin();
	now.numbers[1] = 30;
	now.numbers[2] = 2;
	now.attempts[0] = (struct attempt){.seconds = 31, .status = 125 << 8};
	now.findings[0] = failure(VERDICT_EXACT);
	triage();
	CHECK(strstr(trace_take(),
		     "story of 1, repeated\nend of output -\nfree\nfree none\nstatus 0\n"));
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return failing_calloc && !--failing_calloc ? NULL : __real_calloc(n, size);
}

static void test_memory(void)
{
	for (unsigned nth = 1; nth <= 2; nth++) {
		begin();
		failing_calloc = nth;
		now.numbers[2] = 1;
		triage();
		trace_add("-\n");
	}
	CHECK_TRACE("number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "message: Cannot allocate memory\nfree none\nstatus 6\n-\n"
		    "number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		    "message: Cannot allocate memory\nstatus 6\n-\n");
}

/* A signal of the user, or a command that cannot be started, ends triage. */
static void test_ends(void)
{
	static const int statuses[] = {SIGINT,   SIGTERM,  SIGHUP,   SIGQUIT,  SIGKILL,
				       SIGSEGV,  2 << 8,   124 << 8, 125 << 8, 126 << 8,
				       127 << 8, 128 << 8, 129 << 8, 15 << 8};
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		for (int has_failure = 0; has_failure < 2; has_failure++) {
			begin();
			now.numbers[2] = 2;
			now.attempts[0].status = now.attempts[1].status = statuses[i];
			now.findings[0].has_failure = now.findings[1].has_failure = has_failure;
			n_made = 0;
			int status = triage_main(&arguments);
			bool has_story = strstr(trace_take(), "story") != NULL;
			trace_add("%#x, %d: %u runs, status %d%s\n", (unsigned)statuses[i],
				  has_failure, n_made, status, has_story ? ", story" : "");
			char line[128];
			(void)snprintf(line, sizeof(line), "%s", trace_take());
			(void)strncat(kept, line, sizeof(kept) - strlen(kept) - 1);
		}
	CHECK_STRING(kept,
		     "0x2, 0: 1 runs, status 130, story\n0x2, 1: 1 runs, status 130, story\n"
		     "0xf, 0: 1 runs, status 143, story\n0xf, 1: 1 runs, status 143, story\n"
		     "0x1, 0: 1 runs, status 129, story\n0x1, 1: 1 runs, status 129, story\n"
		     "0x3, 0: 1 runs, status 131, story\n0x3, 1: 1 runs, status 131, story\n"
		     "0x9, 0: 2 runs, status 1, story\n0x9, 1: 2 runs, status 8, story\n"
		     "0xb, 0: 2 runs, status 1, story\n0xb, 1: 2 runs, status 8, story\n"
		     "0x200, 0: 2 runs, status 1, story\n0x200, 1: 2 runs, status 8, story\n"
		     "0x7c00, 0: 2 runs, status 1, story\n0x7c00, 1: 2 runs, status 8, story\n"
		     "0x7d00, 0: 1 runs, status 125\n0x7d00, 1: 2 runs, status 8, story\n"
		     "0x7e00, 0: 1 runs, status 126\n0x7e00, 1: 2 runs, status 8, story\n"
		     "0x7f00, 0: 1 runs, status 127\n0x7f00, 1: 2 runs, status 8, story\n"
		     "0x8000, 0: 2 runs, status 1, story\n0x8000, 1: 2 runs, status 8, story\n"
		     "0x8100, 0: 2 runs, status 1, story\n0x8100, 1: 2 runs, status 8, story\n"
		     "0xf00, 0: 2 runs, status 1, story\n0xf00, 1: 2 runs, status 8, story\n");
}

static void test_errors(void)
{
	begin();
	now.has_no_output = true;
	now.findings[0] = failure(VERDICT_EXACT);
	triage();
	begin();
	now.has_bad_output = true;
	now.findings[0] = failure(VERDICT_EXACT);
	triage();
	begin();
	now.findings[0] = failure(VERDICT_NARROWED);
	now.n = 2;
	now.error = -ENOMEM;
	triage();
	CHECK_TRACE(
		"number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		"run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 2\n"
		"  way 2, known code 703, /run-2\noutput -\nfree\nfree\nfree none\nfree none\n"
		"status 6\nnumber 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\n"
		"number 2: 1 to 1000, 0\nrun 0, way 0\n  way 0, known code 0, /run-1\n"
		"run 1, way 2\n  way 2, known code 703, /run-2\noutput -\nstory of 2\n"
		"end of output -\nfree\nfree\nfree none\nfree none\nstatus 6\n"
		"number 0: 1 to 1000, 4\nnumber 1: 1 to 2592000, 0\nnumber 2: 1 to 1000, 0\n"
		"run 0, way 0\n  way 0, known code 0, /run-1\nrun 1, way 1\n"
		"  way 1, known code 701, /run-2\nfree\nfree\nfree none\nfree none\nstatus 6\n");
}

int main(void)
{
	char directory[] = "/tmp/unit_triage.XXXXXX";
	CHECK(mkdtemp(directory) && !chdir(directory));
	test_arguments();
	test_runs();
	test_repeats();
	test_time();
	test_last();
	test_memory();
	test_ends();
	test_errors();
	CHECK(!chdir("/") && !rmdir(directory)); /* Each directory was removed. */
	return 0;
}
