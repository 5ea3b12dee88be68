/*
 * checked_launch.c - the two checks of a launch, in its stream.
 *
 * No lock is held while the driver is called: a stream whose queue is full makes a launch wait, and
 * another thread may have to launch before it goes on.
 */
#include "inspect/checked_launch.h"

#include "inspect/argument_types.h"
#include "record/driver/driver.h"
#include "record/journal/ring.h"
#include "record/objects/functions.h"
#include "record/streams/contexts.h"
#include "record/thread.h"

static const struct driver *driver; /* written at the start only */

void checked_launch_start(const struct driver *real_driver, uint32_t type)
{
	driver = real_driver;
	argument_types_start(real_driver, type);
}

/* Describe the launch by its own row, which its call has just written. */
static bool describe(const struct thread *thread, const struct function *function,
		     struct check_row *out)
{
	const struct journal_record *row = ring_newest(&thread->ring);
	if (!row || row->kind != RECORD_SUBMISSION)
		return false;
	*out = (struct check_row){.sequence = row->sequence,
				  .ordinal = row->ordinal,
				  .function = function->id,
				  .stack = row->stack,
				  .stream = row->stream};
	return true;
}

static struct check_range range_of(const struct argument_range *range, uint32_t place,
				   const struct argument_types *types)
{
	return (struct check_range){
		.address = range->address,
		.bytes = range->bytes < CHECK_MAX_BYTES ? range->bytes : CHECK_MAX_BYTES,
		.type = argument_types_of(types, range->parameter, range->offset),
		.place = place,
		.version = 1};
}

/* List the ranges that kernels in the current context may read. */
static void find_ranges(const struct launch_inspected *launch, const struct function *function,
			struct check_entry *entry)
{
	CUcontext handle = NULL;
	const struct context *context = NULL;
	struct argument_types types;
	if (driver->cuCtxGetCurrent(&handle) == CUDA_SUCCESS)
		context = contexts_known(handle);
	entry->n_ranges = context ? (uint32_t)argument_ranges_find(function, launch->parameters,
								   launch->extra, context,
								   entry->ranges, CHECK_MAX_RANGES)
				  : 0;
	argument_types_find(function->id, launch->function, &types);
	for (uint32_t i = 0; i < entry->n_ranges; i++)
		entry->asked[i] = range_of(&entry->ranges[i], i, &types);
}

static bool launch_check(const struct check_entry *entry, const struct check_slot *slot,
			 CUstream stream)
{
	struct check_order order;
	bool is_live = true;
	check_fill_order(slot, entry->asked, entry->n_ranges,
			 &(struct check_mode){.flags = CHECK_NAN_IS_ODD}, &order);
	argument_ranges_begin_use();
	for (uint32_t i = 0; i < entry->n_ranges; i++)
		is_live = is_live && argument_ranges_is_live(&entry->ranges[i]);
	bool is_launched = is_live && check_launch(entry->context, &order, stream,
						   driver->cuLaunchKernel) == CUDA_SUCCESS;
	argument_ranges_end_use();
	return is_launched;
}

struct check_entry *checked_launch_begin(const struct launch_inspected *launch, uint32_t wishes)
{
	struct thread *thread = thread_self();
	const struct function *function =
		thread ? functions_of(&thread->functions, launch->function) : NULL;
	struct check_context *context = function ? check_current_context() : NULL;
	if (!context)
		return NULL;
	check_queue_write(false);
	struct check_entry *entry = check_queue_take(context);
	if (!entry)
		return NULL;
	entry->wishes = wishes;
	if (describe(thread, function, &entry->launch))
		find_ranges(launch, function, entry);
	else
		entry->n_ranges = 0;
	if (entry->n_ranges && launch_check(entry, &entry->before, launch->stream)) {
		entry->n_before++;
		return entry;
	}
	check_queue_put(entry, false);
	return NULL;
}

void checked_launch_end(struct check_entry *entry, const struct launch_inspected *launch,
			CUresult result)
{
	bool is_launched =
		result == CUDA_SUCCESS && launch_check(entry, &entry->after, launch->stream);
	entry->n_after += is_launched ? 1 : 0;
	check_queue_put(entry, is_launched);
}
