/*
 * exhaustion.c - the newest refused allocation, and what the device had then. Programs that free
 * a cache and try again, or go on with less, are not bothered.
 */
#include "failure/exhaustion.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "failure/live_symbols.h"
#include "record/driver/driver.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/sequence.h"
#include "verdict/memory/memory_allocator.h"
#include "verdict/memory/memory_holders.h"
#include "verdict/memory/memory_words.h"
#include "verdict/report/report_stack.h"

enum {
	TEXT_SIZE = 8192,
	MAX_FRAMES = 3,
	MAX_LOOKS = 256, /* at all memory: a program that lives by refusals is not to be slowed */
};

bool exhaustion_is_open;

struct refused {
	struct range_origin origin;
	uint64_t bytes;
	size_t free, total; /* total 0: the driver did not tell */
	uint64_t in_pool;   /* bytes that the device's pool keeps unused */
	CUdevice device;
	struct memory_held held; /* then: what is freed while the program ends is not of interest */
};

static uint32_t n_looks;                                 /* atomic */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next; innermost */
static struct refused newest;

static char text_buffer[TEXT_SIZE]; /* of the one that tells: its stack may be small */
static bool is_told;                /* atomic */

static void *make_room(size_t size)
{
	void *room = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return room == MAP_FAILED ? NULL : room;
}

/* What the driver hands a device's memory out in; 0: not known. */
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

static void find_holders(struct refused *refused)
{
	struct bundle_view *view = make_room(sizeof(*view));
	if (!view)
		return;
	bundle_view_live(view);
	/* Without a context the driver is not asked, see ask_driver(). */
	uint64_t page = refused->total > 0 ? page_of(refused->device) : 0;
	size_t size = memory_holders_scratch(view);
	void *scratch = make_room(size);
	if (scratch) {
		memory_holders_find(view, refused->device, page, scratch, &refused->held);
		(void)munmap(scratch, size);
	}
	(void)munmap(view, sizeof(*view));
}

/* 0: nothing, or not known. */
static uint64_t unused_of_pool(CUdevice device)
{
	cuuint64_t reserved = 0, used = 0;
	CUmemoryPool pool;
	if (real.cuDeviceGetMemPool(&pool, device) != CUDA_SUCCESS ||
	    real.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved) !=
		    CUDA_SUCCESS ||
	    real.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) !=
		    CUDA_SUCCESS)
		return 0;
	return reserved > used ? reserved - used : 0;
}

/*
 * Only of the current context's device can it tell. Without one it would refuse, and tools list
 * what it refuses.
 */
static void ask_driver(struct refused *refused)
{
	CUcontext context = NULL;
	CUdevice current;
	if (real.cuCtxGetCurrent(&context) != CUDA_SUCCESS || !context ||
	    real.cuCtxGetDevice(&current) != CUDA_SUCCESS)
		return;
	if (refused->device < 0)
		refused->device = current;
	if (refused->device != current ||
	    real.cuMemGetInfo_v2(&refused->free, &refused->total) != CUDA_SUCCESS)
		refused->total = 0;
	if (refused->total > 0)
		refused->in_pool = unused_of_pool(current);
}

void exhaustion_met(uint64_t bytes, int device, const struct range_origin *origin)
{
	struct refused refused = {.origin = *origin, .bytes = bytes, .device = device};
	if (__atomic_fetch_add(&n_looks, 1, __ATOMIC_RELAXED) >= MAX_LOOKS)
		return;
	ask_driver(&refused);
	find_holders(&refused);
	pthread_mutex_lock(&lock);
	newest = refused;
	__atomic_store_n(&exhaustion_is_open, true, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
}

void exhaustion_granted(uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	if (bytes >= newest.bytes)
		__atomic_store_n(&exhaustion_is_open, false, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
}

static void add_size(uint64_t bytes, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	text_add(out, memory_size_text(bytes, size));
}

static void add_asked(const struct refused *refused, const struct report *report, struct text *out)
{
	size_t length;
	const char *call = view_string(report->view, refused->origin.call, &length);
	text_add(out, "culprit: out of memory: ");
	text_add_foreign(out, call, length);
	text_add(out, " of ");
	add_size(refused->bytes, out);
	text_add(out, " from ");
	report_stack(report, refused->origin.stack, MAX_FRAMES, out);
	text_addf(out, ", and no work followed [pid %d]\n", (int)getpid());
}

/* What the driver takes for contexts and code is nobody's allocation, as other processes' is not.
 */
static void add_sums(const struct refused *refused, const struct memory_held *held,
		     struct text *out)
{
	uint64_t used = refused->total - refused->free;
	text_addf(out, "  device %d        ", refused->device);
	add_size(refused->total, out);
	text_add(out, " in all, ");
	add_size(refused->free, out);
	text_add(out, " free then; this process holds ");
	add_size(held->bytes, out);
	text_addf(out, " in %" PRIu64, held->n);
	if (used > held->bytes) {
		text_add(out, ", other processes and the driver ");
		add_size(used - held->bytes, out);
	}
	if (refused->in_pool > 0) {
		text_add(out, ", its memory pool keeps ");
		add_size(refused->in_pool, out);
		text_add(out, " unused");
	}
	text_add(out, "\n");
}

/*
 * Nothing as large as what was refused fits, nor larger than all that is free. What pools of the
 * program keep is not known.
 */
static void add_largest(const struct refused *refused, struct text *out)
{
	uint64_t room = refused->free + refused->in_pool;
	if (refused->held.has_pools)
		return;
	text_add(out, "  would fit       ");
	if (refused->bytes > room) {
		add_size(room, out);
		text_add(out, " at most, in one piece\n");
		return;
	}
	text_add(out, "less than the ");
	add_size(refused->bytes, out);
	text_add(out, " asked for, in one piece, though ");
	add_size(room, out);
	text_add(out, " are free\n");
}

/* One number: the part of the driver's pages that nobody asked for. */
static void add_fragmentation(const struct memory_held *held, struct text *out)
{
	uint64_t unused = held->page_bytes - held->in_pages;
	if (held->page_bytes <= held->in_pages)
		return;
	text_addf(out, "  fragmentation   %" PRIu64 " %% of the ", unused * 100 / held->page_bytes);
	add_size(held->page_bytes, out);
	text_add(out, " of pages that its allocations keep is not allocated\n");
}

/*
 * Of a stack that is shown as Python: ", by hoard in libhoard.so". An extension's memory is not
 * told from PyTorch's by the line that called both.
 */
static void add_asker(const struct report *report, uint32_t stack, struct text *out)
{
	struct source_frame frame = {.function = NULL};
	uint32_t python;
	const struct stack_row *row = view_python_frames(report->view, stack, &python, 1) > 0
					      ? memory_asker_of(report->view, stack)
					      : NULL;
	const struct module_row *module = row ? view_module(report->view, row->module) : NULL;
	const char *path = module ? view_string(report->view, module->path, NULL) : "";
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
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
		text_add(out, i == 0 ? "  held by         " : "                  ");
		add_size(holder->bytes, out);
		text_addf(out, " in %" PRIu64 " from ", holder->n);
		report_stack(report, holder->stack, MAX_FRAMES, out);
		add_asker(report, holder->stack, out);
		text_add(out, "\n");
	}
	if (held->n_stacks > held->n_holders)
		text_addf(out, "                  and %" PRIu64 " more\n",
			  held->n_stacks - held->n_holders);
}

static void tell(const struct refused *refused, struct bundle_view *view)
{
	const struct report report = {.view = view, .symbols = &live_symbols};
	struct text text = text_in(text_buffer, sizeof(text_buffer) - 1);
	bundle_view_live(view);
	add_asked(refused, &report, &text);
	if (refused->total > 0) {
		add_sums(refused, &refused->held, &text);
		add_largest(refused, &text);
	}
	add_fragmentation(&refused->held, &text);
	add_holders(&refused->held, &report, &text);
	if (text.cut)
		*text.at++ = '\n';
	warning_write_lines(text_buffer, (size_t)(text.at - text_buffer));
}

/* Not waited for: the thread that has the lock may be this one, in a handler that exits. */
void exhaustion_tell(void)
{
	if (!__atomic_load_n(&exhaustion_is_open, __ATOMIC_RELAXED) ||
	    pthread_mutex_trylock(&lock) != 0)
		return;
	struct refused refused = newest;
	pthread_mutex_unlock(&lock);
	struct bundle_view *view = make_room(sizeof(*view));
	if (view && sequence_newest() == refused.origin.sequence &&
	    !__atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED))
		tell(&refused, view);
	if (view)
		(void)munmap(view, sizeof(*view));
}
