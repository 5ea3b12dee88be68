/*
 * fault_case.c - see fault_case.h.
 */
#include "fault/fault_case.h"

#include <stdlib.h>

/* Neither all sizes grow nor all shrink. */
const uint64_t fault_starts[N_SIZES] = {0, BASE, BASE + 0x80, BASE + 0x480, BASE + 0x580};
struct code_size fault_sizes[N_SIZES];
uint8_t fault_code_facts[N_SIZES];

static void reset_facts(void)
{
	static const uint32_t bytes[N_SIZES] = {0, 0x70, 0x400, 0x100, 0x800};
	for (int i = 0; i < N_SIZES; i++) {
		fault_sizes[i] = (struct code_size){.least = bytes[i], .most = bytes[i]};
		fault_code_facts[i] = 0;
	}
}

struct verdict_case *fault_begin_after(void (*earlier)(struct verdict_case *c))
{
	static const char *const names[N_SIZES] = {"", "a", "b", "c", "d"};
	struct verdict_case *c = case_begin();
	reset_facts();
	earlier(c);
	for (uint32_t i = 1; i <= N_KERNELS; i++) {
		uint32_t stream = case_stream(c);
		uint32_t function = builder_function(&c->builder, names[i], 0, NULL);
		builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
		builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	}
	fault_add_row(c, FAULT_STATES_READ)->flags = FAULT_ONE_CONTEXT;
	return c;
}

static void nothing(struct verdict_case *c)
{
	(void)c;
}

struct verdict_case *fault_begin(void)
{
	return fault_begin_after(nothing);
}

void fault_finish_launch(struct verdict_case *c, uint32_t stream, uint32_t function)
{
	builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
	builder_time(&c->builder, 1);
	builder_mark(&c->builder, stream, builder_stream_row(&c->builder, stream)->submitted);
}

struct journal_record *fault_wait(struct verdict_case *c, uint32_t tid, uint32_t stream,
				  uint64_t ordinal)
{
	struct journal_record *record = builder_record(&c->builder, tid, RECORD_SYNC);
	record->sequence = c->builder.sequence;
	record->stream = stream;
	record->ordinal = ordinal;
	return record;
}

void fault_settle(struct verdict_case *c, uint32_t stream)
{
	for (int i = 0; i < 2; i++)
		builder_launch(&c->builder, CASE_TID, stream, 2, NULL, 0);
	builder_sync(&c->builder, stream, builder_stream_row(&c->builder, stream)->submitted,
		     "cuStreamSynchronize");
}

struct code_address_row *fault_add_word(struct verdict_case *c, uint32_t function, uint16_t offset,
					uint64_t address)
{
	uint32_t id;
	struct code_address_row *row = builder_rows(&c->builder, JOURNAL_CODE_ADDRESSES, 1, &id);
	*row = (struct code_address_row){.address = address,
					 .function = function,
					 .offset = offset,
					 .flags = CODE_CONFIRMED};
	return row;
}

void fault_add_words(struct verdict_case *c)
{
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_add_word(c, i, WORD, fault_starts[i]);
}

struct fault_row *fault_add_row(struct verdict_case *c, enum fault_kind kind)
{
	uint32_t id;
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = (uint8_t)kind, .context = c->context};
	return row;
}

struct fault_row *fault_add_exception(struct verdict_case *c, uint64_t pc)
{
	struct fault_row *row = fault_add_row(c, FAULT_EXCEPTION);
	row->flags = pc ? FAULT_HAS_PC : 0;
	row->pc = pc;
	row->warp_esr = 0x502000f;
	return row;
}

void fault_judge_code(struct verdict_case *c, int32_t code)
{
	const struct attribution_facts facts = {.code = fault_code_facts,
						.n_functions = N_SIZES,
						.sizes = {.of = fault_sizes, .n = N_SIZES}};
	case_judge(c, code);
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_facts(&c->view, &facts, scratch, size, &c->verdict), 0);
	free(scratch);
}

void fault_judge(struct verdict_case *c)
{
	fault_judge_code(c, MISALIGNED);
}

void fault_check_nothing_cleared(struct verdict_case *c)
{
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_CODE));
	case_end(c);
}

void fault_check_late(struct verdict_case *c, bool is_cleared)
{
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_VERDICT(c, is_cleared ? VERDICT_EXACT : VERDICT_NARROWED, 5);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE) == NULL, is_cleared);
	CHECK_EQUAL(case_suspects(c, 9), !is_cleared);
	case_end(c);
}
