/*
 * any_host.c - modules, frames and records.
 */
#include "reading/any_host.h"

#include <string.h>

#include "support/python_builder.h"

/* In some bundles, all is from one place. */
static uint32_t only_stack;

enum { N_STACKS = 44, N_CODES = 12, N_FRAMES = 40, N_MODULES = 12 };

/* --- Code of the host --- */

static void add_modules(struct any_bundle *any)
{
	const char *const paths[N_MODULES] = {
		"/home/ann/project/build/train",
		"/opt/absent/python3.12/site-packages/torch/lib/libtorch_cuda.so",
		"/opt/absent/libcudart.so.12.4.127",
		"/opt/absent/libc.so.6",
		"/opt/absent/libpython3.12.so.1.0",
		"/opt/absent/libculprit.so",
		"/home/ann/project/_C.cpython-312-x86_64-linux-gnu.so",
		"/opt/absent/libcuda.so.1",
		"/opt/absent/_ctypes.cpython-312-x86_64-linux-gnu.so",
		any_chance(any, 50) ? "/opt/absent/libc10_cuda.so"
				    : "/opt/absent/cupy/cuda/memory.so",
		any_chance(any, 50) ? "absent.so" : "/opt/absent/librmm.so",
		"[vdso]"};
	for (uint64_t i = 0; i < N_MODULES; i++) {
		uint64_t start = 0x400000 + (i << 20);
		uint32_t id = builder_module(&any->builder, paths[i], start, start + 0x80000);
		struct module_row *row = builder_rows(&any->builder, JOURNAL_MODULES, 0, &id);
		row--;
		row->build_id_size = any_chance(any, 50) ? 4 : 0;
		memcpy(row->build_id, "\x1b\x2c\xff\x01", 4);
		row->flags = (uint16_t)any_pick(any, 4);
	}
}

static void add_codes(struct any_bundle *any)
{
	static const char *const files[] = {
		"/home/ann/project/train.py",
		"/home/ann/project/train.py",
		"/home/ann/project/model/loss.py",
		"/opt/venv/lib/python3.12/site-packages/torch/nn/module.py",
		"/opt/venv/lib/python3.12/site-packages/lightning/trainer.py",
		"/usr/lib/python3.12/runpy.py",
		"<frozen runpy>",
		"/tmp/torchinductor_ann/ab/c.py",
		"<string>",
		"/tmp/ipykernel_12/345.py",
		""};
	static const char *const names[] = {"<module>",          "Net.forward", "train.<locals>.f",
					    "Module._call_impl", "<lambda>",    "step"};
	for (uint32_t i = 0; i < N_CODES; i++) {
		uint8_t lines[24];
		for (size_t k = 0; k < sizeof(lines); k++)
			lines[k] = (uint8_t)any_pick(any, k % 2 ? 6 : 256);
		const char *file = ANY_OF(any, files);
		const char *name = ANY_OF(any, names);
		uint32_t size = any_pick(any, sizeof(lines));
		(void)builder_python_code(&any->builder, file, name, any_pick(any, 300), lines,
					  size);
		struct python_code_row *row = builder_python_code_row(&any->builder);
		row->version = (uint16_t)(3 << 8 | (8 + any_pick(any, 7)));
		row->is_lines_cut = any_chance(any, 10);
	}
}

static void add_frames(struct any_bundle *any)
{
	for (uint32_t i = 0; i < N_FRAMES; i++) {
		uint32_t parent = any_chance(any, 75) ? i : any_pick(any, i + 1);
		uint32_t code = parent || any_chance(any, 70) ? 1 + any_pick(any, N_CODES) : 0;
		(void)builder_python_frame(&any->builder, parent, code, any_pick(any, 80));
	}
}

static void add_stack(struct any_bundle *any, uint32_t id, bool *has_children)
{
	uint32_t parent = any_chance(any, 75) ? id - 1 : any_pick(any, id);
	while (parent && !has_children[parent])
		parent--;
	uint32_t module = any_chance(any, 95) ? 1 + any_pick(any, N_MODULES + 1) : STACK_NO_MODULE;
	uint64_t offset = any_pick(any, 400);
	has_children[id] = true;
	if (id % 4 == 2 && any_chance(any, 60)) {
		module = STACK_PYTHON;
		offset = 1 + any_pick(any, N_FRAMES);
		has_children[id] = false;
	} else if (any_chance(any, 6)) {
		module = STACK_END;
		offset = any_pick(any, N_STACK_ENDS);
		parent = 0;
	}
	(void)builder_stack(&any->builder, parent, module, offset);
}

void any_stacks_add(struct any_bundle *any)
{
	bool has_children[N_STACKS + 1] = {false};
	add_modules(any);
	add_codes(any);
	add_frames(any);
	for (uint32_t id = 1; id <= N_STACKS; id++)
		add_stack(any, id, has_children);
	only_stack = any_chance(any, 25) ? N_STACKS - any_pick(any, 6) : 0;
}

uint32_t any_stack(struct any_bundle *any)
{
	if (only_stack && any_chance(any, 92))
		return only_stack;
	return any_chance(any, 60) ? N_STACKS - any_pick(any, 6) : any_pick(any, N_STACKS + 2);
}

/* --- Records --- */

static void add_range(struct any_bundle *any, uint32_t tid)
{
	static const char *const texts[] = {
		"forward", "step 12", "loss \xc3\xa9 \x1b[2J", "ncclAllReduce",
		"a text that is as long as it may be, which is more than can fit in"};
	const char *text = ANY_OF(any, texts);
	struct journal_record *record = builder_record(&any->builder, tid, RECORD_NVTX);
	struct record_nvtx *nvtx = &record->nvtx;
	size_t size = strlen(text) < NVTX_TEXT_MAX ? strlen(text) : NVTX_TEXT_MAX;
	nvtx->scope = (uint8_t)any_pick(any, N_NVTX_SCOPES);
	nvtx->index = (uint8_t)any_pick(any, 3);
	for (int i = 0; i < N_NVTX_SCOPES; i++)
		nvtx->n_open[i] = (uint8_t)any_pick(any, 4);
	nvtx->n_unkept = any_chance(any, 10) ? 2 : 0;
	nvtx->text_size = (uint8_t)size;
	nvtx->is_cut = size < strlen(text);
	nvtx->domain = any_chance(any, 30) ? any->calls[0] : 0;
	memcpy(nvtx->text, text, size);
}

static void add_event(struct any_bundle *any, uint32_t tid)
{
	static const enum record_kind kinds[] = {RECORD_EVENT_RECORD, RECORD_CLEANUP, RECORD_SYNC};
	struct journal_record *record = builder_record(&any->builder, tid, ANY_OF(any, kinds));
	record->stream = any_pick(any, any->n_streams + 1);
	record->ordinal = any_pick(any, 5);
	record->call = ANY_OF(any, any->calls);
	record->stack = any_stack(any);
	if (record->kind == RECORD_EVENT_RECORD)
		record->event.event = 0x8800 + any_pick(any, 3);
}

static void add_whole(struct any_bundle *any, const struct journal_record *record)
{
	uint32_t id = 0;
	struct whole_arguments_row *row =
		builder_rows(&any->builder, JOURNAL_WHOLE_ARGUMENTS, 1, &id);
	row->time_ns = record->time_ns;
	row->tid = record->tid;
	row->size = ANY_ARGUMENTS + any_pick(any, 8);
	any_fill_arguments(any, row->bytes);
}

static void change(struct any_bundle *any, struct journal_record *record, bool has_ranges)
{
	if (record->kind != RECORD_SUBMISSION && record->kind != RECORD_CAPTURED &&
	    record->kind != RECORD_SYNC)
		return;
	record->stack = any_stack(any);
	if (!record->call)
		record->call = ANY_OF(any, any->calls);
	if (record->kind == RECORD_SYNC)
		return;
	record->flags |= has_ranges && any_chance(any, 80) ? RECORD_IN_RANGES : 0;
	if (only_stack && record->work == WORK_KERNEL && any_chance(any, 90)) {
		record->launch.function = 1;
		record->launch.grid[0] = any_chance(any, 90) ? 4 : any_pick(any, 6);
		record->launch.block[0] = any_chance(any, 95) ? 32 : 64;
		record->launch.shared_bytes = any_chance(any, 95) ? 0 : 8;
	}
	if (record->work != WORK_KERNEL || !any_chance(any, 10))
		return;
	record->flags |= RECORD_ARGUMENTS_CUT;
	if (any_chance(any, 60))
		add_whole(any, record);
}

static void fill_ring(struct any_bundle *any, uint32_t slot)
{
	struct bundle_builder *builder = &any->builder;
	static struct journal_record old[256];
	struct builder_file *ring = &builder->rings[slot];
	uint32_t tid = builder->ring_tids[slot];
	uint64_t capacity = builder->ring_capacity, n = builder->ring_rows[slot];
	uint64_t time_ns = builder->time_ns;
	bool has_ranges = false;
	memcpy(old, ring->bytes + sizeof(struct file_header), capacity * sizeof(*old));
	builder->ring_rows[slot] = n > capacity ? n - capacity : 0;
	for (uint64_t i = builder->ring_rows[slot]; i < n; i++) {
		struct journal_record *copy = &old[i % capacity];
		bool is_apart = i == 0 || old[(i - 1) % capacity].kind != RECORD_ARGUMENTS;
		if (is_apart && any_chance(any, 15)) {
			add_range(any, tid);
			has_ranges = true;
		}
		if (is_apart && any_chance(any, 5))
			add_event(any, tid);
		struct journal_record *record = builder_record(builder, tid, RECORD_SYNC);
		copy->commit = record->commit;
		*record = *copy;
		change(any, record, has_ranges);
	}
	builder->time_ns = time_ns;
}

void any_records_add(struct any_bundle *any)
{
	for (uint32_t slot = 0; slot < any->builder.n_rings; slot++)
		fill_ring(any, slot);
}
