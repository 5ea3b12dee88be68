/*
 * any_code.c - images with the kernels of a bundle, and launches as a core dump has them.
 */
#include "reading/any_code.h"

#include <stdio.h>
#include <string.h>

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
enum { N_SAMPLES = sizeof(samples) / sizeof(*samples) };

/* Return the id of the image that has the file's bytes. */
static uint32_t add_image(struct any_bundle *any, const char *folder, const char *file)
{
	static unsigned char bytes[1 << 16];
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, file);
	FILE *in = fopen(path, "r");
	CHECK(in);
	size_t size = fread(bytes, 1, sizeof(bytes), in);
	CHECK(size && size < sizeof(bytes) && !fclose(in));
	uint32_t first = 0;
	memcpy(builder_rows(&any->builder, JOURNAL_IMAGE_BYTES,
			    (size + IMAGE_UNIT - 1) / IMAGE_UNIT, &first),
	       bytes, size);
	uint32_t id = 0;
	struct image_row *row = builder_rows(&any->builder, JOURNAL_IMAGES, 1, &id);
	*row = (struct image_row){.size = size, .bytes = first};
	return id;
}

/* An image in a file that is not there. */
static uint32_t add_absent(struct any_bundle *any)
{
	uint32_t path = builder_string(&any->builder, "/opt/absent/kernels.cubin");
	uint32_t id = 0;
	struct image_row *row = builder_rows(&any->builder, JOURNAL_IMAGES, 1, &id);
	row->size = 1000;
	row->offset = 64;
	row->changed_ns = 1000;
	row->module = any_chance(any, 50) ? 1 : 0;
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

void any_code_add(struct any_bundle *any, const char *folder)
{
	uint32_t sample = any_pick(any, N_SAMPLES);
	uint32_t image = add_image(any, folder, samples[sample].file);
	uint32_t absent = add_absent(any);
	for (uint32_t id = 1; id <= any->n_contexts; id++)
		if (any_chance(any, 90))
			builder_context_row(&any->builder, id)->flags |=
				(sample < 7 ? 90U : 80U) << CONTEXT_CAPABILITY_SHIFT;
	for (uint32_t id = 1; id <= ANY_FUNCTIONS; id++) {
		const char *kernel = samples[sample].kernels[any_pick(any, 4)];
		uint32_t name = builder_string(&any->builder, kernel);
		struct function_row *row = builder_function_row(&any->builder, id);
		uint32_t what = any_pick(any, 10);
		if (what < 8)
			row->name = name;
		row->image = (uint16_t)(what < 8 ? image : what == 8 ? absent : IMAGE_UNSEEN);
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
