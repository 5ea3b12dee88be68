/*
 * generate_doors.c - choose the calls that go through a door. The random numbers are separate, so
 * that the program and its fault stay what its seed always gave.
 */
#include "generate_doors.h"

#include "random.h"

/* True for work that the driver counts by stream: only its counters can show such calls. */
static bool is_counted(enum operation_kind kind)
{
	return kind == OP_LAUNCH || kind == OP_COPY_ON_DEVICE;
}

static bool may_pass(enum operation_kind kind, enum door door)
{
	if (kind == OP_STREAM_SYNCHRONIZE || kind == OP_CONTEXT_SYNCHRONIZE)
		return true;
	if (door == DOOR_HEAP)
		return is_counted(kind);
	return kind <= OP_MEMSET_SYNCHRONOUS || kind == OP_GRAPH_LAUNCH;
}

void generate_doors(struct program *program, enum door door)
{
	struct random random = {program->seed ^ UINT64_C(0x646f6f72)};
	unsigned one_in = random_between(&random, 1, 4);
	bool is_fault_past = !random_once_in(&random, 3);
	program->door = door;
	for (unsigned i = 0; i < program->n_threads; i++)
		for (unsigned k = 0; k < program->threads[i].n_operations; k++) {
			struct operation *operation = &program->threads[i].operations[k];
			bool is_past = random_once_in(&random, one_in);
			if (operation->is_fault)
				is_past = is_fault_past;
			operation->is_past = is_past && may_pass(operation->kind, door);
		}
}
