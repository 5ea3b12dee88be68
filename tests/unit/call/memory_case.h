/*
 * memory_case.h - runs the stages of calls that make or free memory, on a simulated recorder.
 */
#ifndef CULPRIT_TESTS_MEMORY_CASE_H
#define CULPRIT_TESTS_MEMORY_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"

extern struct memory_case {
	bool has_context, has_stream, has_failed;
	uint64_t granted; /* bytes, as the explanation of a later refusal needs them */
} memory_case;

/* Run the stages of a call that returned the result, and trace what they ask for. */
void memory_case_allocated(enum driver_call id, const void *args, CUresult result);
void memory_case_freed(enum driver_call id, const void *args, CUresult result);

/* Let the call end a context. */
void memory_case_context_ended(enum driver_call id, uint32_t context_id);

#define ALLOCATED(name, ...) \
	memory_case_allocated(CALL_##name, &(const struct args_##name){__VA_ARGS__}, CUDA_SUCCESS)
#define REFUSED(result, name, ...) \
	memory_case_allocated(CALL_##name, &(const struct args_##name){__VA_ARGS__}, result)
#define FREED(result, name, ...) \
	memory_case_freed(CALL_##name, &(const struct args_##name){__VA_ARGS__}, result)

#endif
