/*
 * observers.h - the calls that may be the first to tell a program of a GPU failure.
 */
#ifndef CULPRIT_TRANSPARENCY_OBSERVERS_H
#define CULPRIT_TRANSPARENCY_OBSERVERS_H

#include <cuda.h>

struct owned;

struct observer {
	const char *name;
	/* sync, query, copy, allocation, launch, free, destroy, unload or release */
	const char *kind;
	/* The one call after the failure; what it returns decides. */
	CUresult (*call)(struct owned *owned);
	/* Makes what this call needs, before the failure; NULL: nothing. */
	void (*prepare)(struct owned *owned);
};

/* Ends with one without a name. */
extern const struct observer observers[];

#endif
