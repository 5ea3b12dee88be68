/*
 * where.h - print the library of an address, so that the pitfall tests can check what a look-up
 * returned.
 */
#ifndef CULPRIT_TESTS_WHERE_H
#define CULPRIT_TESTS_WHERE_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Print "WHAT: SYMBOL in LIBRARY", or "WHAT: none". */
static inline void print_where(const char *what, void *address)
{
	Dl_info info = {0};
	const char *slash;

	if (!address || !dladdr(address, &info)) {
		printf("%s: none\n", what);
		return;
	}
	slash = strrchr(info.dli_fname, '/');
	printf("%s: %s in %s\n", what, info.dli_sname ? info.dli_sname : "?",
	       slash ? slash + 1 : info.dli_fname);
}

#endif
