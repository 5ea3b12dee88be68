/*
 * runtime_doors.c - the one function of the runtime that culprit exports. Frameworks take the text
 * of their exceptions from it, and libcudart has texts of its own: it never asks the driver. Where
 * a program has its runtime linked in statically nothing leads here.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "base/elf_lookup.h"
#include "entry/entry.h"
#include "failure/error_string.h"

/* As driver_types.h and cuda_runtime_api.h have it; the codes that are sticky are the driver's. */
typedef const char *error_string_function(int error);
EXPORT error_string_function cudaGetErrorString;

/*
 * The real function: that of the libcudart which the caller is linked with, since a process may
 * have several; else, for who got us by dlsym or jumps here at its end, the next one behind us.
 * Nothing is kept: a library may go. Found by reading what the loader has mapped: dlerror stays the
 * caller's.
 */
static error_string_function *find_real(const void *caller)
{
	static const char name[] = "cudaGetErrorString";
	const void *ours = (const void *)(uintptr_t)find_real;
	void *address = elf_symbol_of_caller(name, caller, ours);
	if (!address)
		address = elf_next_symbol(name, ours);
	return (error_string_function *)(uintptr_t)address;
}

EXPORT const char *cudaGetErrorString(int error)
{
	int saved_errno = errno;
	error_string_function *real_function = find_real(__builtin_return_address(0));
	/* A weak reference without any runtime: what it says of codes that it does not know. */
	const char *text = real_function ? real_function(error) : "unrecognized error code";
	error_string_annotate((CUresult)error, &text);
	errno = saved_errno;
	return text;
}
