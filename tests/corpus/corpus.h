/*
 * corpus.h - what the scenarios share: the program's state, the objects it owns, its output and
 * its truth file. A scenario is one function; the table in main.c names them all.
 *
 * Output is one line per interesting call, "CALL CODE", and is the same in every run. Lines of
 * calls that clean up begin with "cleanup: ", because culprit may change their code.
 */
#ifndef CULPRIT_CORPUS_CORPUS_H
#define CULPRIT_CORPUS_CORPUS_H

#include "driver.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	CORPUS_MAX_OBJECTS = 24,
	CORPUS_BUFFER_BYTES = 4096, /* every buffer of a kernel that is not about sizes */
};

struct corpus_module {
	const char *kernel;
	CUcontext context;
	CUmodule module;
	CUfunction function;
};

/*
 * One per process. Only the main thread changes it; threads of a scenario read it and draw tags.
 * Everything counted here is destroyed by corpus_close, each object once, in its own context.
 */
struct corpus {
	const char *scenario;
	const char *program;    /* path of the running executable */
	char kernels[PATH_MAX]; /* the directory with the kernels; empty: beside the program */
	const char *kernel_suffix;
	const char *truth_path; /* NULL: no truth wanted */
	CUdevice device;
	CUcontext context;
	atomic_uint last_tag;
	struct corpus_module modules[CORPUS_MAX_OBJECTS];
	CUdeviceptr buffers[CORPUS_MAX_OBJECTS];
	size_t buffer_bytes[CORPUS_MAX_OBJECTS];
	CUstream streams[CORPUS_MAX_OBJECTS];
	CUevent events[CORPUS_MAX_OBJECTS];
	size_t n_modules, n_buffers, n_streams, n_events;
};

/* Initialise the driver and make a context current. */
void corpus_open(struct corpus *corpus);

/* Destroy everything that the corpus_ functions below made, printing each call. */
void corpus_close(struct corpus *corpus);

/* Create objects of the current context. Each function exits if the driver refuses. */
CUfunction corpus_kernel(struct corpus *corpus, const char *name);
CUdeviceptr corpus_buffer(struct corpus *corpus, size_t size_bytes);
CUstream corpus_stream(struct corpus *corpus, unsigned flags);
CUevent corpus_event(struct corpus *corpus);

/* Prints "CALL CODE" and returns the code. */
CUresult say(const char *call, CUresult code);
CUresult say_cleanup(const char *call, CUresult code);

/* Make a call that must work before a scenario can start; exit with status 2 if it is refused. */
#define NEED(call) need((call), #call)
void need(CUresult code, const char *call);

/* Wait for all work and print the result, as most scenarios do at the end. */
CUresult synchronize(void);

#endif
