/*
 * command_kind.c - reads the head of a command's ELF file: its class, and the loader that it asks
 * for. If the file is odd, the command is taken for a common one.
 */
#include "run/run_parts.h"

#include <elf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/input.h"

enum { HEAD_SIZE = 16384 };

struct head {
	char bytes[HEAD_SIZE + 1]; /* with a final NUL */
	size_t size;
};

static bool read_head(const char *path, struct head *out)
{
	int fd = input_open_linked_file(path);
	ssize_t n = fd < 0 ? -1 : pread(fd, out->bytes, HEAD_SIZE, 0);
	if (fd >= 0)
		close(fd);
	out->size = n > 0 ? (size_t)n : 0;
	out->bytes[out->size] = '\0';
	return n > 0;
}

/* Find the file that execvp would use for a name without a slash. False: none. */
static bool find_in_path(const char *command, char *out, size_t size)
{
	const char *list = getenv("PATH");
	for (const char *at = list ? list : "/bin:/usr/bin"; *at; at += *at == ':') {
		int length = (int)strcspn(at, ":");
		snprintf(out, size, "%.*s%s%s", length, at, length ? "/" : "", command);
		if (!access(out, X_OK))
			return true;
		at += length;
	}
	return false;
}

/* Return the interpreter's path of "#! /bin/sh -e", in place, or NULL if it is not a script. */
static const char *interpreter_of(struct head *head)
{
	if (strncmp(head->bytes, "#!", 2) != 0)
		return NULL;
	char *path = head->bytes + 2 + strspn(head->bytes + 2, " \t");
	path[strcspn(path, " \t\n")] = '\0';
	return path;
}

/* Return the loader's path, or NULL if the program has none. */
static const char *loader_of(const struct head *head, const Elf64_Ehdr *header)
{
	for (uint64_t i = 0; i < header->e_phnum; i++) {
		uint64_t at = header->e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;
		if (header->e_phoff > head->size || at + sizeof(segment) > head->size)
			return ""; /* not known */
		memcpy(&segment, head->bytes + at, sizeof(segment));
		if (segment.p_type == PT_INTERP)
			return segment.p_offset < head->size ? head->bytes + segment.p_offset : "";
	}
	return NULL;
}

static enum command_kind kind_of(const struct head *head)
{
	Elf64_Ehdr header;
	if (head->size < sizeof(header) || memcmp(head->bytes, ELFMAG, SELFMAG) != 0)
		return COMMAND_LOADS;
	memcpy(&header, head->bytes, sizeof(header));
	if (header.e_ident[EI_CLASS] == ELFCLASS32)
		return COMMAND_IS_32_BIT;
	if (header.e_phentsize != sizeof(Elf64_Phdr))
		return COMMAND_LOADS;
	const char *loader = loader_of(head, &header);
	if (!loader)
		return COMMAND_IS_STATIC;
	return strstr(loader, "/ld-musl-") ? COMMAND_IS_MUSL : COMMAND_LOADS;
}

enum command_kind command_kind(const char *command)
{
	char path[PATH_MAX];
	if (strchr(command, '/'))
		snprintf(path, sizeof(path), "%s", command);
	else if (!find_in_path(command, path, sizeof(path)))
		return COMMAND_LOADS;
	struct head head;
	if (!read_head(path, &head))
		return COMMAND_LOADS;
	const char *interpreter = interpreter_of(&head);
	if (interpreter) {
		snprintf(path, sizeof(path), "%s", interpreter);
		if (!read_head(path, &head))
			return COMMAND_LOADS;
	}
	return kind_of(&head);
}

const char *command_kind_text(enum command_kind kind)
{
	static const char *const texts[N_COMMAND_KINDS] = {
		[COMMAND_IS_STATIC] =
			"is linked statically: nothing can be loaded into it, so what it "
			"does itself is not recorded",
		[COMMAND_IS_32_BIT] =
			"is a 32-bit program: the library is for 64-bit ones, so what it "
			"does itself is not recorded",
		[COMMAND_IS_MUSL] =
			"is built for musl: the library, which is for glibc, is not loaded "
			"into it and what it starts",
	};
	return texts[kind];
}
