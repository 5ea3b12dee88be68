/*
 * fitted_line.h - lines of a report for a terminal of so many columns. Long names are cut in their
 * middle, where C++ names differ least; JSON and HTML have them whole.
 */
#ifndef CULPRIT_TOOLS_FITTED_LINE_H
#define CULPRIT_TOOLS_FITTED_LINE_H

#include <stddef.h>
#include <stdio.h>

/* Columns that printable UTF-8 takes. */
size_t fitted_width(const char *bytes, size_t size);

/* At most `columns` of one name: its beginning and its end around an ellipsis. */
void fitted_name(const char *bytes, size_t size, size_t columns, FILE *out);

/*
 * A line that must stay one: its longest names are cut until it fits, but not below what can still
 * be recognised; then its end is.
 */
void fitted_headline(const char *bytes, size_t size, size_t columns, FILE *out);

/*
 * Words from column `indent` on, which the first line has reached already; further lines begin
 * there, and two columns in. No name is longer than a line.
 */
void fitted_words(const char *bytes, size_t size, size_t indent, size_t columns, FILE *out);

#endif
