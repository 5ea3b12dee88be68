/*
 * short_name_text.h - how short names are written, and how long they get. Private to this folder.
 */
#ifndef CULPRIT_BASE_SHORT_NAME_TEXT_H
#define CULPRIT_BASE_SHORT_NAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { SHORT_NAME_MAX = 120 };

enum short_name_style { SHORT_NAME_PLAIN, SHORT_NAME_TEMPLATE };

/* Adds `length` bytes as they are, cut to SHORT_NAME_MAX. */
void short_name_add_cut(const char *name, size_t length, struct text *out);

/* Template arguments as they are written: "<4, float, …>". */
struct template_text {
	struct text *out;
	size_t n;
	size_t n_bytes;
	bool is_cut;
};

struct template_text template_text_begin(struct text *out);

/*
 * Adds the name of an argument; `is_whole` says that there is no more to it. False: the rest, this
 * one perhaps included, is "…".
 */
bool template_text_add(struct template_text *arguments, const char *bytes, size_t length,
		       bool is_whole);

/* The rest is not known. */
void template_text_cut(struct template_text *arguments);

void template_text_end(struct template_text *arguments);

#endif
