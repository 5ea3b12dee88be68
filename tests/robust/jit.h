/*
 * jit.h - kernels with ever new names, as just-in-time compilers make them: one image, in which the
 * kernel's name is changed before it is loaded.
 */
#ifndef CULPRIT_ROBUST_JIT_H
#define CULPRIT_ROBUST_JIT_H

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

/* The name's number: kernel 7 is called k0000000007. */
#define JIT_NAME_FORMAT "k%010u"

enum { JIT_MAX_NAMES = 32 };

/* The state belongs to one thread. */
struct jit {
	char *image;
	char *names[JIT_MAX_NAMES]; /* in the image; NULL after the last */
	CUdeviceptr data;
};

/*
 * Work in the current context. Like all functions here, exit with status 2 if the driver refuses.
 */
void jit_open(struct jit *jit);
void jit_close(struct jit *jit);

/* Name the kernels of later loads by this number. */
void jit_rename(struct jit *jit, unsigned number);

CUfunction jit_load(const struct jit *jit, CUmodule *out_module);

/* A kernel of that module that the driver does not know for one that it has given. */
CUfunction jit_find(CUmodule module);

/* Stores 7 to the index; far outside of the data with is_far. */
CUresult jit_launch(const struct jit *jit, CUfunction function, CUstream stream, int is_far);

#endif
