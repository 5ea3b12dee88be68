/*
 * test_functions.c - what the driver is asked about a launched kernel, what a thread's cache keeps
 * of the answer, and the copy of a launch's arguments.
 */
#include "journal/functions_case.h"

#include "support/check.h"

static struct functions_case *const given = &functions_case;
static struct function_cache cache;
static const CUfunction kernel = (CUfunction)0x300;

/* Return the function that the driver describes. */
static const struct function *discover(void)
{
	const struct function *function = functions_of(&cache, kernel);
	CHECK(function);
	return function;
}

static void test_described(void)
{
	functions_case_start();
	const struct function *function = discover();
	CHECK_TRACE("find 300 (300 memory 2 module 300 image 200 300 function name 300 hold f"
		    " put 300) discovered 300 1");
	CHECK(function->n_parameters == 2 && function->size == 12);
	CHECK(function->parameters[0].offset == 0 && function->parameters[0].size == 8);
	CHECK(function->parameters[1].offset == 8 && function->parameters[1].size == 4);
	CHECK_EQUAL(given->identity.handle, 0x300);
	CHECK_EQUAL(given->identity.module, 0x200);
	CHECK_EQUAL(given->identity.image, 44);
	CHECK_EQUAL(given->identity.name, 21);
	CHECK_EQUAL(given->identity.confirmed, functions_generation_now());
	given->is_kernel = true;
	given->knows_modules = false;
	given->function_name = NULL;
	function = discover();
	CHECK_TRACE("find 300 (300 memory 2 module 300 image 0 300 function name 300"
		    " kernel name 300 hold k put 300) discovered 300 1");
	CHECK(function->n_parameters == 2 && given->identity.module == 0);
	given->n_parameters = 0;
	given->knows_modules = true;
	given->is_nameless = true;
	given->kernel_name = NULL;
	given->name = 31;
	function = discover();
	CHECK_TRACE("find 300 (300 memory 0 module 300 image 200 300 function name 300"
		    " kernel name 300[get 300 again 31] put 300) discovered 300 1");
	CHECK(function->n_parameters == 0 && function->size == 0);
	CHECK_EQUAL(given->identity.name, 31);
	functions_case_start();
	given->has_no_memory = true;
	CHECK(!functions_of(&cache, kernel));
	CHECK_TRACE("find 300 (300 memory 2 300) discovered 300 1");
}

/* An older driver has neither names nor layouts. */
static void test_old_driver(void)
{
	functions_case_start();
	given->knows_names = given->knows_parameters = false;
	CHECK_EQUAL(discover()->n_parameters, 0);
	CHECK_TRACE("find 300 (300 memory 0 module 300 image 200 300[get 300 again 0] put 300)"
		    " discovered 300 1");
	CHECK(given->n_parameter_questions == 0 && given->identity.name == 0);
}

static uint32_t size_with(struct function_parameter last)
{
	functions_case_start();
	given->parameters[1] = last;
	const struct function *function = discover();
	(void)trace_take();
	CHECK(function->n_parameters == (function->size ? 2 : 0));
	return function->size;
}

static void test_layouts(void)
{
	CHECK_EQUAL(size_with((struct function_parameter){7, 4}), 0);
	CHECK_EQUAL(size_with((struct function_parameter){9, 4}), 13);
	CHECK_EQUAL(size_with((struct function_parameter){65500, 35}), UINT16_MAX);
	CHECK_EQUAL(size_with((struct function_parameter){65500, 36}), 0);
	functions_case_start();
	given->n_refused = 1;
	CHECK_EQUAL(discover()->n_parameters, 0);
	(void)trace_take();
	/* The last one is never asked for: a buffer has as many bytes. */
	functions_case_start();
	given->n_parameters = CASE_PARAMETERS + 1;
	for (uint16_t i = 0; i <= CASE_PARAMETERS; i++)
		given->parameters[i] = (struct function_parameter){i, 1};
	const struct function *function = discover();
	CHECK(function->n_parameters == CASE_PARAMETERS && function->size == CASE_PARAMETERS);
	(void)trace_take();
}

/* A kernel that was confirmed, or may be destroyed by now, is not asked about. */
static void test_known(void)
{
	functions_case_start();
	uint64_t now = functions_generation_now();
	functions_case_confirm(now);
	CHECK(functions_of(&cache, kernel) == given->known);
	functions_case_confirm(FUNCTION_ENDING);
	CHECK(functions_of(&cache, kernel) == given->known);
	CHECK_TRACE("find 300find 300");
	functions_case_confirm(now - 1);
	given->is_ending = true;
	CHECK(!functions_of(&cache, kernel));
	CHECK_TRACE("find 300 (300find 300");
	given->is_ending = false;
	CHECK(functions_of(&cache, kernel) != given->known);
	(void)trace_take();
	CHECK(!functions_of(&cache, NULL));
	CHECK(functions_begin_question(kernel));
	functions_end_question(kernel);
	CHECK_TRACE(" (300 300)");
}

static void test_cache(void)
{
	static const struct function large = {.id = 8, .n_parameters = 3, .size = UINT16_MAX + 1};
	functions_case_start();
	const struct function_cache_entry *entry = functions_look_up(&cache, kernel);
	(void)trace_take();
	CHECK(entry == functions_cached(&cache, kernel));
	CHECK(entry->handle == kernel && entry->generation == functions_generation_now());
	CHECK(entry->n_parameters == 2 && entry->size == 12);
	CHECK(functions_of(&cache, kernel) == entry->function);
	CHECK_TRACE("");
	functions_miss(&cache, (CUfunction)0x301);
	CHECK(functions_cached(&cache, kernel));
	/* Two handles may share a slot, which keeps the newest. */
	uintptr_t twin = 0x308;
	while (functions_slot(&cache, (CUfunction)twin) != entry)
		twin += 8;
	functions_miss(&cache, (CUfunction)twin);
	CHECK(functions_cached(&cache, kernel));
	functions_miss(&cache, kernel);
	CHECK(!functions_cached(&cache, kernel) && !entry->handle && !entry->generation);
	given->other = &large;
	entry = functions_look_up(&cache, (CUfunction)twin);
	CHECK(entry->handle == (CUfunction)twin && entry->function == &large);
	CHECK(entry->id == 8 && entry->n_parameters == 3 && entry->size == UINT16_MAX);
	given->has_no_memory = true;
	const struct function_cache_entry *none = functions_look_up(&cache, kernel);
	CHECK(none != entry && !none->handle && !none->function && !none->id);
	CHECK(functions_look_up(&cache, NULL) == none);
	CHECK(functions_cached(&cache, (CUfunction)twin) == entry);
	(void)trace_take();
}

static void test_names(void)
{
	functions_case_start();
	functions_derived(NULL, (void *)0x100);
	functions_named(NULL, "n", (void *)0x100);
	functions_named((void *)0x400, NULL, (void *)0x100);
	CHECK_TRACE("");
	functions_derived((void *)0x400, (void *)0x100);
	CHECK_TRACE("400 from 100 ");
	functions_named((void *)0x400, "n", (void *)0x100);
	CHECK_TRACE("400 from 100 [ hold n takeget 400 put 400 21 drop 0]");
	given->name = 20;
	functions_named((void *)0x400, "n", (void *)0x100);
	CHECK_TRACE("400 from 100 [ hold n takeget 400 put 400 21 drop 20]");
	given->has_no_map = true;
	functions_named((void *)0x400, "n", (void *)0x100);
	CHECK_TRACE("400 from 100 [ hold n takeget 400 put 400 21 drop 21 drop 20]");
	given->has_no_strings = true;
	functions_named((void *)0x400, "n", (void *)0x100);
	CHECK_TRACE("400 from 100 [ hold n takeget 400 drop 20]");
}

static void test_unloaded(void)
{
	functions_case_start();
	uint64_t before = functions_generation_now();
	functions_unloaded();
	CHECK_TRACE("[clear drop 33]");
	CHECK_EQUAL(functions_generation_now(), before + 1);
	functions_loaded((void *)0x200);
	CHECK_TRACE("loaded 200");
	functions_gone((void *)0x200);
	CHECK_TRACE("forget 200 [clear drop 33]");
	CHECK_EQUAL(functions_generation_now(), before + 2);
	given->n_asked = 2;
	functions_ending((void *)0x200);
	CHECK_TRACE("end 200 [clear drop 33] asked 200 yield asked 200 yield asked 200");
	CHECK_EQUAL(functions_generation_now(), before + 3);
	/* For a second. */
	given->n_asked = 9;
	given->step_ns = 500 * 1000 * 1000;
	functions_ending((void *)0x200);
	CHECK_TRACE("end 200 [clear drop 33] asked 200 yield asked 200 yield asked 200");
	given->n_asked = 9;
	given->step_ns--;
	functions_ending((void *)0x200);
	CHECK_TRACE("end 200 [clear drop 33]"
		    " asked 200 yield asked 200 yield asked 200 yield asked 200");
}

static size_t copied;
static unsigned char bytes[40];

static size_t copy(const struct function *function, void *const *parameters, void *const *extra,
		   size_t capacity)
{
	memset(bytes, 0, sizeof(bytes));
	copied = 99;
	return functions_copy_arguments(function, parameters, extra, bytes, capacity, &copied);
}

/* A byte is 0 in gaps, and else as in the parameter. */
static void check_bytes(const char *wanted)
{
	char got[sizeof(bytes) + 1] = "";
	for (size_t i = 0; i < sizeof(bytes); i++)
		got[i] = bytes[i] ? (char)bytes[i] : '.';
	CHECK_EQUAL(strlen(wanted), copied);
	CHECK(strncmp(got, wanted, copied) == 0);
	CHECK(strspn(got + copied, ".") == sizeof(bytes) - copied);
}

static void test_arguments(void)
{
	static const struct function_parameter places[] = {{0, 4}, {8, 8}, {16, 3}, {20, 10}};
	struct function *function = calloc(1, functions_case_size(4));
	CHECK(function);
	function->n_parameters = 4;
	function->size = 30;
	memcpy(function->parameters, places, sizeof(places));
	char a[] = "abcdABCD", b[] = "efghijklEFGH", c[] = "mnoMNO", d[] = "pqrstuvwxyPQ";
	void *parameters[] = {a, b, c, d, NULL};
	CHECK_EQUAL(copy(function, parameters, NULL, 40), 30);
	check_bytes("abcd....efghijklmno.pqrstuvwxy");
	CHECK_EQUAL(copy(function, parameters, NULL, 30), 30);
	check_bytes("abcd....efghijklmno.pqrstuvwxy");
	CHECK_EQUAL(copy(function, parameters, NULL, 29), 30);
	check_bytes("abcd....efghijklmno");
	CHECK_EQUAL(copy(function, parameters, NULL, 15), 30);
	check_bytes("abcd");
	CHECK_EQUAL(copy(function, parameters, NULL, 3), 30);
	check_bytes("");
	parameters[2] = NULL;
	CHECK_EQUAL(copy(function, parameters, NULL, 40), 30);
	check_bytes("abcd....efghijkl");
	parameters[0] = NULL;
	CHECK_EQUAL(copy(function, parameters, NULL, 40), 30);
	check_bytes("");
	CHECK_EQUAL(copy(function, NULL, NULL, 40), 0);
	check_bytes("");
	free(function);
}

static void test_buffer(void)
{
	static const struct function none = {0};
	char buffer[] = "abcdefgh";
	size_t size = 8;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
			 CU_LAUNCH_PARAM_END};
	CHECK_EQUAL(copy(&none, NULL, extra, 40), 8);
	check_bytes("abcdefgh");
	CHECK_EQUAL(copy(&none, NULL, extra, 7), 8);
	check_bytes("abcdefg");
	extra[2] = CU_LAUNCH_PARAM_END;
	CHECK_EQUAL(copy(&none, NULL, extra, 40), 0);
	check_bytes("");
	extra[0] = CU_LAUNCH_PARAM_BUFFER_SIZE;
	extra[1] = &size;
	CHECK_EQUAL(copy(&none, NULL, extra, 40), 0);
	CHECK_EQUAL(copied, 0);
	extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
	extra[1] = buffer;
	extra[2] = (void *)7;
	CHECK_EQUAL(copy(&none, NULL, extra, 40), 0);
	CHECK_EQUAL(copied, 0);
}

/* Under a tool that lists rejected calls, only what surely succeeds is asked. */
static void test_observed(void)
{
	functions_case_start();
	functions_start();
	CHECK_EQUAL(discover()->n_parameters, 2);
	(void)trace_take();
	given->has_observer = true;
	functions_start();
	given->name = 31;
	CHECK_EQUAL(discover()->n_parameters, 0);
	CHECK_TRACE("find 300 (300 memory 0 image 0 300[get 300 again 31] put 300)"
		    " discovered 300 6");
	CHECK_EQUAL(given->identity.name, 31);
	given->name = 0;
	(void)discover();
	CHECK_TRACE("find 300 (300 memory 0 image 0 300[get 300 again 0] function name 300 hold f"
		    " put 300) discovered 300 6");
	CHECK_EQUAL(given->n_parameter_questions, 3 + 2);
}

int main(void)
{
	test_described();
	test_old_driver();
	test_layouts();
	test_known();
	test_cache();
	test_names();
	test_unloaded();
	test_arguments();
	test_buffer();
	test_observed();
	return 0;
}
