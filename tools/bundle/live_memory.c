/*
 * live_memory.c - finds the memory of a bundle, and checks whether its process is alive. Bundles
 * are untrusted input: a bundle can name only a directory in one place, by a name without a slash.
 */
#include "bundle/live_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/process_start.h"
#include "command/monotonic.h"
#include "files/input.h"

struct owner {
	unsigned long number_space;
	int pid;
	unsigned long long start_ticks;
};

/* True if the library makes such names. Stores the parts of the name. */
static bool read_name(const char *name, struct owner *out)
{
	unsigned long long random_bits = 0;
	/* The comparison below catches numbers that overflow. NOLINTNEXTLINE(cert-err34-c) */
	if (sscanf(name, BUNDLE_MEMORY_FORMAT, &out->number_space, &out->pid, &out->start_ticks,
		   &random_bits) != 4)
		return false;
	char made[BUNDLE_MEMORY_NAME_MAX];
	snprintf(made, sizeof(made), BUNDLE_MEMORY_FORMAT, out->number_space, out->pid,
		 out->start_ticks, random_bits);
	return !strncmp(made, name, strlen(made)) &&
	       (!name[strlen(made)] || !strcmp(name + strlen(made), BUNDLE_REMOVED_SUFFIX));
}

int live_memory_name(int bundle_fd, char out_name[BUNDLE_MEMORY_NAME_MAX])
{
	static const char parent[] = BUNDLE_MEMORY_PARENT "/";
	char target[sizeof(parent) + BUNDLE_MEMORY_NAME_MAX];
	ssize_t length = readlinkat(bundle_fd, BUNDLE_LIVE_NAME, target, sizeof(target) - 1);
	if (length < 0)
		return -ENOENT;
	target[length] = '\0';
	struct owner owner;
	if (strncmp(target, parent, strlen(parent)) != 0 ||
	    strlen(target + strlen(parent)) >= BUNDLE_MEMORY_NAME_MAX ||
	    !read_name(target + strlen(parent), &owner))
		return -ENOENT;
	memcpy(out_name, target + strlen(parent), strlen(target + strlen(parent)) + 1);
	return 0;
}

int live_memory_open(const char *name, unsigned uid)
{
	char path[sizeof(BUNDLE_MEMORY_PARENT) + BUNDLE_MEMORY_NAME_MAX];
	snprintf(path, sizeof(path), BUNDLE_MEMORY_PARENT "/%s", name);
	int fd = input_open_directory(path);
	if (fd < 0)
		return fd;
	struct stat status;
	if (!fstat(fd, &status) && status.st_uid == uid)
		return fd;
	close(fd);
	return -EPERM;
}

static bool counts_as_we_do(const struct owner *owner)
{
	struct stat numbers;
	return !stat("/proc/self/ns/pid", &numbers) && numbers.st_ino == owner->number_space;
}

bool live_memory_is_of(const char *name, int pid)
{
	struct owner owner;
	return read_name(name, &owner) && owner.pid == pid && counts_as_we_do(&owner);
}

bool live_memory_is_left(const char *name)
{
	struct owner owner;
	if (!read_name(name, &owner) || !counts_as_we_do(&owner))
		return false;
	uint64_t ticks = 0;
	int error = process_start_read(owner.pid, &ticks);
	if (error)
		return error == -ENOENT;
	/* If a process did not know its start time, assume that it is alive. */
	return owner.start_ticks && !process_start_is_same(ticks, owner.start_ticks);
}

/* Read a small file of /proc as a string; "" if that fails. */
static void read_text(int pid, const char *name, char *out, size_t size)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
	out[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* True if the line of signals has SIGKILL. */
static bool has_kill(const char *status, const char *label)
{
	const char *line = strstr(status, label);
	return line && strtoull(line + strlen(label), NULL, 16) & 1ull << (SIGKILL - 1);
}

/* True if it runs no code of its own any more: SIGKILL has reached it, or it is exiting. */
static bool is_dying(int pid)
{
	enum {
		PF_EXITING = 4,
		FLAGS_WORD = 7
	}; /* the seventh word after the name, from the state */
	char text[4096];
	read_text(pid, "stat", text, sizeof(text));
	const char *at = strrchr(text, ')');
	for (int word = 0; at && word < FLAGS_WORD; word++)
		at = strchr(at + 1, ' ');
	if (at && strtoull(at, NULL, 10) & PF_EXITING)
		return true;
	read_text(pid, "status", text, sizeof(text));
	return has_kill(text, "\nSigPnd:") || has_kill(text, "\nShdPnd:");
}

static void await_exit(int pid, uint64_t until_ns)
{
	uint64_t now_ns = monotonic_ns();
	int fd = now_ns < until_ns ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (fd < 0)
		return;
	struct pollfd exited = {.fd = fd, .events = POLLIN};
	(void)poll(&exited, 1, (int)((until_ns - now_ns) / NS_PER_MS) + 1);
	close(fd);
}

bool live_memory_await_left(const char *name, uint64_t until_ns)
{
	struct owner owner;
	if (live_memory_is_left(name))
		return true;
	if (!read_name(name, &owner) || !counts_as_we_do(&owner) || !is_dying(owner.pid))
		return false;
	await_exit(owner.pid, until_ns);
	return live_memory_is_left(name);
}

bool live_memory_any_is_left(void)
{
	DIR *parent = opendir(BUNDLE_MEMORY_PARENT);
	bool is_left = false;
	struct dirent *entry = NULL;
	while (parent && !is_left && (entry = readdir(parent)))
		is_left = live_memory_is_left(entry->d_name);
	if (parent)
		closedir(parent);
	return is_left;
}

/* True if the entry is the memory of this process and the process still runs. */
static bool is_memory_of(const char *name, int pid)
{
	struct owner owner;
	if (!read_name(name, &owner) || owner.pid != pid || live_memory_is_left(name))
		return false;
	int fd = live_memory_open(name, geteuid());
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

char *live_memory_of(int pid)
{
	DIR *parent = opendir(BUNDLE_MEMORY_PARENT);
	char *path = NULL;
	struct dirent *entry = NULL;
	while (parent && !path && (entry = readdir(parent)))
		if (is_memory_of(entry->d_name, pid) &&
		    asprintf(&path, BUNDLE_MEMORY_PARENT "/%s", entry->d_name) < 0)
			path = NULL;
	if (parent)
		closedir(parent);
	return path;
}
