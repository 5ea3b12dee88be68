/*
 * bypass.h - find modules that call the driver without culprit: a plug-in linked with libcuda and
 * opened with RTLD_DEEPBIND, or code that read an address from the driver's own symbol table. Their
 * work is missing in the journal, so a verdict must not rest on its absence.
 *
 * Such a module keeps the address of a driver function in its writable data: in a slot of its
 * global offset table, or in a variable of its own. Modules that get their addresses from the
 * linker, dlsym or cuGetProcAddress have culprit's there instead. If no module has one, the heap is
 * searched. An address that is kept only in other memory, on a stack or in a register is not found.
 */
#ifndef CULPRIT_FAILURE_BYPASS_H
#define CULPRIT_FAILURE_BYPASS_H

#include <stdbool.h>

/*
 * Search the writable data of all modules except the driver's own. Marks modules that hold the
 * address of a driver function a verdict relies on (MODULE_BYPASSES); true if there is one. Else
 * searches the first 64 MiB of the heap that brk() makes for functions that queue work; true if it
 * has some, and no module is marked. Takes the loader's list lock. Skips memory that is not
 * resident. One thread at a time.
 */
bool bypass_find(void);

/*
 * True if a module linked with libcuda is bound to any of the driver's own functions. Reads only
 * the relocations of such modules, which takes microseconds, so that a process can ask at its end.
 * Takes the loader's list lock. Any thread.
 */
bool bypass_is_linked(void);

#endif
