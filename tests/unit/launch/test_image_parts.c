/*
 * test_image_parts.c - what images contain, which devices run it, and images that are cut or wrong.
 */
#include "rejection/image_parts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { HEADER = 16, ENTRY = 64, PAYLOAD = 8 };

static unsigned char image[4096];
static size_t image_size;

static void put(size_t at, const void *bytes, size_t size)
{
	memcpy(image + at, bytes, size);
}

static void begin_container(void)
{
	const uint32_t magic = 0xba55ed50u;
	const uint16_t words[] = {1, HEADER};
	memset(image, 0, sizeof(image));
	put(0, &magic, sizeof(magic));
	put(4, words, sizeof(words));
	image_size = HEADER;
}

/* As nvcc 13 wrote one: kind 1 PTX, 2 code; its version; the number; flags. */
static void add_entry(uint16_t kind, uint16_t major, uint16_t minor, uint32_t sm, uint64_t flags)
{
	const uint32_t header = ENTRY;
	const uint64_t payload = PAYLOAD;
	put(image_size, &kind, sizeof(kind));
	put(image_size + 4, &header, sizeof(header));
	put(image_size + 8, &payload, sizeof(payload));
	put(image_size + 0x18, &minor, sizeof(minor));
	put(image_size + 0x1a, &major, sizeof(major));
	put(image_size + 0x1c, &sm, sizeof(sm));
	put(image_size + 0x28, &flags, sizeof(flags));
	image_size += ENTRY + PAYLOAD;
	uint64_t size = image_size - HEADER;
	put(8, &size, sizeof(size));
}

static const char *text_of(const struct image_parts *parts)
{
	static char line[512];
	struct text text = text_in(line, sizeof(line));
	image_parts_text(parts, &text);
	return line;
}

static void test_container(void)
{
	begin_container();
	add_entry(2, 1, 8, 80, 0x11);
	add_entry(2, 1, 8, 90, 0x100011);
	add_entry(2, 1, 8, 100, 0x1200011);
	add_entry(1, 9, 0, 90, 0x8011);
	CHECK_EQUAL(image_bytes_to_read(image), image_size);
	struct image_parts parts;
	image_parts_read(image, image_size, &parts);
	CHECK(parts.kind == IMAGE_CONTAINER && parts.n == 4 && !parts.is_cut);
	CHECK_STRING(text_of(&parts), "code for sm_80, sm_90a and sm_100f, and PTX for compute_90");
	CHECK_EQUAL(image_ptx_version(&parts), 90);
	CHECK(image_has_code(&parts, 80) && image_has_code(&parts, 86) &&
	      !image_has_code(&parts, 75));
	CHECK(image_has_code(&parts, 90) && !image_has_code(&parts, 91));
	CHECK(image_has_code(&parts, 103) && !image_has_code(&parts, 120));
	CHECK(image_has_ptx(&parts, 120) && !image_has_ptx(&parts, 89));
}

/* Whatever is cut off, or of a kind that is not known: it is said. */
static void test_cut(void)
{
	uint64_t endless = UINT64_MAX;
	begin_container();
	add_entry(2, 1, 8, 80, 0);
	add_entry(1, 9, 0, 80, 0);
	struct image_parts parts;
	for (size_t size = 0; size < image_size; size++) {
		unsigned char *copy = malloc(size ? size : 1);
		CHECK(copy != NULL);
		memcpy(copy, image, size);
		image_parts_read(copy, size, &parts);
		CHECK(parts.kind == IMAGE_UNKNOWN || parts.is_cut);
		free(copy);
	}
	add_entry(8, 0, 0, 80, 0);
	image_parts_read(image, image_size, &parts);
	CHECK(parts.n == 2 && parts.is_cut);
	put(HEADER + 8, &endless, sizeof(endless));
	image_parts_read(image, image_size, &parts);
	CHECK(parts.n == 0 && parts.is_cut);
	put(8, &endless, sizeof(endless));
	CHECK_EQUAL(image_bytes_to_read(image), HEADER);
	begin_container();
	for (int i = 0; i < IMAGE_MAX_PARTS + 1; i++)
		add_entry(2, 1, 8, 80, 0);
	image_parts_read(image, image_size, &parts);
	CHECK(parts.n == IMAGE_MAX_PARTS && parts.is_cut);
}

static void test_cubin(void)
{
	Elf64_Ehdr cubin = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1, 0x41, 8},
			    .e_machine = 190,
			    .e_flags = 0x6005a04};
	struct image_parts parts;
	image_parts_read(&cubin, sizeof(cubin), &parts);
	CHECK_STRING(text_of(&parts), "code for sm_90");
	cubin.e_ident[EI_OSABI] = 0x33;
	cubin.e_flags = 0x500556;
	image_parts_read(&cubin, sizeof(cubin), &parts);
	CHECK_STRING(text_of(&parts), "code for sm_86");
	cubin.e_machine = EM_X86_64;
	image_parts_read(&cubin, sizeof(cubin), &parts);
	CHECK(parts.kind == IMAGE_UNKNOWN && parts.n == 0);
	CHECK_STRING(text_of(&parts), "nothing");
}

static void test_ptx(void)
{
	static const char text[] = "//\n// Generated\n//\n\n.version 8.4\n.target sm_90a, debug\n";
	CHECK_EQUAL(image_bytes_to_read(text), sizeof(text) - 1);
	struct image_parts parts;
	image_parts_read(text, sizeof(text) - 1, &parts);
	CHECK(parts.kind == IMAGE_PTX && !parts.is_cut && image_ptx_version(&parts) == 84);
	CHECK_STRING(text_of(&parts), "PTX for compute_90a");
	CHECK(image_has_ptx(&parts, 90) && !image_has_ptx(&parts, 100));
	image_parts_read(".version 8.4", 12, &parts);
	CHECK(parts.kind == IMAGE_PTX && parts.is_cut && parts.n == 0);
	image_parts_read("hello", 5, &parts);
	CHECK(parts.kind == IMAGE_UNKNOWN);
	CHECK_EQUAL(image_bytes_to_read("\x01"), 0);
	CHECK_EQUAL(image_bytes_to_read(""), 0);
	CHECK(!image_is_wrapper("\xb1"));
}

static void test_versions(void)
{
	CHECK_EQUAL(image_driver_ptx(12040), 84);
	CHECK_EQUAL(image_driver_ptx(13000), 90);
	CHECK_EQUAL(image_driver_ptx(99000), 0);
}

int main(void)
{
	test_container();
	test_cut();
	test_cubin();
	test_ptx();
	test_versions();
	return 0;
}
