/*
 * mangled_name.h - reads mangled C++ names, as far as short names need it. Private to this folder.
 */
#ifndef CULPRIT_BASE_MANGLED_NAME_H
#define CULPRIT_BASE_MANGLED_NAME_H

#include <stdbool.h>

#include "base/short_name_text.h"

/*
 * Append the short form (short_name.h) of a mangled name. Names and simple template arguments are
 * decoded; other arguments become "…". Return false and append nothing if the name is not mangled,
 * or mangled in an unsupported way. Any thread.
 */
bool mangled_name_add(const char *mangled, enum short_name_style style, struct text *out);

#endif
