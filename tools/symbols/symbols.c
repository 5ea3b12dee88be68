/*
 * symbols.c - caches the answers: modules by their id, frames by address, names by their mangled
 * form. A report asks for the same frames many times. symbol_server.c reads the files, in a process
 * of its own.
 */
#include "symbols/symbols.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/patience.h"
#include "symbols/demangled_names.h"
#include "symbols/symbol_process.h"

enum { N_BUCKETS = 1024 };

/* The entries of a bucket are a list, newest first. They are never removed before the end. */
struct answer {
	struct answer *next;
	uint32_t module_id;
	uint64_t offset;
	struct symbol_answer *found; /* NULL: nothing */
};

/* How much of a module is read. */
enum module_search {
	SEARCH_WHOLE, /* with separate debug information */
	SEARCH_ALONE, /* reading it took too long, so use only its own file */
	SEARCH_NONE,  /* reading that failed, too */
};

struct asked_module {
	struct asked_module *next;
	uint32_t id;
	enum module_search search;
	bool has_changed;
	char problem[SYMBOL_PROBLEM_SIZE]; /* "": none */
	const char *given_up;              /* NULL: everything was searched */
	char *path;                        /* NULL: the path that the caller gives */
};

/* One thread. */
struct symbols {
	struct symbol_process *process;
	struct asked_module *modules[N_BUCKETS];
	struct answer *answers[N_BUCKETS];
	struct demangled_names demangled;
	struct symbol_answer *notes; /* of the lines below; NULL: none */
	char notes_path[PATH_MAX];   /* "": none yet */
	uint32_t notes_line;
	void (*mask)(void *state, char *bytes, size_t size); /* NULL: none */
	void *mask_state;
};

static const char too_slow[] = "its separate debug information was given up: it took too long";
static const char stuck[] = "given up: to read it took too long";
static const char no_time[] = "not read: other files have taken all the time";
static const char breaks[] = "not read: its debug information breaks the reader";
static const char refused[] = "not read: the system refused a process for it";

static const char *root; /* written at the start only */

void symbols_set_root(const char *directory)
{
	root = directory;
}

void symbols_share(bool is_shared)
{
	symbol_process_share(is_shared);
}

struct symbols *symbols_open(unsigned wait_seconds)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));
	if (!symbols)
		return NULL;
	symbols->process = symbol_process_open(wait_seconds);
	if (symbols->process)
		return symbols;
	free(symbols);
	return NULL;
}

static void free_bucket(struct symbols *symbols, size_t bucket)
{
	for (struct answer *answer = symbols->answers[bucket]; answer;) {
		struct answer *next = answer->next;
		free(answer->found);
		free(answer);
		answer = next;
	}
}

static void free_modules(struct asked_module *asked)
{
	while (asked) {
		struct asked_module *next = asked->next;
		free(asked->path);
		free(asked);
		asked = next;
	}
}

void symbols_close(struct symbols *symbols)
{
	patience_hide();
	if (!symbols)
		return;
	for (size_t bucket = 0; bucket < N_BUCKETS; bucket++)
		free_bucket(symbols, bucket);
	for (size_t bucket = 0; bucket < N_BUCKETS; bucket++)
		free_modules(symbols->modules[bucket]);
	demangled_names_free(&symbols->demangled);
	symbol_process_close(symbols->process);
	free(symbols->notes);
	free(symbols);
}

const char *symbols_demangle(void *state, const char *mangled)
{
	struct symbols *symbols = state;
	return demangled_names_find(&symbols->demangled, mangled);
}

static void ask_notes(struct symbols *symbols, const char *path, uint32_t line)
{
	const struct symbol_question question = {.kind = SYMBOL_NOTES, .line = line};
	free(symbols->notes);
	symbols->notes = NULL;
	snprintf(symbols->notes_path, sizeof(symbols->notes_path), "%s", path);
	symbols->notes_line = line;
	/* Comments are optional: a report is complete without them. */
	(void)symbol_process_ask(symbols->process, &question, path, &symbols->notes);
}

size_t symbols_notes(void *state, const char *path, uint32_t line, const char **out, size_t max)
{
	struct symbols *symbols = state;
	size_t n = 0;
	if (symbols->mask)
		return 0;
	if (symbols->notes_line != line || strcmp(symbols->notes_path, path) != 0)
		ask_notes(symbols, path, line);
	for (; symbols->notes && n < symbols->notes->header.n && n < max; n++) {
		const char *text = symbols->notes->frames[n].function;
		out[n] = text ? text : "";
	}
	return n;
}

size_t symbols_source_lines(struct symbols *symbols, const char *path, uint32_t line,
			    uint64_t newest, struct source_frame *out, size_t max)
{
	const struct symbol_question question = {
		.kind = SYMBOL_SOURCE, .line = line, .offset = newest};
	size_t n = 0;
	free(symbols->notes);
	symbols->notes = NULL;
	*symbols->notes_path = '\0';
	if (symbol_process_ask(symbols->process, &question, path, &symbols->notes))
		return 0;
	for (; n < symbols->notes->header.n && n < max; n++)
		out[n] = symbols->notes->frames[n];
	return n;
}

static struct asked_module *find_module(const struct symbols *symbols, uint32_t id)
{
	struct asked_module *asked = symbols->modules[id % N_BUCKETS];
	while (asked && asked->id != id)
		asked = asked->next;
	return asked;
}

static struct asked_module *get_module(struct symbols *symbols, uint32_t id)
{
	struct asked_module *asked = find_module(symbols, id);
	if (asked)
		return asked;
	asked = calloc(1, sizeof(*asked));
	if (!asked)
		return NULL;
	asked->id = id;
	asked->next = symbols->modules[id % N_BUCKETS];
	symbols->modules[id % N_BUCKETS] = asked;
	return asked;
}

const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id)
{
	const struct asked_module *asked = find_module(symbols, module_id);
	return asked && *asked->problem ? asked->problem : NULL;
}

const char *symbols_module_given_up(const struct symbols *symbols, uint32_t module_id)
{
	const struct asked_module *asked = find_module(symbols, module_id);
	return asked ? asked->given_up : NULL;
}

bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id)
{
	const struct asked_module *asked = find_module(symbols, module_id);
	return asked && asked->has_changed;
}

/* Ask no more about this module. */
static void give_up_all(struct asked_module *asked, const char *why)
{
	asked->search = SEARCH_NONE;
	asked->given_up = why;
	snprintf(asked->problem, sizeof(asked->problem), "%s", why);
}

/* After a question without an answer, decide which part of the module is still worth a try. */
static void give_up(struct asked_module *asked, int error)
{
	bool is_slow = error == -ETIMEDOUT;
	const char *servers = getenv("DEBUGINFOD_URLS");
	/* If a server made one question wait, do not ask it again. */
	if (is_slow && servers && *servers)
		unsetenv("DEBUGINFOD_URLS");
	if (!is_slow && error != -EPIPE) {
		give_up_all(asked, refused);
	} else if (asked->search == SEARCH_WHOLE) {
		asked->search = SEARCH_ALONE;
		asked->given_up = is_slow ? too_slow : breaks;
	} else {
		give_up_all(asked, is_slow ? stuck : breaks);
	}
}

/* NULL: no answer. */
static struct symbol_answer *ask_module(struct symbols *symbols, struct asked_module *asked,
					const struct module_row *row, const char *path,
					uint64_t offset)
{
	struct symbol_question question = {
		.kind = SYMBOL_FRAMES, .module_id = asked->id, .offset = offset, .row = *row};
	struct symbol_answer *answer = NULL;
	char below_root[SYMBOL_MAX_PATH];
	if (root &&
	    snprintf(below_root, sizeof(below_root), "%s/%s", root, path) < (int)sizeof(below_root))
		path = below_root;
	while (!answer && asked->search != SEARCH_NONE) {
		if (symbol_process_is_exhausted(symbols->process)) {
			give_up_all(asked, no_time);
			break;
		}
		question.is_alone = asked->search == SEARCH_ALONE;
		int result = symbol_process_ask(symbols->process, &question, path, &answer);
		if (result)
			give_up(asked, result);
	}
	if (!answer)
		return NULL;
	memcpy(asked->problem, answer->header.problem, sizeof(asked->problem));
	asked->has_changed = answer->header.has_changed;
	return answer;
}

static struct answer *find_answer(struct symbols *symbols, size_t bucket, uint32_t module_id,
				  uint64_t offset)
{
	struct answer *answer = symbols->answers[bucket];
	while (answer && (answer->module_id != module_id || answer->offset != offset))
		answer = answer->next;
	return answer;
}

int symbols_filter(struct symbols *symbols, const struct bundle_view *view,
		   void (*mask)(void *state, char *bytes, size_t size), void *state)
{
	uint64_t n_modules = view->tables[JOURNAL_MODULES].n_rows;
	for (uint32_t place = 1; place <= n_modules && place < UINT32_MAX; place++) {
		uint32_t id = view_id_at(view, JOURNAL_MODULES, place);
		const struct module_row *row = view_module(view, id);
		struct asked_module *asked = row ? get_module(symbols, id) : NULL;
		if (!row)
			continue;
		if (asked && !asked->path)
			asked->path = strdup(view_string(view, row->path, NULL));
		if (!asked || !asked->path)
			return -ENOMEM;
	}
	symbols->mask = mask;
	symbols->mask_state = state;
	return 0;
}

static void mask_files(const struct symbols *symbols, struct symbol_answer *answer)
{
	for (uint32_t i = 0; i < answer->header.n; i++) {
		const char *file = answer->frames[i].file;
		if (file)
			symbols->mask(symbols->mask_state,
				      answer->strings + (file - answer->strings), strlen(file));
	}
}

/* Ask about the module and cache the answer, even an empty one. NULL: out of memory. */
static struct answer *make_answer(struct symbols *symbols, uint32_t module_id,
				  const struct module_row *row, const char *path, uint64_t offset)
{
	struct asked_module *asked = get_module(symbols, module_id);
	struct answer *answer = asked ? calloc(1, sizeof(*answer)) : NULL;
	if (!answer)
		return NULL;
	answer->module_id = module_id;
	answer->offset = offset;
	if (asked->path)
		path = asked->path;
	answer->found = ask_module(symbols, asked, row, path ? path : "", offset);
	if (answer->found && symbols->mask)
		mask_files(symbols, answer->found);
	for (size_t i = 0; answer->found && i < answer->found->header.n; i++) {
		const char *name = answer->found->frames[i].function;
		const char *demangled = name ? symbols_demangle(symbols, name) : NULL;
		answer->found->frames[i].function = demangled ? demangled : name;
	}
	return answer;
}

/* Return the answer about an address; NULL: nothing is known. */
static const struct symbol_answer *find_frames(struct symbols *symbols, uint32_t module_id,
					       const struct module_row *module, const char *path,
					       uint64_t offset)
{
	size_t bucket = (size_t)((offset ^ (uint64_t)module_id << 20) % N_BUCKETS);
	struct answer *answer = find_answer(symbols, bucket, module_id, offset);
	if (!module)
		return NULL;
	if (!answer) {
		answer = make_answer(symbols, module_id, module, path, offset);
		if (!answer)
			return NULL;
		answer->next = symbols->answers[bucket];
		symbols->answers[bucket] = answer;
	}
	return answer->found;
}

/* Copy the frames that are tail calls, or those that are not. */
static size_t copy_frames(const struct symbol_answer *answer, bool of_tail_calls,
			  struct source_frame *out, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; answer && i < answer->header.n && n < max; i++)
		if (answer->frames[i].is_tail_call == of_tail_calls)
			out[n++] = answer->frames[i];
	return n;
}

size_t symbols_frames(void *state, uint32_t module_id, const struct module_row *module,
		      const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	return copy_frames(find_frames(state, module_id, module, path, offset), false, out, max);
}

static size_t find_tail_callers(void *state, uint32_t module_id, const struct module_row *module,
				const char *path, uint64_t offset, struct source_frame *out,
				size_t max)
{
	return copy_frames(find_frames(state, module_id, module, path, offset), true, out, max);
}

struct symbol_source symbols_source(struct symbols *symbols)
{
	return (struct symbol_source){
		.frames = symbols_frames,
		.tail_callers = find_tail_callers,
		.demangle = symbols_demangle,
		.notes = symbols_notes,
		.state = symbols,
	};
}
