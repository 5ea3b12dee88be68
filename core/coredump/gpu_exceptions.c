/*
 * gpu_exceptions.c - meaning of exceptions, from gpu_exception_codes.def.
 */
#include "coredump/gpu_exceptions.h"

enum scope { SCOPE_NONE, WARP, DEVICE };

/* CUresults, as in cuda.h. */
enum {
	RESULT_UNKNOWN = 0,
	RESULT_ILLEGAL_ADDRESS = 700,
	RESULT_ASSERT = 710,
	RESULT_ILLEGAL_INSTRUCTION = 715,
	RESULT_LAUNCH_FAILED = 719,
};

struct exception_facts {
	int32_t result;
	enum scope scope;
	const char *text;
};

static const struct exception_facts exceptions[GPU_MAX_EXCEPTIONS] = {
#define GPU_EXCEPTION(code, name, result_, scope_, text_) [code] = {result_, scope_, text_},
#include "coredump/gpu_exception_codes.def"
#undef GPU_EXCEPTION
};

const char *gpu_exception_text(uint32_t exception)
{
	if (exception == GPU_EXCEPTION_NONE)
		return "trap";
	if (exception >= GPU_MAX_EXCEPTIONS || !exceptions[exception].text)
		return "exception";
	return exceptions[exception].text;
}

bool gpu_fault_is_any(const struct gpu_fault *fault)
{
	return fault->exceptions != 0 || fault->has_trap || fault->n_grids > 0 || fault->is_partial;
}

static bool has_exception(const struct gpu_fault *fault, enum gpu_exception exception)
{
	return exception > GPU_EXCEPTION_NONE && exception < GPU_MAX_EXCEPTIONS &&
	       (fault->exceptions >> exception & 1);
}

/* True if a warp ran data as code. Its illegal instruction then counts as an illegal address. */
static bool ran_data(const struct gpu_fault *fault)
{
	return fault->exceptions == 1u << GPU_EXCEPTION_WARP_ILLEGAL_INSTRUCTION &&
	       fault->n_grids == 1 && fault->n_locations == 0 && !fault->is_partial &&
	       fault->grids[0].location.is_data;
}

/* True if the exception leads to the code. With dumps on, asserts and run data have two codes. */
static bool ends_in(const struct gpu_fault *fault, const struct exception_facts *facts,
		    int32_t code)
{
	return facts->result == code ||
	       (facts->result == RESULT_ASSERT && code == RESULT_LAUNCH_FAILED) ||
	       (facts->result == RESULT_ILLEGAL_INSTRUCTION && code == RESULT_ILLEGAL_ADDRESS &&
		ran_data(fault));
}

bool gpu_fault_fits(const struct gpu_fault *fault, int32_t code)
{
	if (fault->exceptions == 0)
		return fault->is_partial || code == RESULT_LAUNCH_FAILED;
	for (uint32_t i = 1; i < GPU_MAX_EXCEPTIONS; i++) {
		if ((fault->exceptions >> i & 1) && (exceptions[i].result == RESULT_UNKNOWN ||
						     ends_in(fault, &exceptions[i], code)))
			return true;
	}
	return false;
}

bool gpu_fault_is_retold(const struct gpu_fault *fault)
{
	return has_exception(fault, GPU_EXCEPTION_WARP_ASSERT) || ran_data(fault);
}

int32_t gpu_fault_result(const struct gpu_fault *fault)
{
	if (ran_data(fault))
		return RESULT_ILLEGAL_ADDRESS;
	for (uint32_t i = 1; i < GPU_MAX_EXCEPTIONS; i++) {
		if ((fault->exceptions >> i & 1) && exceptions[i].result != RESULT_UNKNOWN)
			return exceptions[i].result;
	}
	return RESULT_LAUNCH_FAILED;
}

bool gpu_fault_proves(const struct gpu_fault *fault, int32_t code)
{
	if (fault->is_partial)
		return false;
	if (fault->exceptions == 0)
		return fault->has_trap && code == RESULT_LAUNCH_FAILED;
	if (fault->has_trap || (fault->exceptions & (fault->exceptions - 1)) != 0)
		return false;
	const struct exception_facts *facts = &exceptions[__builtin_ctz(fault->exceptions)];
	return facts->scope == WARP && ends_in(fault, facts, code);
}
