/*
 * short_name.h - short forms of C++ names. Names may be demangled or, without a demangler, mangled;
 * any other name is appended unchanged. They are foreign bytes, and the work is bounded by their
 * length. Results end in "…" after SHORT_NAME_MAX bytes (short_name_text.h).
 */
#ifndef CULPRIT_BASE_SHORT_NAME_H
#define CULPRIT_BASE_SHORT_NAME_H

#include "base/text.h"

/* Append the name without return type, template arguments and parameters:
 * "at::native::reduce_kernel".
 */
void short_name_add(const char *name, struct text *out);

/*
 * Append the name with the template arguments that distinguish it: "at::native::reduce_kernel<512,
 * 1, …>". They end at the first argument that is itself a template or a function.
 */
void short_name_add_kernel(const char *name, struct text *out);

#endif
