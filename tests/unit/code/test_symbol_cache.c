/*
 * test_symbol_cache.c - answers are found by all that identifies their question, and the cache is
 * full at its limits.
 */
#include "symbols/symbol_cache.h"

#include <errno.h>

#include "support/check.h"

enum { MOST_MODULES = 256, MOST_BYTES = 32 << 20, BUCKETS = 64 };

static struct symbol_cache cache;

/* Calls of calloc() and malloc() (--wrap) until one fails; 0: none does. */
static unsigned n_until_failure;

static bool is_out_of_memory(void)
{
	return n_until_failure && --n_until_failure == 0;
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return is_out_of_memory() ? NULL : __real_calloc(n, size);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return is_out_of_memory() ? NULL : __real_malloc(size);
}

static struct symbol_question question_at(uint64_t offset)
{
	return (struct symbol_question){.offset = offset,
					.row = {.build_id = {1, 2, 3}, .build_id_size = 3}};
}

/* Return an answer with this many bytes of strings, whose first frame has that line. */
static struct symbol_answer *make_answer(uint32_t line, const char *strings, uint32_t size)
{
	struct symbol_answer *answer = calloc(1, sizeof(*answer) + size);
	CHECK(answer);
	answer->header.n = 3;
	answer->header.size = size;
	answer->header.frames[0].line = line;
	answer->header.frames[0].column = 4;
	answer->header.frames[0].is_inlined = true;
	answer->header.frames[0].has_function = true;
	answer->header.frames[0].has_file = true;
	answer->header.frames[1].is_tail_call = true;
	answer->header.frames[1].has_file = true;
	answer->header.frames[2].has_function = true;
	memcpy(answer->strings, strings, size);
	return answer;
}

static void add(const struct symbol_question *question, const char *path, uint32_t line)
{
	static const char strings[] = "f\0a.c\0b.c\0g";
	struct symbol_answer *answer = make_answer(line, strings, sizeof(strings));
	symbol_cache_add(&cache, question, path, answer, 0);
	free(answer);
}

/* Return the line of the answer, or -errno. */
static int find(const struct symbol_question *question, const char *path)
{
	struct symbol_answer *answer = NULL;
	int result = symbol_cache_find(&cache, question, path, &answer);
	if (!result)
		result = (int)answer->frames[0].line;
	free(answer);
	return result;
}

/* Offsets of one bucket, and of another one. */
static void test_offsets(void)
{
	const uint64_t offsets[] = {5, 5 + BUCKETS, 6, 5 + UINT64_C(1000) * BUCKETS};
	struct symbol_question question = question_at(5);
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
	for (uint32_t i = 0; i < 4; i++) {
		question.offset = offsets[i];
		add(&question, "/lib", 10 + i);
	}
	for (int i = 0; i < 4; i++) {
		question.offset = offsets[i];
		CHECK_EQUAL(find(&question, "/lib"), 10 + i);
	}
	question.offset = 5 + 2 * BUCKETS;
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
	CHECK_EQUAL(cache.n_modules, 1);
	symbol_cache_empty(&cache);
	CHECK_EQUAL(cache.n_modules, 0);
	CHECK_EQUAL(cache.n_bytes, 0);
	question.offset = 5;
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
}

/* Each part that makes it another module. */
static void test_modules(void)
{
	struct symbol_question question = question_at(5);
	add(&question, "/lib", 10);
	CHECK_EQUAL(find(&question, "/lib"), 10);
	CHECK_EQUAL(find(&question, "/lab"), -ENOENT);
	question.is_alone = true;
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
	question = question_at(5);
	question.row.build_id[1]++;
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
	question = question_at(5);
	question.row.build_id_size++;
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
	question = question_at(5);
	question.row.flags ^= MODULE_HAS_FILE;
	CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
	add(&question, "/lib", 11);
	CHECK_EQUAL(find(&question, "/lib"), 11);
	question = question_at(5);
	CHECK_EQUAL(find(&question, "/lib"), 10);
	CHECK_EQUAL(cache.n_modules, 2);
	symbol_cache_empty(&cache);
}

/* After an error, no question about the module is answered. */
static void test_error(void)
{
	struct symbol_question question = question_at(5);
	add(&question, "/lib", 10);
	symbol_cache_add(&cache, &question, "/lib", NULL, -ETIMEDOUT);
	CHECK_EQUAL(find(&question, "/lib"), -ETIMEDOUT);
	symbol_cache_add(&cache, &question, "/other", NULL, -EIO);
	CHECK_EQUAL(find(&question, "/other"), -EIO);
	symbol_cache_empty(&cache);
}

static void test_copy(void)
{
	static const char strings[] = "f\0a.c\0b.c\0g";
	struct symbol_answer *answer = make_answer(7, strings, sizeof(strings));
	struct symbol_answer *copy = symbol_answer_copy(answer);
	memset(answer, 0xff, sizeof(*answer) + sizeof(strings));
	free(answer);
	CHECK_STRING(copy->frames[0].function, "f");
	CHECK_STRING(copy->frames[0].file, "a.c");
	CHECK(!copy->frames[1].function && copy->frames[1].is_tail_call);
	CHECK_STRING(copy->frames[1].file, "b.c");
	CHECK_STRING(copy->frames[2].function, "g");
	CHECK(!copy->frames[2].file && !copy->frames[2].is_tail_call);
	CHECK(copy->frames[0].line == 7 && copy->frames[0].column == 4);
	CHECK(copy->frames[0].is_inlined && !copy->frames[1].is_inlined);
	/* A string without its NUL is missing, with all after it. */
	copy->header.size = 3;
	symbol_answer_find_strings(copy);
	CHECK_STRING(copy->frames[0].function, "f");
	CHECK(!copy->frames[0].file && !copy->frames[1].file && !copy->frames[2].function);
	free(copy);
}

static void test_full(void)
{
	struct symbol_question question = question_at(5);
	char path[32];
	for (int i = 0; i < MOST_MODULES; i++) {
		CHECK(!symbol_cache_is_full(&cache));
		(void)snprintf(path, sizeof(path), "/lib%d", i);
		symbol_cache_add(&cache, &question, path, NULL, -EIO);
	}
	CHECK(symbol_cache_is_full(&cache));
	for (int i = 0; i < MOST_MODULES; i++) {
		(void)snprintf(path, sizeof(path), "/lib%d", i);
		CHECK_EQUAL(find(&question, path), -EIO);
	}
	symbol_cache_empty(&cache);
	uint32_t size = MOST_BYTES / 2;
	char *strings = calloc(size, 1);
	struct symbol_answer *answer = make_answer(1, strings, size);
	symbol_cache_add(&cache, &question, "/lib", answer, 0);
	CHECK(!symbol_cache_is_full(&cache));
	symbol_cache_add(&cache, &question, "/lib", answer, 0);
	CHECK(symbol_cache_is_full(&cache));
	free(answer);
	free(strings);
	symbol_cache_empty(&cache);
}

/* Out of memory, the answer is not kept, or not found. */
static void test_memory(void)
{
	static const char strings[] = "f";
	struct symbol_question question = question_at(5);
	struct symbol_answer *answer = make_answer(9, strings, sizeof(strings));
	for (unsigned n = 1; n <= 3; n++) {
		n_until_failure = n;
		symbol_cache_add(&cache, &question, "/lib", answer, 0);
		CHECK_EQUAL(n_until_failure, 0);
		CHECK_EQUAL(find(&question, "/lib"), -ENOENT);
		CHECK_EQUAL(cache.n_bytes, 0);
		symbol_cache_empty(&cache);
	}
	symbol_cache_add(&cache, &question, "/lib", answer, 0);
	n_until_failure = 1;
	CHECK_EQUAL(find(&question, "/lib"), -ENOMEM);
	CHECK_EQUAL(find(&question, "/lib"), 9);
	n_until_failure = 1;
	symbol_cache_add(&cache, &question, "/new", NULL, -EIO);
	CHECK_EQUAL(find(&question, "/new"), -ENOENT);
	free(answer);
	symbol_cache_empty(&cache);
}

int main(void)
{
	test_offsets();
	test_modules();
	test_error();
	test_copy();
	test_full();
	test_memory();
	return 0;
}
