/*
 * test_run_hang.c - the options about hangs, and what a run learns from its watch.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/message.h"
#include "run/run_parts.h"
#include "run/run_reports.h"
#include "support/check.h"

static int choice;
static int failing_number;
static int asked;
static bool has_reported;
static bool has_no_watch;
static struct report_output output;
static struct hardware_watch hardware;
static struct run_end end;

int options_choice(const struct arguments *arguments, enum option option)
{
	CHECK(arguments && option == OPTION_run_on_hang);
	return choice;
}

int options_number(const struct arguments *arguments, enum option option, unsigned first,
		   unsigned last, unsigned *out)
{
	CHECK(arguments && (option == OPTION_run_hang || option == OPTION_run_hang_code));
	bool is_code = option == OPTION_run_hang_code;
	trace_add("%s %u to %u, %u\n", is_code ? "code" : "seconds", first, last, *out);
	if (arguments->values[option])
		*out = (unsigned)strtoul(arguments->values[option], NULL, 10);
	return failing_number == (is_code ? 2 : 1) ? -EINVAL : 0;
}

int run_reports_write(const struct run_end *of, const char *text, size_t size)
{
	CHECK(of == &end);
	trace_add("write %.*s", (int)size, text);
	return 0;
}

void message_end_line(void)
{
	trace_add("end of line\n");
}

int hang_dump_prepare(struct hang_dump *out)
{
	CHECK(out != NULL);
	trace_add("prepare\n");
	return -EACCES;
}

void hang_dump_end(struct hang_dump *dump)
{
	CHECK(dump != NULL);
	trace_add("end of dump\n");
}

struct hang_watch *hang_watch_open(const struct hang_settings *settings)
{
	CHECK(settings->state == &end && settings->hardware == &hardware);
	trace_add("open: %u, %d, %d, length %d, %s\n", settings->seconds, settings->aborts,
		  settings->is_quiet, (int)settings->length, settings->run_id);
	settings->write(settings->state, "one\ntwo\n", 8);
	settings->write(settings->state, "no end", 6);
	return has_no_watch ? NULL : (void *)&asked;
}

void hang_watch_close(struct hang_watch *watch)
{
	CHECK(watch == (void *)&asked);
	trace_add("close\n");
}

int hang_watch_tick(void *state, long child, int signal_number)
{
	(void)state;
	return (int)child + signal_number;
}

int hang_watch_interval_ms(const struct hang_watch *watch)
{
	CHECK(watch == (const void *)&asked);
	return 250;
}

bool hang_watch_has_reported(const struct hang_watch *watch)
{
	CHECK(watch == (const void *)&asked);
	return has_reported;
}

int hang_watch_finished_by(const struct hang_watch *watch)
{
	CHECK(watch == (const void *)&asked);
	return asked;
}

static void test_read(void)
{
	struct arguments arguments = {.help = false};
	struct run_hang hang;
	for (choice = -1; choice < 3; choice++) {
		memset(&hang, 0xff, sizeof(hang));
		int result = run_hang_read(&arguments, &hang);
		trace_add("%d: %d %d %u, %d\n", choice, result, hang.settings.aborts,
			  hang.settings.seconds, choice < 0 ? 0 : hang.code);
	}
	choice = 0;
	arguments.values[OPTION_run_hang] = "7";
	arguments.values[OPTION_run_hang_code] = "9";
	for (failing_number = 0; failing_number < 3; failing_number++) {
		int result = run_hang_read(&arguments, &hang);
		trace_add("%d, %u\n", result, hang.settings.seconds);
		if (!result)
			CHECK_EQUAL(hang.code, 9);
	}
	CHECK_TRACE("-1: -22 0 0, 0\nseconds 0 to 1000000, 0\ncode 0 to 255, 124\n0: 0 0 0, 124\n"
		    "seconds 0 to 1000000, 0\ncode 0 to 255, 124\n1: 0 1 0, 124\n"
		    "seconds 0 to 1000000, 0\ncode 0 to 255, 124\n2: 0 0 0, 124\n"
		    "seconds 0 to 1000000, 0\ncode 0 to 255, 124\n0, 7\nseconds 0 to 1000000, 0\n"
		    "-22, 7\nseconds 0 to 1000000, 0\ncode 0 to 255, 124\n-22, 7\n");
}

/* A dump needs the watch, the abort and the setting. */
static void test_prepare(void)
{
	for (unsigned i = 0; i < 8; i++) {
		struct run_hang hang = {.settings = {.seconds = i & 1, .aborts = i & 2}};
		struct settings settings = {.coredump = (i & 4) / 4};
		trace_add("%u: %d\n", i, run_hang_prepare(&hang, &settings));
	}
	CHECK_TRACE("0: 0\n1: 0\n2: 0\n3: 0\n4: 0\n5: 0\n6: 0\nprepare\n7: -13\n");
}

/* Return what was written to standard error. */
static const char *begin(struct run_hang *hang, struct child_watch *watch)
{
	static char text[64];
	int ends[2];
	int saved = dup(STDERR_FILENO);
	CHECK(saved >= 0 && !pipe2(ends, O_CLOEXEC | O_NONBLOCK));
	CHECK_EQUAL(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	run_hang_begin(hang, &end, watch);
	CHECK_EQUAL(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	ssize_t n = read(ends[0], text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	CHECK(!close(ends[0]) && !close(ends[1]) && !close(saved));
	return text;
}

static void test_watch(void)
{
	static const int signals[] = {0, SIGABRT, SIGTERM, SIGINT};
	for (unsigned i = 0; i < 16; i++) {
		output = (struct report_output){.path = i & 1 ? "file" : NULL};
		end = (struct run_end){.run_id = "id",
				       .child = {.status = 77},
				       .output = &output,
				       .hardware = &hardware,
				       .is_quiet = i & 2,
				       .length = i & 1 ? REPORT_FULL : REPORT_SHORT};
		asked = signals[i / 4];
		has_reported = i & 1;
		struct run_hang hang = {.settings = {.seconds = 3, .aborts = true}};
		struct child_watch watch = {.fd = -1};
		trace_add("%u, '%s'\n", i, begin(&hang, &watch));
		CHECK(watch.tick == hang_watch_tick && watch.tick_state == &asked);
		CHECK(watch.tick_ms == 250 && watch.fd == -1);
		run_hang_end(&hang, &end);
		CHECK(!hang.watch);
		trace_add("%d %d %d\n", end.has_reported_hang, hang.has_aborted, end.child.status);
	}
	CHECK_TRACE("open: 3, 1, 0, length 0, id\nwrite one\ntwo\nwrite no end0, ''\nend of dump\n"
		    "close\n0 0 77\nopen: 3, 1, 0, length 1, id\nwrite one\ntwo\nend of line\n"
		    "write no end1, 'one\n'\nend of dump\nclose\n1 0 77\n"
		    "open: 3, 1, 1, length 0, id\nwrite one\ntwo\nwrite no end2, ''\nend of dump\n"
		    "close\n0 0 77\nopen: 3, 1, 0, length 1, id\nwrite one\ntwo\n"
		    "write no end3, ''\nend of dump\nclose\n1 0 77\nopen: 3, 1, 0, length 0, id\n"
		    "write one\ntwo\nwrite no end4, ''\nend of dump\nclose\n0 1 77\n"
		    "open: 3, 1, 0, length 1, id\nwrite one\ntwo\nend of line\n"
		    "write no end5, 'one\n'\nend of dump\nclose\n1 1 77\n"
		    "open: 3, 1, 1, length 0, id\nwrite one\ntwo\nwrite no end6, ''\nend of dump\n"
		    "close\n0 1 77\nopen: 3, 1, 0, length 1, id\nwrite one\ntwo\n"
		    "write no end7, ''\nend of dump\nclose\n1 1 77\nopen: 3, 1, 0, length 0, id\n"
		    "write one\ntwo\nwrite no end8, ''\nend of dump\nclose\n0 0 15\n"
		    "open: 3, 1, 0, length 1, id\nwrite one\ntwo\nend of line\n"
		    "write no end9, 'one\n'\nend of dump\nclose\n1 0 15\n"
		    "open: 3, 1, 1, length 0, id\nwrite one\ntwo\nwrite no end10, ''\nend of dump\n"
		    "close\n0 0 15\nopen: 3, 1, 0, length 1, id\nwrite one\ntwo\n"
		    "write no end11, ''\nend of dump\nclose\n1 0 15\nopen: 3, 1, 0, length 0, id\n"
		    "write one\ntwo\nwrite no end12, ''\nend of dump\nclose\n0 0 2\n"
		    "open: 3, 1, 0, length 1, id\nwrite one\ntwo\nend of line\n"
		    "write no end13, 'one\n'\nend of dump\nclose\n1 0 2\n"
		    "open: 3, 1, 1, length 0, id\nwrite one\ntwo\nwrite no end14, ''\nend of dump\n"
		    "close\n0 0 2\nopen: 3, 1, 0, length 1, id\nwrite one\ntwo\n"
		    "write no end15, ''\nend of dump\nclose\n1 0 2\n");
	has_no_watch = true;
	struct run_hang hang = {.code = 5};
	struct child_watch watch = {.fd = -1};
	asked = SIGTERM;
	CHECK_STRING(begin(&hang, &watch), "");
	CHECK(!watch.tick && !watch.tick_state && !watch.tick_ms);
	run_hang_end(&hang, &end);
	CHECK(!hang.has_aborted && end.child.status == SIGINT);
	CHECK_TRACE("open: 0, 0, 0, length 1, id\nwrite one\ntwo\nwrite no endend of dump\n");
}

int main(void)
{
	test_read();
	test_prepare();
	test_watch();
	return 0;
}
