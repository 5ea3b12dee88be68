/*
 * exhaustion.c - describes a refused allocation while the memory is still as the driver found it,
 * before the program frees anything on its way out.
 */
#include "rejection/exhaustion.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "failure/live_symbols.h"
#include "memory/memory_holders.h"
#include "memory/memory_labels.h"
#include "memory/memory_owner.h"
#include "record/driver/driver.h"
#include "record/files/meta.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "rejection/rejected_rows.h"
#include "report/report_runtime_frames.h"
#include "report/report_stack.h"

enum {
	TEXT_SIZE = 8192,
	MAX_FRAMES = 3,
	MAX_LOOKS = 256, /* at all memory: a program that lives by rejections is not slowed */
};

bool exhaustion_is_open;

struct rejected {
	struct range_origin origin;
	uint64_t bytes;
	size_t free, total; /* total 0: the driver did not say */
	uint64_t in_pool;   /* bytes that the device's pool keeps unused */
	CUdevice device;
	struct memory_held held;
};

/* In memory of its own: the thread's stack may be small. */
struct description {
	struct rejected rejected;
	struct bundle_view view;
	char subject[256];
	char lines[TEXT_SIZE];
};

static uint32_t n_looks;                                 /* atomic */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next two */
static uint64_t newest_bytes;
static uint32_t newest_row; /* id */

static void *make_room(size_t size)
{
	void *room = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return room == MAP_FAILED ? NULL : room;
}

/* Returns the granularity of the driver's allocations on the device; 0: not known. */
static uint64_t page_of(CUdevice device)
{
	const CUmemAllocationProp properties = {
		.type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
	size_t page = 0;
	if (device < 0 ||
	    real.cuMemGetAllocationGranularity(&page, &properties,
					       CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
		return 0;
	return page & (page - 1) ? 0 : page;
}

static void find_holders(struct rejected *rejected, const struct bundle_view *view)
{
	/* Without a context the driver is not asked, see ask_driver(). */
	uint64_t page = rejected->total > 0 ? page_of(rejected->device) : 0;
	size_t size = memory_holders_scratch(view);
	void *scratch = make_room(size);
	if (!scratch)
		return;
	memory_holders_find(view, rejected->device, page, scratch, &rejected->held);
	(void)munmap(scratch, size);
}

/* 0: nothing, or not known. */
static uint64_t unused_of_pool(CUdevice device)
{
	cuuint64_t reserved = 0;
	cuuint64_t used = 0;
	CUmemoryPool pool = NULL;
	if (real.cuDeviceGetMemPool(&pool, device) != CUDA_SUCCESS ||
	    real.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved) !=
		    CUDA_SUCCESS ||
	    real.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) !=
		    CUDA_SUCCESS)
		return 0;
	return reserved > used ? reserved - used : 0;
}

/*
 * The driver answers for the current context's device only. Without one it would refuse, and tools
 * list what it refuses.
 */
static void ask_driver(struct rejected *rejected)
{
	CUcontext context = NULL;
	CUdevice current = 0;
	if (real.cuCtxGetCurrent(&context) != CUDA_SUCCESS || !context ||
	    real.cuCtxGetDevice(&current) != CUDA_SUCCESS)
		return;
	if (rejected->device < 0)
		rejected->device = current;
	if (rejected->device != current ||
	    real.cuMemGetInfo_v2(&rejected->free, &rejected->total) != CUDA_SUCCESS)
		rejected->total = 0;
	if (rejected->total > 0)
		rejected->in_pool = unused_of_pool(current);
}

static void add_size(uint64_t bytes, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	text_add(out, memory_size_text(bytes, size));
}

static void add_subject(const struct rejected *rejected, const struct bundle_view *view,
			struct text *out)
{
	size_t length = 0;
	const char *call = view_string(view, rejected->origin.call, &length);
	text_add_foreign(out, call, length);
	text_add(out, " of ");
	add_size(rejected->bytes, out);
}

/* Neither the driver's memory for contexts and code nor that of other processes is among `held`. */
static void add_sums(const struct rejected *rejected, const struct memory_held *held,
		     struct text *out)
{
	uint64_t used = rejected->total - rejected->free;
	text_addf(out, "device %d        ", rejected->device);
	add_size(rejected->total, out);
	text_add(out, " in all, ");
	add_size(rejected->free, out);
	text_add(out, " free then; this process holds ");
	add_size(held->bytes, out);
	text_add(out, " in ");
	text_add_count(out, held->n, "allocation");
	if (used > held->bytes) {
		text_add(out, ", other processes and the driver ");
		add_size(used - held->bytes, out);
	}
	if (rejected->in_pool > 0) {
		text_add(out, ", its memory pool keeps ");
		add_size(rejected->in_pool, out);
		text_add(out, " unused");
	}
	text_add(out, "\n");
}

/*
 * Add an upper bound of what would fit: less than the refused size, and at most all free memory. If
 * the program has pools of its own, their free memory is not known.
 */
static void add_largest(const struct rejected *rejected, struct text *out)
{
	uint64_t room = rejected->free + rejected->in_pool;
	if (rejected->held.has_pools)
		return;
	text_add(out, "would fit       ");
	if (rejected->bytes > room) {
		add_size(room, out);
		text_add(out, " at most, in one piece\n");
		return;
	}
	text_add(out, "less than the ");
	add_size(rejected->bytes, out);
	text_add(out, " asked for, in one piece, though ");
	add_size(room, out);
	text_add(out, " are free\n");
}

/* Add one number: the part of the driver's pages that the program has not allocated. */
static void add_fragmentation(const struct memory_held *held, struct text *out)
{
	uint64_t unused = held->page_bytes - held->in_pages;
	if (held->page_bytes <= held->in_pages)
		return;
	text_addf(out, "fragmentation   %" PRIu64 " %% of the ", unused * 100 / held->page_bytes);
	add_size(held->page_bytes, out);
	text_add(out, " of pages that its allocations keep is not allocated\n");
}

/*
 * For a stack that is shown as Python, add ", by hoard in libhoard.so". The Python line alone does
 * not tell an extension's memory from PyTorch's.
 */
static void add_asker(const struct report *report, uint32_t stack, struct text *out)
{
	struct source_frame frame = {.function = NULL};
	uint32_t python = 0;
	const struct stack_row *row = view_python_frames(report->view, stack, &python, 1) > 0
					      ? memory_asker_of(report->view, stack)
					      : NULL;
	const struct module_row *module = row ? view_module(report->view, row->module) : NULL;
	const char *path = module ? view_string(report->view, module->path, NULL) : "";
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	if (!*path || report_is_interpreter(path))
		return;
	text_add(out, ", by ");
	if (live_symbols.frames(NULL, row->module, module, path, row->offset, &frame, 1) > 0 &&
	    strncmp(frame.function, "_Z", 2) != 0) {
		text_add_foreign(out, frame.function, strlen(frame.function));
		text_add(out, " in ");
	}
	text_add_foreign(out, name, strlen(name));
}

static void add_holders(const struct memory_held *held, const struct report *report,
			struct text *out)
{
	for (uint32_t i = 0; i < held->n_holders; i++) {
		const struct memory_holder *holder = &held->holders[i];
		text_add(out, i == 0 ? "held by         " : "                ");
		add_size(holder->bytes, out);
		text_add(out, " in ");
		text_add_count(out, holder->n, "allocation");
		text_add(out, " from ");
		report_stack(report, holder->stack, MAX_FRAMES, out);
		add_asker(report, holder->stack, out);
		text_add(out, "\n");
	}
	if (held->n_stacks > held->n_holders)
		text_addf(out, "                and %" PRIu64 " more\n",
			  held->n_stacks - held->n_holders);
}

static void describe(struct description *out)
{
	const struct report report = {
		.view = &out->view, .symbols = &live_symbols, .directory = meta_directory()};
	struct text subject = text_in(out->subject, sizeof(out->subject));
	struct text lines = text_in(out->lines, sizeof(out->lines));
	add_subject(&out->rejected, &out->view, &subject);
	if (out->rejected.total > 0) {
		add_sums(&out->rejected, &out->rejected.held, &lines);
		add_largest(&out->rejected, &lines);
	}
	add_fragmentation(&out->rejected.held, &lines);
	add_holders(&out->rejected.held, &report, &lines);
}

/* The row of the refused allocation before this one is used again. Under the lock. */
static void keep_locked(const struct rejection_row *row)
{
	struct rejection_row *kept = rejected_rows_get(newest_row);
	if (!kept) {
		newest_row = rejected_rows_add(row);
		return;
	}
	/* The process may be killed meanwhile: readers ignore a row without a mark. */
	__atomic_store_n(&kept->mark, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	kept->time_ns = row->time_ns;
	__atomic_fetch_add(&kept->count, 1, __ATOMIC_RELAXED);
	kept->stack = row->stack;
	kept->call = row->call;
	kept->subject = row->subject;
	kept->why = row->why;
	kept->rule = row->rule;
	rejected_rows_mark(kept);
}

static void keep(const struct description *description)
{
	const struct rejection_row row = {
		.time_ns = clock_ns(),
		.count = 1,
		.stack = description->rejected.origin.stack,
		.result = CUDA_ERROR_OUT_OF_MEMORY,
		.call = description->rejected.origin.call,
		.what = strings_intern_z(REJECTED_MEMORY),
		.subject = strings_intern_z(description->subject),
		.why = strings_intern_z(description->lines),
		.rule = strings_intern_z("memory.exhausted"),
	};
	pthread_mutex_lock(&lock);
	newest_bytes = description->rejected.bytes;
	keep_locked(&row);
	__atomic_store_n(&exhaustion_is_open, true, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
}

void exhaustion_note_rejected(uint64_t bytes, int device, const struct range_origin *origin)
{
	if (__atomic_fetch_add(&n_looks, 1, __ATOMIC_RELAXED) >= MAX_LOOKS)
		return;
	struct description *description = make_room(sizeof(*description));
	if (!description)
		return;
	description->rejected =
		(struct rejected){.origin = *origin, .bytes = bytes, .device = device};
	ask_driver(&description->rejected);
	bundle_view_live(&description->view);
	find_holders(&description->rejected, &description->view);
	describe(description);
	keep(description);
	(void)munmap(description, sizeof(*description));
}

void exhaustion_granted(uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	struct rejection_row *row = rejected_rows_get(newest_row);
	if (bytes >= newest_bytes) {
		__atomic_store_n(&exhaustion_is_open, false, __ATOMIC_RELAXED);
		if (row)
			__atomic_store_n(&row->rule, 0, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&lock);
}
