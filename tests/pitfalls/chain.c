/*
 * chain.c - open chain_first (which is linked with chain_second) in a local scope. The results of
 * RTLD_NEXT and RTLD_DEFAULT there depend on the address that makes the look-up.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static void ask(void *library, const char *name)
{
	const char *(*function)(void) = (const char *(*)(void))(uintptr_t)dlsym(library, name);

	printf("%s: %s\n", name, function ? function() : dlerror());
}

int main(void)
{
	void *first = dlopen("libchain-first.so", RTLD_NOW | RTLD_LOCAL);

	if (!first) {
		printf("%s\n", dlerror());
		return 1;
	}
	ask(first, "chain_name");
	ask(first, "chain_next");
	ask(first, "chain_default");
	ask(RTLD_DEFAULT, "chain_name");
	return 0;
}
