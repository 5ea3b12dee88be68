/*
 * bundle.c - makes, names and removes the files of a bundle. What is in them is other files' work.
 */
#include "bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "bundle_names.h"
#include "meta.h"
#include "warning.h"

/* A second process image of the same name and number (exec) gets a suffix. */
enum { MAX_SAME_NAME = 100 };

enum {
	N_STRING_UNITS = 2 * 1024 * 1024, /* 16 MiB */
	N_THREADS = 64 * 1024,
	N_CONTEXTS = 1024,
	N_STREAMS = 16 * 1024,
	N_FUNCTIONS = 64 * 1024,
	N_PARAMETERS = 512 * 1024,
	N_STACK_NODES = 1024 * 1024,
	N_MODULES = 16 * 1024,
	N_RANGES = 64 * 1024,
	N_PYTHON_FRAMES = 512 * 1024,
	N_PYTHON_CODES = 64 * 1024,
	N_PYTHON_LINES = 1024 * 1024, /* 8 MiB */
	N_STACK_CHECKS = 1,
	N_GRAPHS = 16 * 1024,
	N_GRAPH_NODES = 128 * 1024, /* 16 MiB */
};

static const struct {
	size_t row_size;
	uint64_t capacity;
} shapes[N_JOURNAL_FILES] = {
	[JOURNAL_STRINGS] = {sizeof(struct string_row), N_STRING_UNITS},
	[JOURNAL_THREADS] = {sizeof(struct thread_row), N_THREADS},
	[JOURNAL_CONTEXTS] = {sizeof(struct context_row), N_CONTEXTS},
	[JOURNAL_STREAMS] = {sizeof(struct stream_row), N_STREAMS},
	[JOURNAL_FUNCTIONS] = {sizeof(struct function_row), N_FUNCTIONS},
	[JOURNAL_PARAMETERS] = {sizeof(struct parameter_row), N_PARAMETERS},
	[JOURNAL_STACKS] = {sizeof(struct stack_row), N_STACK_NODES},
	[JOURNAL_MODULES] = {sizeof(struct module_row), N_MODULES},
	[JOURNAL_RANGES] = {sizeof(struct range_row), N_RANGES},
	[JOURNAL_FAILURE] = {sizeof(struct failure_row), 1},
	[JOURNAL_PYTHON_FRAMES] = {sizeof(struct python_frame_row), N_PYTHON_FRAMES},
	[JOURNAL_PYTHON_CODES] = {sizeof(struct python_code_row), N_PYTHON_CODES},
	[JOURNAL_PYTHON_LINES] = {sizeof(struct python_lines_row), N_PYTHON_LINES},
	[JOURNAL_STACK_CHECKS] = {sizeof(struct stack_check_row), N_STACK_CHECKS},
	[JOURNAL_GRAPHS] = {sizeof(struct graph_row), N_GRAPHS},
	[JOURNAL_GRAPH_NODES] = {sizeof(struct graph_node_row), N_GRAPH_NODES},
};

static struct {
	char path[PATH_MAX]; /* "" when in memory */
	struct table tables[N_JOURNAL_FILES];
	struct ring *rings[VIEW_MAX_RINGS]; /* stored with release order, never changed after */
	uint32_t n_rings;                   /* atomic: slots handed out */
	bool is_open;                       /* atomic; raised under open_lock */
	bool is_removed;                    /* atomic: at exit; from then on all is in memory */
} bundle;

static const struct settings *settings; /* written at start only */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

void bundle_start(const struct settings *wanted)
{
	settings = wanted;
}

const struct settings *bundle_settings(void)
{
	return settings;
}

const char *bundle_path(void)
{
	return __atomic_load_n(&bundle.is_removed, __ATOMIC_RELAXED) ? "" : bundle.path;
}

struct table *bundle_table(enum journal_file kind)
{
	return &bundle.tables[kind];
}

/*
 * "DIR/culprit-PROGRAM-PID[-N]", absolute, made with mode 0700. 0 or -errno. Under open_lock; its
 * buffer is static since the calling thread's stack may be small.
 */
static int make_directory(const char *parent)
{
	static char top[PATH_MAX];
	if (!realpath(parent, top))
		return -errno;
	for (int n = 1; n <= MAX_SAME_NAME; n++) {
		char suffix[16] = "";
		if (n > 1)
			(void)snprintf(suffix, sizeof(suffix), "-%d", n);
		int length =
			snprintf(bundle.path, sizeof(bundle.path), "%s/" BUNDLE_PREFIX "%s-%d%s",
				 top, program_invocation_short_name, getpid(), suffix);
		if (length < 0 || (size_t)length >= sizeof(bundle.path) - NAME_MAX) {
			errno = ENAMETOOLONG;
			break;
		}
		if (mkdir(bundle.path, 0700) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	int error = errno;
	bundle.path[0] = '\0';
	return -error;
}

/* The path of a file in the bundle, in the arena; NULL when the bundle is in memory. */
static const char *file_path(const char *name)
{
	const char *directory = bundle_path();
	size_t size = strlen(directory) + strlen("/") + strlen(name) + 1;
	char *path = directory[0] ? arena_alloc(size) : NULL;
	if (path)
		(void)snprintf(path, size, "%s/%s", directory, name);
	return path;
}

/* The failure table is opened by the failure alone: its file says that there was one. */
static bool is_opened_at_start(int kind)
{
	if (kind == JOURNAL_STACK_CHECKS)
		return settings->stack_check;
	return shapes[kind].row_size && kind != JOURNAL_FAILURE;
}

static int open_table(int kind, const char *path)
{
	return table_open(&bundle.tables[kind], path, (enum journal_file)kind,
			  shapes[kind].row_size, shapes[kind].capacity);
}

static int open_tables(bool on_disk)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (!is_opened_at_start(kind))
			continue;
		const char *path = on_disk ? file_path(journal_file_names[kind]) : NULL;
		int error = on_disk && !path ? -ENOMEM : open_table(kind, path);
		if (error)
			return error;
	}
	return 0;
}

static void close_tables(void)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++)
		table_close(&bundle.tables[kind]);
}

static void remove_file(const char *directory, const char *name)
{
	char path[PATH_MAX];
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) < sizeof(path))
		(void)unlink(path);
}

static void remove_files(const char *directory)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (shapes[kind].row_size)
			remove_file(directory, journal_file_names[kind]);
	}
	uint32_t n_rings = __atomic_load_n(&bundle.n_rings, __ATOMIC_ACQUIRE);
	for (uint32_t slot = 0; slot < n_rings && slot < VIEW_MAX_RINGS; slot++) {
		char name[32];
		(void)snprintf(name, sizeof(name), BUNDLE_RING_PREFIX "%u", slot);
		remove_file(directory, name);
	}
	remove_file(directory, BUNDLE_META_NAME);
	remove_file(directory, BUNDLE_VERDICT_NAME);
}

/*
 * Renamed first: a thread that has the path of a file in it, but has not made the file, then
 * cannot. What is left to chance is a thread that the kernel has stopped between the two, so it
 * tries again.
 */
static void remove_directory(void)
{
	char renamed[PATH_MAX];
	const char *directory = bundle.path;
	int n_attempts = 100;
	if (!directory[0])
		return;
	if ((size_t)snprintf(renamed, sizeof(renamed), "%s-removed", directory) < sizeof(renamed) &&
	    rename(directory, renamed) == 0)
		directory = renamed;
	do {
		remove_files(directory);
	} while (rmdir(directory) < 0 && errno == ENOTEMPTY && --n_attempts > 0);
}

static void open_bundle(void)
{
	int error = make_directory(settings->dir);
	if (!error)
		error = open_tables(true);
	if (!error) {
		meta_write(settings);
		return;
	}
	warning_print("cannot write a bundle in %s: %s; recording in memory only", settings->dir,
		      strerror(-error));
	close_tables();
	remove_directory();
	bundle.path[0] = '\0';
	(void)open_tables(false);
}

void bundle_ensure(void)
{
	if (__atomic_load_n(&bundle.is_open, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&open_lock);
	if (!bundle.is_open)
		open_bundle();
	__atomic_store_n(&bundle.is_open, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&open_lock);
}

void bundle_describe(void)
{
	pthread_mutex_lock(&open_lock);
	if (bundle.is_open && bundle_path()[0])
		meta_write(settings);
	pthread_mutex_unlock(&open_lock);
}

int bundle_open_failure(void)
{
	const char *path = file_path(journal_file_names[JOURNAL_FAILURE]);
	int error = path ? open_table(JOURNAL_FAILURE, path) : -ENOENT;
	return error ? open_table(JOURNAL_FAILURE, NULL) : 0;
}

/*
 * Full length for the first four rings, half for the next four, and so on down to 256 records: with
 * the default of 64 Ki records the sum stays near 64 MiB until hundreds of threads launch at once.
 */
static uint64_t ring_length(uint32_t slot)
{
	enum { RINGS_PER_STEP = 4, SHORTEST = 256, STEPS = 16 };
	uint32_t step = slot / RINGS_PER_STEP < STEPS ? slot / RINGS_PER_STEP : STEPS;
	uint64_t length = settings->records >> step;
	return length > SHORTEST ? length : SHORTEST;
}

/* Once: where there is no room for one thread's ring there will be none for the next. */
static void warn_of_memory_ring(int error)
{
	static bool has_warned; /* atomic */
	if (bundle_path()[0] && !__atomic_exchange_n(&has_warned, true, __ATOMIC_RELAXED))
		warning_print("cannot write a journal in %s: %s; recording it in memory only",
			      bundle.path, strerror(-error));
}

int bundle_open_ring(struct ring *ring)
{
	uint32_t slot = __atomic_fetch_add(&bundle.n_rings, 1, __ATOMIC_RELAXED);
	if (slot >= VIEW_MAX_RINGS)
		return -ENOSPC;
	char name[32];
	(void)snprintf(name, sizeof(name), BUNDLE_RING_PREFIX "%u", slot);
	const char *path = file_path(name);
	int error = path ? ring_open(ring, path, slot, ring_length(slot)) : -ENOENT;
	if (error && path)
		warn_of_memory_ring(error);
	if (error)
		error = ring_open(ring, NULL, slot, ring_length(slot));
	if (!error)
		__atomic_store_n(&bundle.rings[slot], ring, __ATOMIC_RELEASE);
	return error;
}

int bundle_write_file(const char *name, const char *bytes, size_t size)
{
	const char *path = file_path(name);
	if (!path)
		return -ENOENT;
	if (store_is_over_limit(size))
		return -EFBIG;
	/* Not O_TRUNC: on a full disk the old text is better than none. */
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	off_t end = (off_t)size;
	int error = 0;
	while (size > 0 && !error) {
		ssize_t n = write(fd, bytes, size);
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
		} else if (n == 0 || errno != EINTR) {
			error = n == 0 ? -EIO : -errno;
		}
	}
	if (!error && ftruncate(fd, end) < 0)
		error = -errno;
	(void)close(fd);
	return error;
}

static void view_store(struct bundle_view *out, const struct store *store)
{
	size_t backed = __atomic_load_n(&store->backed, __ATOMIC_ACQUIRE);
	if (store->base)
		(void)bundle_view_add(out, store->base, backed, NULL);
}

void bundle_view_live(struct bundle_view *out)
{
	*out = (struct bundle_view){0};
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++)
		view_store(out, &bundle.tables[kind].store);
	for (uint32_t slot = 0; slot < VIEW_MAX_RINGS; slot++) {
		const struct ring *ring = __atomic_load_n(&bundle.rings[slot], __ATOMIC_ACQUIRE);
		if (ring)
			view_store(out, &ring->store);
	}
}

/*
 * A bundle that is just being opened is left behind: its thread may be the one that exits. No lock
 * is taken: what another thread writes meanwhile goes with the directory, or finds none.
 */
void bundle_remove(void)
{
	if (__atomic_load_n(&bundle.is_open, __ATOMIC_ACQUIRE) &&
	    !__atomic_exchange_n(&bundle.is_removed, true, __ATOMIC_RELAXED))
		remove_directory();
}
