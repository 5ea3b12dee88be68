/*
 * symbol_tail.c - walks entries of call sites, as of DWARF 5 and as of GCC before it.
 */
#include "symbols/symbol_names.h"

#include <dwarf.h>
#include <stdlib.h>

const char *symbol_function_name(Dwarf_Die *die)
{
	static const unsigned int names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name};
	Dwarf_Attribute attribute;
	for (size_t index = 0; index < sizeof(names) / sizeof(names[0]); index++)
		if (dwarf_attr_integrate(die, names[index], &attribute))
			return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

void symbol_source_line(Dwarf_Die *unit, Dwarf_Addr address, struct source_frame *out)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0;
	int column = 0;
	if (!line || dwarf_lineno(line, &number) || dwarf_linecol(line, &column))
		return;
	out->file = dwarf_linesrc(line, NULL, NULL);
	out->line = number > 0 ? (uint32_t)number : 0;
	out->column = column > 0 ? (uint32_t)column : 0;
}

static bool is_call_site(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static bool has_flag(Dwarf_Die *die, unsigned int name)
{
	bool is_set = false;
	Dwarf_Attribute attribute;
	return dwarf_attr(die, name, &attribute) && !dwarf_formflag(&attribute, &is_set) && is_set;
}

static bool is_tail_call(Dwarf_Die *die)
{
	return has_flag(die, DW_AT_call_tail_call) || has_flag(die, DW_AT_GNU_tail_call);
}

/* Return the address after the call, or one in a tail call plus one; 0 if it is not known. */
static Dwarf_Addr end_of_call(Dwarf_Die *die)
{
	Dwarf_Addr address = 0;
	Dwarf_Attribute attribute;
	if (dwarf_attr(die, DW_AT_call_return_pc, &attribute))
		return dwarf_formaddr(&attribute, &address) ? 0 : address;
	if (dwarf_attr(die, DW_AT_call_pc, &attribute))
		return dwarf_formaddr(&attribute, &address) ? 0 : address + 1;
	return dwarf_lowpc(die, &address) ? 0 : address;
}

/* False for a call by a pointer. */
static bool read_reference(Dwarf_Die *die, unsigned int name, Dwarf_Die *out)
{
	Dwarf_Attribute attribute;
	return dwarf_attr(die, name, &attribute) && dwarf_formref_die(&attribute, out);
}

static bool read_callee(Dwarf_Die *site, Dwarf_Die *out)
{
	return read_reference(site, DW_AT_call_origin, out) ||
	       read_reference(site, DW_AT_abstract_origin, out);
}

/* The call sites of a function, with those of calls inlined into it. */
struct sites {
	Dwarf_Addr wanted; /* the end of a call; 0: tail calls are wanted */
	size_t n;
	Dwarf_Die last;
};

enum { MAX_DEPTH = 32 };

/* Blocks are nested up to MAX_DEPTH. NOLINTNEXTLINE(misc-no-recursion) */
static void find_sites(Dwarf_Die *parent, unsigned depth, struct sites *sites)
{
	Dwarf_Die child;
	if (depth == MAX_DEPTH || dwarf_child(parent, &child))
		return;
	do {
		bool is_wanted =
			sites->wanted ? end_of_call(&child) == sites->wanted : is_tail_call(&child);
		if (is_call_site(&child) && is_wanted) {
			sites->n++;
			sites->last = child;
		} else if (dwarf_tag(&child) == DW_TAG_lexical_block ||
			   dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
			find_sites(&child, depth + 1, sites);
		}
	} while (!dwarf_siblingof(&child, &child));
}

static bool has_code(Dwarf_Die *die)
{
	Dwarf_Addr address = 0;
	return !dwarf_lowpc(die, &address) || dwarf_hasattr(die, DW_AT_ranges);
}

/* True if `die` is the code of the function that is declared, or only described, by `of`. */
static bool is_code_of(Dwarf_Die *die, Dwarf_Die *of)
{
	Dwarf_Die other;
	if (dwarf_tag(die) != DW_TAG_subprogram || !has_code(die))
		return false;
	bool is_instance = read_reference(die, DW_AT_abstract_origin, &other) ||
			   read_reference(die, DW_AT_specification, &other);
	return is_instance && dwarf_dieoffset(&other) == dwarf_dieoffset(of);
}

/* The function that is wanted: the code of `of`, or if that is NULL the one at the address. */
struct wanted {
	Dwarf_Die *of;
	Dwarf_Addr address;
};

static bool is_wanted(const struct wanted *wanted, Dwarf_Die *die)
{
	if (wanted->of)
		return is_code_of(die, wanted->of);
	return dwarf_tag(die) == DW_TAG_subprogram && dwarf_haspc(die, wanted->address) > 0;
}

/* Clang has functions within their namespaces. NOLINTNEXTLINE(misc-no-recursion) */
static bool find_in(Dwarf_Die *parent, unsigned depth, const struct wanted *wanted, Dwarf_Die *out)
{
	Dwarf_Die child;
	if (depth == MAX_DEPTH || dwarf_child(parent, &child))
		return false;
	do {
		*out = child;
		if (is_wanted(wanted, &child) || (dwarf_tag(&child) == DW_TAG_namespace &&
						  find_in(&child, depth + 1, wanted, out)))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/* Find the code of a function within its unit. False for a function of another unit. */
static bool find_code(Dwarf_Die *unit, Dwarf_Die *of, Dwarf_Die *out)
{
	const struct wanted wanted = {.of = of};
	*out = *of;
	return has_code(of) || find_in(unit, 0, &wanted, out);
}

size_t symbol_tail_find(Dwarf_Die *unit, Dwarf_Addr return_address, struct source_frame *out,
			size_t max)
{
	struct sites sites = {.wanted = return_address};
	Dwarf_Die function;
	Dwarf_Die callee;
	size_t n = 0;
	/* The call may be the last instruction of its function. */
	const struct wanted caller = {.address = return_address - 1};
	if (!find_in(unit, 0, &caller, &function))
		return 0;
	find_sites(&function, 0, &sites);
	while (sites.n == 1 && n < max && read_callee(&sites.last, &callee) &&
	       find_code(unit, &callee, &function)) {
		sites = (struct sites){.wanted = 0};
		find_sites(&function, 0, &sites);
		if (!sites.n)
			break;
		out[n] = (struct source_frame){.function = symbol_function_name(&function),
					       .is_tail_call = true};
		if (sites.n == 1)
			symbol_source_line(unit, end_of_call(&sites.last) - 1, &out[n]);
		n++;
	}
	return n;
}
