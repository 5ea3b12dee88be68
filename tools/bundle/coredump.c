/*
 * coredump.c - reads the needed parts of a GPU core dump, at their offsets in the file. core/
 * interprets them. Dumps with the memory of the GPU may be larger than the machine's memory, so
 * this reserves memory for the whole file. It does not map the file: a truncation meanwhile would
 * kill us.
 */
#include "bundle/coredump.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/input.h"

/* Larger than any GPU's memory plus a table for each lane that can run. */
static const uint64_t max_bytes = 4ull << 40;
static const uint64_t max_sections = 16ull << 20;

/* Read up to `end`, or to the end of the file. Return 0 or -errno. */
static int read_range(int fd, char *bytes, uint64_t at, uint64_t end)
{
	ssize_t n = input_read_at(fd, bytes + at, end - at, at);
	return n < 0 ? (int)n : 0;
}

/*
 * Find the next piece of data from `at` on, up to *out_end. *out_start is `end` after the last one.
 */
static void find_data(int fd, uint64_t at, uint64_t end, uint64_t *out_start, uint64_t *out_end)
{
	off_t data = lseek(fd, (off_t)at, SEEK_DATA);
	bool is_hole = data < 0 && errno == ENXIO;
	off_t hole = data < 0 ? data : lseek(fd, data, SEEK_HOLE);
	*out_start = at; /* the file system does not support holes */
	*out_end = end;
	if (is_hole || (data >= 0 && (uint64_t)data >= end)) {
		*out_start = end;
	} else if (hole > data && data >= 0) {
		*out_start = (uint64_t)data;
		*out_end = (uint64_t)hole < end ? (uint64_t)hole : end;
	}
}

/* Read without the holes, which would read as zeros and take memory. */
static int read_data(int fd, char *bytes, uint64_t at, uint64_t end)
{
	int result = 0;
	while (at < end && !result) {
		uint64_t stop = 0;
		uint64_t start = 0;
		find_data(fd, at, end, &start, &stop);
		result = read_range(fd, bytes, start, stop);
		at = stop;
	}
	return result;
}

/* Read the header and the section table, as far as the file has them. */
static int read_table(int fd, char *bytes, uint64_t size)
{
	struct byte_span file = {(const unsigned char *)bytes, size};
	uint64_t head = size < sizeof(Elf64_Ehdr) ? size : sizeof(Elf64_Ehdr);
	int result = read_range(fd, bytes, 0, head);
	if (result)
		return result;
	struct elf_sections sections;
	Elf64_Ehdr header;
	if (!span_copy(file, 0, &header, sizeof(header)) ||
	    elf_sections_open(file, &sections) == -EBADMSG)
		return -EBADMSG;
	if (header.e_shoff >= size)
		return 0;
	/* The first entry may hold the number of entries. */
	head = size - header.e_shoff < sizeof(Elf64_Shdr) ? size
							  : header.e_shoff + sizeof(Elf64_Shdr);
	result = read_data(fd, bytes, header.e_shoff, head);
	if (result)
		return result;
	(void)elf_sections_open(file, &sections);
	if (sections.n > max_sections)
		return -EBADMSG;
	return read_data(fd, bytes, sections.first,
			 sections.first + sections.n * sizeof(Elf64_Shdr));
}

/*
 * Read the sections that are needed. Overlapping sections are not all read: a later check refuses
 * such a file.
 */
static int read_sections(int fd, char *bytes, uint64_t size)
{
	struct byte_span file = {(const unsigned char *)bytes, size};
	uint64_t left = size;
	struct elf_sections sections;
	(void)elf_sections_open(file, &sections);
	struct elf_section section;
	for (uint64_t i = 0; i < sections.n; i++) {
		if (!elf_section_at(&sections, i, &section) || !gpu_coredump_needs(section.type) ||
		    section.content.size > left)
			continue;
		uint64_t at =
			section.content.size ? (uint64_t)(section.content.bytes - file.bytes) : 0;
		left -= section.content.size;
		int result = read_data(fd, bytes, at, at + section.content.size);
		if (result)
			return result;
	}
	return 0;
}

static void free_bytes(char *bytes, size_t size)
{
	if (bytes)
		munmap(bytes, size);
}

/*
 * Read the tables, code and names of the open file. *out_bytes has the size of the file; its other
 * bytes are zero and take no memory. Return 0; -EBADMSG if it is not an ELF file, or a malformed
 * one; -EFBIG; or -errno.
 */
static int read_bytes(int fd, char **out_bytes, size_t *out_size)
{
	struct stat status;
	if (fstat(fd, &status))
		return -errno;
	if (!status.st_size)
		return -EBADMSG;
	if ((uint64_t)status.st_size > max_bytes)
		return -EFBIG;
	char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		return -EFBIG;
	int result = read_table(fd, bytes, (uint64_t)status.st_size);
	if (!result)
		result = read_sections(fd, bytes, (uint64_t)status.st_size);
	if (result) {
		free_bytes(bytes, (size_t)status.st_size);
		return result;
	}
	*out_bytes = bytes;
	*out_size = (size_t)status.st_size;
	return 0;
}

static int read_file(int directory_fd, const char *name, struct coredump *coredump)
{
	int fd = input_open_file(directory_fd, name);
	if (fd < 0)
		return fd;
	int result = read_bytes(fd, &coredump->bytes, &coredump->size);
	close(fd);
	return result;
}

static int digest(struct coredump *coredump)
{
	int result = gpu_coredump_open(&coredump->dump, coredump->bytes, coredump->size);
	if (result && result != -ENODATA)
		return result;
	coredump->is_cut = result == -ENODATA;
	gpu_fault_read(&coredump->dump, &coredump->fault);
	return 0;
}

int coredump_read(int directory_fd, const char *name, const char *path, struct coredump **out)
{
	struct coredump *coredump = calloc(1, sizeof(*coredump));
	int result = -ENOMEM;
	if (coredump)
		coredump->path = strdup(path);
	if (coredump && coredump->path)
		result = read_file(directory_fd, name, coredump);
	if (!result)
		result = digest(coredump);
	if (result)
		coredump_close(coredump);
	else
		*out = coredump;
	return result;
}

void coredump_close(struct coredump *coredump)
{
	if (!coredump)
		return;
	free_bytes(coredump->bytes, coredump->size);
	free(coredump->path);
	free(coredump);
}

const char *coredump_error_text(int error)
{
	switch (error) {
	case -EBADMSG:
		return "is not a GPU core dump";
	case -EFBIG:
		return "is too large to read; have it written without memory "
		       "(CUDA_COREDUMP_GENERATION_FLAGS=skip_global_memory)";
	default:
		return input_error_text(error);
	}
}

bool coredump_is_before(const struct coredump *coredump, long long start_time)
{
	return start_time > 0 && coredump->fault.time != 0 &&
	       (long long)coredump->fault.time < start_time;
}
