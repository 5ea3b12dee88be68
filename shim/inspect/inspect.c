/*
 * inspect.c - replace the driver's launches.
 */
#include "inspect/inspect.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "inspect/checked_launch.h"
#include "inspect/inspected_launch.h"
#include "inspect/kernel_choice.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/host/cancellation.h"
#include "record/host/recording.h"
#include "record/streams/contexts.h"

/* The driver's own entry points, in a mapping of their own; written at the start only. */
static const struct driver *driver;

static struct inspect_wish wish; /* the same */

/* One launch, and the inspection or the checks around it. */
struct inspecting {
	struct launch_inspected launch;
	struct check_entry *checked; /* NULL: it has no checks */
	bool is_inspected;           /* synchronously */
};

static uint32_t wishes_for(CUfunction function)
{
	if (check_queue_is_done())
		return 0;
	bool is_inspected = wish.is_async && kernel_choice_is(function);
	return (is_inspected ? CHECK_WISH_INSPECT : 0) |
	       (wish.checksums ? CHECK_WISH_CHECKSUMS : 0) |
	       (kernel_choice_is_for_nan(function) ? CHECK_WISH_NAN : 0);
}

/* `is_chosen`: to be inspected synchronously. */
static void begin_relaxed(struct inspecting *inspecting, uint32_t wishes, bool is_chosen)
{
	const struct launch_inspected *launch = &inspecting->launch;
	CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	inspecting->checked = wishes ? checked_launch_begin(launch, wishes) : NULL;
	inspecting->is_inspected = is_chosen && inspected_launch_begin(launch);
	(void)captures_exchange_mode(mode);
}

/* Restores the thread's capture mode afterwards. A forked child has nothing of ours to use. */
static void begin(struct inspecting *inspecting)
{
	if (!recording_is_on())
		return;
	int host_errno = errno;
	int cancellation = cancellation_hold();
	if (!captures_stream(inspecting->launch.stream)) {
		CUfunction function = inspecting->launch.function;
		uint32_t wishes = wishes_for(function);
		bool is_chosen = !wish.is_async && kernel_choice_is(function);
		if (wishes || is_chosen)
			begin_relaxed(inspecting, wishes, is_chosen);
	}
	cancellation_restore(cancellation);
	errno = host_errno;
}

static void end(const struct inspecting *inspecting, CUresult result)
{
	if (!inspecting->checked && !inspecting->is_inspected)
		return;
	int host_errno = errno;
	int cancellation = cancellation_hold();
	CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	if (inspecting->is_inspected)
		inspected_launch_end(&inspecting->launch, result);
	if (inspecting->checked)
		checked_launch_end(inspecting->checked, &inspecting->launch, result);
	(void)captures_exchange_mode(mode);
	cancellation_restore(cancellation);
	errno = host_errno;
}

static CUresult launch_kernel(CUresult (*launch)(CUfunction, unsigned int, unsigned int,
						 unsigned int, unsigned int, unsigned int,
						 unsigned int, unsigned int, CUstream, void **,
						 void **),
			      CUstream stream, const struct args_cuLaunchKernel *args)
{
	struct inspecting inspecting = {
		.launch = {args->f, stream, args->kernelParams, args->extra}};
	begin(&inspecting);
	CUresult result =
		launch(args->f, args->gridDimX, args->gridDimY, args->gridDimZ, args->blockDimX,
		       args->blockDimY, args->blockDimZ, args->sharedMemBytes, args->hStream,
		       args->kernelParams, args->extra);
	end(&inspecting, result);
	return result;
}

#define KERNEL(name, default_stream)                                                           \
	static CUresult CUDAAPI inspecting_##name(                                             \
		CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,   \
		unsigned int block_x, unsigned int block_y, unsigned int block_z,              \
		unsigned int shared, CUstream stream, void **parameters, void **extra)         \
	{                                                                                      \
		const struct args_cuLaunchKernel args = {f,       grid_x,     grid_y,  grid_z, \
							 block_x, block_y,    block_z, shared, \
							 stream,  parameters, extra};          \
		return launch_kernel(driver->name, stream ? stream : (default_stream), &args); \
	}
KERNEL(cuLaunchKernel, NULL)
KERNEL(cuLaunchKernel_ptsz, CU_STREAM_PER_THREAD)
#define KERNEL_EX(name, default_stream)                                                        \
	static CUresult CUDAAPI inspecting_##name(const CUlaunchConfig *config, CUfunction f,  \
						  void **parameters, void **extra)             \
	{                                                                                      \
		CUstream stream = config ? config->hStream : NULL;                             \
		struct inspecting inspecting = {                                               \
			.launch = {f, stream ? stream : (default_stream), parameters, extra}}; \
		begin(&inspecting);                                                            \
		CUresult result = driver->name(config, f, parameters, extra);                  \
		end(&inspecting, result);                                                      \
		return result;                                                                 \
	}
KERNEL_EX(cuLaunchKernelEx, NULL)
KERNEL_EX(cuLaunchKernelEx_ptsz, CU_STREAM_PER_THREAD)

static bool choose(enum kernel_choice choice, const char *kernels)
{
	return *kernels && kernel_choice_start(choice, kernels, driver);
}

/* Return whether any kernel may be inspected or checked. */
static bool start_parts(void)
{
	bool is_inspecting = choose(KERNEL_CHOICE_INSPECT, wish.inspect) &&
			     (wish.is_async || inspected_launch_start(driver));
	bool is_checking = choose(KERNEL_CHOICE_NAN, wish.nan);
	checked_launch_start(driver, wish.type);
	check_queue_start(wish.infinities);
	return is_inspecting || is_checking || wish.checksums;
}

bool inspect_makes_checks(const struct inspect_wish *wanted)
{
	return (wanted->is_async && *wanted->inspect) || *wanted->nan || wanted->checksums;
}

/* Hold the context, so that no other thread destroys it while checks are prepared. */
void inspect_prepare(struct context *context)
{
	bool has_pushed = false;
	if (!driver || !inspect_makes_checks(&wish) || check_queue_is_done() ||
	    !contexts_hold(context))
		return;
	int cancellation = cancellation_hold();
	if (contexts_enter(context, &has_pushed)) {
		CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
		struct check_context *checked = check_current_context();
		if (checked)
			check_queue_prepare(checked);
		(void)captures_exchange_mode(mode);
		contexts_leave(has_pushed);
	}
	contexts_let_go(context);
	cancellation_restore(cancellation);
}

void inspect_finish(void)
{
	if (driver)
		check_queue_write(true);
}

bool inspect_start(const struct inspect_wish *wanted)
{
	if (!*wanted->inspect && !inspect_makes_checks(wanted))
		return false;
	driver = driver_copy();
	if (!driver)
		return false;
	wish = *wanted;
	if (!start_parts()) {
		wish = (struct inspect_wish){.inspect = "", .nan = ""};
		return false;
	}
#define REPLACE(name) __atomic_store_n(&real.name, inspecting_##name, __ATOMIC_RELAXED)
	REPLACE(cuLaunchKernel);
	REPLACE(cuLaunchKernel_ptsz);
	REPLACE(cuLaunchKernelEx);
	REPLACE(cuLaunchKernelEx_ptsz);
#undef REPLACE
	return true;
}
