/*
 * dump_fault.c - print what the driver said of the fault: one fault, or a source's summary; and
 * where code may be on the GPU.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

static const char *word_of(const char *const *words, size_t n, uint8_t value)
{
	return value < n && words[value] ? words[value] : "?";
}

static void dump_location(FILE *out, const struct fault_row *row)
{
	if (row->flags & (FAULT_ADDRESS_PAGE | FAULT_ADDRESS_BYTE))
		fprintf(out, " %s=0x%" PRIx64, row->flags & FAULT_ADDRESS_PAGE ? "page" : "address",
			row->address);
	if (row->flags & FAULT_ADDRESS_PAGE && row->page_shift)
		fprintf(out, " page_size=%" PRIu64, fault_page_size(row));
	if (row->flags & FAULT_HAS_PC)
		fprintf(out, " pc=0x%" PRIx64, row->pc);
	if (row->context)
		fprintf(out, " context=%" PRIu32, row->context);
	if (row->device != FAULT_DEVICE_UNKNOWN)
		fprintf(out, " device=%" PRIu32, row->device);
}

/* Print the members that only some kinds have. */
static void dump_raw(FILE *out, const struct fault_row *row)
{
	if (row->kind == FAULT_EVENT)
		fprintf(out, " type=%u reason=%u processor=%u raw_ns=%" PRIu64, row->type,
			row->reason, row->processor, row->raw_ns);
	if (row->kind == FAULT_EXCEPTION)
		fprintf(out, " sm=%" PRIu32 " warp_esr=0x%" PRIx32, row->sm, row->warp_esr);
	if (row->kind == FAULT_EXCEPTION || row->kind == FAULT_STATES_READ)
		fprintf(out, " global_esr=0x%" PRIx32, row->global_esr);
	if (row->kind == FAULT_STATES_READ || row->kind == FAULT_MMU)
		fprintf(out, " mmu_info=0x%" PRIx32, row->mmu_info);
	if (row->gpu_ns)
		fprintf(out, " gpu_ns=%" PRIu64, row->gpu_ns);
	if (row->source)
		fprintf(out, " source=0x%" PRIx32, row->source);
}

void dump_fault(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const kinds[] = {
		[FAULT_EVENT] = "event",
		[FAULT_EXCEPTION] = "exception",
		[FAULT_MMU] = "mmu",
		[FAULT_EVENTS_READ] = "events-read",
		[FAULT_STATES_READ] = "states-read",
		[FAULT_MMU_LIST_READ] = "mmu-list-read",
		[FAULT_TIMES_READ] = "times-read",
		[FAULT_TIMED] = "timed",
	};
	static const char *const accesses[] = {"unknown", "read", "write", "atomic", "prefetch"};
	const struct fault_row *row = view_fault(view, id);
	fprintf(out, "kind=%s", word_of(kinds, sizeof(kinds) / sizeof(kinds[0]), row->kind));
	if (row->kind >= FAULT_EVENTS_READ && row->kind <= FAULT_TIMES_READ)
		fprintf(out, " n=%" PRIu32 " lost=%" PRIu32, row->count, row->n_lost);
	else
		fprintf(out, " access=%s",
			word_of(accesses, sizeof(accesses) / sizeof(accesses[0]), row->access));
	dump_location(out, row);
	dump_raw(out, row);
	fprintf(out, " flags=0x%x", row->flags);
	dump_time(out, "at", row->time_ns);
}

void dump_code_address(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct code_address_row *row = view_code_address(view, id);
	fprintf(out, "function=%" PRIu32 " offset=0x%x address=0x%" PRIx64, row->function,
		(unsigned)row->offset, row->address);
	if (!(row->flags & CODE_CONFIRMED))
		fputs(" unconfirmed", out);
}
