/*
 * doctor_host.c - checks that need no driver: the libraries of this command, the bundle directory,
 * and environment variables that affect culprit or the driver.
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

/* An older C library than this command was built for cannot start it. */
static void check_c_library(struct doctor *doctor)
{
	enum { GOOD = 35 };
	const char *version = gnu_get_libc_version();
	long minor = strtol(version + strcspn(version, ".") + 1, NULL, 10);
	if (minor < GOOD)
		findings_add(&doctor->findings, "C library", FINDING_WARN,
			     "2.35 and later make the first stack of each call site faster",
			     "glibc %s", version);
	else
		findings_add(&doctor->findings, "C library", FINDING_OK, NULL, "glibc %s", version);
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

/* A job of many threads needs about this much for its rings and tables. */
static const unsigned long long wanted_bytes = 64ull << 20;

/* Check the memory file system that holds the journal of a running process. */
static void check_memory(struct doctor *doctor)
{
	static const char advice[] =
		"records that do not fit are lost if the program is killed, but not if it fails; "
		"use docker run --shm-size=1g";
	struct statvfs space;
	if (access(BUNDLE_MEMORY_PARENT, W_OK | X_OK) || statvfs(BUNDLE_MEMORY_PARENT, &space)) {
		findings_add(&doctor->findings, "memory", FINDING_WARN, advice, "%s: %s",
			     BUNDLE_MEMORY_PARENT, strerror(errno));
		return;
	}
	unsigned long long bytes = (unsigned long long)space.f_blocks * space.f_frsize / 2;
	findings_add(&doctor->findings, "memory", bytes < wanted_bytes ? FINDING_WARN : FINDING_OK,
		     bytes < wanted_bytes ? advice : NULL,
		     BUNDLE_MEMORY_PARENT
		     ": half of it, %llu MiB, is available for journals of running programs",
		     bytes >> 20);
}

/* Try it, because to root every directory looks writable. Return false with errno set. */
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
		"use --dir or CULPRIT_DIR; without a bundle, the verdict is printed but cannot be "
		"read again later";
	check_memory(doctor);
	struct statvfs space;
	if (!can_make_bundle(doctor->directory) || statvfs(doctor->directory, &space)) {
		findings_add(&doctor->findings, "bundles", FINDING_WARN, advice, "%s: %s",
			     doctor->directory, strerror(errno));
		return;
	}
	unsigned long long free_bytes = (unsigned long long)space.f_bavail * space.f_frsize;
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
		     "it has no effect; see culprit help run", "%s", line);
}

/* Variables that limit culprit or load another tool. */
static const struct {
	const char *name;
	const char *value; /* NULL: any */
	const char *advice;
} variables[] = {
	{"CUDA_DEVICE_MAX_CONNECTIONS", "1",
	 "with one hardware queue, every marker blocks all streams; culprit sets few markers, so "
	 "more launches remain suspects"},
	{"CUDA_LAUNCH_BLOCKING", "1",
	 "every launch waits until it is finished; culprit does not need this, and it hides faults "
	 "that need overlap"},
	{"CUDA_INJECTION64_PATH", NULL,
	 "another tool injects itself into the driver; if a run misbehaves, unset it"},
	{"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1",
	 "at a fault, the driver ends the process or returns wrong errors late"},
	{"LD_PRELOAD", NULL,
	 "culprit run puts libculprit.so after these, so that each still sees every call; a "
	 "library that wraps the driver must pass its calls on"},
	{"LD_BIND_NOT", NULL, "the loader looks up every call again, which is slow"},
};

void doctor_check_environment(struct doctor *doctor)
{
	struct settings settings;
	settings_read(&settings, warn_about_setting, doctor);
	unknown_settings_report(warn_about_name, doctor);
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
