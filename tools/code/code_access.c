/*
 * code_access.c - decode instructions by their opcode, the low 9 bits, and the type of their data.
 */
#include "code/code_access.h"

enum { OPCODE_MASK = 0x1ff };
enum { TYPE_AT = 9, TYPE_MASK = 7, FLOAT_TYPE_MASK = 15 }; /* in the second word */

/*
 * Loads signal that their value has come by one of six barriers, which later instructions wait for.
 * Places in the second word, for sm_75 to sm_120: 320 loads of six kernels that nvcc 13.0 made each
 * set a barrier, and no instruction reads their value before one has waited for the barrier.
 */
enum { BARRIER_AT = 46, BARRIER_MASK = 7, N_BARRIERS = 6, WAITS_AT = 52 };

/* Opcodes from the first to the last may jump or exit: BSYNC, BRA, EXIT, RET and more. */
enum { FIRST_BRANCH = 0x140, LAST_BRANCH = 0x15f };

/* From this one on there are atomics of 128 bits and of vectors, and types have other numbers. */
enum { ARCHITECTURE_OF_VECTORS = 90 };

/* u8, s8, u16, s16, and data of 32, 64 and 128 bits */
static const uint8_t plain_sizes[16] = {1, 1, 2, 2, 4, 8, 16};

/* sm_75 to sm_89: u32, s32, u64, f32, f16x2, s64, f64 */
static const uint8_t atomic_sizes[16] = {4, 4, 8, 4, 4, 8, 8};

/* sm_90 to sm_121: u32, s32, u64, s64, b128 */
static const uint8_t wide_atomic_sizes[16] = {4, 4, 8, 8, 16};

/* sm_90 to sm_121: f16x2, f16x4, f16x8, the same of bf16; from 9 on f32, f32x2, f32x4; 15 is f64 */
static const uint8_t float_atomic_sizes[16] = {4, 8, 16, 4, 8, 16, [9] = 4, 8, 16, [15] = 8};

/* How an instruction is decoded. */
struct format {
	uint8_t kind;
	uint8_t type_mask;
	const uint8_t *sizes;
};

static struct format format_of(uint16_t opcode, bool has_vectors)
{
	static const struct format unknown = {FAULT_ACCESS_UNKNOWN, 0, plain_sizes};
	switch (opcode) {
	case 0x180: /* LD */
	case 0x181: /* LDG */
	case 0x183: /* LDL */
	case 0x184: /* LDS */
		return (struct format){FAULT_READ, TYPE_MASK, plain_sizes};
	case 0x185: /* ST */
	case 0x186: /* STG */
	case 0x187: /* STL */
	case 0x188: /* STS */
		return (struct format){FAULT_WRITE, TYPE_MASK, plain_sizes};
	case 0x18a: /* ATOM */
	case 0x18b: /* ATOM.CAS */
	case 0x18c: /* ATOMS */
	case 0x18d: /* ATOMS.CAS */
	case 0x18e: /* RED */
	case 0x1a8: /* ATOMG */
	case 0x1a9: /* ATOMG.CAS */
		return (struct format){FAULT_ATOMIC, TYPE_MASK,
				       has_vectors ? wide_atomic_sizes : atomic_sizes};
	case 0x1a2: /* ATOM of floating point */
	case 0x1a3: /* ATOMG */
	case 0x1a6: /* REDG */
		return has_vectors
			       ? (struct format){FAULT_ATOMIC, FLOAT_TYPE_MASK, float_atomic_sizes}
			       : unknown;
	default:
		return unknown;
	}
}

void code_access_decode(struct byte_span code, uint64_t offset, uint8_t architecture,
			struct code_instruction *out)
{
	*out = (struct code_instruction){.architecture = architecture};
	if (!span_copy(code, offset, out->words, sizeof(out->words))) {
		out->architecture = 0;
		return;
	}
	struct format format =
		format_of(out->words[0] & OPCODE_MASK, architecture >= ARCHITECTURE_OF_VECTORS);
	out->access.kind = format.kind;
	if (format.kind != FAULT_ACCESS_UNKNOWN)
		out->access.bytes = format.sizes[out->words[1] >> TYPE_AT & format.type_mask];
}

bool code_access_is_awaited(struct byte_span code, uint64_t offset, uint8_t architecture)
{
	struct code_instruction load;
	uint64_t words[2];
	code_access_decode(code, offset, architecture, &load);
	uint32_t barrier = load.words[1] >> BARRIER_AT & BARRIER_MASK;
	if ((load.access.kind != FAULT_READ && load.access.kind != FAULT_ATOMIC) ||
	    barrier >= N_BARRIERS)
		return false;
	for (uint64_t at = offset + CODE_STEP; span_copy(code, at, words, sizeof(words));
	     at += CODE_STEP) {
		uint64_t opcode = words[0] & OPCODE_MASK;
		if (words[1] >> WAITS_AT >> barrier & 1)
			return true;
		if (opcode >= FIRST_BRANCH && opcode <= LAST_BRANCH)
			return false;
	}
	return false;
}
