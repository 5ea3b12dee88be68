/*
 * short_name_text.h - how short names are written, and their maximal length. Private to this
 * folder.
 */
#ifndef CULPRIT_BASE_SHORT_NAME_TEXT_H
#define CULPRIT_BASE_SHORT_NAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { SHORT_NAME_MAX = 120 };

enum short_name_style { SHORT_NAME_PLAIN, SHORT_NAME_TEMPLATE };

/* Append `length` bytes unchanged, cut to SHORT_NAME_MAX. */
void short_name_add_cut(const char *name, size_t length, struct text *out);

/* Template arguments being written: "<4, float, …>". */
struct template_text {
	struct text *out;
	size_t n;
	size_t n_bytes;
	bool is_cut;
};

struct template_text template_text_begin(struct text *out);

/*
 * Append the name of an argument; `is_whole` says whether it is all of the argument. Returns false
 * once "…" was written, for the remaining arguments and perhaps for this one.
 */
bool template_text_add(struct template_text *arguments, const char *bytes, size_t length,
		       bool is_whole);

/* Append "…" for the rest, which is not known. */
void template_text_cut(struct template_text *arguments);

void template_text_end(struct template_text *arguments);

/*
 * Append the short form (short_name.h) of a mangled name. Names and simple template arguments are
 * decoded; other arguments become "…". Return false and append nothing if the name is not mangled,
 * or mangled in an unsupported way. Any thread.
 */
bool mangled_name_add(const char *mangled, enum short_name_style style, struct text *out);

#endif
