/*
 * failure_stubs.c - what the failure calls and the scenario is not about. The headers are not
 * included, so that one definition fits all: each function returns 0.
 */
#include <stdint.h>

#define STUB(name)            \
	uintptr_t name(void); \
	uintptr_t name(void)  \
	{                     \
		return 0;     \
	}

STUB(bundle_path)
STUB(bundle_disk_restore)
STUB(bundle_disk_save)
STUB(bypass_find)
STUB(call_name_discover)
STUB(cancellation_hold)
STUB(cancellation_restore)
STUB(checkpoint_was_made)
STUB(clock_kernel_ns)
STUB(clock_ns)
STUB(code_addresses_write)
STUB(contexts_are_one)
STUB(contexts_are_shared)
STUB(contexts_need_host_mappings)
STUB(coredump_flags_for)
STUB(coredumps_are_missing)
STUB(coredumps_are_on)
STUB(coredumps_give_up)
STUB(driver_unknown_launch)
STUB(failed_contexts_find_one)
STUB(failed_contexts_mark)
STUB(fault_write)
STUB(graphs_copy_words_for_good)
STUB(host_mappings_write)
STUB(marker_readings_copy_for_good)
STUB(modules_unloaded)
STUB(marker_readings_copy_channels)
STUB(progress_unseen)
STUB(retired_freeze)
STUB(rings_freeze)
STUB(row_uses_freeze)
STUB(stack_capture)
STUB(streams_freeze_counts)
STUB(streams_freeze_order)
STUB(streams_lost)
STUB(unseen_work_find)
STUB(warning_print)

uint32_t call_name_ids[4096];
uint32_t coredumps_watched;
uint64_t functions_generation;
