/*
 * check.cu - the checking kernels: summarise ranges of memory, or look for odd values in them, and
 * write the answer to host memory.
 *
 * scripts/check-kernels makes check.ptx of it, which is checked in. simcuda compiles it for the
 * host. So it uses no warp operations, and only the atomics of simcuda_kernel.h.
 */
#include "check_scan.cuh"

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

/* Return the number of the current run. It changes when the check that counts has finished. */
static __device__ unsigned run_of(const struct check_order *order)
{
	return ((const struct check_scratch *)(uintptr_t)order->counter)->runs + 1;
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
		if (order->first_blocks[middle] <= blockIdx.x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static __device__ unsigned blocks_of(const struct check_order *order, unsigned range)
{
	unsigned end =
		range + 1 < order->n_ranges ? order->first_blocks[range + 1] : order->n_blocks;
	return end - order->first_blocks[range];
}

static __device__ struct share share_of(const struct check_order *order, unsigned range)
{
	word block = blockIdx.x - order->first_blocks[range];
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
	result.run = run_of(order);
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

/* True if the thread's part of the range has a value that the test finds. */
template <class test>
static __device__ __forceinline__ bool scan_range(const test &wanted,
						  const struct check_order *order, unsigned index)
{
	const struct check_range *range = &order->ranges[index];
	const unsigned char *from = start_of(range);
	struct share share = share_of(order, index);
	word n_whole = range->address % sizeof(struct chunk) ? 0 : range->bytes / CHECK_CHUNK_BYTES;
	word whole_bytes = n_whole * CHECK_CHUNK_BYTES;
	return scan_whole(wanted, (const struct chunk *)from, (unsigned)n_whole, order->longest,
			  share) ||
	       scan_bytes(wanted, from + whole_bytes, range->bytes - whole_bytes, share);
}

/*
 * In all threads of a block: true if its part of the range has an odd value. A type is guessed only
 * if there is a value that some type would make odd: guessing takes as long as all the rest.
 */
static __device__ bool scan(const struct check_order *order, unsigned index)
{
	const struct check_range *range = &order->ranges[index];
	const struct untyped_test untyped = {(order->flags & CHECK_INFINITY_IS_ODD) != 0};
	if (is_guessed(range) && (!(range->type >> 8) || size_of(range->type >> 8) > 1) &&
	    !is_true_in_block(scan_range(untyped, order, index)))
		return false;
	unsigned type = type_of(range);
	const struct typed_test typed = {pattern_of(type, order->flags), type, order->flags,
					 is_guessed(range)};
	return is_true_in_block(greatest_of(type) && scan_range(typed, order, index));
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
	newest->run = run_of(order);
}

/* In all threads of a block: the range has odd values. They are kept if they are the first. */
static __device__ __forceinline__ void summarise_first(const struct check_order *order,
						       const struct check_range *range)
{
	if (*(volatile unsigned *)&scratch_of(order)->sums[range->place].kept != range->version)
		summarise(order, range);
	if (threadIdx.x == 0)
		note_odd(order, range);
}

/* In all threads of a block: these ranges, by their bits, have odd values. */
static __device__ __forceinline__ void summarise_odd(const struct check_order *order, unsigned odd)
{
	ROLLED for (unsigned i = 0; i < order->n_ranges; i++) if (odd >> i & 1)
		summarise_first(order, &order->ranges[i]);
	__threadfence_system();
	__syncthreads();
}

/* True in all threads of the block that finishes last. *is_odd: the block has odd values, and then
 * whether any block has. */
static __device__ __forceinline__ bool is_last_block(const struct check_order *order,
						     unsigned index, bool *is_odd)
{
	__shared__ word before; /* what the blocks that have finished counted */
	struct check_scratch *scratch = scratch_of(order);
	if (threadIdx.x == 0) {
		if (*is_odd)
			atomicOr(&scratch->odd, 1u << index);
		__threadfence();
		before = atomicAdd((word *)&scratch->done, 1ull + ((word)*is_odd << 32));
	}
	__syncthreads();
	*is_odd |= before >> 32 != 0;
	return (unsigned)before + 1 == gridDim.x;
}

/* In all threads of the last block: return the bits of the ranges with odd values, and clear them.
 */
static __device__ __forceinline__ unsigned take_odd(struct check_scratch *scratch)
{
	unsigned odd = *(volatile unsigned *)&scratch->odd;
	__syncthreads();
	if (threadIdx.x == 0)
		scratch->odd = 0;
	return odd;
}

/* In all threads of a block with odd values: true if it is the range's first one in this run. */
static __device__ __forceinline__ bool is_first_odd(const struct check_order *order, unsigned index,
						    unsigned run)
{
	struct check_sums *sums = &scratch_of(order)->sums[order->ranges[index].place];
	return is_true_in_block(threadIdx.x == 0 && atomicExch(&sums->n_done, run) != run);
}

/*
 * The number of runs is read early, so that it is there at the end. Blocks wait for each other if
 * no later check counts: then the last one writes all results.
 */
extern "C" __global__ void __launch_bounds__(CHECK_THREADS) culprit_scan(struct check_order order)
{
	unsigned odd = 0;
	if (WORKERS < CHECK_THREADS && (int)threadIdx.x >= WORKERS)
		return;
	bool is_counting = order.counter == order.scratch;
	unsigned index = range_of_block(&order);
	unsigned run = run_of(&order);
	bool is_odd = scan(&order, index);
	if (!is_counting && is_odd && is_first_odd(&order, index, run))
		odd = 1u << index;
	if (is_counting && (is_odd || gridDim.x > 1) && !is_last_block(&order, index, &is_odd))
		return;
	if (is_counting && is_odd)
		odd = take_odd(scratch_of(&order));
	if (odd)
		summarise_odd(&order, odd);
	if (threadIdx.x == 0 && (is_counting || blockIdx.x == 0))
		end_run(&order, run);
}

KERNEL(culprit_check)
KERNEL(culprit_scan)
