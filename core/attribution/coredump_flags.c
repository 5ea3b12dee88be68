/*
 * coredump_flags.c - the only code that decides whether to believe a failure's syncs.
 */
#include "attribution/coredump_flags.h"

#include "base/journal_format.h"
#include "coredump/gpu_exceptions.h"

uint32_t coredump_flags_for(struct coredump_use use, const struct gpu_fault *fault, int32_t code)
{
	uint32_t flags = use.are_missing ? FAILURE_COREDUMP_MISSING : 0;
	if (use.are_watched && fault && gpu_fault_fits(fault, code))
		return flags | FAILURE_SYNCS_WATCHED;
	return flags | (use.are_on ? FAILURE_COREDUMPS : 0);
}
