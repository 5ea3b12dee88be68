/*
 * python_layout.c - the offsets, as the compiler computed them from each version's own headers
 * (x86-64 Linux), and their comparison with the interpreter's own table.
 */
#include "record/python/python_layout.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Shared by several versions. */
#define FRAME_OBJECTS(unit)                                   \
	.frames = PYTHON_FRAME_OBJECTS, .lasti_unit = (unit), \
	.thread = {.frame = 24, .cframe = PYTHON_NO_MEMBER},  \
	.code = {.first_line = 40,                            \
		 .file = 104,                                 \
		 .name = 112,                                 \
		 .lines = 120,                                \
		 .instructions = PYTHON_NO_MEMBER,            \
		 .first_traceable = PYTHON_NO_MEMBER}

#define OBJECTS .type = 8, .dealloc = 48, .bytes = {.size = 16, .bytes = 32}
/* Without the lock, an object has 16 bytes more in front of its type. */
#define FREE_THREADED_OBJECTS .type = 24, .dealloc = 64, .bytes = {.size = 32, .bytes = 48}

#define TEXT_WITH_WCHAR                                            \
	{                                                          \
		.length = 16, .state = 32, .ascii = 48, .wide = 72 \
	} /* up to 3.11 */
#define TEXT                                                       \
	{                                                          \
		.length = 16, .state = 32, .ascii = 40, .wide = 56 \
	}

static const struct python_layout layouts[] = {
	{
		.minor = 8,
		FRAME_OBJECTS(1),
		.frame = {.previous = 24, .code = 32, .position = 104, .owner = PYTHON_NO_MEMBER},
		OBJECTS,
		.text = TEXT_WITH_WCHAR,
	},
	{
		.minor = 9,
		FRAME_OBJECTS(1),
		.frame = {.previous = 24, .code = 32, .position = 104, .owner = PYTHON_NO_MEMBER},
		OBJECTS,
		.text = TEXT_WITH_WCHAR,
	},
	{
		.minor = 10,
		FRAME_OBJECTS(2),
		.frame = {.previous = 24, .code = 32, .position = 96, .owner = PYTHON_NO_MEMBER},
		OBJECTS,
		.text = TEXT_WITH_WCHAR,
	},
	{
		.minor = 11,
		.frames = PYTHON_INTERPRETER_FRAMES,
		.thread = {.frame = 56, .cframe = 8},
		.frame = {.previous = 48, .code = 32, .position = 56, .owner = 69},
		.code = {.first_line = 72,
			 .file = 112,
			 .name = 128,
			 .lines = 136,
			 .instructions = 184,
			 .first_traceable = 168},
		OBJECTS,
		.text = TEXT_WITH_WCHAR,
	},
	{
		.minor = 12,
		.frames = PYTHON_INTERPRETER_FRAMES,
		.thread = {.frame = 56, .cframe = 0},
		.frame = {.previous = 8, .code = 0, .position = 56, .owner = 70},
		.code = {.first_line = 68,
			 .file = 112,
			 .name = 128,
			 .lines = 136,
			 .instructions = 192,
			 .first_traceable = 176},
		OBJECTS,
		.text = TEXT,
	},
	{
		.minor = 13,
		.frames = PYTHON_INTERPRETER_FRAMES,
		.thread = {.frame = 72, .cframe = PYTHON_NO_MEMBER},
		.frame = {.previous = 8, .code = 0, .position = 56, .owner = 70},
		.code = {.first_line = 68,
			 .file = 112,
			 .name = 128,
			 .lines = 136,
			 .instructions = 200,
			 .first_traceable = 184},
		OBJECTS,
		.text = TEXT,
	},
	{
		.minor = 13,
		.is_free_threaded = true,
		.frames = PYTHON_INTERPRETER_FRAMES,
		.thread = {.frame = 72, .cframe = PYTHON_NO_MEMBER},
		.frame = {.previous = 8, .code = 0, .position = 56, .owner = 70},
		.code = {.first_line = 84,
			 .file = 128,
			 .name = 144,
			 .lines = 152,
			 .instructions = 216,
			 .first_traceable = 200},
		FREE_THREADED_OBJECTS,
		.text = {.length = 32, .state = 48, .ascii = 56, .wide = 72},
	},
	/*
	 * 3.14 without the lock is left out: a thread runs its own copy of the code there. The
	 * copy's address is in an array that other threads replace and free meanwhile.
	 */
	{
		.minor = 14,
		.frames = PYTHON_INTERPRETER_FRAMES,
		.thread = {.frame = 72, .cframe = PYTHON_NO_MEMBER},
		.frame = {.previous = 8, .code = 0, .position = 56, .owner = 74},
		.code = {.first_line = 68,
			 .file = 112,
			 .name = 128,
			 .lines = 136,
			 .instructions = 208,
			 .first_traceable = 192},
		OBJECTS,
		.text = TEXT,
	},
};

/*
 * Since 3.13 _PyRuntime starts with a table of 64-bit words (struct _Py_DebugOffsets): a cookie,
 * the version as PY_VERSION_HEX, whether it is free-threaded, and then one block of offsets for
 * each structure. These are the indexes of the words that a layout has too.
 */
enum { WORD_COOKIE, WORD_VERSION, WORD_FREE_THREADED, FIRST_MINOR_WITH_WORDS = 13 };

static const struct offset_words {
	uint8_t current_frame;
	uint8_t previous, executable, position, owner;
	uint8_t file, name, lines, first_line, instructions;
	uint8_t type;
} offset_words[] = {
	/* 3.13: the blocks start at the words 19, 28, 34 and 44. */
	{19 + 4, 28 + 1, 28 + 2, 28 + 3, 28 + 5, 34 + 1, 34 + 3, 34 + 4, 34 + 5, 34 + 9, 44 + 1},
	/* 3.14: at 22, 31, 39 and 50. */
	{22 + 4, 31 + 1, 31 + 2, 31 + 3, 31 + 5, 39 + 1, 39 + 3, 39 + 4, 39 + 5, 39 + 9, 50 + 1},
};

/* Return the interpreter's own table, or NULL if it has none of this version. */
static const uint64_t *words_of(unsigned minor, const void *runtime)
{
	const uint64_t *words = runtime;
	if (minor < FIRST_MINOR_WITH_WORDS || !runtime || memcmp(words, "xdebugpy", 8) != 0)
		return NULL;
	return words[WORD_VERSION] >> 16 == (3u << 8 | minor) ? words : NULL;
}

static bool agrees(const struct python_layout *layout, const uint64_t *words)
{
	const struct offset_words *at = &offset_words[layout->minor - FIRST_MINOR_WITH_WORDS];
	return words[WORD_FREE_THREADED] == layout->is_free_threaded &&
	       words[at->current_frame] == layout->thread.frame &&
	       words[at->previous] == layout->frame.previous &&
	       words[at->executable] == layout->frame.code &&
	       words[at->position] == layout->frame.position &&
	       words[at->owner] == layout->frame.owner && words[at->file] == layout->code.file &&
	       words[at->name] == layout->code.name && words[at->lines] == layout->code.lines &&
	       words[at->first_line] == layout->code.first_line &&
	       words[at->instructions] == layout->code.instructions &&
	       words[at->type] == layout->type;
}

const struct python_layout *python_layout_find(unsigned minor, const void *runtime)
{
	const uint64_t *words = words_of(minor, runtime);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (layouts[i].minor != minor)
			continue;
		if (minor < FIRST_MINOR_WITH_WORDS || (words && agrees(&layouts[i], words)))
			return &layouts[i];
	}
	return NULL;
}

bool python_layout_is_free_threaded(unsigned minor, const void *runtime)
{
	const uint64_t *words = words_of(minor, runtime);
	return words && words[WORD_FREE_THREADED];
}

size_t python_layout_read_version(const char *text, unsigned *out_minor, bool *out_is_early)
{
	if (strncmp(text, "3.", 2) != 0)
		return 0;
	char *end = NULL;
	unsigned minor = (unsigned)strtoul(text + 2, &end, 10);
	if (*end != '.')
		return 0;
	(void)strtoul(end + 1, &end, 10);
	*out_minor = minor;
	*out_is_early = *end == 'a' || *end == 'b';
	return strcspn(text, " ");
}
