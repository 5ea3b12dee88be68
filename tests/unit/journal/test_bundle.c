/*
 * test_bundle.c - which stores a journal has, of what size, where they are, and what becomes of
 * them at the end.
 */
#include "record/journal/bundle.h"

#include <errno.h>

#include "journal/bundle_case.h"
#include "support/check.h"

static void open_now(void)
{
	bundle_start(&bundle_case.settings);
	CHECK(!bundle_is_shared());
	/* Nothing is left of a journal that was never needed. */
	bundle_finish();
	bundle_leave(true);
	bundle_remove();
	bundle_ensure();
	bundle_ensure();
}

/* Every table, and every file that is removed. */
static void test_tables(void)
{
	bundle_case.settings.stack_check = true;
	bundle_case.settings.images = 3;
	open_now();
	CHECK_TRACE("memory: shared\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n"
		    "strings of 2097152\n"
		    "threads of 65535\n"
		    "contexts of 1024\n"
		    "streams of 16384\n"
		    "functions of 65535\n"
		    "parameters of 524288\n"
		    "stacks of 1048576, turning\n"
		    "modules of 16384\n"
		    "ranges of 1114112\n"
		    "failure of 1\n"
		    "python-frames of 524288, turning\n"
		    "python-codes of 65535\n"
		    "python-lines of 1048576\n"
		    "graphs of 16384\n"
		    "graph-nodes of 131072\n"
		    "stack-checks of 1\n"
		    "channels of 1024\n"
		    "kernel-states of 32768\n"
		    "images of 65534\n"
		    "image-bytes of 49152\n"
		    "whole-arguments of 256\n"
		    "waits of 4096\n"
		    "looks of 65536\n"
		    "verdict.txt of 65536 bytes\n");
}

static void test_removed(void)
{
	bundle_case.is_quiet = true;
	open_now();
	(void)trace_take();
	bundle_case.files->unlink(5);
	bundle_case.files->unlink_texts(6);
	CHECK_TRACE("unlink strings in 5\n"
		    "unlink threads in 5\n"
		    "unlink contexts in 5\n"
		    "unlink streams in 5\n"
		    "unlink functions in 5\n"
		    "unlink parameters in 5\n"
		    "unlink stacks in 5\n"
		    "unlink modules in 5\n"
		    "unlink ranges in 5\n"
		    "unlink failure in 5\n"
		    "unlink python-frames in 5\n"
		    "unlink python-codes in 5\n"
		    "unlink python-lines in 5\n"
		    "unlink graphs in 5\n"
		    "unlink graph-nodes in 5\n"
		    "unlink channels in 5\n"
		    "unlink kernel-states in 5\n"
		    "unlink images in 5\n"
		    "unlink whole-arguments in 5\n"
		    "unlink waits in 5\n"
		    "unlink looks in 5\n"
		    "unlink verdict.txt in 5\n"
		    "unlink meta.json in 5\n"
		    "unlink live in 5\n"
		    "unlink meta.json in 6\n"
		    "unlink live in 6\n");
}

/* Without a directory the memory is not left, as it would not be found. Some tables are opened
 * later. */
static void test_late(void)
{
	bundle_case.is_quiet = true;
	bundle_case.disk_error = -EACCES;
	open_now();
	CHECK(bundle_table(JOURNAL_STREAMS)->header && !bundle_table(JOURNAL_STREAMS)->store.path);
	CHECK_TRACE("memory: shared\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n"
		    "remove memory:\n"
		    "unlink verdict.txt in -1\n"
		    "unlink meta.json in -1\n"
		    "unlink live in -1\n"
		    "memory: private, lost if the process is killed\n");
	bundle_case.is_quiet = false;
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++) {
		if (!bundle_table((enum journal_file)kind)->header)
			CHECK_EQUAL(bundle_open_late((enum journal_file)kind), 0);
	}
	CHECK_TRACE("anonymous stack-checks of 1\n"
		    "anonymous image-bytes of 0\n"
		    "anonymous host-mappings of 65536\n"
		    "anonymous refusals of 65\n"
		    "anonymous faults of 326\n"
		    "anonymous code-addresses of 262144\n"
		    "anonymous checks of 131072\n"
		    "anonymous graph-checks of 56320\n");
}

static void open_at(const char *run, int of_memory, int of_disk, int of_file)
{
	bundle_case.is_quiet = true;
	(void)snprintf(bundle_case.settings.run, sizeof(bundle_case.settings.run), "%s", run);
	bundle_case.memory_error = of_memory;
	bundle_case.disk_error = of_disk;
	bundle_case.file_error = of_file;
	open_now();
}

static void test_slow_disk(void)
{
	open_at("", 0, -ETIMEDOUT, 0);
	CHECK_TRACE("memory: shared\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n"
		    "verdict.txt of 65536 bytes\n");
}

static void test_busy_disk(void)
{
	open_at("", 0, -EAGAIN, 0);
	CHECK_TRACE("memory: shared\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n"
		    "verdict.txt of 65536 bytes\n");
}

static void test_run(void)
{
	open_at("r", 0, -EACCES, 0);
	CHECK_TRACE("memory: shared\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n"
		    "verdict.txt of 65536 bytes\n"
		    "slot of r\n");
}

static void test_no_memory(void)
{
	open_at("", -EACCES, 0, 0);
	CHECK_TRACE("memory: private, lost if the process is killed\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n");
}

static void test_full_memory(void)
{
	open_at("", 0, 0, -ENOSPC);
	CHECK(bundle_table(JOURNAL_STREAMS)->header && !bundle_table(JOURNAL_STREAMS)->store.path);
	CHECK_TRACE("memory: shared\n"
		    "directory in /bundles\n"
		    "meta\n"
		    "make it\n"
		    "verdict.txt of 65536 bytes\n");
}

static struct ring rings[VIEW_MAX_RINGS + 1];

static void test_rings(void)
{
	bundle_case.is_quiet = true;
	open_now();
	bundle_case.is_quiet = false;
	(void)trace_take();
	for (size_t i = 0; i < 2; i++)
		CHECK_EQUAL(bundle_open_ring(&rings[i]), 0);
	bundle_case.file_error = -ENOSPC;
	CHECK_EQUAL(bundle_open_ring(&rings[2]), 0);
	CHECK(rings[2].store.base && !rings[2].store.path);
	bundle_case.file_error = 0;
	bundle_case.has_memory = false;
	CHECK_EQUAL(bundle_open_ring(&rings[3]), 0);
	CHECK_TRACE("ring-0 0: 65536\n"
		    "ring-1 1: 65536\n"
		    "anonymous 2: 65536\n"
		    "anonymous 3: 65536\n");
	struct bundle_view view;
	bundle_view_live(&view);
	CHECK_EQUAL(bundle_case.n_views, 25);
	CHECK_EQUAL(bundle_case.files->copy(NULL, 7), -ENOSPC);
	CHECK_TRACE("copy strings to 7\n"
		    "copy threads to 7\n"
		    "copy contexts to 7\n"
		    "copy streams to 7\n"
		    "copy functions to 7\n"
		    "copy parameters to 7\n"
		    "copy stacks to 7\n"
		    "copy modules to 7\n"
		    "copy ranges to 7\n"
		    "copy failure to 7\n"
		    "copy python-frames to 7\n"
		    "copy python-codes to 7\n"
		    "copy python-lines to 7\n"
		    "copy graphs to 7\n"
		    "copy graph-nodes to 7\n"
		    "copy channels to 7\n"
		    "copy kernel-states to 7\n"
		    "copy images to 7\n"
		    "copy whole-arguments to 7\n"
		    "copy waits to 7\n"
		    "copy looks to 7\n"
		    "copy ring-0 to 7\n"
		    "copy ring-1 to 7\n"
		    "copy ring-2 to 7\n"
		    "copy ring-3 to 7\n");
	bundle_case.is_quiet = true;
	for (size_t i = 4; i < VIEW_MAX_RINGS; i++)
		CHECK_EQUAL(bundle_open_ring(&rings[i]), 0);
	CHECK_EQUAL(bundle_open_ring(&rings[VIEW_MAX_RINGS]), -ENOSPC);
	CHECK(!rings[VIEW_MAX_RINGS].store.base);
	bundle_case.files->unlink(5);
	CHECK(strstr(trace_take(), "unlink ring-4095 in 5\nunlink verdict"));
}

static void end(void)
{
	struct file_header *header = bundle_table(JOURNAL_FAILURE)->header;
	bundle_leave(true);
	CHECK_EQUAL(header->compatible_flags, 0);
	bundle_case.settings.keep = KEEP_ALWAYS;
	bundle_leave(false);
	CHECK_EQUAL(header->compatible_flags, 0);
	bundle_case.settings.keep = KEEP_FAILURE;
	bundle_leave(false);
	CHECK_EQUAL(header->compatible_flags, JOURNAL_REMOVABLE);
	header->compatible_flags = 0;
	bundle_finish();
	bundle_remove();
	bundle_remove_later();
	CHECK_EQUAL(header->compatible_flags, JOURNAL_REMOVABLE);
}

static void test_ends(void)
{
	bundle_case.is_quiet = true;
	open_now();
	CHECK(bundle_is_shared());
	bundle_case.has_memory = false;
	CHECK(!bundle_is_shared());
	(void)trace_take();
	end();
	CHECK(!bundle_publish_verdict("the verdict", 11, "shown", 5));
	CHECK(bundle_publish_verdict("", 0, "seen", 4));
	CHECK_STRING((const char *)bundle_case.verdict, "the verdict");
	CHECK_TRACE("save\n"
		    "finish\n"
		    "remove\n"
		    "remove later\n"
		    "keep 11 of the verdict\n"
		    "publish 5 of shown\n"
		    "keep 0 of \n"
		    "publish 4 of seen\n");
}

int main(void)
{
	check_in_child(test_tables);
	check_in_child(test_removed);
	check_in_child(test_late);
	check_in_child(test_slow_disk);
	check_in_child(test_busy_disk);
	check_in_child(test_run);
	check_in_child(test_no_memory);
	check_in_child(test_full_memory);
	check_in_child(test_rings);
	check_in_child(test_ends);
	return 0;
}
