/*
 * code_address.c - sizes of kernels by the symbols of their image, and addresses one after another.
 */
#include "code/code_address.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "settings.h"

/* Seen on an H100 under driver 580.159: the offset of the word, and the alignment of code. */
enum { WORD = 0x68, OTHER_WORD = 0x118, ALIGNMENT = 0x80, INSTRUCTION = 16 };

/* Another word of the object, the same for all functions. */
enum { COMMON_WORD = 0xa8 };

static const uint64_t CODE_BYTES = (uint64_t)1 << 30;
static const uint64_t FAULTING_OFFSET = 0x30; /* most kernels' first load, seen on an H100 */

static uint64_t first_code, next_code; /* guarded by sim_lock */

static uint64_t size_in(const char *bytes, const ElfW(Shdr) * symbols, const char *names,
			const char *kernel)
{
	const ElfW(Sym) *symbol = (const void *)(bytes + symbols->sh_offset);

	for (size_t i = 0; i < symbols->sh_size / sizeof(*symbol); i++)
		if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC &&
		    strcmp(names + symbol[i].st_name, kernel) == 0)
			return symbol[i].st_size;
	return 0;
}

static uint64_t read_size(const char *bytes, const char *kernel)
{
	const ElfW(Ehdr) *header = (const void *)bytes;
	const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);

	for (int i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB)
			return size_in(bytes, &sections[i],
				       bytes + sections[sections[i].sh_link].sh_offset, kernel);
	return 0;
}

static uint64_t size_of(const struct CUfunc_st *function)
{
	struct stat status;
	uint64_t size = 0;
	void *bytes = NULL;

	if (fstat(function->module->fd, &status) != 0)
		return 0;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, function->module->fd, 0);
	if (bytes == MAP_FAILED)
		return 0;
	size = read_size(bytes, function->kernel->name);
	munmap(bytes, (size_t)status.st_size);
	return size;
}

/* The driver reserves the addresses of its GPU memory in the process. */
static uint64_t take_code(uint64_t size)
{
	uint64_t start = 0;

	if (!first_code) {
		void *memory = mmap(NULL, CODE_BYTES, PROT_NONE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (memory == MAP_FAILED)
			return 0;
		first_code = next_code = ((uintptr_t)memory + ALIGNMENT) & -(uint64_t)ALIGNMENT;
	}
	start = next_code;
	/* Machine code of a GPU is larger than this host's: leave as much room after it. */
	next_code += 2 * ((size + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT);
	return start;
}

static void set_word(CUfunction function, unsigned offset, uint64_t value)
{
	function->words[offset / sizeof(function->words[0])] = value;
}

void code_address_assign(CUfunction function)
{
	uint64_t size = size_of(function);
	uint64_t word = 0;

	function->code = take_code(size);
	function->code_size = size;
	word = function->code;
	if (settings.code.lies)
		word += (size + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT;
	set_word(function, 0x8, (uintptr_t)function->kernel);
	set_word(function, 0x10, UINT64_C(8) * ALIGNMENT);
	set_word(function, COMMON_WORD, first_code);
	if (!settings.code.is_absent)
		set_word(function, settings.code.is_other ? OTHER_WORD : WORD, word);
}

uint64_t code_address_faulting(const struct CUfunc_st *function)
{
	uint64_t last =
		function->code_size ? (function->code_size - 1) & -(uint64_t)INSTRUCTION : 0;

	return function->code + (last < FAULTING_OFFSET ? last : FAULTING_OFFSET);
}
