/*
 * test_left_collect.c - where the journal of a killed process is after a collection: in memory, in
 * its bundle, in its other home or nowhere, for each state of the process, its run and its bundle.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/text.h"
#include "run/left_memory.h"
#include "run/run_parts.h"
#include "support/bundle_builder.h"
#include "support/check.h"

/* A case's state. Without flags, the process had no failure, its run is over, and it has no bundle.
 */
enum {
	OURS = 1,         /* it belongs to the run that collects */
	AWAITED = 2,      /* another `culprit run` waits for it */
	VERDICT = 4,      /* its memory has a verdict */
	FAILURE = 8,      /* its memory has a failure's row */
	DUMP = 16,        /* its bundle has a core dump */
	REMOVABLE = 32,   /* it said that its journal may be removed */
	BUNDLE = 64,      /* its bundle is there */
	OTHERS = 128,     /* the bundle's name belongs to a bundle of other memory */
	FILE_THERE = 256, /* the bundle's name belongs to a file */
	SAVED = 512,      /* the memory was saved into the bundle */
	NOT_MADE = 1024,  /* its bundle could not be made */
	KEEP = 2048,      /* --keep always */
	KEEPS_SOUND =
		4096,    /* the run keeps the journals of processes that did not report their end */
	REPORTED = 8192, /* it reported its end */
	ALL = 16384,     /* the journals of all runs are collected */
	EMPTY = 32768,   /* its verdict's file is empty */
	UNREADABLE = 65536, /* a file cannot be copied */
};

struct collect_case {
	unsigned state;
	const char *wanted;
};

static char parent[] = "/tmp/unit_left_collect.XXXXXX";
static char name[BUNDLE_MEMORY_NAME_MAX];
static char memory[sizeof(BUNDLE_MEMORY_PARENT) + BUNDLE_MEMORY_NAME_MAX];
static char bundle[sizeof(parent) + 32];
static char home[sizeof(parent) + 32];

/* Only the test's own journal is left. */
bool __wrap_live_memory_await_left(const char *of, uint64_t until_ns);
bool __wrap_live_memory_await_left(const char *of, uint64_t until_ns)
{
	(void)until_ns;
	return !strcmp(of, name);
}

static void write_file(const char *folder, const char *file, const void *bytes, size_t size)
{
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, file);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	CHECK_EQUAL(close(fd), 0);
}

static void write_text(const char *folder, const char *file, const char *text)
{
	write_file(folder, file, text, strlen(text));
}

static void write_failure(unsigned state)
{
	struct {
		struct file_header header;
		struct failure_row row;
	} file = {.header = {.magic = JOURNAL_MAGIC,
			     .kind = JOURNAL_FAILURE,
			     .header_size = sizeof(file.header),
			     .row_size = sizeof(file.row),
			     .capacity = 1,
			     .compatible_flags = state & REMOVABLE ? JOURNAL_REMOVABLE : 0,
			     .n_rows = state & FAILURE ? 1 : 0}};
	file.row.time_ns = 7;
	file.row.code = 700;
	write_file(memory, journal_file_names[JOURNAL_FAILURE], &file, sizeof(file));
}

static const char *run_of(unsigned state)
{
	static char run[64];
	(void)snprintf(run, sizeof(run), "run.%d.%d", state & AWAITED ? getpid() : 0x7ffffffe,
		       state & OURS ? 1 : 2);
	return run;
}

static void make_memory(unsigned state)
{
	char meta[1024];
	(void)snprintf(meta, sizeof(meta),
		       "{\"culprit\": \"0\", \"pid\": 7, \"bundle\": \"%s\", \"run\": \"%s\", "
		       "\"realtime_ns\": 5%s, \"settings\": {\"CULPRIT_KEEP\": \"%s\"}}",
		       bundle, run_of(state), state & NOT_MADE ? ", \"bundle_made\": false" : "",
		       state & KEEP ? "always" : "failure");
	CHECK_EQUAL(mkdir(memory, 0700), 0);
	write_text(memory, BUNDLE_META_NAME, meta);
	write_text(memory, "strings", "text");
	if (state & VERDICT)
		write_file(memory, BUNDLE_VERDICT_NAME, "exact\0", 7);
	if (state & EMPTY)
		write_file(memory, BUNDLE_VERDICT_NAME, "\0", 2);
	if (state & (FAILURE | REMOVABLE))
		write_failure(state);
	char path[sizeof(memory) + 32];
	(void)snprintf(path, sizeof(path), "%s/ring-0", memory);
	if (state & UNREADABLE)
		CHECK_EQUAL(mkfifo(path, 0600), 0);
}

static void make_bundle(unsigned state)
{
	char link[sizeof(bundle) + 32];
	if (state & FILE_THERE) {
		char folder[sizeof(parent) + 32];
		(void)snprintf(folder, sizeof(folder), "%s/bundles", parent);
		write_text(folder, "culprit-host-1", "");
		return;
	}
	if (!(state & (BUNDLE | OTHERS | SAVED)))
		return;
	CHECK_EQUAL(mkdir(bundle, 0700), 0);
	(void)snprintf(link, sizeof(link), "%s/" BUNDLE_LIVE_NAME, bundle);
	if (state & (BUNDLE | OTHERS))
		CHECK_EQUAL(symlink(state & BUNDLE ? memory
						   : "/dev/shm/culprit-live-1-1-1-0000000000000001",
				    link),
			    0);
	write_text(bundle, BUNDLE_META_NAME,
		   state & SAVED ? "{\"culprit\": \"0\", \"realtime_ns\": 5}"
				 : "{\"culprit\": \"0\"}");
	write_text(bundle, "mine.txt", "");
	if (state & DUMP)
		write_text(bundle, BUNDLE_COREDUMP_NAME, "");
}

/* Append the names of known files in the folder, and remove it. */
static void add_folder(const char *label, const char *folder, struct text *out)
{
	static const char *const files[] = {
		BUNDLE_LIVE_NAME,    BUNDLE_META_NAME,     "strings", "failure", "ring-0",
		BUNDLE_VERDICT_NAME, BUNDLE_COREDUMP_NAME, "mine.txt"};
	struct stat status;
	if (lstat(folder, &status))
		return;
	text_addf(out, "%s:", label);
	if (!S_ISDIR(status.st_mode)) {
		text_add(out, " a file\n");
		CHECK_EQUAL(unlink(folder), 0);
		return;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[512];
		(void)snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		if (!lstat(path, &status))
			text_addf(out, " %s%s", files[i],
				  S_ISREG(status.st_mode) && !status.st_size && i < 7 ? "(empty)"
										      : "");
		(void)unlink(path);
	}
	text_add(out, "\n");
	CHECK_EQUAL(rmdir(folder), 0);
}

static unsigned count_descriptors(void)
{
	unsigned n = 0;
	DIR *folder = opendir("/proc/self/fd");
	CHECK(folder);
	while (readdir(folder))
		n++;
	CHECK_EQUAL(closedir(folder), 0);
	return n;
}

/* Collect, settle and end as `culprit run` does, and return what is where. */
static const char *collect(unsigned state)
{
	static char found[1024];
	struct text text = text_in(found, sizeof(found));
	struct run_process process = {.pid = state & REPORTED ? 7 : 8};
	struct run_reported told = {.processes = &process, .n_processes = 1};
	struct left_run run = {
		.id = "run.2147483646.1", .told = &told, .keeps_sound = state & KEEPS_SOUND};
	struct left_memory left;
	make_memory(state);
	make_bundle(state);
	unsigned n_descriptors = count_descriptors();
	left_memory_collect(state & ALL ? NULL : &run, &left);
	for (size_t i = 0; i < left.n_sound; i++)
		text_addf(&text, "sound%s in %s\n", left.sound[i].is_kept ? ", kept" : "",
			  !strcmp(left.sound[i].path, bundle)   ? "bundle"
			  : !strcmp(left.sound[i].path, memory) ? "memory"
								: "?");
	left_memory_settle(&left);
	CHECK(!left.sound && !left.n_sound);
	for (size_t i = 0; i < left.n; i++)
		text_addf(&text, "left %s%s %s\n",
			  left.rows[i].error ? strerror(-left.rows[i].error) : "moved",
			  left.rows[i].is_homeless ? " homeless" : "",
			  !strcmp(left.rows[i].bundle, bundle)   ? "bundle"
			  : !strcmp(left.rows[i].bundle, memory) ? "memory"
			  : !strcmp(left.rows[i].bundle, home)   ? "home"
								 : "?");
	left_memory_end(&left, true);
	CHECK(!left.rows && !left.n && !left.sound && !left.n_sound);
	CHECK_EQUAL(count_descriptors(), n_descriptors);
	add_folder("memory", memory, &text);
	add_folder("bundle", bundle, &text);
	add_folder("home", home, &text);
	return found;
}

static const struct collect_case cases[] = {
	{ALL, ""},
	{ALL | VERDICT, ""},
	{ALL | EMPTY, ""},
	{ALL | FAILURE, ""},
	{ALL | AWAITED, "memory: meta.json strings\n"},
	{ALL | REMOVABLE, ""},
	{ALL | REMOVABLE | FAILURE, ""},
	{ALL | BUNDLE, "bundle: meta.json strings mine.txt\n"},
	{ALL | BUNDLE | REMOVABLE, "bundle: mine.txt\n"},
	{ALL | BUNDLE | REMOVABLE | DUMP,
	 "bundle: meta.json strings failure core.nvcudmp(empty) mine.txt\n"},
	{ALL | BUNDLE | VERDICT, "bundle: meta.json strings verdict.txt mine.txt\n"},
	{ALL | BUNDLE | EMPTY, "bundle: meta.json strings mine.txt\n"},
	{ALL | BUNDLE | UNREADABLE, "memory: meta.json strings ring-0\n"
				    "bundle: live meta.json strings mine.txt\n"},
	{ALL | OTHERS, "bundle: live meta.json mine.txt\n"},
	{ALL | OTHERS | VERDICT, "memory: meta.json strings verdict.txt\n"
				 "bundle: live meta.json mine.txt\n"},
	{ALL | SAVED | VERDICT, "bundle: meta.json mine.txt\n"},
	{ALL | FILE_THERE, "bundle: a file\n"},
	{ALL | FILE_THERE | VERDICT, "memory: meta.json strings verdict.txt\n"
				     "bundle: a file\n"},
	{ALL | NOT_MADE, ""},
	{ALL | NOT_MADE | VERDICT, "memory: meta.json strings verdict.txt\n"},
	{VERDICT, "memory: meta.json strings verdict.txt\n"},
	{OURS, "sound in memory\n"},
	{OURS | BUNDLE, "sound in bundle\n"
			"bundle: mine.txt\n"},
	{OURS | BUNDLE | VERDICT, "bundle: meta.json strings verdict.txt mine.txt\n"},
	{OURS | BUNDLE | FAILURE, "bundle: meta.json strings failure mine.txt\n"},
	{OURS | BUNDLE | DUMP, "bundle: meta.json strings core.nvcudmp(empty) mine.txt\n"},
	{OURS | BUNDLE | REMOVABLE, "sound in bundle\n"
				    "bundle: mine.txt\n"},
	{OURS | BUNDLE | VERDICT | UNREADABLE,
	 "left Invalid argument bundle\n"
	 "bundle: live meta.json strings verdict.txt mine.txt\n"},
	{OURS | VERDICT, "left moved homeless home\n"
			 "home: meta.json strings verdict.txt\n"},
	{OURS | VERDICT | OTHERS, "left moved homeless home\n"
				  "bundle: live meta.json mine.txt\n"
				  "home: meta.json strings verdict.txt\n"},
	{OURS | VERDICT | FILE_THERE, "left moved homeless home\n"
				      "bundle: a file\n"
				      "home: meta.json strings verdict.txt\n"},
	{OURS | KEEP, "sound, kept in memory\n"
		      "left moved homeless home\n"
		      "home: meta.json strings\n"},
	{OURS | KEEP | BUNDLE, "sound, kept in bundle\n"
			       "bundle: meta.json strings mine.txt\n"},
	{OURS | KEEP | BUNDLE | REPORTED, "sound, kept in bundle\n"
					  "bundle: meta.json strings mine.txt\n"},
	{OURS | KEEPS_SOUND | BUNDLE, "sound, kept in bundle\n"
				      "bundle: meta.json strings mine.txt\n"},
	{OURS | KEEPS_SOUND | BUNDLE | REPORTED, "sound in bundle\n"
						 "bundle: mine.txt\n"},
	{OURS | VERDICT | UNREADABLE, "left Invalid argument homeless memory\n"},
};

int main(void)
{
	(void)snprintf(name, sizeof(name), BUNDLE_MEMORY_FORMAT, 1ul, getpid(), 2ull, 1ull);
	(void)snprintf(memory, sizeof(memory), BUNDLE_MEMORY_PARENT "/%s", name);
	CHECK(mkdtemp(parent));
	(void)snprintf(bundle, sizeof(bundle), "%s/bundles/culprit-host-1", parent);
	(void)snprintf(home, sizeof(home), "%s/culprit-host-1", parent);
	char bundles[sizeof(parent) + 32];
	(void)snprintf(bundles, sizeof(bundles), "%s/bundles", parent);
	CHECK_EQUAL(mkdir(bundles, 0700), 0);
	CHECK_EQUAL(setenv("TMPDIR", parent, 1), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_STRING(collect(cases[i].state), cases[i].wanted);
	CHECK_EQUAL(rmdir(bundles), 0);
	CHECK_EQUAL(rmdir(parent), 0);
	return 0;
}
