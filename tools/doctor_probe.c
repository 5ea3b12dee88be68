/*
 * doctor_probe.c - runs the probe without and with culprit, the second in a temporary directory
 * that keeps its bundle, and takes that bundle in.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "probe.h"

/* Calls `visit` with the path of every entry of the directory but . and .. */
static void for_each_entry(const char *path, void (*visit)(const char *path, void *data),
			   void *data)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char entry_path[PATH_MAX];

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
	struct doctor *doctor = data;

	if (!doctor->bundle)
		bundle_open(path, &doctor->bundle);
	for_each_entry(path, remove_file, NULL);
	rmdir(path);
}

static json_t *probe_preloaded(const struct doctor *doctor, const char *directory)
{
	const struct probe_variable environment[] = {
		{"LD_PRELOAD", doctor->library}, {"CULPRIT_DIR", directory},
		{"CULPRIT_KEEP", "always"},      {"CULPRIT_QUIET", "1"},
		{"CULPRIT_DISABLE", "0"},        {"CULPRIT_STACKS", "on"},
		{"CULPRIT_MARKERS", "side:1"},   {NULL, NULL},
	};
	int status;

	return probe_start(environment, &status);
}

void doctor_probe(struct doctor *doctor)
{
	static const struct probe_variable disabled[] = {{"CULPRIT_DISABLE", "1"}, {NULL, NULL}};
	const char *temporary = getenv("TMPDIR");
	char directory[PATH_MAX];
	int status;

	doctor->alone = probe_start(disabled, &status);
	if (!doctor->library[0])
		return;
	snprintf(directory, sizeof(directory), "%s/culprit-doctor-XXXXXX",
		 temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(directory)) {
		doctor_find(doctor, "probe", FINDING_FAIL, "set TMPDIR to a writable directory",
			    "no temporary directory %s: %s", directory, strerror(errno));
		return;
	}
	doctor->preloaded = probe_preloaded(doctor, directory);
	for_each_entry(directory, take_bundle, doctor);
	rmdir(directory);
}
