/*
 * test_function_store.c - which kernel a handle means, and what becomes of it when its module or
 * its library is unloaded, or its handle is used again.
 */
#include "record/objects/function_store.h"

#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "record/objects/function_memory.h"
#include "record/objects/images.h"
#include "support/check.h"

enum { N_ROWS = 64, LIBRARY = 0x100, MODULE = 0x200, KERNEL = 0x300, OTHER = 0x400 };

static struct table tables[N_JOURNAL_FILES];

struct table *bundle_table(enum journal_file kind)
{
	return &tables[kind];
}

uint64_t clock_ns(void)
{
	return 1;
}

void strings_drop(uint32_t id)
{
	if (id)
		trace_add("drop name %u\n", id);
}

void images_drop(uint16_t id)
{
	(void)id;
}

/* Facts about the next kernels. */
static uint16_t image, size = 7;
static uint32_t n_parameters = 2;

static const struct function *put(uint64_t handle, uint64_t module, uint32_t name,
				  uint64_t confirmed)
{
	struct function *function = function_memory_take(2);
	struct function_identity *identity = function_identity(function);
	identity->handle = handle;
	identity->module = module;
	identity->name = name;
	identity->confirmed = confirmed;
	identity->image = image;
	function->n_parameters = n_parameters;
	function->parameters[0] = (struct function_parameter){0, 8};
	function->parameters[1] = (struct function_parameter){8, size};
	return function_store_put(function);
}

static bool may_ask(uint64_t handle, uint64_t generation)
{
	bool may = function_store_begin_question(handle, generation);
	if (may)
		function_store_end_question(handle);
	return may;
}

static void unload(uint64_t code)
{
	function_store_end(code);
	function_store_forget(code);
}

static void test_rows(void)
{
	const struct function *kernel = put(KERNEL, MODULE, 7, 1);
	CHECK(kernel && function_store_find(KERNEL) == kernel);
	CHECK_EQUAL(function_store_handle(kernel->id), KERNEL);
	CHECK_EQUAL(function_store_handle(kernel->id + 1), 0);
	CHECK_EQUAL(function_store_size(), 1);
	const struct function_row *row = table_row(&tables[JOURNAL_FUNCTIONS], 1);
	CHECK(row->handle == KERNEL && row->module == MODULE && row->name == 7);
	CHECK(row->n_parameters == 2 && row->first_parameter);
	const struct parameter_row *parameters =
		table_row(&tables[JOURNAL_PARAMETERS], row->first_parameter);
	CHECK(parameters[0].offset == 0 && parameters[0].size == 8);
	CHECK(parameters[1].offset == 8 && parameters[1].size == 7);
	CHECK_TRACE("");
}

/* The same answer confirms the kernel; another one replaces it, unless that is older. */
static void test_confirmed(void)
{
	const struct function *kernel = function_store_find(KERNEL);
	CHECK(put(KERNEL, MODULE, 7, 3) == kernel);
	CHECK_EQUAL(function_identity(kernel)->confirmed, 3);
	CHECK(put(KERNEL, MODULE, 7, 2) == kernel);
	CHECK_EQUAL(function_identity(kernel)->confirmed, 3);
	CHECK(put(KERNEL, MODULE, 8, 2) == kernel);
	CHECK_TRACE("drop name 7\ndrop name 7\ndrop name 8\n");
	const struct function *next = put(KERNEL, MODULE, 8, 3);
	CHECK(next != kernel && function_store_find(KERNEL) == next);
	CHECK_EQUAL(function_store_handle(next->id), KERNEL);
	CHECK_EQUAL(function_store_size(), 2);
	const struct function *same = put(KERNEL, OTHER, 8, 3);
	CHECK(same != next);
	for (int i = 0; i < 3; i++) {
		image = 1;
		size = i > 0 ? 6 : 7;
		n_parameters = i > 1 ? 1 : 2;
		next = put(KERNEL, OTHER, 8, 3);
		CHECK(next != same && put(KERNEL, OTHER, 8, 3) == next);
		same = next;
	}
	image = 0;
	size = 7;
	n_parameters = 2;
	(void)trace_take();
}

/* An unloaded module takes its kernels along, those of its list too. */
static void test_unloaded(void)
{
	function_store_loaded(LIBRARY);
	function_store_handed_out(MODULE, LIBRARY);
	function_store_handed_out(KERNEL, MODULE);
	(void)put(KERNEL, MODULE, 7, 1);
	(void)put(KERNEL + 1, MODULE, 7, 1);
	(void)put(KERNEL + 2, MODULE, 7, 1);
	(void)put(OTHER, OTHER + 1, 7, 1);
	CHECK(may_ask(KERNEL, 0) && may_ask(KERNEL + 1, 0) && may_ask(OTHER, 0));
	function_store_end(LIBRARY);
	CHECK(!may_ask(LIBRARY, 0) && !may_ask(MODULE, 0) && !may_ask(KERNEL, 0));
	CHECK(!may_ask(KERNEL + 1, 0) && !may_ask(KERNEL + 2, 0) && may_ask(OTHER, 0));
	struct known_object object;
	CHECK(!function_store_object(function_store_find(KERNEL)->id & ROW_ID_MAX, 1, &object));
	function_store_forget(LIBRARY);
	for (uint64_t handle = KERNEL; handle < KERNEL + 3; handle++)
		CHECK(!function_store_find(handle) && !may_ask(handle, 0));
	CHECK(function_store_find(OTHER));
	unload(OTHER);
	CHECK(!function_store_find(OTHER));
}

/* Another library of that handle is asked as any other, and so are its kernels. */
static void test_loaded_again(void)
{
	function_store_loaded(LIBRARY);
	CHECK(may_ask(LIBRARY, 0));
	CHECK(!may_ask(KERNEL, 0));
	function_store_handed_out(KERNEL, LIBRARY);
	CHECK(may_ask(KERNEL, 0));
	unload(LIBRARY);
	/* As one that is not seen to be loaded. */
	function_store_handed_out(LIBRARY, OTHER);
	CHECK(may_ask(LIBRARY, 0));
	/* A call that did not unload it. */
	function_store_forget(LIBRARY);
	CHECK(may_ask(LIBRARY, 0));
	unload(OTHER);
	CHECK(!may_ask(LIBRARY, 0));
}

/* Unloading waits for those who ask about anything below. */
static void test_questions(void)
{
	function_store_loaded(LIBRARY);
	function_store_handed_out(MODULE, LIBRARY);
	function_store_handed_out(KERNEL, MODULE);
	CHECK(!function_store_is_asked(LIBRARY));
	CHECK(function_store_begin_question(KERNEL, 0));
	CHECK(function_store_begin_question(KERNEL, 0));
	CHECK(function_store_is_asked(LIBRARY) && function_store_is_asked(MODULE));
	function_store_end_question(KERNEL);
	CHECK(function_store_is_asked(LIBRARY));
	function_store_end_question(KERNEL);
	function_store_end_question(KERNEL);
	CHECK(!function_store_is_asked(LIBRARY) && !function_store_is_asked(N_ROWS));
	/* In a generation, only a kernel that the driver has confirmed in it. */
	(void)put(KERNEL, MODULE, 7, 5);
	CHECK(may_ask(KERNEL, 5) && !may_ask(KERNEL, 6) && !may_ask(MODULE, 5));
	unload(LIBRARY);
}

static void test_objects(void)
{
	struct known_object object = {0};
	const struct function *kernel = put(OTHER, MODULE, 7, 5);
	uint32_t place = row_id_place(kernel->id);
	CHECK(!function_store_owe_object(KERNEL));
	CHECK(function_store_owe_object(OTHER) && !function_store_owe_object(OTHER));
	CHECK(function_store_object(place, 5, &object));
	CHECK(object.object == 0 && object.id == kernel->id && object.is_confirmed);
	function_store_set_object(OTHER, 0x900);
	function_store_set_object(KERNEL, 0x901);
	CHECK(!function_store_owe_object(OTHER));
	CHECK(function_store_object(place, 6, &object));
	CHECK(object.object == 0x900 && !object.is_confirmed);
	CHECK(!function_store_object(0, 5, &object));
	CHECK(!function_store_object(ROW_ID_MAX + 1, 5, &object));
	unload(MODULE);
	CHECK(!function_store_object(place, 5, &object));
	CHECK_EQUAL(function_store_handle(kernel->id), OTHER); /* its row is kept for a while */
}

int main(void)
{
	CHECK_EQUAL(function_store_size(), 0);
	CHECK_EQUAL(table_open(&tables[JOURNAL_FUNCTIONS], NULL, JOURNAL_FUNCTIONS,
			       sizeof(struct function_row), N_ROWS),
		    0);
	CHECK_EQUAL(table_open(&tables[JOURNAL_PARAMETERS], NULL, JOURNAL_PARAMETERS,
			       sizeof(struct parameter_row), 16 * N_ROWS),
		    0);
	test_rows();
	test_confirmed();
	test_unloaded();
	test_loaded_again();
	test_questions();
	test_objects();
	return 0;
}
