/*
 * doctor_host.c - what can be checked without a driver: the libraries of this command, the bundle
 * directory, and variables that change how culprit or the driver works.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor.h"
#include "settings.h"

void doctor_check_tools(struct doctor *doctor)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	doctor_find(doctor, "symbols", FINDING_OK, NULL, "libdw %s, debug information from %s",
		    dwfl_version(NULL),
		    servers && *servers ? "files and DEBUGINFOD_URLS" : "files on this machine");
	doctor_find(doctor, "json", FINDING_OK, NULL, "jansson %s", jansson_version_str());
}

/* A job of many threads takes about this much, rings and tables together. */
static const unsigned long long wanted_bytes = 64ull << 20;

void doctor_check_directory(struct doctor *doctor)
{
	static const char advice[] =
		"use --dir or CULPRIT_DIR; without a bundle the verdict is still printed, but "
		"cannot be read again";
	struct statvfs space;
	unsigned long long free_bytes;

	if (access(doctor->directory, W_OK | X_OK) || statvfs(doctor->directory, &space)) {
		doctor_find(doctor, "bundles", FINDING_WARN, advice, "%s: %s", doctor->directory,
			    strerror(errno));
		return;
	}
	free_bytes = (unsigned long long)space.f_bavail * space.f_frsize;
	doctor_find(doctor, "bundles", free_bytes < wanted_bytes ? FINDING_WARN : FINDING_OK,
		    free_bytes < wanted_bytes ? advice : NULL, "%s: writable, %llu MiB free",
		    doctor->directory, free_bytes >> 20);
}

static void warn_about_setting(void *data, const char *line)
{
	doctor_find(data, "settings", FINDING_WARN, "the default is used; see culprit help run",
		    "%s", line);
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
	 "culprit run puts libculprit.so in front of these; another one that wraps the driver may "
	 "still come between"},
	{"LD_BIND_NOT", NULL, "every call is looked up anew: slow"},
};

void doctor_check_environment(struct doctor *doctor)
{
	struct settings settings;

	settings_read(&settings, warn_about_setting, doctor);
	if (settings.disable)
		doctor_find(doctor, "settings", FINDING_WARN, "unset it to use culprit",
			    "CULPRIT_DISABLE is set");
	for (size_t index = 0; index < sizeof(variables) / sizeof(variables[0]); index++) {
		const char *value = getenv(variables[index].name);

		if (!value || !*value ||
		    (variables[index].value && strcmp(value, variables[index].value) != 0))
			continue;
		doctor_find(doctor, "environment", FINDING_WARN, variables[index].advice, "%s=%s",
			    variables[index].name, value);
	}
}
