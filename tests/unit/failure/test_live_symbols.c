/*
 * test_live_symbols.c - names of functions by the dynamic loader. The offset of a frame is that of
 * its return address, which is after the call.
 */
#include "failure/live_symbols.h"

#include <dlfcn.h>
#include <string.h>

#include "support/check.h"

void named_function(void);
void named_function(void)
{
	CHECK(false); /* It is not called. */
}

static const char *name_at(uint64_t bias, uint64_t offset)
{
	const struct module_row module = {.bias = bias};
	struct source_frame frame = {.function = NULL, .line = 7};
	size_t n = live_symbols.frames(NULL, 1, bias ? &module : NULL, "module", offset, &frame, 1);
	CHECK(n <= 1);
	CHECK_EQUAL(n, frame.function != NULL);
	CHECK_EQUAL(frame.line, n ? 0 : 7);
	return n ? frame.function : "";
}

static void test_function(void)
{
	uint64_t start = (uintptr_t)&named_function;
	CHECK_STRING(name_at(0, start + 1), "named_function");
	CHECK_STRING(name_at(0x1000, start + 1 - 0x1000), "named_function");
	/* A call that ends right before the function is in another one. */
	CHECK(strcmp(name_at(0, start), "named_function") != 0);
}

/* Without room, a module or a symbol there, no frame is written. */
static void test_no_frame(void)
{
	struct source_frame frame;
	Dl_info info;
	uint64_t start = (uintptr_t)&named_function;
	CHECK_EQUAL(live_symbols.frames(NULL, 1, NULL, "module", start + 1, NULL, 0), 0);
	CHECK_EQUAL(live_symbols.frames(NULL, 1, NULL, "module", start + 1, &frame, 1), 1);
	CHECK_STRING(name_at(0, 16), "");
	CHECK(dladdr((const void *)(uintptr_t)start, &info)); // NOLINT(performance-no-int-to-ptr)
	CHECK_STRING(name_at(0, (uintptr_t)info.dli_fbase + 1), "");
}

int main(void)
{
	test_function();
	test_no_frame();
	return 0;
}
