/*
 * code_file.c - maps files, and checks that they were not replaced.
 */
#include "bundle/code_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time_units.h"
#include "coredump/elf_sections.h"

static bool is_same(const struct stat *status, const struct code_file_facts *facts)
{
	uint64_t changed =
		(uint64_t)status->st_mtim.tv_sec * NS_PER_S + (uint64_t)status->st_mtim.tv_nsec;
	return !facts || ((uint64_t)status->st_size == facts->size && changed == facts->changed_ns);
}

static int map_file(int fd, const struct code_file_facts *facts, struct code_file *out)
{
	struct stat status;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode) || status.st_size <= 0)
		return -EINVAL;
	if (!is_same(&status, facts))
		return -ESTALE;
	void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	out->bytes = (struct byte_span){bytes, (size_t)status.st_size};
	return 0;
}

int code_file_open(const char *path, const struct code_file_facts *facts, struct code_file *out)
{
	/* A path in an untrusted bundle may name a pipe. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int error = map_file(fd, facts, out);
	(void)close(fd);
	return error;
}

void code_file_close(struct code_file *file)
{
	union {
		const unsigned char *bytes;
		void *start;
	} mapping = {.bytes = file->bytes.bytes};
	(void)munmap(mapping.start, file->bytes.size);
}

/* The note is its whole section: name and description in whole words. */
static bool has_build_id(const struct elf_sections *sections, const struct module_row *module)
{
	struct elf_section note;
	if (module->build_id_size == 0 || module->build_id_size > BUILD_ID_MAX ||
	    !elf_section_named(sections, ".note.gnu.build-id", &note))
		return false;
	uint64_t names = (span_u32(note.content, 0) + UINT64_C(3)) / 4 * 4;
	uint64_t size = span_u32(note.content, sizeof(uint32_t));
	if (size > BUILD_ID_MAX)
		size = BUILD_ID_MAX;
	struct byte_span id;
	return size == module->build_id_size &&
	       span_part(note.content, sizeof(Elf64_Nhdr) + names, size, &id) &&
	       memcmp(id.bytes, module->build_id, size) == 0;
}

int code_file_open_module(const struct bundle_view *view, const struct module_row *module,
			  struct code_file *out)
{
	int error = code_file_open(view_string(view, module->path, NULL), NULL, out);
	if (error)
		return error;
	struct elf_sections sections;
	error = elf_sections_open(out->bytes, &sections);
	struct elf_section code;
	if (!error && !has_build_id(&sections, module) &&
	    (module->build_id_size > 0 || elf_section_named(&sections, ".nv_fatbin", &code)))
		error = -ESTALE;
	if (error)
		code_file_close(out);
	return error;
}

bool code_file_is_none(const struct bundle_view *view, const struct module_row *module)
{
	const char *path = view_string(view, module->path, NULL);
	return strcmp(path, "[vdso]") == 0 || strncmp(path, "linux-vdso.", 11) == 0 ||
	       strncmp(path, "linux-gate.", 11) == 0;
}

/* Skip code that the program may have changed after it was loaded. */
static bool is_around(const struct elf_section *section, uint64_t address)
{
	return (section->flags & SHF_ALLOC) && !(section->flags & SHF_WRITE) &&
	       address >= section->address && address - section->address < section->content.size;
}

struct byte_span code_file_at(const struct code_file *file, uint64_t address)
{
	struct byte_span found = {NULL, 0};
	struct elf_sections sections;
	if (elf_sections_open(file->bytes, &sections) != 0)
		return found;
	struct elf_section section;
	for (uint64_t i = 0; i < sections.n; i++) {
		if (elf_section_at(&sections, i, &section) && is_around(&section, address)) {
			(void)span_part(section.content, address - section.address,
					section.content.size - (address - section.address), &found);
			return found;
		}
	}
	return found;
}
