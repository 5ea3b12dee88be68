/*
 * world.h - the objects of a random program, and its random calls by kind. Each function makes one
 * kind of object, uses it or destroys it, as the random numbers say, and prints what the driver
 * answers.
 */
#ifndef CULPRIT_RECORDING_WORLD_H
#define CULPRIT_RECORDING_WORLD_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

#include "host.h"
#include "random.h"

enum { N_STREAMS = 5, N_EVENTS = 4, N_PIECES = 8, N_MODULES = 3, N_GRAPHS = 3, PIECE = 8192 };

enum piece_kind {
	PIECE_NONE,
	PIECE_DEVICE,
	PIECE_ORDERED,
	PIECE_MANAGED,
	PIECE_PINNED,
	PIECE_REGISTERED,
	PIECE_MAPPED,
};

struct piece {
	enum piece_kind kind;
	CUdeviceptr address;
};

/* The objects of a context. A context inside another one has a world of its own. */
struct world {
	CUstream streams[N_STREAMS]; /* the first two: the legacy and the thread's own */
	CUevent events[N_EVENTS];
	bool is_recorded[N_EVENTS];
	struct piece pieces[N_PIECES];
	CUmodule modules[N_MODULES];
	CUlibrary libraries[N_MODULES];
	CUfunction functions[N_MODULES];
	const char *names[N_MODULES]; /* of the functions */
	CUgraph graphs[N_GRAPHS];
	CUgraphExec execs[N_GRAPHS];
	CUarray array;
	CUfunction fill; /* of a module that stays */
	int depth;
};

extern struct world world;
extern struct random dice;

/* Make the call, and print its name and what the driver answers. */
#define SAY(call, ...) say(#call, call(__VA_ARGS__))

unsigned draw(unsigned below);
void wait_for_all(void);

/* Any stream; a kernel, which is loaded first if necessary; memory of PIECE bytes that the GPU may
 * use. */
CUstream any_stream(void);
CUfunction any_function(void);
CUfunction fill_kernel(void);
CUdeviceptr any_memory(void);

/* Memory that stays as long as the world, which graphs use. */
CUdeviceptr lasting_memory(void);

/* Run n random steps in this world; the program sets what one is. */
extern void (*world_step)(void);
void world_run(unsigned n);

/* objects.c */
void use_stream(void);
void use_event(void);
void wait_for_work(void);
void use_module(void);
void use_library(void);
void use_context(void);
void use_green_context(void);
void use_primary_context(void);
void use_second_device(void);
void ask(void);

/* memory.c */
void use_piece(void);
void use_pool(void);
void use_virtual_memory(void);
void use_array(void);
void use_shared_memory(void);
void use_copy(void);
void use_memset(void);
void misuse_memory(void);

/* work.c */
void use_launch(void);
void use_large_launch(void);
void use_refused_launch(void);
void use_old_launch(void);
void use_memory_operation(void);
void use_host_function(void);

/* graphs.c */
void use_graph(void);
void use_exec(void);
void use_capture(void);

#endif
