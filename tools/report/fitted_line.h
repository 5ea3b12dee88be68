/*
 * fitted_line.h - fits the lines of a report to the columns of a terminal. Long names are cut in
 * the middle, where C++ names differ least. JSON and HTML have the full names.
 */
#ifndef CULPRIT_TOOLS_FITTED_LINE_H
#define CULPRIT_TOOLS_FITTED_LINE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the number of columns that printable UTF-8 takes. */
size_t fitted_width(const char *bytes, size_t size);

/* Writes at most `columns` of a name: its start and its end around an ellipsis. */
void fitted_name(const char *bytes, size_t size, size_t columns, FILE *out);

/*
 * Writes a line of which nothing is cut. It goes on below, two columns further in; a word wider
 * than a line is broken. Returns the column after the end.
 */
size_t fitted_headline(const char *bytes, size_t size, size_t columns, FILE *out);

/* Writes as much of the start as fits into `columns`, with an ellipsis if that is not all. */
void fitted_start(const char *bytes, size_t size, size_t columns, FILE *out);

/*
 * Writes words from column `indent` on, where the first line already is. Further lines begin two
 * columns further in. No name is longer than a line.
 */
void fitted_words(const char *bytes, size_t size, size_t indent, size_t columns, FILE *out);

#endif
