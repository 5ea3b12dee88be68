/*
 * run_slot_path.c - finds the slot through /proc, and checks that it is one.
 */
#include "base/run_slot_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"

/*
 * In another PID namespace, or after the run has exited, the process ID may belong to another
 * process. The file's name has the run's random bits, so compare it.
 */
static bool is_slot(const char *path, const char *run)
{
	char found[256] = "";
	const char *descriptor = strrchr(run, '.');
	char wanted[256];
	int length = snprintf(wanted, sizeof(wanted), "/memfd:" RUN_SLOT_PREFIX "%.*s ",
			      (int)(descriptor - run), run);
	ssize_t size = readlink(path, found, sizeof(found));
	return size > length && memcmp(wanted, found, (size_t)length) == 0;
}

/* Return the number after a dot of the run's name, up to `end`; -1 if there is none. */
static long number_behind(const char *dot, char end)
{
	if (!dot || dot[1] < '0' || dot[1] > '9')
		return -1;
	char *stop = NULL;
	long number = strtol(dot + 1, &stop, 10);
	return *stop == end ? number : -1;
}

long run_slot_runner(const char *run)
{
	return number_behind(strchr(run, '.'), '.');
}

int run_slot_path(const char *run, char *out_path, size_t capacity)
{
	long pid = run_slot_runner(run);
	long number = number_behind(strrchr(run, '.'), '\0');
	if (pid < 0 || number < 0)
		return -ENOENT;
	char path[64];
	int length = snprintf(path, sizeof(path), "/proc/%ld/fd/%ld", pid, number);
	if ((size_t)length >= capacity || !is_slot(path, run))
		return -ENOENT;
	memcpy(out_path, path, (size_t)length + 1);
	return 0;
}
