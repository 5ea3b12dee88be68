/*
 * trace.c - what the threads have done in this execution, printed when one finds a fault.
 */
#include "trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker.h"

void trace_add(const char *name, const void *pc, const void *address, uint64_t value, int order)
{
	if (checker->n_events == MAX_EVENTS)
		trace_fail("limit", "an execution does not end");
	checker->events[checker->n_events++] = (struct event){
		.name = name,
		.pc = pc,
		.address = address,
		.value = value,
		.order = order,
		.thread = checker->thread,
	};
}

/* Print "function at file:line" of each event, by addr2line, or nothing. */
static void print_places(FILE *places)
{
	static const char *const orders[] = {"relaxed", "consume", "acquire",
					     "release", "acq_rel", "seq_cst"};
	for (uint32_t i = 0; i < checker->n_events; i++) {
		const struct event *event = &checker->events[i];
		char place[512] = "";
		if (places && !fgets(place, sizeof(place), places))
			place[0] = '\0';
		place[strcspn(place, "\n")] = '\0';
		const char *file = strrchr(place, '/');
		int n = file ? (int)strcspn(place, " ") : 0;
		printf("  thread %u: %-16s %-8s %14p %#-8llx %.*s %s\n", event->thread, event->name,
		       event->order < 0 ? "" : orders[event->order], event->address,
		       (unsigned long long)event->value, n, place, file ? file + 1 : "");
	}
}

static void print_schedule(void)
{
	char path[512] = "";
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	size_t capacity = 1024 + (size_t)checker->n_events * 20;
	char *command = calloc(capacity, 1);
	if (!command || length < 0)
		return;
	int at = snprintf(command, capacity, "addr2line -f -p -e '%s' 2>/dev/null", path);
	for (uint32_t i = 0; i < checker->n_events; i++) {
		uintptr_t pc = (uintptr_t)checker->events[i].pc;
		at += snprintf(command + at, capacity - (size_t)at, " %#llx",
			       pc ? (unsigned long long)(pc - checker->offset - 1) : 0ull);
	}
	FILE *places = popen(command, "r");
	print_places(places);
	if (places)
		pclose(places);
	free(command);
}

void trace_fail(const char *fault, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	printf("%s: ", fault);
	vprintf(format, arguments);
	va_end(arguments);
	printf(" (execution %llu)\n", (unsigned long long)checker->n_executions);
	if (checker->expected && strcmp(checker->expected, fault) == 0)
		exit(0);
	print_schedule();
	exit(1);
}
