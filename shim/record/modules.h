/*
 * modules.h - which file an address of code belongs to.
 */
#ifndef CULPRIT_RECORD_MODULES_H
#define CULPRIT_RECORD_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The id of the module that holds the address, and in *out_bias what to subtract; 0 and *out_bias
 * = 0 outside every module. Reads the loader's list when the address is new to it, so it may take
 * the loader's lock: never call it while holding a lock that a constructor could want.
 */
uint32_t modules_find(uintptr_t address, uint64_t *out_bias);

/*
 * Something may have been unloaded: reads the loader's list afresh. True if a module is gone, and
 * its addresses may from now on belong to another. As modules_find().
 */
bool modules_unloaded(void);

#endif
