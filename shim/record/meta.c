/*
 * meta.c - describes the process as JSON. Only writes; the tools read it with a library.
 */
#include "meta.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bundle.h"
#include "bundle_names.h"
#include "coredumps.h"
#include "driver.h"
#include "python.h"
#include "stack.h"
#include "text.h"

enum { META_SIZE = 64 * 1024, COMMAND_SIZE = 8 * 1024, MAX_DEVICES = 64 };

/* Static: written once, and too big for a host thread's stack. */
static char buffer[META_SIZE];
static char command[COMMAND_SIZE];
static char setting[SETTINGS_PATH_MAX];
static char directory[PATH_MAX]; /* "": it has none, or a longer name */

/* Bytes as a JSON string. What is not UTF-8 is replaced by text_add_foreign. */
static void add_string(struct text *text, const char *bytes, size_t size)
{
	text_add(text, "\"");
	size_t start = 0;
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != '"' && bytes[i] != '\\')
			continue;
		text_add_foreign(text, bytes + start, i - start);
		text_addf(text, "\\%c", bytes[i]);
		start = i + 1;
	}
	text_add_foreign(text, bytes + start, size - start);
	text_add(text, "\"");
}

static void add_member(struct text *text, const char *name, const char *value)
{
	text_addf(text, ",\n \"%s\": ", name);
	add_string(text, value, strlen(value));
}

static size_t read_command(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t size = read(fd, command, sizeof(command) - 1);
	(void)close(fd);
	return size > 0 ? (size_t)size : 0;
}

static void add_command(struct text *text)
{
	size_t size = read_command();
	text_add(text, ",\n \"command\": [");
	for (size_t at = 0; at < size;) {
		size_t length = strnlen(command + at, size - at);
		text_add(text, at ? ", " : "");
		add_string(text, command + at, length);
		at += length + 1;
	}
	text_add(text, "]");
}

static void add_devices(struct text *text)
{
	int n = 0;
	if (real.cuDeviceGetCount(&n) != CUDA_SUCCESS || n > MAX_DEVICES)
		n = 0;
	text_add(text, ",\n \"devices\": [");
	for (int i = 0; i < n; i++) {
		CUdevice device;
		char name[128] = "";
		if (real.cuDeviceGet(&device, i) == CUDA_SUCCESS)
			(void)real.cuDeviceGetName(name, sizeof(name) - 1, device);
		text_add(text, i ? ", " : "");
		add_string(text, name, strlen(name));
	}
	text_add(text, "]");
}

static void add_settings(struct text *text, const struct settings *settings)
{
	text_add(text, ",\n \"settings\": {");
	for (int i = 0; i < N_SETTINGS; i++) {
		(void)settings_text(settings, (enum setting)i, setting, sizeof(setting));
		text_addf(text, "%s\"%s\": ", i ? ", " : "", setting_facts[i].environment);
		add_string(text, setting, strlen(setting));
	}
	text_add(text, "}");
}

static void add_time(struct text *text)
{
	time_t now = time(NULL);
	struct tm broken_down;
	char formatted[32] = "";
	if (gmtime_r(&now, &broken_down))
		(void)strftime(formatted, sizeof(formatted), "%Y-%m-%dT%H:%M:%SZ", &broken_down);
	add_member(text, "start_time", formatted);
}

static void add_host(struct text *text)
{
	char name[256] = "";
	(void)gethostname(name, sizeof(name) - 1);
	add_member(text, "hostname", name);
}

const char *meta_directory(void)
{
	return directory[0] ? directory : NULL;
}

void meta_write(const struct settings *settings)
{
	if (!getcwd(directory, sizeof(directory)))
		directory[0] = '\0';
	struct text text = text_in(buffer, sizeof(buffer));
	text_addf(&text, "{\n \"culprit\": \"%s\",\n \"format\": %d", CULPRIT_VERSION,
		  BUNDLE_FORMAT);
	add_member(&text, "program", program_invocation_short_name);
	add_command(&text);
	add_member(&text, "directory", directory);
	text_addf(&text, ",\n \"pid\": %d", getpid());
	add_member(&text, "run", settings->run);
	add_time(&text);
	add_host(&text);
	text_addf(&text, ",\n \"driver_version\": %d", driver_version());
	add_devices(&text);
	add_settings(&text, settings);
	add_member(&text, "stack_source", stack_source_name());
	add_member(&text, "python", python_status());
	add_member(&text, "coredumps", coredumps_status());
	text_add(&text, "\n}\n");
	if (!text.cut)
		(void)bundle_write_file(BUNDLE_META_NAME, buffer, (size_t)(text.at - buffer));
}
