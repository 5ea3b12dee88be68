/*
 * demangled_names.c - asks the C++ runtime, once for each name.
 */
#include "symbols/demangled_names.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* The C++ runtime's; it has no header for C. NOLINTNEXTLINE(readability-identifier-naming) */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* The entries of a bucket are a list, newest first. They are never removed before the end. */
struct demangled_name {
	struct demangled_name *next;
	char *demangled; /* NULL: the name is not mangled */
	char mangled[];
};

static struct demangled_name *find_name(struct demangled_names *names, const char *mangled)
{
	size_t bucket = (size_t)(hash_string(mangled) % NAMES_N_BUCKETS);
	struct demangled_name *name = names->buckets[bucket];
	size_t length = strlen(mangled);
	for (; name; name = name->next)
		if (!strcmp(name->mangled, mangled))
			return name;
	name = calloc(1, sizeof(*name) + length + 1);
	if (!name)
		return NULL;
	memcpy(name->mangled, mangled, length + 1);
	/* Without this check of the prefix, "f" would become the type float. */
	int status = 0;
	if (!strncmp(mangled, "_Z", 2))
		name->demangled = __cxa_demangle(mangled, NULL, NULL, &status);
	name->next = names->buckets[bucket];
	names->buckets[bucket] = name;
	return name;
}

const char *demangled_names_find(struct demangled_names *names, const char *mangled)
{
	struct demangled_name *name = find_name(names, mangled);
	return name ? name->demangled : NULL;
}

void demangled_names_free(struct demangled_names *names)
{
	for (size_t bucket = 0; bucket < NAMES_N_BUCKETS; bucket++)
		for (struct demangled_name *name = names->buckets[bucket]; name;) {
			struct demangled_name *next = name->next;
			free(name->demangled);
			free(name);
			name = next;
		}
}
