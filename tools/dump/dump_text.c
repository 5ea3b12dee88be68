/*
 * dump_text.c - print strings and times of a bundle.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

#include "base/text.h"
#include "base/time_units.h"

void dump_string(FILE *out, const struct bundle_view *view, uint32_t id)
{
	size_t length = 0;
	const char *bytes = view_string(view, id, &length);
	char piece[512];
	struct text text = text_in(piece, sizeof(piece));
	if (!id) {
		fputc('-', out);
		return;
	}
	text_add_foreign(&text, bytes, length);
	fprintf(out, "\"%s%s\"", piece, text.cut ? "..." : "");
}

void dump_time(FILE *out, const char *name, uint64_t ns)
{
	if (ns)
		fprintf(out, " %s=%" PRIu64 ".%09" PRIu64, name, ns / NS_PER_S, ns % NS_PER_S);
	else
		fprintf(out, " %s=-", name);
}
