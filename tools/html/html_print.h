/*
 * html_print.h - the one place where text becomes part of a page. Markup is in formats, which are
 * culprit's own; what others named comes in by %s and can never become markup.
 */
#ifndef CULPRIT_TOOLS_HTML_PRINT_H
#define CULPRIT_TOOLS_HTML_PRINT_H

#include <stddef.h>
#include <stdio.h>

/*
 * As fprintf, but what %s brings is escaped, for text and for attributes in double quotes, and is
 * made printable as text_add_foreign() does. Conversions: %s %d %u %zu %ju %jx %%, without widths.
 */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of bytes that no NUL ends. */
void html_add_foreign(FILE *out, const char *bytes, size_t size);

#endif
