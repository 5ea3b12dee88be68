/*
 * image_claims.c - walk all code of an image and collect the claims about the given kernels.
 */
#include "code/image_claims.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_extent.h"
#include "code/cubin.h"
#include "code/fatbin.h"
#include "rejection/image_parts.h"

static const unsigned char host_magic[] = {0x7f, 'E', 'L', 'F'};

enum { CONTAINER_ALIGNMENT = 8 };

/* The kernels to find claims for. */
struct wanted {
	struct kernel_claim *kernels;
	size_t n;
	struct image_reading *reading;
	bool is_loaded_unsure; /* of the container: the driver may have compiled its PTX */
};

static void worsen(struct kernel_claim *kernel, enum assert_claim claim)
{
	if (claim > kernel->claim)
		kernel->claim = claim;
}

static void give_up_claims(const struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->n; i++)
		worsen(&wanted->kernels[i], ASSERT_UNKNOWN);
}

static void give_up(const struct wanted *wanted)
{
	give_up_claims(wanted);
	for (size_t i = 0; i < wanted->n; i++)
		wanted->kernels[i].is_size_unsure = true;
}

/* A kernel name that is not NUL-terminated. */
struct name {
	const char *text;
	size_t length;
};

static int compare_names(const void *key, const void *element)
{
	const struct name *name = key;
	const struct kernel_claim *kernel = element;
	int order = strncmp(name->text, kernel->name, name->length);
	return order == 0 && kernel->name[name->length] != '\0' ? -1 : order;
}

enum code_form { PTX, MACHINE_CODE, MACHINE_CODE_TRAPS };

/* Update all kernels of that name: kernels of several modules may share one, and are adjacent. */
static void worsen_named(const struct wanted *wanted, struct name name, enum assert_claim claim,
			 enum code_form form)
{
	struct kernel_claim *first =
		bsearch(&name, wanted->kernels, wanted->n, sizeof(*wanted->kernels), compare_names);
	struct kernel_claim *end = wanted->kernels + wanted->n;
	while (first && first > wanted->kernels && compare_names(&name, first - 1) == 0)
		first--;
	for (; first && first < end && compare_names(&name, first) == 0; first++) {
		worsen(first, claim);
		first->has_code = first->has_code || form != PTX;
		first->can_trap = first->can_trap || form == MACHINE_CODE_TRAPS;
		first->is_size_unsure = first->is_size_unsure || wanted->is_loaded_unsure;
	}
}

static void widen(struct code_size *size, uint64_t bytes)
{
	uint32_t capped = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
	size->least = size->most == 0 || capped < size->least ? capped : size->least;
	size->most = capped > size->most ? capped : size->most;
}

/*
 * Add the accesses of one more version with code of `whole` bytes. If they are not known, or the
 * code is only a part of its section, those of all are not known.
 */
static void add_accesses(struct byte_span bytes, const char *name, uint64_t whole,
			 struct code_size *size)
{
	bool is_first = size->most == 0;
	uint32_t n = 0;
	uint8_t *awaited = NULL;
	uint8_t *bits =
		is_first || size->accesses ? code_extent_accesses(bytes, name, &n, &awaited) : NULL;
	if (bits && (uint64_t)n * CODE_STEP != whole) {
		free(bits);
		bits = NULL;
	}
	if (is_first) {
		free(size->accesses); /* of a version without code */
		size->accesses = bits;
		size->awaited = bits ? awaited : NULL;
		size->n_accesses = n;
		return;
	}
	for (uint32_t i = 0; bits && n == size->n_accesses && i < n / 8 + 1; i++) {
		size->accesses[i] |= bits[i];
		size->awaited[i] &= awaited[i];
	}
	if (!bits || n != size->n_accesses) {
		free(size->accesses);
		size->accesses = NULL;
		size->awaited = NULL;
	}
	free(bits);
}

/* Look the kernel's line up in one more version. */
static void add_line(struct byte_span bytes, struct kernel_claim *kernel)
{
	struct code_line line;
	if (!kernel->line || kernel->lines_differ ||
	    !code_line_find(bytes, kernel->name, kernel->line_offset, &line))
		return;
	if (kernel->line->n == 0) {
		*kernel->line = line;
		return;
	}
	code_line_narrow(kernel->line, &line);
	kernel->lines_differ = kernel->line->n == 0;
	code_line_free(&line);
}

static bool is_same_instruction(const struct code_instruction *one,
				const struct code_instruction *other)
{
	return one->architecture == other->architecture && one->words[0] == other->words[0] &&
	       one->words[1] == other->words[1];
}

/* Decode the kernel's instruction at that offset in one more version. */
static void add_instruction(struct byte_span bytes, uint64_t size, struct kernel_claim *kernel)
{
	struct code_instruction found;
	if (!kernel->line)
		return;
	code_extent_instruction_at(bytes, kernel->name, size, kernel->line_offset, &found);
	if (!kernel->is_instruction_read)
		kernel->instruction = found;
	else if (!is_same_instruction(&kernel->instruction, &found))
		kernel->instruction = (struct code_instruction){.architecture = 0};
	kernel->is_instruction_read = true;
}

/* Note the size of all kernels of that name. */
static void widen_named(const struct wanted *wanted, struct byte_span bytes, const char *name,
			uint64_t size, bool can_launch)
{
	for (size_t i = 0; i < wanted->n; i++) {
		if (strcmp(wanted->kernels[i].name, name) != 0)
			continue;
		add_line(bytes, &wanted->kernels[i]);
		add_instruction(bytes, size, &wanted->kernels[i]);
		wanted->kernels[i].can_launch = wanted->kernels[i].can_launch || can_launch;
		add_accesses(bytes, name, size, &wanted->kernels[i].size);
		widen(&wanted->kernels[i].size, size);
		wanted->kernels[i].is_size_unsure |= wanted->is_loaded_unsure || size == 0;
	}
}

static bool is_wanted(const struct wanted *wanted, const char *name)
{
	struct name key = {name, strlen(name)};
	return bsearch(&key, wanted->kernels, wanted->n, sizeof(*wanted->kernels), compare_names);
}

/* Returns false if the symbols cannot be read. */
static bool add_sizes(struct byte_span bytes, const struct wanted *wanted)
{
	struct code_extent_file file;
	if (!code_extent_open(bytes, &file))
		return false;
	bool can_launch = code_extent_can_launch(&file);
	uint64_t at = 0;
	uint64_t size = 0;
	const char *name = NULL;
	while ((name = code_extent_next(&file, &at, &size))) {
		if (is_wanted(wanted, name))
			widen_named(wanted, bytes, name, size, can_launch);
	}
	return true;
}

static void add_cubin(struct byte_span bytes, const struct wanted *wanted)
{
	if (!add_sizes(bytes, wanted))
		give_up(wanted);
	struct cubin cubin;
	if (cubin_open(bytes, &cubin) != 0) {
		give_up_claims(wanted);
		return;
	}
	uint64_t at = 0;
	const char *name = NULL;
	while ((name = cubin_next_kernel(&cubin, &at))) {
		if (!is_wanted(wanted, name))
			continue;
		bool can_trap = false;
		enum assert_claim claim = code_reach_claim(&cubin, name, &can_trap);
		worsen_named(wanted, (struct name){name, strlen(name)}, claim,
			     can_trap ? MACHINE_CODE_TRAPS : MACHINE_CODE);
	}
}

static const char *find_text(const char *from, const char *end, const char *text)
{
	return memmem(from, (size_t)(end - from), text, strlen(text));
}

/* Add the text from one ".entry" to the next: a kernel, and functions that may follow it. */
static void add_entry(const char *from, const char *end, const struct wanted *wanted)
{
	const char *name = from;
	while (name < end && isspace((unsigned char)*name))
		name++;
	const char *name_end = NULL;
	for (name_end = name; name_end < end && !isspace((unsigned char)*name_end) &&
			      *name_end != '(' && *name_end != '{';)
		name_end++;
	worsen_named(wanted, (struct name){name, (size_t)(name_end - name)},
		     find_text(name_end, end, "call") ? ASSERT_UNKNOWN : ASSERT_IMPOSSIBLE, PTX);
}

static void add_ptx(struct byte_span bytes, const struct wanted *wanted)
{
	const char *end = (const char *)bytes.bytes + bytes.size;
	const char *entry = find_text((const char *)bytes.bytes, end, ".entry");
	while (entry) {
		const char *body = entry + strlen(".entry");
		entry = find_text(body, end, ".entry");
		add_entry(body, entry ? entry : end, wanted);
	}
}

/* True if the driver may have compiled the container's PTX, whatever machine code is beside it. */
static bool may_compile(struct byte_span container, uint32_t capability)
{
	struct image_parts parts;
	bool has_ptx = false;
	bool has_exact = false;
	image_parts_read(container.bytes, container.size, &parts);
	for (uint32_t i = 0; i < parts.n; i++) {
		const struct image_part *part = &parts.parts[i];
		has_ptx = has_ptx || (part->is_ptx && (capability == 0 || part->sm <= capability));
		has_exact = has_exact || (!part->is_ptx && part->sm == capability);
	}
	return parts.is_cut || (has_ptx && !has_exact);
}

static void add_container(struct byte_span container, const struct wanted *all)
{
	struct wanted in_container = *all;
	const struct wanted *wanted = &in_container;
	in_container.is_loaded_unsure = may_compile(container, all->reading->capability);
	uint64_t offset = 0;
	bool is_damaged = false;
	struct fatbin_entry entry;
	while (fatbin_next(container, &offset, &wanted->reading->budget, &entry, &is_damaged)) {
		if (entry.code.size > 0 && entry.kind == FATBIN_CUBIN)
			add_cubin(entry.code, wanted);
		else if (entry.code.size > 0 && entry.kind == FATBIN_PTX)
			add_ptx(entry.code, wanted);
		else
			give_up(wanted);
		free(entry.owned);
	}
	if (is_damaged)
		give_up(wanted);
}

void image_claims_add(struct byte_span image, struct image_reading *reading,
		      struct kernel_claim *kernels, size_t n_kernels)
{
	struct wanted wanted = {kernels, n_kernels, reading, false};
	struct byte_span container;
	if (span_part(image, 0, fatbin_size(image), &container) && container.size > 0)
		add_container(container, &wanted);
	else
		add_cubin(image, &wanted); /* PTX alone makes all claims unknown here */
}

/* The linker concatenates containers and aligns each one. */
static void add_containers(struct byte_span section, const struct wanted *wanted)
{
	uint64_t at = 0;
	struct byte_span rest;
	struct byte_span container;
	while (span_part(section, at, section.size - at, &rest) && rest.size > 0) {
		uint64_t size = fatbin_size(rest);
		if (size > 0 && span_part(rest, 0, size, &container))
			add_container(container, wanted);
		else if (span_u64(rest, 0) != 0)
			give_up(wanted);
		if (size == 0 && span_u64(rest, 0) != 0)
			return;
		at += size > 0 ? (size + CONTAINER_ALIGNMENT - 1) / CONTAINER_ALIGNMENT *
					 CONTAINER_ALIGNMENT
			       : CONTAINER_ALIGNMENT;
		if (at > section.size)
			return;
	}
}

bool image_claims_add_host(struct byte_span file, struct image_reading *reading,
			   struct kernel_claim *kernels, size_t n_kernels, bool *out_has_images)
{
	struct wanted wanted = {kernels, n_kernels, reading, false};
	*out_has_images = false;
	struct elf_sections sections;
	if (file.size < sizeof(host_magic) ||
	    memcmp(file.bytes, host_magic, sizeof(host_magic)) != 0 ||
	    elf_sections_open(file, &sections) != 0)
		return false;
	struct elf_section section;
	if (!elf_section_named(&sections, ".nv_fatbin", &section))
		return true;
	*out_has_images = true;
	if (section.content.size != section.size || section.size == 0)
		give_up(&wanted);
	else
		add_containers(section.content, &wanted);
	return true;
}

bool image_claims_clear(const struct kernel_claim *kernel)
{
	return kernel->has_code && kernel->claim == ASSERT_IMPOSSIBLE;
}
