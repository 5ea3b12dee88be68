/*
 * any_code.c - images with the kernels of a bundle, and launches as a core dump has them.
 */
#include "reading/any_code.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/check.h"

static const struct {
	const char *file;
	const char *kernels[4];
} samples[] = {{"lines.cubin", {"k_first", "k_second", "k_second", "k_absent"}},
	       {"inlined.cubin", {"k_deep", "k_one", "k_two", "k_deep"}},
	       {"inlined_linked.cubin", {"k_other", "k_one", "k_two", "k_deep"}},
	       {"linked.cubin", {"k_assert", "k_plain", "k_trap", "k_virtual"}},
	       {"unlinked.cubin", {"k_assert", "k_plain", "k_trap", "k_virtual"}},
	       {"lz4.fatbin", {"k_assert", "k_plain", "k_trap", "k_virtual"}},
	       {"zstd.fatbin", {"k_assert", "k_plain", "k_helper", "k_give"}},
	       {"debug.fatbin", {"k_assert", "k_plain", "k_printf", "k_give"}},
	       {"ptx.fatbin", {"k_assert", "k_plain", "k_printf", "k_give"}}};
static_assert(sizeof(samples) / sizeof(*samples) == ANY_CODE_SAMPLES, "one for each");

size_t any_code_read(uint32_t sample, const char *folder, unsigned char *out, size_t size)
{
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, samples[sample].file);
	FILE *in = fopen(path, "r");
	CHECK(in);
	size_t n = fread(out, 1, size, in);
	CHECK(n && n < size && !fclose(in));
	return n;
}

static uint64_t size_of(const char *folder, uint32_t sample)
{
	static unsigned char bytes[1 << 16];
	return any_code_read(sample, folder, bytes, sizeof(bytes));
}

void any_code_write(uint32_t sample, const char *folder)
{
	static const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
	static unsigned char bytes[1 << 16];
	size_t size = any_code_read(sample, folder, bytes, sizeof(bytes));
	FILE *file = fopen(ANY_CODE_FILE, "w");
	CHECK(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
	CHECK(!utimensat(AT_FDCWD, ANY_CODE_FILE, times, 0));
}

/* Return the id of the image that has the sample's bytes. */
static uint32_t add_image(struct any_bundle *any, const char *folder, uint32_t sample)
{
	static unsigned char bytes[1 << 16];
	size_t size = any_code_read(sample, folder, bytes, sizeof(bytes));
	uint32_t first = 0;
	memcpy(builder_rows(&any->builder, JOURNAL_IMAGE_BYTES,
			    (size + IMAGE_UNIT - 1) / IMAGE_UNIT, &first),
	       bytes, size);
	uint32_t id = 0;
	struct image_row *row = builder_rows(&any->builder, JOURNAL_IMAGES, 1, &id);
	*row = (struct image_row){.size = size, .bytes = first};
	return id;
}

/* An image in the file beside the bundles, or in one that is not there. */
static uint32_t add_file(struct any_bundle *any, uint64_t size)
{
	const char *name = any_chance(any, 70) ? ANY_CODE_FILE : "absent.cubin";
	uint32_t path = builder_string(&any->builder, name);
	uint32_t id = 0;
	struct image_row *row = builder_rows(&any->builder, JOURNAL_IMAGES, 1, &id);
	row->size = size;
	row->offset = 64;
	row->changed_ns = any_chance(any, 90) ? (uint64_t)1000000000 * 1000000000 : 1000;
	row->module = any_chance(any, 30) ? 1 : 0;
	row->path = row->module ? 0 : path;
	return id;
}

/* Let the GPU have stopped in the code of a kernel, which is shorter than in other bundles. */
static void move_faults(struct any_bundle *any)
{
	enum { STEP = 0x400, LEAST = 0x100 };
	struct builder_file *file = &any->builder.tables[JOURNAL_FAULTS];
	uint32_t n = file->bytes ? (uint32_t)((file->size - sizeof(struct file_header)) /
					      sizeof(struct fault_row))
				 : 0;
	for (uint32_t id = 1; id <= n; id++) {
		struct fault_row *row = builder_fault_row(&any->builder, id);
		if (any_chance(any, 80))
			row->pc -= row->pc % STEP - row->pc % LEAST;
	}
}

void any_code_add(struct any_bundle *any, uint32_t sample, const char *folder)
{
	uint32_t image = add_image(any, folder, sample);
	uint32_t file = add_file(any, size_of(folder, sample));
	for (uint32_t id = 1; id <= any->n_contexts; id++)
		if (any_chance(any, 90))
			builder_context_row(&any->builder, id)->flags |=
				(sample < 7 ? 90U : 80U) << CONTEXT_CAPABILITY_SHIFT;
	for (uint32_t id = 1; id <= ANY_FUNCTIONS; id++) {
		const char *kernel = samples[sample].kernels[any_pick(any, 4)];
		uint32_t name = builder_string(&any->builder, kernel);
		struct function_row *row = builder_function_row(&any->builder, id);
		uint32_t what = any_pick(any, 10);
		if (what < 9)
			row->name = name;
		row->image = (uint16_t)(what < 6 ? image : what < 9 ? file : IMAGE_UNSEEN);
	}
	move_faults(any);
}

/* --- The core dump "load": see support/coredump_sample.c --- */

static void match_launch(struct any_bundle *any, struct journal_record *record)
{
	const struct {
		uint64_t from, to;
		uint32_t n;
	} arguments = {0x7fa934800000, 0x7fa934900000, any_chance(any, 70) ? 100000 : 1000};
	struct journal_record *before = record - 1;
	record->launch.function = 1;
	record->launch.grid[0] = 8;
	record->launch.block[0] = 128;
	if (record->launch.argument_bytes == 0)
		return;
	record->launch.argument_bytes = 20;
	memcpy(before->argument_bytes, &arguments, 20);
}

void any_code_match_load(struct any_bundle *any)
{
	uint32_t name = builder_string(&any->builder, "_Z8bad_loadPKfPfi");
	struct function_row *function = builder_function_row(&any->builder, 1);
	function->name = name;
	function->handle = any_chance(any, 70) ? 0x55b8c9dbdd20 : function->handle;
	function->module = 0x55b8c9d98980;
	if (any_chance(any, 80))
		builder_context_row(&any->builder, 1)->handle = 0x55b8c8f6af70;
	for (uint32_t slot = 0; slot < any->builder.n_rings; slot++) {
		struct journal_record *records =
			(struct journal_record *)(void *)(any->builder.rings[slot].bytes +
							  sizeof(struct file_header));
		for (uint64_t i = 1; i < any->builder.ring_capacity; i++)
			if (records[i].work == WORK_KERNEL && any_chance(any, 30))
				match_launch(any, &records[i]);
	}
}
