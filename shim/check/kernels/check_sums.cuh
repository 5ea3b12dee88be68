/*
 * check_sums.cuh - read memory, and sum up what is in it. A part of check.cu, on the GPU and in
 * simcuda.
 */
#ifndef CULPRIT_CHECK_CHECK_SUMS_H
#define CULPRIT_CHECK_CHECK_SUMS_H

#include "check_types.cuh"

/* Threads of a block that work. simcuda's barriers are slow, so there one thread does it all. */
#ifdef __CUDACC__
constexpr int WORKERS = CHECK_THREADS;
#else
constexpr int WORKERS = 1;
#endif

/* Code that is small rather than unrolled: it is part of every copy of the library. */
#ifdef __CUDACC__
#define ROLLED _Pragma("unroll 1")
#else
#define ROLLED
#endif

/* One thread's or one block's summary. Minimum and first indexes as in struct check_sums. */
struct sums {
	word n_nan, n_infinite, first_nan, first_infinite, min, max, checksum;
	double sum;
};

static __device__ inline word greater(word one, word other)
{
	return one > other ? one : other;
}

/* Order doubles as unsigned numbers: the result is never 0 for a finite value. */
static __device__ inline word ordered(double value)
{
	union {
		double value;
		word bits;
	} number = {value};
	return number.bits >> 63 ? ~number.bits : number.bits | 1ull << 63;
}

static __device__ inline double unordered(word bits)
{
	union {
		word bits;
		double value;
	} number = {bits >> 63 ? bits & ~(1ull << 63) : ~bits};
	return number.value;
}

static __device__ inline void add_element(struct sums *sums, struct number number, word index)
{
	if (number.kind == NOT_A_NUMBER) {
		sums->n_nan++;
		sums->first_nan = greater(sums->first_nan, ~index);
	} else if (number.kind == INFINITE) {
		sums->n_infinite++;
		sums->first_infinite = greater(sums->first_infinite, ~index);
	} else {
		word order = ordered(number.value);
		sums->min = greater(sums->min, ~order);
		sums->max = greater(sums->max, order);
		sums->sum += number.value;
	}
}

static __device__ inline word mixed(word bits)
{
	bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdull;
	return bits ^ bits >> 29;
}

/* The chunk's elements, of which there are `bytes` bytes; the rest is 0. */
static __device__ inline void add_chunk(struct sums *sums, unsigned type, bool is_guess,
					struct chunk chunk, word at, int bytes)
{
	int size = size_of(type);
	int n = bytes / size;
	word mask = size == 8 ? ~0ull : (1ull << 8 * size) - 1;
	word first = at * (word)(CHECK_CHUNK_BYTES / size);
	ROLLED for (int i = 0; i < n; i++)
	{
		struct number number = number_of(type, chunk.low & mask);
		if (number.kind != NOT_A_NUMBER || !is_guess ||
		    is_usual_nan(type, chunk.low & mask))
			add_element(sums, number, first + (word)i);
		if (size == 8) {
			chunk.low = chunk.high;
			continue;
		}
		chunk.low = chunk.low >> 8 * size | chunk.high << (64 - 8 * size);
		chunk.high >>= 8 * size;
	}
}

static __device__ inline word checksum(struct chunk chunk, word at)
{
	return mixed(chunk.low * 0x9e3779b97f4a7c15ull + chunk.high * 0xc2b2ae3d27d4eb4full +
		     (at + 1) * 0x165667b19e3779f9ull);
}

/* Read byte by byte: an incomplete chunk at the end, or all of a range that is not aligned. */
static __device__ __noinline__ struct chunk read_bytes(const unsigned char *from, int bytes)
{
	struct chunk chunk = {0, 0};
	ROLLED for (int i = 0; i < bytes && i < 8; i++) chunk.low |= (word)from[i] << 8 * i;
	ROLLED for (int i = 8; i < bytes; i++) chunk.high |= (word)from[i] << 8 * (i - 8);
	return chunk;
}

static __device__ inline struct chunk read_chunk(const unsigned char *from, int bytes)
{
	if (bytes == CHECK_CHUNK_BYTES && !((word)from % sizeof(struct chunk)))
		return *(const struct chunk *)from;
	return read_bytes(from, bytes);
}

/* Add a count of each thread to one of the block: a warp's threads first add among themselves. */
static __device__ inline void add_count(unsigned *all, unsigned own)
{
#ifdef __CUDACC__
	ROLLED for (int half = 16; half; half /= 2) own += __shfl_xor_sync(~0u, own, half);
	if (threadIdx.x % 32)
		return;
#endif
	atomicAdd(all, own);
}

static __device__ inline void add_guess(struct guess *all, const struct guess *own)
{
	add_count(&all->f32, own->f32);
	add_count(&all->f64, own->f64);
	add_count(&all->i32, own->i32);
	add_count(&all->i64, own->i64);
	add_count(&all->low, own->low);
	add_count(&all->low_usual, own->low_usual);
	add_count(&all->low_near_one, own->low_near_one);
}

/* Every block reads the same bytes, and so guesses the same, unless they change meanwhile. */
static __device__ __noinline__ unsigned guess_type(const unsigned char *from, word bytes)
{
	__shared__ struct guess all;
	int sample = bytes < CHECK_GUESS_BYTES ? (int)bytes & ~7 : CHECK_GUESS_BYTES;
	struct guess own = {0, 0, 0, 0, 0, 0, 0};
	if (threadIdx.x == 0)
		all = own;
	__syncthreads();
	for (int at = (int)threadIdx.x * CHECK_CHUNK_BYTES; at < sample;
	     at += WORKERS * CHECK_CHUNK_BYTES) {
		int left = sample - at < CHECK_CHUNK_BYTES ? sample - at : CHECK_CHUNK_BYTES;
		struct chunk chunk = read_chunk(from + at, left);
		ROLLED for (int i = 0; i < left / 8; i++)
			count_pair(&own, i ? chunk.high : chunk.low);
	}
	add_guess(&all, &own);
	__syncthreads();
	return guessed_type(&all, (unsigned)sample);
}

/* The host knows of a type of floats that the memory has, unless it has integers. */
static __device__ inline unsigned hinted(unsigned guessed, unsigned hint)
{
	return hint && guessed != CHECK_I32 && guessed != CHECK_I64 ? hint : guessed;
}

static __device__ inline void add_sums(struct sums *to, const struct sums *from)
{
	to->n_nan += from->n_nan;
	to->n_infinite += from->n_infinite;
	to->first_nan = greater(to->first_nan, from->first_nan);
	to->first_infinite = greater(to->first_infinite, from->first_infinite);
	to->min = greater(to->min, from->min);
	to->max = greater(to->max, from->max);
	to->checksum += from->checksum;
	to->sum += from->sum;
}

/* A thread's part of a range: the first chunk, and the distance to the next one. */
struct share {
	word first, step;
};

/* The loop for one type, which the compiler knows in it. */
static __device__ __forceinline__ void read_as(unsigned type, bool is_guess,
					       const unsigned char *from, word bytes,
					       struct share share, struct sums *sums)
{
	word n_chunks = (bytes + CHECK_CHUNK_BYTES - 1) / CHECK_CHUNK_BYTES;
	ROLLED for (word at = share.first; at < n_chunks; at += share.step)
	{
		word left = bytes - at * CHECK_CHUNK_BYTES;
		int size = left < CHECK_CHUNK_BYTES ? (int)left : CHECK_CHUNK_BYTES;
		struct chunk chunk = read_chunk(from + at * CHECK_CHUNK_BYTES, size);
		sums->checksum += checksum(chunk, at);
		add_chunk(sums, type, is_guess, chunk, at, size);
	}
}

static __device__ __noinline__ void read_range(unsigned type, bool is_guess,
					       const unsigned char *from, word bytes,
					       struct share share, struct sums *out)
{
	struct sums sums = *out; /* in registers */
	switch (type) {
	case CHECK_F32:
		read_as(CHECK_F32, is_guess, from, bytes, share, &sums);
		break;
	case CHECK_F16:
		read_as(CHECK_F16, is_guess, from, bytes, share, &sums);
		break;
	case CHECK_BF16:
		read_as(CHECK_BF16, is_guess, from, bytes, share, &sums);
		break;
	default:
		read_as(type, is_guess, from, bytes, share, &sums);
	}
	*out = sums;
}

/* Leave the block's sums in sums[0]. */
static __device__ void add_threads(struct sums *sums)
{
	ROLLED for (unsigned half = WORKERS / 2; half; half /= 2)
	{
		__syncthreads();
		if (threadIdx.x < half)
			add_sums(&sums[threadIdx.x], &sums[threadIdx.x + half]);
	}
}

static __device__ __noinline__ void publish_sums(struct check_sums *to, const struct sums *sums)
{
	if (sums->n_nan) {
		atomicAdd((word *)&to->n_nan, sums->n_nan);
		atomicMax((word *)&to->first_nan, sums->first_nan);
	}
	if (sums->n_infinite) {
		atomicAdd((word *)&to->n_infinite, sums->n_infinite);
		atomicMax((word *)&to->first_infinite, sums->first_infinite);
	}
	atomicMax((word *)&to->min, sums->min);
	atomicMax((word *)&to->max, sums->max);
	atomicAdd(&to->sum, sums->sum);
	atomicAdd((word *)&to->checksum, sums->checksum);
}

#endif
