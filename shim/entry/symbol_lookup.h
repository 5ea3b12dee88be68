/*
 * symbol_lookup.h - dlsym and dlvsym as the application sees them. The exported functions are in
 * symbol_hooks.S and ask symbol_lookup. Without an answer they jump to the real function with their
 * arguments unchanged. The real function must see the caller itself, because RTLD_NEXT and
 * RTLD_DEFAULT depend on the caller.
 */
#ifndef CULPRIT_ENTRY_SYMBOL_LOOKUP_H
#define CULPRIT_ENTRY_SYMBOL_LOOKUP_H

#include <stdbool.h>

/* symbol_hooks.S reads this from two registers: address, then is_final. */
struct symbol_answer {
	const void *address;
	bool is_final; /* false: forward the look-up; address has no meaning */
};

/*
 * Answer for names of driver entry points (cu, then a capital letter), for cudaGetErrorString, and
 * for dlsym and dlvsym themselves. A program that exports its own dlsym looks up the C library's
 * with a version, which our export lacks, and gets ours. VERSION is NULL for dlsym; CALLER is the
 * return address. Keeps errno; dlerror then reports what it would after the real function. The
 * first call sets the pointers below. Any thread.
 */
struct symbol_answer symbol_lookup(void *handle, const char *name, const char *version,
				   const void *caller);

/*
 * The definitions of these names after us in load order: libc's, or another interposer's. The
 * first two are atomic, set by symbol_lookup and read by symbol_hooks.S.
 */
extern void *(*symbol_real_dlsym)(void *handle, const char *name);
extern void *(*symbol_real_dlvsym)(void *handle, const char *name, const char *version);
int (*symbol_real_dlclose(void))(void *handle);
void (*symbol_real_abort(void))(void); /* signal-safe */

/* True if ADDRESS is inside libculprit.so itself. Any thread. */
bool symbol_is_ours(const void *address);

#endif
