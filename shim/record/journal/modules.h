/*
 * modules.h - find the file that an address of code belongs to.
 */
#ifndef CULPRIT_RECORD_MODULES_H
#define CULPRIT_RECORD_MODULES_H

#include <stdint.h>

/*
 * Return the id of the module that holds the address, and in *out_bias what to subtract. Outside
 * every module, both are 0. Asks the loader whether something was unloaded, and reads its list if
 * so or if the address is new. Takes the lock of that list, under which no constructor runs. Any
 * thread.
 */
uint32_t modules_find(uintptr_t address, uint64_t *out_bias);

/* An address of code, and the result of modules_find() for it. */
struct module_location {
	uintptr_t address;
	uint64_t bias;
	uint32_t id;
};

/* Do the same for several addresses, taking the locks once for all. */
void modules_find_all(struct module_location *locations, uint32_t n);

/* Something may have been unloaded: read the loader's list again. Locks as in modules_find(). */
void modules_unloaded(void);

/*
 * Record in the module's row that the module at this address calls the driver without culprit.
 * Locks as in modules_find().
 */
void modules_note_bypass(uintptr_t address);

/*
 * Return how many modules are known to have been unloaded so far. When the number grows, known
 * addresses may belong to other modules. It includes those that modules_find() came across; not
 * every unloading is seen by us. Any thread.
 */
uint64_t modules_gone(void);

/* Return how many modules were discovered so far, counting each discovery. Any thread. */
uint64_t modules_discovered(void);

#endif
