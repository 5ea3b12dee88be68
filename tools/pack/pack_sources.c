/*
 * pack_sources.c - print an excerpt for each code location of the report, once per line.
 */
#include "pack/pack_parts.h"

#include <stdlib.h>

#include "analysis/source_excerpt.h"

static void print_excerpt(const struct source_excerpt *excerpt, FILE *out)
{
	fprintf(out, "%s:%u%s\n", excerpt->path, excerpt->line,
		excerpt->has_changed ? ": " SOURCE_HAS_CHANGED : "");
	for (size_t i = 0; i < excerpt->n; i++)
		fprintf(out, "%s%6u  %s\n", excerpt->lines[i].number == excerpt->line ? ">" : " ",
			excerpt->lines[i].number, excerpt->lines[i].text);
	fputc('\n', out);
}

void pack_sources_print(const struct analysis *analysis, const struct analysis_filter *filter,
			FILE *out)
{
	struct source_excerpt *excerpt = malloc(sizeof(*excerpt));
	for (uint32_t i = 0; excerpt && i < analysis->page->n_locations; i++)
		if (source_excerpt_read(analysis, analysis->page, filter, i, excerpt))
			print_excerpt(excerpt, out);
	free(excerpt);
}
