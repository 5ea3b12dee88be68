/*
 * doctor_probe.c - run the probe without and with culprit, and a Python script with it.
 *
 * The two runs with culprit leave their bundles in a temporary directory, which is removed once
 * they are read.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path_pattern.h"
#include "doctor/examination.h"
#include "doctor/probe.h"

/* Call `visit` with the path of every entry of the directory except . and .. */
static void for_each_entry(const char *path, void (*visit)(const char *path, void *data),
			   void *data)
{
	DIR *directory = opendir(path);
	char entry_path[PATH_MAX];
	struct dirent *entry = NULL;
	while (directory && (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(entry_path, sizeof(entry_path), "%s/%s", path, entry->d_name);
		visit(entry_path, data);
	}
	if (directory)
		closedir(directory);
}

static void remove_file(const char *path, void *data)
{
	(void)data;
	unlink(path);
}

static void take_bundle(const char *path, void *data)
{
	struct bundle **bundle = data;
	if (!*bundle)
		bundle_open(path, bundle);
	for_each_entry(path, remove_file, NULL);
	rmdir(path);
}

/* Run the command (NULL: the probe) under culprit; `directory` is empty before and after. */
static json_t *probe_preloaded(const struct doctor *doctor, const char *const *command,
			       const char *directory, struct bundle **out_bundle)
{
	char pattern[2 * PATH_MAX]; /* each byte may be a percent sign */
	const struct probe_variable environment[] = {
		{"LD_PRELOAD", doctor->library},
		{"CULPRIT_DIR", pattern},
		{"CULPRIT_KEEP", "always"},
		{"CULPRIT_QUIET", "1"},
		{"CULPRIT_DISABLE", "0"},
		{"CULPRIT_STACKS", "on"},
		{"CULPRIT_PYTHON", "on"},
		{"CULPRIT_MARKERS", "side:1"},
		{NULL, NULL},
	};
	path_pattern_of(directory, pattern, sizeof(pattern));
	int status = 0;
	json_t *findings = probe_start(command, environment, &status);
	for_each_entry(directory, take_bundle, out_bundle);
	return findings;
}

void doctor_probe(struct doctor *doctor)
{
	static const struct probe_variable disabled[] = {{"CULPRIT_DISABLE", "1"}, {NULL, NULL}};
	const char *const python[] = {doctor->python, "-c", doctor_python_script, NULL};
	const char *temporary = getenv("TMPDIR");
	int status = 0;
	doctor->alone = probe_start(NULL, disabled, &status);
	if (!doctor->library[0])
		return;
	char directory[PATH_MAX];
	snprintf(directory, sizeof(directory), "%s/culprit-doctor-XXXXXX",
		 temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(directory)) {
		findings_add(&doctor->findings, "probe", FINDING_FAIL,
			     "set TMPDIR to a writable directory", "no temporary directory %s: %s",
			     directory, strerror(errno));
		return;
	}
	doctor->preloaded = probe_preloaded(doctor, NULL, directory, &doctor->bundle);
	doctor->python_probe = probe_preloaded(doctor, python, directory, &doctor->python_bundle);
	rmdir(directory);
}
