/*
 * runpath.c - opens a library by its bare name, which only the program's own RUNPATH leads to: an
 * interposer of dlopen would look with its own.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *library = dlopen("librunpath-target.so", RTLD_NOW);

	printf("%s\n", library ? "found" : dlerror());
	return 0;
}
