/*
 * open_constructor.c - open the library whose constructor makes calls, and close a library again.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static void close_library(void)
{
	void *library = dlopen("libother-names.so", RTLD_NOW);

	printf("dlclose: %d\n", dlclose(library));
	printf("%s\n",
	       dlopen("libother-names.so", RTLD_NOW | RTLD_NOLOAD) ? "still there" : "gone");
}

int main(void)
{
	void *library = dlopen("libconstructor.so", RTLD_NOW);
	void (*finish)(void) = (void (*)(void))(uintptr_t)dlsym(library, "constructor_finish");

	finish();
	close_library();
	return 0;
}
