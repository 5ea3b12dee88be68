/*
 * symbol_question.h - the questions to the helper that reads files, and its answers. Both sides of
 * the socket are the same program.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_QUESTION_H
#define CULPRIT_TOOLS_SYMBOL_QUESTION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "report/report_model.h"

enum symbol_kind {
	SYMBOL_FRAMES, /* of `offset` in a module */
	SYMBOL_NOTES,  /* the comments about a generated file's line, in place of function names */
	SYMBOL_SOURCE, /* the lines around a line of a file that is not newer than `offset`, in
			  place of function names */
};

enum {
	SYMBOL_MAX_FRAMES = 32,
	SYMBOL_MAX_PATH = 4096,        /* including the NUL */
	SYMBOL_MAX_STRING = 64 * 1024, /* including the NUL; longer names are cut */
	SYMBOL_PROBLEM_SIZE = 96,
};

/* The path follows: `path_size` bytes with a final NUL. */
struct symbol_question {
	enum symbol_kind kind;
	uint32_t module_id;
	bool is_alone; /* use the module's own file only, without separate debug information */
	uint32_t line;
	uint64_t offset; /* of a return address; for SYMBOL_SOURCE a time, ns since 1970 */
	struct module_row row;
	uint32_t path_size;
};

/*
 * `size` bytes of strings follow, each with a final NUL: for each frame its function and its file,
 * if it has them.
 */
struct symbol_answer_header {
	uint32_t n;
	uint32_t size;
	bool has_changed;
	char problem[SYMBOL_PROBLEM_SIZE]; /* "": none */
	struct {
		uint32_t line;
		uint32_t column;
		bool is_inlined;
		bool is_tail_call; /* after all others */
		bool has_function;
		bool has_file;
	} frames[SYMBOL_MAX_FRAMES];
};

/* The answer for the caller: its frames point into `strings`. */
struct symbol_answer {
	struct symbol_answer_header header;
	struct source_frame frames[SYMBOL_MAX_FRAMES];
	char strings[];
};

/* True if both rows are of the same file, loaded from the same path. */
static inline bool symbol_module_is_same(const struct module_row *one,
					 const struct module_row *other)
{
	return one->build_id_size == other->build_id_size &&
	       (one->flags & MODULE_HAS_FILE) == (other->flags & MODULE_HAS_FILE) &&
	       !memcmp(one->build_id, other->build_id, sizeof(one->build_id));
}

/* Answer questions until the socket `fd` is closed. Never returns. In symbol_server.c. */
_Noreturn void symbol_server(int fd);

#endif
