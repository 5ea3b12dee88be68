/*
 * test_print_arguments.c - arguments in a line of --print: numbers, pointers, and structures with
 * the pointers in them.
 */
#include <string.h>

#include "print/print_parts.h"
#include "support/bundle_builder.h"
#include "support/check.h"

#define MEMORY UINT64_C(0x700000000000)

enum { SIZE = 0x1000, NUMBER = 3 };

static struct printed_process process;
static struct launch_arguments arguments;
static char line[256];

/* The one allocation. */
bool print_location_find(const struct print_moment *at, uint64_t value, struct range_row *out)
{
	CHECK(at->process == &process);
	*out = (struct range_row){.start = MEMORY, .size = SIZE, .number = NUMBER};
	return value >= MEMORY && value < MEMORY + SIZE;
}

/* Return the words for one argument of that size, of which n_kept bytes are in the journal. */
static const char *words_of(const void *bytes, uint32_t size, size_t n_kept)
{
	struct bundle_builder builder;
	struct text text = text_in(line, sizeof(line));
	line[0] = '\0';
	builder_begin(&builder, 8);
	uint32_t function = builder_function(&builder, "kernel", 1, &size);
	const struct journal_record record = {.launch = {.function = function}};
	builder_view(&builder, &process.view);
	arguments.n_bytes = n_kept;
	memcpy(arguments.bytes, bytes, n_kept);
	print_arguments(&process, &record, 1, &arguments, &text);
	builder_end(&builder);
	return line;
}

static void test_words(void)
{
	const uint64_t inside = MEMORY + 18;
	const uint64_t outside = MEMORY + SIZE;
	const uint32_t number = 64;
	CHECK_STRING(words_of(&number, sizeof(number), sizeof(number)), "64");
	CHECK_STRING(words_of(&inside, sizeof(inside), sizeof(inside)), "0x700000000012=#3+18");
	CHECK_STRING(words_of(&outside, sizeof(outside), sizeof(outside)), "0x700000001000");
	CHECK_STRING(words_of(&inside, sizeof(inside), 4), "{8 bytes}");
}

/* A structure of more than 64 bytes is not searched for pointers. */
static void test_structures(void)
{
	const uint64_t words[9] = {7, MEMORY, MEMORY + SIZE, MEMORY + 16};
	CHECK_STRING(words_of(words, 16, 16), "{16 bytes: 0x700000000000=#3+0}");
	CHECK_STRING(words_of(words, 32, 32),
		     "{32 bytes: 0x700000000000=#3+0, 0x700000000010=#3+16}");
	CHECK_STRING(words_of(words, 12, 12), "{12 bytes}");
	CHECK_STRING(words_of(words, 64, 64),
		     "{64 bytes: 0x700000000000=#3+0, 0x700000000010=#3+16}");
	CHECK_STRING(words_of(words, 72, 72), "{72 bytes}");
}

int main(void)
{
	test_words();
	test_structures();
	return 0;
}
