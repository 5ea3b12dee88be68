/*
 * symbols.c - remembers what symbol_module.c found: modules by their id, answers by address, names
 * by their mangled form. A report asks for the same frames again and again.
 */
#include "symbols.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generated_notes.h"
#include "symbol_module.h"

enum { ANSWER_MAX_FRAMES = 32, N_BUCKETS = 1024 };

/* The C++ runtime's; it has no header for C. NOLINTNEXTLINE(readability-identifier-naming) */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* Entries of a bucket are a list, newest first; never removed before the end. */
struct answer {
	struct answer *next;
	uint32_t module_id;
	uint64_t offset;
	size_t n;
	struct source_frame frames[];
};

struct name {
	struct name *next;
	char *demangled; /* NULL: not a mangled name */
	char mangled[];
};

struct opened_module {
	struct opened_module *next;
	uint32_t id;
	struct symbol_module *module;
};

/* One thread. */
struct symbols {
	struct opened_module *modules;
	struct answer *answers[N_BUCKETS];
	struct name *names[N_BUCKETS];
	struct generated_notes notes; /* of the line below */
	char notes_path[PATH_MAX];    /* "": none yet */
	uint32_t notes_line;
};

struct symbols *symbols_open(void)
{
	return calloc(1, sizeof(struct symbols));
}

static void free_bucket(struct symbols *symbols, size_t bucket)
{
	for (struct answer *answer = symbols->answers[bucket]; answer;) {
		struct answer *next = answer->next;

		free(answer);
		answer = next;
	}
	for (struct name *name = symbols->names[bucket]; name;) {
		struct name *next = name->next;

		free(name->demangled);
		free(name);
		name = next;
	}
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t bucket = 0; bucket < N_BUCKETS; bucket++)
		free_bucket(symbols, bucket);
	for (struct opened_module *opened = symbols->modules; opened;) {
		struct opened_module *next = opened->next;

		symbol_module_close(opened->module);
		free(opened);
		opened = next;
	}
	free(symbols);
}

struct symbol_source symbols_source(struct symbols *symbols)
{
	return (struct symbol_source){
		.frames = symbols_frames,
		.demangle = symbols_demangle,
		.notes = symbols_notes,
		.state = symbols,
	};
}

static size_t hash_name(const char *name)
{
	uint64_t hash = 14695981039346656037ull; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211ull;
	return (size_t)(hash % N_BUCKETS);
}

static struct name *find_name(struct symbols *symbols, const char *mangled)
{
	size_t bucket = hash_name(mangled);
	struct name *name = symbols->names[bucket];
	size_t length = strlen(mangled);
	int status;

	for (; name; name = name->next)
		if (!strcmp(name->mangled, mangled))
			return name;
	name = calloc(1, sizeof(*name) + length + 1);
	if (!name)
		return NULL;
	memcpy(name->mangled, mangled, length + 1);
	/* Without the prefix "f" would be taken for the type float. */
	if (!strncmp(mangled, "_Z", 2))
		name->demangled = __cxa_demangle(mangled, NULL, NULL, &status);
	name->next = symbols->names[bucket];
	symbols->names[bucket] = name;
	return name;
}

const char *symbols_demangle(void *state, const char *mangled)
{
	struct name *name = find_name(state, mangled);

	return name ? name->demangled : NULL;
}

size_t symbols_notes(void *state, const char *path, uint32_t line, const char **out, size_t max)
{
	struct symbols *symbols = state;
	size_t n;

	if (symbols->notes_line != line || strcmp(symbols->notes_path, path) != 0) {
		generated_notes_read(&symbols->notes, path, line);
		snprintf(symbols->notes_path, sizeof(symbols->notes_path), "%s", path);
		symbols->notes_line = line;
	}
	n = symbols->notes.n < max ? symbols->notes.n : max;
	for (size_t i = 0; i < n; i++)
		out[i] = symbols->notes.texts[i];
	return n;
}

static struct opened_module *find_module(const struct symbols *symbols, uint32_t id)
{
	struct opened_module *opened = symbols->modules;

	while (opened && opened->id != id)
		opened = opened->next;
	return opened;
}

static struct symbol_module *get_module(struct symbols *symbols, uint32_t id,
					const struct module_row *row, const char *path)
{
	struct opened_module *opened = find_module(symbols, id);

	if (opened)
		return opened->module;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return NULL;
	opened->module = symbol_module_open(row, path);
	if (!opened->module) {
		free(opened);
		return NULL;
	}
	opened->id = id;
	opened->next = symbols->modules;
	symbols->modules = opened;
	return opened->module;
}

const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id)
{
	const struct opened_module *opened = find_module(symbols, module_id);

	return opened ? symbol_module_problem(opened->module) : NULL;
}

bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id)
{
	const struct opened_module *opened = find_module(symbols, module_id);

	return opened && symbol_module_has_changed(opened->module);
}

static struct answer *find_answer(struct symbols *symbols, size_t bucket, uint32_t module_id,
				  uint64_t offset)
{
	struct answer *answer = symbols->answers[bucket];

	while (answer && (answer->module_id != module_id || answer->offset != offset))
		answer = answer->next;
	return answer;
}

/* Asks the module and remembers the answer, an empty one too. NULL: out of memory. */
static struct answer *make_answer(struct symbols *symbols, struct symbol_module *module,
				  uint32_t module_id, uint64_t offset)
{
	struct source_frame frames[ANSWER_MAX_FRAMES];
	/* A call may be the last instruction of its function: the return address is the next's. */
	size_t n = offset ? symbol_module_frames(module, offset - 1, frames, ANSWER_MAX_FRAMES) : 0;
	struct answer *answer = malloc(sizeof(*answer) + n * sizeof(frames[0]));

	if (!answer)
		return NULL;
	*answer = (struct answer){.module_id = module_id, .offset = offset, .n = n};
	for (size_t index = 0; index < n; index++) {
		const char *name = frames[index].function;
		const char *demangled = name ? symbols_demangle(symbols, name) : NULL;

		answer->frames[index] = frames[index];
		answer->frames[index].function = demangled ? demangled : name;
	}
	return answer;
}

size_t symbols_frames(void *state, uint32_t module_id, const struct module_row *module,
		      const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	struct symbols *symbols = state;
	size_t bucket = (size_t)((offset ^ (uint64_t)module_id << 20) % N_BUCKETS);
	struct answer *answer = find_answer(symbols, bucket, module_id, offset);
	struct symbol_module *opened;
	size_t n;

	if (!module)
		return 0;
	if (!answer) {
		opened = get_module(symbols, module_id, module, path);
		answer = opened ? make_answer(symbols, opened, module_id, offset) : NULL;
		if (!answer)
			return 0;
		answer->next = symbols->answers[bucket];
		symbols->answers[bucket] = answer;
	}
	n = answer->n < max ? answer->n : max;
	if (n)
		memcpy(out, answer->frames, n * sizeof(out[0]));
	return n;
}
