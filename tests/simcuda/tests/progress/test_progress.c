/*
 * test_progress.c - the driver's progress counters: where they are, and how each kind of work
 * changes them.
 */
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "progress_view.h"
#include "test.h"

static struct ground ground;

/* Return false in an emulator that ignores MADV_DONTFORK, as qemu-user 7.2 does. */
static bool can_keep_pages_from_children(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char unused = 0;
	int status = 0;
	CHECK(page != MAP_FAILED);
	CHECK_EQUAL(madvise(page, size, MADV_DONTFORK), 0);
	pid_t child = fork();
	if (child == 0)
		_exit(mincore(page, size, &unused) ? EXIT_SUCCESS : EXIT_FAILURE);
	CHECK(waitpid(child, &status, 0) == child);
	munmap(page, size);
	return status == 0;
}

static void check_child(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(view_count_pages() == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQUAL(status, 0);
}

static void one_mapping_for_each_context(void)
{
	CUcontext context = NULL;
	view_start(&ground);
	OK(cuCtxCreate(&context, NULL, 0, 0));
	CHECK_EQUAL(view_count_pages(), 2);
	if (can_keep_pages_from_children())
		check_child();
	OK(cuCtxDestroy(context));
	CHECK(view_pages() == ground.pages);
	OK(cuDevicePrimaryCtxRelease(0));
	CHECK_EQUAL(view_count_pages(), 0);
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	CHECK_EQUAL(view_count_pages(), 1);
}

static void trackers_and_channels(void)
{
	view_start(&ground);
	CUstream other = view_make_stream();
	const char *tracker = view_tracker(view_object(ground.stream));
	const char *second = view_tracker(view_object(other));
	CHECK(view_word(tracker, 0x00) == view_word(second, 0x00));
	CHECK(view_word(tracker, 0x08) == view_word(second, 0x08));
	CHECK(view_word((const void *)view_word(tracker, 0x00), 0) == 0); /* it is readable */
	CHECK_EQUAL(view_word(tracker, 0x10), 1);
	CHECK_EQUAL(view_word(tracker, 0x20), 4);
	OK(cuMemsetD8Async(ground.data, 0, 1, ground.stream));
	OK(cuMemsetD8Async(ground.data + 1, 0, 1, other));
	struct entry one = view_entry(ground.stream);
	struct entry two = view_entry(other);
	CHECK_EQUAL(one.kind, KIND_PLAIN);
	CHECK(one.garbage != 0);
	CHECK(one.pairs[1][0] != 0); /* left from the kernel before it */
	CHECK(view_word((void *)one.pairs[0][0], 0) == view_word((void *)two.pairs[0][0], 0));
	CHECK(one.pairs[0][0] != two.pairs[0][0]);
}

/* The sixth stream here is the seventh created, not counting the legacy stream. */
static void streams_take_channels_by_turns(void)
{
	view_start(&ground);
	for (unsigned i = 1; i < 20; i++) {
		CHECK_EQUAL(view_channel(ground.stream), i % 8);
		ground.stream = view_make_stream();
		view_launch_add(&ground, ground.stream);
		OK(cuStreamSynchronize(ground.stream));
		CHECK_EQUAL(view_begun(ground.pages, (i + 1) % 8), view_payload(ground.stream));
	}
	view_launch_add(&ground, NULL);
	CHECK_EQUAL(view_channel(NULL), 0);
}

/* The counters show a launch as finished at once, so no wait is needed. */
static void forgotten_kernels(void)
{
	view_start(&ground);
	for (unsigned i = 0; i < 100; i++) {
		view_launch_add(&ground, ground.stream);
		CHECK_EQUAL(view_entry(ground.stream).kind, KIND_KERNEL);
		CHECK_EQUAL(view_begun(ground.pages, 1), view_payload(ground.stream));
	}
	CHECK_EQUAL(cuStreamQuery(ground.stream), CUDA_SUCCESS);
}

static void one_connection(void)
{
	view_start(&ground);
	CHECK_EQUAL(view_channel(ground.stream), 0);
	ground.stream = view_make_stream();
	view_launch_add(&ground, ground.stream);
	CHECK_EQUAL(view_channel(ground.stream), 0);
	OK(cuMemcpyHtoDAsync(ground.data, ground.pinned, 4, ground.stream));
	CHECK_EQUAL(view_channel(ground.stream), 2);
}

static void CUDA_CB do_nothing(void *unused)
{
	(void)unused;
}

/* Check that `body` takes this many payloads of that channel, and none of any other. */
static void expect(void (*body)(void), unsigned channel, unsigned count, uint32_t kind)
{
	uint32_t before[13];
	uint32_t old_kind = view_entry(ground.stream).kind;
	for (unsigned i = 0; i < 13; i++)
		before[i] = view_begun(ground.pages, i);
	body();
	CHECK_EQUAL(view_entry(ground.stream).kind, kind ? kind : old_kind);
	if (count)
		CHECK_EQUAL(view_channel(ground.stream), channel);
	OK(cuStreamSynchronize(ground.stream));
	for (unsigned i = 0; i < 13; i++)
		CHECK_EQUAL(view_begun(ground.pages, i) - before[i], i == channel ? count : 0);
	if (count)
		CHECK_EQUAL(view_begun(ground.pages, channel), view_payload(ground.stream));
}

static void kernel(void)
{
	view_launch_add(&ground, ground.stream);
}

static void first_kernel(void)
{
	void *params[] = {&ground.data};
	OK(test_launch("index_of", ground.stream, params));
}

static void set(void)
{
	OK(cuMemsetD32Async(ground.data, 0, 4, ground.stream));
}

static void set_rows(void)
{
	OK(cuMemsetD2D32Async(ground.data, 64, 0, 3, 3, ground.stream));
}

static void copy_on_device(void)
{
	OK(cuMemcpyDtoDAsync(ground.data + 64, ground.data, 16, ground.stream));
}

static void copy_to_device(void)
{
	OK(cuMemcpyHtoDAsync(ground.data, ground.pinned, 16, ground.stream));
}

static void copy_to_host(void)
{
	OK(cuMemcpyDtoHAsync(ground.pinned, ground.data, 16, ground.stream));
}

static void copy_pageable(void)
{
	int values[4] = {0};
	OK(cuMemcpyHtoDAsync(ground.data, values, sizeof(values), ground.stream));
}

static void write_word(void)
{
	OK(cuStreamWriteValue32(ground.stream, ground.data, 7, 0));
}

static void wait_word(void)
{
	OK(cuStreamWaitValue32(ground.stream, ground.data, 7, CU_STREAM_WAIT_VALUE_EQ));
}

static void launch_graph(void)
{
	static CUgraphExec exec;
	CUgraph graph = NULL;
	if (!exec) {
		OK(cuStreamBeginCapture(ground.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
		for (int i = 0; i < 50; i++)
			view_launch_add(&ground, ground.stream);
		OK(cuStreamEndCapture(ground.stream, &graph));
		OK(cuGraphInstantiate(&exec, graph, 0));
	}
	OK(cuGraphLaunch(exec, ground.stream));
}

static void events_and_memory(void)
{
	CUdeviceptr memory = 0;
	CUevent event = NULL;
	OK(cuEventCreate(&event, 0));
	OK(cuEventRecord(event, ground.stream));
	OK(cuStreamWaitEvent(ground.stream, event, 0));
	OK(cuMemAllocAsync(&memory, 256, ground.stream));
	OK(cuMemFreeAsync(memory, ground.stream));
	(void)cuStreamQuery(ground.stream);
}

static void host_function(void)
{
	OK(cuLaunchHostFunc(ground.stream, do_nothing, NULL));
}

static void each_kind_of_work(void)
{
	view_start(&ground);
	expect(kernel, 1, 1, KIND_KERNEL);
	expect(first_kernel, 1, 5, KIND_KERNEL);
	expect(first_kernel, 1, 1, KIND_KERNEL);
	expect(set, 1, 1, KIND_PLAIN);
	expect(set_rows, 1, 1, KIND_KERNEL);
	expect(copy_on_device, 1, 1, KIND_KERNEL);
	expect(copy_to_device, TO_DEVICE, 1, KIND_PLAIN);
	expect(copy_to_host, TO_HOST, 1, KIND_PLAIN);
	expect(copy_pageable, 1, 1, KIND_PLAIN);
	expect(write_word, 1, 1, KIND_PLAIN);
	expect(wait_word, 1, 1, KIND_PLAIN);
	expect(events_and_memory, 1, 0, 0);
	expect(launch_graph, 1, 1, KIND_KERNEL);
	expect(launch_graph, 1, 1, KIND_KERNEL);
	expect(kernel, 1, 1, KIND_KERNEL);
	expect(host_function, 1, 0, KIND_HOST);
}

/* Launch a graph of `n` independent nodes. */
static void launch_apart(int n)
{
	const CUDA_MEMSET_NODE_PARAMS fill = {
		.dst = ground.data, .elementSize = 1, .width = 1, .height = 1};
	CUcontext context = NULL;
	OK(cuCtxGetCurrent(&context));
	CUgraph graph = NULL;
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode node = NULL;
	for (int i = 0; i < n; i++)
		OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context));
	CUgraphExec exec = NULL;
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphLaunch(exec, ground.stream));
	OK(cuStreamSynchronize(ground.stream));
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

/* Entries that do not fit in a tracker move elsewhere, and later entries stay there. */
static void graph_of_many_ends(void)
{
	view_start(&ground);
	const char *tracker = view_tracker(view_object(ground.stream));
	launch_apart(2);
	CHECK_EQUAL(view_word(tracker, 0x10), 4);
	CHECK(view_word(tracker, 0x18) == (uintptr_t)tracker + 0x28);
	launch_apart(3);
	CHECK_EQUAL(view_word(tracker, 0x10), 5);
	CHECK(view_word(tracker, 0x18) != (uintptr_t)tracker + 0x28);
	set();
	CHECK_EQUAL(view_word(tracker, 0x10), 1);
	CHECK(view_word(tracker, 0x18) != (uintptr_t)tracker + 0x28);
	CHECK_EQUAL(*(const uint32_t *)view_word(tracker, 0x18), KIND_PLAIN);
}

static const struct test_case cases[] = {
	{"one_mapping_for_each_context", one_mapping_for_each_context, {NULL}},
	{"trackers_and_channels", trackers_and_channels, {NULL}},
	{"streams_take_channels_by_turns", streams_take_channels_by_turns, {NULL}},
	{"one_connection", one_connection, {"CUDA_DEVICE_MAX_CONNECTIONS=1"}},
	{"each_kind_of_work", each_kind_of_work, {NULL}},
	{"graph_of_many_ends", graph_of_many_ends, {NULL}},
	{"forgotten_kernels", forgotten_kernels, {"SIMCUDA_NULL=2"}},
};

TEST_MAIN(cases)
