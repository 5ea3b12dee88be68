/*
 * test_python_lines.c - lines of Python code compared with those that Python itself gives;
 * python_lines.py writes the cases. It also tries tables that no compiler writes: cut ones, random
 * bytes.
 *
 * usage: test FILE: of cases; - for standard input
 */
#include "view/python_lines.h"

#include "support/check.h"

enum { MAX_LINE = 1 << 20, MAX_RUNS = 8192 };

struct run {
	uint32_t position;
	uint32_t line;
};

struct code {
	unsigned int version;
	unsigned int first_line;
	unsigned int size; /* of the code, in bytes */
	uint8_t *table;
	size_t table_size;
	struct run runs[MAX_RUNS];
	size_t n_runs;
};

/* A copy in a block of its own, so that a sanitizer sees a read past its end. */
static uint8_t *copy_table(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	CHECK(copy);
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

static unsigned int parse_number(const char **at, int base, char end)
{
	char *after = NULL;
	unsigned long number = strtoul(*at, &after, base);
	CHECK(after != *at && (*after == end || (*after == '\n' && end == ' ')));
	CHECK(number <= UINT32_MAX);
	*at = after + 1;
	return (unsigned int)number;
}

static void parse_table(struct code *code, const char **at)
{
	size_t length = strcspn(*at, " \n");
	uint8_t *bytes = (uint8_t *)malloc(length);
	CHECK(bytes && length > 0);
	code->table_size = **at == '-' ? 0 : length / 2;
	for (size_t i = 0; i < code->table_size; i++) {
		const char digits[] = {(*at)[2 * i], (*at)[2 * i + 1], ' ', '\0'};
		const char *digit = digits;
		bytes[i] = (uint8_t)parse_number(&digit, 16, ' ');
	}
	code->table = copy_table(bytes, code->table_size);
	free(bytes);
	*at += length + 1;
}

static void parse_code(struct code *code, const char *at)
{
	code->version = parse_number(&at, 16, ' ');
	code->first_line = parse_number(&at, 10, ' ');
	code->size = parse_number(&at, 10, ' ');
	parse_table(code, &at);
	for (code->n_runs = 0; *at; code->n_runs++) {
		CHECK(code->n_runs < MAX_RUNS);
		code->runs[code->n_runs].position = parse_number(&at, 10, ':');
		code->runs[code->n_runs].line = parse_number(&at, 10, ' ');
	}
}

static uint32_t find(const struct code *code, const uint8_t *table, size_t size, uint32_t position)
{
	return python_lines_find(table, size, (uint16_t)code->version, code->first_line, position);
}

static void check_lines(const struct code *code)
{
	size_t run = 0;
	for (uint32_t position = 0; position < code->size; position += 2) {
		if (run + 1 < code->n_runs && code->runs[run + 1].position <= position)
			run++;
		CHECK_EQUAL(find(code, code->table, code->table_size, position),
			    code->runs[run].line);
	}
}

/*
 * In a table cut anywhere, a line is right or unknown. Before 3.10 the cut does not show, so that
 * lines are not checked.
 */
static void check_cut(const struct code *code)
{
	for (size_t size = 0; size < code->table_size && size < 600; size++) {
		uint8_t *cut = copy_table(code->table, size);
		for (size_t run = 0; run < code->n_runs; run += 1 + run / 8) {
			uint32_t line = find(code, cut, size, code->runs[run].position);
			CHECK(code->version < 0x30a || line == 0 || line == code->runs[run].line);
		}
		free(cut);
	}
}

static unsigned int check_file(const char *path)
{
	static char line[MAX_LINE];
	static struct code code;
	FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	unsigned int n_codes = 0;
	CHECK(file);
	while (fgets(line, sizeof(line), file)) {
		parse_code(&code, line);
		check_lines(&code);
		check_cut(&code);
		free(code.table);
		n_codes++;
	}
	if (file != stdin)
		(void)fclose(file);
	return n_codes;
}

/* Any answer will do; sanitizers watch. */
static void check_random(void)
{
	uint64_t random = 88172645463325252u; /* xorshift64 */
	for (int i = 0; i < 20000; i++) {
		uint8_t bytes[64];
		for (size_t n = 0; n < sizeof(bytes); n++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			bytes[n] = (uint8_t)(random >> 40);
		}

		size_t size = bytes[0] % sizeof(bytes);
		uint8_t *table = copy_table(bytes, size);

		for (uint16_t version = 0x307; version <= 0x310; version++)
			(void)python_lines_find(table, size, version, bytes[1], bytes[2]);
		free(table);
	}
}

static void check_unknown(void)
{
	const uint8_t steps[] = {0, 1, 10, 1};
	const uint8_t endless[] = {0xf0, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f};
	const uint8_t backwards[] = {0xe8, 0x07}; /* by 3 lines */
	CHECK_EQUAL(python_lines_find(steps, sizeof(steps), 0x309, 7, 4), 8);
	CHECK_EQUAL(python_lines_find(steps, sizeof(steps), 0x307, 7, 4), 0);
	CHECK_EQUAL(python_lines_find(steps, sizeof(steps), 0x310, 7, 4), 0);
	CHECK_EQUAL(python_lines_find(NULL, 0, 0x309, 7, 4), 7);
	CHECK_EQUAL(python_lines_find(NULL, 0, 0x30a, 7, 4), 0);
	CHECK_EQUAL(python_lines_find(NULL, 0, 0x30d, 7, 4), 0);
	CHECK_EQUAL(python_lines_find(endless, sizeof(endless), 0x30d, 7, 0), 0);
	CHECK_EQUAL(python_lines_find(backwards, sizeof(backwards), 0x30d, 7, 0), 4);
	CHECK_EQUAL(python_lines_find(backwards, sizeof(backwards), 0x30d, 2, 0), 0);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	CHECK(check_file(argv[1]) > 0);
	check_random();
	check_unknown();
	return 0;
}
