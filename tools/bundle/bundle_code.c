/*
 * bundle_code.c - finds the images of functions, and the bytes of images. image_claims.c works out
 * what the code can do.
 */
#include "bundle/bundle_code.h"

#include <stdlib.h>
#include <string.h>

#include "attribution/attribution_facts.h"
#include "bundle/code_file.h"
#include "code/image_claims.h"

/* The limit of decompressed bytes of all images together. Images beyond it clear nothing. */
static const uint64_t MOST_BYTES = (uint64_t)8 << 30;

enum { MAX_FUNCTIONS = 1 << 20 };

/* The functions of one image, sorted by their names. */
struct group {
	struct kernel_claim *kernels;
	uint32_t *functions; /* their places, in the same order */
	uint32_t n;
};

struct named_function {
	const char *name;
	uint32_t place; /* in its table, from 1 */
	uint32_t image;
};

static int compare_functions(const void *a, const void *b)
{
	const struct named_function *left = a;
	const struct named_function *right = b;
	if (left->image != right->image)
		return left->image < right->image ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* Return the compute capability of all devices in use; 0: not known, or they differ. */
static uint32_t capability_of(const struct bundle_view *view)
{
	const struct view_rows *table = &view->tables[JOURNAL_CONTEXTS];
	uint32_t capability = 0;
	if (table->lost > 0 || table->n_reused > 0)
		return 0;
	for (uint32_t id = 1; id <= table->n_rows && id != 0; id++) {
		const struct context_row *row = view_context(view, id);
		uint32_t own = row ? row->flags >> CONTEXT_CAPABILITY_SHIFT : 0;
		if (own == 0 || (capability != 0 && own != capability))
			return 0;
		capability = own;
	}
	return capability;
}

/* Collects the functions that have a name and an image, and returns their number. */
static uint32_t collect(const struct bundle_view *view, struct named_function *out, uint32_t n_rows)
{
	uint32_t n = 0;
	for (uint32_t place = 1; place <= n_rows; place++) {
		const struct function_row *row =
			view_function(view, view_id_at(view, JOURNAL_FUNCTIONS, place));
		size_t length = 0;
		const char *name = row ? view_string(view, row->name, &length) : NULL;
		if (row && row->image != 0 && length > 0)
			out[n++] = (struct named_function){name, place, row->image};
	}
	qsort(out, n, sizeof(*out), compare_functions);
	return n;
}

static bool add_file(const char *path, const struct code_file_facts *facts,
		     struct image_reading *reading, const struct group *group)
{
	struct code_file file;
	if (code_file_open(path, facts, &file) != 0)
		return false;
	bool has_images = false;
	if (!image_claims_add_host(file.bytes, reading, group->kernels, group->n, &has_images) ||
	    !has_images)
		image_claims_add(file.bytes, reading, group->kernels, group->n);
	code_file_close(&file);
	return true;
}

static bool add_mapped(const struct bundle_view *view, const struct image_row *image,
		       struct image_reading *reading, const struct group *group)
{
	const struct module_row *module = view_module(view, image->module);
	struct code_file file;
	if (!module || code_file_open_module(view, module, &file) != 0)
		return false;
	struct byte_span bytes = code_file_at(&file, image->offset);
	image_claims_add(bytes, reading, group->kernels, group->n);
	code_file_close(&file);
	return bytes.size > 0;
}

/* Read one image. False: it is not here, so nothing is known about these functions. */
static bool add_image(const struct bundle_view *view, const struct image_row *image,
		      struct image_reading *reading, const struct group *group)
{
	struct code_file_facts facts = {.size = image->size, .changed_ns = image->changed_ns};
	struct byte_span bytes = {view_image_bytes(view, image), image->size};
	if (image->module)
		return add_mapped(view, image, reading, group);
	if (image->path)
		return add_file(view_string(view, image->path, NULL), &facts, reading, group);
	if (!bytes.bytes)
		return false;
	bool has_images = false;
	if (!image_claims_add_host(bytes, reading, group->kernels, group->n, &has_images) ||
	    !has_images)
		image_claims_add(bytes, reading, group->kernels, group->n);
	return true;
}

/* Read all files of the process: any file that has a kernel of this name may be its origin. */
static bool add_modules(const struct bundle_view *view, struct image_reading *reading,
			const struct group *group)
{
	uint64_t n_modules = view->tables[JOURNAL_MODULES].n_rows;
	if (view->tables[JOURNAL_MODULES].lost > 0 || view->tables[JOURNAL_MODULES].n_reused > 0)
		return false;
	for (uint32_t place = 1; place <= n_modules && place < UINT32_MAX; place++) {
		const struct module_row *module =
			view_module(view, view_id_at(view, JOURNAL_MODULES, place));
		if (!module)
			return false;
		if (code_file_is_none(view, module))
			continue;
		struct code_file file;
		if (code_file_open_module(view, module, &file) != 0)
			return false;
		bool has_images = false;
		bool is_elf = image_claims_add_host(file.bytes, reading, group->kernels, group->n,
						    &has_images);
		code_file_close(&file);
		if (!is_elf)
			return false;
	}
	return true;
}

static uint8_t facts_of(const struct kernel_claim *kernel)
{
	return (uint8_t)((image_claims_clear(kernel) ? CODE_ASSERTS_NEVER : 0) |
			 (kernel->can_trap ? CODE_TRAPS : 0) |
			 (kernel->can_launch ? CODE_LAUNCHES : 0));
}

/* By the functions' indexes in their table. */
struct found_code {
	uint8_t *facts;
	struct code_size *sizes;
};

static void put(const struct found_code *out, uint32_t place, const struct kernel_claim *kernel)
{
	out->facts[place] = facts_of(kernel);
	if (kernel->is_size_unsure)
		free(kernel->size.accesses);
	else
		out->sizes[place] = kernel->size;
}

/* Make the claims of a group. Returns false if its image is not known. */
static bool claim_group(const struct bundle_view *view, uint32_t image,
			struct image_reading *reading, const struct group *group)
{
	const struct image_row *row = view_image(view, image);
	return image == IMAGE_UNSEEN ? add_modules(view, reading, group)
				     : row && add_image(view, row, reading, group);
}

static void read_group(const struct bundle_view *view, uint32_t image,
		       struct image_reading *reading, const struct group *group,
		       const struct found_code *out)
{
	bool is_known = claim_group(view, image, reading, group);
	for (uint32_t i = 0; i < group->n; i++) {
		if (is_known)
			put(out, group->functions[i], &group->kernels[i]);
		else
			free(group->kernels[i].size.accesses);
	}
}

static void read_groups(const struct bundle_view *view, const struct named_function *functions,
			uint32_t n, struct group *group, const struct found_code *out)
{
	struct image_reading reading = {MOST_BYTES, capability_of(view)};
	uint32_t end = 0;
	for (uint32_t first = 0; first < n; first = end) {
		group->n = 0;
		for (end = first; end < n && functions[end].image == functions[first].image;
		     end++) {
			group->kernels[group->n] =
				(struct kernel_claim){.name = functions[end].name};
			group->functions[group->n++] = functions[end].place;
		}
		read_group(view, functions[first].image, &reading, group, out);
	}
}

uint32_t bundle_code_read(const struct bundle_view *view, uint8_t **out_code,
			  struct code_size **out_sizes)
{
	uint64_t n_rows = view->tables[JOURNAL_FUNCTIONS].n_rows;
	uint32_t n = n_rows < MAX_FUNCTIONS ? (uint32_t)n_rows : MAX_FUNCTIONS;
	struct named_function *functions = calloc(n + 1, sizeof(*functions));
	struct group group = {calloc(n + 1, sizeof(struct kernel_claim)),
			      calloc(n + 1, sizeof(uint32_t)), 0};
	struct found_code found = {calloc(n + 1, 1), calloc(n + 1, sizeof(struct code_size))};
	bool has_memory =
		functions && group.kernels && group.functions && found.facts && found.sizes;
	if (has_memory)
		read_groups(view, functions, collect(view, functions, n), &group, &found);
	free(functions);
	free(group.kernels);
	free(group.functions);
	if (!has_memory) {
		free(found.facts);
		free(found.sizes);
		found = (struct found_code){NULL, NULL};
	}
	*out_code = found.facts;
	*out_sizes = found.sizes;
	return found.facts ? n + 1 : 0;
}

void bundle_code_free(uint8_t *code, struct code_size *sizes, uint32_t n)
{
	for (uint32_t i = 0; sizes && i < n; i++)
		free(sizes[i].accesses);
	free(sizes);
	free(code);
}

bool bundle_code_line(const struct bundle_view *view, uint32_t function, uint64_t offset,
		      struct code_line *out, struct code_instruction *out_instruction)
{
	const struct function_row *row = view_function(view, function);
	struct image_reading reading = {MOST_BYTES, capability_of(view)};
	*out = (struct code_line){.n = 0};
	*out_instruction = (struct code_instruction){.architecture = 0};
	if (!row || !row->image)
		return false;
	struct kernel_claim kernel = {
		.name = view_string(view, row->name, NULL), .line = out, .line_offset = offset};
	const struct group group = {.kernels = &kernel, .n = 1};
	bool is_known = claim_group(view, row->image, &reading, &group);
	free(kernel.size.accesses);
	if (!is_known || kernel.is_size_unsure) {
		code_line_free(out);
		return false;
	}
	*out_instruction = kernel.instruction;
	return out->n != 0;
}
