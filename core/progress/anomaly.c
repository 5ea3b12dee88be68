/*
 * anomaly.c - compare all launches at once, in one pass over the records and one over the memory.
 */
#include "progress/anomaly.h"

#include <string.h>

#include "view/record_walk.h"

/* A value is usual only after this many earlier launches. */
enum { MIN_BEFORE = 3 };

/* A pointer this close past the end of an allocation was probably meant to be inside. */
enum { CLOSE_BEHIND = 4096 };

static void set_value(struct anomaly_case *launch, uint32_t index, uint64_t value)
{
	launch->values[index] = value;
	launch->has_value |= UINT32_C(1) << index;
}

/* Read the parameters of up to 8 bytes; larger ones are not numbers. */
static void read_parameters(struct anomaly_case *launch, const struct bundle_view *view,
			    const unsigned char *bytes, size_t n_bytes)
{
	const struct function_row *function = view_function(view, launch->launch.function);
	for (uint32_t i = 0; function && function->n_parameters != UINT32_MAX &&
			     i < function->n_parameters && i < ANOMALY_MAX_PARAMETERS;
	     i++) {
		const struct parameter_row *row =
			view_parameter(view, function->first_parameter + i);
		uint64_t value = 0;
		if (!row || row->size > sizeof(value) || row->offset > n_bytes ||
		    row->size > n_bytes - row->offset)
			continue;
		memcpy(&value, bytes + row->offset, row->size);
		set_value(launch, i, value);
		if (row->size == sizeof(value) && value > UINT32_MAX)
			launch->may_point |= UINT32_C(1) << i;
	}
}

/* Read the launch's numbers. Returns false if it is not a launch of a known kernel. */
static bool read_launch(struct anomaly_case *out, const struct bundle_view *view, uint32_t slot,
			const struct journal_record *record)
{
	if (record->work != WORK_KERNEL || record->launch.function == 0)
		return false;
	out->launch = record->launch;
	out->at = range_moment_of(record);
	out->stack = record->stack;
	unsigned char bytes[2 * RECORD_PAYLOAD];
	size_t n_bytes = view_arguments(view, slot, record, bytes, sizeof(bytes));
	read_parameters(out, view, bytes, n_bytes);
	for (uint32_t i = 0; i < 3; i++) {
		set_value(out, ANOMALY_GRID + i, record->launch.grid[i]);
		set_value(out, ANOMALY_BLOCK + i, record->launch.block[i]);
	}
	set_value(out, ANOMALY_SHARED, record->launch.shared_bytes);
	return true;
}

void anomaly_add(struct anomaly_table *table, const struct bundle_view *view, uint32_t slot,
		 const struct journal_record *record)
{
	if (table->n == ANOMALY_MAX_CASES)
		return;
	table->cases[table->n] = (struct anomaly_case){.stack = 0};
	(void)read_launch(&table->cases[table->n++], view, slot, record);
}

/* --- Values of other launches --- */

static void compare(struct anomaly_case *launch, const struct anomaly_case *earlier)
{
	for (uint32_t i = 0; i < ANOMALY_VALUES; i++) {
		if (launch->n_before == 0)
			launch->earlier[i] = earlier->values[i];
		else if (launch->earlier[i] != earlier->values[i])
			launch->has_varied |= UINT32_C(1) << i;
	}
	/* A value that the earlier launch lacks cannot be compared. */
	launch->has_varied |= launch->has_value & ~earlier->has_value;
	launch->n_before++;
}

static bool is_earlier(const struct anomaly_case *launch, const struct journal_record *record)
{
	return launch->launch.function != 0 && record->sequence < launch->at.sequence &&
	       record->launch.function == launch->launch.function && record->stack == launch->stack;
}

static void compare_record(struct anomaly_table *table, const struct bundle_view *view,
			   uint32_t slot, const struct journal_record *record)
{
	struct anomaly_case earlier = {.stack = 0};
	bool is_read = false;
	for (uint32_t i = 0; i < table->n; i++) {
		if (!is_earlier(&table->cases[i], record))
			continue;
		if (!is_read && !read_launch(&earlier, view, slot, record))
			return;
		is_read = true;
		compare(&table->cases[i], &earlier);
	}
}

static void look_at_records(struct anomaly_table *table, const struct bundle_view *view)
{
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->kind == RECORD_SUBMISSION && record->result == 0)
			compare_record(table, view, walk.slot, record);
	}
}

/* --- Where pointers point --- */

/* True if the address is in that memory or just past its end. */
static bool is_close(const struct range_row *range, uint64_t address)
{
	return address >= range->start && (address - range->start < range->size ||
					   address - range->start - range->size < CLOSE_BEHIND);
}

/* Note what an address that is close to memory points to. */
static void point_to(struct anomaly_case *launch, uint32_t i, const struct range_row *range,
		     enum range_then then)
{
	static const uint8_t kinds[] = {
		[RANGE_THEN_FREED] = ANOMALY_FREED,
		[RANGE_THEN_IN_FLIGHT] = ANOMALY_IN_FLIGHT,
		[RANGE_THEN_UNCLEAR] = ANOMALY_NONE,
	};
	bool is_inside = launch->values[i] - range->start < range->size;
	uint8_t kind = is_inside ? kinds[then] : ANOMALY_PAST;
	if (then == RANGE_THEN_ABSENT || (then == RANGE_THEN_FREED && !is_inside))
		return;
	if (kind == ANOMALY_NONE)
		launch->is_live[i] = true;
	else if (kind > launch->kinds[i])
		launch->kinds[i] = kind;
}

static void point(struct anomaly_case *launch, const struct bundle_view *view,
		  const struct range_row *range)
{
	for (uint32_t i = 0; launch->may_point >> i; i++)
		if (launch->may_point >> i & 1 && is_close(range, launch->values[i]))
			point_to(launch, i, range, range_then(view, range, &launch->at));
}

static void look_at_memory(struct anomaly_table *table, const struct bundle_view *view)
{
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	table->lowest = UINT64_MAX;
	table->highest = 0;
	struct range_row range;
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++) {
		if (!view_range_copy(view, (uint32_t)id, &range) ||
		    !range_has_address(range.kind) || range.size > UINT64_MAX - range.start)
			continue;
		if (range.start < table->lowest)
			table->lowest = range.start;
		if (range.start + range.size > table->highest)
			table->highest = range.start + range.size;
		for (uint32_t i = 0; i < table->n; i++)
			point(&table->cases[i], view, &range);
	}
}

void anomaly_compare(struct anomaly_table *table, const struct bundle_view *view)
{
	look_at_records(table, view);
	look_at_memory(table, view);
}

/* A value that all earlier launches had did no harm. */
static bool is_usual(const struct anomaly_case *launch, uint32_t i)
{
	return launch->n_before > 0 && !(launch->has_varied >> i & 1) &&
	       launch->earlier[i] == launch->values[i];
}

static enum anomaly_kind kind_of(const struct anomaly_table *table,
				 const struct anomaly_case *launch, uint32_t i)
{
	uint64_t value = launch->values[i];
	if (!(launch->has_value >> i & 1) || is_usual(launch, i))
		return ANOMALY_NONE;
	if (i < ANOMALY_MAX_PARAMETERS && launch->may_point >> i & 1 && !launch->is_live[i]) {
		if (launch->kinds[i] != ANOMALY_NONE)
			return (enum anomaly_kind)launch->kinds[i];
		if (value >= table->lowest && value < table->highest)
			return ANOMALY_STRAY;
	}
	if (i < ANOMALY_MAX_PARAMETERS && launch->is_live[i])
		return ANOMALY_NONE; /* memory that is new for this parameter, but live */
	return launch->n_before >= MIN_BEFORE && !(launch->has_varied >> i & 1) ? ANOMALY_NUMBER
										: ANOMALY_NONE;
}

struct anomaly anomaly_of(const struct anomaly_table *table, uint32_t index)
{
	const struct anomaly_case *launch = &table->cases[index];
	struct anomaly worst = {.kind = ANOMALY_NONE};
	for (uint32_t i = 0; index < table->n && i < ANOMALY_VALUES; i++) {
		enum anomaly_kind kind = kind_of(table, launch, i);
		if (kind > worst.kind)
			worst = (struct anomaly){.kind = kind,
						 .index = i,
						 .value = launch->values[i],
						 .usual = launch->earlier[i],
						 .n_before = launch->n_before};
	}
	return worst;
}
