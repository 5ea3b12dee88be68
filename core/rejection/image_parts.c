/*
 * image_parts.c - reads images. The layout of containers is not documented; this is what nvcc 11 to
 * 13 write. Any other layout is unknown.
 */
#include "rejection/image_parts.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A container: this header, then a sequence of entries. */
struct container_header {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t size; /* in bytes, after the header */
};

struct entry_header {
	uint16_t kind, version;
	uint32_t header_size;
	uint64_t size; /* in bytes, after the header */
	uint32_t compressed_size, options;
	uint16_t minor, major; /* PTX: its version */
	uint32_t sm;
	uint32_t name_offset, name_size;
	uint64_t flags;
};

enum { ENTRY_IS_PTX = 1, ENTRY_IS_CUBIN = 2 };
enum { ENTRY_FOR_ONE = 0x100000, ENTRY_FOR_FAMILY = 0x200000 }; /* flags */
enum { EM_GPU = 190, ABI_OF_SM_IN_BYTE_1 = 0x41, MAX_SM = 999 };
enum { MAX_TEXT = 64 * 1024 };
static const uint32_t CONTAINER_MAGIC = 0xba55ed50u, WRAPPER_MAGIC = 0x466243b1u;
static const uint64_t MAX_CONTAINER = UINT64_C(1) << 32;

/* True if the image starts with the magic. Reads no byte after the first that differs. */
static bool begins_with(const unsigned char *image, const void *magic)
{
	const unsigned char *bytes = magic;
	for (size_t i = 0; i < sizeof(uint32_t); i++) {
		if (image[i] != bytes[i])
			return false;
	}
	return true;
}

bool image_is_wrapper(const void *image)
{
	return begins_with(image, &WRAPPER_MAGIC);
}

static bool is_of_text(unsigned char byte)
{
	return (byte >= ' ' && byte < 0x7f) || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Return the length of a text up to its NUL; 0 if a byte is not text. */
static size_t text_length(const unsigned char *bytes, size_t size)
{
	size_t i = 0;
	for (; i < size && bytes[i] != 0; i++) {
		if (!is_of_text(bytes[i]))
			return 0;
	}
	return i;
}

static enum image_kind kind_of(const void *image, size_t size)
{
	Elf64_Ehdr elf;
	if (size >= sizeof(elf) && begins_with(image, ELFMAG)) {
		memcpy(&elf, image, sizeof(elf));
		return elf.e_machine == EM_GPU ? IMAGE_CUBIN : IMAGE_UNKNOWN;
	}
	return size >= sizeof(struct container_header) && begins_with(image, &CONTAINER_MAGIC)
		       ? IMAGE_CONTAINER
		       : IMAGE_UNKNOWN;
}

size_t image_bytes_to_read(const void *image)
{
	if (begins_with(image, ELFMAG))
		return sizeof(Elf64_Ehdr);
	if (!begins_with(image, &CONTAINER_MAGIC))
		return text_length(image, MAX_TEXT);
	struct container_header header;
	memcpy(&header, image, sizeof(header));
	return header.size < MAX_CONTAINER ? header.header_size + (size_t)header.size
					   : sizeof(header);
}

static void add_part(struct image_parts *out, struct image_part part)
{
	if (out->n == IMAGE_MAX_PARTS || part.sm == 0 || part.sm > MAX_SM)
		out->is_cut = true;
	else
		out->parts[out->n++] = part;
}

/* The older form has the number in the lowest byte. A cubin's reach is not known. */
static void read_cubin(const void *image, struct image_parts *out)
{
	Elf64_Ehdr elf;
	memcpy(&elf, image, sizeof(elf));
	uint32_t sm = elf.e_ident[EI_OSABI] == ABI_OF_SM_IN_BYTE_1 ? elf.e_flags >> 8 & 0xff
								   : elf.e_flags & 0xff;
	add_part(out, (struct image_part){.sm = (uint16_t)sm});
}

static uint16_t version_of(uint32_t major, uint32_t minor)
{
	return minor < 10 && major < 100 ? (uint16_t)(major * 10 + minor) : 0;
}

static uint8_t reach_of(const struct entry_header *entry)
{
	if (entry->flags & ENTRY_FOR_ONE)
		return IMAGE_FOR_ONE;
	return entry->flags & ENTRY_FOR_FAMILY ? IMAGE_FOR_FAMILY : IMAGE_FOR_LATER;
}

static void add_entry(const struct entry_header *entry, struct image_parts *out)
{
	bool is_ptx = entry->kind == ENTRY_IS_PTX;
	/* Other entries (code for link time optimisation, ...) may also suit a device. */
	if (!is_ptx && entry->kind != ENTRY_IS_CUBIN) {
		out->is_cut = true;
		return;
	}
	add_part(out, (struct image_part){
			      .is_ptx = is_ptx,
			      .reach = reach_of(entry),
			      .sm = (uint16_t)(entry->sm <= MAX_SM ? entry->sm : 0),
			      .ptx_version = is_ptx ? version_of(entry->major, entry->minor) : 0,
		      });
}

static void read_container(const unsigned char *image, size_t size, struct image_parts *out)
{
	struct container_header header;
	memcpy(&header, image, sizeof(header));
	uint64_t at = header.header_size;
	uint64_t end = header.size < MAX_CONTAINER ? header.header_size + header.size : 0;
	if (end > size || at < sizeof(header))
		end = 0;
	out->is_cut = end == 0;
	while (at < end) {
		struct entry_header entry;
		if (end - at < sizeof(entry)) {
			out->is_cut = true;
			return;
		}
		memcpy(&entry, image + at, sizeof(entry));
		if (entry.header_size < sizeof(entry) || entry.header_size > end - at ||
		    entry.size > end - at - entry.header_size) {
			out->is_cut = true;
			return;
		}
		add_entry(&entry, out);
		at += entry.header_size + entry.size;
	}
}

/* Return the text after a directive at the start of a line; NULL if there is none. */
static const char *find_directive(const char *text, size_t size, const char *name)
{
	size_t length = strlen(name);
	const char *line = text;
	const char *end = text + size;
	while (line) {
		while (line < end && (*line == ' ' || *line == '\t'))
			line++;
		if ((size_t)(end - line) > length && memcmp(line, name, length) == 0)
			return line + length;
		line = memchr(line, '\n', (size_t)(end - line));
		line = line ? line + 1 : NULL;
	}
	return NULL;
}

/* Read at most four digits and move *at past them. */
static uint32_t read_number(const char **at, const char *end)
{
	uint32_t number = 0;
	for (int i = 0; i < 4 && *at < end && **at >= '0' && **at <= '9'; i++)
		number = number * 10 + (uint32_t)(*(*at)++ - '0');
	return number;
}

/* Read ".version 8.4", then ".target sm_90a". A text without the first is not PTX. */
static bool read_ptx(const char *text, size_t size, struct image_parts *out)
{
	const char *end = text + size;
	const char *version = find_directive(text, size, ".version");
	const char *target = find_directive(text, size, ".target");
	struct image_part part = {.is_ptx = true};
	if (!version)
		return false;
	while (version < end && *version == ' ')
		version++;
	uint32_t major = read_number(&version, end);
	if (version < end && *version == '.')
		version++;
	uint32_t minor = read_number(&version, end);
	part.ptx_version = version_of(major, minor);
	target = target ? target : end;
	while (target < end && *target == ' ')
		target++;
	if (end - target > 3 && memcmp(target, "sm_", 3) == 0) {
		target += 3;
		part.sm = (uint16_t)read_number(&target, end);
	}
	if (target < end && (*target == 'a' || *target == 'f'))
		part.reach = *target == 'a' ? IMAGE_FOR_ONE : IMAGE_FOR_FAMILY;
	add_part(out, part);
	return true;
}

void image_parts_read(const void *image, size_t size, struct image_parts *out)
{
	*out = (struct image_parts){.kind = kind_of(image, size)};
	if (out->kind == IMAGE_CUBIN)
		read_cubin(image, out);
	else if (out->kind == IMAGE_CONTAINER)
		read_container(image, size, out);
	else if (read_ptx(image, text_length(image, size < MAX_TEXT ? size : MAX_TEXT), out))
		out->kind = IMAGE_PTX;
}

static bool fits(const struct image_part *part, uint32_t sm)
{
	bool is_same_major = part->sm / 10 == sm / 10;
	if (part->reach == IMAGE_FOR_ONE)
		return part->sm == sm;
	return part->sm <= sm &&
	       (is_same_major || (part->is_ptx && part->reach == IMAGE_FOR_LATER));
}

static bool has_fitting(const struct image_parts *parts, uint32_t sm, bool is_ptx)
{
	for (uint32_t i = 0; i < parts->n; i++) {
		if (parts->parts[i].is_ptx == is_ptx && fits(&parts->parts[i], sm))
			return true;
	}
	return false;
}

bool image_has_code(const struct image_parts *parts, uint32_t sm)
{
	return has_fitting(parts, sm, false);
}

bool image_has_ptx(const struct image_parts *parts, uint32_t sm)
{
	return has_fitting(parts, sm, true);
}

uint32_t image_ptx_version(const struct image_parts *parts)
{
	uint32_t newest = 0;
	for (uint32_t i = 0; i < parts->n; i++) {
		if (parts->parts[i].ptx_version > newest)
			newest = parts->parts[i].ptx_version;
	}
	return newest;
}

/* The table is from the release notes of PTX. */
uint32_t image_driver_ptx(int version)
{
	static const struct {
		uint16_t driver, ptx; /* driver: 124 is CUDA 12.4 */
	} rows[] = {
		{110, 70}, {111, 71}, {112, 72}, {113, 73}, {114, 74}, {115, 75}, {116, 76},
		{117, 77}, {118, 78}, {120, 80}, {121, 81}, {122, 82}, {123, 83}, {124, 84},
		{125, 85}, {126, 85}, {127, 86}, {128, 87}, {129, 88}, {130, 90},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].driver == version / 1000 * 10 + version % 1000 / 10)
			return rows[i].ptx;
	}
	return 0;
}

static void add_name(const struct image_part *part, struct text *out)
{
	static const char *const letters[] = {"", "f", "a"};
	text_addf(out, "%s%" PRIu32 "%s", part->is_ptx ? "compute_" : "sm_", (uint32_t)part->sm,
		  letters[part->reach]);
}

/* Append "code for sm_80, sm_90 and sm_100"; false if there are no such parts. */
static bool add_parts(const struct image_parts *parts, bool is_ptx, const char *before,
		      struct text *out)
{
	uint32_t n = 0;
	uint32_t n_added = 0;
	for (uint32_t i = 0; i < parts->n; i++)
		n += parts->parts[i].is_ptx == is_ptx ? 1 : 0;
	for (uint32_t i = 0; i < parts->n; i++) {
		if (parts->parts[i].is_ptx != is_ptx)
			continue;
		if (n_added == 0)
			text_addf(out, "%s%s for ", before, is_ptx ? "PTX" : "code");
		else
			text_add(out, n_added + 1 == n ? " and " : ", ");
		add_name(&parts->parts[i], out);
		n_added++;
	}
	return n > 0;
}

void image_parts_text(const struct image_parts *parts, struct text *out)
{
	bool has_code = add_parts(parts, false, "", out);
	if (!add_parts(parts, true, has_code ? ", and " : "", out) && !has_code)
		text_add(out, "nothing");
}
