/*
 * test_gpu_coredump.c - each sample dump says what its row in fixtures/coredumps/README.md says.
 * Argument: the folder with the samples, unpacked.
 */
#include <errno.h>

#include "coredump/gpu_coredump.h"
#include "coredump/gpu_exceptions.h"
#include "support/check.h"

struct sample {
	struct gpu_coredump dump;
	struct gpu_fault fault;
	void *bytes;
	size_t size;
};

static const char *folder;

static void read_file(const char *name, struct sample *sample)
{
	char path[4096];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	CHECK(file);
	CHECK(fseek(file, 0, SEEK_END) == 0);
	sample->size = (size_t)ftell(file);
	rewind(file);
	sample->bytes = malloc(sample->size);
	CHECK(sample->bytes && fread(sample->bytes, 1, sample->size, file) == sample->size);
	(void)fclose(file);
}

static struct sample open_sample(const char *name)
{
	struct sample sample;
	read_file(name, &sample);
	CHECK_EQUAL(gpu_coredump_open(&sample.dump, sample.bytes, sample.size), 0);
	gpu_fault_read(&sample.dump, &sample.fault);
	CHECK(!sample.fault.is_partial);
	return sample;
}

static void close_sample(struct sample *sample)
{
	free(sample->bytes);
}

static void check_three(const uint32_t got[3], uint32_t x, uint32_t y, uint32_t z)
{
	CHECK_EQUAL(got[0], x);
	CHECK_EQUAL(got[1], y);
	CHECK_EQUAL(got[2], z);
}

/* The one grid that faulted. */
static const struct gpu_fault_grid *only_grid(const struct gpu_fault *fault, const char *kernel,
					      uint64_t id, uint32_t n_blocks, uint32_t n_threads)
{
	CHECK_EQUAL(fault->n_grids, 1);
	CHECK_EQUAL(fault->n_locations, 0);
	CHECK_STRING(fault->grids[0].kernel, kernel);
	CHECK_EQUAL(fault->grids[0].grid.id, id);
	CHECK_EQUAL(fault->grids[0].grid.parent, 0);
	check_three(fault->grids[0].grid.grid, n_blocks, 1, 1);
	check_three(fault->grids[0].grid.block, n_threads, 1, 1);
	return &fault->grids[0];
}

static void check_place(const struct gpu_location *location, const char *file, uint32_t line,
			uint32_t block, uint32_t thread)
{
	CHECK(location->has_thread);
	check_three(location->block, block, 0, 0);
	check_three(location->thread, thread, 0, 0);
	CHECK_STRING(location->code.line.file, file);
	CHECK_EQUAL(location->code.line.line, line);
	CHECK(location->code.is_kernel);
}

static void test_load(void)
{
	struct sample sample = open_sample("load.cudacore");
	const struct gpu_fault *fault = &sample.fault;
	const struct gpu_fault_grid *entry = only_grid(fault, "_Z8bad_loadPKfPfi", 7, 8, 128);
	struct byte_span parameters = entry->grid.parameters;
	check_place(&entry->location, "core2.cu", 12, 0, 0);
	CHECK_STRING(entry->location.code.line.directory, "/home/u/src/faults");
	CHECK_STRING(entry->location.code.function, "_Z8bad_loadPKfPfi");
	CHECK_EQUAL(entry->location.exception, GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS);
	CHECK_EQUAL(entry->location.pc, 0x7fa9377a1620);
	CHECK_EQUAL(entry->grid.function, 0x55b8c9dbdd20);
	CHECK_EQUAL(entry->grid.context, 0x55b8c8f6af70);
	CHECK_EQUAL(entry->grid.module, 0x55b8c9d98980);
	CHECK_EQUAL(parameters.size, 20);
	CHECK_EQUAL(span_u64(parameters, 0), 0x7fa934800000);
	CHECK_EQUAL(span_u64(parameters, 8), 0x7fa934900000);
	CHECK_EQUAL(span_u32(parameters, 16), 100000);
	CHECK(gpu_fault_proves(fault, 700) && gpu_fault_fits(fault, 700));
	CHECK(!gpu_fault_proves(fault, 716) && !gpu_fault_fits(fault, 716));
	close_sample(&sample);
}

/* The warp had exited: grid and block are unknown, but the code is known. */
static void test_warp_exited(void)
{
	struct sample sample = open_sample("store_warp_exited.cudacore");
	const struct gpu_fault *fault = &sample.fault;
	CHECK_EQUAL(fault->n_grids, 0);
	CHECK_EQUAL(fault->n_locations, 1);
	CHECK_STRING(fault->locations[0].code.function, "_Z9bad_storePii");
	CHECK(fault->locations[0].code.is_kernel);
	CHECK_STRING(fault->locations[0].code.line.file, "coredump.cu");
	CHECK_EQUAL(fault->locations[0].code.line.line, 11);
	CHECK_EQUAL(fault->locations[0].pc, 0x7f469b7a1490);
	CHECK(!fault->locations[0].has_thread);
	CHECK(gpu_fault_fits(fault, 700));
	close_sample(&sample);
}

static void test_misaligned(void)
{
	struct sample sample = open_sample("misaligned.cudacore");
	const struct gpu_fault_grid *entry =
		only_grid(&sample.fault, "_Z14bad_misalignedPc", 7, 1, 64);
	CHECK_EQUAL(entry->location.exception, GPU_EXCEPTION_WARP_MISALIGNED);
	check_place(&entry->location, "core2.cu", 14, 0, 0);
	CHECK(gpu_fault_proves(&sample.fault, 716));
	CHECK(!gpu_fault_fits(&sample.fault, 700));
	close_sample(&sample);
}

/* The driver reports it as 719. */
static void test_assert(void)
{
	struct sample sample = open_sample("assert.cudacore");
	const struct gpu_fault_grid *entry = only_grid(&sample.fault, "_Z10bad_asserti", 7, 4, 64);
	CHECK_EQUAL(entry->location.exception, GPU_EXCEPTION_WARP_ASSERT);
	check_place(&entry->location, "core2.cu", 13, 1, 36);
	CHECK_EQUAL(entry->grid.parameters.size, 4);
	CHECK_EQUAL(span_u32(entry->grid.parameters, 0), 100);
	CHECK(gpu_fault_proves(&sample.fault, 710) && gpu_fault_proves(&sample.fault, 719));
	CHECK(!gpu_fault_fits(&sample.fault, 700));
	close_sample(&sample);
}

static void test_trap(void)
{
	struct sample sample = open_sample("trap.cudacore");
	const struct gpu_fault_grid *entry = only_grid(&sample.fault, "_Z8bad_trapv", 7, 3, 64);
	CHECK_EQUAL(sample.fault.exceptions, 0);
	CHECK(sample.fault.has_trap);
	check_place(&entry->location, "core2.cu", 15, 0, 7);
	CHECK_EQUAL(entry->grid.parameters.size, 0);
	CHECK(gpu_fault_proves(&sample.fault, 719) && !gpu_fault_fits(&sample.fault, 700));
	close_sample(&sample);
}

static void test_load_in_graph(void)
{
	struct sample sample = open_sample("load_in_graph.cudacore");
	const struct gpu_fault_grid *entry =
		only_grid(&sample.fault, "_Z8bad_loadPKfPfi", 22, 8, 128);
	check_place(&entry->location, "facts.cu", 12, 0, 0);
	CHECK(gpu_fault_proves(&sample.fault, 700));
	close_sample(&sample);
}

static void test_triton(void)
{
	struct sample sample = open_sample("triton_store.cudacore");
	const struct gpu_fault_grid *entry = only_grid(&sample.fault, "scatter_oob", 68, 16, 128);
	check_place(&entry->location, "tri_oob.py", 5, 8, 0);
	CHECK_EQUAL(entry->location.pc, 0x7fc99f7a37f0);
	CHECK(gpu_fault_proves(&sample.fault, 700));
	close_sample(&sample);
}

/* A user asked for the dump: the kernel is running, and nothing faulted. */
static void test_hang(void)
{
	struct sample sample = open_sample("hang_user_triggered.cudacore");
	struct gpu_cursor cursor = {0, 0};
	CHECK(!gpu_fault_is_any(&sample.fault));
	CHECK(!gpu_fault_proves(&sample.fault, 719));
	struct gpu_row row;
	CHECK(gpu_next(&sample.dump, GPU_TABLE_GRID, &cursor, &row));
	struct gpu_grid grid;
	gpu_read_grid(&sample.dump, &row, &grid);
	CHECK_EQUAL(grid.id, 1);
	check_three(grid.grid, 2, 1, 1);
	check_three(grid.block, 32, 1, 1);
	struct gpu_code code;
	CHECK(gpu_code_at(&sample.dump, grid.entry, &code));
	CHECK_STRING(code.function, "_Z4hangPVi");
	CHECK_STRING(code.line.file, "hang.cu");
	CHECK_EQUAL(code.line.line, 9);
	CHECK(!gpu_next(&sample.dump, GPU_TABLE_GRID, &cursor, &row));
	close_sample(&sample);
}

/* The code of the dump's kernel begins at its entry, and ends where its section ends. */
static void test_code_ends(void)
{
	struct sample sample = open_sample("load.cudacore");
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	CHECK(gpu_next(&sample.dump, GPU_TABLE_GRID, &cursor, &row));
	struct gpu_grid grid;
	gpu_read_grid(&sample.dump, &row, &grid);
	struct gpu_code code;
	uint64_t end = grid.entry;
	while (gpu_code_at(&sample.dump, end, &code) && !strcmp(code.function, "_Z8bad_loadPKfPfi"))
		end++;
	CHECK_EQUAL(end - grid.entry, 2432);
	CHECK(!gpu_code_at(&sample.dump, end, &code));
	CHECK(!gpu_code_at(&sample.dump, grid.entry - 1, &code));
	close_sample(&sample);
}

static void test_facts(void)
{
	struct sample sample = open_sample("load.cudacore");
	struct gpu_cursor cursor = {0, 0};
	struct gpu_meta meta;
	CHECK(gpu_read_meta(&sample.dump, &meta));
	CHECK_EQUAL(meta.driver[0], 580);
	CHECK_EQUAL(meta.driver[1], 159);
	CHECK_EQUAL(meta.cuda[0], 13);
	CHECK(meta.time != 0);
	struct gpu_row row;
	CHECK(gpu_next(&sample.dump, GPU_TABLE_DEVICE, &cursor, &row));
	struct gpu_device device;
	gpu_read_device(&sample.dump, &row, &device);
	CHECK_STRING(device.name, "NVIDIA H200");
	CHECK_STRING(device.sm_type, "sm_90");
	CHECK_EQUAL(device.n_sms, 132);
	cursor = (struct gpu_cursor){0, 0};
	CHECK(gpu_next(&sample.dump, GPU_TABLE_CONTEXT, &cursor, &row));
	struct gpu_context context;
	gpu_read_context(&row, &context);
	CHECK_EQUAL(context.handle, 0x55b8c8f6af70);
	close_sample(&sample);
}

/* Cut anywhere, a file never crashes the reader and never says more than the whole file does. */
static void test_cut(void)
{
	struct sample sample = open_sample("trap.cudacore");
	struct gpu_fault fault;
	struct gpu_coredump dump;
	for (size_t size = 0; size < sample.size; size += 997) {
		void *part = malloc(size ? size : 1);
		CHECK(part);
		memcpy(part, sample.bytes, size);
		int result = gpu_coredump_open(&dump, part, size);
		CHECK(result == (size < 64 ? -EBADMSG : -ENODATA));
		if (result == -ENODATA)
			gpu_fault_read(&dump, &fault);
		free(part);
	}
	close_sample(&sample);
}

/*
 * A file that is still being written: the section table, and the field that locates it, come last.
 */
static void test_unfinished(void)
{
	struct sample sample = open_sample("trap.cudacore");
	Elf64_Ehdr header;
	memcpy(&header, sample.bytes, sizeof(header));
	CHECK(elf_sections_are_whole(&header, NULL, sample.size));
	CHECK(!elf_sections_are_whole(&header, NULL, sample.size - 1));
	header.e_shoff = 0;
	CHECK(!elf_sections_are_whole(&header, NULL, sample.size));
	memcpy(sample.bytes, &header, sizeof(header));
	struct gpu_coredump dump;
	CHECK_EQUAL(gpu_coredump_open(&dump, sample.bytes, sample.size), -ENODATA);
	close_sample(&sample);
}

/* More sections than the header can count: their number is in the first one. */
static void test_many_sections(void)
{
	struct sample sample = open_sample("trap.cudacore");
	unsigned char *bytes = sample.bytes;
	uint64_t n = sample.dump.sections.n;
	Elf64_Ehdr header;
	memcpy(&header, bytes, sizeof(header));
	Elf64_Shdr first;
	memcpy(&first, bytes + header.e_shoff, sizeof(first));
	header.e_shnum = 0;
	first.sh_size = n;
	CHECK(elf_sections_are_whole(&header, &first, sample.size));
	CHECK(!elf_sections_are_whole(&header, NULL, sample.size));
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + header.e_shoff, &first, sizeof(first));
	struct gpu_coredump dump;
	CHECK_EQUAL(gpu_coredump_open(&dump, bytes, sample.size), 0);
	CHECK_EQUAL(dump.sections.n, n);
	first.sh_size = n + 1;
	CHECK(!elf_sections_are_whole(&header, &first, sample.size));
	close_sample(&sample);
}

/* Two sections that are the same bytes: an attack on the reader's time. */
static void test_overlaps(void)
{
	struct sample sample = open_sample("trap.cudacore");
	unsigned char *bytes = sample.bytes;
	uint64_t table = span_u64(sample.dump.sections.file, 40); /* e_shoff */
	struct gpu_coredump dump;
	for (uint64_t i = 1; i <= 2; i++) {
		memset(bytes + table + i * 64 + 24, 0, 8);            /* sh_offset */
		memcpy(bytes + table + i * 64 + 32, &sample.size, 8); /* sh_size */
	}
	CHECK_EQUAL(gpu_coredump_open(&dump, bytes, sample.size), -EBADMSG);
	close_sample(&sample);
}

static void test_other_files(void)
{
	struct sample sample = open_sample("trap.cudacore");
	unsigned char *bytes = sample.bytes;
	bytes[16] = 2; /* e_type: a program */
	struct gpu_coredump dump;
	CHECK_EQUAL(gpu_coredump_open(&dump, bytes, sample.size), -EBADMSG);
	bytes[16] = 4;
	bytes[18] = 62; /* e_machine: a core of the host */
	CHECK_EQUAL(gpu_coredump_open(&dump, bytes, sample.size), -EBADMSG);
	CHECK_EQUAL(gpu_coredump_open(&dump, "", 0), -EBADMSG);
	close_sample(&sample);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	folder = argv[1];
	test_load();
	test_warp_exited();
	test_misaligned();
	test_assert();
	test_trap();
	test_load_in_graph();
	test_triton();
	test_hang();
	test_code_ends();
	test_facts();
	test_cut();
	test_unfinished();
	test_many_sections();
	test_overlaps();
	test_other_files();
	return 0;
}
