/*
 * demangled_names.h - names as C++ source has them, remembered by their mangled form.
 */
#ifndef CULPRIT_TOOLS_DEMANGLED_NAMES_H
#define CULPRIT_TOOLS_DEMANGLED_NAMES_H

enum { NAMES_N_BUCKETS = 1024 };

struct demangled_name;

/* A zeroed one is empty. */
struct demangled_names {
	struct demangled_name *buckets[NAMES_N_BUCKETS];
};

/* The name, which lives as long as the names; NULL: not a mangled one, or out of memory. */
const char *demangled_names_find(struct demangled_names *names, const char *mangled);
void demangled_names_free(struct demangled_names *names);

#endif
