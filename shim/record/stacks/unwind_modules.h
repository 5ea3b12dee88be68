/*
 * unwind_modules.h - which module holds an address of code, and where its call frame information
 * is. Of modules.h, which names them for the journal, nothing is needed: a walk takes no lock.
 */
#ifndef CULPRIT_RECORD_UNWIND_MODULES_H
#define CULPRIT_RECORD_UNWIND_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* As it is mapped; valid until it is unloaded. */
struct unwind_module {
	const uint8_t *start, *end;
	const uint8_t *frames; /* .eh_frame_hdr; NULL: it has none */
};

/* Asks the loader how it can be asked. Start-up only. */
void unwind_modules_start(void);

/*
 * False where no module holds the address. Takes no lock where the loader can tell without
 * (glibc 2.35), else that of the loader's list, and time for each module. Any thread.
 */
bool unwind_modules_find(uint64_t address, struct unwind_module *out_module);

#endif
