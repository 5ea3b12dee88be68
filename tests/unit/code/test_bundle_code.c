/*
 * test_bundle_code.c - from a bundle's functions to their code: bytes that the bundle keeps, a file
 * that the driver read, one that the process has mapped; and what clears nothing.
 *
 * usage: test_bundle_code LZ4 HOST CUBIN ZSTD   lz4.fatbin of tests/fixtures/code; a file with it
 * inside; linked.cubin, an ELF file itself; zstd.fatbin, for sm_80 and sm_90 and with PTX
 */
#include "bundle/bundle_code.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "bundle/code_file.h"
#include "coredump/elf_sections.h"
#include "support/bundle_builder.h"
#include "support/check.h"

static struct bundle_builder builder;
static struct bundle_view view;
static uint8_t *never;

static struct image_row *image_row(uint32_t *out_id)
{
	return builder_rows(&builder, JOURNAL_IMAGES, 1, out_id);
}

static void set_image(uint32_t function, uint32_t image)
{
	struct builder_file *file = &builder.tables[JOURNAL_FUNCTIONS];
	struct function_row *rows =
		(struct function_row *)(void *)(file->bytes + sizeof(struct file_header));
	rows[function - 1].image = (uint16_t)image;
}

static void add_function(const char *name, uint32_t image)
{
	set_image(builder_function(&builder, name, 0, NULL), image);
}

/* k_plain, k_assert and one that no image contains. */
static void begin(uint32_t image)
{
	add_function("k_plain", image);
	add_function("k_assert", image);
	add_function("k_elsewhere", image);
}

static void finish(bool is_plain_clear)
{
	builder_view(&builder, &view);
	struct code_size *sizes;

	CHECK_EQUAL(bundle_code_read(&view, &never, &sizes),
		    view.tables[JOURNAL_FUNCTIONS].n_rows + 1);
	CHECK(!is_plain_clear || (sizes[1].least >= 0x80 && sizes[1].least <= sizes[1].most));
	CHECK(sizes[3].most == 0);
	CHECK_EQUAL(never[1], is_plain_clear);
	CHECK(!never[0] && !never[2] && !never[3]);
	bundle_code_free(never, sizes, (uint32_t)view.tables[JOURNAL_FUNCTIONS].n_rows + 1);
	builder_end(&builder);
	builder_begin(&builder, 8);
}

static struct image_row *keep_bytes(const char *path, uint32_t *out_id)
{
	struct code_file file;
	CHECK_EQUAL(code_file_open(path, NULL, &file), 0);
	uint32_t units = 0;
	unsigned char *copy = builder_rows(&builder, JOURNAL_IMAGE_BYTES,
					   (file.bytes.size + IMAGE_UNIT - 1) / IMAGE_UNIT, &units);
	memcpy(copy, file.bytes.bytes, file.bytes.size);
	struct image_row *row = image_row(out_id);
	*row = (struct image_row){.size = file.bytes.size, .bytes = units};
	code_file_close(&file);
	return row;
}

static void test_kept(const char *path)
{
	uint32_t id = 0;
	(void)keep_bytes(path, &id);
	begin(id);
	finish(true);
	/* Fewer bytes than it says, none, no such image, another function's. */
	struct image_row *row = keep_bytes(path, &id);
	row->size += IMAGE_UNIT;
	begin(id);
	finish(false);
	keep_bytes(path, &id)->bytes = 0;
	begin(id);
	finish(false);
	(void)keep_bytes(path, &id);
	begin(id + 1);
	finish(false);
	(void)keep_bytes(path, &id);
	begin(0);
	finish(false);
}

static void test_path(const char *path)
{
	struct stat status;
	CHECK_EQUAL(stat(path, &status), 0);
	uint32_t id = 0;
	for (uint64_t later = 0; later < 2; later++) {
		uint32_t path_id = builder_string(&builder, path);
		struct image_row *row = image_row(&id);
		*row = (struct image_row){.size = (uint64_t)status.st_size,
					  .path = path_id,
					  .changed_ns =
						  (uint64_t)status.st_mtim.tv_sec * 1000000000 +
						  (uint64_t)status.st_mtim.tv_nsec + later};
		begin(id);
		finish(later == 0);
	}
}

/* The file's build-id, as its note has it. */
static void copy_build_id(const char *path, struct module_row *row, uint64_t *out_address)
{
	struct code_file file;
	CHECK_EQUAL(code_file_open(path, NULL, &file), 0);
	struct elf_sections sections;
	CHECK_EQUAL(elf_sections_open(file.bytes, &sections), 0);
	struct elf_section section;
	CHECK(elf_section_named(&sections, ".note.gnu.build-id", &section));
	row->build_id_size = span_u32(section.content, 4);
	CHECK(row->build_id_size <= BUILD_ID_MAX);
	CHECK(span_copy(section.content, 16, row->build_id, row->build_id_size));
	CHECK(elf_section_named(&sections, ".nv_fatbin", &section));
	*out_address = section.address;
	code_file_close(&file);
}

static struct module_row *module_row(const char *path, uint64_t *out_address)
{
	struct builder_file *file = &builder.tables[JOURNAL_MODULES];
	(void)builder_module(&builder, path, 0x10000, 0x20000);
	struct module_row *row =
		(struct module_row *)(void *)(file->bytes + file->size - sizeof(*row));
	copy_build_id(path, row, out_address);
	return row;
}

/* Files of the process, by name: all must be here, and unchanged. */
static void test_unseen(const char *path)
{
	uint64_t address = 0;
	(void)module_row(path, &address);
	(void)builder_module(&builder, "linux-vdso.so.1", 0x30000, 0x40000);
	begin(IMAGE_UNSEEN);
	finish(true);
	module_row(path, &address)->build_id[3] ^= 1;
	begin(IMAGE_UNSEEN);
	finish(false);
	module_row(path, &address)->build_id_size = 0; /* with code inside: which? */
	begin(IMAGE_UNSEEN);
	finish(false);
	(void)module_row(path, &address);
	(void)builder_module(&builder, "/nowhere/library.so", 0x30000, 0x40000);
	begin(IMAGE_UNSEEN);
	finish(false);
}

/* At an address of a file: one that is not mapped has none. */
static void test_mapped(const char *path)
{
	uint64_t address = 0;
	(void)module_row(path, &address);
	uint32_t id = 0;
	*image_row(&id) = (struct image_row){.module = 1, .offset = address};
	begin(id);
	finish(address != 0);
	(void)module_row(path, &address);
	*image_row(&id) = (struct image_row){.module = 2, .offset = address};
	begin(id);
	finish(false);
}

/* Return the size of k_plain with contexts on devices of these capabilities. */
static uint32_t size_on(const char *path, uint32_t first, uint32_t second)
{
	uint32_t id = 0;
	uint32_t contexts[] = {builder_context(&builder, 0, "first"),
			       builder_context(&builder, 1, "second")};
	struct code_size *sizes = NULL;
	builder_context_row(&builder, contexts[0])->flags = first << CONTEXT_CAPABILITY_SHIFT;
	builder_context_row(&builder, contexts[1])->flags = second << CONTEXT_CAPABILITY_SHIFT;
	(void)keep_bytes(path, &id);
	begin(id);
	builder_view(&builder, &view);
	uint32_t n = bundle_code_read(&view, &never, &sizes);
	CHECK(n > 1);
	uint32_t size = sizes[1].most;
	CHECK((size > 0) == (sizes[1].least > 0) && (size > 0) == (sizes[1].accesses != NULL));
	bundle_code_free(never, sizes, n);
	builder_end(&builder);
	builder_begin(&builder, 8);
	return size;
}

/* Beside PTX, sizes are known only if all contexts' devices have machine code. */
static void test_capability(const char *path)
{
	CHECK(size_on(path, 90, 90) > 0);
	CHECK_EQUAL(size_on(path, 90, 0), 0);
	CHECK_EQUAL(size_on(path, 90, 80), 0);
	CHECK_EQUAL(size_on(path, 100, 100), 0);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 5);
	builder_begin(&builder, 8);
	test_kept(argv[1]);
	test_kept(argv[2]);
	test_path(argv[1]);
	test_kept(argv[3]);
	test_path(argv[3]);
	test_unseen(argv[2]);
	test_mapped(argv[2]);
	test_capability(argv[4]);
	builder_end(&builder);
	return 0;
}
