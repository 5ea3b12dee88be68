/* write_seeds.c - write synthetic bundles as inputs of fuzz_bundle.c into the directory named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/gpu_model.h"
#include "support/check.h"
#include "support/python_builder.h"
#include "support/sample_bundle.h"

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

static FILE *open_seed(const char *directory, const char *name)
{
	char path[4096];
	FILE *out;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	out = fopen(path, "wb");
	CHECK(out);
	return out;
}

static void write_journal(const struct bundle_builder *builder, FILE *out)
{
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (builder->tables[kind].size)
			write_file(out, builder->tables[kind].bytes, builder->tables[kind].size);
	}
	for (uint32_t slot = 0; slot < builder->n_rings; slot++)
		write_file(out, builder->rings[slot].bytes, written_size(builder, slot));
}

static void write_seed(const struct bundle_builder *builder, const char *directory,
		       const char *name)
{
	FILE *out = open_seed(directory, name);

	write_journal(builder, out);
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

/* Write Python's rows: each format of line tables, and rows that no recorder writes. */
static void write_python(const char *directory)
{
	const struct {
		const char *name;
		uint16_t version;
		uint32_t parent; /* of the innermost frame; 0: as it is */
		uint32_t lines_size;
	} seeds[] = {
		{"python-3.9", 0x309, 0, 2},      {"python-3.10", 0x30a, 0, 2},
		{"python-3.13", 0x30d, 0, 2},     {"python-cycle", 0x309, 18, 2},
		{"python-orphan", 0x309, 999, 2}, {"python-cut", 0x30d, 0, 4096},
	};

	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		struct verdict_case *c = sample_python_bundle(0, "/tmp/torchinductor_me/ab/c.py");
		struct python_code_row *code = builder_python_code_row(&c->builder);
		struct python_frame_row *frame = builder_python_frame_row(&c->builder);

		code->version = seeds[i].version;
		code->lines_size = seeds[i].lines_size;
		if (seeds[i].parent != 0)
			frame->parent = seeds[i].parent;
		write_seed(&c->builder, directory, seeds[i].name);
		case_end(c);
	}
}

/* The arguments of the first launch become the ranges in which all were made. */
static void write_ranges(const char *directory)
{
	struct verdict_case *c = sample_bundle(0);
	struct journal_record *rows =
		(void *)(c->builder.rings[0].bytes + sizeof(struct file_header));
	uint8_t n_ranges = 0;

	for (uint64_t i = 0; i < c->builder.ring_rows[0]; i++) {
		if (rows[i].kind == RECORD_SUBMISSION) {
			rows[i].flags |= RECORD_IN_RANGES;
		} else if (rows[i].kind == RECORD_ARGUMENTS && n_ranges < N_NVTX_SCOPES) {
			rows[i].kind = RECORD_NVTX;
			rows[i].nvtx = (struct record_nvtx){.scope = n_ranges++,
							    .n_open = {1, 1},
							    .text_size = 5,
							    .text = "range"};
		}
	}
	CHECK_EQUAL(n_ranges, N_NVTX_SCOPES);
	write_seed(&c->builder, directory, "ranges");
	case_end(c);
}

/* A launch makes a NaN, a graph passes it on, and the next launch has not finished. */
static void write_checks(const char *directory)
{
	const struct check_result clean = {.n = 16, .type = CHECK_F32};
	const struct check_result odd = {
		.n = 16, .n_nan = 1, .type = CHECK_F32, .run = 1, .checksum = 1};
	struct verdict_case *c = sample_bundle(0);
	uint32_t id = 0;
	struct check_row *rows = builder_rows(&c->builder, JOURNAL_CHECKS, 2, &id);
	struct graph_check_row *nodes = builder_rows(&c->builder, JOURNAL_GRAPH_CHECKS, 2, &id);

	for (uint32_t i = 0; i < 2; i++) {
		rows[i] = (struct check_row){.sequence = 9 + i,
					     .address = 0x1000,
					     .bytes = 64,
					     .n_rows = 1,
					     .function = 1,
					     .stack = 1,
					     .flags = i ? 0 : CHECK_ROW_HAS_AFTER,
					     .before = i ? odd : clean,
					     .after = odd};
		nodes[i] = (struct graph_check_row){.kind = GRAPH_CHECK_ODD + i,
						    .n_rows = 1,
						    .replay = 1,
						    .address = 0x1000,
						    .bytes = 64,
						    .function = 1,
						    .stack = 1,
						    .before = odd};
	}
	write_seed(&c->builder, directory, "checks");
	case_end(c);
}

/* Text that acts as markup or as a terminal command unless it is made harmless. */
#define MARKUP "</title><script>alert(1)</script>\"'--><img src=x onerror=a()>\033]0;x\007\r\xff"

static void write_meta(FILE *out, const char *rank)
{
	char meta[1024];
	int length =
		snprintf(meta, sizeof(meta),
			 "{\"culprit\": \"1\", \"format\": 1, \"program\": "
			 "\"</title><script>\\u001b[2J\\\"\",\n"
			 " \"pid\": 1234, \"parent_pid\": 1200, \"parent\": \"<img>\\u0007\",\n"
			 " \"hostname\": \"node<script>\\u202e\", \"monotonic_ns\": 1000,\n"
			 " \"realtime_ns\": 1000000000000000000, \"directory\": \"/home/user\",\n"
			 " \"ranks\": {\"RANK\": \"%s\", \"LOCAL_RANK\": \"\\u001b\", "
			 "\"WORLD_SIZE\": \"2\",\n"
			 " \"TORCHELASTIC_RUN_ID\": \"<script>\"}, \"end\": {\"signal\": 6}}\n",
			 rank);

	write_file(out, (unsigned char *)meta, (size_t)length);
}

/* Write two ranks of a job, in which everything with a name has a hostile one. */
static void write_job(const char *directory, const char *name, const char *told)
{
	struct verdict_case *c = sample_python_bundle(0, "/tmp/" MARKUP "/c.py");
	const uint32_t sizes[] = {8, 8, 8};
	uint32_t function = builder_function(&c->builder, MARKUP, 3, sizes);
	uint32_t call = builder_string(&c->builder, MARKUP);
	FILE *out = open_seed(directory, name);

	(void)builder_thread(&c->builder, CASE_TID, MARKUP);
	builder_context_row(&c->builder, c->context)->device_name = call;
	for (uint64_t sequence = 1; sequence <= 10; sequence++)
		case_find(c, sequence)->launch.function = function;
	builder_range_row(&c->builder, 2)->freed_call = call;
	write_meta(out, "0");
	write_meta(out, "1");
	if (told)
		write_file(out, (const unsigned char *)told, strlen(told));
	write_journal(&c->builder, out);
	CHECK(fclose(out) == 0);
	case_end(c);
}

static const char hang[] =
	"[{\"format\": 1, \"kind\": \"hang\", \"verdict\": \"exact\", \"ns\": 61000000000,\n"
	" \"streams\": [{\"submission\": 7, \"state\": \"runs\", \"proven\": true, \"source\": "
	"null},\n"
	" {\"submission\": 12, \"state\": \"event\", \"proven\": false, \"source\": 7}]}]\n";
static const char rejection[] = "[{\"format\": 1, \"kind\": \"refusal\", \"fingerprint\": \"\"}]\n";

/* Write a process without a failure, but with a finding. */
static void write_finding(const char *directory, const char *name, const char *finding)
{
	struct verdict_case *c = sample_bundle(0);
	FILE *out = open_seed(directory, name);

	c->builder.tables[JOURNAL_FAILURE].size = 0;
	write_meta(out, "0");
	write_file(out, (const unsigned char *)finding, strlen(finding));
	write_journal(&c->builder, out);
	CHECK(fclose(out) == 0);
	case_end(c);
}

/* Write sizes whose sums overflow every number. */
static void write_sizes(const char *directory)
{
	struct verdict_case *c = sample_bundle(0);

	for (uint32_t i = 0; i < 5000; i++)
		(void)builder_range(&c->builder, 0x700001000000, INT64_MAX / 4096, 0);
	write_seed(&c->builder, directory, "sizes");
	case_end(c);
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
	write_python(argv[1]);
	write_ranges(argv[1]);
	write_checks(argv[1]);
	write_job(argv[1], "job", NULL);
	write_job(argv[1], "job-told", "culprit: " MARKUP " \xe2\x80\x94 exact\n  " MARKUP "\n");
	write_finding(argv[1], "hang", hang);
	write_finding(argv[1], "refusal", rejection);
	write_sizes(argv[1]);
	write_stories(argv[1]);
	return 0;
}
