/*
 * code_reach.c - follow the calls from one kernel. The unit is a section: a kernel's section also
 * contains copies of functions that it calls, so their calls count as the kernel's.
 */
#include "code/code_reach.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/*
 * The rows of .nv.callgraph are pairs of symbols. A row whose first symbol is 0 starts a part, and
 * its second number is the kind of part: calls, functions whose address is taken (with prototype),
 * functions that call through pointers (with prototype), and functions that take an address.
 */
struct call_row {
	uint32_t caller, callee;
};
enum {
	PART_CALLS = -1,
	PART_ADDRESSED = -2,
	PART_POINTERS = -3,
	PART_TAKERS = -4,
};

/* Larger than in any file of nvcc's. Beyond these limits, the claim is unknown. */
enum { MAX_SECTIONS = 1 << 16, MAX_PASSES = 64 };

/* An instruction has 16 bytes. The first two contain the opcode, followed by the form. */
enum {
	INSTRUCTION_BYTES = 16,
	OPCODE_MASK = 0x1ff,
	OPCODE_CALL_ABSOLUTE = 0x143,
	OPCODE_CALL_RELATIVE = 0x144,
	OPCODE_JUMP = 0x14a,
	OPCODE_JUMP_INDEXED = 0x14c,
	OPCODE_TRAP = 0x15c, /* BPT, traps and breakpoints: sm_75 to sm_120, by nvcc 13.0 */
	FORM_SHIFT = 9,
	FORM_MASK = 7,
	FORM_IMMEDIATE = 4,
};

/* Driver functions that return and raise no assertion. */
static const char *const harmless[] = {"vprintf", "malloc", "free"};

struct reach {
	const struct cubin *cubin;
	uint8_t *is_reached; /* by section */
	enum assert_claim claim;
	bool has_grown;
	bool can_trap;
};

static void worsen(struct reach *reach, enum assert_claim claim)
{
	if (claim > reach->claim)
		reach->claim = claim;
}

/* True for a call or jump whose target is in a register, or whose form is unknown. */
static bool is_anywhere(uint16_t word)
{
	switch (word & OPCODE_MASK) {
	case OPCODE_CALL_ABSOLUTE:
	case OPCODE_CALL_RELATIVE:
	case OPCODE_JUMP:
	case OPCODE_JUMP_INDEXED:
		return (word >> FORM_SHIFT & FORM_MASK) != FORM_IMMEDIATE;
	default:
		return false;
	}
}

static bool is_closed_code(const struct elf_section *section)
{
	if (!(section->flags & SHF_EXECINSTR) || section->size == 0 ||
	    section->content.size != section->size || section->size % INSTRUCTION_BYTES != 0)
		return false;
	for (uint64_t at = 0; at < section->size; at += INSTRUCTION_BYTES) {
		if (is_anywhere(span_u16(section->content, at)))
			return false;
	}
	return true;
}

static bool has_trap(const struct elf_section *section)
{
	if (!(section->flags & SHF_EXECINSTR))
		return false;
	for (uint64_t at = 0; at + INSTRUCTION_BYTES <= section->content.size;
	     at += INSTRUCTION_BYTES) {
		if ((span_u16(section->content, at) & OPCODE_MASK) == OPCODE_TRAP)
			return true;
	}
	return false;
}

static void reach_section(struct reach *reach, uint32_t index)
{
	struct elf_section section;
	if (index >= reach->cubin->sections.n ||
	    !elf_section_at(&reach->cubin->sections, index, &section)) {
		worsen(reach, ASSERT_UNKNOWN);
		return;
	}
	if (reach->is_reached[index])
		return;
	reach->is_reached[index] = 1;
	reach->has_grown = true;
	if (!is_closed_code(&section))
		worsen(reach, ASSERT_UNKNOWN);
	reach->can_trap = reach->can_trap || has_trap(&section);
}

static void reach_outside(struct reach *reach, const char *name)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		if (strcmp(name, harmless[i]) == 0)
			return;
	}
	worsen(reach, strcmp(name, "__assertfail") == 0 ? ASSERT_POSSIBLE : ASSERT_UNKNOWN);
}

static bool symbol_at(const struct cubin *cubin, uint32_t index, Elf64_Sym *out)
{
	return span_copy(cubin->symbols, (uint64_t)index * sizeof(*out), out, sizeof(*out));
}

static void reach_symbol(struct reach *reach, uint32_t index)
{
	Elf64_Sym symbol;
	if (!symbol_at(reach->cubin, index, &symbol))
		worsen(reach, ASSERT_UNKNOWN);
	else if (symbol.st_shndx == SHN_UNDEF)
		reach_outside(reach, span_string(reach->cubin->names, symbol.st_name));
	else
		reach_section(reach, symbol.st_shndx);
}

/* Treat a caller that is not a function of this file as reached. */
static bool is_reached(const struct reach *reach, uint32_t index)
{
	Elf64_Sym symbol;
	return !symbol_at(reach->cubin, index, &symbol) || symbol.st_shndx == SHN_UNDEF ||
	       symbol.st_shndx >= reach->cubin->sections.n || reach->is_reached[symbol.st_shndx];
}

static void follow_row(struct reach *reach, int32_t part, const struct call_row *row)
{
	switch (part) {
	case PART_CALLS:
		if (is_reached(reach, row->caller))
			reach_symbol(reach, row->callee);
		break;
	case PART_POINTERS:
		if (is_reached(reach, row->caller))
			worsen(reach, ASSERT_UNKNOWN);
		break;
	case PART_ADDRESSED:
	case PART_TAKERS:
		break; /* taking an address is harmless; only a call counts */
	default:
		worsen(reach, ASSERT_UNKNOWN);
	}
}

static void follow_calls(struct reach *reach)
{
	struct byte_span calls = reach->cubin->calls;
	int32_t part = 0;
	if (calls.size == 0 || calls.size % sizeof(struct call_row) != 0)
		worsen(reach, ASSERT_UNKNOWN);
	for (uint64_t at = 0; at + sizeof(struct call_row) <= calls.size;
	     at += sizeof(struct call_row)) {
		struct call_row row = {span_u32(calls, at), span_u32(calls, at + sizeof(uint32_t))};
		if (row.caller == 0)
			part = (int32_t)row.callee;
		else
			follow_row(reach, part, &row);
	}
}

/* Cross-check the call graph: code may call any function that its relocations name. */
static void follow_relocation(struct reach *reach, uint32_t index)
{
	Elf64_Sym symbol;
	if (!symbol_at(reach->cubin, index, &symbol))
		worsen(reach, ASSERT_UNKNOWN);
	else if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
		reach_symbol(reach, index);
}

static void follow_relocations(struct reach *reach, const struct elf_section *section)
{
	size_t row_size = section->type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	if (section->info >= reach->cubin->sections.n || !reach->is_reached[section->info])
		return;
	if (section->content.size != section->size || section->size % row_size != 0)
		worsen(reach, ASSERT_UNKNOWN);
	for (uint64_t at = 0; at + row_size <= section->content.size; at += row_size)
		follow_relocation(
			reach, (uint32_t)ELF64_R_SYM(span_u64(section->content,
							      at + offsetof(Elf64_Rel, r_info))));
}

static void follow(struct reach *reach)
{
	follow_calls(reach);
	struct elf_section section;
	for (uint64_t i = 0; i < reach->cubin->sections.n; i++) {
		if (elf_section_at(&reach->cubin->sections, i, &section) &&
		    (section.type == SHT_RELA || section.type == SHT_REL))
			follow_relocations(reach, &section);
	}
}

static enum assert_claim claim_of(const struct cubin *cubin, uint32_t kernel, bool *out_can_trap)
{
	struct reach reach = {.cubin = cubin, .claim = ASSERT_IMPOSSIBLE};
	uint32_t n_passes = 0;
	if (cubin->sections.n > MAX_SECTIONS)
		return ASSERT_UNKNOWN;
	reach.is_reached = calloc(cubin->sections.n + 1, 1);
	if (!reach.is_reached)
		return ASSERT_UNKNOWN;
	reach_symbol(&reach, kernel);
	while (reach.has_grown && n_passes++ < MAX_PASSES) {
		reach.has_grown = false;
		follow(&reach);
	}
	if (reach.has_grown)
		worsen(&reach, ASSERT_UNKNOWN);
	free(reach.is_reached);
	*out_can_trap = reach.can_trap;
	return reach.claim;
}

enum assert_claim code_reach_claim(const struct cubin *cubin, const char *kernel,
				   bool *out_can_trap)
{
	uint64_t at = 0;
	uint64_t found = 0;
	uint32_t n_found = 0;
	*out_can_trap = false;
	const char *name = NULL;
	while ((name = cubin_next_kernel(cubin, &at))) {
		if (strcmp(name, kernel) == 0) {
			found = at - 1;
			n_found++;
		}
	}
	if (n_found == 0)
		return ASSERT_NO_KERNEL;
	return n_found == 1 && cubin->is_understood ? claim_of(cubin, (uint32_t)found, out_can_trap)
						    : ASSERT_UNKNOWN;
}
