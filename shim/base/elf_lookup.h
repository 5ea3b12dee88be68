/*
 * elf_lookup.h - symbols of the objects that the dynamic loader has mapped, found without dlsym:
 * the shim replaces dlsym, and needs the real one before it can ask for anything.
 */
#ifndef CULPRIT_BASE_ELF_LOOKUP_H
#define CULPRIT_BASE_ELF_LOOKUP_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * One mapped object: a view of what the loader owns, valid until the object is unloaded. A member
 * is NULL where the object has no such table. Invariant: start <= every mapped address < end.
 */
struct elf_object {
	uintptr_t base;            /* what the loader added to the file's addresses */
	uintptr_t start, end;      /* the span of its segments */
	const char *path;          /* as the loader knows it; "" is the program itself */
	const char *soname;        /* DT_SONAME */
	const Elf64_Sym *symbols;  /* DT_SYMTAB */
	const char *strings;       /* DT_STRTAB */
	const uint16_t *versions;  /* DT_VERSYM, parallel to symbols */
	const uint32_t *gnu_hash;  /* DT_GNU_HASH */
	const uint32_t *sysv_hash; /* DT_HASH: all that a library built long ago has */
	const Elf64_Dyn *dynamic;  /* all of it */
};

bool elf_object_contains(const struct elf_object *object, const void *address);

/*
 * Address of the function NAME that OBJECT itself defines (its default version), or NULL. Takes
 * no lock. Signal-safe.
 */
void *elf_object_symbol(const struct elf_object *object, const char *name);

/*
 * The first object in load order whose DT_SONAME is SONAME, leaving out the one that holds NOT_IN
 * (may be NULL). Returns 0 or -ENOENT. Takes the loader's lock on its list for the walk, calls
 * nothing meanwhile. Any thread.
 */
int elf_object_find(const char *soname, const void *not_in, struct elf_object *out_object);

/* The object that holds ADDRESS. Returns 0 or -ENOENT. Locks as elf_object_find. Any thread. */
int elf_object_at(const void *address, struct elf_object *out_object);

/*
 * What RTLD_NEXT gives to code in the object that holds AFTER: the definition of NAME in the
 * first object behind it in load order; with AFTER == NULL, in the first object of all. NULL if
 * there is none. Locks as elf_object_find. Any thread.
 */
void *elf_next_symbol(const char *name, const void *after);

/*
 * The definition of NAME that belongs to the code at CALLER: its own object's, else that of a
 * library which this object is linked with, leaving out the object that holds NOT_IN. NULL if there
 * is none. Locks as elf_object_find. Any thread.
 */
void *elf_symbol_of_caller(const char *name, const void *caller, const void *not_in);

/*
 * The same as elf_next_symbol for the object whose dynamic section is DYNAMIC (NULL: from the first
 * object on), but without any other function: for the time when another library's wrapper of
 * dl_iterate_phdr may still ask our dlsym for the real one. Takes no lock, hence for names alone
 * that an object has which was there at the start: those are never unloaded. Signal-safe.
 */
void *elf_next_startup_symbol(const char *name, const void *dynamic);

#endif
