/*
 * doctor_host.c - what can be checked without a driver: the libraries of this command, the bundle
 * directory, and variables that change how culprit or the driver works.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/settings.h"
#include "command/unknown_settings.h"
#include "doctor/examination.h"

/* An older one than the first does not load libculprit.so at all. */
static void check_c_library(struct doctor *doctor)
{
	enum { LEAST = 34, GOOD = 35 };
	const char *version = gnu_get_libc_version();
	long minor = strtol(version + strcspn(version, ".") + 1, NULL, 10);

	if (minor < GOOD)
		findings_add(&doctor->findings, "C library", FINDING_WARN,
			     "from 2.35 on the first stack from a new place takes less time",
			     "glibc %s, of which 2.%d is the least", version, LEAST);
	else
		findings_add(&doctor->findings, "C library", FINDING_OK, NULL,
			     "glibc %s, of which 2.%d is the least", version, LEAST);
}

void doctor_check_tools(struct doctor *doctor)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	check_c_library(doctor);
	findings_add(&doctor->findings, "symbols", FINDING_OK, NULL,
		     "libdw %s, debug information from %s", dwfl_version(NULL),
		     servers && *servers ? "files and DEBUGINFOD_URLS" : "files on this machine");
	findings_add(&doctor->findings, "json", FINDING_OK, NULL, "jansson %s",
		     jansson_version_str());
}

/* A job of many threads takes about this much, rings and tables together. */
static const unsigned long long wanted_bytes = 64ull << 20;

/* Where the journal lies while a process records: culprit takes half of what there is. */
static void check_memory(struct doctor *doctor)
{
	static const char advice[] =
		"what finds no room there is lost if a program is killed, not if it fails; docker "
		"run --shm-size=1g gives more";
	struct statvfs space;
	unsigned long long bytes;

	if (access(BUNDLE_MEMORY_PARENT, W_OK | X_OK) || statvfs(BUNDLE_MEMORY_PARENT, &space)) {
		findings_add(&doctor->findings, "memory", FINDING_WARN, advice, "%s: %s",
			     BUNDLE_MEMORY_PARENT, strerror(errno));
		return;
	}
	bytes = (unsigned long long)space.f_blocks * space.f_frsize / 2;
	findings_add(&doctor->findings, "memory", bytes < wanted_bytes ? FINDING_WARN : FINDING_OK,
		     bytes < wanted_bytes ? advice : NULL,
		     BUNDLE_MEMORY_PARENT
		     ": half of it, %llu MiB, for journals of programs that run",
		     bytes >> 20);
}

/* Tried, since to root everything seems to be writable. False with errno. */
static bool can_make_bundle(const char *directory)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/culprit-doctor-XXXXXX", directory) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	return mkdtemp(path) && !rmdir(path);
}

void doctor_check_directory(struct doctor *doctor)
{
	static const char advice[] =
		"use --dir or CULPRIT_DIR; without a bundle the verdict is still printed, but "
		"cannot be read again";
	struct statvfs space;
	unsigned long long free_bytes;

	check_memory(doctor);
	if (!can_make_bundle(doctor->directory) || statvfs(doctor->directory, &space)) {
		findings_add(&doctor->findings, "bundles", FINDING_WARN, advice, "%s: %s",
			     doctor->directory, strerror(errno));
		return;
	}
	free_bytes = (unsigned long long)space.f_bavail * space.f_frsize;
	findings_add(&doctor->findings, "bundles",
		     free_bytes < wanted_bytes ? FINDING_WARN : FINDING_OK,
		     free_bytes < wanted_bytes ? advice : NULL, "%s: writable, %llu MiB free",
		     doctor->directory, free_bytes >> 20);
}

static void warn_about_setting(void *data, const char *line)
{
	struct doctor *doctor = data;

	findings_add(&doctor->findings, "settings", FINDING_WARN,
		     "the default is used; see culprit help run", "%s", line);
}

static void warn_about_name(void *data, const char *line)
{
	struct doctor *doctor = data;

	findings_add(&doctor->findings, "settings", FINDING_WARN,
		     "nobody reads it; see culprit help run", "%s", line);
}

/* Variables under which culprit does less, or another tool sits in its place. */
static const struct {
	const char *name;
	const char *value; /* NULL: any */
	const char *advice;
} variables[] = {
	{"CUDA_DEVICE_MAX_CONNECTIONS", "1",
	 "with one hardware queue every marker makes all streams wait, so culprit sets few: more "
	 "launches stay suspects"},
	{"CUDA_LAUNCH_BLOCKING", "1",
	 "every launch waits for its end: not needed under culprit, and it hides faults that need "
	 "overlap"},
	{"CUDA_INJECTION64_PATH", NULL,
	 "another tool injects itself into the driver: if a run misbehaves, try without it"},
	{"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1",
	 "the driver then ends the process at a fault, or returns late and wrong errors"},
	{"LD_PRELOAD", NULL,
	 "culprit run puts libculprit.so behind these, so that each still sees every call; one "
	 "that "
	 "wraps the driver must hand its calls on"},
	{"LD_BIND_NOT", NULL, "every call is looked up anew: slow"},
};

void doctor_check_environment(struct doctor *doctor)
{
	struct settings settings;

	settings_read(&settings, warn_about_setting, doctor);
	unknown_settings_tell(warn_about_name, doctor);
	if (settings.disable)
		findings_add(&doctor->findings, "settings", FINDING_FAIL, "unset it to use culprit",
			     "CULPRIT_DISABLE is set: nothing is recorded");
	for (size_t index = 0; index < sizeof(variables) / sizeof(variables[0]); index++) {
		const char *value = getenv(variables[index].name);

		if (!value || !*value ||
		    (variables[index].value && strcmp(value, variables[index].value) != 0))
			continue;
		findings_add(&doctor->findings, "environment", FINDING_WARN,
			     variables[index].advice, "%s=%s", variables[index].name, value);
	}
}
