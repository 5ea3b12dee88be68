/*
 * fake_symbols.c - replaces tools/symbols with answers that depend only on the question, so that a
 * fuzzer opens no file that its bundles name. It also replaces the code that kernels were loaded
 * from.
 */
#include "symbols/symbols.h"

#include <stdlib.h>

#include "bundle/bundle_code.h"

struct symbols {
	char unused;
};

struct symbols *symbols_open(unsigned wait_seconds)
{
	(void)wait_seconds;
	return calloc(1, sizeof(struct symbols));
}

void symbols_close(struct symbols *symbols)
{
	free(symbols);
}

void symbols_set_root(const char *directory)
{
	(void)directory;
}

int symbols_filter(struct symbols *symbols, const struct bundle_view *view,
		   void (*mask)(void *state, char *bytes, size_t size), void *state)
{
	(void)symbols;
	(void)view;
	(void)mask;
	(void)state;
	return 0;
}

struct symbol_source symbols_source(struct symbols *symbols)
{
	return (struct symbol_source){.frames = symbols_frames,
				      .demangle = symbols_demangle,
				      .notes = symbols_notes,
				      .state = symbols};
}

size_t symbols_frames(void *state, uint32_t module_id, const struct module_row *module,
		      const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	if (offset % 4 == 0 || (module && module->start > module->end))
		return 0;
	for (size_t i = 0; i < max && i < offset % 4; i++)
		out[i] = (struct source_frame){.function = path,
					       .file = offset % 3 ? path : NULL,
					       .line = (uint32_t)offset};
	return offset % 4 < max ? offset % 4 : max;
}

const char *symbols_demangle(void *state, const char *mangled)
{
	(void)state;
	return mangled[0] == '_' ? NULL : mangled;
}

size_t symbols_notes(void *state, const char *path, uint32_t line, const char **out, size_t max)
{
	(void)state;
	for (size_t i = 0; i < max && i < line % 4; i++)
		out[i] = path;
	return line % 4 < max ? line % 4 : max;
}

size_t symbols_source_lines(struct symbols *symbols, const char *path, uint32_t line,
			    uint64_t newest, struct source_frame *out, size_t max)
{
	(void)symbols;
	(void)newest;
	for (size_t i = 0; i < max && i < line % 8; i++)
		out[i] = (struct source_frame){.function = path, .line = line + (uint32_t)i};
	return line % 8 < max ? line % 8 : max;
}

const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id)
{
	(void)symbols;
	return module_id % 4 ? NULL : "a problem";
}

bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id)
{
	(void)symbols;
	return module_id % 8 == 0;
}

const char *symbols_module_given_up(const struct symbols *symbols, uint32_t module_id)
{
	(void)symbols;
	return module_id % 5 ? NULL : "given up";
}

uint32_t bundle_code_read(const struct bundle_view *view, uint8_t **out_never,
			  struct code_size **out_sizes)
{
	(void)view;
	*out_never = NULL;
	*out_sizes = NULL;
	return 0;
}

void bundle_code_free(uint8_t *code, struct code_size *sizes, uint32_t n)
{
	(void)code;
	(void)sizes;
	(void)n;
}

bool bundle_code_line(const struct bundle_view *view, uint32_t function, uint64_t offset,
		      struct code_line *out, struct code_instruction *out_instruction)
{
	(void)view;
	(void)function;
	(void)offset;
	(void)out;
	(void)out_instruction;
	return false;
}
