/*
 * unwind_rules.c - find the call frame information of an address (.eh_frame_hdr's sorted table,
 * then one FDE and its CIE) and reduce it to a rule. Reads only inside the module's map.
 */
#include "record/stacks/unwind_rules.h"

#include <assert.h>
#include <string.h>

#include "record/stacks/unwind_cfi.h"
#include "record/stacks/unwind_memory.h"
#include "record/stacks/unwind_modules.h"

enum {
	HEADER_VERSION = 1,
	COUNT_U4 = 0x03,  /* the encoding of the header's number of entries, fixed in practice */
	TABLE_S4 = 0x3b,  /* the table: pairs of 4-byte offsets from the header */
	FORM_MASK = 0x0f, /* of a pointer's encoding */
};

static_assert(sizeof(struct unwind_rule) == 16, "a cache of rules has a power of two of bytes");

struct table_entry {
	int32_t function;
	int32_t fde;
};

/* One function's entry, including its common part. */
struct function_entry {
	struct cfi_common common;
	uint64_t start;
	uint64_t size;
	struct unwind_bytes instructions;
	bool is_signal_frame;
};

/* Return the address at `offset` from `base` if it is inside the module's map, else NULL. */
static const uint8_t *inside(const struct unwind_module *module, const uint8_t *base,
			     int64_t offset)
{
	uintptr_t start = (uintptr_t)module->start;
	uintptr_t end = (uintptr_t)module->end;
	uintptr_t place = (uintptr_t)base + (uintptr_t)offset;
	return place >= start && place < end ? base + offset : NULL;
}

static struct table_entry entry_at(const uint8_t *table, uint64_t index)
{
	struct table_entry entry;
	memcpy(&entry, table + index * sizeof(entry), sizeof(entry));
	return entry;
}

/* Return the entry of the last function that starts at or before `offset`. One exists. */
static struct table_entry search(const uint8_t *table, uint64_t n_entries, int64_t offset)
{
	uint64_t low = 0;
	uint64_t high = n_entries;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		if (entry_at(table, middle).function <= offset)
			low = middle;
		else
			high = middle;
	}
	return entry_at(table, low);
}

/* Return STANDARD with the FDE, BARE if the table lacks the function, OTHER in all other cases. */
static enum unwind_rule_type find_fde(const struct unwind_module *module, uint64_t address,
				      const uint8_t **out_fde)
{
	const uint8_t *header = module->frames;
	struct unwind_bytes bytes = {.at = header, .end = module->end};
	uint32_t format = (uint32_t)unwind_bytes_unsigned(&bytes, 4);
	uint8_t frame_form = format >> 8 & FORM_MASK;
	if (bytes.is_bad ||
	    (format & 0xffff00ff) != (TABLE_S4 << 24 | COUNT_U4 << 16 | HEADER_VERSION))
		return UNWIND_OTHER;
	(void)unwind_bytes_pointer(&bytes, frame_form);
	uint64_t n_entries = unwind_bytes_unsigned(&bytes, 4);
	struct unwind_bytes table =
		unwind_bytes_take(&bytes, n_entries * sizeof(struct table_entry));
	if (table.is_bad)
		return UNWIND_OTHER;
	int64_t offset = (int64_t)(address - (uintptr_t)header);
	if (n_entries == 0 || entry_at(table.at, 0).function > offset)
		return UNWIND_BARE;
	*out_fde = inside(module, header, search(table.at, n_entries, offset).fde);
	return *out_fde ? UNWIND_STANDARD : UNWIND_OTHER;
}

/* Return the contents of the entry at `place`: the bytes after its length. */
static struct unwind_bytes open_entry(const struct unwind_module *module, const uint8_t *place)
{
	struct unwind_bytes bytes = {.at = place, .end = module->end};
	uint64_t size = unwind_bytes_unsigned(&bytes, 4);
	/* 0 ends the section, and 0xffffffff announces entries of more than 4 GiB. */
	if (size == 0 || size == UINT32_MAX)
		bytes.is_bad = true;
	return unwind_bytes_take(&bytes, size);
}

/* Skip the personality routine, which is never followed. */
static void skip_pointer(struct unwind_bytes *bytes)
{
	uint8_t encoding = (uint8_t)unwind_bytes_unsigned(bytes, 1);
	(void)unwind_bytes_pointer(bytes, encoding & FORM_MASK);
}

/* True for letters of aarch64 without data: signed with the other key, tags in the stack's memory.
 */
static bool is_mark(char letter)
{
	return CFI_SIGNS && (letter == 'B' || letter == 'G');
}

/* Read the augmentation's data, one item for each letter after the 'z'. */
static void read_augmentation(struct unwind_bytes *bytes, const char *letters,
			      struct function_entry *entry)
{
	struct unwind_bytes data = unwind_bytes_take(bytes, unwind_bytes_uleb(bytes));
	for (; *letters && !data.is_bad; letters++) {
		if (*letters == 'R')
			entry->common.pointer_encoding = (uint8_t)unwind_bytes_unsigned(&data, 1);
		else if (*letters == 'L')
			(void)unwind_bytes_unsigned(&data, 1);
		else if (*letters == 'P')
			skip_pointer(&data);
		else if (*letters == 'S')
			entry->is_signal_frame = true;
		else if (!is_mark(*letters))
			data.is_bad = true;
	}
	bytes->is_bad |= data.is_bad;
}

/* Read the common entry. Its augmentation must be "z...", as compilers have written for decades. */
static bool read_common(struct unwind_bytes bytes, struct function_entry *entry)
{
	struct cfi_common *common = &entry->common;
	uint64_t id = unwind_bytes_unsigned(&bytes, 4);
	uint64_t version = unwind_bytes_unsigned(&bytes, 1);
	const char *letters = (const char *)bytes.at;
	size_t length = bytes.is_bad ? 0 : strnlen(letters, (size_t)(bytes.end - bytes.at));
	(void)unwind_bytes_take(&bytes, length + 1);
	if (bytes.is_bad || id != 0 || version != 1 || letters[0] != 'z')
		return false;
	common->code_unit = unwind_bytes_uleb(&bytes);
	common->data_unit = unwind_bytes_sleb(&bytes);
	uint64_t return_column = unwind_bytes_unsigned(&bytes, 1);
	read_augmentation(&bytes, letters + 1, entry);
	if (bytes.is_bad || return_column != CFI_RETURN_ADDRESS)
		return false;
	struct cfi_row row = {.cfa_register = CFI_SP};
	if (!cfi_run(bytes, common, 0, UINT64_MAX, &row))
		return false;
	common->initial = row;
	return true;
}

static bool read_function(const struct unwind_module *module, const uint8_t *fde,
			  struct function_entry *out_entry)
{
	struct function_entry entry = {.size = 0};
	struct unwind_bytes bytes = open_entry(module, fde);
	const uint8_t *pointer = bytes.at;
	int64_t to_common = (int64_t)unwind_bytes_unsigned(&bytes, 4);
	const uint8_t *cie = bytes.is_bad ? NULL : inside(module, pointer, -to_common);
	if (!cie || !read_common(open_entry(module, cie), &entry))
		return false;
	uint8_t encoding = entry.common.pointer_encoding;
	entry.start = unwind_bytes_pointer(&bytes, encoding);
	entry.size = unwind_bytes_pointer(&bytes, encoding & FORM_MASK);
	(void)unwind_bytes_take(&bytes, unwind_bytes_uleb(&bytes));
	entry.instructions = bytes;
	*out_entry = entry;
	return !bytes.is_bad;
}

/* Set the rule's CFA; return false if it is too far away for a rule. */
static bool apply_cfa(const struct cfi_row *row, struct unwind_rule *rule)
{
	rule->cfa_offset = (frame_cfa_offset)(row->cfa_offset / FRAME_CFA_UNIT);
	return row->cfa_offset == (int64_t)rule->cfa_offset * FRAME_CFA_UNIT;
}

/* Return the offset from the CFA, 0 if the register is still in place, 1 for another place. */
static int64_t offset_of(const struct cfi_place *place)
{
	if (place->where == CFI_AT_OFFSET && place->offset < 0)
		return place->offset;
	return place->where == CFI_SAME ? 0 : 1;
}

/* Recognize gcc's way to align a stack: fp leads to the caller's fp, and the CFA is kept below. */
static bool is_realigned(const struct cfi_row *row, struct unwind_rule *rule)
{
	rule->saves = frame_saves_cfa(row->cfa_offset);
	return FRAME_REALIGNS && row->cfa == CFI_CFA_WORD && row->fp.where == CFI_AT_FP &&
	       row->fp.offset == 0 && row->cfa_offset < 0 && row->cfa_offset >= INT16_MIN &&
	       row->cfa_offset % 8 == 0 && offset_of(&row->return_address) == -8;
}

static bool is_standard(const struct cfi_row *row, struct unwind_rule *rule)
{
	return row->cfa == CFI_CFA_REGISTER &&
	       (row->cfa_register == CFI_FP || row->cfa_register == CFI_SP) &&
	       frame_saves_make(&rule->saves, offset_of(&row->return_address), offset_of(&row->fp));
}

static void apply_row(const struct cfi_row *row, struct unwind_rule *rule)
{
	rule->type = UNWIND_OTHER;
	if (row->return_address.where == CFI_UNDEFINED)
		rule->type = UNWIND_LAST;
	else if (is_standard(row, rule) && apply_cfa(row, rule))
		rule->type = UNWIND_STANDARD;
	else if (is_realigned(row, rule) && apply_cfa(row, rule))
		rule->type = UNWIND_REALIGNED;
	rule->cfa_is_fp = rule->type == UNWIND_REALIGNED ||
			  (rule->type == UNWIND_STANDARD && row->cfa_register == CFI_FP);
}

/*
 * True if signal handlers return here. The kernel decides that: the code here ends the signal, and
 * its frame is laid out by the kernel. The C library's entry only describes that in expressions.
 */
static bool is_signal_return(const struct unwind_module *module, uint64_t address)
{
	const uint8_t *place = module->start;
	place += address + 1 - (uintptr_t)place;
	return inside(module, place, FRAME_SIGNAL_CODE) && frame_is_signal_return(place);
}

static void apply_fde(const struct unwind_module *module, const uint8_t *fde, uint64_t address,
		      struct unwind_rule *rule)
{
	rule->type = UNWIND_OTHER;
	struct function_entry entry;
	if (!read_function(module, fde, &entry))
		return;
	if (entry.is_signal_frame) {
		if (is_signal_return(module, address))
			rule->type = UNWIND_SIGNAL;
		return;
	}
	if (address < entry.start || address - entry.start >= entry.size) {
		rule->type = UNWIND_BARE; /* a gap between functions */
		return;
	}
	struct cfi_row row = entry.common.initial;
	if (cfi_run(entry.instructions, &entry.common, entry.start, address, &row))
		apply_row(&row, rule);
}

/* True if signal handlers return here, in code without information, perhaps outside all modules. */
static bool is_unmarked_signal_return(uint64_t ip)
{
	return !FRAME_SIGNAL_IS_MARKED && ip % 4 == 0 && unwind_memory_exists(ip) &&
	       frame_is_signal_return((const uint8_t *)(uintptr_t)ip);
}

static struct unwind_rule compile(uint64_t ip)
{
	struct unwind_rule rule = {.ip = ip, .type = UNWIND_NONE};
	/* Use the call's address: the next instruction may belong to another function. */
	uint64_t address = ip - 1;
	struct unwind_module module;
	if (!unwind_modules_find(address, &module))
		return rule;
	rule.type = UNWIND_BARE;
	const uint8_t *fde = NULL;
	if (module.frames)
		rule.type = (uint8_t)find_fde(&module, address, &fde);
	if (rule.type == UNWIND_STANDARD)
		apply_fde(&module, fde, address, &rule);
	return rule;
}

struct unwind_rule unwind_rules_compile(uint64_t ip)
{
	struct unwind_rule rule = compile(ip);
	if ((rule.type == UNWIND_NONE || rule.type == UNWIND_BARE) && is_unmarked_signal_return(ip))
		rule.type = UNWIND_SIGNAL;
	return rule;
}
