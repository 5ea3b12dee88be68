/*
 * html_print.h - escape text for a page. Markup is only in format strings, which are culprit's own.
 * Names from outside are passed by %s and can never become markup.
 */
#ifndef CULPRIT_TOOLS_HTML_PRINT_H
#define CULPRIT_TOOLS_HTML_PRINT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Print as fprintf() does, but escape the strings of %s for text and for attributes in double
 * quotes, and make them printable as text_add_foreign() does. Conversions: %s %d %u %zu %ju %jx %%,
 * without widths.
 */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print `size` bytes, escaped in the same way. */
void html_add_foreign(FILE *out, const char *bytes, size_t size);

#endif
