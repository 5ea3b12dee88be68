/*
 * interned.c - keep the texts in a hash map, which is a JSON object of jansson's.
 */
#include "trace/trace_parts.h"

#include <string.h>

uint64_t interned_id(struct interned *table, const char *text, bool *out_is_new)
{
	*out_is_new = false;
	if (!table->ids)
		table->ids = json_object();
	json_t *known = json_object_get(table->ids, text);
	if (known)
		return (uint64_t)json_integer_value(known);
	if (!table->ids ||
	    json_object_set_new_nocheck(table->ids, text, json_integer((json_int_t)table->n + 1)))
		return 0;
	*out_is_new = true;
	return ++table->n;
}

void interned_free(struct interned *table)
{
	json_decref(table->ids);
	memset(table, 0, sizeof(*table));
}
