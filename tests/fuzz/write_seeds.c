/*
 * write_seeds.c - writes synthetic bundles as inputs of fuzz_bundle.c into the directory named.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "gpu_model.h"
#include "sample_bundle.h"

static void write_file(FILE *out, const unsigned char *bytes, size_t size)
{
	uint32_t length = (uint32_t)size;

	CHECK(fwrite(&length, sizeof(length), 1, out) == 1);
	CHECK(fwrite(bytes, 1, size, out) == size);
}

/* Without the places that were never written: a ring cut short is a good one to start from. */
static size_t written_size(const struct bundle_builder *builder, uint32_t slot)
{
	uint64_t n = builder->ring_rows[slot] < builder->ring_capacity ? builder->ring_rows[slot]
								       : builder->ring_capacity;

	return sizeof(struct file_header) + (size_t)n * sizeof(struct journal_record);
}

static void write_seed(const struct bundle_builder *builder, const char *directory,
		       const char *name)
{
	char path[4096];
	FILE *out;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	out = fopen(path, "wb");
	CHECK(out);
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (builder->tables[kind].bytes)
			write_file(out, builder->tables[kind].bytes, builder->tables[kind].size);
	}
	for (uint32_t slot = 0; slot < builder->n_rings; slot++)
		write_file(out, builder->rings[slot].bytes, written_size(builder, slot));
	CHECK(fclose(out) == 0);
}

static void write_samples(const char *directory)
{
	const enum record_flags markers[] = {0, RECORD_MARKED_SIDE, RECORD_MARKED_INLINE};

	for (uint32_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		struct verdict_case *c = sample_bundle(markers[i]);
		char name[32];

		(void)snprintf(name, sizeof(name), "sample-%u", i);
		write_seed(&c->builder, directory, name);
		case_end(c);
	}
}

static void write_stories(const char *directory)
{
	static struct gpu_model model;

	for (uint32_t i = 0; i < 8; i++) {
		const struct model_settings settings = {.seed = i,
							.n_operations = 24,
							.ring_capacity = i & 4 ? 4 : 32,
							.has_inline_markers = i & 1,
							.has_side_markers = i & 2,
							.has_barriers = true,
							.has_overlaps = true};
		char name[32];

		model_run(&model, &settings);
		(void)snprintf(name, sizeof(name), "story-%u", i);
		write_seed(&model.builder, directory, name);
		builder_end(&model.builder);
	}
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	write_samples(argv[1]);
	write_stories(argv[1]);
	return 0;
}
