/*
 * demangled_names.h - demangles C++ names, and caches them by their mangled form.
 */
#ifndef CULPRIT_TOOLS_DEMANGLED_NAMES_H
#define CULPRIT_TOOLS_DEMANGLED_NAMES_H

enum { NAMES_N_BUCKETS = 1024 };

struct demangled_name;

/* A zeroed one is empty. */
struct demangled_names {
	struct demangled_name *buckets[NAMES_N_BUCKETS];
};

/* Returns the name, or NULL if it is not mangled or out of memory. It lives as long as `names`. */
const char *demangled_names_find(struct demangled_names *names, const char *mangled);
void demangled_names_free(struct demangled_names *names);

#endif
