/*
 * proc_address.c - cuGetProcAddress. A name stands for a family of variants: name, name_v2 and so
 * on, with per-thread forms. The result is the newest variant that both the caller's version and
 * the driver's version have; it is the address that dlsym returns.
 */
#include <stdbool.h>
#include <string.h>

#include "base/driver_calls.h"
#include "entry.h"
#include "entry/age.h"
#include "settings.h"

/*
 * Aliases of the exported functions. Another library may export the same names before us, and the
 * exported names would then give its addresses.
 */
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	extern CUresult own_##name params __attribute__((visibility("hidden")));
#include "base/driver_calls.def"
#undef DRIVER_CALL

typedef void (*entry_point)(void);

static const entry_point entry_points[N_DRIVER_CALLS] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = (entry_point)own_##name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

/* Return the length of a name without its suffixes, such as _v2 and _ptsz. */
static size_t base_length(const char *name)
{
	size_t length = strlen(name);
	if (length > 5 &&
	    (strcmp(name + length - 5, "_ptsz") == 0 || strcmp(name + length - 5, "_ptds") == 0))
		length -= 5;
	if (length > 3 && name[length - 3] == '_' && name[length - 2] == 'v' &&
	    name[length - 1] >= '0' && name[length - 1] <= '9')
		length -= 3;
	return length;
}

static bool is_variant_of(const struct driver_call_facts *call, const char *symbol)
{
	size_t length = base_length(call->name);
	if (strcmp(call->name, symbol) == 0)
		return true;
	return strlen(symbol) == length && strncmp(call->name, symbol, length) == 0;
}

/* Compare two variants that both qualify. */
static bool is_better(const struct driver_call_facts *call, const struct driver_call_facts *best,
		      const char *symbol, bool want_per_thread)
{
	if (strcmp(best->name, symbol) == 0 && base_length(symbol) != strlen(symbol))
		return false; /* the full name of `best` was asked for */
	if (call->since != best->since)
		return call->since > best->since;
	return call->is_default_per_thread == want_per_thread;
}

static CUdriverProcAddressQueryResult find(const char *symbol, int version, bool want_per_thread,
					   void **out_address)
{
	const struct driver_call_facts *best = NULL;
	bool is_known = false;
	for (int i = 0; i < N_DRIVER_CALLS; i++) {
		const struct driver_call_facts *call = &driver_calls[i];
		if (!is_variant_of(call, symbol) || age_lacks((enum driver_call)i))
			continue;
		is_known = true;
		if (call->since > version || (call->is_default_per_thread && !want_per_thread))
			continue;
		if (!best || is_better(call, best, symbol, want_per_thread))
			best = call;
	}
	if (!best)
		return is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
				: CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	memcpy(out_address, &entry_points[best - driver_calls], sizeof(*out_address));
	return CU_GET_PROC_ADDRESS_SUCCESS;
}

CUresult sim_cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
				 CUdriverProcAddressQueryResult *symbolStatus)
{
	if (!symbol || !pfn || cudaVersion > settings.driver_version || flags > 2)
		return CUDA_ERROR_INVALID_VALUE;
	*pfn = NULL;
	CUdriverProcAddressQueryResult status = find(
		symbol, cudaVersion, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, pfn);
	if (symbolStatus)
		*symbolStatus = status;
	return status == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult sim_cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags)
{
	return sim_cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, NULL);
}
