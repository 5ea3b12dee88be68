/*
 * nccl_kernel.c - find NCCL's prefixes at the start of an identifier, mangled or not.
 */
#include "analysis/nccl_kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * A mangled C++ identifier has its length before it. Return the length of the identifier at `at`;
 * SIZE_MAX if the whole name is not mangled, or 0 if no identifier starts there.
 */
static size_t identifier_length(const char *name, const char *at)
{
	const char *digits = at;
	while (digits > name && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits < at)
		return strtoul(digits, NULL, 10);
	return at == name ? SIZE_MAX : 0;
}

/* Return what follows `prefix` in an identifier that starts with it, and its length; or NULL. */
static const char *find_rest(const char *name, const char *prefix, size_t *out_length)
{
	size_t prefix_length = strlen(prefix);
	const char *at = strstr(name, prefix);
	size_t length = at ? identifier_length(name, at) : 0;
	if (length <= prefix_length)
		return NULL;
	*out_length = length - prefix_length;
	return at + prefix_length;
}

bool nccl_kernel_read(const struct bundle_view *view, const struct journal_record *record,
		      char out[NCCL_KERNEL_SIZE])
{
	const struct function_row *function =
		record->work == WORK_KERNEL ? view_function(view, record->launch.function) : NULL;
	const char *name = function ? view_string(view, function->name, NULL) : "";
	size_t most = 0;
	const char *rest = find_rest(name, "ncclDevKernel_", &most);
	if (!rest)
		rest = find_rest(name, "ncclKernel_", &most);
	if (!rest)
		return false;
	size_t length = 0;
	while (length < most && length < NCCL_KERNEL_SIZE - 1 &&
	       (isalnum((unsigned char)rest[length]) || rest[length] == '_'))
		length++;
	if (!length)
		return false;
	memcpy(out, rest, length);
	out[length] = '\0';
	return true;
}
