/*
 * gpu_fault.c - walks the lanes, warps and SMs of a dump and groups those that faulted by their
 * grid. coredump_join.c matches the result with the journal.
 */
#include "coredump/gpu_fault.h"

#include <string.h>

/* A bitmap marks the SMs with a faulting warp; the largest GPU has 160 SMs. */
enum { MAX_DEVICES = 8, MAX_SMS = 256, SM_WORDS = MAX_DEVICES * MAX_SMS / 64 };

/* Stop searching for grids after this many searches, if a dump names more grids than fit. */
enum { MAX_SEARCHES = 64 };

struct gathering {
	const struct gpu_coredump *dump;
	struct gpu_fault *fault;
	unsigned int n_searches;
	struct gpu_location explained; /* the last one that a grid explains */
	uint64_t seen_sms[SM_WORDS];
};

/* Location of a warp: its block and its SM. */
struct warp_location {
	struct gpu_row block_row;
	struct gpu_row sm_row;
	struct gpu_block block;
	struct gpu_warp warp;
};

static bool is_seen(const struct gathering *gathering, const struct gpu_row *sm)
{
	uint64_t bit = sm->info * (uint64_t)MAX_SMS + sm->index;
	return sm->info < MAX_DEVICES && sm->index < MAX_SMS &&
	       (gathering->seen_sms[bit / 64] >> bit % 64 & 1);
}

static void mark_seen(struct gathering *gathering, const struct gpu_row *sm)
{
	uint64_t bit = sm->info * (uint64_t)MAX_SMS + sm->index;
	if (sm->info < MAX_DEVICES && sm->index < MAX_SMS)
		gathering->seen_sms[bit / 64] |= 1ull << bit % 64;
}

static void note_exception(struct gpu_fault *fault, uint32_t exception)
{
	if (exception >= GPU_MAX_EXCEPTIONS)
		fault->is_partial = true;
	else if (exception != GPU_EXCEPTION_NONE)
		fault->exceptions |= 1u << exception;
}

/* Find the only grid with that id on that device. Ids count per context, so there may be two. */
static bool find_grid(struct gathering *gathering, uint64_t id, uint32_t device,
		      struct gpu_grid *out)
{
	struct gpu_cursor cursor = {0, 0};
	unsigned int n = 0;
	if (gathering->n_searches++ >= MAX_SEARCHES)
		return false;
	struct gpu_row row;
	struct gpu_row found;
	while (gpu_next(gathering->dump, GPU_TABLE_GRID, &cursor, &row)) {
		if (row.info != device || span_u64(row.bytes, 0) != id)
			continue;
		found = row;
		n++;
	}
	if (n != 1)
		return false;
	gpu_read_grid(gathering->dump, &found, out);
	return true;
}

/* Return the entry of a faulting warp's grid, new if needed; NULL if the grid is not known. */
static struct gpu_fault_grid *grid_of(struct gathering *gathering,
				      const struct warp_location *location)
{
	struct gpu_fault *fault = gathering->fault;
	uint32_t device = location->sm_row.info;
	struct gpu_fault_grid *entry = NULL;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		entry = &fault->grids[i];
		if (entry->grid.id == location->block.grid && entry->grid.device == device)
			return entry;
	}
	if (fault->n_grids == GPU_FAULT_MAX_GRIDS)
		return NULL;
	entry = &fault->grids[fault->n_grids];
	*entry = (struct gpu_fault_grid){.kernel = ""};
	if (!find_grid(gathering, location->block.grid, device, &entry->grid))
		return NULL;
	fault->n_grids++;
	return entry;
}

/* Note that a warp faulted; `lane` is one of its faulting lanes, NULL if not known. */
static void note_warp(struct gathering *gathering, const struct warp_location *at,
		      const struct gpu_lane *lane)
{
	struct gpu_fault_grid *entry = grid_of(gathering, at);
	struct gpu_location location = {.device = at->sm_row.info,
					.exception = lane ? lane->exception : GPU_EXCEPTION_NONE,
					.pc = at->warp.pc,
					.has_thread = lane != NULL};
	mark_seen(gathering, &at->sm_row);
	if (!entry) {
		gathering->fault->is_partial = true;
		return;
	}
	if (!at->warp.has_pc)
		location.pc = lane ? lane->pc : 0;
	memcpy(location.block, at->block.index, sizeof(location.block));
	if (lane)
		memcpy(location.thread, lane->thread, sizeof(location.thread));
	if (!entry->location.has_thread && (location.has_thread || entry->location.pc == 0))
		entry->location = location;
}

static bool find_place(const struct gpu_coredump *dump, const struct gpu_row *warp,
		       struct warp_location *out)
{
	if (!gpu_parent(dump, warp, GPU_TABLE_BLOCK, &out->block_row) ||
	    !gpu_parent(dump, &out->block_row, GPU_TABLE_SM, &out->sm_row))
		return false;
	gpu_read_warp(warp, &out->warp);
	gpu_read_block(&out->block_row, &out->block);
	return true;
}

/* True if the lane faulted. In a warp that a trap stopped, the active lanes hit the trap. */
static bool is_at_fault(const struct gpu_lane *lane, const struct gpu_warp *warp)
{
	return lane->exception != GPU_EXCEPTION_NONE ||
	       (warp->is_broken && lane->id < 32 && (warp->active_lanes >> lane->id & 1));
}

static void gather_lanes(struct gathering *gathering)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_lane lane;
	struct gpu_row row;
	struct gpu_row warp_row;
	struct warp_location location;
	while (gpu_next(gathering->dump, GPU_TABLE_LANE, &cursor, &row)) {
		gpu_read_lane(&row, &lane);
		if (!gpu_parent(gathering->dump, &row, GPU_TABLE_WARP, &warp_row) ||
		    !find_place(gathering->dump, &warp_row, &location)) {
			gathering->fault->is_partial |= lane.exception != GPU_EXCEPTION_NONE;
			continue;
		}
		if (!is_at_fault(&lane, &location.warp))
			continue;
		note_exception(gathering->fault, lane.exception);
		gathering->fault->has_trap |= lane.exception == GPU_EXCEPTION_NONE;
		note_warp(gathering, &location, &lane);
	}
}

static void gather_warps(struct gathering *gathering)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct warp_location location;
	struct gpu_warp warp;
	while (gpu_next(gathering->dump, GPU_TABLE_WARP, &cursor, &row)) {
		gpu_read_warp(&row, &warp);
		if (!warp.is_broken && !warp.has_pc)
			continue;
		if (find_place(gathering->dump, &row, &location))
			note_warp(gathering, &location, NULL);
		else
			gathering->fault->is_partial = true;
	}
}

/* True if a grid that is known to have faulted explains this place. */
static bool is_explained(const struct gpu_fault *fault, const struct gpu_location *location)
{
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		const struct gpu_fault_grid *entry = &fault->grids[i];
		if (entry->grid.device == location->device && *entry->kernel != '\0' &&
		    strcmp(entry->kernel, location->code.function) == 0)
			return true;
	}
	return false;
}

static bool is_same_code(const struct gpu_location *a, const struct gpu_location *b)
{
	return a->pc == b->pc && a->device == b->device;
}

static bool is_listed(const struct gpu_fault *fault, const struct gpu_location *location)
{
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		if (is_same_code(&fault->locations[i], location))
			return true;
	}
	return false;
}

/* Note an SM's exception without a warp. */
static void note_sm(struct gathering *gathering, const struct gpu_sm *sm)
{
	struct gpu_fault *fault = gathering->fault;
	struct gpu_location location = {
		.exception = sm->exception, .device = sm->device, .pc = sm->pc};
	if (!sm->has_pc || sm->pc == 0) {
		fault->is_partial = true;
		return;
	}
	if (is_listed(fault, &location) || is_same_code(&location, &gathering->explained))
		return;
	if (fault->n_locations == GPU_FAULT_MAX_LOCATIONS ||
	    gathering->n_searches++ >= MAX_SEARCHES ||
	    !gpu_code_at(gathering->dump, location.pc, &location.code))
		fault->is_partial = true;
	else if (is_explained(fault, &location))
		gathering->explained = location;
	else
		fault->locations[fault->n_locations++] = location;
}

static void gather_sms(struct gathering *gathering)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_sm sm;
	struct gpu_row row;
	while (gpu_next(gathering->dump, GPU_TABLE_SM, &cursor, &row)) {
		gpu_read_sm(&row, &sm);
		if (sm.exception == GPU_EXCEPTION_NONE)
			continue;
		note_exception(gathering->fault, sm.exception);
		if (!is_seen(gathering, &row))
			note_sm(gathering, &sm);
	}
}

/* Set the code of the grids' places. */
static void name_grids(const struct gpu_coredump *dump, struct gpu_fault *fault)
{
	struct gpu_code code;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		struct gpu_fault_grid *entry = &fault->grids[i];
		if (gpu_code_at(dump, entry->grid.entry, &code) && code.is_kernel)
			entry->kernel = code.function;
		(void)gpu_code_at(dump, entry->location.pc, &entry->location.code);
		entry->location.is_data =
			entry->location.pc != 0 && !gpu_is_code(dump, entry->location.pc);
	}
}

void gpu_fault_read(const struct gpu_coredump *dump, struct gpu_fault *out)
{
	struct gathering gathering = {.dump = dump, .fault = out};
	memset(out, 0, sizeof(*out));
	gather_lanes(&gathering);
	gather_warps(&gathering);
	name_grids(dump, out);
	gather_sms(&gathering);
	struct gpu_meta meta;
	if (gpu_read_meta(dump, &meta))
		out->time = meta.time;
}
