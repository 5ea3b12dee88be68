/*
 * symbol_module.c - libdw on one file: opening and verifying it, then lines, inlined calls and, as
 * a last resort, the symbol table. libdw itself finds separate debug files and asks the servers of
 * DEBUGINFOD_URLS.
 */
#include "symbols/symbol_module.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/module_file.h"
#include "files/input.h"
#include "symbols/symbol_names.h"

struct symbol_module {
	Dwfl *dwfl;        /* of this file alone, so that no two files overlap in it */
	Dwfl_Module *file; /* NULL: the module has a problem */
	uint64_t bias;     /* address for libdwfl - address in the file */
	const char *problem;
	struct symbol_names names;
};

static const char changed[] = "the file has changed since (its build-id differs)";
static const char replaced[] = "the file has changed since (its inode, size or time differs)";

static char *debug_path; /* libdw's default search path: NULL */

/* NOLINTNEXTLINE(readability-non-const-parameter) libdw's signature */
static int find_nothing(Dwfl_Module *file, void **user_data, const char *name, Dwarf_Addr base,
			const char *path, const char *link, GElf_Word sum, char **out_path)
{
	(void)file;
	(void)user_data;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)sum;
	(void)out_path;
	errno = 0;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

/* For debug information in the file itself only. */
static const Dwfl_Callbacks callbacks_alone = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_nothing,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

static bool has_build_id(Dwfl_Module *file, const struct module_row *row)
{
	const unsigned char *bits = NULL;
	GElf_Addr address = 0;
	int length = dwfl_module_build_id(file, &bits, &address);
	if (length <= 0)
		return row->build_id_size == 0;
	/* The journal keeps the first BUILD_ID_MAX bytes of a longer one. */
	if (length > BUILD_ID_MAX)
		length = BUILD_ID_MAX;
	return (uint32_t)length == row->build_id_size &&
	       !memcmp(bits, row->build_id, (size_t)length);
}

static const char *open_problem(int error)
{
	switch (error) {
	case -ENOENT:
		return "the file is gone";
	case -EINVAL:
		return "not a regular file";
	default:
		return "the file cannot be opened";
	}
}

/* Compare two files without a build-id; journals of older versions have nothing to compare. */
static bool is_same_file(int fd, const struct module_row *row)
{
	if (row->build_id_size || !(row->flags & MODULE_HAS_FILE))
		return true;
	struct stat status;
	if (fstat(fd, &status))
		return false;
	struct module_file file = module_file_of(&status);
	return !memcmp(&file, &row->file, sizeof(file));
}

/* Fills file and bias. Returns NULL, or the problem. */
static const char *load(struct symbol_module *module, const struct module_row *row,
			const char *path)
{
	int fd = input_open_linked_file(path);
	if (fd < 0)
		return open_problem(fd);
	bool is_same = is_same_file(fd, row);
	dwfl_report_begin(module->dwfl);
	module->file = dwfl_report_elf(module->dwfl, path, path, fd, 0, true);
	dwfl_report_end(module->dwfl, NULL, NULL);
	if (!module->file) {
		close(fd);
		return "not an ELF file";
	}
	GElf_Addr bias = 0;
	if (!dwfl_module_getelf(module->file, &bias))
		return "not an ELF file";
	module->bias = bias;
	if (!has_build_id(module->file, row))
		return changed;
	return is_same ? NULL : replaced;
}

struct symbol_module *symbol_module_open(const struct module_row *row, const char *path,
					 bool is_alone)
{
	struct symbol_module *module = calloc(1, sizeof(*module));
	if (!module)
		return NULL;
	if (!path || *path != '/') { /* [vdso], [anon] and similar names */
		module->problem = "not a file";
		return module;
	}
	module->dwfl = dwfl_begin(is_alone ? &callbacks_alone : &callbacks);
	module->problem = module->dwfl ? load(module, row, path) : "out of memory";
	if (module->problem)
		module->file = NULL;
	return module;
}

const char *symbol_module_problem(const struct symbol_module *module)
{
	return module->problem;
}

bool symbol_module_has_changed(const struct symbol_module *module)
{
	return module->problem == changed || module->problem == replaced;
}

static bool is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_entry_point;
}

/* Return 0 and the attribute's value, or -1 if the entry has none. */
static int read_attribute(Dwarf_Die *die, unsigned int name, uint32_t *out_value)
{
	Dwarf_Word value = 0;
	Dwarf_Attribute attribute;
	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) ||
	    value > UINT32_MAX)
		return -1;
	*out_value = (uint32_t)value;
	return 0;
}

/* Store the location of the inlined call whose body is `die`. */
static void call_site(Dwarf_Die *unit, Dwarf_Die *die, struct source_frame *out)
{
	(void)read_attribute(die, DW_AT_call_line, &out->line);
	(void)read_attribute(die, DW_AT_call_column, &out->column);
	/* Up to DWARF 4 the index 0 means no file, for which libdw has "???". */
	Dwarf_Files *files = NULL;
	size_t n_files = 0;
	uint32_t file = 0;
	if (!read_attribute(die, DW_AT_call_file, &file) &&
	    !dwarf_getsrcfiles(unit, &files, &n_files) && file < n_files)
		out->file = dwarf_filesrc(files, file, NULL, NULL);
	if (out->file && !strcmp(out->file, "???"))
		out->file = NULL;
}

/* Returns the compilation unit with code at libdwfl's `address`; *out_address is in its own file.
 */
static Dwarf_Die *find_unit(struct symbol_module *module, uint64_t address, Dwarf_Addr *out_address)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = dwfl_module_addrdie(module->file, address, &bias);
	/* This look-up uses .debug_aranges, which clang does not write. */
	if (!unit)
		while ((unit = dwfl_module_nextcu(module->file, unit, &bias)))
			if (dwarf_haspc(unit, address - bias) > 0)
				break;
	if (unit)
		*out_address = address - bias;
	return unit;
}

/*
 * Make frames from `dies`, the debug entries around an address from inside to outside. out[0]
 * already has its line. Every inlined entry gives the line of the next frame out.
 */
static size_t frames_of_dies(Dwarf_Die *unit, Dwarf_Die *dies, int n_dies, struct source_frame *out,
			     size_t max)
{
	size_t n = 0;
	for (int index = 0; index < n_dies && n < max; index++) {
		if (!is_function(&dies[index]))
			continue;
		out[n].function = symbol_function_name(&dies[index]);
		out[n].is_inlined = dwarf_tag(&dies[index]) == DW_TAG_inlined_subroutine;
		n++;
		if (!out[n - 1].is_inlined)
			break;
		if (n < max) {
			out[n] = (struct source_frame){0};
			call_site(unit, &dies[index], &out[n]);
		}
	}
	return n;
}

static size_t debug_frames(struct symbol_module *module, uint64_t dwfl_address,
			   struct source_frame *out, size_t max)
{
	Dwarf_Addr address = 0;
	Dwarf_Die *unit = find_unit(module, dwfl_address, &address);
	Dwarf_Die *scopes = NULL;
	Dwarf_Die *dies = NULL;
	if (!unit)
		return 0;
	symbol_source_line(unit, address, &out[0]);
	int n_scopes = dwarf_getscopes(unit, address, &scopes);
	/*
	 * After an inlined entry, `scopes` continues with the scopes around its definition. The
	 * chain of calls is that of the entries' parents.
	 */
	int n_dies = n_scopes > 0 ? dwarf_getscopes_die(&scopes[0], &dies) : 0;
	size_t n = n_dies > 0 ? frames_of_dies(unit, dies, n_dies, out, max) : 0;
	free(dies);
	free(scopes);
	return n;
}

size_t symbol_module_frames(struct symbol_module *module, uint64_t address,
			    struct source_frame *out, size_t max)
{
	if (!module->file || !max)
		return 0;
	address += module->bias;
	out[0] = (struct source_frame){0};
	size_t n = debug_frames(module, address, out, max);
	if (n)
		return n;
	out[0].function = symbol_names_find(&module->names, module->file, address);
	return out[0].function || out[0].file ? 1 : 0;
}

size_t symbol_module_tail_callers(struct symbol_module *module, uint64_t return_address,
				  struct source_frame *out, size_t max)
{
	Dwarf_Addr address = 0;
	Dwarf_Die *unit = module->file
				  ? find_unit(module, return_address - 1 + module->bias, &address)
				  : NULL;
	return unit ? symbol_tail_find(unit, address + 1, out, max) : 0;
}
