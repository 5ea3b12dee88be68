/*
 * bundle_disk.c - make, fill and remove the bundle's directory aside.
 */
#include "record/files/bundle_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/time_units.h"
#include "record/files/bundle_directory.h"
#include "record/files/directory.h"
#include "record/files/meta.h"
#include "record/host/aside.h"
#include "record/host/warning.h"

enum { ERROR_TEXT_SIZE = 128 };

static const struct settings *settings; /* written at start only, like files */
static const struct bundle_disk_files *files;

/* The text that a save writes; it stays the caller's. The size is atomic, 0 before there is one. */
static const char *verdict_text;
static size_t verdict_size;

void bundle_disk_start(const struct settings *wanted, const struct bundle_disk_files *of_journal)
{
	settings = wanted;
	files = of_journal;
}

void bundle_disk_keep_verdict(const char *text, size_t size)
{
	verdict_text = text;
	/* Pairs with the acquire load in save_in(). */
	__atomic_store_n(&verdict_size, size, __ATOMIC_RELEASE);
}

/*
 * The results of work done aside. Each is written by the one piece of work that runs aside, and
 * read after that has returned.
 */
static struct {
	int made; /* 0 or -errno, like saved */
	int saved;
	bool is_over;       /* atomic: the process is exiting, and wants no bundle */
	uint64_t missed_ns; /* atomic: the longest wait in vain for the work that is under way */
} disk = {.made = -EAGAIN, .saved = -EAGAIN};

/*
 * How long a host thread waits for the disk: briefly at start, longer to see the bundle saved. If
 * the first wait for some work is in vain, all waits for it together last FAILURE_WAIT_NS at most.
 */
static const uint64_t START_WAIT_NS = 100000000;
static const uint64_t FAILURE_WAIT_NS = NS_PER_S;
static const uint64_t END_WAIT_NS = 3000000000;

static uint64_t missed_ns(void)
{
	/* When the late work has returned, the disk answers again. */
	return aside_is_busy() ? __atomic_load_n(&disk.missed_ns, __ATOMIC_RELAXED) : 0;
}

/* Do the work aside. Return 0 or -errno. A wait in vain shortens the next ones. */
static int do_for_disk(void (*work)(void), uint64_t wait_ns)
{
	uint64_t missed = missed_ns();
	if (missed && wait_ns > FAILURE_WAIT_NS)
		wait_ns = FAILURE_WAIT_NS;
	uint64_t longest = wait_ns > missed ? wait_ns : missed;
	int error = aside_do(work, longest - missed);
	__atomic_store_n(&disk.missed_ns, error == -ETIMEDOUT ? longest : 0, __ATOMIC_RELAXED);
	return error;
}

/* True if `culprit run` has moved the journal into the bundle, since the process was killed. */
static bool has_journal(int directory_fd)
{
	int fd = openat(directory_fd, journal_file_names[JOURNAL_STRINGS],
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static bool is_memory_gone(void)
{
	return bundle_memory_path()[0] && access(bundle_memory_path(), F_OK) < 0;
}

static void make_aside(void)
{
	disk.made = bundle_directory_make();
	int fd = bundle_directory_open();
	if (fd < 0)
		return;
	(void)meta_save_first(fd);
	/* By now the process may be exiting, or `culprit run` may have read all it wants. */
	bool is_useless = __atomic_load_n(&disk.is_over, __ATOMIC_ACQUIRE) || is_memory_gone();
	if (is_useless && !has_journal(fd))
		bundle_directory_remove(files->unlink_texts);
	(void)close(fd);
}

/* Print it once: when the directory is first wanted, or with the failure if the disk was slow. */
static void print_no_directory(int error)
{
	static bool is_told;        /* atomic */
	char text[ERROR_TEXT_SIZE]; /* strerror() has one buffer for us and the program */
	if (!error || error == -ETIMEDOUT || error == -EAGAIN ||
	    __atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED))
		return;
	warning_print("cannot write a bundle in %s: %s; recording in memory only", settings->dir,
		      error == -ESTALE ? "something else took its place"
				       : strerror_r(-error, text, sizeof(text)));
}

/* The first use of the GPU waits a moment, so that the directory usually exists from then on. */
int bundle_disk_make(void)
{
	/* The driver learns where to write core dumps before anything else happens. */
	int error = do_for_disk(make_aside, settings->coredump ? FAILURE_WAIT_NS : START_WAIT_NS);
	error = error ? error : disk.made;
	print_no_directory(error);
	return error;
}

/* Return 0 if everything is in the open directory, else -errno. */
static int save_in(int directory_fd)
{
	static struct journal_copy copy;
	size_t size = __atomic_load_n(&verdict_size, __ATOMIC_ACQUIRE);
	if (size)
		(void)directory_write(directory_fd, BUNDLE_VERDICT_NAME, verdict_text, size);
	journal_copy_begin(&copy);
	int error = files->copy(&copy, directory_fd);
	meta_note_files(copy.names, error);
	(void)meta_save(directory_fd);
	return error;
}

static int save(void (*finish)(int directory_fd))
{
	int error = bundle_directory_make();
	int fd = error ? error : bundle_directory_open();
	if (fd < 0)
		return fd;
	error = save_in(fd);
	if (!error && finish)
		finish(fd);
	(void)close(fd);
	return error;
}

static void save_aside(void)
{
	disk.saved = save(NULL);
}

/* Everything is in the bundle, so tools need not look into memory. */
static void end_live(int directory_fd)
{
	(void)unlinkat(directory_fd, BUNDLE_LIVE_NAME, 0);
}

/* Memory that is not named by a bundle is found by `culprit run` alone. */
static void finish_aside(void)
{
	disk.saved = save(end_live);
	bool is_useless = !bundle_path()[0] && !settings->run[0];
	if (!disk.saved || is_useless)
		bundle_memory_remove(files->unlink);
}

/* `culprit run` collects what stays in memory, and reports what it finds. */
static void print_unsaved(int error)
{
	const char *path = bundle_wanted_path();
	if (error == -ESTALE)
		warning_print("%s: somebody has put something else in its place; nothing was "
			      "written there",
			      path);
	if (error == -ETIMEDOUT && !settings->run[0] && bundle_memory_path()[0])
		warning_print("%s: the disk does not answer; the bundle is in memory meanwhile: "
			      "culprit report %s",
			      path, bundle_memory_path());
}

void bundle_disk_save(void)
{
	int error = do_for_disk(save_aside, FAILURE_WAIT_NS);
	error = error ? error : disk.saved;
	print_unsaved(error);
	if (!bundle_path()[0] && error != -ESTALE)
		print_no_directory(error);
}

void bundle_disk_finish(void)
{
	(void)do_for_disk(finish_aside, END_WAIT_NS);
}

static void remove_aside(void)
{
	bundle_directory_remove(files->unlink_texts);
	bundle_memory_remove(files->unlink);
}

void bundle_disk_remove(void)
{
	__atomic_store_n(&disk.is_over, true, __ATOMIC_RELEASE);
	if (do_for_disk(remove_aside, missed_ns() ? 0 : END_WAIT_NS))
		bundle_memory_remove(files->unlink);
}

void bundle_disk_remove_later(void)
{
	__atomic_store_n(&disk.is_over, true, __ATOMIC_RELEASE);
}

static void make_again_aside(void)
{
	(void)bundle_directory_make();
}

void bundle_disk_restore(void)
{
	if (__atomic_exchange_n(&disk.is_over, false, __ATOMIC_RELAXED))
		(void)do_for_disk(make_again_aside, START_WAIT_NS);
}
