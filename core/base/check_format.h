/*
 * check_format.h - what a checking kernel is asked and what it answers. The host, the kernel
 * (shim/check/kernels/check.cu) and simcuda share it. C and C++, on the host and on the GPU.
 */
#ifndef CULPRIT_BASE_CHECK_FORMAT_H
#define CULPRIT_BASE_CHECK_FORMAT_H

#include <stdint.h>

/* The same order as enum value_type of the tools, which adds none in between. */
enum check_type {
	CHECK_GUESS, /* the kernel guesses the type from the first 4096 bytes */
	CHECK_F32,
	CHECK_F64,
	CHECK_F16,
	CHECK_BF16,
	CHECK_I32,
	CHECK_I64,
	CHECK_U8,
	CHECK_E4M3, /* 8 bits, as __nv_fp8_e4m3 */
	CHECK_E5M2,
	N_CHECK_TYPES
};

enum {
	CHECK_MAX_RANGES = 16,
	CHECK_THREADS = 256,     /* of a block */
	CHECK_MAX_BLOCKS = 512,  /* of one range */
	CHECK_CHUNK_BYTES = 16,  /* what a thread reads at once */
	CHECK_GUESS_BYTES = 4096 /* what a guess is based on */
};

enum check_flags {
	CHECK_NAN_IS_ODD = 1,
	CHECK_INFINITY_IS_ODD = 2,
	CHECK_TYPE_WAS_GUESSED = 256, /* in a result's flags only */
};

struct check_range {
	uint64_t address; /* of the device */
	uint64_t bytes;
	uint32_t type; /* enum check_type; of CHECK_GUESS bits from 8 on: of what is no integer */
	uint32_t reserved;
};

/* A summary of one range. */
struct check_result {
	uint64_t n; /* elements */
	uint64_t n_nan, n_infinite;
	uint64_t first_nan, first_infinite; /* indexes, UINT64_MAX without any */
	double min, max, sum;               /* of the finite values; 0 without any */
	uint64_t checksum;                  /* of the bytes, depends on their order */
	uint32_t type;                      /* enum check_type, never CHECK_GUESS */
	uint32_t flags;                     /* enum check_flags */
	uint32_t run;                       /* number of the check's run, from 1 */
	uint32_t reserved;
};

/* In host memory: the answers of one check, which may run many times (in a graph). */
struct check_answer {
	uint32_t run; /* atomic: newest complete run, from 1; 0: none yet. Written last */
	uint32_t n_ranges;
	uint64_t reserved;
	struct check_result newest[CHECK_MAX_RANGES];
	/* The first run in which the range had an odd value (enum check_flags); run 0: none yet. */
	struct check_result first_odd[CHECK_MAX_RANGES];
};

/* In device memory, 0 before the first run. The kernel leaves all but `runs` as it was. */
struct check_sums {
	uint64_t n_nan, n_infinite;
	uint64_t first_nan, first_infinite; /* their complement, of which the greatest counts */
	uint64_t min, max;                  /* ordered as numbers, min as its complement; 0: none */
	double sum;
	uint64_t checksum;
	uint32_t n_done;  /* blocks */
	uint32_t is_kept; /* first_odd is written; never reset */
};

struct check_scratch {
	uint32_t n_done; /* ranges */
	uint32_t runs;
	uint64_t reserved;
	struct check_sums sums[CHECK_MAX_RANGES];
};

/* The kernel's only parameter, by value. The grid is blocks x ranges. */
struct check_order {
	uint64_t answer;  /* struct check_answer, as the GPU addresses it */
	uint64_t scratch; /* struct check_scratch */
	uint32_t n_ranges;
	uint32_t flags; /* enum check_flags */
	struct check_range ranges[CHECK_MAX_RANGES];
};

#define CHECK_KERNEL_NAME "culprit_check"

#endif
