/*
 * test_runtime_version.c - find the runtime's version in a file: in this program, which contains
 * the mark and the constant of a runtime, in damaged copies of it, and in NVIDIA's LIBRARY.
 *
 * usage: test_runtime_version [LIBRARY VERSION]
 */
#include "versions/versions.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

enum { OUR_VERSION = 12340, MAX_FILE = 8 << 20, ROOM = 64 };

/* Compiled to one instruction, as in the runtime. */
__attribute__((noinline, used)) static void get_version(int *out)
{
	*(volatile int *)out = OUR_VERSION;
}

static char path[] = "/tmp/culprit-runtime-XXXXXX";
static unsigned char bytes[MAX_FILE];
static size_t n_bytes;

static void read_whole(const char *from)
{
	FILE *file = fopen(from, "r");
	CHECK(file != NULL);
	n_bytes = fread(bytes, 1, sizeof(bytes), file);
	CHECK(n_bytes < sizeof(bytes) && fclose(file) == 0);
}

static int version_of_bytes(size_t n, const struct module_row *row)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);
	CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n && close(fd) == 0);
	return runtime_version_of(path, row);
}

/* Find the build-id of the file in `bytes`, after the owner's name in its note. */
static struct module_row row_of_bytes(void)
{
	static const unsigned char note[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
	const unsigned char *found = memmem(bytes, n_bytes, note, sizeof(note));
	struct module_row row = {.build_id_size = BUILD_ID_MAX};
	CHECK(found != NULL);
	memcpy(row.build_id, found + sizeof(note), BUILD_ID_MAX);
	return row;
}

static void test_own(void)
{
	struct module_row row = row_of_bytes();
	struct module_row other = row;
	int version = 0;
	get_version(&version);
	CHECK_EQUAL(version, OUR_VERSION);
	CHECK_EQUAL(version_of_bytes(n_bytes, &row), OUR_VERSION);
	other.build_id[0] ^= 1;
	CHECK_EQUAL(version_of_bytes(n_bytes, &other), 0);
	other = (struct module_row){0};
	CHECK_EQUAL(version_of_bytes(n_bytes, &other), 0);
	other.build_id_size = UINT32_MAX;
	CHECK_EQUAL(version_of_bytes(n_bytes, &other), 0);
	CHECK_EQUAL(runtime_version_of("/dev/zero", &row), 0);
	CHECK_EQUAL(runtime_version_of("/nonexistent", &row), 0);
}

/* Return where the last ROOM bytes of the file's code are. */
static size_t code_end(void)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment = {0};
	memcpy(&header, bytes, sizeof(header));
	for (size_t i = 0; i < header.e_phnum && !(segment.p_flags & PF_X); i++)
		memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment), sizeof(segment));
	CHECK(segment.p_flags & PF_X && segment.p_offset % 4 == 0);
	return segment.p_offset + segment.p_filesz / 4 * 4 - ROOM;
}

/* A constant of the sum would be in this file, as another version. */
static volatile int next_version = 10;

/* mov w1, #version; nop; str w1, [x0]. */
static void put_aarch64(unsigned char *to, int version)
{
	const uint32_t code[] = {0x52800001u | (uint32_t)version << 5, 0xd503201f, 0xb9000001};
	memcpy(to, code, sizeof(code));
}

/* The same file as one of aarch64. */
static void test_aarch64(void)
{
	uint16_t machine = EM_AARCH64;
	struct module_row row = row_of_bytes();
	unsigned char *end = bytes + code_end();
	memcpy(bytes + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof(machine));
	memset(end, 0, ROOM);
	put_aarch64(end, OUR_VERSION);
	CHECK_EQUAL(version_of_bytes(n_bytes, &row), OUR_VERSION);
	put_aarch64(end + ROOM / 2, OUR_VERSION + next_version);
	CHECK_EQUAL(version_of_bytes(n_bytes, &row), 0);
	machine = EM_386;
	memcpy(bytes + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof(machine));
	CHECK_EQUAL(version_of_bytes(n_bytes, &row), 0);
	read_whole("/proc/self/exe");
}

/* Cut the file at any place, and set each byte of the headers in turn to the maximum. */
static void test_damaged(void)
{
	struct module_row row = row_of_bytes();
	for (size_t n = 0; n < n_bytes; n += n < 2048 ? 61 : n_bytes / 16)
		(void)version_of_bytes(n, &row);
	for (size_t i = 0; i < 1024; i += 3) {
		unsigned char kept = bytes[i];
		bytes[i] = 0xff;
		(void)version_of_bytes(n_bytes, &row);
		bytes[i] = kept;
	}
}

static void test_tried(void)
{
	CHECK_EQUAL(tried_driver(13000), TRIAL_GPU);
	CHECK_EQUAL(tried_driver(12000), TRIAL_SIMULATED);
	CHECK_EQUAL(tried_driver(11080), TRIAL_NONE);
	CHECK_EQUAL(tried_runtime(99000), TRIAL_NONE);
	CHECK(!*tried_text(TRIAL_GPU) && !strcmp(tried_text(TRIAL_NONE), "untried"));
	char text[16];
	version_text(12040, text, sizeof(text));
	CHECK(!strcmp(text, "12.4"));
}

int main(int argc, char **argv)
{
	read_whole(argc > 1 ? argv[1] : "/proc/self/exe");
	int fd = mkstemp(path);
	CHECK(fd >= 0 && close(fd) == 0);
	if (argc > 2) {
		struct module_row row = row_of_bytes();
		CHECK_EQUAL(version_of_bytes(n_bytes, &row), atoi(argv[2]));
	} else {
		test_own();
		test_aarch64();
		test_damaged();
		test_tried();
	}
	unlink(path);
	return 0;
}
