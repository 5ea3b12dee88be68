/*
 * any_fault.c - the failure of a random bundle, what the driver and a core dump say of it, and what
 * is known of the code. Without a failure there may be a hang.
 */
#include "model/any_fault.h"

#include <string.h>

#include "coredump/gpu_exceptions.h"

enum { CODE_BASE = 0x80000, STEP = 0x400 };

/* --- Code --- */

static uint64_t start_of(uint32_t function)
{
	return CODE_BASE + (uint64_t)function * STEP;
}

static void set_bits(struct any_bundle *any, uint32_t function)
{
	struct code_size *size = &any->sizes[function];
	for (uint32_t i = 0; i < ANY_CODE_BYTES; i++) {
		any->accesses[function][i] = (uint8_t)any_pick(any, 256);
		any->awaited[function][i] =
			any->accesses[function][i] & (uint8_t)any_pick(any, 256);
	}
	size->accesses = any->accesses[function];
	size->awaited = any->awaited[function];
	size->n_accesses = 8 * ANY_CODE_BYTES;
}

static void add_code(struct any_bundle *any)
{
	for (uint32_t i = 1; i <= ANY_FUNCTIONS; i++) {
		uint32_t id = 0;
		any->code_facts[i] = (uint8_t)any_pick(any, 8);
		if (any_chance(any, 70)) /* it launches nothing */
			any->code_facts[i] &= (uint8_t)~CODE_LAUNCHES;
		if (any_chance(any, 90))
			any->sizes[i] = (struct code_size){.least = STEP - 0x80, .most = STEP};
		if (any_chance(any, 50))
			set_bits(any, i);
		if (any_chance(any, 5))
			continue;
		struct code_address_row *row =
			builder_rows(&any->builder, JOURNAL_CODE_ADDRESSES, 1, &id);
		*row = (struct code_address_row){
			.address = start_of(i), .function = i, .offset = 0x68};
		row->flags = any_chance(any, 95) ? CODE_CONFIRMED : 0;
	}
	any->facts.code = any->code_facts;
	any->facts.n_functions = any_chance(any, 90) ? ANY_FUNCTIONS + 1 : 0;
	any->facts.sizes = (struct code_sizes){.of = any->sizes, .n = ANY_FUNCTIONS + 1};
}

/* --- The driver's report --- */

static struct fault_row *add_row(struct any_bundle *any, enum fault_kind kind)
{
	uint32_t id = 0;
	struct fault_row *row = builder_rows(&any->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = (uint8_t)kind, .context = 1};
	return row;
}

/* An address, often one that follows from the arguments of a launch. */
static uint64_t faulting_address(struct any_bundle *any)
{
	uint64_t pointer = 0;
	uint32_t number = 0;
	memcpy(&pointer, any->arguments, sizeof(pointer));
	memcpy(&number, any->arguments + 8, sizeof(number));
	if (any_chance(any, 30))
		return any_address(any);
	return pointer + (uint64_t)(int32_t)number * (any_chance(any, 70) ? 4 : 8);
}

static void add_exceptions(struct any_bundle *any)
{
	struct fault_row *summary = add_row(any, FAULT_STATES_READ);
	summary->flags = any_chance(any, 92) ? FAULT_ONE_CONTEXT : 0;
	summary->n_lost = any_chance(any, 5);
	uint32_t n = any_chance(any, 75) ? 1 : 2;
	uint32_t function = any->launch.function;
	for (uint32_t i = 0; i < n; i++) {
		if (function == 0 || any_chance(any, 40))
			function = 1 + any_pick(any, ANY_FUNCTIONS);
		struct fault_row *row = add_row(any, FAULT_EXCEPTION);
		row->warp_esr = any_chance(any, 50) ? 0x502000f : 0x5020010;
		row->flags = any_chance(any, 95) ? FAULT_HAS_PC : 0;
		row->flags |= any_chance(any, 60) ? FAULT_ADDRESS_BYTE : 0;
		row->address = row->flags & FAULT_ADDRESS_BYTE ? faulting_address(any) : 0;
		row->pc = start_of(function) + 16 * (uint64_t)any_pick(any, STEP / 16);
	}
}

static void add_page(struct any_bundle *any, enum fault_kind kind, uint64_t address)
{
	struct fault_row *row = add_row(any, kind);
	row->address = address & ~(uint64_t)(FAULT_PAGE_SIZE - 1);
	row->flags = any_chance(any, 95) ? FAULT_ADDRESS_PAGE : 0;
	row->gpu_ns = any->builder.time_ns - 1000 * (uint64_t)any_pick(any, 120);
	row->time_ns = row->gpu_ns + any_pick(any, 200000) - 20000;
}

static void add_pages(struct any_bundle *any)
{
	uint64_t address = faulting_address(any);
	add_page(any, FAULT_EVENT, address);
	if (any_chance(any, 70))
		add_page(any, FAULT_MMU, address);
	if (any_chance(any, 50)) {
		add_row(any, FAULT_TIMES_READ)->count = 1;
		add_page(any, FAULT_TIMED, address);
	}
	if (any_chance(any, 15))
		add_page(any, FAULT_EVENT, any_address(any));
}

static void add_report(struct any_bundle *any)
{
	uint32_t what = any_pick(any, 10);
	if (what < 2)
		return;
	if (what < 5)
		add_pages(any);
	if (what > 4 || any_chance(any, 10))
		add_exceptions(any);
	if (any_chance(any, 85)) {
		struct fault_row *row = add_row(any, FAULT_EVENTS_READ);
		row->count = what < 5;
		row->flags = any_chance(any, 5) ? FAULT_LATE : 0;
	}
}

/* --- The core dump --- */

static const char *name_of(uint32_t function)
{
	static const char *const names[] = {"", "a", "b", "a", "memset32", "c", "d"};
	return function <= ANY_FUNCTIONS ? names[function] : "e";
}

static void add_grid(struct any_bundle *any)
{
	struct gpu_fault_grid *entry = &any->dump.grids[any->dump.n_grids++];
	struct gpu_grid *grid = &entry->grid;
	bool is_drivers = any_chance(any, 20);
	entry->kernel = is_drivers ? (any_chance(any, 50) ? "memcpy128" : "memset32")
				   : name_of(any->launch.function);
	grid->id = 1 + any_pick(any, 6);
	grid->parent = any_chance(any, 4);
	grid->context = any_chance(any, 92) ? 0x1001 : 0x1002;
	grid->function = any_chance(any, 85) ? 0x2000 + any->launch.function : 0x9999;
	grid->cluster[0] = any_chance(any, 10) ? 1 : any->launch.cluster[0];
	for (int i = 0; i < 3; i++) {
		grid->grid[i] = any->launch.grid[i];
		grid->block[i] = any->launch.block[i];
	}
	if (any_chance(any, 15))
		grid->grid[0] = 1;
	grid->has_parameters = any_chance(any, 85);
	if (grid->has_parameters)
		grid->parameters = (struct byte_span){any->arguments,
						      any_chance(any, 90) ? ANY_ARGUMENTS : 12};
	entry->location.code = (struct gpu_code){.function = entry->kernel,
						 .is_kernel = true,
						 .line = {.directory = "", .file = ""}};
}

static void add_place(struct any_bundle *any)
{
	struct gpu_location *place = &any->dump.locations[any->dump.n_locations++];
	place->pc = 0x7000;
	place->code = (struct gpu_code){.function = name_of(1 + any_pick(any, ANY_FUNCTIONS)),
					.line = {.directory = "", .file = ""}};
	place->code.is_kernel = any_chance(any, 90);
}

static void add_dump(struct any_bundle *any)
{
	enum gpu_exception exception =
		any->code == 710 ? GPU_EXCEPTION_WARP_ASSERT : GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS;
	any->dump.exceptions = 1u << exception;
	any->dump.is_partial = any_chance(any, 8);
	uint32_t what = any_pick(any, 10);
	if (what < 8)
		add_grid(any);
	if (what == 0)
		add_grid(any);
	if (what > 6)
		add_place(any);
	any->facts.coredump = &any->dump;
}

/* --- The failure, or a hang --- */

static void add_hang(struct any_bundle *any)
{
	uint32_t n_submitted = (uint32_t)any->builder.sequence;
	struct hang_claim *hang = &any->hang;
	any->has_hang = any_chance(any, 70);
	hang->n = 1 + any_pick(any, 3);
	hang->is_of_end = any_chance(any, 30);
	hang->class = any_chance(any, 50) ? VERDICT_EXACT : VERDICT_LIKELY;
	for (uint32_t i = 0; i < hang->n; i++) {
		hang->rows[i].sequence = any_pick(any, n_submitted + 2);
		hang->rows[i].is_proven = any_chance(any, 50);
	}
}

static uint32_t flags_of(struct any_bundle *any)
{
	static const uint32_t flags[] = {
		FAILURE_UNKNOWN_LAUNCH, FAILURE_STREAMS_LOST,   FAILURE_COREDUMPS,
		FAILURE_SYNCS_WATCHED,  FAILURE_CHECKPOINTED,   FAILURE_BYPASSED,
		FAILURE_SHARED,         FAILURE_UNSEEN_BETWEEN, FAILURE_COREDUMP_MISSING};
	uint32_t n = any_chance(any, 25) ? 1 + any_pick(any, 2) : 0;
	uint32_t all = 0;
	for (uint32_t i = 0; i < n; i++)
		all |= flags[any_pick(any, sizeof(flags) / sizeof(*flags))];
	return all;
}

void any_fault_add(struct any_bundle *any)
{
	any->has_failure = any_chance(any, 93);
	if (!any->has_failure) {
		add_hang(any);
		return;
	}
	add_code(any);
	add_report(any);
	struct failure_row *row =
		builder_fail(&any->builder, any->code, ANY_TID, "cuCtxSynchronize");
	row->flags = flags_of(any);
	row->sequence -= any_chance(any, 8) && row->sequence > 0;
	if (!any_chance(any, 25))
		return;
	add_dump(any);
	row->flags |= any_chance(any, 60) ? FAILURE_SYNCS_WATCHED : FAILURE_COREDUMPS;
}
