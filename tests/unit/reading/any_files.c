/*
 * any_files.c - files of a bundle. meta.json lacks members and has odd ones, files are damaged, and
 * most bundles have only some of the files that a reader knows.
 */
#include "reading/any_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bundle_names.h"
#include "reading/any_host.h"
#include "support/check.h"

enum { PATH_SIZE = 512, START_NS = 1000, N_COUNTERS = 17 };

static FILE *open_file(const char *directory, const char *name)
{
	char path[PATH_SIZE];
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *file = fopen(path, "w");
	CHECK(file);
	return file;
}

static void write_bytes(const char *directory, const char *name, const void *bytes, size_t size)
{
	FILE *file = open_file(directory, name);
	CHECK(fwrite(bytes, 1, size, file) == size);
	CHECK(!fclose(file));
}

static void write_text(const char *directory, const char *name, const char *text)
{
	write_bytes(directory, name, text, strlen(text));
}

/* --- The journal --- */

/* Cut the file, or break its header. */
static void break_file(struct any_bundle *any, struct builder_file *file)
{
	uint32_t what = any_pick(any, 6);
	if (what == 0)
		file->size = any_pick(any, (uint32_t)file->size);
	else if (what == 1)
		file->bytes[any_pick(any, sizeof(struct file_header))] ^= 1;
	else if (what == 2)
		file->size = 0;
}

static void write_journal(struct any_bundle *any, const char *directory)
{
	struct bundle_builder *builder = &any->builder;
	bool is_damaged = any_chance(any, 10);
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++) {
		struct builder_file file = builder->tables[kind];
		if (file.bytes && is_damaged && any_chance(any, 15))
			break_file(any, &file);
		if (file.bytes && !(is_damaged && any_chance(any, 5)))
			write_bytes(directory, journal_file_names[kind], file.bytes, file.size);
	}
	for (uint32_t slot = 0; slot < builder->n_rings; slot++) {
		char name[32];
		(void)snprintf(name, sizeof(name), BUNDLE_RING_PREFIX "%u", (unsigned)slot);
		write_bytes(directory, name, builder->rings[slot].bytes, builder->rings[slot].size);
	}
}

/* --- meta.json --- */

__attribute__((format(printf, 4, 5))) static void member(struct any_bundle *any, FILE *meta,
							 uint32_t percent, const char *format, ...)
{
	if (!any_chance(any, percent))
		return;
	va_list arguments;
	va_start(arguments, format);
	CHECK(fputs(",\n ", meta) >= 0);
	CHECK(vfprintf(meta, format, arguments) > 0);
	va_end(arguments);
}

static void write_ranks(struct any_bundle *any, FILE *meta, uint32_t rank, uint32_t what)
{
	static const char *const sizes[] = {"4", "4", "4", "2"};
	if (any_chance(any, 15))
		what = any_pick(any, 10);
	if (what < 5)
		member(any, meta, 100,
		       "\"ranks\": {\"RANK\": \"%u\", \"LOCAL_RANK\": \"%u\", \"WORLD_SIZE\": "
		       "\"%s\", "
		       "\"TORCHELASTIC_RUN_ID\": \"job\", \"TORCHELASTIC_RESTART_COUNT\": \"0\"}",
		       rank, rank % 2, ANY_OF(any, sizes));
	else if (what < 7)
		member(any, meta, 100,
		       "\"ranks\": {\"SLURM_PROCID\": \"%u\", \"SLURM_NTASKS\": \"%s\", "
		       "\"SLURM_JOB_ID\": \"77\"}",
		       rank, ANY_OF(any, sizes));
	else if (what == 7)
		member(any, meta, 100, "\"ranks\": {\"PMI_RANK\": \"%u\", \"PMI_SIZE\": \"x\"}",
		       rank);
}

static void write_end(struct any_bundle *any, FILE *meta)
{
	static const char *const ends[] = {"\"signal\": 6", "\"signal\": 9", "\"signal\": 64",
					   "\"status\": 1", "\"status\": 0", "\"status\": 3"};
	static const char *const journals[] = {"whole", "whole", "whole",
					       "whole", "whole", "lost: No space left"};
	member(any, meta, 60, "\"end\": {%s, \"time\": \"2001-09-09T01:46:4%u.5Z\"}",
	       ANY_OF(any, ends), 2);
	member(any, meta, 70, "\"files\": [\"strings\", \"streams\", \"%s\"]",
	       any_chance(any, 90) ? "ring-0" : "gone");
	member(any, meta, 70, "\"journal\": \"%s\"", ANY_OF(any, journals));
}

static void write_meta(struct any_bundle *any, const char *directory, uint32_t rank, uint32_t job)
{
	static const char *const programs[] = {"train", "python3.12", "a \\u001b[1m\\\" b", "",
					       "a:b,c%d"};
	static const char *const hosts[] = {"node7", "node7", "node8", "<b>\\u0007"};
	static const char *const commands[] = {"\"python\", \"train.py\", \"--lr\", \"it's 3\"",
					       "\"./train\"", "", "\"a\\nb\", 3"};
	static const int drivers[] = {12040, 13000, 11000, -1, 999000};
	FILE *meta = open_file(directory, BUNDLE_META_NAME);
	CHECK(fprintf(meta, "{\"culprit\": \"%s\", \"format\": %d", CULPRIT_VERSION,
		      BUNDLE_FORMAT) > 0);
	member(any, meta, 95, "\"program\": \"%s\"", ANY_OF(any, programs));
	member(any, meta, 80, "\"command\": [%s]", ANY_OF(any, commands));
	member(any, meta, 90, "\"directory\": \"%s\"",
	       any_chance(any, 90) ? "/home/ann/project" : "");
	member(any, meta, 95, "\"pid\": %u", 1234 + rank);
	member(any, meta, 60, "\"parent_pid\": 1200, \"parent\": \"bash\"");
	write_ranks(any, meta, rank, job % 10);
	member(any, meta, 80, "\"run\": \"%s\"", any_chance(any, 80) ? "1000.7.ab" : "");
	member(any, meta, 90, "\"start_time\": \"2001-09-09T01:46:40Z\"");
	member(any, meta, 95, "\"monotonic_ns\": %d", START_NS);
	member(any, meta, 95, "\"realtime_ns\": 100000000%u000000000", any_pick(any, 4));
	member(any, meta, 85, "\"hostname\": \"%s\"", ANY_OF(any, hosts));
	member(any, meta, 80, "\"driver_version\": %d", ANY_OF(any, drivers));
	member(any, meta, 80, "\"devices\": [\"GPU\", \"NVIDIA H100 80GB HBM3\"]");
	member(any, meta, 80, "\"device_uuids\": [\"0a1b\", \"2c3d\", \"\"]");
	member(any, meta, 70,
	       "\"settings\": {\"CULPRIT_NO_ARGS\": \"%u\", \"CULPRIT_MARKERS\": "
	       "\"side\"}",
	       any_pick(any, 4) == 0);
	member(any, meta, 80, "\"stack_source\": \"own\", \"python\": \"CPython 3.12\"");
	member(any, meta, 60,
	       "\"coredumps\": \"on\", \"memory\": \"/dev/shm/x\", \"progress\": "
	       "\"words\", \"fault\": \"known\"");
	write_end(any, meta);
	CHECK(fputs("\n}\n", meta) >= 0);
	CHECK(!fclose(meta));
}

/* --- The other files --- */

static void write_reading(struct any_bundle *any, FILE *file, const char *name, uint64_t ns)
{
	static const char *const words[N_COUNTERS] = {"ecc_corrected",
						      "ecc_uncorrected",
						      "rows_remapped_corrected",
						      "rows_remapped_uncorrected",
						      "rows_pending",
						      "rows_failed",
						      "pages_retired",
						      "pages_pending",
						      "nvlink_crc_flit",
						      "nvlink_crc_data",
						      "nvlink_replay",
						      "nvlink_recovery",
						      "clock_reasons",
						      "clock_sm_mhz",
						      "clock_sm_max_mhz",
						      "clock_memory_mhz",
						      "recovery_action"};
	CHECK(fprintf(file, ", \"%s\": {\"ns\": %u", name, (unsigned)ns) > 0);
	for (int i = 0; i < N_COUNTERS; i++) {
		uint32_t value = any_chance(any, 85) ? 0 : any_pick(any, 2000);
		if (any_chance(any, 90))
			CHECK(fprintf(file, ", \"%s\": %u", words[i], value) > 0);
		else
			CHECK(fprintf(file, ", \"%s\": \"not_supported\"", words[i]) > 0);
	}
	CHECK(fputs("}", file) >= 0);
}

static void write_hardware(struct any_bundle *any, const char *directory)
{
	static const int xids[] = {94, 31, 13, 79, 48, 63};
	FILE *file = open_file(directory, BUNDLE_HARDWARE_NAME);
	CHECK(fputs("{\"format\": 1, \"driver\": \"580.65.06\", \"watched_ns\": 1000, "
		    "\"watch_ended_ns\": null, \"gpus\": [",
		    file) >= 0);
	for (uint32_t i = 0; i < 2; i++) {
		CHECK(fprintf(file,
			      "%s{\"index\": %u, \"uuid\": \"%s\", \"pci\": \"00000000:1B:00.0\", "
			      "\"name\": \"NVIDIA H100\", \"mig\": null, \"events\": \"%s\", "
			      "\"event_kinds\": [\"xid\"]",
			      i ? ", " : "", i + 3, i ? "2c3d" : "0a1b",
			      any_chance(any, 70) ? "known" : "no_permission") > 0);
		write_reading(any, file, "before", 1500);
		write_reading(any, file, "after", 9000000);
		CHECK(fputs("}", file) >= 0);
	}
	CHECK(fputs("], \"events\": [", file) >= 0);
	uint32_t n = any_pick(any, 3);
	for (uint32_t i = 0; i < n; i++) {
		int xid = ANY_OF(any, xids);
		uint32_t gpu = 3 + any_pick(any, 2);
		CHECK(fprintf(file,
			      "%s{\"kind\": \"xid\", \"xid\": %d, \"gpu\": %u, \"instance\": null, "
			      "\"ns\": %u}",
			      i ? ", " : "", xid, gpu, 1000 * any_pick(any, 200)) > 0);
	}
	CHECK(fprintf(file, "], \"events_lost\": %u}\n", any_pick(any, 8) / 7) > 0);
	CHECK(!fclose(file));
}

static void write_finding(struct any_bundle *any, const char *directory)
{
	static const char *const kinds[] = {"hang", "refusal", "unfinished"};
	static const char *const states[] = {"runs",      "may_run", "event", "legacy",
					     "host_func", "value",   "queue"};
	const char *kind = ANY_OF(any, kinds);
	FILE *file = open_file(directory, BUNDLE_FINDING_NAME);
	CHECK(fprintf(file, "{\"format\": 1, \"kind\": \"%s\", \"verdict\": \"%s\"", kind,
		      any_chance(any, 50) ? "exact" : "likely") > 0);
	CHECK(fputs(", \"ns\": 61000000000, \"fingerprint\": \"ab12\", \"streams\": [", file) >= 0);
	uint32_t n = 1 + any_pick(any, 3);
	for (uint32_t i = 0; i < n; i++) {
		const char *state = ANY_OF(any, states);
		CHECK(fprintf(file, "%s{\"submission\": %u, \"state\": \"%s\", \"proven\": %s, ",
			      i ? ", " : "", 1 + any_pick(any, 6), state,
			      i % 2 ? "true" : "false") > 0);
		CHECK(fprintf(file, "\"source\": %s}", any_chance(any, 40) ? "2" : "null") > 0);
	}
	CHECK(fputs("]}\n", file) >= 0);
	CHECK(!fclose(file));
}

static void write_blocks(struct any_bundle *any, const char *directory)
{
	static const char *const states[] = {"in_use", "awaited", "free", "gone"};
	FILE *file = open_file(directory, BUNDLE_BLOCKS_NAME);
	CHECK(fputs("{\"blocks\": [", file) >= 0);
	for (uint32_t i = 0; i < 12; i++) {
		const char *state = ANY_OF(any, states);
		uint64_t start =
			ANY_MEMORY + i % 4 * ANY_AREA + 0x400 * (uint64_t)any_pick(any, 12);
		CHECK(fprintf(file, "%s{\"start\": \"0x%llx\", \"size\": %u, \"state\": \"%s\"",
			      i ? ", " : "", (unsigned long long)start,
			      512 * (1 + any_pick(any, 9)), state) > 0);
		if (any_chance(any, 70))
			CHECK(fputs(", \"allocated\": [{\"file\": \"/home/ann/project/train.py\", "
				    "\"function\": \"f\", \"line\": 12}, {\"file\": \"\"}]",
				    file) >= 0);
		CHECK(fprintf(file, ", \"freed\": [{\"file\": \"/tmp/x.py\", \"line\": %u}]}",
			      any_pick(any, 3)) > 0);
	}
	CHECK(fputs("]}\n", file) >= 0);
	CHECK(!fclose(file));
}

/* Copy a core dump, or a part of it. */
static void copy_dump(uint32_t number, uint32_t percent, const char *to, const char *dumps)
{
	static const char *const names[] = {"load",       "load_in_graph",    "assert",
					    "trap",       "inlined",          "hang_user_triggered",
					    "misaligned", "store_warp_exited"};
	static char bytes[1 << 20];
	char path[PATH_SIZE];
	(void)snprintf(path, sizeof(path), "%s/%s.cudacore", dumps,
		       names[number % (sizeof(names) / sizeof(*names))]);
	FILE *file = fopen(path, "r");
	CHECK(file);
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	CHECK(size && !fclose(file));
	file = fopen(to, "w");
	CHECK(file && fwrite(bytes, 1, size * percent / 100, file) == size * percent / 100);
	CHECK(!fclose(file));
}

void any_dump_write(uint64_t number, const char *path, const char *dumps)
{
	copy_dump((uint32_t)number, number % 5 == 4 ? 70 : 100, path, dumps);
}

static void write_dump(struct any_bundle *any, const char *directory, bool is_load,
		       const char *dumps)
{
	char path[PATH_SIZE];
	uint32_t number = is_load ? 0 : any_pick(any, 8);
	(void)snprintf(path, sizeof(path), "%s/" BUNDLE_COREDUMP_NAME, directory);
	copy_dump(number, any_chance(any, 15) ? any_pick(any, 100) : 100, path, dumps);
}

void any_files_write(struct any_bundle *any, const char *directory, uint32_t rank, uint32_t job,
		     bool is_load, const char *dumps)
{
	static const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
	CHECK(!mkdir(directory, 0700));
	write_journal(any, directory);
	if (any_chance(any, 97))
		write_meta(any, directory, rank, job);
	if (any_chance(any, 30))
		write_hardware(any, directory);
	if (!any->has_failure && any_chance(any, 65))
		write_finding(any, directory);
	if (any_chance(any, 20))
		write_blocks(any, directory);
	if (any_chance(any, 12))
		write_text(directory, BUNDLE_VERDICT_NAME,
			   "culprit: CUDA_ERROR_ILLEGAL_ADDRESS \xe2\x80\x94 exact: scatter\n"
			   "  launched from  train.cu:12 \x1b[2J\n");
	if (is_load || any_chance(any, 6))
		write_dump(any, directory, is_load, dumps);
	CHECK(!utimensat(AT_FDCWD, directory, times, 0));
}
