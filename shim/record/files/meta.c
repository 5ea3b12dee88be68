/*
 * meta.c - write the description of the process as JSON. The tools read it with a library.
 */
#include "record/files/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/rank.h"
#include "base/text.h"
#include "base/time_units.h"
#include "record/driver/driver.h"
#include "record/files/bundle_directory.h"
#include "record/files/directory.h"
#include "record/host/clock.h"

enum { META_SIZE = 128 * 1024, COMMAND_SIZE = 8 * 1024, FILES_SIZE = 64 * 1024, MAX_DEVICES = 64 };

static const char *const fact_names[N_META_FACTS] = {
	[META_STACK_SOURCE] = "stack_source", [META_PYTHON] = "python",
	[META_COREDUMPS] = "coredumps",       [META_MEMORY] = "memory",
	[META_PROGRESS] = "progress",         [META_FAULT] = "fault",
};

/* Guards all below; the innermost lock. Static: too big for a host thread's stack. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *facts[N_META_FACTS] = {"off", "off", "off", "off", "off", "off"};
static char buffer[META_SIZE];
static size_t n_fixed; /* leading bytes that are never written again; 0 if the file is not open */
static size_t n_whole; /* size of the text as last written */
static bool has_files; /* files and files_error are set */
static char files[FILES_SIZE];
static int files_error;
static char command[COMMAND_SIZE];
static char setting[SETTINGS_PATH_MAX];
static char directory[PATH_MAX]; /* "" if there is none or its name is longer */
static char own_rank[16];        /* "" if the process is not part of a job */

/* Add bytes as a JSON string. text_add_foreign() replaces what is not UTF-8. */
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

/* Add the whole command, or only the program. */
static void add_command(struct text *text, bool has_arguments)
{
	size_t size = read_command();
	if (!has_arguments)
		size = strnlen(command, size);
	text_add(text, ",\n \"command\": [");
	for (size_t at = 0; at < size;) {
		size_t length = strnlen(command + at, size - at);
		text_add(text, at ? ", " : "");
		add_string(text, command + at, length);
		at += length + 1;
	}
	text_add(text, "]");
}

static void add_name(struct text *text, CUdevice device)
{
	char name[128] = "";
	(void)real.cuDeviceGetName(name, sizeof(name) - 1, device);
	add_string(text, name, strlen(name));
}

/*
 * Add the UUID as hexadecimal digits in NVML's groups, "" if it is not known. The first version of
 * the call, for old drivers, names a whole GPU even if the device is a part of it.
 */
static void add_uuid(struct text *text, CUdevice device)
{
	CUuuid uuid = {{0}};
	bool is_known = real.cuDeviceGetUuid_v2(&uuid, device) == CUDA_SUCCESS ||
			real.cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS;
	text_add(text, "\"");
	for (unsigned i = 0; is_known && i < sizeof(uuid.bytes); i++)
		text_addf(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			  (unsigned char)uuid.bytes[i]);
	text_add(text, "\"");
}

/* Add a list with an entry for each device, by ordinal. */
static void add_devices(struct text *text, const char *member,
			void (*add)(struct text *text, CUdevice device))
{
	int n = 0;
	if (real.cuDeviceGetCount(&n) != CUDA_SUCCESS || n > MAX_DEVICES)
		n = 0;
	text_addf(text, ",\n \"%s\": [", member);
	for (int i = 0; i < n; i++) {
		CUdevice device = 0;
		text_add(text, i ? ", " : "");
		if (real.cuDeviceGet(&device, i) == CUDA_SUCCESS)
			add(text, device);
		else
			text_add(text, "\"\"");
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

/* Add one moment by two clocks: the journal's times use the second clock. */
static void add_time(struct text *text)
{
	struct timespec now = {0};
	char formatted[32] = "";
	(void)clock_gettime(CLOCK_REALTIME, &now);
	uint64_t monotonic_ns = clock_ns();
	struct tm broken_down;
	if (gmtime_r(&now.tv_sec, &broken_down))
		(void)strftime(formatted, sizeof(formatted), "%Y-%m-%dT%H:%M:%SZ", &broken_down);
	add_member(text, "start_time", formatted);
	text_addf(text, ",\n \"realtime_ns\": %" PRId64 ",\n \"monotonic_ns\": %" PRIu64,
		  (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec, monotonic_ns);
}

static void add_parent(struct text *text)
{
	char path[32];
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", getppid());
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char name[32];
	ssize_t size = fd < 0 ? 0 : read(fd, name, sizeof(name) - 1);
	if (fd >= 0)
		(void)close(fd);
	name[size > 0 ? size : 0] = '\0';
	text_addf(text, ",\n \"parent_pid\": %d,\n \"parent\": ", getppid());
	add_string(text, name, strcspn(name, "\n"));
}

static void add_ranks(struct text *text)
{
	const char *rank = rank_here().rank;
	bool is_first = true;
	(void)snprintf(own_rank, sizeof(own_rank), "%s", rank ? rank : "");
	text_add(text, ",\n \"ranks\": {");
	for (int i = 0; i < N_RANK_VARIABLES; i++) {
		enum { VALUE_MAX = 128 };
		const char *value = getenv(rank_variables[i]);
		if (!value)
			continue;
		text_addf(text, "%s\"%s\": ", is_first ? "" : ", ", rank_variables[i]);
		add_string(text, value, strnlen(value, VALUE_MAX));
		is_first = false;
	}
	text_add(text, "}");
}

static void add_host(struct text *text)
{
	char name[256] = "";
	(void)gethostname(name, sizeof(name) - 1);
	add_member(text, "hostname", name);
}

const char *meta_rank(void)
{
	return own_rank;
}

const char *meta_directory(void)
{
	return directory[0] ? directory : NULL;
}

/* Add what does not change: the program may change its directory later, and the time moves on. */
static void add_fixed(struct text *text, const struct settings *settings)
{
	if (!getcwd(directory, sizeof(directory)))
		directory[0] = '\0';
	text_addf(text, "{\n \"culprit\": \"%s\",\n \"format\": %d", CULPRIT_VERSION,
		  BUNDLE_FORMAT);
	add_member(text, "program", program_invocation_short_name);
	add_command(text, !settings->no_args);
	add_member(text, "directory", directory);
	text_addf(text, ",\n \"pid\": %d", getpid());
	add_parent(text);
	add_ranks(text);
	add_member(text, "run", settings->run);
	add_time(text);
	add_host(text);
	text_addf(text, ",\n \"driver_version\": %d", driver_version());
	add_devices(text, "devices", add_name);
	add_devices(text, "device_uuids", add_uuid);
	add_settings(text, settings);
}

static void add_files(struct text *text)
{
	char journal[128] = "whole";
	char reason[128]; /* strerror() has one buffer for us and the program */
	text_addf(text, ",\n \"files\": [%s]", files);
	if (files_error)
		(void)snprintf(journal, sizeof(journal), BUNDLE_JOURNAL_LOST "%s",
			       strerror_r(-files_error, reason, sizeof(reason)));
	add_member(text, "journal", journal);
}

/*
 * Add the end, after as many spaces as the file has bytes more: whoever reads it in the moment
 * between a write and the cut would find the rest of the longer text, which is no JSON.
 */
static void add_end(struct text *text)
{
	size_t size = (size_t)(text->at - buffer) + strlen("\n}\n");
	int n_spaces = size < n_whole ? (int)(n_whole - size) : 0;
	text_addf(text, "\n}%*s\n", n_spaces, "");
}

/* Write the facts after the fixed part. Under the lock. */
static void write_file(void)
{
	struct text text = text_in(buffer + n_fixed, sizeof(buffer) - n_fixed);
	add_member(&text, "bundle", bundle_wanted_path());
	if (!bundle_path()[0]) /* else a bundle that is missing was thrown away */
		text_add(&text, ",\n \"bundle_made\": false");
	for (int i = 0; i < N_META_FACTS; i++)
		add_member(&text, fact_names[i], facts[i]);
	if (has_files)
		add_files(&text);
	add_end(&text);
	n_whole = text.cut ? 0 : (size_t)(text.at - buffer);
	if (n_whole)
		bundle_memory_write(BUNDLE_META_NAME, buffer, n_whole);
}

static int save(int directory_fd,
		int (*write)(int directory_fd, const char *name, const char *bytes, size_t size))
{
	static char copy[META_SIZE]; /* a disk may be slow, and the host's threads need the lock */
	pthread_mutex_lock(&lock);
	if (n_fixed)
		write_file();
	size_t size = n_fixed ? n_whole : 0;
	memcpy(copy, buffer, size);
	pthread_mutex_unlock(&lock);
	return size ? write(directory_fd, BUNDLE_META_NAME, copy, size) : -ENOSPC;
}

int meta_save(int directory_fd)
{
	return save(directory_fd, directory_write);
}

int meta_save_first(int directory_fd)
{
	return save(directory_fd, directory_write_new);
}

void meta_open(const struct settings *settings)
{
	pthread_mutex_lock(&lock);
	struct text text = text_in(buffer, sizeof(buffer));
	add_fixed(&text, settings);
	if (!text.cut) {
		n_fixed = (size_t)(text.at - buffer);
		write_file();
	}
	pthread_mutex_unlock(&lock);
}

void meta_note(enum meta_fact fact, const char *text)
{
	pthread_mutex_lock(&lock);
	facts[fact] = text;
	if (n_fixed)
		write_file();
	pthread_mutex_unlock(&lock);
}

void meta_note_files(const char *names, int error)
{
	pthread_mutex_lock(&lock);
	has_files = (size_t)snprintf(files, sizeof(files), "%s", names) < sizeof(files);
	files_error = error;
	pthread_mutex_unlock(&lock);
}
