/*
 * elf_lookup.h - finds symbols of the objects that the dynamic loader has mapped, without dlsym.
 * The shim replaces dlsym, and must find the real one first.
 */
#ifndef CULPRIT_BASE_ELF_LOOKUP_H
#define CULPRIT_BASE_ELF_LOOKUP_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * One mapped object: a view of memory that the loader owns, valid until the object is unloaded. A
 * member is NULL if the object has no such table. Invariant: start <= every mapped address < end.
 */
struct elf_object {
	uintptr_t base;            /* offset that the loader added to the file's addresses */
	uintptr_t start, end;      /* the span of its segments */
	const char *path;          /* as the loader knows it; "" is the program itself */
	const char *soname;        /* DT_SONAME */
	const Elf64_Sym *symbols;  /* DT_SYMTAB */
	const char *strings;       /* DT_STRTAB */
	const uint16_t *versions;  /* DT_VERSYM, parallel to symbols */
	const uint32_t *gnu_hash;  /* DT_GNU_HASH */
	const uint32_t *sysv_hash; /* DT_HASH: the only table of libraries built long ago */
	const Elf64_Dyn *dynamic;  /* the whole dynamic section */
};

/* True if the object's segments span ADDRESS. Signal-safe. */
bool elf_object_contains(const struct elf_object *object, const void *address);

/*
 * Return the address of the function NAME that OBJECT itself defines (its default version), or
 * NULL. Takes no lock. Signal-safe.
 */
void *elf_object_symbol(const struct elf_object *object, const char *name);

/*
 * Find the first object in load order whose DT_SONAME is SONAME, except the object that holds
 * NOT_IN (may be NULL). Returns 0 or -ENOENT. Takes the loader's lock on its list for the walk and
 * calls nothing meanwhile. Any thread.
 */
int elf_object_find(const char *soname, const void *not_in, struct elf_object *out_object);

/* Find the object that holds ADDRESS. Returns and locks as elf_object_find. Any thread. */
int elf_object_at(const void *address, struct elf_object *out_object);

/*
 * Return what RTLD_NEXT finds for code in the object that holds AFTER: the first definition of NAME
 * in the objects after it in load order. AFTER == NULL searches all objects. NULL if none is found.
 * Locks as elf_object_find. Any thread.
 */
void *elf_next_symbol(const char *name, const void *after);

/*
 * Return the definition of NAME that belongs to the code at CALLER: that of its own object, else
 * that of a library which the object is linked with, except the object that holds NOT_IN. NULL if
 * none is found. Locks as elf_object_find. Any thread.
 */
void *elf_symbol_of_caller(const char *name, const void *caller, const void *not_in);

/*
 * Like elf_next_symbol, for the object whose dynamic section is DYNAMIC (NULL: from the first
 * object on), but without calling any other function. It is for the time when another library's
 * wrapper of dl_iterate_phdr may still ask our dlsym for the real one. Takes no lock, so use it
 * only for names in objects loaded at start-up: they are never unloaded. Signal-safe.
 */
void *elf_next_startup_symbol(const char *name, const void *dynamic);

#endif
