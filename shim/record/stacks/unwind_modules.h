/*
 * unwind_modules.h - find the module that holds an address of code, and its call frame information.
 * modules.h, which names modules for the journal, is not used: a walk takes no lock.
 */
#ifndef CULPRIT_RECORD_UNWIND_MODULES_H
#define CULPRIT_RECORD_UNWIND_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* A module as it is mapped; valid until it is unloaded. */
struct unwind_module {
	const uint8_t *start, *end;
	const uint8_t *frames; /* .eh_frame_hdr, NULL without one */
};

/* Find out how the loader can be asked. Start-up only. */
void unwind_modules_start(void);

/*
 * Return false if no module holds the address. Takes no lock if the loader can answer without one
 * (glibc 2.35). Otherwise it takes that of the loader's list, and time for each module. Any thread.
 */
bool unwind_modules_find(uint64_t address, struct unwind_module *out_module);

#endif
