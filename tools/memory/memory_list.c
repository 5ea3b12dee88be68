/*
 * memory_list.c - print groups of memory as a table or JSON.
 */
#include "memory/memory_labels.h"
#include "memory/memory_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json/json_parts.h"
#include "json/json_values.h"

enum { MAX_STACKS = 512 };

static void print_sums(const struct memory_groups *groups, const char *what, FILE *out)
{
	static const char *const places[N_MEMORY_PLACES] = {
		[MEMORY_ON_DEVICE] = "on the GPU",
		[MEMORY_ON_HOST] = "pinned on the host",
		[MEMORY_OF_OTHERS] = "of other processes",
	};
	const char *between = what;
	for (int place = 0; place < MEMORY_NO_ROOM; place++) {
		if (place != MEMORY_ON_DEVICE && !groups->n_pieces[place])
			continue;
		char size[MEMORY_SIZE_TEXT];
		fprintf(out, "%s%s %s in %" PRIu64, between, places[place],
			memory_size_text(groups->bytes[place], size), groups->n_pieces[place]);
		between = "; ";
	}
	fputc('\n', out);
}

/* Print one group. A difference has a sign: "+1.5 GiB". */
static void print_row(const struct memory_group *group, bool is_difference, FILE *out)
{
	bool is_less = (int64_t)group->bytes < 0;
	char size[MEMORY_SIZE_TEXT];
	memory_size_text(is_less && is_difference ? -group->bytes : group->bytes, size);
	char cell[MEMORY_SIZE_TEXT + 2];
	snprintf(cell, sizeof(cell), "%s%s", is_difference ? (is_less ? "-" : "+") : "", size);
	fprintf(out, is_difference ? "%12s  %+8" PRId64 "  %s\n" : "%12s  %8" PRId64 "  %s\n", cell,
		group->n, group->name);
}

void memory_list_print(const struct memory_groups *groups, const char *what, uint64_t top,
		       const struct memory_before *before, FILE *out)
{
	bool is_difference = before->bundle || before->time;
	print_sums(groups, what, out);
	if (before->bundle)
		fprintf(out, "change from %s:\n", before->bundle);
	if (before->time)
		fprintf(out, "change since %s:\n", before->time);
	for (size_t i = 0; i < groups->n && i < top; i++)
		print_row(&groups->rows[i], is_difference, out);
	if (groups->n > top)
		fprintf(out, "and %" PRIu64 " more\n", (uint64_t)groups->n - top);
}

static json_t *sum_json(const struct memory_groups *groups, enum memory_place place)
{
	return json_pack("{s:o, s:o}", "bytes", json_count(groups->bytes[place]), "pieces",
			 json_count(groups->n_pieces[place]));
}

static json_t *group_json(const struct analysis *analysis, const struct memory_group *group,
			  bool has_stack)
{
	json_t *row = json_pack("{s:o, s:I, s:I}", "name", json_foreign(group->name), "bytes",
				(json_int_t)group->bytes, "pieces", (json_int_t)group->n);
	if (has_stack) {
		json_object_set_new(row, "stack", stack_to_json(analysis, group->stack));
		json_object_set_new(row, "python_stack",
				    python_stack_to_json(analysis, group->stack));
	}
	return row;
}

/* Print an object without its closing brace, so that more members can follow. */
static void print_open(json_t *object, FILE *out)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *whole = open_memstream(&bytes, &size);
	if (whole) {
		(void)json_print(object, whole);
		fclose(whole);
		fwrite(bytes, 1, size ? size - 1 : 0, out);
	}
	free(bytes);
	json_decref(object);
}

/* Print group by group: a corrupt journal may have more of them than fit in memory as JSON. */
static void print_groups(const struct analysis *analysis, const struct memory_groups *groups,
			 size_t n_stacks, FILE *out)
{
	fputs(", \"groups\": [", out);
	for (size_t i = 0; i < groups->n; i++) {
		json_t *row = group_json(analysis, &groups->rows[i], i < n_stacks);
		fputs(i ? ", " : "", out);
		(void)json_print(row, out);
		json_decref(row);
	}
	fputs("]}\n", out);
}

void memory_list_json(const struct analysis *analysis, const struct memory_groups *groups,
		      enum memory_by by, const struct memory_before *before, FILE *out)
{
	static const char *const words[] = {"stack", "library", "thread", "kind"};
	/* Some groups' stacks are IDs of the other bundle. */
	bool has_stacks = by == MEMORY_BY_STACK && !before->bundle;
	print_open(json_pack("{s:i, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "format", 1, "bundle",
			     json_foreign(analysis->bundle->path), "by", words[by], "before",
			     json_foreign(before->bundle), "since", json_foreign(before->time),
			     "device", sum_json(groups, MEMORY_ON_DEVICE), "host",
			     sum_json(groups, MEMORY_ON_HOST), "others",
			     sum_json(groups, MEMORY_OF_OTHERS)),
		   out);
	print_groups(analysis, groups, has_stacks ? MAX_STACKS : 0, out);
}
