/*
 * test_dump_instruction.c - the instruction at the program counter of a bundle's exception, from
 * the code that the bundle keeps. There is no nvdisasm.
 *
 * usage: test_dump_instruction CUBIN   lines.cubin of tests/fixtures/code
 */
#include "dump/dump_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/journal_code.h"
#include "bundle/code_file.h"
#include "support/bundle_builder.h"
#include "support/check.h"

/* k_second's store is at 0x70 of its code. */
enum { WORD = 0x68, STORE = 0x70 };
static const uint64_t starts[] = {0x7f0000001000, 0x7f0000002000};

static struct bundle_builder builder;

static uint32_t keep_image(const char *path)
{
	struct code_file file;
	uint32_t units = 0;
	uint32_t id = 0;
	CHECK_EQUAL(code_file_open(path, NULL, &file), 0);
	unsigned char *copy = builder_rows(&builder, JOURNAL_IMAGE_BYTES,
					   (file.bytes.size + IMAGE_UNIT - 1) / IMAGE_UNIT, &units);
	memcpy(copy, file.bytes.bytes, file.bytes.size);
	struct image_row *row = builder_rows(&builder, JOURNAL_IMAGES, 1, &id);
	*row = (struct image_row){.size = file.bytes.size, .bytes = units};
	code_file_close(&file);
	return id;
}

static void add_function(const char *name, uint32_t image, uint64_t start)
{
	uint32_t id = 0;
	uint32_t function = builder_function(&builder, name, 0, NULL);
	builder_function_row(&builder, function)->image = (uint16_t)image;
	struct code_address_row *row = builder_rows(&builder, JOURNAL_CODE_ADDRESSES, 1, &id);
	*row = (struct code_address_row){
		.address = start, .function = function, .offset = WORD, .flags = CODE_CONFIRMED};
}

static void add_exception(uint64_t pc)
{
	uint32_t id = 0;
	struct fault_row *row = builder_rows(&builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_EXCEPTION,
				  .flags = FAULT_HAS_PC | FAULT_ADDRESS_BYTE,
				  .warp_esr = 0x502000f,
				  .address = 0x7f1000000001,
				  .pc = pc};
}

static void check_dump(const char *path, uint64_t pc, const char *expected)
{
	char *text = NULL;
	size_t size = 0;
	struct bundle_view view;
	FILE *out = open_memstream(&text, &size);
	CHECK(out);
	builder_begin(&builder, 8);
	uint32_t image = keep_image(path);
	add_function("k_first", image, starts[0]);
	add_function("k_second", image, starts[1]);
	if (pc)
		add_exception(pc);
	builder_view(&builder, &view);
	dump_instructions(out, &view);
	CHECK_EQUAL(fclose(out), 0);
	CHECK_STRING(text, expected);
	free(text);
	builder_end(&builder);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 2);
	CHECK_EQUAL(setenv("PATH", "/nonexistent", 1), 0);
	check_dump(argv[1], starts[1] + STORE,
		   "pc=0x7f0000002070 function=2 offset=0x70 instruction 0x0000000702007986 "
		   "0x000fe2000c101904: 4-byte write\n");
	check_dump(argv[1], starts[1] + 0x1000, ""); /* in no code */
	check_dump(argv[1], 0, "");
	return 0;
}
