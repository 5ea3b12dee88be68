/*
 * memory_host.c - walks the mappings of the process once; there are some thousand.
 */
#include "memory/memory_host.h"

#include <inttypes.h>
#include <string.h>

static const struct host_mapping_row *find(const struct bundle_view *view, uint64_t address)
{
	const struct host_mapping_row *row = NULL;
	for (uint32_t id = 1; (row = view_host_mapping(view, id)); id++) {
		if (address >= row->start && address < row->end)
			return row;
	}
	return NULL;
}

static void add_name(const struct bundle_view *view, uint32_t id, struct text *out)
{
	size_t length = 0;
	const char *name = view_string(view, id, &length);
	const char *slash = strrchr(name, '/');
	const char *start = slash ? slash + 1 : name;
	if (length == 0)
		return;
	text_add(out, " (");
	text_add_foreign(out, start, length - (size_t)(start - name));
	text_add(out, ")");
}

/* Return its mapping. Small values are numbers. Memory without a row may be registered. */
static const struct host_mapping_row *mapping_of(const struct bundle_view *view, uint64_t address)
{
	if (address <= UINT32_MAX || view->tables[JOURNAL_RANGES].lost > 0)
		return NULL;
	return find(view, address);
}

bool memory_is_host(const struct bundle_view *view, uint64_t address)
{
	return mapping_of(view, address) != NULL;
}

bool memory_add_host(const struct bundle_view *view, const struct context_row *context,
		     uint64_t address, struct text *out)
{
	const struct host_mapping_row *row = mapping_of(view, address);
	if (!row || !context || !(context->flags & CONTEXT_LACKS_HOST_MEMORY))
		return false;
	text_add(out, " = the program's own memory");
	add_name(view, row->name, out);
	text_addf(out, ", not registered: device %" PRIu32 " cannot access it", context->device);
	return true;
}

/* True if the device uses the process's page tables, and all mappings are known. */
static bool knows_tables(const struct bundle_view *view, const struct context_row *context)
{
	const struct view_rows *mappings = &view->tables[JOURNAL_HOST_MAPPINGS];
	return context && context->flags & CONTEXT_USES_HOST_TABLES && mappings->n_rows > 0 &&
	       mappings->lost == 0;
}

bool memory_is_unmapped(const struct bundle_view *view, const struct context_row *context,
			uint64_t address)
{
	return knows_tables(view, context) && !find(view, address);
}

bool memory_add_tables(const struct bundle_view *view, const struct context_row *context,
		       uint64_t address, struct text *out)
{
	if (!knows_tables(view, context))
		return false;
	const struct host_mapping_row *row = find(view, address);
	if (row) {
		text_add(out, ", in the program's own memory");
		add_name(view, row->name, out);
		text_addf(out,
			  ": device %" PRIu32 " uses the program's page tables, and the page was "
			  "missing or protected then",
			  context->device);
	} else {
		text_addf(out,
			  ", which the program has not mapped: device %" PRIu32
			  " uses the program's page tables",
			  context->device);
	}
	return true;
}
