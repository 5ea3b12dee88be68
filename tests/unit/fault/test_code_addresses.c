/*
 * test_code_addresses.c - when the driver is asked for kernels' functions, and which words of their
 * objects are recorded.
 */
#include <string.h>
#include <sys/mman.h>

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/journal/bundle.h"
#include "record/objects/code_addresses.h"
#include "record/objects/function_store.h"
#include "support/check.h"

enum { WORD = 0x68, COMMON = 0x98, N_OBJECTS = 4, GENERATION = 5, MAX_ROWS = 64 };

/* Objects 0 and 1 are functions, 2 and 3 are kernels of the functions 0 and 1. */
static uint64_t objects[N_OBJECTS][CODE_OBJECT_SIZE / sizeof(uint64_t)];
static struct known_object known[N_OBJECTS + 1]; /* by row */
static uint32_t n_known;
static bool is_going;
static bool is_asking;

struct driver real;
int captures_under_way;
static CUcontext current;
static int n_asked;

static struct code_address_row rows[MAX_ROWS];
static uint32_t n_rows;
static struct table table;

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CODE_ADDRESSES);
	return &table;
}

int bundle_open_late(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CODE_ADDRESSES);
	return 0;
}

uint32_t table_append(struct table *to, const void *row, uint32_t n)
{
	CHECK(to == &table && n == 1 && n_rows < MAX_ROWS);
	memcpy(&rows[n_rows], row, sizeof(rows[0]));
	return ++n_rows;
}

bool driver_knows(enum driver_call call)
{
	CHECK_EQUAL(call, CALL_cuKernelGetFunction);
	return true;
}

bool function_store_begin_question(uint64_t handle, uint64_t generation)
{
	CHECK(handle && !is_asking);
	is_asking = !is_going && generation == GENERATION;
	return is_asking;
}

void function_store_end_question(uint64_t handle)
{
	CHECK(handle && is_asking);
	is_asking = false;
}

/* An answer is stored while the question still holds up the unloading. */
void function_store_set_object(uint64_t handle, uint64_t object)
{
	CHECK(is_asking || object == 0);
	for (uint32_t place = 1; place <= n_known; place++) {
		if (known[place].id == (uint32_t)handle)
			known[place].object = object;
	}
}

/* Return true for a handle without an object. One that is owed has the object 1. */
bool function_store_owe_object(uint64_t handle)
{
	bool is_owed_now = false;
	for (uint32_t place = 1; place <= n_known; place++) {
		if (known[place].id != (uint32_t)handle || known[place].object)
			continue;
		known[place].object = 1;
		is_owed_now = true;
	}
	return is_owed_now;
}

uint32_t function_store_size(void)
{
	return n_known;
}

bool function_store_object(uint32_t place, uint64_t generation, struct known_object *out)
{
	CHECK_EQUAL(generation, GENERATION);
	*out = known[place];
	if (out->object == 1)
		out->object = 0;
	return true;
}

static CUresult get_current(CUcontext *out)
{
	*out = current;
	return CUDA_SUCCESS;
}

static CUresult get_function(CUfunction *out, CUkernel kernel)
{
	uintptr_t index = ((uintptr_t)kernel - (uintptr_t)objects) / sizeof(objects[0]);
	n_asked++;
	if (index < 2)
		return CUDA_ERROR_INVALID_HANDLE;
	CHECK(is_asking);
	*out = (CUfunction)objects[index - 2];
	return CUDA_SUCCESS;
}

static CUcontext context(uintptr_t n)
{
	return (CUcontext)n;
}

static void discover(int index)
{
	known[++n_known] = (struct known_object){.id = (uint32_t)(uintptr_t)objects[index],
						 .is_confirmed = true};
	code_addresses_discovered((CUfunction)objects[index], GENERATION);
}

/* The object at this index is launched for the first time. */
static void launch(int index)
{
	discover(index);
	code_addresses_launched((CUfunction)objects[index], current);
}

static void set_word(int index, uint32_t offset, uint64_t value)
{
	objects[index][offset / sizeof(uint64_t)] = value;
}

static void begin(void)
{
	static char *code;
	if (!code)
		code = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(code != MAP_FAILED);
	memset(objects, 0, sizeof(objects));
	for (int i = 0; i < 2; i++) {
		set_word(i, WORD, (uintptr_t)code + 0x1000u * ((unsigned)i + 1));
		set_word(i, COMMON, (uintptr_t)code);
		set_word(i, 0x10, (uintptr_t)objects & ~(uintptr_t)0x7f); /* host memory */
		set_word(i, 0x18, 0x400);                                 /* a size */
		set_word(i, 0x20, (uintptr_t)code + 8);
	}
	set_word(0, 0x28, (uintptr_t)code + 0x80); /* an address in one of them only */
	set_word(1, 0x28, 7);
	n_known = n_rows = 0;
	n_asked = 0;
	current = context(1);
	captures_under_way = 0;
	is_going = false;
}

static void test_words(void)
{
	begin();
	launch(0);
	launch(1);
	code_addresses_ask(GENERATION);
	CHECK(!code_addresses_are_owed());
	code_addresses_write(GENERATION);
	CHECK_EQUAL(n_rows, 4);
	for (uint32_t i = 0; i < n_rows; i++) {
		CHECK_EQUAL(rows[i].offset, i % 2 ? COMMON : WORD);
		CHECK_EQUAL(rows[i].function, known[1 + i / 2].id);
		CHECK_EQUAL(rows[i].flags, CODE_CONFIRMED);
		CHECK_EQUAL(rows[i].address, objects[i / 2][rows[i].offset / sizeof(uint64_t)]);
	}
}

/* A stale handle's object may be anything. It must not hide the words of the others. */
static void test_unconfirmed(void)
{
	begin();
	launch(0);
	launch(1);
	code_addresses_ask(GENERATION);
	set_word(1, WORD, 3);
	known[2].is_confirmed = false;
	code_addresses_write(GENERATION);
	CHECK(n_rows >= 2 && rows[0].offset < WORD && rows[1].offset == WORD);
	CHECK_EQUAL(rows[n_rows - 1].flags, 0);
}

static void test_not_launched(void)
{
	begin();
	discover(2);
	CHECK(!code_addresses_are_owed());
	code_addresses_ask(GENERATION);
	code_addresses_write(GENERATION);
	CHECK(n_asked == 0 && known[1].object == 0 && n_rows == 0);
}

/* A kernel's function is asked for in the context of the launch, and not during a capture. */
static void test_kernels(void)
{
	begin();
	launch(2);
	code_addresses_launched((CUfunction)objects[2], current); /* owed already */
	CHECK_EQUAL(n_asked, 0);
	current = context(2);
	code_addresses_ask(GENERATION);
	CHECK(n_asked == 0 && known[1].object == 1);
	current = context(1);
	captures_under_way = 1;
	code_addresses_ask(GENERATION);
	CHECK(n_asked == 0 && code_addresses_are_owed());
	captures_under_way = 0;
	code_addresses_ask(GENERATION);
	CHECK_EQUAL(n_asked, 1);
	CHECK_EQUAL(known[1].object, (uintptr_t)objects[0]);
	code_addresses_launched((CUfunction)objects[2], current); /* known */
	CHECK(!code_addresses_are_owed());
	launch(3);
	CHECK_EQUAL(n_asked, 1); /* not before its launch */
	launch(2);
	CHECK_EQUAL(n_asked, 2);
	code_addresses_write(GENERATION);
	CHECK_EQUAL(n_asked, 3);
}

static void test_code_that_goes(void)
{
	begin();
	launch(2);
	is_going = true;
	code_addresses_ask(GENERATION);
	CHECK(n_asked == 0 && known[1].object == 1 && !code_addresses_are_owed());
	code_addresses_write(GENERATION);
	CHECK_EQUAL(n_rows, 0);
}

/* After an unload, or a context's end, the driver is asked about no older handle. */
static void test_generation(void)
{
	begin();
	launch(2);
	code_addresses_ask(GENERATION + 1);
	CHECK(n_asked == 0 && known[1].object == 1 && !code_addresses_are_owed());
}

static void test_off(void)
{
	code_addresses_start(false);
	begin();
	launch(0);
	code_addresses_write(GENERATION);
	CHECK(!code_addresses_are_owed() && n_rows == 0);
}

int main(void)
{
	real.cuCtxGetCurrent = get_current;
	real.cuKernelGetFunction = get_function;
	code_addresses_start(true);
	test_words();
	test_unconfirmed();
	test_not_launched();
	test_kernels();
	test_code_that_goes();
	test_generation();
	test_off();
	return 0;
}
