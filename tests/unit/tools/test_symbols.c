/*
 * test_symbols.c - source lines, inlined calls and names from debug information, on this program
 * itself; and that a file which is not the journaled one names nothing.
 *
 * usage: test_symbols [STRIPPED]: a copy of this program without debug information
 */
#include "symbols/symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/short_name.h"
#include "support/check.h"
#include "support/symbols_target.h"
#include "symbols/symbol_names.h"

enum { MAX_FRAMES = 8 };

static struct module_row own_row; /* build-id and bias of this program */
static char own_path[4096];
static unsigned lines[3];
static uint64_t offset; /* of the target's return address */

static void read_build_id(const ElfW(Phdr) * segment, uintptr_t bias)
{
	const char *note = (const char *)(bias + segment->p_vaddr);
	const char *end = note + segment->p_memsz;
	while (note < end) {
		const ElfW(Nhdr) *header = (const void *)note;
		const char *name = note + sizeof(*header);
		const char *content = name + (header->n_namesz + 3) / 4 * 4;
		if (header->n_type == NT_GNU_BUILD_ID && !strcmp(name, "GNU")) {
			CHECK(header->n_descsz <= BUILD_ID_MAX);
			own_row.build_id_size = header->n_descsz;
			memcpy(own_row.build_id, content, header->n_descsz);
		}
		note = content + (header->n_descsz + 3) / 4 * 4;
	}
}

/* The first object is the program. */
static int read_program(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	own_row.bias = info->dlpi_addr;
	for (int index = 0; index < info->dlpi_phnum; index++)
		if (info->dlpi_phdr[index].p_type == PT_NOTE)
			read_build_id(&info->dlpi_phdr[index], info->dlpi_addr);
	return 1;
}

static void begin(void)
{
	ssize_t length = readlink("/proc/self/exe", own_path, sizeof(own_path) - 1);
	CHECK(length > 0);
	dl_iterate_phdr(read_program, NULL);
	CHECK(own_row.build_id_size > 0);
	offset = (uint64_t)(uintptr_t)target_return_address(lines) - own_row.bias;
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

static void check_frame(const struct source_frame *frame, const char *function, unsigned line,
			bool is_inlined)
{
	CHECK(frame->function && frame->file);
	CHECK(strstr(frame->function, function));
	CHECK_STRING(base_name(frame->file), "symbols_target.cpp");
	CHECK_EQUAL(frame->line, line);
	CHECK_EQUAL(frame->is_inlined, is_inlined);
}

static void test_inlined_frames(struct symbols *symbols)
{
	struct source_frame frames[MAX_FRAMES];
	size_t n = symbols_frames(symbols, 1, &own_row, own_path, offset, frames, MAX_FRAMES);
	CHECK_EQUAL(n, 3);
	/* Whether an inlined static function keeps its full name is up to the compiler. */
	check_frame(&frames[0], "inner<int>", lines[0], true);
	check_frame(&frames[1], "middle", lines[1], true);
	check_frame(&frames[2], "target::Class::outer()", lines[2], false);
	/* The same from the cache. */
	n = symbols_frames(symbols, 1, &own_row, own_path, offset, frames, 1);
	CHECK_EQUAL(n, 1);
	CHECK_EQUAL(frames[0].line, lines[0]);
}

/* Without optimisation the call is no jump, and the address is in the function that made it. */
static void test_tail_calls(struct symbols *symbols)
{
	unsigned line = 0;
	uint64_t address = (uint64_t)(uintptr_t)target_after_jump(&line) - own_row.bias;
	const struct symbol_source source = symbols_source(symbols);
	struct source_frame frames[MAX_FRAMES];
	size_t n = symbols_frames(symbols, 1, &own_row, own_path, address, frames, MAX_FRAMES);
	CHECK_EQUAL(n, 1);
	bool is_jump = strstr(frames[0].function, "calls_jumps");
	n = source.tail_callers(symbols, 1, &own_row, own_path, address, frames, MAX_FRAMES);
	CHECK_EQUAL(n, is_jump);
	if (is_jump)
		check_frame(&frames[0], "jumps", line, false);
	/* A call of a function that does not jump. */
	CHECK_EQUAL(source.tail_callers(symbols, 1, &own_row, own_path, offset, frames, MAX_FRAMES),
		    0);
}

static void test_other_build_id(struct symbols *symbols)
{
	struct module_row row = own_row;
	row.build_id[0] ^= 1;
	struct source_frame frames[MAX_FRAMES];
	CHECK_EQUAL(symbols_frames(symbols, 2, &row, own_path, offset, frames, MAX_FRAMES), 0);
	CHECK(strstr(symbols_module_problem(symbols, 2), "build-id"));
	row = own_row;
	row.build_id_size--;
	CHECK_EQUAL(symbols_frames(symbols, 3, &row, own_path, offset, frames, MAX_FRAMES), 0);
	row.build_id_size = 0;
	CHECK_EQUAL(symbols_frames(symbols, 4, &row, own_path, offset, frames, MAX_FRAMES), 0);
}

static void test_no_file(struct symbols *symbols)
{
	static const char *const paths[] = {"/nonexistent/file", "[vdso]", "",
					    "/dev/null",         "/proc",  "symbols_target.cpp"};
	struct source_frame frames[MAX_FRAMES];
	for (uint32_t index = 0; index < sizeof(paths) / sizeof(paths[0]); index++) {
		CHECK_EQUAL(symbols_frames(symbols, 10 + index, &own_row, paths[index], offset,
					   frames, MAX_FRAMES),
			    0);
		CHECK(symbols_module_problem(symbols, 10 + index));
	}
	CHECK_EQUAL(symbols_frames(symbols, 0, NULL, "", offset, frames, MAX_FRAMES), 0);
}

static void test_outside(struct symbols *symbols)
{
	static const uint64_t offsets[] = {0, 1, UINT64_MAX, 1ull << 47};
	struct source_frame frames[MAX_FRAMES];
	for (size_t index = 0; index < sizeof(offsets) / sizeof(offsets[0]); index++)
		CHECK_EQUAL(symbols_frames(symbols, 1, &own_row, own_path, offsets[index], frames,
					   MAX_FRAMES),
			    0);
}

/* Only the symbol table is left: it names the function, but no lines and no inlined calls. */
static void test_stripped(struct symbols *symbols, const char *path)
{
	struct source_frame frames[MAX_FRAMES];
	size_t n = symbols_frames(symbols, 5, &own_row, path, offset, frames, MAX_FRAMES);
	CHECK_EQUAL(n, 1);
	CHECK_STRING(frames[0].function, "target::Class::outer()");
	CHECK(!frames[0].file);
	CHECK_EQUAL(frames[0].line, 0);
}

static void test_demangle(struct symbols *symbols)
{
	CHECK_STRING(symbols_demangle(symbols, "_ZN4math7scatterIfEEvPT_S2_"),
		     "void math::scatter<float>(float*, float*)");
	CHECK(!symbols_demangle(symbols, "scatter"));
	CHECK(!symbols_demangle(symbols, "f")); /* would be float */
	CHECK(!symbols_demangle(symbols, "_Zbroken"));
	CHECK(!symbols_demangle(symbols, ""));
}

static const char *shorten(const char *name, char *buffer, size_t size)
{
	struct text text = text_in(buffer, size);
	short_name_add_kernel(name, &text);
	return buffer;
}

/* The library, which has no demangler, calls a kernel as the command does. */
static void test_same_short_names(struct symbols *symbols)
{
	static const char *const names[] = {
		"_Z7scatterPf",
		"_ZN4math7scatterIfEEvPT_S2_",
		"_ZN12_GLOBAL__N_11kILin1ELb1EEEvi",
		"_ZN5outerIiE5innerIfEEvv",
		"_ZN5outerIN2ns3BoxIPKcLj3EEEE5innerEv",
		("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPc"
		 "Lm1EEEEviT0_T1_"),
		"_ZN7cutlass7Kernel2I43cutlass_80_simt_sgemm_256x128_8x4_nn_align1EEvNT_6ParamsE",
	};
	char demangled[256];
	char mangled[256];
	for (size_t index = 0; index < sizeof(names) / sizeof(names[0]); index++) {
		const char *name = symbols_demangle(symbols, names[index]);
		CHECK(name);
		CHECK_STRING(shorten(names[index], mangled, sizeof(mangled)),
			     shorten(name, demangled, sizeof(demangled)));
		CHECK(strncmp(mangled, "_Z", 2) != 0);
	}
}

/* Return the program's or a library's largest section of code. */
static GElf_Shdr find_code(Elf *elf)
{
	GElf_Shdr largest = {.sh_size = 0};
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		CHECK(gelf_getshdr(section, &header));
		if (header.sh_flags & SHF_EXECINSTR && header.sh_size > largest.sh_size)
			largest = header;
	}
	return largest;
}

/* Every address has the name that libdwfl's search through the whole table finds. */
static void test_names_of(const char *path)
{
	enum { N_ADDRESSES = 2000 };
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
						 .find_debuginfo = dwfl_standard_find_debuginfo,
						 .section_address = dwfl_offline_section_address,
						 .debuginfo_path = &debug_path};
	struct symbol_names names = {.n = 0};
	GElf_Addr bias = 0;
	Dwfl *dwfl = dwfl_begin(&callbacks);
	CHECK(dwfl);
	dwfl_report_begin(dwfl);
	Dwfl_Module *file = dwfl_report_elf(dwfl, path, path, -1, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	Elf *elf = file ? dwfl_module_getelf(file, &bias) : NULL;
	CHECK(elf);
	GElf_Shdr code = find_code(elf);
	unsigned n_known = 0;
	for (uint64_t i = 0; i < N_ADDRESSES; i++) {
		GElf_Addr address = code.sh_addr + bias + i * 7919 * 31 % code.sh_size;
		const char *wanted = dwfl_module_addrname(file, address);
		const char *found = symbol_names_find(&names, file, address);
		CHECK(!wanted == !found);
		if (wanted)
			CHECK_STRING(found, wanted);
		n_known += wanted != NULL;
	}
	CHECK(n_known > N_ADDRESSES / 10);
	symbol_names_free(&names);
	dwfl_end(dwfl);
}

static void test_names(void)
{
	Dl_info libc;
	CHECK(dladdr((void *)(uintptr_t)&abort, &libc));
	test_names_of(own_path);
	test_names_of(libc.dli_fname);
}

static void copy_program(const char *path)
{
	char bytes[4096];
	int from = open(own_path, O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	CHECK(from >= 0 && to >= 0);
	for (ssize_t n; (n = read(from, bytes, sizeof(bytes))) > 0;)
		CHECK_EQUAL(write(to, bytes, (size_t)n), n);
	close(from);
	close(to);
}

/* Ask for the frames of the program at this path, as an analysis of its own. */
static size_t ask_anew(uint32_t id, const struct module_row *row, const char *path)
{
	struct source_frame frames[MAX_FRAMES];
	struct symbols *symbols = symbols_open(SYMBOLS_WAIT_SECONDS);
	CHECK(symbols);
	size_t n = symbols_frames(symbols, id, row, path, offset, frames, MAX_FRAMES);
	CHECK(n == 0 || n == 3);
	if (n)
		check_frame(&frames[0], "inner<int>", lines[0], true);
	else
		CHECK(symbols_module_problem(symbols, id));
	symbols_close(symbols);
	return n;
}

/* While symbols are shared, the file is read for its first bundle alone. */
static void test_shared(void)
{
	char path[] = "/tmp/culprit-symbols-XXXXXX";
	struct module_row other = own_row;
	other.build_id[0] ^= 1;
	int fd = mkstemp(path);
	CHECK(fd >= 0);
	close(fd);
	copy_program(path);
	symbols_share(true);
	CHECK_EQUAL(ask_anew(1, &own_row, path), 3);
	unlink(path);
	CHECK_EQUAL(ask_anew(2, &own_row, path), 3);
	CHECK_EQUAL(ask_anew(1, &other, path), 0);
	CHECK_EQUAL(ask_anew(1, &own_row, "/nonexistent/file"), 0);
	CHECK_EQUAL(ask_anew(1, &own_row, path), 3);
	symbols_share(false);
	CHECK_EQUAL(ask_anew(1, &own_row, path), 0);
}

int main(int argc, char **argv)
{
	struct symbols *symbols = symbols_open(SYMBOLS_WAIT_SECONDS);
	CHECK(symbols);
	begin();
	test_inlined_frames(symbols);
	test_tail_calls(symbols);
	test_other_build_id(symbols);
	test_no_file(symbols);
	test_outside(symbols);
	test_demangle(symbols);
	test_same_short_names(symbols);
	if (argc > 1)
		test_stripped(symbols, argv[1]);
	symbols_close(symbols);
	test_names();
	test_shared();
	return 0;
}
