/*
 * test_bypass.c - which modules, and which parts of the heap, have addresses of the driver. The
 * loader, the heap's end and the driver are simulated here.
 */
#include "failure/bypass.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "failure/bypass_memory.h"
#include "record/driver/driver.h"
#include "record/host/reserve.h"
#include "record/journal/modules.h"
#include "support/check.h"

enum { N_PAGES = 64, MAX_MODULES = 40, IMAGE_SIZE = 0x1000000 };

/* The driver's image; the call at each 16 bytes of it, by its number. */
static const uintptr_t IMAGE = 0x7ead00000000;

struct driver real;

static uint64_t address_of(int call)
{
	return IMAGE + (uint64_t)call * 16;
}

static bool has_driver = true;

struct driver_span driver_image(void)
{
	return (struct driver_span){IMAGE, has_driver ? IMAGE + IMAGE_SIZE : 0};
}

int driver_call_at(const void *address)
{
	uint64_t offset = (uintptr_t)address - IMAGE;
	return offset % 16 == 0 && offset / 16 < N_DRIVER_CALLS ? (int)(offset / 16) : -2;
}

static uint64_t noted[MAX_MODULES]; /* addresses in modules that bypass culprit */
static unsigned n_noted;

void modules_note_bypass(uint64_t address)
{
	CHECK(n_noted < MAX_MODULES);
	noted[n_noted++] = address;
}

static struct dl_phdr_info modules[MAX_MODULES];
static int n_modules;

int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
	int result = 0;
	for (int i = 0; i < n_modules && !result; i++)
		result = visit(&modules[i], sizeof(modules[i]), data);
	return result;
}

/* The program's segments, one of which ends where the heap starts without ASLR. */
static ElfW(Phdr) program[4]; /* the last one is not a header */
static uintptr_t heap_end;

unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
	CHECK(type == AT_PHDR || type == AT_PHNUM);
	return type == AT_PHDR ? (uintptr_t)program : 3;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	CHECK_EQUAL(number, SYS_brk);
	return (long)heap_end;
}

/* A mapping with a page before and after it that is not mapped. */
static char *map(size_t n_pages)
{
	size_t page = reserve_page_size();
	char *all = mmap(NULL, (n_pages + 2) * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(all != MAP_FAILED);
	CHECK_EQUAL(munmap(all, page), 0);
	CHECK_EQUAL(munmap(all + (n_pages + 1) * page, page), 0);
	return all + page;
}

static void unmap(char *start, size_t n_pages)
{
	CHECK_EQUAL(munmap(start, n_pages * reserve_page_size()), 0);
}

/* The heap is all of these pages, and the program ends `n_before` bytes after their start. */
static void use_heap(const char *start, size_t n_pages, size_t n_before)
{
	const uintptr_t base = 0x10000;
	program[0] = (ElfW(Phdr)){.p_type = PT_PHDR, .p_vaddr = (uintptr_t)program - base};
	program[1] = (ElfW(Phdr)){
		.p_type = PT_LOAD, .p_vaddr = (uintptr_t)start - 1 - base, .p_memsz = n_before + 1};
	program[0].p_memsz = (size_t)1 << 46; /* it does not count */
	program[2] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_memsz = 1};
	program[3] = program[bypass_memory.is_refused]; /* it starts elsewhere, or ends later */
	program[3].p_vaddr += 1 << 30;
	heap_end = (uintptr_t)start + n_pages * reserve_page_size();
}

static void no_heap(void)
{
	heap_end = reserve_page_size();
	memset(program, 0, sizeof(program));
}

static void put(char *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void begin(void)
{
	n_modules = 0;
	n_noted = 0;
	no_heap();
}

static ElfW(Phdr) segments[MAX_MODULES];

/* Add a module with one segment there. */
static void add(const char *name, const char *start, size_t size, uint32_t flags)
{
	CHECK(n_modules < MAX_MODULES);
	segments[n_modules] =
		(ElfW(Phdr)){.p_type = PT_LOAD, .p_flags = flags, .p_vaddr = 0x40, .p_memsz = size};
	modules[n_modules] = (struct dl_phdr_info){.dlpi_addr = (uintptr_t)start - 0x40,
						   .dlpi_name = name,
						   .dlpi_phdr = &segments[n_modules],
						   .dlpi_phnum = 1};
	n_modules++;
}

static bool is_found_at(const char *name, const char *start, size_t size, uint32_t flags,
			const char *place)
{
	begin();
	add(name, start, size, flags);
	bool is_found = bypass_find();
	CHECK_EQUAL(n_noted, is_found);
	CHECK(!is_found || noted[0] == (uintptr_t)place);
	return is_found;
}

/* An address of a call that a verdict relies on is found in each word of writable data. */
static void test_modules(void)
{
	size_t size = N_PAGES * reserve_page_size();
	char *data = map(N_PAGES);
	const size_t places[] = {0, 8, CHUNK - 8, CHUNK, size - 8};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *place = data + places[i];
		put(place, address_of(CALL_cuLaunchKernel));
		CHECK(is_found_at("/lib/plugin.so", data, size, PF_R | PF_W, place));
		CHECK(!is_found_at("/lib/plugin.so", data, size, PF_R, place));
		CHECK(!is_found_at("/lib/libcuda.so.580", data, size, PF_R | PF_W, place));
		CHECK(!is_found_at("libnvidia-x.so", data, size, PF_R | PF_W, place));
		CHECK(!is_found_at("libcudadebugger.so.1", data, size, PF_R | PF_W, place));
		put(place, 0);
	}
	/* The segment starts within a word, and one word ends with it. */
	put(data + 8, address_of(CALL_cuLaunchKernel));
	CHECK(is_found_at("a", data + 1, 15, PF_W, data + 8));
	CHECK(!is_found_at("a", data + 1, 14, PF_W, data + 8));
	CHECK(!is_found_at("a", data + 9, 16, PF_W, data + 8));
	/* No verdict relies on some calls, and other words are no calls. */
	put(data + 8, address_of(CALL_cuDriverGetVersion));
	CHECK(!is_found_at("a", data, size, PF_W, NULL));
	put(data + 8, address_of(CALL_cuLaunchKernel) + 1);
	CHECK(!is_found_at("a", data, size, PF_W, NULL));
	unmap(data, N_PAGES);
}

/* Each of many modules is named, but not the driver's own image. */
static void test_many(void)
{
	char *data = map(1);
	put(data, address_of(CALL_cuLaunchKernel));
	begin();
	add("driver", (const char *)IMAGE - 16, IMAGE_SIZE, PF_W); // NOLINT
	for (int i = 0; i < 34; i++)
		add("plugin", data, 8, PF_W);
	CHECK(bypass_find());
	CHECK_EQUAL(n_noted, 32);
	unmap(data, 1);
}

/* The heap's first and last words, with and without a program right before it. */
static void test_heap(size_t n_pages)
{
	size_t size = n_pages * reserve_page_size();
	char *heap = map(N_PAGES);
	const size_t places[] = {0, CHUNK - 8, CHUNK, size - 8};
	const size_t ends[] = {0, 1}; /* at a page's start, or within a page */
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (size_t k = 0; k < 2; k++) {
			begin();
			use_heap(heap, n_pages, ends[k]);
			CHECK(!bypass_find());
			put(heap + places[i], address_of(CALL_cuLaunchKernel));
			/* The heap does not start in the program's last page. */
			CHECK_EQUAL(bypass_find(), !(ends[k] && places[i] == 0));
			put(heap + places[i], address_of(CALL_cuStreamSynchronize));
			CHECK(!bypass_find());
			put(heap + places[i], 0);
		}
	}
	unmap(heap, N_PAGES);
}

/* An empty heap starts where the program ends. A heap that is below the program has no such limit.
 */
static void test_ends_of_program(void)
{
	const size_t page = reserve_page_size();
	char *heap = map(2);
	put(heap, address_of(CALL_cuLaunchKernel));
	for (size_t n_more = 0; n_more <= 2; n_more++) {
		begin();
		use_heap(heap + page, 0, n_more); /* the program ends this many bytes after it */
		CHECK_EQUAL(bypass_find(), n_more > 0);
	}
	unmap(heap, 2);
}

/* No more than 64 MiB of the heap are searched. */
static void test_large_heap(void)
{
	const size_t limit = 64 << 20;
	size_t n_pages = limit / reserve_page_size() + 1;
	char *heap = map(n_pages);
	for (size_t i = 0; i < 2; i++) {
		begin();
		use_heap(heap, n_pages, 0);
		put(heap + limit - 8 * i, address_of(CALL_cuLaunchKernel));
		CHECK_EQUAL(bypass_find(), i);
	}
	unmap(heap, n_pages);
}

/* A table of most calls is the driver's own. */
static void test_table(void)
{
	int n_all = 0;
	char *heap = map(N_PAGES);
	for (int call = 0; call < N_DRIVER_CALLS; call++)
		n_all += role_queues_work((enum call_role)driver_calls[call].role);
	begin();
	use_heap(heap, N_PAGES, 0);
	int n = 0;
	for (int call = 0; call < N_DRIVER_CALLS; call++) {
		if (!role_queues_work((enum call_role)driver_calls[call].role))
			continue;
		put(heap + (size_t)call * 8, address_of(call));
		put(heap + CHUNK + (size_t)call * 8, address_of(call)); /* counts once */
		n++;
		CHECK_EQUAL(bypass_find(), n <= n_all / 2);
	}
	unmap(heap, N_PAGES);
}

/* Chunks of which no page was written to are not read. */
static void test_untouched(void)
{
	char *data = map(N_PAGES);
	put(data + 8, address_of(CALL_cuLaunchKernel));
	bypass_memory.n_calls = 0;
	bypass_memory.written_page = NO_PAGE;
	CHECK(!is_found_at("plugin", data + 1, CHUNK, PF_W, data + 8));
	CHECK_EQUAL(bypass_memory.n_calls, 0);
	for (bypass_memory.written_page = 0;
	     (size_t)bypass_memory.written_page < CHUNK / reserve_page_size();
	     bypass_memory.written_page++)
		CHECK(is_found_at("plugin", data + 1, CHUNK, PF_W, data + 8));
	bypass_memory.written_page = ALL_PAGES;
	bypass_memory.is_unmapped = true;
	CHECK(!is_found_at("plugin", data + 1, CHUNK, PF_W, data + 8));
	bypass_memory.is_unmapped = false;
	unmap(data, N_PAGES);
}

/* Without a driver, no word is an address of it. */
static void test_no_driver(void)
{
	char *data = map(1);
	put(data, address_of(CALL_cuLaunchKernel));
	has_driver = false;
	CHECK(!is_found_at("plugin", data, 8, PF_W, data));
	has_driver = true;
	CHECK(is_found_at("plugin", data, 8, PF_W, data));
	unmap(data, 1);
}

/* True if the words are found in a module with these two segments. */
static bool is_found_in(const uint64_t *words, const ElfW(Phdr) both[2])
{
	begin();
	modules[n_modules++] = (struct dl_phdr_info){.dlpi_addr = (uintptr_t)words,
						     .dlpi_name = "a",
						     .dlpi_phdr = both,
						     .dlpi_phnum = 2};
	return bypass_find();
}

/* Data of culprit itself, which has the driver's addresses, is not searched. */
static void test_own(void)
{
	static uint64_t word;
	const uintptr_t near = 16 << 20;
	ElfW(Phdr) both[] = {
		{.p_type = PT_LOAD, .p_flags = PF_W, .p_memsz = sizeof(word)},
		{.p_type = PT_LOAD, .p_vaddr = -near, .p_memsz = 2 * near},
	};
	word = address_of(CALL_cuLaunchKernel);
	CHECK(!is_found_in(&word, both));
	both[1].p_type = PT_NULL;
	CHECK(is_found_in(&word, both));
}

/* A module whose memory ends right before the driver's is not the driver. */
static void test_neighbour(void)
{
	static uint64_t word;
	ElfW(Phdr) both[] = {
		{.p_type = PT_LOAD, .p_flags = PF_W, .p_memsz = sizeof(word)},
		{.p_type = PT_LOAD, .p_vaddr = IMAGE - 16 - (uintptr_t)&word},
	};
	word = address_of(CALL_cuLaunchKernel);
	for (both[1].p_memsz = 16; both[1].p_memsz <= 17; both[1].p_memsz++)
		CHECK_EQUAL(is_found_in(&word, both), both[1].p_memsz == 16);
	both[1].p_type = PT_TLS; /* it has no address */
	CHECK(is_found_in(&word, both));
	both[0].p_type = PT_TLS;
	CHECK(!is_found_in(&word, both));
}

/* The first address is noted, whatever is in later segments. */
static void test_two_segments(void)
{
	static uint64_t words[2];
	const ElfW(Phdr) both[] = {
		{.p_type = PT_LOAD, .p_flags = PF_W, .p_memsz = 8},
		{.p_type = PT_LOAD, .p_flags = PF_W, .p_memsz = 8, .p_vaddr = 8},
	};
	words[0] = address_of(CALL_cuLaunchKernel);
	CHECK(is_found_in(words, both));
	CHECK_EQUAL(noted[0], (uintptr_t)&words[0]);
}

static void test_searches(void)
{
	test_modules();
	test_many();
	test_heap(N_PAGES);
	test_heap(N_PAGES - 1); /* its end has another lowest bit of the page's number */
	test_ends_of_program();
	test_large_heap();
	test_table();
	test_untouched();
	test_no_driver();
	test_own();
	test_neighbour();
	test_two_segments();
}

int main(void)
{
	test_searches();
	CHECK_EQUAL(bypass_memory.n_pages_read, 0);
	bypass_memory.is_refused = true;
	test_searches();
	CHECK(bypass_memory.n_pages_read > 0);
	return 0;
}
