/*
 * bundle_directory.c - makes and names the two directories of a process.
 */
#include "record/journal/bundle_directory.h"

#include <errno.h>
#include <fcntl.h>
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
#include "base/rank.h"
#include "record/host/clock.h"
#include "record/journal/directory.h"

/* Bundles of one program, process number and second. */
enum { MAX_SAME_NAME = 100 };

/*
 * The second one is for a failure that comes after the first one was removed: that may still be
 * going on.
 */
static struct directory bundles[2];
static bool is_restored; /* atomic: the second one is the bundle */
static struct directory memory;
static char memory_name[BUNDLE_MEMORY_NAME_MAX]; /* also where none could be made */

static struct directory *bundle_directory(void)
{
	/* Pairs with the release store in bundle_directory_restore(). */
	return &bundles[__atomic_load_n(&is_restored, __ATOMIC_ACQUIRE) ? 1 : 0];
}

const char *bundle_path(void)
{
	return directory_path(bundle_directory());
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
	struct tm broken_down;
	time_t now = time(NULL);
	out[0] = '\0';
	if (attempt == 0)
		return;
	if (gmtime_r(&now, &broken_down))
		(void)strftime(at, sizeof(at), "-%Y%m%dT%H%M%S", &broken_down);
	if (attempt == 1)
		(void)snprintf(out, capacity, "%s", at);
	else
		(void)snprintf(out, capacity, "%s-%d", at, attempt);
}

/* The program's name as scripts like it: bytes that a shell or a terminal may take for more are _.
 */
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

static const char *variable(void *data, const char *name)
{
	(void)data;
	return getenv(name);
}

/* "-rank3" of a process that is one of a job, else "". */
static void write_rank(char *out, size_t capacity)
{
	const char *rank = rank_find(variable, NULL).rank;
	(void)snprintf(out, capacity, "%s%s", rank ? "-rank" : "", rank ? rank : "");
}

/* Its buffer is static since the calling thread's stack may be small. */
static int make_directory(const char *parent, struct directory *bundle)
{
	static char top[PATH_MAX];
	char rank[32];
	write_rank(rank, sizeof(rank));
	if (!realpath(parent, top))
		return -errno;
	for (int attempt = 0; attempt < MAX_SAME_NAME; attempt++) {
		char suffix[48];
		write_suffix(suffix, sizeof(suffix), attempt);
		int length = snprintf(bundle->path, sizeof(bundle->path),
				      "%s/" BUNDLE_PREFIX "%s%s-%d%s", top, plain_name(), rank,
				      getpid(), suffix);
		if (length < 0 || (size_t)length >= sizeof(bundle->path) - NAME_MAX) {
			errno = ENAMETOOLONG;
			break;
		}
		if (mkdir(bundle->path, 0700) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	int error = errno;
	bundle->path[0] = '\0';
	return -error;
}

int bundle_directory_make(const char *parent)
{
	return make_directory(parent, &bundles[0]);
}

int bundle_directory_restore(const char *parent)
{
	if (directory_path(&bundles[0])[0] || !bundles[0].path[0])
		return 0;
	int error = make_directory(parent, &bundles[1]);
	if (!error)
		__atomic_store_n(&is_restored, true, __ATOMIC_RELEASE);
	return error;
}

/*
 * When this process was started, in ticks since boot; 0 unknown. It is the 22nd word of its line,
 * and the 20th behind the name, which may hold anything.
 */
static unsigned long long start_ticks(void)
{
	char line[1024];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		(void)close(fd);
	if (size <= 0)
		return 0;
	line[size] = '\0';
	const char *at = strrchr(line, ')');
	for (int word = 0; at && word < 20; word++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static void write_memory_name(void)
{
	struct stat numbers = {0};
	unsigned long long bits = 0;
	(void)stat("/proc/self/ns/pid", &numbers);
	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		bits = clock_kernel_ns() ^ (uintptr_t)&bits;
	(void)snprintf(memory_name, sizeof(memory_name), BUNDLE_MEMORY_FORMAT,
		       (unsigned long)numbers.st_ino, getpid(), start_ticks(), bits);
}

/* mkdir follows no link, and what has the name already is not taken. */
int bundle_memory_make(void)
{
	write_memory_name();
	(void)snprintf(memory.path, sizeof(memory.path), BUNDLE_MEMORY_PARENT "/%s", memory_name);
	if (mkdir(memory.path, 0700) == 0)
		return 0;
	int error = errno;
	memory.path[0] = '\0';
	return -error;
}

void bundle_directory_tell_memory(void)
{
	char target[sizeof(BUNDLE_MEMORY_PARENT) + sizeof(memory_name)];
	const char *link = directory_file(&bundles[0], BUNDLE_LIVE_NAME);
	(void)snprintf(target, sizeof(target), BUNDLE_MEMORY_PARENT "/%s", memory_name);
	if (link)
		(void)symlink(target, link);
}

void bundle_directory_remove(void (*unlink_files)(const char *path))
{
	directory_remove(bundle_directory(), unlink_files);
}

void bundle_memory_remove(void (*unlink_files)(const char *path))
{
	directory_remove(&memory, unlink_files);
}

int bundle_write_file(const char *name, const char *bytes, size_t size)
{
	(void)directory_write(&memory, name, bytes, size);
	return directory_write(bundle_directory(), name, bytes, size);
}
