/*
 * target.c - find a process's journal in memory. If it has none, /proc shows why.
 */
#include "status/target.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "command/message.h"
#include "files/input.h"

bool target_is_number(const char *operand)
{
	return *operand && !operand[strspn(operand, "0123456789")] && access(operand, F_OK);
}

/* Find the name of the process's journal in memory, preferring a live one. False if not found. */
static bool find_memory(int pid, char out_name[BUNDLE_MEMORY_NAME_MAX], bool *out_is_alive)
{
	DIR *list = opendir(BUNDLE_MEMORY_PARENT);
	bool is_found = false;
	*out_is_alive = false;
	struct dirent *entry = NULL;
	while (list && !*out_is_alive && (entry = readdir(list))) {
		if (strlen(entry->d_name) >= BUNDLE_MEMORY_NAME_MAX ||
		    !live_memory_is_of(entry->d_name, pid))
			continue;
		memcpy(out_name, entry->d_name, strlen(entry->d_name) + 1);
		*out_is_alive = !live_memory_is_left(out_name);
		is_found = true;
	}
	if (list)
		closedir(list);
	return is_found;
}

static bool has_library(int pid)
{
	bool is_there = false;
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	FILE *maps = fopen(path, "re");
	char line[PATH_MAX + 128];
	while (maps && !is_there && fgets(line, sizeof(line), maps))
		is_there = strstr(line, "/libculprit.so");
	if (maps)
		fclose(maps);
	return is_there;
}

static enum exit_status report_not_seen(int pid)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%d", pid);
	struct stat status;
	if (stat(path, &status))
		message("process %d: no such process; if it has exited, use culprit report BUNDLE",
			pid);
	else if (status.st_uid != geteuid())
		message("process %d belongs to another user", pid);
	else if (has_library(pid))
		message("process %d has not used the GPU yet, or is not recording", pid);
	else
		message("process %d was started without culprit", pid);
	return EXIT_STATUS_NOT_SEEN;
}

/* Return the bundle's path if bundle and journal name each other; else the journal's path. */
static char *path_of(const char *name, int memory_fd)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(memory_fd, &reason);
	const char *bundle = bundle_meta_text(meta, "bundle");
	int fd = *bundle == '/' ? input_open_directory(bundle) : -1;
	char *path = NULL;
	char named[BUNDLE_MEMORY_NAME_MAX];
	if (fd >= 0 && !live_memory_name(fd, named) && !strcmp(named, name))
		path = strdup(bundle);
	else if (asprintf(&path, BUNDLE_MEMORY_PARENT "/%s", name) < 0)
		path = NULL;
	if (fd >= 0)
		close(fd);
	json_decref(meta);
	return path;
}

int target_of_memory(const char *name, struct target *out)
{
	int fd = live_memory_open(name, geteuid());
	*out = (struct target){.memory_fd = fd, .is_alive = true};
	if (fd < 0)
		return fd;
	out->path = path_of(name, fd);
	if (out->path)
		return 0;
	target_close(out);
	return -ENOMEM;
}

enum exit_status target_of_process(const char *number, struct target *out)
{
	long pid = strtol(number, NULL, 10);
	*out = (struct target){.memory_fd = -1};
	if (pid <= 0 || pid > INT_MAX) {
		message("'%s': not a process ID", number);
		return EXIT_STATUS_USAGE;
	}
	char name[BUNDLE_MEMORY_NAME_MAX];
	bool is_alive = false;
	if (!find_memory((int)pid, name, &is_alive))
		return report_not_seen((int)pid);
	int error = target_of_memory(name, out);
	out->is_alive = is_alive && !error;
	if (!error)
		return EXIT_STATUS_OK;
	if (error == -EPERM)
		message("process %ld belongs to another user", pid);
	else if (error == -ENOMEM)
		message("%s", strerror(ENOMEM));
	else
		return report_not_seen((int)pid); /* it has just exited */
	return error == -EPERM ? EXIT_STATUS_NOT_SEEN : EXIT_STATUS_SYSTEM;
}

enum exit_status target_of_bundle(const char *path, struct target *out)
{
	int fd = input_open_directory(path);
	*out = (struct target){.memory_fd = -1, .path = strdup(path)};
	char name[BUNDLE_MEMORY_NAME_MAX];
	if (fd >= 0 && !live_memory_name(fd, name)) {
		/* Only our own journal can be asked for a snapshot; others can only be read. */
		out->memory_fd = live_memory_open(name, geteuid());
		out->is_alive = out->memory_fd >= 0 && !live_memory_is_left(name);
	}
	if (fd >= 0)
		close(fd);
	if (out->path)
		return EXIT_STATUS_OK;
	target_close(out);
	message("%s", strerror(ENOMEM));
	return EXIT_STATUS_SYSTEM;
}

void target_close(struct target *target)
{
	if (target->memory_fd >= 0)
		close(target->memory_fd);
	free(target->path);
	*target = (struct target){.memory_fd = -1};
}
