/*
 * runtime_doors.c - the one function of the runtime that culprit exports. Frameworks take the text
 * of their exceptions from it, and libcudart has its own texts, without asking the driver. A
 * statically linked runtime is out of reach.
 */
#include <errno.h>
#include <stdint.h>

#include "base/elf_lookup.h"
#include "entry/entry.h"
#include "failure/error_string.h"

/* As in driver_types.h and cuda_runtime_api.h; the sticky codes equal the driver's. */
typedef const char *error_string_function(int error);
EXPORT error_string_function cudaGetErrorString;

/*
 * Return the real function: that of the libcudart which the caller is linked with, since a process
 * may have several. For a caller that got us by dlsym, or tail-calls us, it is the next one after
 * us. Not cached, because a library may be unloaded. Reads what the loader has mapped, so dlerror
 * stays the caller's.
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
	/* Weakly referenced, without any runtime: use the runtime's text for unknown codes. */
	const char *text = real_function ? real_function(error) : "unrecognized error code";
	error_string_annotate((CUresult)error, &text);
	errno = saved_errno;
	return text;
}
