/*
 * unwind_rules.c - find the call frame information of an address (.eh_frame_hdr's sorted table,
 * then one FDE and its CIE) and reduce it to a rule. Reads only inside the module's map.
 */
#include "record/stacks/unwind_rules.h"

#include <assert.h>
#include <string.h>

#include "record/stacks/unwind_cfi.h"
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
		else
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
	struct cfi_row row = {.cfa_register = CFI_RSP};
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

/* True if a rule can express where rbp is saved. */
static bool is_plain(const struct cfi_place *rbp)
{
	if (rbp->where == CFI_AT_OFFSET)
		return rbp->offset < 0 && rbp->offset >= INT16_MIN && rbp->offset % 8 == 0;
	return rbp->where == CFI_SAME;
}

/* Recognize gcc's way to align a stack: the CFA is kept below rbp, the caller's rbp at rbp. */
static bool is_realigned(const struct cfi_row *row)
{
	return row->cfa == CFI_CFA_WORD && row->rbp.where == CFI_AT_RBP && row->rbp.offset == 0 &&
	       row->cfa_offset < 0 && row->cfa_offset >= INT16_MIN && row->cfa_offset % 8 == 0;
}

static bool is_standard(const struct cfi_row *row)
{
	return row->cfa == CFI_CFA_REGISTER &&
	       (row->cfa_register == CFI_RBP || row->cfa_register == CFI_RSP) &&
	       row->cfa_offset >= INT32_MIN && row->cfa_offset <= INT32_MAX && is_plain(&row->rbp);
}

static void apply_row(const struct cfi_row *row, struct unwind_rule *rule)
{
	const struct cfi_place *saved = &row->return_address;
	rule->type = UNWIND_OTHER;
	if (saved->where == CFI_UNDEFINED)
		rule->type = UNWIND_LAST;
	if (saved->where != CFI_AT_OFFSET || saved->offset != -8)
		return;
	if (is_realigned(row)) {
		rule->type = UNWIND_REALIGNED;
		rule->cfa_is_rbp = true;
	} else if (is_standard(row)) {
		rule->type = UNWIND_STANDARD;
		rule->cfa_is_rbp = row->cfa_register == CFI_RBP;
		rule->rbp_offset = (int16_t)row->rbp.offset;
	}
	rule->cfa_offset = (int32_t)row->cfa_offset;
}

/*
 * True if signal handlers return here. The kernel decides that: the code here ends the signal, and
 * its frame is laid out by the kernel. The C library's entry only describes that in expressions.
 */
static bool is_signal_return(const struct unwind_module *module, uint64_t address)
{
	/* mov $15, %rax; syscall: that is rt_sigreturn. */
	static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	const uint8_t *place = module->start;
	place += address + 1 - (uintptr_t)place;
	return inside(module, place, sizeof(code)) && memcmp(place, code, sizeof(code)) == 0;
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

struct unwind_rule unwind_rules_compile(uint64_t ip)
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
