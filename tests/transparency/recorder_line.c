/*
 * recorder_line.c - name the threads and write the lines. The file is opened anew for each line,
 * because a program may close all descriptors, fork, or exit in any way, and must not find one of
 * ours open.
 */
#include "recorder_line.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/elf_lookup.h"

enum { NAME_SIZE = 64 };

/* A thread's own; its creator writes the name before the thread runs. */
static __thread struct {
	char name[NAME_SIZE]; /* empty: not started by the program */
	unsigned n_started;
} self;

static char log_directory[PATH_MAX]; /* written at load time only */

bool is_inside(const void *address)
{
	Dl_info info;
	const char *file;

	if (!dladdr(address, &info) || !info.dli_fname)
		return false;
	file = strrchr(info.dli_fname, '/');
	file = file ? file + 1 : info.dli_fname;
	return strncmp(file, "libcuda.so", strlen("libcuda.so")) == 0 ||
	       strncmp(file, "libculprit.so", strlen("libculprit.so")) == 0;
}

bool line_is_wanted(void)
{
	return log_directory[0] != 0;
}

void line_begin(struct line *line)
{
	line->length = 0;
	line_add(line, "%s", self.name[0] ? self.name : "other");
}

void line_add(struct line *line, const char *format, ...)
{
	size_t room = sizeof(line->text) - 1 - line->length; /* one byte stays for the newline */
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line->text + line->length, room, format, arguments);
	va_end(arguments);
	if (length <= 0)
		return;
	length = (size_t)length < room ? length : (int)room - 1;
	for (char *end = line->text + line->length + length, *c = end - length; c < end; c++)
		if (*c == '\n')
			*c = '|';
	line->length += (size_t)length;
}

void line_add_out(struct line *line, enum out_kind kind, const void *argument)
{
	const void *out = kind == OUT_NONE ? NULL : *(void *const *)argument;

	if (!out)
		return;
	if (kind == OUT_INT)
		line_add(line, " %d", *(const int *)out);
	else if (kind == OUT_UNSIGNED)
		line_add(line, " %u", *(const unsigned *)out);
	else if (kind == OUT_SIZE)
		line_add(line, " %zu", *(const size_t *)out);
	else if (kind == OUT_TEXT)
		line_add(line, " \"%.200s\"", (const char *)out);
	else if (kind == OUT_TEXT_POINTER)
		line_add(line, " \"%.200s\"", *(const char *const *)out);
	else
		line_add(line, *(void *const *)out ? " set" : " NULL");
}

void line_write(struct line *line)
{
	char path[PATH_MAX + 32];
	int saved_errno = errno, fd = -1;

	line->text[line->length++] = '\n';
	if (!log_directory[0])
		return;
	snprintf(path, sizeof(path), "%s/%d", log_directory, (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, line->text, line->length) != (ssize_t)line->length)
		abort(); /* a log with holes would prove nothing */
	close(fd);
	errno = saved_errno;
}

struct start {
	void *(*function)(void *);
	void *argument;
	char name[NAME_SIZE];
};

static void *run_named(void *argument)
{
	struct start start = *(struct start *)argument;

	free(argument);
	memcpy(self.name, start.name, sizeof(self.name));
	return start.function(start.argument);
}

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Name the new thread. Threads of the driver have no name and are not counted. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *restrict thread,
							  const pthread_attr_t *restrict attributes,
							  void *(*function)(void *),
							  void *restrict argument)
{
	create_thread *next =
		(create_thread *)(uintptr_t)elf_next_startup_symbol("pthread_create", _DYNAMIC);
	struct start *start;
	int error;

	if (!self.name[0] || is_inside(__builtin_return_address(0)))
		return next(thread, attributes, function, argument);
	start = malloc(sizeof(*start));
	if (!start)
		return EAGAIN;
	*start = (struct start){.function = function, .argument = argument};
	snprintf(start->name, sizeof(start->name), "%.48s.%u", self.name, ++self.n_started);
	error = next(thread, attributes, run_named, start);
	if (error)
		free(start);
	return error;
}

__attribute__((constructor)) static void begin(void)
{
	const char *directory = getenv("RECORDER_LOG");
	struct line line;

	snprintf(self.name, sizeof(self.name), "main");
	if (!directory)
		return;
	snprintf(log_directory, sizeof(log_directory), "%s", directory);
	line_begin(&line);
	line_add(&line, " started %s", program_invocation_short_name);
	line_write(&line);
}
