/*
 * mangled_name.h - reads mangled C++ names, as far as short names need it. Private to this folder.
 */
#ifndef CULPRIT_BASE_MANGLED_NAME_H
#define CULPRIT_BASE_MANGLED_NAME_H

#include <stdbool.h>

#include "base/short_name_text.h"

/*
 * Adds what short_name.h says of a mangled name: its names and simple template arguments are read,
 * other arguments are "…". False, and nothing is added: it is no mangled name, or of another kind.
 * Any thread.
 */
bool mangled_name_add(const char *mangled, enum short_name_style style, struct text *out);

#endif
