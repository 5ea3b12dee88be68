/*
 * check.cu - the checking kernels: summarise ranges of memory, or look for odd values in them, and
 * write the answer to host memory.
 *
 * scripts/check-kernels makes check.ptx of it, which is checked in. simcuda compiles it for the
 * host. So it uses no warp operations, and only the atomics of simcuda_kernel.h.
 */
#include "check_sums.cuh"

/* Take the sums of all blocks, and set them back for the next run. */
static __device__ void take_sums(struct check_sums *from, struct sums *out)
{
	out->n_nan = atomicExch((word *)&from->n_nan, 0);
	out->n_infinite = atomicExch((word *)&from->n_infinite, 0);
	out->first_nan = atomicExch((word *)&from->first_nan, 0);
	out->first_infinite = atomicExch((word *)&from->first_infinite, 0);
	out->min = atomicExch((word *)&from->min, 0);
	out->max = atomicExch((word *)&from->max, 0);
	out->checksum = atomicExch((word *)&from->checksum, 0);
	out->sum = double_from_bits(atomicExch((word *)(void *)&from->sum, 0));
	from->n_done = 0;
}

static __device__ inline bool is_odd(const struct check_result *result, unsigned flags)
{
	return ((flags & CHECK_NAN_IS_ODD) && result->n_nan) ||
	       ((flags & CHECK_INFINITY_IS_ODD) && result->n_infinite);
}

static __device__ struct check_answer *answer_of(const struct check_order *order)
{
	return (struct check_answer *)(uintptr_t)order->answer;
}

static __device__ struct check_scratch *scratch_of(const struct check_order *order)
{
	return (struct check_scratch *)(uintptr_t)order->scratch;
}

static __device__ const unsigned char *start_of(const struct check_range *range)
{
	return (const unsigned char *)(uintptr_t)range->address;
}

/* Return the range that this block reads. */
static __device__ unsigned range_of_block(const struct check_order *order)
{
	unsigned low = 0;
	unsigned high = order->n_ranges;
	ROLLED while (high - low > 1)
	{
		unsigned middle = (low + high) / 2;
		if (order->ranges[middle].first_block <= blockIdx.x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static __device__ unsigned blocks_of(const struct check_order *order, unsigned range)
{
	unsigned end = range + 1 < order->n_ranges ? order->ranges[range + 1].first_block
						   : order->n_blocks;
	return end - order->ranges[range].first_block;
}

static __device__ struct share share_of(const struct check_order *order, unsigned range)
{
	word block = blockIdx.x - order->ranges[range].first_block;
	return {block * WORKERS + threadIdx.x, (word)blocks_of(order, range) * WORKERS};
}

static __device__ unsigned type_of(const struct check_range *range)
{
	unsigned type = range->type & 0xff;
	if (type != CHECK_GUESS)
		return type;
	return hinted(guess_type(start_of(range), range->bytes), range->type >> 8);
}

static __device__ inline bool is_guessed(const struct check_range *range)
{
	return !(range->type & 0xff);
}

static __device__ struct check_result result_of(const struct check_order *order,
						const struct check_range *range, unsigned type,
						const struct sums *sums)
{
	struct check_result result = {};
	result.n = range->bytes / (word)size_of(type);
	result.n_nan = sums->n_nan;
	result.n_infinite = sums->n_infinite;
	result.first_nan = ~sums->first_nan;
	result.first_infinite = ~sums->first_infinite;
	result.min = sums->max ? unordered(~sums->min) : 0;
	result.max = sums->max ? unordered(sums->max) : 0;
	result.sum = sums->sum;
	result.checksum = sums->checksum;
	result.type = type;
	result.flags = order->flags | (is_guessed(range) ? CHECK_TYPE_WAS_GUESSED : 0);
	result.run = scratch_of(order)->runs + 1;
	result.version = range->version;
	return result;
}

/* Keep the range's first odd result. One of an earlier version may be there, and be read now. */
static __device__ void keep(const struct check_order *order, const struct check_range *range,
			    const struct check_result *result)
{
	struct check_result *to = &answer_of(order)->first_odd[range->place];
	struct check_sums *sums = &scratch_of(order)->sums[range->place];
	if (sums->kept == range->version || !is_odd(result, order->flags))
		return;
	sums->kept = range->version;
	*(volatile unsigned *)&to->run = 0;
	__threadfence_system();
	struct check_result copy = *result;
	copy.run = 0;
	*to = copy;
	__threadfence_system();
	*(volatile unsigned *)&to->run = result->run;
}

/* In one thread: the last block has finished the range. */
static __device__ void answer(const struct check_order *order, const struct check_range *range,
			      unsigned type)
{
	struct sums sums;
	take_sums(&scratch_of(order)->sums[range->place], &sums);
	struct check_result result = result_of(order, range, type, &sums);
	answer_of(order)->newest[range->place] = result;
	keep(order, range, &result);
}

/* In one thread: all blocks have finished, and the results are written. */
static __device__ void end_run(const struct check_order *order, unsigned run)
{
	scratch_of(order)->done = 0;
	scratch_of(order)->runs = run;
	*(volatile unsigned *)&answer_of(order)->run = run;
}

extern "C" __global__ void __launch_bounds__(CHECK_THREADS) culprit_check(struct check_order order)
{
	__shared__ struct sums sums[WORKERS];
	if (WORKERS < CHECK_THREADS && (int)threadIdx.x >= WORKERS)
		return;
	unsigned index = range_of_block(&order);
	const struct check_range *range = &order.ranges[index];
	struct check_scratch *scratch = scratch_of(&order);
	unsigned type = type_of(range);
	struct sums own = {0, 0, 0, 0, 0, 0, 0, 0};
	read_range(type, is_guessed(range), start_of(range), range->bytes, share_of(&order, index),
		   &own);
	sums[threadIdx.x] = own;
	add_threads(sums);
	if (threadIdx.x)
		return;
	struct check_sums *all = &scratch->sums[range->place];
	publish_sums(all, &sums[0]);
	__threadfence();
	if (atomicAdd(&all->n_done, 1u) + 1 == blocks_of(&order, index)) {
		answer(&order, range, type);
		__threadfence_system();
	}
	if (atomicAdd((word *)&scratch->done, 1ull) + 1 == gridDim.x) {
		/* Another block may have written the last answer. */
		__threadfence_system();
		end_run(&order, scratch->runs + 1);
	}
}

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

/* Look at the thread's chunks that are whole and aligned, several at a time. */
static __device__ bool scan_whole(unsigned type, bool is_guess, unsigned flags,
				  const struct chunk *from, word n, struct share share)
{
	const struct pattern pattern = pattern_of(type, flags);
	bool is_found = false;
	word at = share.first;
	ROLLED for (; at < n && !is_found; at += CHECK_THREAD_CHUNKS * share.step)
	{
		struct chunk chunks[CHECK_THREAD_CHUNKS];
		word odd = 0;
		for (int i = 0; i < CHECK_THREAD_CHUNKS; i++) {
			word next = at + (word)i * share.step;
			chunks[i] = from[next < n ? next : at];
		}
		for (int i = 0; i < CHECK_THREAD_CHUNKS; i++)
			odd |= odd_bits(&pattern, chunks[i]);
		if (!odd)
			continue;
		ROLLED for (word next = at;
			    next < n && next < at + CHECK_THREAD_CHUNKS * share.step;
			    next += share.step) is_found |=
			odd_bits(&pattern, from[next]) &&
			has_counted(type, is_guess, flags, from[next]);
	}
	return is_found;
}

/* Look at the other chunks: the incomplete one at the end, or all of a range that is not aligned.
 */
static __device__ bool scan_bytes(unsigned type, bool is_guess, unsigned flags,
				  const unsigned char *from, word bytes, struct share share)
{
	bool is_found = false;
	ROLLED for (word at = share.first * CHECK_CHUNK_BYTES; at < bytes && !is_found;
		    at += share.step * CHECK_CHUNK_BYTES)
	{
		int size = bytes - at < CHECK_CHUNK_BYTES ? (int)(bytes - at) : CHECK_CHUNK_BYTES;
		is_found = has_counted(type, is_guess, flags, read_bytes(from + at, size));
	}
	return is_found;
}

/* True if the thread's part of the range has an odd value. */
static __device__ bool scan(const struct check_order *order, unsigned index)
{
	const struct check_range *range = &order->ranges[index];
	const unsigned char *from = start_of(range);
	struct share share = share_of(order, index);
	unsigned type = type_of(range);
	if (!greatest_of(type))
		return false;
	word n_whole = range->address % sizeof(struct chunk) ? 0 : range->bytes / CHECK_CHUNK_BYTES;
	word whole_bytes = n_whole * CHECK_CHUNK_BYTES;
	return scan_whole(type, is_guessed(range), order->flags, (const struct chunk *)from,
			  n_whole, share) ||
	       scan_bytes(type, is_guessed(range), order->flags, from + whole_bytes,
			  range->bytes - whole_bytes, share);
}

/* In all threads of one block: summarise a range that has odd values, and keep that. */
static __device__ __forceinline__ void summarise(const struct check_order *order,
						 const struct check_range *range)
{
	__shared__ struct sums sums[WORKERS];
	unsigned type = type_of(range);
	struct sums own = {0, 0, 0, 0, 0, 0, 0, 0};
	ROLLED for (word at = threadIdx.x * CHECK_CHUNK_BYTES; at < range->bytes;
		    at += WORKERS * CHECK_CHUNK_BYTES)
	{
		word left = range->bytes - at;
		int size = left < CHECK_CHUNK_BYTES ? (int)left : CHECK_CHUNK_BYTES;
		add_rare(&own, type, is_guessed(range), read_chunk(start_of(range) + at, size),
			 at / CHECK_CHUNK_BYTES, size);
	}
	__syncthreads(); /* the range before this one */
	sums[threadIdx.x] = own;
	add_threads(sums);
	if (threadIdx.x)
		return;
	struct check_result result = result_of(order, range, type, &sums[0]);
	keep(order, range, &result);
}

static __device__ inline void note_odd(const struct check_order *order,
				       const struct check_range *range)
{
	struct check_result *newest = &answer_of(order)->newest[range->place];
	newest->version = range->version;
	newest->run = scratch_of(order)->runs + 1;
}

/* In all threads of the last block: some ranges have odd values. */
static __device__ __forceinline__ void summarise_odd(const struct check_order *order)
{
	struct check_scratch *scratch = scratch_of(order);
	unsigned odd = *(volatile unsigned *)&scratch->odd;
	__syncthreads();
	if (threadIdx.x == 0)
		scratch->odd = 0;
	ROLLED for (unsigned i = 0; i < order->n_ranges; i++)
	{
		const struct check_range *range = &order->ranges[i];
		unsigned kept = *(volatile unsigned *)&scratch->sums[range->place].kept;
		if (!(odd >> i & 1))
			continue;
		if (kept != range->version)
			summarise(order, range);
		if (threadIdx.x == 0)
			note_odd(order, range);
	}
	__threadfence_system();
	__syncthreads();
}

/* The number of runs is read early, so that it is there at the end. */
extern "C" __global__ void __launch_bounds__(CHECK_THREADS) culprit_scan(struct check_order order)
{
	__shared__ unsigned is_odd_block;
	__shared__ word before; /* what the blocks that have finished counted */
	if (WORKERS < CHECK_THREADS && (int)threadIdx.x >= WORKERS)
		return;
	unsigned index = range_of_block(&order);
	struct check_scratch *scratch = scratch_of(&order);
	unsigned run = scratch->runs + 1;
	is_odd_block = 0;
	__syncthreads();
	if (scan(&order, index))
		is_odd_block = 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		if (is_odd_block)
			atomicOr(&scratch->odd, 1u << index);
		__threadfence();
		before = atomicAdd((word *)&scratch->done, 1ull + ((word)is_odd_block << 32));
	}
	__syncthreads();
	if ((unsigned)before + 1 < gridDim.x)
		return;
	if (is_odd_block || before >> 32)
		summarise_odd(&order);
	if (threadIdx.x == 0)
		end_run(&order, run);
}

KERNEL(culprit_check)
KERNEL(culprit_scan)
