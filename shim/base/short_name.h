/*
 * short_name.h - C++ names as people say them. Names may be demangled or, where no demangler is,
 * mangled; what is neither is added as it is. They are foreign bytes, and the work is bounded by
 * their length. Results end in "…" behind SHORT_NAME_MAX bytes (short_name_text.h).
 */
#ifndef CULPRIT_BASE_SHORT_NAME_H
#define CULPRIT_BASE_SHORT_NAME_H

#include "base/text.h"

/* Without return type, template arguments and parameters: "at::native::reduce_kernel". */
void short_name_add(const char *name, struct text *out);

/*
 * The same with what its template is told apart by: "at::native::reduce_kernel<512, 1, …>", the
 * arguments up to the first one that is a template or a function itself.
 */
void short_name_add_kernel(const char *name, struct text *out);

#endif
