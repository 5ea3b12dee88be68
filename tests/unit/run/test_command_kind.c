/*
 * test_command_kind.c - whether the library can be loaded into a command, for heads of ELF files
 * that the test makes, for scripts, and for names that PATH leads to.
 */
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run_parts.h"
#include "support/check.h"

/* A program of two segments with its loader's path after them. */
struct program {
	Elf64_Ehdr header;
	Elf64_Phdr segments[2];
	char loader[32];
};

static char folder[] = "/tmp/unit_command_kind.XXXXXX";
static char file[sizeof(folder) + 16];
static char second[sizeof(folder) + 16];

static struct program program_of(const char *loader)
{
	struct program program = {
		.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
			   .e_phoff = offsetof(struct program, segments),
			   .e_phentsize = sizeof(Elf64_Phdr),
			   .e_phnum = 2},
		.segments = {{.p_type = PT_LOAD},
			     {.p_type = PT_INTERP, .p_offset = offsetof(struct program, loader)}},
	};
	(void)snprintf(program.loader, sizeof(program.loader), "%s", loader);
	return program;
}

static void write_to(const char *path, const void *bytes, size_t size, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	CHECK_EQUAL(fchmod(fd, mode), 0);
	CHECK_EQUAL(close(fd), 0);
}

/* Return the kind of a file with these bytes. No descriptor stays open. */
static enum command_kind kind_of(const void *bytes, size_t size)
{
	write_to(file, bytes, size, 0700);
	int before = dup(0);
	CHECK_EQUAL(close(before), 0);
	enum command_kind kind = command_kind(file);
	int after = dup(0);
	CHECK_EQUAL(close(after), 0);
	CHECK_EQUAL(after, before);
	return kind;
}

static enum command_kind kind_of_program(const struct program *program)
{
	return kind_of(program, sizeof(*program));
}

static void test_programs(void)
{
	struct program program = program_of("/lib64/ld-linux-x86-64.so.2");
	CHECK_EQUAL(kind_of_program(&program), COMMAND_LOADS);
	program = program_of("/lib/ld-musl-x86_64.so.1");
	CHECK_EQUAL(kind_of_program(&program), COMMAND_IS_MUSL);
	program.header.e_phnum = 1;
	CHECK_EQUAL(kind_of_program(&program), COMMAND_IS_STATIC);
	program.header.e_phnum = 0;
	CHECK_EQUAL(kind_of_program(&program), COMMAND_IS_STATIC);
	program.header.e_ident[EI_CLASS] = ELFCLASS32;
	CHECK_EQUAL(kind_of_program(&program), COMMAND_IS_32_BIT);
}

/* A file that is odd is taken for a common one. */
static void test_odd(void)
{
	struct program program = program_of("/lib/ld-musl-x86_64.so.1");
	CHECK_EQUAL(kind_of("", 0), COMMAND_LOADS);
	CHECK_EQUAL(kind_of("echo\n", 5), COMMAND_LOADS);
	CHECK_EQUAL(kind_of(&program, sizeof(program.header) - 1), COMMAND_LOADS);
	/* Its segments or its loader's path are after the end of the file. */
	CHECK_EQUAL(kind_of(&program, sizeof(program.header)), COMMAND_LOADS);
	CHECK_EQUAL(kind_of(&program, offsetof(struct program, loader) - 1), COMMAND_LOADS);
	CHECK_EQUAL(kind_of(&program, offsetof(struct program, loader)), COMMAND_LOADS);
	CHECK_EQUAL(kind_of(&program, offsetof(struct program, loader) + 20), COMMAND_IS_MUSL);
	program.header.e_phoff = UINT64_MAX - 8;
	CHECK_EQUAL(kind_of_program(&program), COMMAND_LOADS);
	program = program_of("/lib/ld-musl-x86_64.so.1");
	program.header.e_phentsize++;
	CHECK_EQUAL(kind_of_program(&program), COMMAND_LOADS);
	program = program_of("/lib/ld-musl-x86_64.so.1");
	program.header.e_ident[0]++;
	CHECK_EQUAL(kind_of_program(&program), COMMAND_LOADS);
	CHECK_EQUAL(command_kind("/nowhere/program"), COMMAND_LOADS);
}

/* A script's interpreter decides. */
static void test_scripts(void)
{
	char script[128];
	struct program program = program_of("/lib/ld-musl-x86_64.so.1");
	write_to(second, &program, sizeof(program), 0700);
	static const char *const heads[] = {"#!%s\n", "#! \t%s -e\n", "#!%s\t-e\n", "#!%s"};
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		(void)snprintf(script, sizeof(script), heads[i], second);
#pragma GCC diagnostic pop
		CHECK_EQUAL(kind_of(script, strlen(script)), COMMAND_IS_MUSL);
	}
	CHECK_EQUAL(kind_of("#!/nowhere/sh\n", 14), COMMAND_LOADS);
	CHECK_EQUAL(unlink(second), 0);
}

/* The first file of PATH that can be executed is the command. An empty entry is this folder. */
static void test_path(void)
{
	char path[sizeof(folder) + 64];
	struct program program = program_of("/lib/ld-musl-x86_64.so.1");
	CHECK_EQUAL(kind_of_program(&program), COMMAND_IS_MUSL);
	(void)snprintf(path, sizeof(path), "/nowhere:%s:/also", folder);
	CHECK_EQUAL(setenv("PATH", path, 1), 0);
	CHECK_EQUAL(command_kind("file"), COMMAND_IS_MUSL);
	CHECK_EQUAL(command_kind("other"), COMMAND_LOADS);
	(void)snprintf(path, sizeof(path), "%s/deep:%s", folder, folder);
	CHECK_EQUAL(setenv("PATH", path, 1), 0);
	program.header.e_ident[EI_CLASS] = ELFCLASS32;
	write_to(second, &program, sizeof(program), 0700);
	CHECK_EQUAL(command_kind("file"), COMMAND_IS_32_BIT);
	CHECK_EQUAL(unlink(second), 0);
	CHECK_EQUAL(chdir(folder), 0);
	CHECK_EQUAL(setenv("PATH", ":/nowhere", 1), 0);
	CHECK_EQUAL(command_kind("file"), COMMAND_IS_MUSL);
	CHECK_EQUAL(setenv("PATH", "/nowhere", 1), 0);
	CHECK_EQUAL(command_kind("file"), COMMAND_LOADS);
	CHECK_EQUAL(unsetenv("PATH"), 0);
	CHECK_EQUAL(command_kind("file"), COMMAND_LOADS);
}

static void test_texts(void)
{
	CHECK(!command_kind_text(COMMAND_LOADS));
	for (int kind = COMMAND_LOADS + 1; kind < N_COMMAND_KINDS; kind++)
		CHECK(strstr(command_kind_text((enum command_kind)kind), " is not "));
}

int main(void)
{
	char deep[sizeof(folder) + 16];
	CHECK(mkdtemp(folder));
	(void)snprintf(deep, sizeof(deep), "%s/deep", folder);
	(void)snprintf(file, sizeof(file), "%s/file", folder);
	(void)snprintf(second, sizeof(second), "%s/deep/file", folder);
	CHECK_EQUAL(mkdir(deep, 0700), 0);
	test_programs();
	test_odd();
	test_scripts();
	test_path();
	test_texts();
	CHECK_EQUAL(unlink(file), 0);
	CHECK_EQUAL(rmdir(deep), 0);
	CHECK_EQUAL(rmdir(folder), 0);
	return 0;
}
