/*
 * process_start.c - reads /proc/PID/task/PID/stat, which has the start in the reader's time
 * namespace. An emulator may answer a program's read of its own /proc/PID/stat with a start of its
 * own: qemu-user does. Other processes would then take the program for another one.
 */
#include "base/process_start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time_units.h"

enum { LINE_SIZE = 1024 };

/* Read the start of a small file as a string. 0; -ENOENT: its process has exited; -ENOTSUP. */
static int read_file(const char *path, char out[LINE_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, out, LINE_SIZE - 1);
	int error = size >= 0 ? 0 : errno == ENOENT || errno == ESRCH ? -ENOENT : -ENOTSUP;
	if (fd >= 0)
		(void)close(fd);
	out[size > 0 ? size : 0] = '\0';
	return error;
}

int process_start_parse_offset(const char *text, int64_t ticks_per_second, int64_t *out_ticks)
{
	static const char word[] = "boottime";
	const char *at = strstr(text, word);
	if (!at || ticks_per_second <= 0)
		return -EINVAL;
	char *end = NULL;
	long long seconds = strtoll(at + strlen(word), &end, 10);
	long long ns = strtoll(end, &end, 10);
	if (*end != '\n' && *end)
		return -EINVAL;
	*out_ticks = seconds * ticks_per_second + ns / (NS_PER_S / ticks_per_second);
	return 0;
}

/*
 * True if this process is in its children's time namespace, whose offsets the file has. It is not
 * between unshare(CLONE_NEWTIME) and a fork.
 */
static bool is_in_childrens_namespace(void)
{
	char own[64] = "";
	char children[64] = "";
	ssize_t own_size = readlink("/proc/self/ns/time", own, sizeof(own) - 1);
	ssize_t size = readlink("/proc/self/ns/time_for_children", children, sizeof(children) - 1);
	return own_size > 0 && own_size == size && strcmp(own, children) == 0;
}

/* Read the time namespace's offset; 0 on kernels before 5.6, which have no time namespaces. */
static int read_offset(int64_t *out_ticks)
{
	*out_ticks = 0;
	if (access("/proc/self/timens_offsets", F_OK) != 0)
		return 0;
	char text[LINE_SIZE];
	if (!is_in_childrens_namespace() || read_file("/proc/self/timens_offsets", text))
		return -ENOTSUP;
	return process_start_parse_offset(text, sysconf(_SC_CLK_TCK), out_ticks) ? -ENOTSUP : 0;
}

/* Parse the 22nd word of the line: the 20th after the name, which may contain anything. */
static int parse_stat(const char *line, uint64_t *out_ticks)
{
	const char *at = strrchr(line, ')');
	if (!at || !at[1] || strchr("ZX", at[2]))
		return -ENOENT;
	for (int word = 0; at && word < 20; word++)
		at = strchr(at + 1, ' ');
	if (!at)
		return -ENOENT;
	*out_ticks = strtoull(at, NULL, 10);
	return 0;
}

/* Where /proc is of another PID namespace, only its link to this process is known. */
static int read_stat(int pid, char out[LINE_SIZE])
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, pid);
	if (pid)
		return read_file(path, out);
	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	return read_file(path, out) ? read_file("/proc/self/stat", out) : 0;
}

int process_start_read(int pid, uint64_t *out_ticks)
{
	char line[LINE_SIZE];
	int error = read_stat(pid, line);
	uint64_t ticks = 0;
	if (!error)
		error = parse_stat(line, &ticks);
	int64_t offset = 0;
	if (!error)
		error = read_offset(&offset);
	if (!error)
		*out_ticks = ticks - (uint64_t)offset;
	return error;
}

bool process_start_is_same(uint64_t a, uint64_t b)
{
	return a - b + 1 <= 2;
}
