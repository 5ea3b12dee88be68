/*
 * bundle_directory.c - make and name the two directories of a process.
 */
#include "record/files/bundle_directory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/process_start.h"
#include "base/rank.h"
#include "record/files/directory.h"
#include "record/host/clock.h"

/* The limit of bundles with the same program, process ID and second. */
enum { MAX_SAME_NAME = 100 };

/* The second one is for a failure after the first was removed: the removal may still be running. */
static struct directory bundles[2];
static uint32_t n_made; /* atomic: number made; the last one counts */
static struct directory memory;
static char parent_path[PATH_MAX];
static char wanted_path[PATH_MAX];
static char base_name[NAME_MAX + 1];             /* without the suffix for a name that is taken */
static char memory_name[BUNDLE_MEMORY_NAME_MAX]; /* set even if none could be made */

/* Return NULL before the first one is made. */
static struct directory *bundle_directory(void)
{
	/* Pairs with the release store in bundle_directory_make(). */
	uint32_t n = __atomic_load_n(&n_made, __ATOMIC_ACQUIRE);
	return n ? &bundles[n - 1] : NULL;
}

const char *bundle_path(void)
{
	const struct directory *bundle = bundle_directory();
	return bundle ? directory_path(bundle) : "";
}

const char *bundle_wanted_path(void)
{
	const struct directory *bundle = bundle_directory();
	return bundle ? bundle->path : wanted_path;
}

const char *bundle_memory_path(void)
{
	return directory_path(&memory);
}

const char *bundle_memory_file(const char *name)
{
	return directory_file(&memory, name);
}

static void write_suffix(char *out, size_t capacity, int attempt)
{
	char at[32] = "";
	time_t now = time(NULL);
	out[0] = '\0';
	if (attempt == 0)
		return;
	struct tm broken_down;
	if (gmtime_r(&now, &broken_down))
		(void)strftime(at, sizeof(at), "-%Y%m%dT%H%M%S", &broken_down);
	if (attempt == 1)
		(void)snprintf(out, capacity, "%s", at);
	else
		(void)snprintf(out, capacity, "%s-%d", at, attempt);
}

/* Return the program's name; bytes that a shell or a terminal may interpret become _. */
static const char *plain_name(void)
{
	enum { LONGEST = 64 };
	static char name[LONGEST + 1];
	const char *program = program_invocation_short_name;
	size_t length = 0;
	for (; length < LONGEST && program[length]; length++) {
		char byte = program[length];
		bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
				(byte >= '0' && byte <= '9') || byte == '.' || byte == '_' ||
				byte == '-';
		name[length] = (char)(is_plain ? byte : '_');
	}
	name[length] = '\0';
	return name;
}

/* Write "-rank3" if the process is part of a job, else "". */
static void write_rank(char *out, size_t capacity)
{
	const char *rank = rank_here().rank;
	(void)snprintf(out, capacity, "%s%s", rank ? "-rank" : "", rank ? rank : "");
}

/* Do not use realpath(), which would access the disk. */
void bundle_directory_name(const char *parent)
{
	char rank[32];
	write_rank(rank, sizeof(rank));
	(void)snprintf(base_name, sizeof(base_name), BUNDLE_PREFIX "%s%s-%d", plain_name(), rank,
		       getpid());
	size_t length = 0;
	if (parent[0] != '/' && getcwd(parent_path, sizeof(parent_path)))
		length = strlen(parent_path);
	bool is_here = length && !strcmp(parent, ".");
	(void)snprintf(parent_path + length, sizeof(parent_path) - length, "%s%s",
		       length && !is_here ? "/" : "", is_here ? "" : parent);
	if ((size_t)snprintf(wanted_path, sizeof(wanted_path), "%s/%s", parent_path, base_name) >=
	    sizeof(wanted_path))
		wanted_path[0] = '\0';
}

static int make_directory(struct directory *bundle)
{
	int error = -EEXIST;
	char top[PATH_MAX];
	if (!realpath(parent_path, top))
		return -errno;
	for (int attempt = 0; attempt < MAX_SAME_NAME && error == -EEXIST; attempt++) {
		char suffix[48];
		write_suffix(suffix, sizeof(suffix), attempt);
		int length = snprintf(bundle->path, sizeof(bundle->path), "%s/%s%s", top, base_name,
				      suffix);
		if (length < 0 || (size_t)length >= sizeof(bundle->path) - NAME_MAX)
			return -ENAMETOOLONG;
		error = directory_make(bundle);
	}
	return error;
}

/* Do nothing if the memory is already removed. */
static void print_memory(const struct directory *bundle)
{
	int fd = directory_path(&memory)[0] ? directory_open(bundle) : -ENOENT;
	char target[sizeof(BUNDLE_MEMORY_PARENT) + sizeof(memory_name)];
	(void)snprintf(target, sizeof(target), BUNDLE_MEMORY_PARENT "/%s", memory_name);
	if (fd < 0)
		return;
	(void)symlinkat(target, fd, BUNDLE_LIVE_NAME);
	(void)close(fd);
}

int bundle_directory_make(void)
{
	uint32_t n = __atomic_load_n(&n_made, __ATOMIC_RELAXED);
	if (bundle_path()[0])
		return 0;
	if (n == sizeof(bundles) / sizeof(bundles[0]))
		return -ENOENT;
	int error = make_directory(&bundles[n]);
	if (error)
		return error;
	print_memory(&bundles[n]);
	__atomic_store_n(&n_made, n + 1, __ATOMIC_RELEASE);
	return 0;
}

int bundle_directory_open(void)
{
	const struct directory *bundle = bundle_directory();
	return bundle ? directory_open(bundle) : -ENOENT;
}

static void write_memory_name(void)
{
	struct stat numbers = {0};
	unsigned long long bits = 0;
	uint64_t start_ticks = 0; /* not known */
	(void)stat("/proc/self/ns/pid", &numbers);
	(void)process_start_read(0, &start_ticks);
	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		bits = clock_kernel_ns() ^ (uintptr_t)&bits;
	(void)snprintf(memory_name, sizeof(memory_name), BUNDLE_MEMORY_FORMAT,
		       (unsigned long)numbers.st_ino, getpid(), (unsigned long long)start_ticks,
		       bits);
}

/* mkdir follows no link, and fails if the name is taken. */
int bundle_memory_make(void)
{
	write_memory_name();
	(void)snprintf(memory.path, sizeof(memory.path), BUNDLE_MEMORY_PARENT "/%s", memory_name);
	int error = directory_make(&memory);
	if (error)
		memory.path[0] = '\0';
	return error;
}

void bundle_directory_remove(void (*unlink_files)(int directory_fd))
{
	struct directory *bundle = bundle_directory();
	if (bundle)
		directory_remove(bundle, unlink_files);
}

void bundle_memory_remove(void (*unlink_files)(int directory_fd))
{
	directory_remove(&memory, unlink_files);
}

void bundle_memory_write(const char *name, const char *bytes, size_t size)
{
	int fd = directory_open(&memory);
	if (fd < 0)
		return;
	(void)directory_write(fd, name, bytes, size);
	(void)close(fd);
}
