/*
 * modules.h - which file an address of code belongs to.
 */
#ifndef CULPRIT_RECORD_MODULES_H
#define CULPRIT_RECORD_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The id of the module that holds the address, and in *out_bias what to subtract; 0 and *out_bias
 * = 0 outside every module. Asks the loader whether something was unloaded, and reads its list if
 * so or when the address is new. It takes the lock of that list, which no constructor runs under.
 * Any thread.
 */
uint32_t modules_find(uintptr_t address, uint64_t *out_bias);

/* An address of code, and what modules_find() gives for it. */
struct module_place {
	uintptr_t address;
	uint64_t bias;
	uint32_t id;
};

/* As modules_find() for several addresses, with its locks taken once for all. */
void modules_find_all(struct module_place *places, uint32_t n);

/* Something may have been unloaded: reads the loader's list afresh. As modules_find(). */
void modules_unloaded(void);

/*
 * The module that holds the address calls the driver without culprit: says so in its row. As
 * modules_find().
 */
void modules_note_bypass(uintptr_t address);

/*
 * How many modules were found to be gone so far: when that grows, known addresses may belong to
 * others. Also those count that modules_find() came across; not every unloading passes by us.
 * Any thread.
 */
uint64_t modules_gone(void);

/* How many were found to be there so far, each time that one was new. Any thread. */
uint64_t modules_met(void);

#endif
