/* draw.h - the random choices that the files share which make programs. */
#ifndef CULPRIT_ORACLE_DRAW_H
#define CULPRIT_ORACLE_DRAW_H

#include "program.h"
#include "random.h"

/* A program that is being made. */
struct mood {
	struct random random;
	struct program *program;
	unsigned weights[N_OPERATION_KINDS], weight_sum;
	unsigned longest_us;     /* of its kernels, as a rule */
	unsigned special_launch; /* one in so many is no plain cuLaunchKernel */
	bool overlaps;           /* half of all launches are programmatic */
	unsigned apart;          /* one operation in so many is made by a thread of its own */
};

/* Return a stream that the thread may use; there always is one. */
unsigned draw_stream(struct mood *mood, unsigned thread);

/* Return a harmless launch with a tag of its own. */
struct launch_plan draw_launch(struct mood *mood);

/* Return a graph of the thread, or MAX_GRAPHS if it has none. */
unsigned draw_graph(struct mood *mood, unsigned thread);

#endif
