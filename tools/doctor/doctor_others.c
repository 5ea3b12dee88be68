/*
 * doctor_others.c - find other programs called `culprit`: in PATH, and as a Python distribution of
 * another project, which brings a command of this name.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/preload.h"
#include "doctor/examination.h"
#include "doctor/probe.h"

enum { MAX_SCRIPT = 4096 };

/*
 * Print the version and the folder of an installed distribution called culprit, if there is one.
 * Scripts write all in one piece: the pipe is closed after the JSON (PYTHONUNBUFFERED splits
 * lines).
 */
static const char script[] = "import json\n"
			     "try:\n"
			     "    from importlib.metadata import distribution\n"
			     "    found = distribution('culprit')\n"
			     "    print(json.dumps({'version': found.version, 'folder': "
			     "str(found.locate_file(''))}), end='')\n"
			     "except ImportError:\n"
			     "    print('{}', end='')\n";

static bool names_package(const char *path)
{
	char start[MAX_SCRIPT];
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(start, 1, sizeof(start), file) : 0;
	if (file)
		(void)fclose(file);
	return memmem(start, length, "culprit_cuda", strlen("culprit_cuda"));
}

/* True if the path without its last two components is a folder that `own` is in. */
static bool shares_prefix(const char *path, const char *own)
{
	size_t length = strlen(path);
	for (int component = 0; component < 2; component++)
		while (length && path[--length] != '/')
			;
	return !strncmp(own, path, length + 1);
}

/*
 * True for this executable, and for the script by which the wheel starts it: PREFIX/bin/culprit
 * imports the package, whose executable is below PREFIX/lib.
 */
static bool is_own(const char *path, const char *own)
{
	return !strcmp(path, own) || (shares_prefix(path, own) && names_package(path));
}

/* Resolve the file `culprit` of a directory in PATH. Return false if there is no such program. */
static bool resolve(const char *directory, size_t length, char *out)
{
	char path[PATH_MAX];
	struct stat file;
	int size =
		snprintf(path, sizeof(path), "%.*s/culprit", (int)length, length ? directory : ".");
	return size < (int)sizeof(path) && realpath(path, out) && !stat(out, &file) &&
	       S_ISREG(file.st_mode) && !access(out, X_OK);
}

/* Programs called `culprit`; "" if none was found. */
struct commands {
	char first[PATH_MAX];
	char other[PATH_MAX]; /* first one of another program */
};

static void search_path(struct commands *commands)
{
	const char *list = getenv("PATH");
	while (list && *list) {
		size_t length = strcspn(list, ":");
		char found[PATH_MAX];
		if (resolve(list, length, found)) {
			if (!*commands->first)
				(void)snprintf(commands->first, PATH_MAX, "%s", found);
			if (!*commands->other && !is_own(found, preload_own_path()))
				(void)snprintf(commands->other, PATH_MAX, "%s", found);
		}
		list += length + (list[length] == ':');
	}
}

static void check_command(struct doctor *doctor)
{
	static const char advice[] =
		"put this one's directory first in PATH, or start it by its path (the wheel's "
		"also by python -m culprit_cuda)";
	struct commands commands = {0};
	search_path(&commands);
	if (!*commands.first)
		return;
	if (!strcmp(commands.first, commands.other))
		findings_add(&doctor->findings, "command", FINDING_WARN, advice,
			     "`culprit` is another program here, %s; this one is %s",
			     commands.other, preload_own_path());
	else if (*commands.other)
		findings_add(&doctor->findings, "command", FINDING_OK, NULL,
			     "%s; another program of this name, %s, is later in PATH",
			     commands.first, commands.other);
	else
		findings_add(&doctor->findings, "command", FINDING_OK, NULL, "%s", commands.first);
}

static void check_distribution(struct doctor *doctor)
{
	static const struct probe_variable disabled[] = {{"CULPRIT_DISABLE", "1"}, {NULL, NULL}};
	const char *const command[] = {doctor->python, "-c", script, NULL};
	int status = 0;
	json_t *found = probe_start(command, disabled, &status);
	const char *version = json_string_value(json_object_get(found, "version"));
	const char *folder = json_string_value(json_object_get(found, "folder"));
	if (folder)
		findings_add(&doctor->findings, "command", FINDING_WARN,
			     "this project's distribution is culprit-cuda: uninstall culprit, then "
			     "reinstall culprit-cuda; or start culprit by python -m culprit_cuda",
			     "the Python distribution culprit %s of another project is in %s, and "
			     "may have replaced the command",
			     version ? version : "?", folder);
	json_decref(found);
}

void doctor_check_others(struct doctor *doctor)
{
	check_command(doctor);
	check_distribution(doctor);
}
