/*
 * symbol_question.h - what the process that reads files is asked, and what it answers: over a
 * socket, between two sides of the same program.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_QUESTION_H
#define CULPRIT_TOOLS_SYMBOL_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report_model.h"

enum symbol_kind {
	SYMBOL_FRAMES, /* of `offset` in a module */
	SYMBOL_NOTES,  /* of a generated file's line: texts as functions */
	SYMBOL_SOURCE, /* lines around one of a file that is not newer than `offset`, as functions
			*/
};

enum {
	SYMBOL_MAX_FRAMES = 32,
	SYMBOL_MAX_PATH = 4096,        /* with its NUL */
	SYMBOL_MAX_STRING = 64 * 1024, /* with its NUL; longer names are cut */
	SYMBOL_PROBLEM_SIZE = 96,
};

/* The path follows, `path_size` bytes with its NUL. */
struct symbol_question {
	enum symbol_kind kind;
	uint32_t module_id;
	bool is_alone; /* what is in the module's own file only: no separate debug information */
	uint32_t line;
	uint64_t offset; /* of a return address; of SYMBOL_SOURCE ns since 1970 */
	struct module_row row;
	uint32_t path_size;
};

/*
 * `size` bytes of strings follow, each ended by a NUL: of each frame in turn its function and its
 * file, as far as it has them.
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
		bool has_function;
		bool has_file;
	} frames[SYMBOL_MAX_FRAMES];
};

/* The same, for those who asked: frames point into strings. */
struct symbol_answer {
	struct symbol_answer_header header;
	struct source_frame frames[SYMBOL_MAX_FRAMES];
	char strings[];
};

#endif
