/*
 * test_code_handles.c - trees of handles: what is destroyed with what, even if handles are reused.
 */
#include "record/objects/code_handles.h"
#include "support/check.h"

enum { LIBRARY = 1, MODULE, KERNEL, FUNCTION, OTHER, N_HANDLES = 40, N_STEPS = 200000 };

static uint32_t count(uint64_t root)
{
	const struct code_handle *first = code_handles_find(root);
	uint32_t n = 0;
	for (const struct code_handle *at = first; at; at = code_handles_after(first, at))
		n++;
	return n;
}

static void forget(uint64_t handle)
{
	struct code_handle *root = code_handles_find(handle);
	while (root && root->first)
		code_handles_forget(code_handles_leaf(root));
	if (root)
		code_handles_forget(root);
}

static bool is_ending(uint64_t handle)
{
	return code_handles_is_ending(code_handles_find(handle));
}

static void derive_all(void)
{
	code_handles_derive(FUNCTION, KERNEL); /* before it is known where that is from */
	code_handles_derive(KERNEL, LIBRARY);
	code_handles_derive(MODULE, LIBRARY);
	code_handles_derive(OTHER, MODULE);
}

static void test_tree(void)
{
	derive_all();
	CHECK_EQUAL(count(LIBRARY), 5);
	CHECK_EQUAL(count(KERNEL), 2);
	CHECK_EQUAL(count(OTHER), 1);
	code_handles_find(MODULE)->is_ending = true;
	CHECK(is_ending(OTHER) && is_ending(MODULE) && !is_ending(KERNEL) && !is_ending(LIBRARY));
	code_handles_find(LIBRARY)->is_ending = true;
	CHECK(is_ending(FUNCTION));
	forget(LIBRARY);
	for (uint64_t handle = LIBRARY; handle <= OTHER; handle++)
		CHECK(!code_handles_find(handle));
	CHECK(!code_handles_is_ending(NULL));
}

/* A handle that is reused elsewhere is no longer what it was. */
static void test_moved(void)
{
	derive_all();
	code_handles_find(LIBRARY)->is_ending = true;
	code_handles_derive(KERNEL, N_HANDLES);
	CHECK(!is_ending(KERNEL) && !is_ending(FUNCTION));
	CHECK_EQUAL(count(LIBRARY), 3);
	CHECK_EQUAL(count(N_HANDLES), 3);
	forget(LIBRARY);
	forget(N_HANDLES);
}

/* A handle from above is reused below. */
static void test_circle(void)
{
	derive_all();
	code_handles_derive(LIBRARY, OTHER);
	CHECK_EQUAL(count(OTHER), 5);
	CHECK_EQUAL(count(MODULE), 1);
	code_handles_derive(LIBRARY, LIBRARY);
	CHECK_EQUAL(count(LIBRARY), 4);
	forget(OTHER);
	CHECK(!code_handles_find(LIBRARY) && !code_handles_find(FUNCTION));
}

static bool is_below(const struct code_handle *code, const struct code_handle *root)
{
	for (int depth = 0; code && code != root; code = code->owner, depth++)
		CHECK(depth < N_HANDLES);
	return code;
}

/* Each tree has exactly the handles whose owners lead to its root. */
static void check_trees(void)
{
	for (uint64_t root = 1; root <= N_HANDLES; root++) {
		uint32_t n = 0;
		for (uint64_t handle = 1; handle <= N_HANDLES; handle++)
			n += code_handles_find(root) && code_handles_find(handle) &&
			     is_below(code_handles_find(handle), code_handles_find(root));
		CHECK_EQUAL(count(root), n);
	}
}

static void test_random(void)
{
	srand(1);
	for (int i = 0; i < N_STEPS; i++) {
		uint64_t handle = 1 + (uint64_t)rand() % N_HANDLES;
		if (rand() % 4)
			code_handles_derive(handle, 1 + (uint64_t)rand() % N_HANDLES);
		else
			forget(handle);
		if (i % 64 == 0)
			check_trees();
	}
}

/* Forgotten handles are used again, the newest first, so that loading for ever takes no memory. */
static void test_reused(void)
{
	const struct code_handle *first = code_handles_make(N_HANDLES + 3);
	const struct code_handle *second = code_handles_make(N_HANDLES + 4);
	forget(N_HANDLES + 3);
	forget(N_HANDLES + 4);
	CHECK(code_handles_make(N_HANDLES + 5) == second);
	CHECK(code_handles_make(N_HANDLES + 6) == first);
	CHECK(code_handles_make(N_HANDLES + 6) == first);
	CHECK_EQUAL(first->handle, N_HANDLES + 6);
}

static void test_nothing(void)
{
	code_handles_derive(0, N_HANDLES + 1);
	code_handles_derive(N_HANDLES + 2, 0);
	CHECK(!code_handles_find(0) && !code_handles_make(0));
	CHECK(!code_handles_find(N_HANDLES + 2)->owner);
}

int main(void)
{
	test_tree();
	test_moved();
	test_circle();
	test_random();
	test_reused();
	test_nothing();
	return 0;
}
