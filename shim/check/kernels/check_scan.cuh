/*
 * check_scan.cuh - look for odd values, several chunks at a time. A part of check.cu, on the GPU
 * and in simcuda.
 */
#ifndef CULPRIT_CHECK_CHECK_SCAN_H
#define CULPRIT_CHECK_CHECK_SCAN_H

#include "check_sums.cuh"

/*
 * Bits of odd values: ((bits & magnitude) + bump) & top is not 0 if one of the values in `bits` is
 * a NaN, or infinite if those are odd. No sum reaches the next value.
 */
struct pattern {
	word magnitude, bump, top;
};

/* Return the greatest magnitude that is no NaN; 0: the type has none. */
static __device__ word greatest_of(unsigned type)
{
	switch (type) {
	case CHECK_F32:
		return 0x7f800000;
	case CHECK_F64:
		return 0x7ffull << 52;
	case CHECK_F16:
		return 0x7c00;
	case CHECK_BF16:
		return 0x7f80;
	case CHECK_E4M3:
		return 0x7e;
	case CHECK_E5M2:
		return 0x7c;
	default:
		return 0;
	}
}

static __device__ struct pattern pattern_of(unsigned type, unsigned flags)
{
	int bits = 8 * size_of(type);
	word ones = ~0ull / (bits == 64 ? ~0ull : (1ull << bits) - 1); /* 1 in each value */
	word top = 1ull << (bits - 1);
	word greatest = greatest_of(type);
	bool is_infinity_odd = (flags & CHECK_INFINITY_IS_ODD) && type != CHECK_E4M3;
	if (!greatest)
		return {0, 0, 0};
	return {(top - 1) * ones, (top - greatest - !is_infinity_odd) * ones, top * ones};
}

static __device__ inline word odd_bits(const struct pattern *pattern, struct chunk chunk)
{
	return (((chunk.low & pattern->magnitude) + pattern->bump) |
		((chunk.high & pattern->magnitude) + pattern->bump)) &
	       pattern->top;
}

/* For rare chunks: the same code for all types. */
static __device__ __noinline__ void add_rare(struct sums *sums, unsigned type, bool is_guess,
					     struct chunk chunk, word at, int bytes)
{
	sums->checksum += checksum(chunk, at);
	add_chunk(sums, type, is_guess, chunk, at, bytes);
}

/* True if a chunk has an odd value. If the type was guessed, only usual NaN count. */
static __device__ bool has_counted(unsigned type, bool is_guess, unsigned flags, struct chunk chunk)
{
	struct sums sums = {0, 0, 0, 0, 0, 0, 0, 0};
	add_rare(&sums, type, is_guess, chunk, 0, CHECK_CHUNK_BYTES);
	return ((flags & CHECK_NAN_IS_ODD) && sums.n_nan) ||
	       ((flags & CHECK_INFINITY_IS_ODD) && sums.n_infinite);
}

/* A test for the values that are odd in a range of a known type. */
struct typed_test {
	struct pattern pattern;
	unsigned type, flags;
	bool is_guess;
	__device__ bool may_be_odd(struct chunk chunk) const
	{
		return odd_bits(&pattern, chunk);
	}
	__device__ bool is_odd(struct chunk chunk) const
	{
		return has_counted(type, is_guess, flags, chunk);
	}
};

/* Not 0 if one of the four 16-bit values in `bits`, without their signs, is `value`. */
static __device__ inline word has_value(word bits, word value)
{
	const word ones = 0x0001000100010001;
	return ~((bits ^ value * ones) + 0x7fff * ones) & 0x8000 * ones;
}

static __device__ inline word has_usual_nan(word bits)
{
	const word magnitude = bits & 0x7fff7fff7fff7fff;
	return has_value(magnitude, 0x7fff) | has_value(magnitude, 0x7e00) |
	       has_value(magnitude, 0x7fc0) | has_value(magnitude, 0x7ff8);
}

/*
 * A test for values that may be odd, whatever the type of floats with 16 bits or more will be
 * guessed to be: the upper 16 bits of each usual NaN (is_usual_nan()), and of each infinity.
 */
struct untyped_test {
	bool counts_infinities;
	__device__ bool may_be_odd(struct chunk chunk) const
	{
		const struct pattern infinite = {0x7fff7fff7fff7fff, 0x0400040004000400,
						 0x8000800080008000};
		if (counts_infinities)
			return odd_bits(&infinite, chunk);
		return has_usual_nan(chunk.low) | has_usual_nan(chunk.high);
	}
	__device__ bool is_odd(struct chunk chunk) const
	{
		return may_be_odd(chunk);
	}
};

/* Look at the thread's chunks that are whole and aligned, several at a time. */
template <class test>
static __device__ __forceinline__ bool scan_whole(const test &wanted, const struct chunk *from,
						  unsigned n, unsigned longest, struct share share)
{
	unsigned step = (unsigned)share.step;
	unsigned end = check_n_read(n, longest);
	unsigned whole = check_n_whole(n, longest);
	bool is_found = false;
	ROLLED for (unsigned at = (unsigned)share.first; at < end && !is_found;
		    at += CHECK_THREAD_CHUNKS * step)
	{
		struct chunk chunks[CHECK_THREAD_CHUNKS];
		bool may_be_odd = false;
		for (unsigned i = 0; i < CHECK_THREAD_CHUNKS; i++) {
			unsigned next = at + i * step;
			chunks[i] = from[check_chunk(next < end ? next : at, n, whole)];
		}
		for (int i = 0; i < CHECK_THREAD_CHUNKS; i++)
			may_be_odd |= wanted.may_be_odd(chunks[i]);
		if (!may_be_odd)
			continue;
		ROLLED for (unsigned i = 0; i < CHECK_THREAD_CHUNKS && at + i * step < end; i++)
		{
			struct chunk chunk = from[check_chunk(at + i * step, n, whole)];
			is_found |= wanted.may_be_odd(chunk) && wanted.is_odd(chunk);
		}
	}
	return is_found;
}

/* Look at the other chunks: the incomplete one at the end, or all of a range that is not aligned.
 */
template <class test>
static __device__ __forceinline__ bool scan_bytes(const test &wanted, const unsigned char *from,
						  word bytes, struct share share)
{
	bool is_found = false;
	ROLLED for (word at = share.first * CHECK_CHUNK_BYTES; at < bytes && !is_found;
		    at += share.step * CHECK_CHUNK_BYTES)
	{
		int size = bytes - at < CHECK_CHUNK_BYTES ? (int)(bytes - at) : CHECK_CHUNK_BYTES;
		is_found = wanted.is_odd(read_bytes(from + at, size));
	}
	return is_found;
}

/* In all threads of a block: true in all of them if it is true in one. */
static __device__ inline bool is_true_in_block(bool value)
{
#ifdef __CUDACC__
	return __syncthreads_or(value);
#else
	return value;
#endif
}

#endif
