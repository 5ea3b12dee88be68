/*
 * next_ioctl.c - found at the first call, since calls may come before any constructor of ours.
 */
#include "record/fault/next_ioctl.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "base/elf_lookup.h"

ioctl_function next_ioctl_found;

/* If we were opened instead of preloaded, the first definition of all is the C library's. */
COLD ioctl_function next_ioctl_find(void)
{
	uintptr_t address = (uintptr_t)elf_next_startup_symbol("ioctl", _DYNAMIC);
	if (!address)
		address = (uintptr_t)elf_next_startup_symbol("ioctl", NULL);
	__atomic_store_n(&next_ioctl_found, (ioctl_function)address, __ATOMIC_RELAXED);
	return (ioctl_function)address;
}
