/*
 * tracer.c - find the tracer in /proc/self/status, and its name. The programs of cuda-gdb 13.0 are
 * cuda-gdb-minimal and cuda-gdb-python3.N-tui; the kernel keeps 15 characters.
 */
#include "record/host/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_SIZE = 2048, NAME_SIZE = 32 };

/* Read the start of a file as a string; "" if it cannot be read. */
static void read_start(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : 0;
	out[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* Return the tracer's process ID; 0: none, or unknown. */
static long find_tracer(void)
{
	static const char label[] = "\nTracerPid:";
	char status[STATUS_SIZE];
	read_start("/proc/self/status", status, sizeof(status));
	const char *line = strstr(status, label);
	return line ? strtol(line + sizeof(label) - 1, NULL, 10) : 0;
}

bool tracer_is_cuda_gdb(void)
{
	static const char prefix[] = "cuda-gdb";
	int error = errno;
	char path[NAME_SIZE];
	char name[NAME_SIZE] = "";
	long tracer = find_tracer();
	if (tracer > 0) {
		(void)snprintf(path, sizeof(path), "/proc/%ld/comm", tracer);
		read_start(path, name, sizeof(name));
	}
	errno = error;
	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}
