/*
 * bypass_memory.h - the calls by which bypass.c reads the memory of its process, simulated for
 * test_bypass.c. One thread.
 */
#ifndef CULPRIT_TESTS_BYPASS_MEMORY_H
#define CULPRIT_TESTS_BYPASS_MEMORY_H

#include <stdbool.h>

enum { CHUNK = 64 * 1024, ALL_PAGES = -1, NO_PAGE = -2 };

extern struct bypass_memory {
	bool is_refused;  /* process_vm_readv() is, as in a sandbox */
	bool is_unmapped; /* all that it reads is */
	/* The only page of each chunk that was written to; ALL_PAGES: the kernel is asked. */
	int written_page;
	unsigned n_calls;      /* of process_vm_readv() */
	unsigned n_pages_read; /* by a pipe */
	unsigned n_opened;     /* pipes that are open */
} bypass_memory;

#endif
