/*
 * simcuda_kernel.h - the parts of CUDA's device language that the fault corpus needs, for a host
 * C++17 compiler. kernels/kernel.h includes it if the compiler is not nvcc. Never include
 * <assert.h> after it.
 *
 * A kernel file looks the same for both compilers:
 *
 *	extern "C" __global__ void fill(unsigned tag, int *data, int n) { ... }
 *	KERNEL(fill)
 *	extern "C" { __device__ int counter; }
 *	GLOBAL(counter)
 *
 * Macros replace syntax that a host compiler does not have; kernel.h defines them for nvcc:
 *	DYNAMIC_SHARED(type, name)  nvcc: extern __shared__ type name[];
 *	KERNEL_MAX_THREADS(name, n) nvcc: empty; KERNEL() for a kernel with __launch_bounds__(n)
 *	ILLEGAL_INSTRUCTION()       raises 715
 *	GLOBAL_TIMER_NS()           nanoseconds of a clock that all threads share
 *
 * Kernel code runs with the processor's alignment check on, so that a misaligned access faults as
 * it does on a GPU. On aarch64 the compiler adds the check. Kernel code may call only the functions
 *declared here and its own device functions. One worker runs all simulated threads of a block, so a
 *__shared__ variable is shared by them. An access beyond a __shared__ variable may not fault; one
 *beyond DYNAMIC_SHARED does.
 */
#ifndef SIMCUDA_KERNEL_H
#define SIMCUDA_KERNEL_H

#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "simcuda_abi.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __shared__      static thread_local
#define __launch_bounds__(...)

typedef simcuda_dim uint3;
typedef simcuda_dim dim3;

/*
 * Set by each invocation before the kernel starts; per worker because workers run in parallel. It
 * is the driver's variable: a worker's first use of a library's own thread-local one takes a lock
 * of the loader, which the host may hold.
 */
#define simcuda_self (*simcuda_self_place())
extern "C" __attribute__((weak, visibility("default"))) simcuda_place *simcuda_self_place;
simcuda_place *simcuda_self_place;

#define threadIdx (simcuda_self->thread_index)
#define blockIdx  (simcuda_self->block_index)
#define blockDim  (simcuda_self->block_dim)
#define gridDim   (simcuda_self->grid_dim)
#define warpSize  32

/* Set the processor's AC flag; 128 is the red zone below the stack pointer. */
static inline __attribute__((always_inline)) void simcuda_alignment_check_on()
{
#ifdef __x86_64__
	if (!simcuda_self->check_alignment)
		return;
	asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torl $0x40000, (%%rsp)\n\tpopfq\n\t"
		     "lea 128(%%rsp), %%rsp" ::
			     : "memory", "cc");
#endif
}

static inline __attribute__((always_inline)) void simcuda_alignment_check_off()
{
#ifdef __x86_64__
	asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl $~0x40000, (%%rsp)\n\tpopfq\n\t"
		     "lea 128(%%rsp), %%rsp" ::
			     : "memory", "cc");
#endif
}

/* Call the driver from kernel code with the alignment check off, which driver code requires. */
template <typename F, typename... A> static inline auto simcuda_call(F function, A... arguments)
{
	simcuda_alignment_check_off();
	if constexpr (std::is_void_v<decltype(function(arguments...))>) {
		function(arguments...);
		simcuda_alignment_check_on();
	} else {
		auto result = function(arguments...);
		simcuda_alignment_check_on();
		return result;
	}
}

#ifdef __aarch64__
/* The compiler describes so each access that -fsanitize=alignment checks (CMakeLists.txt). */
struct simcuda_checked_type {
	const char *file;
	unsigned line, column;
	const void *type;
	unsigned char log_alignment, kind; /* kind 0: a load */
};

extern "C" __attribute__((visibility("hidden"))) void __ubsan_handle_type_mismatch_v1(void *checked,
										      void *address)
{
	if (simcuda_self->check_alignment)
		simcuda_self->raise_misaligned(
			(uint64_t)address, (uint64_t)__builtin_return_address(0) - 4,
			static_cast<simcuda_checked_type *>(checked)->kind == 0);
}
#endif

#undef assert
#define assert(condition) \
	((condition) ? (void)0 : simcuda_call(simcuda_self->raise, SIMCUDA_FAULT_ASSERT))

static inline void __trap()
{
	simcuda_call(simcuda_self->raise, SIMCUDA_FAULT_TRAP);
}

#ifdef __x86_64__
#define ILLEGAL_INSTRUCTION() asm volatile("ud2")
#else
#define ILLEGAL_INSTRUCTION() asm volatile("udf #0")
#endif

static inline void __syncthreads()
{
	simcuda_call(simcuda_self->sync_threads);
}

static inline void __nanosleep(unsigned duration_ns)
{
	simcuda_call(simcuda_self->sleep_ns, (uint64_t)duration_ns);
}

/* A kernel that waits in a loop notices here that the process has failed. */
static inline long long simcuda_clock()
{
	simcuda_call(simcuda_self->checkpoint);
	return (long long)simcuda_call(simcuda_self->now_ns);
}

#define clock64()         simcuda_clock()
#define GLOBAL_TIMER_NS() ((unsigned long long)simcuda_clock())

static inline void __threadfence()
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define __threadfence_block()  __threadfence()
#define __threadfence_system() __threadfence()

template <typename T> static inline T simcuda_atomic_update(T *address, T (*next)(T, T), T value)
{
	T old, desired;

	__atomic_load(address, &old, __ATOMIC_SEQ_CST);
	do {
		desired = next(old, value);
	} while (!__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST));
	return old;
}

template <typename T, typename V> static inline T atomicAdd(T *address, V value)
{
	return simcuda_atomic_update<T>(
		address, [](T old, T add) -> T { return old + add; }, (T)value);
}

template <typename T, typename V> static inline T atomicMax(T *address, V value)
{
	return simcuda_atomic_update<T>(
		address, [](T old, T other) { return old < other ? other : old; }, (T)value);
}

template <typename T, typename V> static inline T atomicOr(T *address, V value)
{
	return simcuda_atomic_update<T>(
		address, [](T old, T bits) -> T { return old | bits; }, (T)value);
}

template <typename T, typename V> static inline T atomicExch(T *address, V value)
{
	return simcuda_atomic_update<T>(
		address, [](T, T desired) { return desired; }, (T)value);
}

template <typename T, typename C, typename V>
static inline T atomicCAS(T *address, C expected, V desired)
{
	T old = (T)expected, wanted = (T)desired;

	__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_SEQ_CST,
				  __ATOMIC_SEQ_CST);
	return old;
}

#define DYNAMIC_SHARED(type, name) \
	type *const name = static_cast<type *>(simcuda_self->dynamic_shared)

/* The parameter buffer of a kernel: each parameter at the next multiple of its alignment. */
template <typename... P> struct simcuda_layout {
	size_t offsets[sizeof...(P) + 1] = {};
	size_t sizes[sizeof...(P) + 1] = {sizeof(P)...};
	size_t end = 0;

	constexpr simcuda_layout()
	{
		const size_t alignments[sizeof...(P) + 1] = {alignof(P)...};

		for (size_t i = 0; i < sizeof...(P); i++) {
			end = (end + alignments[i] - 1) / alignments[i] * alignments[i];
			offsets[i] = end;
			end += sizes[i];
		}
	}
};

template <auto kernel> struct simcuda_glue;

template <typename... P, void (*kernel)(P...)> struct simcuda_glue<kernel> {
	static constexpr simcuda_layout<P...> layout{};

	template <size_t... index> static void call(void **params, std::index_sequence<index...>)
	{
		(void)params;
		kernel(*static_cast<P *>(params[index])...);
	}

	static void invoke(const simcuda_thread *self, void **params)
	{
		simcuda_self = self;
		simcuda_alignment_check_on();
		call(params, std::index_sequence_for<P...>());
		simcuda_alignment_check_off();
	}

	static constexpr simcuda_kernel describe(const char *name, int max_threads)
	{
		return {name,         invoke,     sizeof...(P), layout.offsets,
			layout.sizes, layout.end, max_threads};
	}
};

#define SIMCUDA_EXPORT(type, symbol)                                         \
	extern "C" __attribute__((visibility("default"))) const type symbol; \
	const type symbol

#define KERNEL_MAX_THREADS(name, max_threads)                   \
	SIMCUDA_EXPORT(simcuda_kernel, simcuda_kernel_##name) = \
		simcuda_glue<&name>::describe(#name, max_threads);

#define KERNEL(name) KERNEL_MAX_THREADS(name, 1024)

#define GLOBAL(name) \
	SIMCUDA_EXPORT(simcuda_global, simcuda_global_##name) = {#name, &name, sizeof(name)};

#endif
