/*
 * check_format.h - the parameter of the checking kernels and their answers. The host, the kernels
 * (shim/check/kernels/check.cu) and simcuda share it. C and C++, on the host and on the GPU.
 *
 * There are two kernels with the same parameter. CHECK_KERNEL_NAME summarises every range in every
 * run. CHECK_SCAN_NAME looks for odd values only, and reads a sample of long ranges. It summarises
 * a range once, in the first run in which it finds some.
 */
#ifndef CULPRIT_BASE_CHECK_FORMAT_H
#define CULPRIT_BASE_CHECK_FORMAT_H

#include <stdint.h>

/* Types of numbers, as in the journal; enum value_type of the tools is made of them. */
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
	CHECK_MAX_RANGES = 16,                     /* of one kernel's arguments */
	CHECK_ORDER_RANGES = 2 * CHECK_MAX_RANGES, /* of one check, which may serve two kernels */
	CHECK_MAX_BYTES = 64 << 20,                /* of one range */
	CHECK_THREADS = 256,                       /* of a block */
	CHECK_MAX_BLOCKS = 512,                    /* of one range */
	CHECK_CHUNK_BYTES = 16,                    /* read by one instruction of a thread */
	CHECK_THREAD_CHUNKS = 4, /* of a thread, before a range takes more blocks */
	CHECK_LINE_CHUNKS = 8,   /* of a line of the GPU's caches */
	CHECK_SAMPLE_LINES = 16, /* of which a sample has one */
	CHECK_WHOLE_PART = 8,    /* of the longest range that is read in full: before a sample */
	CHECK_GUESS_BYTES = 4096 /* the type is guessed from these */
};

enum check_flags {
	CHECK_NAN_IS_ODD = 1,
	CHECK_INFINITY_IS_ODD = 2,
	CHECK_ODD_ONLY = 4,           /* for CHECK_SCAN_NAME */
	CHECK_TYPE_WAS_GUESSED = 256, /* in a result's flags only */
};

struct check_range {
	uint64_t address; /* of the device */
	uint64_t bytes;
	uint32_t type;    /* enum check_type; with CHECK_GUESS, bits from 8 on name a float type */
	uint32_t place;   /* of its results in the answer; no two ranges share one */
	uint32_t version; /* from 1; a place keeps the first odd result of each version anew */
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
	uint32_t run;                       /* number of the check's run, from 1; 0: no result */
	uint32_t version;                   /* of the range */
};

/* In host memory: the answers of one check, which may run many times (in a graph). */
struct check_answer {
	uint32_t run; /* atomic: newest complete run, from 1; 0: none yet. Written last */
	uint32_t reserved[3];
	/* CHECK_SCAN_NAME sets `run` and `version` only, and only in runs in which the range is
	 * odd. */
	struct check_result newest[CHECK_ORDER_RANGES];
	/* The first run in which the range had an odd value (enum check_flags); run 0: none yet. */
	struct check_result first_odd[CHECK_ORDER_RANGES];
};

/* In device memory, by place, 0 before the first run. A run leaves all but `kept` as it was. */
struct check_sums {
	uint64_t n_nan, n_infinite;
	uint64_t first_nan, first_infinite; /* their complement, of which the greatest counts */
	uint64_t min, max;                  /* ordered as numbers, min as its complement; 0: none */
	double sum;
	uint64_t checksum;
	uint32_t n_done; /* blocks of the range; for CHECK_SCAN_NAME, its newest run with odd values
			  */
	uint32_t kept;   /* version whose first odd result is written */
};

struct check_scratch {
	uint64_t done; /* blocks that have finished; those with odd values also count 1 << 32 */
	uint32_t odd;  /* bits of the ranges with odd values, in the order's sequence */
	uint32_t runs;
	struct check_sums sums[CHECK_ORDER_RANGES];
};

/* The kernels' only parameter, by value. The grid has one dimension, and n_blocks blocks. */
struct check_order {
	uint64_t answer;  /* struct check_answer, as the GPU addresses it */
	uint64_t scratch; /* struct check_scratch */
	/*
	 * The scratch of the check that counts runs: this one, or with CHECK_SCAN_NAME a later one
	 * that always runs after it. Then `run` of the answer is written once blocks have finished,
	 * and its results are complete when the later check has run.
	 */
	uint64_t counter;
	uint32_t n_ranges;
	uint32_t flags; /* enum check_flags */
	uint32_t n_blocks;
	uint32_t longest; /* chunks of a range that CHECK_SCAN_NAME reads in full: more are sampled
			   */
	/* A range has the grid's blocks from here up to the next range's. */
	uint16_t first_blocks[CHECK_ORDER_RANGES];
	struct check_range ranges[CHECK_ORDER_RANGES];
};

#ifdef __CUDACC__
#define CHECK_INLINE static __host__ __device__ inline
#else
#define CHECK_INLINE static inline
#endif

/* Return how many of a range's n chunks are read before the sample, if longer ones are sampled. */
CHECK_INLINE uint32_t check_n_whole(uint32_t n, uint32_t longest)
{
	return n <= longest ? n : longest / CHECK_WHOLE_PART;
}

/* Return how many of a range's n chunks CHECK_SCAN_NAME reads. */
CHECK_INLINE uint32_t check_n_read(uint32_t n, uint32_t longest)
{
	const uint32_t period = CHECK_LINE_CHUNKS * CHECK_SAMPLE_LINES;
	uint32_t whole = check_n_whole(n, longest);
	uint32_t sample = (n - whole + period - 1) / period * CHECK_LINE_CHUNKS;
	return whole + (sample < n - whole ? sample : n - whole);
}

/*
 * Return the index of the chunk that is read as number `at`, below check_n_read(). In each group of
 * CHECK_SAMPLE_LINES lines a line is chosen that looks random, so that no column of a matrix is
 * always left out.
 */
CHECK_INLINE uint32_t check_chunk(uint32_t at, uint32_t n, uint32_t whole)
{
	uint32_t group = at < whole ? 0 : (at - whole) / CHECK_LINE_CHUNKS;
	uint32_t line =
		group * CHECK_SAMPLE_LINES + (group * 2654435769u >> 28) % CHECK_SAMPLE_LINES;
	uint32_t chunk = whole + line * CHECK_LINE_CHUNKS + (at - whole) % CHECK_LINE_CHUNKS;
	return at < whole ? at : chunk < n ? chunk : n - 1;
}

#define CHECK_KERNEL_NAME "culprit_check"
#define CHECK_SCAN_NAME   "culprit_scan"

#endif
