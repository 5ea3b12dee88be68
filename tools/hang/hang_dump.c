/*
 * hang_dump.c - trigger a GPU core dump through the driver's pipe, and move it into the bundle.
 *
 * The pipes are in a directory of this run. The shim names the dump's file by a call. If the driver
 * ignores the call for this kind of dump, the file appears beside the pipe.
 */
#include "hang/hang_dump.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle_names.h"

/* A dump takes at least 0.2 s; one of PyTorch has 20 MB. */
enum { STEP_MS = 50, FIRST_STEPS = 100, ALL_STEPS = 600, STEADY_STEPS = 6 };

static const char file_name[] = "%p.nvcudmp";

static bool has_own_settings(void)
{
	static const char *const names[] = {
		"CUDA_ENABLE_USER_TRIGGERED_COREDUMP",
		"CUDA_COREDUMP_PIPE",
		"CUDA_COREDUMP_FILE",
		"CUDA_COREDUMP_GENERATION_FLAGS",
		"CUDA_ENABLE_COREDUMP_ON_EXCEPTION",
		"CUDA_ENABLE_LIGHTWEIGHT_COREDUMP",
	};
	for (size_t index = 0; index < sizeof(names) / sizeof(names[0]); index++)
		if (getenv(names[index]))
			return true;
	return false;
}

/* Leave the GPU's memory out of the dump, which would be large, and let the process continue. */
static int set_environment(const char *directory)
{
	char pipe_path[PATH_MAX];
	(void)snprintf(pipe_path, sizeof(pipe_path), "%s/%s", directory, COREDUMP_PIPE_NAME);
	char file_path[PATH_MAX];
	(void)snprintf(file_path, sizeof(file_path), "%s/%s", directory, file_name);
	if (setenv("CUDA_ENABLE_USER_TRIGGERED_COREDUMP", "1", 1) ||
	    setenv("CUDA_COREDUMP_PIPE", pipe_path, 1) ||
	    setenv("CUDA_COREDUMP_FILE", file_path, 1) ||
	    setenv("CUDA_COREDUMP_GENERATION_FLAGS",
		   "skip_nonrelocated_elf_images,skip_global_memory,skip_shared_memory,"
		   "skip_local_memory,skip_constbank_memory,skip_abort",
		   1))
		return -errno;
	return 0;
}

int hang_dump_prepare(struct hang_dump *out)
{
	const char *parent = getenv("TMPDIR");
	*out = (struct hang_dump){""};
	if (has_own_settings())
		return 0;
	(void)snprintf(out->directory, sizeof(out->directory), "%.200s/culprit-pipes-XXXXXX",
		       parent && *parent ? parent : "/tmp");
	if (mkdtemp(out->directory))
		return set_environment(out->directory);
	out->directory[0] = '\0';
	return -errno;
}

void hang_dump_end(struct hang_dump *dump)
{
	DIR *list = *dump->directory ? opendir(dump->directory) : NULL;
	struct dirent *entry = NULL;
	while (list && (entry = readdir(list)))
		(void)unlinkat(dirfd(list), entry->d_name, 0);
	if (list)
		closedir(list);
	if (*dump->directory)
		(void)rmdir(dump->directory);
	dump->directory[0] = '\0';
}

/* Expand %p in the pattern, as the driver does. */
static void path_of(const struct hang_dump *dump, const char *pattern, long pid, char out[PATH_MAX])
{
	int prefix = (int)(strstr(pattern, "%p") - pattern);
	(void)snprintf(out, PATH_MAX, "%s/%.*s%ld%s", dump->directory, prefix, pattern, pid,
		       pattern + prefix + strlen("%p"));
}

/* Ask for a dump. Return false if the process's driver does not read the pipe. */
static bool ask(const struct hang_dump *dump, long pid)
{
	char path[PATH_MAX];
	path_of(dump, COREDUMP_PIPE_NAME, pid, path);
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	bool is_asked = write(fd, "1", 1) == 1;
	close(fd);
	return is_asked;
}

static off_t size_of(const char *path)
{
	struct stat status;
	return !lstat(path, &status) && S_ISREG(status.st_mode) ? status.st_size : 0;
}

/* Wait until the file exists and stops growing. The dump may end the process. */
static bool await_file(const char *path, const char *other, long pid)
{
	const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	off_t size = 0;
	int n_steady = 0;
	for (int i = 0; i < (size ? ALL_STEPS : FIRST_STEPS) && n_steady < STEADY_STEPS; i++) {
		off_t now = size_of(path) ? size_of(path) : size_of(other);
		n_steady = now && now == size ? n_steady + 1 : 0;
		size = now;
		if (kill((pid_t)pid, 0) && errno == ESRCH)
			return size > 0;
		(void)nanosleep(&step, NULL);
	}
	return n_steady == STEADY_STEPS;
}

/* The bundle may be on another disk, where rename() fails. */
static bool copy_file(const char *from, const char *to)
{
	FILE *in = fopen(from, "re");
	FILE *out = in ? fopen(to, "wxe") : NULL;
	bool is_whole = out;
	size_t n = 0;
	char bytes[1 << 16];
	while (out && (n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		is_whole = fwrite(bytes, 1, n, out) == n && is_whole;
	is_whole = in && !ferror(in) && is_whole;
	if (in)
		fclose(in);
	return (!out || !fclose(out)) && is_whole;
}

bool hang_dump_take(const struct hang_dump *dump, long pid, const char *bundle)
{
	char path[PATH_MAX];
	char kept[PATH_MAX];
	if (!*dump->directory ||
	    snprintf(path, sizeof(path), "%s/" BUNDLE_COREDUMP_NAME, bundle) >= PATH_MAX ||
	    snprintf(kept, sizeof(kept), "%s/" BUNDLE_HUNG_DUMP_NAME, bundle) >= PATH_MAX)
		return false;
	char other[PATH_MAX];
	path_of(dump, file_name, pid, other);
	if (!ask(dump, pid) || !await_file(path, other, pid))
		return false;
	return size_of(path) > 0 ? !rename(path, kept) : copy_file(other, kept);
}
