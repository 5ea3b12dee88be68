/*
 * launch.c - prepare launches and make the clean launches that surround a bad one. No function here
 * waits or prints: a clean launch after a fault may succeed or fail.
 */
#include "launch.h"
#include "corpus.h"
#include <string.h>

void launch_init(struct launch *launch, struct corpus *corpus, const char *kernel, CUstream stream,
		 const uint64_t *values)
{
	*launch = (struct launch){
		.kernel = kernel,
		.function = corpus_kernel(corpus, kernel),
		.stream = stream,
		.grid = {4, 1, 1},
		.block = {32, 1, 1},
		.tag = atomic_fetch_add_explicit(&corpus->last_tag, 1, memory_order_relaxed) + 1,
	};
	memcpy(launch->values, values, sizeof(launch->values));
	launch->params[0] = &launch->tag;
	for (size_t i = 0; i < LAUNCH_MAX_VALUES; i++)
		launch->params[1 + i] = &launch->values[i];
}

CUresult launch_fill(struct corpus *corpus, CUdeviceptr data, CUstream stream)
{
	struct launch fill;
	launch_init(&fill, corpus, "fill", stream, VALUES(data, 128));
	return LAUNCH(&fill);
}

CUresult launch_spin(struct corpus *corpus, unsigned microseconds, CUstream stream)
{
	struct launch spin;
	launch_init(&spin, corpus, "spin", stream, VALUES(microseconds));
	spin.grid[0] = 1;
	spin.block[0] = 1;
	return LAUNCH(&spin);
}
