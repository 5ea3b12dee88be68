/*
 * test_images.c - which image a function belongs to while modules come and go; and that the bytes
 * kept are those that were loaded.
 */
#include <elf.h>
#include <unistd.h>

#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/strings.h"
#include "record/objects/images.h"
#include "support/check.h"

enum { IMAGE_BYTES_MAX = 3000, MAX_MB = 1, N_UNITS = 1024 * 1024 / IMAGE_UNIT };

static struct table tables[N_JOURNAL_FILES];
static _Alignas(8) unsigned char mapped[64]; /* lies in module 7, with bias 16 */

struct table *bundle_table(enum journal_file kind)
{
	return &tables[kind];
}

static int n_held;
static char newest_path[64];

uint32_t strings_hold(const char *bytes, size_t length, enum string_room room)
{
	CHECK(bytes[0] == '/' && room == STRINGS_OTHER);
	CHECK(length < sizeof(newest_path));
	memcpy(newest_path, bytes, length);
	newest_path[length] = 0;
	n_held++;
	return (uint32_t)length;
}

void strings_drop(uint32_t id)
{
	n_held -= id != 0;
}

uint32_t modules_find(uintptr_t address, uint64_t *out_bias)
{
	bool is_mapped = address - (uintptr_t)mapped < sizeof(mapped);
	*out_bias = is_mapped ? 16 : 0;
	return is_mapped ? 7 : 0;
}

static const void *handle(int n)
{
	static char handles[64];
	return &handles[n];
}

static const struct image_row *row(uint32_t id)
{
	CHECK(id != 0 && id != IMAGE_UNSEEN);
	return table_row(&tables[JOURNAL_IMAGES], id);
}

/* Make an ELF file whose last section ends at `size`, after a table of two sections. */
static void make_elf(unsigned char *out, size_t size, unsigned char filling)
{
	Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
			     .e_shoff = sizeof(header),
			     .e_shentsize = sizeof(Elf64_Shdr),
			     .e_shnum = 2};
	Elf64_Shdr sections[2] = {
		{.sh_type = SHT_PROGBITS, .sh_offset = 300, .sh_size = size - 300},
		{.sh_type = SHT_NOBITS, .sh_offset = 300, .sh_size = 1 << 20}};
	memset(out, filling, size);
	memcpy(out, &header, sizeof(header));
	memcpy(out + sizeof(header), sections, sizeof(sections));
}

static const struct image_context unknown;

static struct image_context in_context(uint32_t id, uint32_t primary)
{
	return (struct image_context){.id = id, .primary = primary};
}

static void check_kept(const struct image_row *image, const void *bytes, uint64_t size)
{
	CHECK_EQUAL(image->size, size);
	CHECK(image->bytes && !image->module && !image->path);
	CHECK(memcmp(table_row(&tables[JOURNAL_IMAGE_BYTES], image->bytes), bytes, size) == 0);
}

/* Cubins, containers, and wrappers that point to one, of any length. */
static void test_kept(void)
{
	static unsigned char image[IMAGE_BYTES_MAX];
	static const uint32_t container[6] = {0xba55ed50u, 16u << 16 | 1u, 8, 0, 0x1234, 0x5678};
	struct {
		uint32_t magic, version;
		const void *data;
	} wrapper = {0x466243b1u, 1, container};
	for (size_t size = 1000; size < 1000 + 2 * IMAGE_UNIT; size += 21) {
		make_elf(image, size, (unsigned char)size);
		images_loaded(handle(1), image, unknown);
		check_kept(row(images_of(handle(1), handle(2))), image, size);
	}
	images_loaded(handle(1), container, unknown);
	check_kept(row(images_of(handle(1), handle(2))), container, sizeof(container));
	images_loaded(handle(1), &wrapper, unknown);
	check_kept(row(images_of(handle(1), handle(2))), container, sizeof(container));
	images_loaded(handle(1), ".version 9.0\n.target sm_90\n", unknown);
	CHECK_EQUAL(row(images_of(handle(1), handle(2)))->bytes, 0);
}

/* Return the size of an image with this header; its only section ends at 400. */
static uint64_t elf_size(Elf64_Ehdr header)
{
	const Elf64_Shdr sections[] = {
		{.sh_type = SHT_PROGBITS, .sh_offset = 300, .sh_size = 100},
		{.sh_type = SHT_PROGBITS, .sh_offset = 300, .sh_size = 1000}};
	static unsigned char bytes[1000];
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), sections, sizeof(sections));
	images_loaded(handle(1), bytes, unknown);
	return row(images_of(handle(1), NULL))->size;
}

static void test_headers(void)
{
	const Elf64_Ehdr good = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
				 .e_shoff = sizeof(good),
				 .e_shentsize = sizeof(Elf64_Shdr),
				 .e_shnum = 1,
				 .e_phoff = 100,
				 .e_phentsize = 50,
				 .e_phnum = 2};
	CHECK_EQUAL(elf_size(good), 400);
	Elf64_Ehdr header = good;
	header.e_phnum = 7;
	CHECK_EQUAL(elf_size(header), 450);
	header = good;
	header.e_ident[EI_CLASS] = ELFCLASS32;
	CHECK_EQUAL(elf_size(header), 0);
	header = good;
	header.e_shentsize--;
	CHECK_EQUAL(elf_size(header), 0);
	header = good;
	header.e_shnum = 0;
	CHECK_EQUAL(elf_size(header), 0);
}

/* An image that is in a file is recorded by the file's name. */
static void test_named(void)
{
	images_loaded(handle(1), mapped + 8, unknown);
	CHECK_EQUAL(row(images_of(handle(1), NULL))->module, 7);
	CHECK_EQUAL(row(images_of(handle(1), NULL))->offset, (uintptr_t)mapped + 8 - 16);
	CHECK_EQUAL(row(images_of(handle(1), NULL))->bytes, 0);
	images_loaded_file(handle(1), "/proc/self/exe", unknown);
	CHECK_EQUAL(row(images_of(handle(1), NULL))->path, 14);
	CHECK(row(images_of(handle(1), NULL))->size > 0);
	CHECK(row(images_of(handle(1), NULL))->changed_ns > 0);
	CHECK(chdir("/proc/self/task") == 0);
	char wanted[64];
	(void)snprintf(wanted, sizeof(wanted), "/proc/%d/task/../exe", (int)getpid());
	images_loaded_file(handle(1), "../exe", unknown);
	CHECK_STRING(newest_path, wanted);
	images_loaded_file(handle(1), ".", unknown);
	CHECK_EQUAL(row(images_of(handle(1), NULL))->path, 0);
	images_loaded_file(handle(1), "no such file", unknown);
	CHECK_EQUAL(row(images_of(handle(1), NULL))->path, 0);
}

/*
 * Before any library is loaded: a module that no call loaded is from a file, and an unloaded one
 * has no image.
 */
static void test_unseen(void)
{
	CHECK_EQUAL(images_of(handle(5), handle(6)), IMAGE_UNSEEN);
	CHECK_EQUAL(images_of(NULL, handle(6)), 0);
	images_loaded_file(handle(5), "/proc/self/exe", unknown);
	images_unloaded(handle(5));
	CHECK_EQUAL(images_of(handle(5), handle(6)), 0);
	images_unloaded(handle(8)); /* never seen: the runtime's */
	CHECK_EQUAL(images_of(handle(8), handle(6)), IMAGE_UNSEEN);
}

static void test_libraries(void)
{
	images_loaded_library();
	CHECK_EQUAL(images_of(handle(8), handle(6)), 0); /* its module may be the library's */
	images_loaded_file(handle(10), "/proc/self/exe", unknown);
	uint32_t library = images_of(handle(10), NULL);
	images_derived(handle(11), handle(10)); /* a kernel */
	images_derived(handle(12), handle(11)); /* its function */
	images_derived(handle(13), handle(9));  /* of another library, not seen */
	CHECK_EQUAL(images_of(NULL, handle(11)), library);
	CHECK_EQUAL(images_of(handle(8), handle(12)), library);
	CHECK_EQUAL(images_of(handle(8), handle(13)), 0);
	images_unloaded_library(handle(10));
	CHECK_EQUAL(images_of(NULL, handle(11)), 0);
	CHECK_EQUAL(images_of(handle(8), handle(12)), 0);
}

static void test_forgotten(void)
{
	images_loaded_file(handle(20), "/proc/self/exe", unknown);
	CHECK(images_of(handle(20), NULL) != 0);
	images_context_ending(0);
	CHECK_EQUAL(images_of(handle(20), NULL), 0);
}

/* Images loaded in other contexts stay. If the context is not known, they are forgotten. */
static void test_context_ends(void)
{
	for (int context = 0; context < 3; context++)
		images_loaded_file(handle(21 + context), "/proc/self/exe",
				   in_context((uint32_t)context, 0));
	images_context_ending(1);
	CHECK_EQUAL(images_of(handle(21), NULL), 0);
	CHECK_EQUAL(images_of(handle(22), NULL), 0);
	CHECK(images_of(handle(23), NULL) != 0);
	images_unloaded(handle(23));
	images_loaded_file(handle(24), "/proc/self/exe",
			   in_context(1, 0)); /* may have the row of handle 22 */
	images_context_ending(2);
	CHECK(images_of(handle(24), NULL) != 0);
	/* A handle that is used again is of its last context. */
	images_loaded_file(handle(25), "/proc/self/exe", in_context(1, 0));
	uint16_t first = images_of(handle(25), NULL); /* holds the row, so that it is not reused */
	images_unloaded(handle(25));
	images_loaded_file(handle(25), "/proc/self/exe", in_context(2, 0));
	images_context_ending(1);
	CHECK(images_of(handle(25), NULL) != 0 && images_of(handle(25), NULL) != first);
	images_context_ending(0);
	CHECK_EQUAL(images_of(handle(24), NULL), 0);
}

/* A green context's image goes with its primary context, and not with another green one. */
static void test_green_context_ends(void)
{
	images_loaded_file(handle(26), "/proc/self/exe", in_context(4, 3));
	images_loaded_file(handle(27), "/proc/self/exe", in_context(3, 0));
	images_context_ending(5);
	CHECK(images_of(handle(26), NULL) != 0);
	images_loaded_file(handle(28), "/proc/self/exe", in_context(4, 3));
	images_context_ending(4);
	CHECK_EQUAL(images_of(handle(28), NULL), 0);
	CHECK(images_of(handle(27), NULL) != 0);
	images_loaded_file(handle(26), "/proc/self/exe", in_context(4, 3));
	images_context_ending(3);
	CHECK_EQUAL(images_of(handle(26), NULL), 0);
	CHECK_EQUAL(images_of(handle(27), NULL), 0);
}

static void test_full(void)
{
	static unsigned char image[IMAGE_BYTES_MAX];
	uint64_t n_lost = 0;
	make_elf(image, sizeof(image), 1);
	for (int i = 0; i < 1024; i++) {
		images_loaded(handle(1), image, unknown);
		if (row(images_of(handle(1), NULL))->bytes)
			check_kept(row(images_of(handle(1), NULL)), image, sizeof(image));
		else
			n_lost++;
	}
	CHECK(n_lost > 512);
	CHECK_EQUAL(tables[JOURNAL_IMAGE_BYTES].header->lost, 0);
}

/* Rows and space of unloaded images are reused: far more images than there is room for. */
static void test_come_and_go(void)
{
	static unsigned char image[IMAGE_BYTES_MAX];
	uint64_t n_rows = tables[JOURNAL_IMAGES].header->n_rows;
	int n_before = n_held;
	make_elf(image, sizeof(image), 2);
	for (int i = 0; i < 100000; i++) {
		images_loaded(handle(30), image, unknown);
		uint16_t id = images_of(handle(30), NULL);
		check_kept(row(id), image, sizeof(image));
		images_unloaded(handle(30));
		CHECK_EQUAL(row(id)->bytes, 0);
		images_loaded_file(handle(31), "/proc/self/exe", unknown);
		uint16_t file = images_of(handle(31), NULL);
		CHECK_EQUAL(row(file)->path, 14);
		images_unloaded(handle(31));
		images_drop(file);
		images_drop(id);
	}
	CHECK(tables[JOURNAL_IMAGES].header->n_rows < n_rows + 8);
	CHECK_EQUAL(tables[JOURNAL_IMAGES].header->lost, 0);
	CHECK_EQUAL(n_held, n_before);
}

int main(void)
{
	images_start(MAX_MB);
	CHECK_EQUAL(table_open(&tables[JOURNAL_IMAGES], NULL, JOURNAL_IMAGES,
			       sizeof(struct image_row), 4096),
		    0);
	CHECK_EQUAL(table_open(&tables[JOURNAL_IMAGE_BYTES], NULL, JOURNAL_IMAGE_BYTES,
			       sizeof(struct image_bytes_row), N_UNITS),
		    0);
	test_unseen();
	test_kept();
	test_headers();
	test_named();
	test_libraries();
	test_come_and_go();
	test_full();
	test_forgotten();
	test_context_ends();
	test_green_context_ends();
	return 0;
}
