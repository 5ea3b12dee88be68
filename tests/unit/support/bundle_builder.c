/*
 * bundle_builder.c - the files of a bundle as growing buffers. Rings are allocated whole, so that
 * pointers to their records stay good.
 */
#include "support/bundle_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t row_sizes[N_JOURNAL_FILES] = {
#define JOURNAL_FILE(number, name, file, row, ...) [JOURNAL_##name] = sizeof(struct row),
#include "base/journal_files.def"
#undef JOURNAL_FILE
};

static void grow(struct builder_file *file, size_t size)
{
	unsigned char *bytes = realloc(file->bytes, size);

	if (!bytes) {
		perror("bundle_builder");
		exit(1);
	}
	memset(bytes + file->size, 0, size - file->size);
	file->bytes = bytes;
	file->size = size;
}

static struct file_header *begin_file(struct builder_file *file, enum journal_file kind)
{
	struct file_header *header = NULL;

	if (!file->bytes) {
		grow(file, sizeof(*header));
		header = (struct file_header *)(void *)file->bytes;
		header->magic = JOURNAL_MAGIC;
		header->kind = kind;
		header->header_size = sizeof(*header);
		header->row_size = row_sizes[kind];
	}
	return (struct file_header *)(void *)file->bytes;
}

static void *row_of(const struct builder_file *file, uint64_t index)
{
	const struct file_header *header = (const struct file_header *)(const void *)file->bytes;

	return file->bytes + header->header_size + index * header->row_size;
}

void *builder_rows(struct bundle_builder *builder, enum journal_file kind, uint64_t n,
		   uint32_t *out_id)
{
	struct builder_file *file = &builder->tables[kind];
	uint64_t first = begin_file(file, kind)->n_rows;
	struct file_header *header = NULL;

	grow(file, file->size + n * row_sizes[kind]);
	header = (struct file_header *)(void *)file->bytes;
	header->n_rows += n;
	header->capacity = header->n_rows;
	*out_id = (uint32_t)first + 1;
	return row_of(file, first);
}

void builder_begin(struct bundle_builder *builder, uint64_t ring_capacity)
{
	*builder = (struct bundle_builder){.ring_capacity = ring_capacity};
}

void builder_end(struct bundle_builder *builder)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++)
		free(builder->tables[kind].bytes);
	for (int slot = 0; slot < BUILDER_MAX_RINGS; slot++)
		free(builder->rings[slot].bytes);
}

uint32_t builder_string(struct bundle_builder *builder, const char *string)
{
	uint32_t length = (uint32_t)strlen(string);
	uint64_t n_units = (sizeof(length) + length + 1 + STRING_UNIT - 1) / STRING_UNIT;
	uint32_t id = 0;
	unsigned char *unit = builder_rows(builder, JOURNAL_STRINGS, n_units, &id);

	memcpy(unit, &length, sizeof(length));
	memcpy(unit + sizeof(length), string, length);
	return id;
}

uint32_t builder_thread(struct bundle_builder *builder, uint32_t tid, const char *name)
{
	uint32_t name_id = builder_string(builder, name);
	uint32_t id = 0;
	struct thread_row *row = builder_rows(builder, JOURNAL_THREADS, 1, &id);

	*row = (struct thread_row){.tid = tid, .name = name_id, .start_ns = builder->time_ns};
	return id;
}

uint32_t builder_context(struct bundle_builder *builder, uint32_t device, const char *device_name)
{
	uint32_t name_id = builder_string(builder, device_name);
	uint32_t id = 0;
	struct context_row *row = builder_rows(builder, JOURNAL_CONTEXTS, 1, &id);

	*row = (struct context_row){
		.handle = 0x1000 + id, .id = id, .device = device, .device_name = name_id};
	return id;
}

uint32_t builder_stream(struct bundle_builder *builder, uint32_t context, enum stream_kind kind,
			uint32_t flags, uint64_t handle)
{
	uint32_t id = 0;
	struct stream_row *row = builder_rows(builder, JOURNAL_STREAMS, 1, &id);

	row->handle = handle;
	row->context = context;
	row->kind = kind;
	row->flags = flags;
	return id;
}

uint32_t builder_function(struct bundle_builder *builder, const char *name, uint32_t n_parameters,
			  const uint32_t *sizes)
{
	uint32_t name_id = builder_string(builder, name);
	uint32_t first_id = 0;
	uint32_t offset = 0;
	uint32_t id = 0;
	struct parameter_row *parameters =
		n_parameters ? builder_rows(builder, JOURNAL_PARAMETERS, n_parameters, &first_id)
			     : NULL;
	struct function_row *row = builder_rows(builder, JOURNAL_FUNCTIONS, 1, &id);

	for (uint32_t i = 0; i < n_parameters; i++) {
		uint32_t alignment = sizes[i] < 8 ? sizes[i] : 8;

		offset = (offset + alignment - 1) / alignment * alignment;
		parameters[i] = (struct parameter_row){.offset = offset, .size = sizes[i]};
		offset += sizes[i];
	}
	*row = (struct function_row){.handle = 0x2000 + id,
				     .name = name_id,
				     .n_parameters = n_parameters,
				     .first_parameter = first_id};
	return id;
}

uint32_t builder_module(struct bundle_builder *builder, const char *path, uint64_t start,
			uint64_t end)
{
	uint32_t path_id = builder_string(builder, path);
	uint32_t id = 0;
	struct module_row *row = builder_rows(builder, JOURNAL_MODULES, 1, &id);

	*row = (struct module_row){.start = start, .end = end, .bias = start, .path = path_id};
	return id;
}

uint32_t builder_stack(struct bundle_builder *builder, uint32_t parent, uint32_t module,
		       uint64_t offset)
{
	uint32_t id = 0;
	struct stack_row *row = builder_rows(builder, JOURNAL_STACKS, 1, &id);

	*row = (struct stack_row){.parent = parent, .module = module, .offset = offset};
	return id;
}

uint32_t builder_range(struct bundle_builder *builder, uint64_t start, uint64_t size,
		       uint32_t stack)
{
	uint32_t call = builder_string(builder, "cuMemAlloc_v2");
	uint32_t id = 0;
	struct range_row *row = builder_rows(builder, JOURNAL_RANGES, 1, &id);

	*row = (struct range_row){.start = start,
				  .size = size,
				  .number = id,
				  .call = call,
				  .stack = stack,
				  .state = RANGE_LIVE};
	return id;
}

struct stream_row *builder_stream_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_STREAMS], id - 1);
}

struct function_row *builder_function_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_FUNCTIONS], id - 1);
}

struct range_row *builder_range_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_RANGES], id - 1);
}

struct context_row *builder_context_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_CONTEXTS], id - 1);
}

struct fault_row *builder_fault_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(&builder->tables[JOURNAL_FAULTS], id - 1);
}

struct failure_row *builder_failure_row(struct bundle_builder *builder)
{
	return row_of(&builder->tables[JOURNAL_FAILURE], 0);
}

static uint32_t ring_of(struct bundle_builder *builder, uint32_t tid)
{
	struct file_header *header = NULL;
	uint32_t slot = 0;

	while (slot < builder->n_rings && builder->ring_tids[slot] != tid)
		slot++;
	if (slot < builder->n_rings)
		return slot;
	if (slot == BUILDER_MAX_RINGS) {
		fprintf(stderr, "bundle_builder: too many threads\n");
		exit(1);
	}
	builder->ring_tids[builder->n_rings++] = tid;
	header = begin_file(&builder->rings[slot], JOURNAL_RING);
	header->slot = slot;
	header->capacity = builder->ring_capacity;
	grow(&builder->rings[slot],
	     sizeof(*header) + builder->ring_capacity * sizeof(struct journal_record));
	return slot;
}

struct journal_record *builder_record(struct bundle_builder *builder, uint32_t tid,
				      enum record_kind kind)
{
	uint32_t slot = ring_of(builder, tid);
	uint64_t number = builder->ring_rows[slot]++;
	struct journal_record *record =
		row_of(&builder->rings[slot], number % builder->ring_capacity);

	builder->time_ns += 1000;
	*record = (struct journal_record){.commit = number + 1,
					  .sequence = builder->sequence,
					  .time_ns = builder->time_ns,
					  .tid = tid,
					  .kind = (uint8_t)kind};
	return record;
}

struct journal_record *builder_submit(struct bundle_builder *builder, uint32_t tid, uint32_t stream,
				      enum work_kind work)
{
	struct journal_record *record = builder_record(builder, tid, RECORD_SUBMISSION);

	record->sequence = ++builder->sequence;
	record->stream = stream;
	record->ordinal = ++builder_stream_row(builder, stream)->submitted;
	record->work = (uint8_t)work;
	if (work == WORK_KERNEL)
		record->launch = (struct record_launch){.grid = {1, 1, 1}, .block = {1, 1, 1}};
	return record;
}

struct journal_record *builder_launch(struct bundle_builder *builder, uint32_t tid, uint32_t stream,
				      uint32_t function, const void *arguments, uint32_t size)
{
	uint32_t n_rows = (size + RECORD_PAYLOAD - 1) / RECORD_PAYLOAD;
	struct journal_record *record = NULL;

	for (uint32_t i = 0; i < n_rows; i++) {
		uint32_t offset = i * RECORD_PAYLOAD;
		uint32_t n = size - offset < RECORD_PAYLOAD ? size - offset : RECORD_PAYLOAD;

		record = builder_record(builder, tid, RECORD_ARGUMENTS);
		record->time_ns = 0;
		memcpy(record->argument_bytes, (const unsigned char *)arguments + offset, n);
	}
	record = builder_submit(builder, tid, stream, WORK_KERNEL);
	record->launch.function = function;
	record->launch.n_argument_rows = (uint16_t)n_rows;
	record->launch.argument_bytes = size;
	return record;
}

struct journal_record *builder_wait(struct bundle_builder *builder, uint32_t tid, uint32_t stream,
				    uint32_t source, uint64_t ordinal)
{
	struct journal_record *record = builder_record(builder, tid, RECORD_EVENT_WAIT);

	record->stream = stream;
	record->ordinal = builder_stream_row(builder, stream)->submitted;
	record->event = (struct record_event){.source_stream = source, .source_ordinal = ordinal};
	return record;
}

void builder_reject(struct bundle_builder *builder, struct journal_record *record, int32_t result)
{
	builder_stream_row(builder, record->stream)->submitted--;
	record->result = result;
}

void builder_pend(struct bundle_builder *builder, struct journal_record *record)
{
	builder_reject(builder, record, RESULT_PENDING);
}

void builder_owe(struct bundle_builder *builder, uint32_t tid, uint64_t sequence)
{
	struct builder_file *ring = &builder->rings[ring_of(builder, tid)];

	((struct file_header *)(void *)ring->bytes)->owed = sequence;
}

void builder_time(struct bundle_builder *builder, uint64_t ms)
{
	builder->time_ns += ms * 1000000;
}

void builder_sync(struct bundle_builder *builder, uint32_t stream, uint64_t ordinal,
		  const char *call)
{
	uint32_t call_id = builder_string(builder, call);
	struct stream_row *row = builder_stream_row(builder, stream);

	row->synced = ordinal;
	row->synced_by = call_id;
}

void builder_mark(struct bundle_builder *builder, uint32_t stream, uint64_t ordinal)
{
	builder_stream_row(builder, stream)->marked = ordinal;
}

struct failure_row *builder_fail(struct bundle_builder *builder, int32_t code, uint32_t tid,
				 const char *call)
{
	uint32_t call_id = builder_string(builder, call);
	uint32_t id = 0;
	struct failure_row *row = builder_rows(builder, JOURNAL_FAILURE, 1, &id);

	*row = (struct failure_row){.code = code,
				    .call = call_id,
				    .tid = tid,
				    .time_ns = builder->time_ns + 1000000,
				    .sequence = builder->sequence,
				    .n_sticky = 1};
	return row;
}

static void add_to_view(const struct builder_file *file, struct bundle_view *view)
{
	int error = file->bytes ? bundle_view_add(view, file->bytes, file->size, NULL) : 0;

	if (error) {
		fprintf(stderr, "bundle_builder: a file is refused: %s\n", strerror(-error));
		exit(1);
	}
}

void builder_view(const struct bundle_builder *builder, struct bundle_view *view)
{
	memset(view, 0, sizeof(*view));
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++)
		add_to_view(&builder->tables[kind], view);
	for (uint32_t slot = 0; slot < builder->n_rings; slot++)
		add_to_view(&builder->rings[slot], view);
}
