/*
 * runtime_version.c - scan the segments of an ELF file in pieces. The file is not trusted and may
 * change while it is read.
 */
#include "versions/versions.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/input.h"

enum {
	MAX_SEGMENTS = 64,
	MAX_NOTE_BYTES = 4096,
	PIECE = 1 << 20,
	MAX_BYTES = 64 << 20,
	INSTRUCTION = 6, /* bytes */
	MARK_BYTES = 32, /* more than the mark has */
};

/* The name of an error, which every runtime contains. */
static const char mark[] = "cudaErrorInsufficientDriver";
static_assert(sizeof(mark) <= MARK_BYTES, "pieces overlap by a mark");

struct scan {
	int fd;
	uint16_t machine; /* EM_X86_64 or EM_AARCH64 */
	Elf64_Phdr segments[MAX_SEGMENTS];
	int n_segments;
	unsigned char *piece; /* PIECE bytes */
	size_t budget;        /* bytes that may still be read */
	bool has_mark;
	int version;       /* 0: not found yet */
	bool is_ambiguous; /* several versions were found */
};

static bool read_at(int fd, void *out, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, out, size, (off_t)offset) == (ssize_t)size;
}

static bool read_segments(struct scan *scan)
{
	Elf64_Ehdr header;
	if (!read_at(scan->fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64) ||
	    header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > MAX_SEGMENTS)
		return false;
	scan->machine = header.e_machine;
	scan->n_segments = header.e_phnum;
	return read_at(scan->fd, scan->segments, header.e_phnum * sizeof(Elf64_Phdr),
		       header.e_phoff);
}

/* True if the note contains the row's build-id. */
static bool is_build_id(const unsigned char *bytes, size_t size, const struct module_row *row)
{
	static const char owner[] = "GNU";
	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
		Elf64_Nhdr note;
		memcpy(&note, bytes + at, sizeof(note));
		size_t name = at + sizeof(note);
		size_t text = name + ((size_t)note.n_namesz + 3) / 4 * 4;
		if (text > size || note.n_descsz > size - text)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(owner) &&
		    !memcmp(bytes + name, owner, sizeof(owner)))
			return note.n_descsz == row->build_id_size &&
			       !memcmp(bytes + text, row->build_id, row->build_id_size);
		at = text + ((size_t)note.n_descsz + 3) / 4 * 4;
	}
	return false;
}

static bool is_module(const struct scan *scan, const struct module_row *row)
{
	if (!row->build_id_size || row->build_id_size > BUILD_ID_MAX)
		return false;
	unsigned char note[MAX_NOTE_BYTES];
	for (int i = 0; i < scan->n_segments; i++) {
		const Elf64_Phdr *segment = &scan->segments[i];
		size_t size = segment->p_filesz < sizeof(note) ? segment->p_filesz : sizeof(note);
		if (segment->p_type == PT_NOTE &&
		    read_at(scan->fd, note, size, segment->p_offset) &&
		    is_build_id(note, size, row))
			return true;
	}
	return false;
}

static void note_version(struct scan *scan, uint32_t value)
{
	if (value < 10000 || value >= 20000 || value % 10 != 0)
		return;
	scan->is_ambiguous |= scan->version && scan->version != (int)value;
	scan->version = (int)value;
}

/*
 * Look for movl $version, (register). Every runtime from 12.0 to 13.5 contains it, with no other
 * constant that looks like a version.
 */
static void scan_x86_64(struct scan *scan, const unsigned char *bytes, size_t size)
{
	const unsigned char *end = bytes + size;
	const unsigned char *at = bytes;
	while (size >= INSTRUCTION && at + INSTRUCTION <= end &&
	       (at = memchr(at, 0xc7, (size_t)(end - at - INSTRUCTION + 1)))) {
		uint32_t value = 0;
		memcpy(&value, at + 2, sizeof(value));
		bool is_plain = at[1] < 8 && at[1] != 4 && at[1] != 5;
		if (is_plain)
			note_version(scan, value);
		at++;
	}
}

/* True for str wN, [register]. */
static bool is_store_of(uint32_t code, uint32_t source)
{
	return (code & 0xfffffc1f) == (0xb9000000 | source);
}

/*
 * Look for mov wN, #version and str wN, [register], with at most one instruction between. The
 * runtimes 12.4, 12.8 and 13.5 contain it, with no other constant that looks like a version.
 */
static void scan_aarch64(struct scan *scan, const unsigned char *bytes, size_t size)
{
	uint32_t code[3];
	for (size_t at = 0; at + sizeof(code) <= size; at += sizeof(code[0])) {
		memcpy(code, bytes + at, sizeof(code));
		uint32_t source = code[0] & 31;
		if ((code[0] & 0xffe00000) == 0x52800000 &&
		    (is_store_of(code[1], source) || is_store_of(code[2], source)))
			note_version(scan, code[0] >> 5 & 0xffff);
	}
}

static void scan_code(struct scan *scan, const unsigned char *bytes, size_t size)
{
	if (scan->machine == EM_AARCH64)
		scan_aarch64(scan, bytes, size);
	else
		scan_x86_64(scan, bytes, size);
}

/* NVIDIA's linker may put strings into the segment of the code. */
static void scan_piece(struct scan *scan, uint32_t flags, size_t size)
{
	if (flags & PF_X)
		scan_code(scan, scan->piece, size);
	scan->has_mark |= memmem(scan->piece, size, mark, sizeof(mark)) != NULL;
}

/* Pieces overlap, because the mark may cross the border between two of them. */
static void scan_segment(struct scan *scan, const Elf64_Phdr *segment)
{
	uint64_t at = 0;
	while (at < segment->p_filesz && scan->budget) {
		uint64_t rest = segment->p_filesz - at;
		size_t size = rest < PIECE ? (size_t)rest : PIECE;
		size = size < scan->budget ? size : scan->budget;
		if (segment->p_offset > INT64_MAX - at ||
		    !read_at(scan->fd, scan->piece, size, segment->p_offset + at))
			return;
		scan->budget -= size;
		scan_piece(scan, segment->p_flags, size);
		if (size <= MARK_BYTES)
			return;
		at += size == rest ? size : size - MARK_BYTES;
	}
}

static int scan_file(struct scan *scan, const struct module_row *row)
{
	if (!read_segments(scan) || !is_module(scan, row))
		return 0;
	for (int i = 0; i < scan->n_segments; i++)
		if (scan->segments[i].p_type == PT_LOAD)
			scan_segment(scan, &scan->segments[i]);
	return scan->has_mark && !scan->is_ambiguous ? scan->version : 0;
}

int runtime_version_of(const char *path, const struct module_row *row)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	int version = 0;
	if (!scan)
		return 0;
	scan->budget = MAX_BYTES;
	scan->piece = malloc(PIECE);
	scan->fd = input_open_linked_file(path);
	if (scan->fd >= 0) {
		if (scan->piece)
			version = scan_file(scan, row);
		close(scan->fd);
	}
	free(scan->piece);
	free(scan);
	return version;
}
