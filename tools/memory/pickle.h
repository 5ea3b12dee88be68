/*
 * pickle.h - writes Python's pickle format, protocol 2, with the opcodes that PyTorch's memory_viz
 * page reads.
 */
#ifndef CULPRIT_TOOLS_PICKLE_H
#define CULPRIT_TOOLS_PICKLE_H

#include <stdint.h>
#include <stdio.h>

/* The begin and the end of the one object of a file. */
void pickle_begin(FILE *out);
void pickle_end(FILE *out);

void pickle_string(FILE *out, const char *text); /* UTF-8 */

/* One above INT64_MAX is written as that: the page computes with no larger ones. */
void pickle_number(FILE *out, uint64_t number);

/*
 * Lists and dictionaries: open, what is in it (of a dictionary keys and values in turn), close.
 * pickle_part_list: the items so far are one instruction, which has a limit; to be called between
 * two items at least after each PICKLE_PART of them.
 */
enum { PICKLE_PART = 1000 };
void pickle_open_list(FILE *out);
void pickle_part_list(FILE *out);
void pickle_close_list(FILE *out);
void pickle_open_dictionary(FILE *out);
void pickle_close_dictionary(FILE *out);

/*
 * A word that comes again and again: written once, then by its number, in a fifth of the bytes. It
 * stays where it is. Its numbers are those below PICKLE_MAX_WORDS; when they are used up it is
 * written whole.
 */
enum { PICKLE_MAX_WORDS = 64 };
struct pickle_words {
	const char *texts[PICKLE_MAX_WORDS];
	uint32_t n;
};
void pickle_word(FILE *out, struct pickle_words *words, const char *text);

/* Gives the object that was just written a number, by which it can be had again: not one of a
 * word. */
void pickle_put(FILE *out, uint32_t number);
void pickle_get(FILE *out, uint32_t number);

#endif
