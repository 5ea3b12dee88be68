/*
 * fault_model.c - kernels share four functions, whose code follows each other; copies and memsets
 * touch four allocations, or a page outside of them.
 */
#include "model/fault_model.h"

#include "base/time_units.h"
#include "model/random_pick.h"

enum { CODE_BASE = 0x80000, CODE_PLACES = 5, AREA = 0x10000, N_AREAS = 4, SPAN = 0x3000 };

/* FAULT_PAGE is outside all allocations. */
#define MEMORY     ((uint64_t)0x700000000000)
#define FAULT_PAGE (MEMORY + 0x900000)

static const uint64_t code_starts[] = {0, CODE_BASE, CODE_BASE + 0x80, CODE_BASE + 0x480,
				       CODE_BASE + 0x580};
static const uint32_t code_bytes[] = {0, 0x70, 0x400, 0x100, 0x800};

static uint32_t pick(struct fault_model *fault, uint32_t n)
{
	return random_pick(&fault->random, n);
}

static bool chance(struct fault_model *fault, uint32_t percent)
{
	return pick(fault, 100) < percent;
}

/* A number of this submission alone, so that it is known if its record is lost, too. */
static uint32_t number_of(const struct fault_model *fault, uint64_t sequence, uint32_t n)
{
	uint64_t random = (sequence + 1) * (fault->model->settings.seed | 1);
	(void)random_pick(&random, n);
	return random_pick(&random, n);
}

static uint32_t function_of(const struct fault_model *fault, uint64_t sequence)
{
	return fault->first_function + number_of(fault, sequence, FAULT_MODEL_FUNCTIONS);
}

/* --- Kernels --- */

static void add_functions(struct fault_model *fault)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	for (uint32_t i = 0; i < FAULT_MODEL_FUNCTIONS; i++) {
		uint32_t id = builder_function(&fault->model->builder, names[i], 0, NULL);
		fault->first_function = i == 0 ? id : fault->first_function;
	}
}

static void add_code(struct fault_model *fault)
{
	uint32_t culprit = function_of(fault, fault->model->culprit);
	for (uint32_t i = 1; i <= FAULT_MODEL_FUNCTIONS; i++) {
		bool may_assert = fault->is_graph || (i == culprit && !fault->is_lying);
		uint32_t id;
		fault->code[i] =
			(uint8_t)((chance(fault, 40) ? CODE_TRAPS : 0) |
				  (chance(fault, 10) ? CODE_LAUNCHES : 0) |
				  (!may_assert && chance(fault, 50) ? CODE_ASSERTS_NEVER : 0));
		if (chance(fault, 85))
			fault->sizes[i] =
				(struct code_size){.least = code_bytes[i], .most = code_bytes[i]};
		if (chance(fault, 5))
			continue;
		struct code_address_row *row =
			builder_rows(&fault->model->builder, JOURNAL_CODE_ADDRESSES, 1, &id);
		*row = (struct code_address_row){.address = code_starts[i],
						 .function = i,
						 .offset = 0x68,
						 .flags = chance(fault, 90) ? CODE_CONFIRMED : 0};
	}
}

/* --- Memory --- */

static void add_areas(struct fault_model *fault)
{
	static const uint8_t kinds[] = {RANGE_DEVICE, RANGE_DEVICE, RANGE_HOST, RANGE_ORDERED};
	struct bundle_builder *builder = &fault->model->builder;
	for (uint32_t i = 0; i < N_AREAS; i++) {
		uint32_t id = builder_range(builder, MEMORY + (uint64_t)i * AREA, SPAN, 0);
		struct range_row *row = builder_range_row(builder, id);
		row->kind = kinds[i];
		row->context = chance(fault, 90) ? fault->context : 0;
		row->time_ns = chance(fault, 80) ? 0 : pick(fault, (uint32_t)builder->time_ns);
		if (chance(fault, 15)) {
			row->state = RANGE_FREED;
			row->freed_ns = chance(fault, 50) ? UINT64_MAX : row->time_ns;
		}
	}
}

/* An address from which so many bytes are allocated, or are past the end. */
static uint64_t operand(struct fault_model *fault, uint32_t bytes)
{
	uint64_t area = MEMORY + (uint64_t)pick(fault, N_AREAS) * AREA;
	return area + (chance(fault, 85) ? pick(fault, SPAN - bytes + 1) : pick(fault, AREA));
}

static void shape_memory(struct fault_model *fault, struct journal_record *record)
{
	uint32_t bytes = 1 + pick(fault, 0x1800);
	bool is_culprit = record->sequence == fault->model->culprit;
	if (chance(fault, 10)) /* several rows */
		return;
	record->memory = (struct record_memory){.destination = operand(fault, bytes),
						.source = operand(fault, bytes),
						.bytes = bytes};
	if (is_culprit && !fault->is_lying && record->work == WORK_COPY && chance(fault, 50))
		record->memory.source = FAULT_PAGE + pick(fault, FAULT_PAGE_SIZE);
	else if (is_culprit && !fault->is_lying)
		record->memory.destination = FAULT_PAGE - pick(fault, bytes);
}

static void shape_record(struct fault_model *fault, struct journal_record *record)
{
	if (!record->commit || record->kind != RECORD_SUBMISSION)
		return;
	if (record->result == fault->model->code)
		record->result = fault->code_of_failure;
	if (record->work == WORK_KERNEL)
		record->launch.function = function_of(fault, record->sequence);
	else if (record->work == WORK_COPY || record->work == WORK_MEMSET)
		shape_memory(fault, record);
}

static void shape_all(struct fault_model *fault)
{
	const struct bundle_builder *builder = &fault->model->builder;
	for (uint32_t slot = 0; slot < builder->n_rings; slot++) {
		struct journal_record *records =
			(struct journal_record *)(void *)(builder->rings[slot].bytes +
							  sizeof(struct file_header));
		for (uint64_t i = 0; i < builder->ring_capacity; i++)
			shape_record(fault, &records[i]);
	}
}

/* --- The fault --- */

static struct fault_row *add_row(struct fault_model *fault, enum fault_kind kind)
{
	uint32_t id;
	struct fault_row *row = builder_rows(&fault->model->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = (uint8_t)kind, .context = fault->context};
	return row;
}

static void add_exception(struct fault_model *fault, uint32_t function)
{
	struct fault_row *row = add_row(fault, FAULT_EXCEPTION);
	row->context = chance(fault, 95) ? fault->context : 0;
	row->warp_esr = 0x502000f;
	if (chance(fault, 95)) {
		row->flags = FAULT_HAS_PC;
		row->pc = code_starts[function] + pick(fault, code_bytes[function]);
	}
}

/* Exceptions have a summary, which may not know all. */
static void add_exceptions(struct fault_model *fault, uint32_t function)
{
	struct fault_row *row = add_row(fault, FAULT_STATES_READ);
	row->flags = chance(fault, 95) ? FAULT_ONE_CONTEXT : 0;
	row->n_lost = chance(fault, 5);
	add_exception(fault, function);
	if (chance(fault, 20))
		add_exception(fault, function);
}

static void add_page(struct fault_model *fault, enum fault_kind kind, uint64_t page)
{
	struct fault_row *row = add_row(fault, kind);
	row->address = page;
	row->flags = chance(fault, 95) ? FAULT_ADDRESS_PAGE : 0;
}

static void add_pages(struct fault_model *fault)
{
	if (chance(fault, 80))
		add_page(fault, FAULT_MMU, FAULT_PAGE);
	add_page(fault, FAULT_EVENT, FAULT_PAGE);
	if (chance(fault, 20))
		add_page(fault, FAULT_EVENT,
			 MEMORY + (uint64_t)pick(fault, AREA / 0x1000) * 0x1000);
	if (chance(fault, 5))
		add_page(fault, FAULT_MMU, MEMORY);
}

/* When the GPU noticed it, once or more, or an access that did not fail. */
static void add_time(struct fault_model *fault, uint64_t gpu_ns, uint8_t access)
{
	struct fault_row *row = add_row(fault, FAULT_TIMED);
	row->address = FAULT_PAGE;
	row->flags = FAULT_ADDRESS_PAGE;
	row->access = access;
	row->gpu_ns = gpu_ns;
	row->time_ns = gpu_ns - MODEL_CLOCKS_APART + pick(fault, 20000);
	if (chance(fault, 5)) /* of another clock, or unknown */
		row->time_ns += chance(fault, 50) ? (uint64_t)NS_PER_S : 0 - (uint64_t)NS_PER_MS;
	else if (chance(fault, 3))
		row->time_ns = 0;
}

static void add_times(struct fault_model *fault)
{
	uint64_t gpu_ns = fault->model->fault_ns - (fault->is_lying ? pick(fault, 9000) : 0);
	add_row(fault, FAULT_TIMES_READ)->count = 1;
	add_time(fault, gpu_ns, 0);
	if (chance(fault, 40))
		add_time(fault, gpu_ns + pick(fault, chance(fault, 20) ? 2000000 : 100000), 0);
	if (chance(fault, 20))
		add_time(fault, gpu_ns - pick(fault, 3000), 1);
	builder_context_row(&fault->model->builder, fault->context)->flags =
		chance(fault, 90) ? CONTEXT_LACKS_HOST_MEMORY : 0;
	if (chance(fault, 10))
		builder_range_row(&fault->model->builder,
				  builder_range(&fault->model->builder, MEMORY + 0x800000, SPAN, 0))
			->kind = RANGE_MANAGED;
}

static void add_events_summary(struct fault_model *fault, uint32_t count)
{
	struct fault_row *row = add_row(fault, FAULT_EVENTS_READ);
	row->n_lost = chance(fault, 5);
	row->count = count + row->n_lost;
	row->flags = chance(fault, 5) ? FAULT_LATE : 0;
}

/* A copy's fault has pages, and a kernel's one of both. */
static void add_fault(struct fault_model *fault, enum work_kind work)
{
	bool is_kernel = work == WORK_KERNEL || work == WORK_GRAPH;
	uint32_t function = 1 + pick(fault, FAULT_MODEL_FUNCTIONS);
	if (work == WORK_KERNEL && !fault->is_lying)
		function = function_of(fault, fault->model->culprit);
	bool has_pages = !is_kernel || (fault->model->code == 700 && chance(fault, 40));
	if (has_pages)
		add_pages(fault);
	if (has_pages && fault->model->fault_ns)
		add_times(fault);
	if (!has_pages || (is_kernel && chance(fault, 10)))
		add_exceptions(fault, function);
	if (chance(fault, 90))
		add_events_summary(fault, has_pages);
}

/* The model knows two codes. Each stands for those that the same work can raise. */
static int32_t pick_code(struct fault_model *fault)
{
	static const int32_t any_work[] = {700, 700, 700, 719};
	static const int32_t kernels[] = {710, 710, 714, 715, 716, 716, 717, 718, 719};
	return fault->model->code == 700
		       ? any_work[pick(fault, sizeof(any_work) / sizeof(*any_work))]
		       : kernels[pick(fault, sizeof(kernels) / sizeof(*kernels))];
}

static uint32_t pick_flags(struct fault_model *fault)
{
	static const uint32_t flags[] = {FAILURE_UNKNOWN_LAUNCH, FAILURE_STREAMS_LOST,
					 FAILURE_CHECKPOINTED,   FAILURE_SHARED,
					 FAILURE_BYPASSED,       FAILURE_UNSEEN_NEWEST};
	return chance(fault, 15) ? flags[pick(fault, sizeof(flags) / sizeof(*flags))] : 0;
}

void fault_model_add(struct gpu_model *model, bool is_lying, struct fault_model *out)
{
	enum work_kind work = model->culprit_kind;
	*out = (struct fault_model){.model = model,
				    .random = model->settings.seed ^ 0x5eed,
				    .is_lying = is_lying,
				    .is_graph = work == WORK_GRAPH,
				    .context = 1};
	out->facts = (struct attribution_facts){
		.code = out->code,
		.n_functions = FAULT_MODEL_FUNCTIONS + 1,
		.sizes = {.of = out->sizes, .n = FAULT_MODEL_FUNCTIONS + 1}};
	out->code_of_failure = pick_code(out);
	add_functions(out);
	add_code(out);
	add_areas(out);
	shape_all(out);
	if (chance(out, 85))
		add_fault(out, work);
	builder_failure_row(&model->builder)->code = out->code_of_failure;
	builder_failure_row(&model->builder)->flags = pick_flags(out);
}
