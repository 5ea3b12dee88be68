/*
 * pickle.h - write Python's pickle format, protocol 2, using only the opcodes that PyTorch's
 * memory_viz page can read. Errors of `out` stay in the stream: check it with ferror().
 */
#ifndef CULPRIT_TOOLS_PICKLE_H
#define CULPRIT_TOOLS_PICKLE_H

#include <stdint.h>
#include <stdio.h>

/* Start and finish a file, which holds one object. */
void pickle_begin(FILE *out);
void pickle_end(FILE *out);

void pickle_string(FILE *out, const char *text); /* UTF-8 */

/* Write a number. Above INT64_MAX it is written as INT64_MAX, the page's limit. */
void pickle_number(FILE *out, uint64_t number);

/*
 * Write a list or dictionary: open it, write its items (in a dictionary keys and values in turn),
 * close it. One opcode appends all items so far, and their number is limited. In a long list, call
 * pickle_part_list() between two items, at least after every PICKLE_PART of them.
 */
enum { PICKLE_PART = 1000 };
void pickle_open_list(FILE *out);
void pickle_part_list(FILE *out);
void pickle_close_list(FILE *out);
void pickle_open_dictionary(FILE *out);
void pickle_close_dictionary(FILE *out);

/*
 * Write a word that is repeated often: the whole text once, then its number, in a fifth of the
 * bytes. Words are compared by address, so `text` must stay valid. Their numbers are below
 * PICKLE_MAX_WORDS; further words are always written whole.
 */
enum { PICKLE_MAX_WORDS = 64 };
struct pickle_words {
	const char *texts[PICKLE_MAX_WORDS];
	uint32_t n;
};
void pickle_word(FILE *out, struct pickle_words *words, const char *text);

/* Number the object just written, from PICKLE_MAX_WORDS on; write a reference to that number. */
void pickle_put(FILE *out, uint32_t number);
void pickle_get(FILE *out, uint32_t number);

#endif
