/*
 * any_state.h - the state of a random bundle of any_bundle.h while it is made.
 */
#ifndef CULPRIT_TESTS_ANY_STATE_H
#define CULPRIT_TESTS_ANY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/attribution_facts.h"
#include "attribution/hang_claim.h"
#include "support/bundle_builder.h"

/* Memory of this span starts at the begin of each area. */
#define ANY_MEMORY ((uint64_t)0x700000000000)
#define ANY_HOST   (ANY_MEMORY + 0x800000) /* pageable memory */
enum { ANY_AREA = 0x10000, ANY_AREAS = 4, ANY_SPAN = 0x3000, ANY_TID = 100 };

enum {
	ANY_FUNCTIONS = 6,
	ANY_STREAMS = 3,
	ANY_CHANNELS = 3,
	ANY_WORK = 48, /* of a stream */
	ANY_ARGUMENTS = 24,
	ANY_CODE_BYTES = 8, /* of a bit map of code */
};

/* A submission's numbers, as its record has them. */
struct any_work {
	uint32_t payload;
	uint32_t state; /* id of the kernel's counter, 0: none */
	uint32_t turn;
};

struct any_stream {
	uint32_t id;
	uint32_t channel; /* id, 0: none */
	uint32_t states[2];
	uint32_t n_kernels;
	uint32_t n_work;
	struct any_work work[ANY_WORK];
};

struct any_bundle {
	struct bundle_builder builder;
	uint64_t random;
	int32_t code;
	bool has_failure;
	bool has_hang;
	bool is_idle; /* the counters show nothing running */
	bool has_markers;
	uint32_t n_stacks;
	uint32_t n_contexts;
	uint32_t n_streams;
	struct any_stream streams[ANY_STREAMS];
	uint32_t n_channels;
	uint32_t payloads[ANY_CHANNELS + 1]; /* by id: the newest */
	uint32_t calls[4];                   /* string ids */
	uint32_t n_graphs;                   /* to launch; their ids start at 1 */
	struct record_launch launch;         /* one of them, for the dump, with its arguments */
	unsigned char arguments[ANY_ARGUMENTS];
	struct attribution_facts facts;
	uint8_t code_facts[ANY_FUNCTIONS + 1];
	struct code_size sizes[ANY_FUNCTIONS + 1];
	uint8_t accesses[ANY_FUNCTIONS + 1][ANY_CODE_BYTES];
	uint8_t awaited[ANY_FUNCTIONS + 1][ANY_CODE_BYTES];
	struct gpu_fault dump;
	struct hang_claim hang;
};

/* Return a number below n, and true in so many of 100 cases. */
uint32_t any_pick(struct any_bundle *any, uint32_t n);
bool any_chance(struct any_bundle *any, uint32_t percent);

/* Return an address at or near memory of the bundle. */
uint64_t any_address(struct any_bundle *any);

/* Fill the bytes of a parameter buffer: a pointer, a number and another pointer. */
void any_fill_arguments(struct any_bundle *any, unsigned char bytes[ANY_ARGUMENTS]);

#endif
