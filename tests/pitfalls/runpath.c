/*
 * runpath.c - open a library by its bare name, which only the program's own RUNPATH finds; an
 * interposer of dlopen would search its own RUNPATH.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *library = dlopen("librunpath-target.so", RTLD_NOW);

	printf("%s\n", library ? "found" : dlerror());
	return 0;
}
