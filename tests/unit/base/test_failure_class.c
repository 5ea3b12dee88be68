/*
 * test_failure_class.c - failures.def against cuda.h, and what each row answers.
 */
#include "base/failure_class.h"

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "support/check.h"

/* The names of failures.def are constants of cuda.h: a wrong code does not compile. */
#define FAILURE(code, name, raised_by, text) \
	static_assert((code) == (int)name, #name " has another value in cuda.h");
#include "base/failures.def"
#undef FAILURE

static void test_rows(void)
{
#define FAILURE(code, name, raised_by, text_)    \
	CHECK(failure_is_sticky(name));          \
	CHECK_STRING(failure_name(code), #name); \
	CHECK_STRING(failure_text(code), text_);
#include "base/failures.def"
#undef FAILURE
}

static void test_not_sticky(void)
{
	const int32_t codes[] = {CUDA_SUCCESS,
				 CUDA_ERROR_INVALID_VALUE,
				 CUDA_ERROR_OUT_OF_MEMORY,
				 CUDA_ERROR_DEINITIALIZED,
				 CUDA_ERROR_INVALID_CONTEXT,
				 CUDA_ERROR_NOT_READY,
				 CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
				 -1,
				 999};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		CHECK(!failure_is_sticky(codes[i]));
		CHECK(failure_name(codes[i]) == NULL);
		CHECK(failure_text(codes[i]) == NULL);
	}
}

static void test_who_can_raise(void)
{
	CHECK(failure_may_come_from(CUDA_ERROR_ASSERT, WORK_KERNEL));
	CHECK(failure_may_come_from(CUDA_ERROR_ASSERT, WORK_GRAPH));
	CHECK(!failure_may_come_from(CUDA_ERROR_ASSERT, WORK_COPY));
	CHECK(!failure_may_come_from(CUDA_ERROR_ASSERT, WORK_MEMSET));
	CHECK(!failure_may_come_from(CUDA_ERROR_ASSERT, WORK_MEMOP));
	CHECK(!failure_may_come_from(CUDA_ERROR_ASSERT, WORK_HOST_FUNC));
	CHECK(failure_may_come_from(CUDA_ERROR_ILLEGAL_ADDRESS, WORK_COPY));
	CHECK(failure_may_come_from(CUDA_ERROR_ILLEGAL_ADDRESS, WORK_MEMOP));
	CHECK(!failure_may_come_from(CUDA_ERROR_ILLEGAL_ADDRESS, WORK_HOST_FUNC));
	CHECK(!failure_may_come_from(CUDA_ERROR_ECC_UNCORRECTABLE, WORK_KERNEL));
	CHECK(failure_is_hardware(CUDA_ERROR_ECC_UNCORRECTABLE));
	CHECK(!failure_is_hardware(CUDA_ERROR_ILLEGAL_ADDRESS));
	/* An unknown code or an unknown kind of work clears nothing. */
	CHECK(failure_may_come_from(12345, WORK_COPY));
	CHECK(failure_may_come_from(CUDA_ERROR_ASSERT, 99));
}

int main(void)
{
	test_rows();
	test_not_sticky();
	test_who_can_raise();
	return 0;
}
