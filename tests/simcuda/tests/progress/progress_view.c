/*
 * progress_view.c - read the counters at the offsets seen on an H200 under driver 580.159.
 */
#include "progress_view.h"

#include <string.h>

#include "test.h"

static int scan(char **out_first)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	int count = 0;
	CHECK(maps != NULL);
	char line[4096];
	while (fgets(line, sizeof(line), maps)) {
		char permissions[5];
		unsigned long start = 0;
		unsigned long end = 0;
		if (sscanf(line, "%lx-%lx %4s", &start, &end, permissions) != 3 ||
		    !strstr(line, "nvidiactl"))
			continue;
		CHECK(strcmp(permissions, "rw-s") == 0);
		CHECK_EQUAL(end - start, 2 << 20);
		if (count++ == 0)
			*out_first = (char *)start;
	}
	fclose(maps);
	return count;
}

int view_count_pages(void)
{
	char *first = NULL;
	return scan(&first);
}

char *view_pages(void)
{
	char *first = NULL;
	CHECK_EQUAL(scan(&first), 1);
	return first;
}

uint64_t view_word(const void *object, size_t offset)
{
	return __atomic_load_n((const uint64_t *)((const char *)object + offset), __ATOMIC_RELAXED);
}

uint32_t view_begun(const char *pages, unsigned channel)
{
	const char *word = pages + 0xfff0 - (size_t)16 * channel;
	return __atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE);
}

const char *view_object(CUstream stream)
{
	return (const char *)view_word(stream, 0);
}

const char *view_legacy_object(void)
{
	CUcontext context = NULL;
	OK(cuCtxGetCurrent(&context));
	return (const char *)view_word(context, 0x628);
}

const char *view_tracker(const char *object)
{
	return (const char *)view_word(object, 0x268);
}

struct entry view_entry(CUstream stream)
{
	const char *tracker = view_tracker(stream ? view_object(stream) : view_legacy_object());
	const char *first = (const char *)view_word(tracker, 0x18);
	size_t n_entries = view_word(tracker, 0x10);
	CHECK(first == tracker + 0x28 && n_entries > 0);
	struct entry entry;
	memcpy(&entry, first + (n_entries - 1) * sizeof(entry), sizeof(entry));
	return entry;
}

const uint64_t *view_channel_pair(const struct entry *entry)
{
	return entry->pairs[entry->kind == KIND_KERNEL];
}

uint32_t view_payload(CUstream stream)
{
	struct entry entry = view_entry(stream);
	return (uint32_t)view_channel_pair(&entry)[1];
}

unsigned view_channel(CUstream stream)
{
	struct entry entry = view_entry(stream);
	return (unsigned)view_word((const void *)view_channel_pair(&entry)[0], 0x38);
}

const uint32_t *view_state(CUstream stream)
{
	struct entry entry = view_entry(stream);
	CHECK_EQUAL(entry.kind, KIND_KERNEL);
	const void *link = (const void *)view_word((const void *)entry.pairs[0][0], 0x18);
	return (const uint32_t *)view_word(link, 0x10);
}

uint32_t view_state_value(const uint32_t *place)
{
	return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

CUstream view_make_stream(void)
{
	CUstream stream = NULL;
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	return stream;
}

void view_launch_add(const struct ground *ground, CUstream stream)
{
	CUdeviceptr data = ground->data;
	int value = 1;
	void *params[] = {&data, &value};
	OK(test_launch("add", stream, params));
}

void view_start(struct ground *out)
{
	int value = 0;
	void *params[] = {&value};
	test_start();
	out->pages = view_pages();
	OK(cuMemAlloc(&out->data, 256));
	OK(cuMemsetD8(out->data, 0, 256));
	out->pinned = test_pinned(64);
	out->stream = view_make_stream();
	test_release(test_hold(out->stream));
	OK(test_launch("check", out->stream, params));
	view_launch_add(out, out->stream);
	OK(cuCtxSynchronize());
}
