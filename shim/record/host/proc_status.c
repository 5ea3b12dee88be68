/*
 * proc_status.c - read without the C library's buffers, which allocate. The programs of cuda-gdb
 * 13.0 are cuda-gdb-minimal and cuda-gdb-python3.N-tui; the kernel keeps 15 characters.
 */
#include "record/host/proc_status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_SIZE = 2048, LABEL_SIZE = 32, NAME_SIZE = 32 };

/* Read the start of a file as a string; "" if it cannot be read. */
static void read_start(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : 0;
	out[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

long proc_status_number(const char *label)
{
	char status[STATUS_SIZE];
	char start[LABEL_SIZE];
	read_start("/proc/thread-self/status", status, sizeof(status));
	if (!*status) /* Linux before 3.17 */
		read_start("/proc/self/status", status, sizeof(status));
	/* The process chooses its name, the first line: the label must begin another one. */
	(void)snprintf(start, sizeof(start), "\n%s", label);
	const char *line = strstr(status, start);
	return line ? strtol(line + strlen(start), NULL, 10) : 0;
}

bool proc_is_under_cuda_gdb(void)
{
	static const char prefix[] = "cuda-gdb";
	int error = errno;
	char path[NAME_SIZE];
	char name[NAME_SIZE] = "";
	long tracer = proc_status_number("TracerPid:");
	if (tracer > 0) {
		(void)snprintf(path, sizeof(path), "/proc/%ld/comm", tracer);
		read_start(path, name, sizeof(name));
	}
	errno = error;
	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}
