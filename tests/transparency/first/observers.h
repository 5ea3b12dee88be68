/* observers.h - the calls that may be the first to report a GPU failure to a program. */
#ifndef CULPRIT_TRANSPARENCY_OBSERVERS_H
#define CULPRIT_TRANSPARENCY_OBSERVERS_H

#include <cuda.h>

struct owned;

struct observer {
	const char *name;
	/* sync, query, copy, allocation, launch, free, destroy, unload or release */
	const char *kind;
	/* The one call after the failure; its result decides the test. */
	CUresult (*call)(struct owned *owned);
	/* Prepare what this call needs, before the failure; NULL if it needs nothing. */
	void (*prepare)(struct owned *owned);
};

/* The last observer has no name. */
extern const struct observer observers[];

#endif
