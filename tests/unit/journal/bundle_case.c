/*
 * bundle_case.c - the directories, the stores and the slot, which trace what they are asked.
 */
#include "journal/bundle_case.h"

#include <errno.h>

#include "base/bundle_names.h"
#include "record/files/bundle_directory.h"
#include "record/files/journal_copy.h"
#include "record/files/meta.h"
#include "record/journal/bundle.h"
#include "record/journal/run_slot.h"
#include "support/check.h"
#include "view/bundle_view.h"

struct bundle_case bundle_case = {.settings = {.records = 65536, .dir = "/bundles"}};

int bundle_memory_make(void)
{
	bundle_case.has_memory = bundle_case.memory_error == 0;
	return bundle_case.memory_error;
}

const char *bundle_memory_file(const char *name)
{
	return bundle_case.has_memory ? name : NULL;
}

const char *bundle_memory_path(void)
{
	return bundle_case.has_memory ? "/memory" : "";
}

void bundle_memory_remove(void (*unlink_files)(int directory_fd))
{
	bundle_case.has_memory = false;
	trace_add("remove memory:\n");
	unlink_files(-1);
}

void bundle_directory_name(const char *parent)
{
	trace_add("directory in %s\n", parent);
}

void bundle_disk_start(const struct settings *wanted, const struct bundle_disk_files *of_journal)
{
	CHECK(wanted == &bundle_case.settings);
	bundle_case.files = of_journal;
}

int bundle_disk_make(void)
{
	trace_add("make it\n");
	return bundle_case.disk_error;
}

void bundle_disk_keep_verdict(const char *text, size_t size)
{
	trace_add("keep %zu of %s\n", size, text);
}

void bundle_disk_save(void)
{
	trace_add("save\n");
}

void bundle_disk_finish(void)
{
	trace_add("finish\n");
}

void bundle_disk_remove(void)
{
	trace_add("remove\n");
}

void bundle_disk_remove_later(void)
{
	trace_add("remove later\n");
}

void meta_open(const struct settings *of)
{
	CHECK(of == &bundle_case.settings);
	trace_add("meta\n");
}

void meta_note(enum meta_fact fact, const char *text)
{
	CHECK_EQUAL(fact, META_MEMORY);
	trace_add("memory: %s\n", text);
}

void run_slot_open(const char *run)
{
	trace_add("slot of %s\n", run);
}

bool run_slot_publish_verdict(const char *text, size_t size)
{
	trace_add("publish %zu of %s\n", size, text);
	return size == 4;
}

int journal_copy_add(struct journal_copy *copy, int directory_fd, const char *name,
		     const struct store *store)
{
	CHECK(!copy && store->base);
	trace_add("copy %s to %d\n", name, directory_fd);
	return strcmp(name, "threads") == 0 ? -ENOSPC : strcmp(name, "ring-1") == 0 ? -EIO : 0;
}

/* Replaces the C library's function (--wrap). */
int __wrap_unlinkat(int directory_fd, const char *path, int flags);
int __wrap_unlinkat(int directory_fd, const char *path, int flags)
{
	CHECK(!flags);
	trace_add("unlink %s in %d\n", path, directory_fd);
	return 0;
}

int store_open(struct store *store, const char *path, size_t capacity, size_t piece)
{
	CHECK(path);
	CHECK_EQUAL(capacity, piece);
	trace_add("%s of %zu bytes\n", path, capacity);
	store->base = bundle_case.verdict;
	bundle_case.verdict[0] = 0;
	return 0;
}

/* Open a file of memory, or anonymous memory. */
static int open_store(struct store *store, const char *path)
{
	static struct file_header header;
	if (path && bundle_case.file_error)
		return bundle_case.file_error;
	*store = (struct store){.base = (unsigned char *)&header, .path = path};
	return 0;
}

int table_open(struct table *table, const char *path, enum journal_file kind, size_t row_size,
	       uint64_t capacity)
{
	static struct file_header headers[N_JOURNAL_FILES];
	int error = open_store(&table->store, path);
	table->header = error ? NULL : &headers[kind];
	if (!bundle_case.is_quiet && !error)
		trace_add("%s%s of %" PRIu64 "%s\n", path ? "" : "anonymous ",
			  journal_file_names[kind], capacity, table->is_turning ? ", turning" : "");
	static const size_t row_sizes[] = {
#define JOURNAL_FILE(number, name, file, row, ...) [JOURNAL_##name] = sizeof(struct row),
#include "base/journal_files.def"
#undef JOURNAL_FILE
	};
	CHECK_EQUAL(row_size, row_sizes[kind]);
	return error;
}

int ring_open(struct ring *ring, const char *path, uint32_t index, uint64_t capacity)
{
	int error = open_store(&ring->store, path);
	if (error)
		return error;
	CHECK(index < VIEW_MAX_RINGS);
	if (!bundle_case.is_quiet)
		trace_add("%s %u: %" PRIu64 "\n", path ? path : "anonymous", index, capacity);
	CHECK_EQUAL(capacity, index < 32 ? bundle_case.settings.records >> index / 4 : 256);
	return 0;
}

int bundle_view_add(struct bundle_view *view, const void *bytes, size_t size, bool *out_cut)
{
	CHECK(view && bytes && !size && !out_cut);
	bundle_case.n_views++;
	return 0;
}
