/*
 * bundle.c - open, save and remove the journal. Other files decide what is in it.
 */
#include "record/journal/bundle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "record/files/bundle_directory.h"
#include "record/files/bundle_disk.h"
#include "record/files/journal_copy.h"
#include "record/files/meta.h"
#include "record/files/store.h"
#include "record/journal/run_slot.h"
#include "report/report_page.h"

enum {
	N_STRING_UNITS = 2 * 1024 * 1024, /* 16 MiB */
	N_THREADS = ROW_ID_MAX,
	N_CONTEXTS = 1024,
	N_STREAMS = 16 * 1024,
	N_FUNCTIONS = ROW_ID_MAX,
	N_PARAMETERS = 512 * 1024,
	N_STACK_NODES = 1024 * 1024,
	N_MODULES = 16 * 1024,
	N_PYTHON_FRAMES = 512 * 1024,
	N_PYTHON_CODES = ROW_ID_MAX,
	N_PYTHON_LINES = 1024 * 1024, /* 8 MiB */
	N_CHANNELS = 1024,
	N_KERNEL_STATES = 32 * 1024,
	N_GRAPHS = 16 * 1024,
	N_GRAPH_NODES = 128 * 1024, /* 16 MiB */
	N_IMAGES = IMAGE_ID_MAX,
	N_WAITS = VIEW_MAX_RINGS,
	N_SNAPSHOTS = 64 * 1024,
	N_HOST_MAPPINGS = 64 * 1024,
	N_CODE_ADDRESSES = 256 * 1024,
	N_GRAPH_CHECKS = 55 * 1024, /* 16 MiB */
	IMAGE_UNITS_PER_MB = 1024 * 1024 / IMAGE_UNIT,
};

static const size_t row_sizes[N_JOURNAL_FILES] = {
#define JOURNAL_FILE(number, name, file, row, ...) [JOURNAL_##name] = sizeof(struct row),
#include "base/journal_files.def"
#undef JOURNAL_FILE
};

/* In rows; of JOURNAL_IMAGE_BYTES for each MB. A ring has its own. */
static const uint64_t capacities[] = {
	[JOURNAL_STRINGS] = N_STRING_UNITS,
	[JOURNAL_THREADS] = N_THREADS,
	[JOURNAL_CONTEXTS] = N_CONTEXTS,
	[JOURNAL_STREAMS] = N_STREAMS,
	[JOURNAL_FUNCTIONS] = N_FUNCTIONS,
	[JOURNAL_PARAMETERS] = N_PARAMETERS,
	[JOURNAL_STACKS] = N_STACK_NODES,
	[JOURNAL_MODULES] = N_MODULES,
	[JOURNAL_RANGES] = RANGE_ROWS_MAX,
	[JOURNAL_FAILURE] = 1,
	[JOURNAL_PYTHON_FRAMES] = N_PYTHON_FRAMES,
	[JOURNAL_PYTHON_CODES] = N_PYTHON_CODES,
	[JOURNAL_PYTHON_LINES] = N_PYTHON_LINES,
	[JOURNAL_STACK_CHECKS] = 1,
	[JOURNAL_CHANNELS] = N_CHANNELS,
	[JOURNAL_KERNEL_STATES] = N_KERNEL_STATES,
	[JOURNAL_GRAPHS] = N_GRAPHS,
	[JOURNAL_GRAPH_NODES] = N_GRAPH_NODES,
	[JOURNAL_IMAGES] = N_IMAGES,
	[JOURNAL_IMAGE_BYTES] = IMAGE_UNITS_PER_MB,
	[JOURNAL_WHOLE_ARGUMENTS] = N_WHOLE_ARGUMENTS,
	[JOURNAL_WAITS] = N_WAITS,
	[JOURNAL_SNAPSHOTS] = N_SNAPSHOTS,
	[JOURNAL_HOST_MAPPINGS] = N_HOST_MAPPINGS,
	[JOURNAL_REJECTIONS] = REJECTION_ROWS_MAX,
	[JOURNAL_FAULTS] = FAULT_ROWS_MAX,
	[JOURNAL_CODE_ADDRESSES] = N_CODE_ADDRESSES,
	[JOURNAL_CHECKS] = CHECK_ROWS_MAX,
	[JOURNAL_GRAPH_CHECKS] = N_GRAPH_CHECKS,
};
static_assert(sizeof(capacities) / sizeof(capacities[0]) == N_JOURNAL_FILES, "one for each kind");

static struct {
	struct table tables[N_JOURNAL_FILES];
	struct store verdict;               /* verdict.txt in memory: zero until the failure */
	struct ring *rings[VIEW_MAX_RINGS]; /* stored with release order, never changed after */
	uint32_t n_rings;                   /* atomic: number of slots handed out */
	bool is_open;                       /* atomic; raised under open_lock */
} bundle;

static const struct settings *settings; /* written at start only */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

struct table *bundle_table(enum journal_file kind)
{
	return &bundle.tables[kind];
}

/* Tables that few processes need are opened when they are needed. */
static bool is_opened_at_start(int kind)
{
	if (kind == JOURNAL_STACK_CHECKS)
		return settings->stack_check;
	if (kind == JOURNAL_IMAGE_BYTES)
		return settings->images;
	return capacities[kind] && kind != JOURNAL_HOST_MAPPINGS && kind != JOURNAL_REJECTIONS &&
	       kind != JOURNAL_FAULTS && kind != JOURNAL_CODE_ADDRESSES && kind != JOURNAL_CHECKS &&
	       kind != JOURNAL_GRAPH_CHECKS;
}

static uint64_t capacity_of(int kind)
{
	uint64_t n = kind == JOURNAL_IMAGE_BYTES ? settings->images : 1;
	return n * capacities[kind];
}

/* Use a file of memory, or else anonymous memory. Return 0 or -errno. */
static int open_table(int kind)
{
	const char *path = bundle_memory_file(journal_file_names[kind]);
	int error = -ENOENT;
	bundle.tables[kind].is_turning = kind == JOURNAL_STACKS || kind == JOURNAL_PYTHON_FRAMES;
	if (path)
		error = table_open(&bundle.tables[kind], path, (enum journal_file)kind,
				   row_sizes[kind], capacity_of(kind));
	if (error)
		error = table_open(&bundle.tables[kind], NULL, (enum journal_file)kind,
				   row_sizes[kind], capacity_of(kind));
	return error;
}

/* The verdict's text has its store here, since at the failure no file can be opened. */
static void open_verdict(void)
{
	const char *path = bundle_memory_file(BUNDLE_VERDICT_NAME);
	if (path)
		(void)store_open(&bundle.verdict, path, REPORT_TEXT_SIZE, REPORT_TEXT_SIZE);
}

static void open_tables(void)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (is_opened_at_start(kind))
			(void)open_table(kind); /* closed, it takes no rows */
	}
}

static void ring_name(uint32_t slot, char *out, size_t capacity)
{
	(void)snprintf(out, capacity, BUNDLE_RING_PREFIX "%u", slot);
}

static bool is_open(int kind)
{
	return __atomic_load_n(&bundle.tables[kind].header, __ATOMIC_ACQUIRE);
}

/* Remove the files that both directories have. */
static void unlink_texts(int directory_fd)
{
	(void)unlinkat(directory_fd, BUNDLE_META_NAME, 0);
	(void)unlinkat(directory_fd, BUNDLE_LIVE_NAME, 0);
}

static void unlink_files(int directory_fd)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		const char *name = journal_file_names[kind];
		if (name && is_open(kind))
			(void)unlinkat(directory_fd, name, 0);
	}
	uint32_t n_rings = __atomic_load_n(&bundle.n_rings, __ATOMIC_ACQUIRE);
	for (uint32_t slot = 0; slot < n_rings && slot < VIEW_MAX_RINGS; slot++) {
		char name[32];
		ring_name(slot, name, sizeof(name));
		(void)unlinkat(directory_fd, name, 0);
	}
	(void)unlinkat(directory_fd, BUNDLE_VERDICT_NAME, 0);
	unlink_texts(directory_fd);
}

static void print_memory(bool is_shared)
{
	meta_note(META_MEMORY, is_shared ? "shared" : "private, lost if the process is killed");
}

static void open_bundle(void)
{
	bool is_shared = bundle_memory_make() == 0;
	print_memory(is_shared);
	bundle_directory_name(settings->dir);
	meta_open(settings); /* First, since no other file can replace it if memory is short. */
	int error = bundle_disk_make();
	/* Without `culprit run`, files of memory would never be found. */
	if (error && error != -ETIMEDOUT && error != -EAGAIN && !settings->run[0]) {
		bundle_memory_remove(unlink_files);
		print_memory(false);
	}
	open_tables();
	open_verdict();
	if (settings->run[0])
		run_slot_open(settings->run);
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

int bundle_open_late(enum journal_file kind)
{
	return open_table((int)kind);
}

/*
 * Full length for the first four rings, half for the next four, and so on down to 256 records. With
 * the default of 64 Ki records the sum stays near 64 MiB until hundreds of threads launch at once.
 */
static uint64_t ring_length(uint32_t slot)
{
	enum { RINGS_PER_STEP = 4, SHORTEST = 256, STEPS = 16 };
	uint32_t step = slot / RINGS_PER_STEP < STEPS ? slot / RINGS_PER_STEP : STEPS;
	uint64_t length = settings->records >> step;
	return length > SHORTEST ? length : SHORTEST;
}

int bundle_open_ring(struct ring *ring)
{
	uint32_t slot = __atomic_fetch_add(&bundle.n_rings, 1, __ATOMIC_RELAXED);
	if (slot >= VIEW_MAX_RINGS)
		return -ENOSPC;
	char name[32];
	ring_name(slot, name, sizeof(name));
	const char *path = bundle_memory_file(name);
	int error = path ? ring_open(ring, path, slot, ring_length(slot)) : -ENOENT;
	if (error)
		error = ring_open(ring, NULL, slot, ring_length(slot));
	if (!error)
		__atomic_store_n(&bundle.rings[slot], ring, __ATOMIC_RELEASE);
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

/* Store the first byte last: a reader that finds it finds the whole text. */
static void store_verdict(const char *text, size_t size)
{
	char *to = (char *)bundle.verdict.base;
	if (!to || !size || size > REPORT_TEXT_SIZE)
		return;
	memcpy(to + 1, text + 1, size - 1);
	__atomic_store_n(to, text[0], __ATOMIC_RELEASE);
}

bool bundle_publish_verdict(const char *text, size_t size, const char *shown, size_t shown_size)
{
	store_verdict(text, size);
	bundle_disk_keep_verdict(text, size);
	return run_slot_publish_verdict(shown, shown_size);
}

bool bundle_is_shared(void)
{
	return __atomic_load_n(&bundle.is_open, __ATOMIC_ACQUIRE) && bundle_memory_path()[0];
}

/* Copy every file, even after one that could not be copied: another may be smaller. */
static int copy_all(struct journal_copy *copy, int directory_fd)
{
	int error = 0;
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (!is_open(kind))
			continue;
		int result = journal_copy_add(copy, directory_fd, journal_file_names[kind],
					      &bundle.tables[kind].store);
		error = error ? error : result;
	}
	for (uint32_t slot = 0; slot < VIEW_MAX_RINGS; slot++) {
		const struct ring *ring = __atomic_load_n(&bundle.rings[slot], __ATOMIC_ACQUIRE);
		if (!ring)
			continue;
		char name[32];
		ring_name(slot, name, sizeof(name));
		int result = journal_copy_add(copy, directory_fd, name, &ring->store);
		error = error ? error : result;
	}
	return error;
}

static const struct bundle_disk_files files = {
	.copy = copy_all, .unlink = unlink_files, .unlink_texts = unlink_texts};

void bundle_start(const struct settings *wanted)
{
	settings = wanted;
	bundle_disk_start(wanted, &files);
}

void bundle_finish(void)
{
	if (__atomic_load_n(&bundle.is_open, __ATOMIC_ACQUIRE))
		bundle_disk_finish();
}

/* For the next `culprit run`, if the present one does not live to remove the journal. */
static void mark_removable(void)
{
	struct file_header *header = bundle.tables[JOURNAL_FAILURE].header;
	if (header && settings->keep == KEEP_FAILURE)
		__atomic_store_n(&header->compatible_flags, JOURNAL_REMOVABLE, __ATOMIC_RELAXED);
}

void bundle_leave(bool has_failed)
{
	if (!__atomic_load_n(&bundle.is_open, __ATOMIC_ACQUIRE))
		return;
	if (has_failed)
		bundle_disk_save();
	else
		mark_removable();
}

/*
 * A bundle that is just being opened stays: the opening thread may be the one that exits. No lock
 * is taken: files that another thread writes meanwhile are removed too, or find no directory.
 */
void bundle_remove(void)
{
	if (__atomic_load_n(&bundle.is_open, __ATOMIC_ACQUIRE))
		bundle_disk_remove();
}

void bundle_remove_later(void)
{
	mark_removable();
	bundle_disk_remove_later();
}
