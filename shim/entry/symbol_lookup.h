/*
 * symbol_lookup.h - dlsym and dlvsym as the application sees them. The exported functions are in
 * symbol_doors.S: they ask symbol_lookup, and without an answer jump to the real function with
 * everything as they got it, so that it sees the caller itself: RTLD_NEXT and RTLD_DEFAULT mean
 * something else for each caller.
 */
#ifndef CULPRIT_ENTRY_SYMBOL_LOOKUP_H
#define CULPRIT_ENTRY_SYMBOL_LOOKUP_H

#include <stdbool.h>

/* symbol_doors.S reads it from two registers: address, then is_final. */
struct symbol_answer {
	const void *address;
	bool is_final; /* false: forward the look-up; address has no meaning */
};

/*
 * Answers only for names of driver entry points (cu, then a capital letter), for
 * cudaGetErrorString, and for dlsym and dlvsym themselves: a program that exports a dlsym of its
 * own asks for the C library's with a version, which our export does not have, and gets ours.
 * VERSION is NULL for dlsym; CALLER is the return address. Leaves errno alone; dlerror then tells
 * what the real function would have told. Sets the pointers below at its first call. Any thread.
 */
struct symbol_answer symbol_lookup(void *handle, const char *name, const char *version,
				   const void *caller);

/*
 * The definitions of these names behind us in load order: libc's, or another interposer's. The
 * first two are atomic, set by symbol_lookup and read by symbol_doors.S.
 */
extern void *(*symbol_real_dlsym)(void *handle, const char *name);
extern void *(*symbol_real_dlvsym)(void *handle, const char *name, const char *version);
int (*symbol_real_dlclose(void))(void *handle);
void (*symbol_real_abort(void))(void); /* signal-safe */

/* Does ADDRESS lie in libculprit.so itself? Any thread. */
bool symbol_is_ours(const void *address);

#endif
