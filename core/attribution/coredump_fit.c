/*
 * coredump_fit.c - compare one submission with what faulted by a core dump.
 */
#include "attribution/coredump_parts.h"

#include <string.h>

/* Parameter bytes are compared in pieces of this size; a kernel's buffer has at most 32,764. */
enum { MAX_COMPARED = 4096 };

enum equality { DIFFERENT, UNKNOWN, EQUAL };

static const char *name_of(const struct bundle_view *view, const struct journal_record *record)
{
	const struct function_row *function = view_function(view, record->launch.function);
	return view_string(view, function ? function->name : 0, NULL);
}

static enum equality compare_names(const char *a, const char *b)
{
	if (*a == '\0' || *b == '\0')
		return UNKNOWN;
	return strcmp(a, b) == 0 ? EQUAL : DIFFERENT;
}

/* Return UNKNOWN if the bytes are missing in the journal or in the dump. */
static enum equality compare_parameter(const struct parameter_row *row, const unsigned char *bytes,
				       size_t n_bytes, struct byte_span dumped)
{
	struct byte_span kept = {bytes, n_bytes};
	struct byte_span a;
	struct byte_span b;
	if (!span_part(kept, row->offset, row->size, &a) ||
	    !span_part(dumped, row->offset, row->size, &b))
		return UNKNOWN;
	return memcmp(a.bytes, b.bytes, row->size) == 0 ? EQUAL : DIFFERENT;
}

static enum equality compare_listed(const struct bundle_view *view,
				    const struct function_row *function, const unsigned char *bytes,
				    size_t n_bytes, struct byte_span dumped)
{
	enum equality all = EQUAL;
	for (uint32_t i = 0; i < function->n_parameters; i++) {
		const struct parameter_row *row =
			view_parameter(view, function->first_parameter + i);
		enum equality one = row ? compare_parameter(row, bytes, n_bytes, dumped) : UNKNOWN;
		if (one == DIFFERENT || !row)
			return one;
		all = one < all ? one : all;
	}
	return all;
}

static enum equality compare_parameters(const struct bundle_view *view, uint32_t slot,
					const struct journal_record *record,
					const struct gpu_grid *grid)
{
	const struct function_row *function = view_function(view, record->launch.function);
	if (!grid->has_parameters)
		return record->launch.argument_bytes == 0 ? EQUAL : UNKNOWN;
	unsigned char bytes[MAX_COMPARED];
	size_t n_bytes = view_arguments(view, slot, record, bytes, sizeof(bytes));
	if (function && function->n_parameters != UINT32_MAX)
		return compare_listed(view, function, bytes, n_bytes, grid->parameters);
	/* The driver took a buffer without a known layout as it was. */
	if (n_bytes == 0 || n_bytes != grid->parameters.size)
		return UNKNOWN;
	return memcmp(bytes, grid->parameters.bytes, n_bytes) == 0 ? EQUAL : UNKNOWN;
}

/* Old launches set the block, and some the grid, by separate calls: 0 is unknown. */
static bool is_other(const uint32_t launched[3], const uint32_t dumped[3])
{
	return launched[0] != 0 && memcmp(launched, dumped, 3 * sizeof(*launched)) != 0;
}

static bool has_shape(const struct record_launch *launch)
{
	return launch->grid[0] != 0 && launch->block[0] != 0;
}

static bool has_other_shape(const struct journal_record *record, const struct gpu_grid *grid)
{
	const struct record_launch *launch = &record->launch;
	bool is_any_grid = record->flags & RECORD_COOPERATIVE && gpu_is_cooperative_grid(grid);
	if (is_other(launch->block, grid->block) ||
	    (is_other(launch->grid, grid->grid) && !is_any_grid))
		return true;
	/* The cluster size may be a property of the kernel. Then the launch does not give it. */
	for (int i = 0; i < 3; i++) {
		if (launch->cluster[i] != 0 && grid->cluster[i] != 0 &&
		    launch->cluster[i] != grid->cluster[i])
			return true;
	}
	return false;
}

static enum coredump_fit fit_grid(const struct coredump_clues *clues,
				  const struct gpu_fault_grid *entry, uint32_t slot,
				  const struct journal_record *record)
{
	const struct bundle_view *view = clues->view;
	const struct function_row *function = view_function(view, record->launch.function);
	const struct gpu_grid *grid = &entry->grid;
	if (!gpu_is_host_grid(grid))
		return COREDUMP_POSSIBLE;
	if (compare_names(name_of(view, record), entry->kernel) == DIFFERENT ||
	    has_other_shape(record, grid))
		return COREDUMP_RULED_OUT;
	enum equality parameters = compare_parameters(view, slot, record, grid);
	if (parameters == DIFFERENT)
		return COREDUMP_RULED_OUT;
	return parameters == EQUAL && has_shape(&record->launch) && function &&
			       function->handle == grid->function &&
			       coredump_is_in_context(view, &clues->moment, record, grid->context)
		       ? COREDUMP_SURE
		       : COREDUMP_POSSIBLE;
}

/* Compare by the code of a warp that has exited. Only a kernel's own code gives its name. */
static enum coredump_fit fit_location(const struct bundle_view *view,
				      const struct gpu_location *location,
				      const struct journal_record *record)
{
	if (!location->code.is_kernel)
		return COREDUMP_POSSIBLE;
	return compare_names(name_of(view, record), location->code.function) == DIFFERENT
		       ? COREDUMP_RULED_OUT
		       : COREDUMP_POSSIBLE;
}

static enum coredump_fit fit_kernel(const struct coredump_clues *clues, uint32_t slot,
				    const struct journal_record *record)
{
	const struct gpu_fault *fault = clues->fault;
	enum coredump_fit best = COREDUMP_RULED_OUT;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		enum coredump_fit fit = fit_grid(clues, &fault->grids[i], slot, record);
		best = fit > best ? fit : best;
	}
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		enum coredump_fit fit = fit_location(clues->view, &fault->locations[i], record);
		best = fit > best ? fit : best;
	}
	return best;
}

/* A kernel found by name alone may be the driver's, if the driver has one of that name. */
static bool is_application_kernel(const struct bundle_view *view, uint64_t handle, const char *name)
{
	bool is_own_name = !coredump_is_drivers_name(name);
	uint64_t n = view->tables[JOURNAL_FUNCTIONS].n_rows;
	for (uint32_t location = 1; location <= n && location < UINT32_MAX; location++) {
		uint32_t id = view_id_at(view, JOURNAL_FUNCTIONS, location);
		const struct function_row *row = view_function(view, id);
		enum equality equality =
			row ? compare_names(view_string(view, row->name, NULL), name) : DIFFERENT;
		if ((equality != DIFFERENT && handle != 0 && row->handle == handle) ||
		    (equality == EQUAL && is_own_name))
			return true;
	}
	return false;
}

bool coredump_is_application(const struct bundle_view *view, const struct gpu_fault *fault)
{
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		if (!is_application_kernel(view, fault->grids[i].grid.function,
					   fault->grids[i].kernel))
			return false;
	}
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		if (!is_application_kernel(view, 0, fault->locations[i].code.function))
			return false;
	}
	return true;
}

enum coredump_fit coredump_fit(const struct coredump_clues *clues, uint32_t slot,
			       const struct journal_record *record)
{
	enum coredump_fit fit = COREDUMP_POSSIBLE;
	if (record->work == WORK_HOST_FUNC)
		return COREDUMP_RULED_OUT;
	if (record->work == WORK_KERNEL)
		fit = fit_kernel(clues, slot, record);
	else if (record->work == WORK_GRAPH)
		fit = coredump_fit_graph(clues, record);
	else if (record->work == WORK_COPY || record->work == WORK_MEMSET ||
		 record->work == WORK_MEMOP)
		fit = coredump_fit_memory(clues, record);
	return fit == COREDUMP_RULED_OUT && clues->fault->is_partial ? COREDUMP_POSSIBLE : fit;
}

const struct gpu_location *coredump_location(const struct coredump_clues *clues, uint32_t slot,
					     const struct journal_record *record)
{
	const struct gpu_fault *fault = clues->fault;
	if (record->work == WORK_GRAPH && fault->n_grids + fault->n_locations == 1)
		return fault->n_grids == 1 ? &fault->grids[0].location : &fault->locations[0];
	if (record->work != WORK_KERNEL)
		return NULL;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		if (fit_grid(clues, &fault->grids[i], slot, record))
			return &fault->grids[i].location;
	}
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		if (fit_location(clues->view, &fault->locations[i], record))
			return &fault->locations[i];
	}
	return NULL;
}
