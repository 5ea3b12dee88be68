/*
 * test_story.c - all that triage prints about its runs.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "command/message.h"
#include "support/check.h"
#include "triage/attempt.h"

static const char *const ways[N_WAYS] = {"as",       "markers",  "dump",
					 "uncached", "blocking", "checked"};
static struct plan_run runs[6];
static struct attempt attempts[6];

void message(const char *format, ...)
{
	char line[256];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	trace_add("message: %s\n", line);
}

const char *attempt_way_text(enum way way)
{
	return ways[way];
}

/* Fill in a run; no id: it did not fail. */
static void set(unsigned index, enum way way, enum verdict_class class, const char *id)
{
	static char texts[6][2][32];
	runs[index] = (struct plan_run){.way = way,
					.finding = {.has_failure = id != NULL, .class = class}};
	attempts[index] = (struct attempt){.status = 0};
	(void)snprintf(attempts[index].how, sizeof(attempts[index].how), "%s", ways[way]);
	if (!id)
		return;
	(void)snprintf(runs[index].finding.fingerprint.id, FINGERPRINT_ID_SIZE, "%s", id);
	(void)snprintf(texts[index][0], sizeof(texts[0][0]), "headline %u", index + 1);
	(void)snprintf(texts[index][1], sizeof(texts[0][0]), "report %u\n", index + 1);
	attempts[index].headline = texts[index][0];
	attempts[index].report = texts[index][1];
}

static void print(unsigned n, bool repeats)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	/* Rows after the last run do not count. */
	if (n < 6)
		attempts[n].hardware = (char[]){"may be broken"};
	CHECK(out != NULL);
	story_print(&(struct story_facts){runs, attempts, n, repeats, "/dir"}, out);
	CHECK(!fclose(out));
	trace_add("%s.\n", text);
	free(text);
}

static void test_one(void)
{
	set(0, WAY_AS_IS, VERDICT_UNKNOWN, NULL);
	print(1, false);
	print(1, true);
	set(0, WAY_AS_IS, VERDICT_EXACT, "a");
	print(1, false);
	story_begin_run(0, WAY_COREDUMP);
	CHECK_TRACE("culprit triage: 1 run, bundles in /dir\n"
		    "   1  as                               no GPU failure seen\n.\n"
		    "culprit triage: 1 run, bundles in /dir\n     1 of 1  no GPU failure seen\n"
		    ".\nculprit triage: 1 run, bundles in /dir\n"
		    "   1  as                               headline 1\n\nreport 1\n.\n"
		    "message: run 1, dump\n");
}

/* Each way without a failure, after one with. */
static void test_vanishes(void)
{
	for (enum way way = WAY_AS_IS; way < N_WAYS; way++) {
		set(0, WAY_AS_IS, VERDICT_EXACT, "a");
		set(1, way, VERDICT_UNKNOWN, NULL);
		print(2, false);
	}
	set(0, WAY_BLOCKING, VERDICT_UNKNOWN, NULL);
	set(1, WAY_COREDUMP, VERDICT_UNKNOWN, NULL);
	print(2, false);
	set(1, WAY_BLOCKING, VERDICT_EXACT, "a");
	print(2, false);
	CHECK_TRACE("culprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  as                               no GPU failure seen\n\nreport 1\n"
		    ".\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  markers                          no GPU failure seen\n"
		    "  vanishes with markers: the failure depends on timing: look for a race, or "
		    "for memory that is freed too early\n"
		    "\nreport 1\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             no GPU failure seen\n"
		    "  vanishes with dump: the failure depends on timing: look for a race, or for "
		    "memory that is freed too early\n"
		    "\nreport 1\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  uncached                         no GPU failure seen\n"
		    "  vanishes with uncached: the failure depends on the layout of tensors in "
		    "memory: look for a tensor that is used after it was freed, or beyond its end\n"
		    "\nreport 1\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  blocking                         no GPU failure seen\n"
		    "  vanishes with blocking: the failure depends on what runs at the same time: "
		    "look for a race, between streams or with the host\n"
		    "\nreport 1\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  checked                          no GPU failure seen\n"
		    "  vanishes with checked: compute-sanitizer slows checked launches down: look "
		    "for a race, or a fault in a launch that was not checked\n"
		    "\nreport 1\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  blocking                         no GPU failure seen\n"
		    "   2  dump                             no GPU failure seen\n.\n"
		    "culprit triage: 2 runs, bundles in /dir\n"
		    "   1  blocking                         no GPU failure seen\n"
		    "   2  blocking                         headline 2\n\nreport 2\n.\n");
}

static void test_combined(void)
{
	for (unsigned i = 0; i < 6; i++) {
		set(0, WAY_AS_IS, i & 1 ? VERDICT_EXACT : VERDICT_LIKELY, "a");
		set(1, WAY_COREDUMP, VERDICT_LIKELY, "a");
		runs[0].finding.has_device_location = true;
		runs[0].finding.has_node = i >= 4;
		runs[1].finding.has_node = true;
		runs[1].finding.has_device_location = i >= 2;
		runs[1].finding.has_device_line = i >= 4;
		if (i < 2)
			runs[0].finding.has_device_location = false;
		(void)snprintf(attempts[1].sanitizer, sizeof(attempts[1].sanitizer),
			       i ? "one line\nother line\n" : "line");
		attempts[0].hardware = i ? NULL : (char[]){"may be broken"};
		print(2, false);
	}
	set(0, WAY_AS_IS, VERDICT_EXACT, "a");
	set(1, WAY_COREDUMP, VERDICT_LIKELY, "a");
	runs[1].finding.has_device_location = true;
	print(2, false);
	CHECK_TRACE("culprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n    line\n"
		    "  steady: all runs that name a launch name the same code\n"
		    "  run 1 may be broken\n"
		    "  together: run 1 names the launch, run 2 also names the node and follows\n"
		    "\nreport 2\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n    one line\n"
		    "    other line\n  steady: all runs that name a launch name the same code\n"
		    "  together: run 1 proves the launch, run 2 also names the node and follows\n"
		    "\nreport 2\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n    one line\n"
		    "    other line\n  steady: all runs that name a launch name the same code\n"
		    "  together: run 1 names the launch, run 2 also names the node and follows\n"
		    "\nreport 2\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n    one line\n"
		    "    other line\n  steady: all runs that name a launch name the same code\n"
		    "  together: run 1 proves the launch, run 2 also names the node and follows\n"
		    "\nreport 2\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n    one line\n"
		    "    other line\n  steady: all runs that name a launch name the same code\n"
		    "\nreport 2\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n    one line\n"
		    "    other line\n  steady: all runs that name a launch name the same code\n"
		    "  together: run 1 proves the launch, run 2 also names the line on the device "
		    "and follows\n"
		    "\nreport 2\n.\nculprit triage: 2 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  dump                             headline 2\n"
		    "  steady: all runs that name a launch name the same code\n"
		    "  together: run 1 proves the launch, run 2 also names the place on the device "
		    "and follows\n"
		    "\nreport 2\n.\n");
}

static void test_repeated(void)
{
	set(0, WAY_AS_IS, VERDICT_LIKELY, "a");
	set(1, WAY_AS_IS, VERDICT_UNKNOWN, NULL);
	set(2, WAY_AS_IS, VERDICT_EXACT, "b");
	set(3, WAY_AS_IS, VERDICT_EXACT, "a");
	set(4, WAY_AS_IS, VERDICT_UNKNOWN, NULL);
	set(5, WAY_AS_IS, VERDICT_EXACT, "a");
	attempts[4].hardware = (char[]){"is hot"};
	print(6, true);
	print(6, false);
	CHECK_TRACE("culprit triage: 6 runs, bundles in /dir\n     3 of 6  headline 1\n"
		    "     2 of 6  no GPU failure seen\n     1 of 6  headline 3\n"
		    "  moves: the runs name different launches: several faults, or a race\n"
		    "  run 5 is hot\n\nreport 3\n.\nculprit triage: 6 runs, bundles in /dir\n"
		    "   1  as                               headline 1\n"
		    "   2  as                               no GPU failure seen\n"
		    "   3  as                               headline 3\n"
		    "   4  as                               headline 4\n"
		    "   5  as                               no GPU failure seen\n"
		    "   6  as                               headline 6\n"
		    "  moves: the runs name different launches: several faults, or a race\n"
		    "  run 5 is hot\n\nreport 3\n.\n");
}

int main(void)
{
	test_one();
	test_vanishes();
	test_combined();
	test_repeated();
	return 0;
}
