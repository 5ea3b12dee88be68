/*
 * bypass.h - modules whose calls go to the driver without culprit: a plug-in that was opened with
 * RTLD_DEEPBIND and is linked with libcuda, or code that took a function's address from the
 * driver's own symbol table. Their work is in no journal, so no verdict may rest on its absence.
 *
 * Such a module keeps the address of a driver function in its writable data: in a slot of its
 * global offset table, or in a variable of its own. All modules that get their addresses from the
 * linker, dlsym or cuGetProcAddress have culprit's there instead. An address that is kept only on
 * the heap, on a stack or in a register is not found.
 */
#ifndef CULPRIT_FAILURE_BYPASS_H
#define CULPRIT_FAILURE_BYPASS_H

#include <stdbool.h>

/*
 * Looks through the writable data of all modules but the driver's own, and marks those that hold
 * the address of a driver function a verdict relies on (MODULE_BYPASSES). Returns true if there is
 * one. Takes the loader's list lock; memory that is not there is left out. One thread at a time.
 */
bool bypass_find(void);

/*
 * True if a module that is linked with libcuda is bound to the driver's own functions, of whatever
 * kind. Reads the relocations of such modules alone, some microseconds, so that a process can ask
 * at its end. Takes the loader's list lock. Any thread.
 */
bool bypass_is_linked(void);

#endif
