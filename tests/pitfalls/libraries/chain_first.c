/*
 * chain_first.c - a library that wraps a function and asks RTLD_NEXT for the next definition.
 */
#include <dlfcn.h>
#include <stdint.h>

const char *chain_name(void);
const char *chain_next(void);
const char *chain_default(void);

const char *chain_name(void)
{
	return "first";
}

const char *chain_next(void)
{
	const char *(*next)(void) =
		(const char *(*)(void))(uintptr_t)dlsym(RTLD_NEXT, "chain_name");

	return next ? next() : "nothing";
}

/* This symbol is not in the global scope; only this library's own dependencies have it. */
const char *chain_default(void)
{
	const char *(*hidden)(void) =
		(const char *(*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "chain_second_only");

	return hidden ? hidden() : "nothing";
}
