/*
 * test_image_claims.c - which kernels in files of nvcc are cleared of assertions. A damaged file
 * must not clear more kernels than the intact one, and must not crash the reader.
 *
 * usage: test_image_claims DIRECTORY HOST PLAIN
 *   the output of tests/fixtures/code/make.sh; a file that contains lz4.fatbin; one without code
 */
#include "code/image_claims.h"

#include <stdlib.h>

#include "code/fatbin.h"
#include "coredump/elf_sections.h"
#include "support/check.h"

enum { N_KERNELS = 14, FILE_MAX = 16 << 20 }; /* of a program with a sanitizer */

static const char *directory;
static unsigned char file_bytes[FILE_MAX];
static struct kernel_claim kernels[N_KERNELS];

static struct byte_span read_path(const char *path)
{
	FILE *file = fopen(path, "rb");
	CHECK(file);
	size_t size = fread(file_bytes, 1, sizeof(file_bytes), file);
	CHECK(size > 0 && size < sizeof(file_bytes) && fclose(file) == 0);
	return (struct byte_span){file_bytes, size};
}

static struct byte_span read_file(const char *name)
{
	char path[4096];
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	return read_path(path);
}

static void begin(void)
{
	static const char *const names[N_KERNELS] = {
		"k_",      "k_assert", "k_give",   "k_harmless", "k_helper", "k_make",  "k_missing",
		"k_plain", "k_plain",  "k_plain_", "k_pointer",  "k_printf", "k_table", "k_trap"};
	for (size_t i = 0; i < N_KERNELS; i++) {
		free(kernels[i].size.accesses);
		kernels[i] = (struct kernel_claim){.name = names[i]};
	}
}

/* Claim with a budget of 32 MiB, for a device of this capability. Return the rest of the budget. */
static uint64_t claim_for(struct byte_span image, uint32_t capability)
{
	struct image_reading reading = {.budget = 32u << 20, .capability = capability};
	begin();
	image_claims_add(image, &reading, kernels, N_KERNELS);
	return reading.budget;
}

static uint64_t claim(struct byte_span image)
{
	return claim_for(image, 90);
}

static const struct kernel_claim *kernel(const char *name)
{
	for (size_t i = 0; i < N_KERNELS; i++) {
		if (strcmp(kernels[i].name, name) == 0)
			return &kernels[i];
	}
	return NULL;
}

static bool is_clear(const char *name)
{
	return image_claims_clear(kernel(name));
}

static void check_guilty(void)
{
	CHECK_EQUAL(kernel("k_assert")->claim, ASSERT_POSSIBLE);
	CHECK_EQUAL(kernel("k_helper")->claim, ASSERT_POSSIBLE);
	CHECK(!is_clear("k_pointer"));
	CHECK(!is_clear("k_table"));
	CHECK_EQUAL(kernel("k_missing")->claim, ASSERT_NO_KERNEL);
	CHECK_EQUAL(kernel("k_")->claim, ASSERT_NO_KERNEL);
	CHECK_EQUAL(kernel("k_plain_")->claim, ASSERT_NO_KERNEL);
	CHECK(!is_clear("k_missing"));
}

/* Traps are found in every form of the code. */
static void check_traps(void)
{
	CHECK(kernel("k_trap")->can_trap);
	CHECK(!kernel("k_plain")->can_trap && !kernel("k_harmless")->can_trap);
}

static void check_clean(void)
{
	check_traps();
	CHECK(is_clear("k_plain"));
	CHECK(kernels[7].has_code && kernels[8].has_code); /* both have the same name */
	CHECK(is_clear("k_trap"));
	CHECK(is_clear("k_harmless"));
}

/* Each kernel has copies of the functions it calls, and calls vprintf through a register. */
static void test_whole_program(void)
{
	CHECK(claim(read_file("lz4.fatbin")) < 32u << 20);
	check_guilty();
	check_clean();
	CHECK_EQUAL(kernel("k_printf")->claim, ASSERT_UNKNOWN);
}

/* Code for two architectures, and PTX; the PTX of k_harmless has a call. */
static void test_versions(void)
{
	(void)claim(read_file("zstd.fatbin"));
	check_guilty();
	CHECK(is_clear("k_plain") && is_clear("k_trap"));
	check_traps();
	CHECK_EQUAL(kernel("k_harmless")->claim, ASSERT_UNKNOWN);
}

/*
 * zstd.fatbin has sm_80, sm_90 and PTX for compute_90. The driver may compile the PTX for later
 * devices, and never for earlier ones.
 */
static void test_sizes_beside_ptx(void)
{
	static const uint32_t others[] = {0, 100};
	(void)claim_for(read_file("zstd.fatbin"), 90);
	CHECK(!kernel("k_plain")->is_size_unsure && kernel("k_plain")->size.least > 0);
	(void)claim_for(read_file("zstd.fatbin"), 86);
	CHECK(!kernel("k_plain")->is_size_unsure && kernel("k_plain")->size.least > 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		(void)claim_for(read_file("zstd.fatbin"), others[i]);
		CHECK(kernel("k_plain")->is_size_unsure && is_clear("k_plain"));
		CHECK(!kernel("k_missing")->is_size_unsure);
		(void)claim_for(read_file("lz4.fatbin"), others[i]);
		CHECK(!kernel("k_plain")->is_size_unsure);
		(void)claim_for(read_file("linked.cubin"), others[i]);
		CHECK(!kernel("k_plain")->is_size_unsure);
	}
}

static void test_ptx_alone(void)
{
	(void)claim(read_file("ptx.fatbin"));
	CHECK(kernel("k_plain")->is_size_unsure);
	CHECK_EQUAL(kernel("k_plain")->claim, ASSERT_IMPOSSIBLE);
	CHECK(!is_clear("k_plain")); /* the driver's machine code is unknown */
}

/* Functions in separate sections. */
static void test_debug(void)
{
	(void)claim(read_file("debug.fatbin"));
	check_guilty();
	check_traps();
	CHECK(is_clear("k_plain") && is_clear("k_harmless") && is_clear("k_printf"));
}

static void test_linked(void)
{
	(void)claim(read_file("linked.cubin"));
	check_guilty();
	check_clean();
	CHECK(is_clear("k_printf"));
	CHECK_EQUAL(kernel("k_give")->claim, ASSERT_POSSIBLE);
	CHECK(is_clear("k_make")); /* it takes the address of a function but does not call it */
}

static void test_unlinked(void)
{
	(void)claim(read_file("unlinked.cubin"));
	CHECK_EQUAL(kernel("k_plain")->claim, ASSERT_UNKNOWN);
	CHECK_EQUAL(kernel("k_assert")->claim, ASSERT_UNKNOWN);
}

static void check_nothing_clear(void)
{
	for (size_t i = 0; i < N_KERNELS; i++)
		CHECK(!image_claims_clear(&kernels[i]));
}

static void test_nothing(void)
{
	static const unsigned char text[] = ".version 9.0\n.visible .entry k_plain() { ret; }";
	(void)claim((struct byte_span){text, sizeof(text)});
	check_nothing_clear();
	(void)claim((struct byte_span){text, 0});
	check_nothing_clear();
}

/* Code beyond the budget is not decompressed, so its kernels are unknown. */
static void test_budget(void)
{
	struct byte_span image = read_file("zstd.fatbin");
	struct image_reading reading = {.budget = 50000, .capability = 90};
	begin();
	image_claims_add(image, &reading, kernels, N_KERNELS);
	CHECK_EQUAL(kernel("k_plain")->claim, ASSERT_UNKNOWN);
	CHECK(reading.budget < 50000);
	CHECK(kernel("k_plain")->is_size_unsure);
}

/* In a file cut at any place, only complete parts may clear a kernel. */
static void test_cut(const char *name)
{
	struct byte_span image = read_file(name);
	size_t step = image.size / 97 + 1;
	for (size_t size = 0; size < image.size; size += step) {
		unsigned char *copy = malloc(size + 1); /* exact, so that sanitizers see overruns */
		CHECK(copy);
		memcpy(copy, image.bytes, size);
		(void)claim((struct byte_span){copy, size});
		check_nothing_clear();
		free(copy);
	}
}

/* With any word changed, k_assert must not be cleared unless its name or code was changed. */
static void test_changed(const char *name, uint32_t value)
{
	struct byte_span image = read_file(name);
	unsigned char *copy = malloc(image.size);
	CHECK(copy);
	for (size_t at = 0; at + sizeof(value) <= image.size; at += 4 * (1 + at / 512)) {
		memcpy(copy, image.bytes, image.size);
		memcpy(copy + at, &value, sizeof(value));
		(void)claim((struct byte_span){copy, image.size});
	}
	free(copy);
}

/* A host file with an image in its section, and one without. */
static void test_host(const char *path, const char *plain_path)
{
	struct image_reading reading = {.budget = 32u << 20, .capability = 90};
	bool has_images = false;
	begin();
	CHECK(image_claims_add_host(read_path(path), &reading, kernels, N_KERNELS, &has_images));
	CHECK(has_images);
	check_guilty();
	check_clean();
	CHECK(image_claims_add_host(read_path(plain_path), &reading, kernels, N_KERNELS,
				    &has_images));
	CHECK(!has_images && is_clear("k_plain"));
	CHECK(!image_claims_add_host(read_file("asserts.cu"), &reading, kernels, N_KERNELS,
				     &has_images));
}

/* The instruction at an offset is decoded if all versions agree. */
static void test_instruction(void)
{
	struct code_line line = {.n = 0};
	struct kernel_claim second = {.name = "k_second", .line = &line, .line_offset = 0x70};
	struct image_reading reading = {.budget = 32u << 20, .capability = 90};
	struct elf_sections sections;
	struct elf_section code;
	struct byte_span image = read_file("lines.cubin");
	for (int i = 0; i < 2; i++) {
		image_claims_add(image, &reading, &second, 1);
		CHECK_EQUAL(second.instruction.access.kind, FAULT_WRITE);
		CHECK_EQUAL(second.instruction.access.bytes, 4);
		CHECK(line.n != 0);
	}
	CHECK_EQUAL(elf_sections_open(image, &sections), 0);
	CHECK(elf_section_named(&sections, ".text.k_second", &code));
	file_bytes[code.content.bytes - file_bytes + 0x79] ^= 2; /* 64 bits instead of 32 */
	for (int i = 0; i < 2; i++) {
		image_claims_add(image, &reading, &second, 1);
		CHECK_EQUAL(second.instruction.architecture, 0);
	}
	free(second.size.accesses);
	code_line_free(&line);
}

/* A load's value is awaited if it is in all versions. The load here sets barrier 2. */
static void test_awaited_loads(void)
{
	static const uint64_t load[4] = {0x0981, UINT64_C(2) << 46, 0x094d, UINT64_C(4) << 52};
	struct kernel_claim second = {.name = "k_second"};
	struct image_reading reading = {.budget = 32u << 20, .capability = 90};
	struct elf_sections sections;
	struct elf_section code;
	struct byte_span image = read_file("lines.cubin");
	CHECK_EQUAL(elf_sections_open(image, &sections), 0);
	CHECK(elf_section_named(&sections, ".text.k_second", &code));
	unsigned char *first = file_bytes + (code.content.bytes - file_bytes);
	memcpy(first, load, sizeof(load));
	for (int i = 0; i < 2; i++) {
		image_claims_add(image, &reading, &second, 1);
		CHECK_EQUAL(second.size.awaited[0], 1);
	}
	first[30] = 0; /* the exit waits for nothing */
	image_claims_add(image, &reading, &second, 1);
	CHECK(second.size.accesses && second.size.awaited[0] == 0);
	CHECK_EQUAL(second.size.accesses[0] & 1, 1);
	free(second.size.accesses);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 4);
	directory = argv[1];
	test_whole_program();
	test_versions();
	test_sizes_beside_ptx();
	test_ptx_alone();
	test_debug();
	test_linked();
	test_unlinked();
	test_nothing();
	test_budget();
	test_host(argv[2], argv[3]);
	test_cut("lz4.fatbin");
	test_cut("linked.cubin");
	test_changed("zstd.fatbin", 0xffffffff);
	test_changed("linked.cubin", 0xffffffff);
	test_changed("linked.cubin", 0);
	test_changed("linked.cubin", 0x7fffffff);
	test_instruction();
	test_awaited_loads();
	return 0;
}
