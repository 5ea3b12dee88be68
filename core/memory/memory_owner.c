/*
 * memory_owner.c - locate a memory range by its kind, context and physical memory, and name its
 * allocator by the modules of its stack.
 */
#include "memory/memory_owner.h"

#include <string.h>

#include "base/text.h"

enum memory_place memory_place_of(const struct range_row *row)
{
	if (row->state != RANGE_LIVE)
		return MEMORY_NO_ROOM;
	switch (row->kind) {
	case RANGE_HOST:
	case RANGE_REGISTERED:
		return MEMORY_ON_HOST;
	case RANGE_IPC:
	case RANGE_IMPORTED:
		return MEMORY_OF_OTHERS;
	case RANGE_RESERVED:
		return MEMORY_NO_ROOM;
	case RANGE_PHYSICAL:
		return row->flags & RANGE_HAS_MAPPING ? MEMORY_NO_ROOM : MEMORY_ON_DEVICE;
	default:
		return MEMORY_ON_DEVICE;
	}
}

int memory_device(const struct bundle_view *view, const struct range_row *row)
{
	const struct context_row *context = view_context(view, row->context);
	if (row->kind == RANGE_HOST || row->kind == RANGE_REGISTERED)
		return -1;
	if (row->flags & RANGE_DEVICE_KNOWN)
		return row->device;
	if (context)
		return context->device <= INT16_MAX ? (int)context->device : -1;
	const struct range_row *parent = row->parent ? view_range(view, row->parent) : NULL;
	return parent && parent->flags & RANGE_DEVICE_KNOWN ? parent->device : -1;
}

enum { MAX_NODES = 64 };

static bool is_cuda(const char *name)
{
	return text_has_prefix(name, "libculprit.so") || text_has_prefix(name, "libcuda.so") ||
	       text_has_prefix(name, "libcudart.so");
}

/* CuPy has its pools in cupy/cuda/memory.pyx and its runtime calls in another module. */
static enum memory_allocator allocator_in(const char *path)
{
	const char *name = text_file_name(path);
	if (text_has_prefix(name, "libc10_cuda.so"))
		return MEMORY_BY_PYTORCH;
	if (text_has_prefix(name, "librmm.so"))
		return MEMORY_BY_RMM;
	return strstr(path, "/cupy/cuda/") && text_has_prefix(name, "memory.") ? MEMORY_BY_CUPY
									       : MEMORY_BY_PROGRAM;
}

static const char *path_of(const struct bundle_view *view, const struct stack_row *row)
{
	const struct module_row *module = row ? view_module(view, row->module) : NULL;
	return module ? view_string(view, module->path, NULL) : "";
}

const struct stack_row *memory_asker_of(const struct bundle_view *view, uint32_t stack)
{
	uint32_t nodes[MAX_NODES];
	size_t n = view_stack_frames(view, stack, nodes, MAX_NODES);
	for (size_t i = 0; i < n; i++) {
		const struct stack_row *row = view_stack(view, nodes[i]);
		const char *path = path_of(view, row);
		if (!is_cuda(text_file_name(path)) && !strstr(path, "/cupy_backends/"))
			return *path ? row : NULL;
	}
	return NULL;
}

enum memory_allocator memory_allocator_of(const struct bundle_view *view, uint32_t stack)
{
	const struct stack_row *row = memory_asker_of(view, stack);
	return row ? allocator_in(path_of(view, row)) : MEMORY_BY_PROGRAM;
}

const char *memory_allocator_label(enum memory_allocator allocator)
{
	static const char *const words[] = {
		[MEMORY_BY_PROGRAM] = NULL,
		[MEMORY_BY_PYTORCH] = "PyTorch's allocator",
		[MEMORY_BY_CUPY] = "CuPy's allocator",
		[MEMORY_BY_RMM] = "RMM",
	};
	return words[allocator];
}
