/* stacks_code.c - code that is loaded and unloaded, and code that is deep in calls. */
#include <alloca.h>
#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "callbacks.h"
#include "host.h"
#include "stacks.h"
#include "stacks_code.h"

#define NOINLINE __attribute__((noinline))

enum { MAX_DEPTH = 1500, MAX_ARRAY = 20000 };

static int launch(void)
{
	chaos_launch();
	return 0;
}

/* Close the library by the C library's own dlclose, which culprit does not interpose. */
static int close_unseen(void *library)
{
	static int (*close_library)(void *);

	if (!close_library) {
		void *libc = dlopen(LIBC_SO, RTLD_NOW);
		void *symbol = libc ? dlsym(libc, "dlclose") : NULL;

		NEED_TRUE(symbol);
		memcpy(&close_library, &symbol, sizeof(symbol));
	}
	return close_library(library);
}

/*
 * The libraries are in the lib/ folder next to the bin/ folder whose tests/ folder holds this
 * program.
 */
static void *load(const char *name)
{
	char program[PATH_MAX], path[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	NEED_TRUE(length > 0);
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	snprintf(path, sizeof(path), "%s/../../lib/%s", program, name);
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/*
 * Launch from a library that is built from tests/stack/stale.c and unloaded afterwards. Both
 * libraries have the same code at the same place, except for the size of its frame.
 */
void chaos_unloaded(void)
{
	static const char *const names[] = {"libstale_200.so", "libstale_400.so"};
	void *library = load(names[chaos_random(2)]);
	void *symbol = library ? dlsym(library, "work") : NULL;
	int (*work)(int (*)(void));

	NEED_TRUE(symbol);
	memcpy(&work, &symbol, sizeof(work));
	NEED_TRUE(work(launch) == 0);
	NEED_TRUE(close_unseen(library) == 0);
}

/*
 * The first generated function stays registered with the compiler's unwinder for good. Later ones
 * are not registered and are unmapped right after the launch.
 */
void chaos_generated(void)
{
	static struct generated described;
	static int has_described; /* atomic */

	if (!__atomic_exchange_n(&has_described, 1, __ATOMIC_ACQ_REL)) {
		described = generated_make();
		generated_register(&described);
		described.call(chaos_launch);
		return;
	}
	struct generated code = generated_make();
	code.call(chaos_launch);
	NEED_TRUE(munmap(code.page, code.size) == 0);
}

static NOINLINE int descend(unsigned depth)
{
	volatile char *array = alloca(chaos_random(64) ? 16 : 16 + chaos_random(MAX_ARRAY));

	array[0] = 0;
	if (depth)
		return descend(depth - 1) + array[0];
	chaos_launch();
	return array[0];
}

void chaos_deep(void)
{
	(void)descend(chaos_random(chaos_random(8) ? 200 : MAX_DEPTH));
}
