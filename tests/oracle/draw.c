/* draw.c - draw the random parts that several files need. */
#include "draw.h"

static unsigned draw_microseconds(struct mood *mood)
{
	if (mood->longest_us == 0 || random_once_in(&mood->random, 3))
		return 0;
	if (random_once_in(&mood->random, 60))
		return random_between(&mood->random, 500, 3000);
	return random_between(&mood->random, 1, mood->longest_us);
}

unsigned draw_stream(struct mood *mood, unsigned thread)
{
	const struct program *program = mood->program;
	unsigned chosen = 0;
	unsigned n = 0;
	for (unsigned i = 0; i < program->n_streams; i++) {
		const struct stream_plan *stream = &program->streams[i];
		if (stream->context != program->threads[thread].context ||
		    (stream->owner != -1 && stream->owner != (int)thread))
			continue;
		if (random_below(&mood->random, ++n) == 0)
			chosen = i;
	}
	return chosen;
}

static enum launch_way draw_way(struct mood *mood)
{
	if (mood->overlaps && random_once_in(&mood->random, 2))
		return LAUNCH_PROGRAMMATIC;
	if (!random_once_in(&mood->random, mood->special_launch))
		return LAUNCH_PLAIN;
	return random_below(&mood->random, N_LAUNCH_WAYS);
}

struct launch_plan draw_launch(struct mood *mood)
{
	enum kernel kernel = random_below(&mood->random, KERNEL_EARLY + 1);
	return (struct launch_plan){
		.kernel = kernel,
		.way = draw_way(mood),
		.grid = random_between(&mood->random, 1, 2) * 2,
		.block = random_once_in(&mood->random, 4) ? 32 : 1,
		.microseconds = draw_microseconds(mood),
		.tag = ++mood->program->n_tags,
	};
}

unsigned draw_graph(struct mood *mood, unsigned thread)
{
	const struct program *program = mood->program;
	unsigned chosen = MAX_GRAPHS;
	unsigned n = 0;
	for (unsigned i = 0; i < program->n_graphs; i++)
		if (program->graphs[i].owner == thread && random_below(&mood->random, ++n) == 0)
			chosen = i;
	return chosen;
}
