/*
 * mangled_name.c - extracts the outermost names from a mangled C++ name (Itanium C++ ABI, section
 * 5.1): "_ZN" and names with their lengths, or one name alone, each with its template arguments. It
 * gives up at operators, constructors and expressions, which are rare in names of kernels.
 */
#include "base/short_name_text.h"

#include <string.h>

#include "base/text.h"

/* Most brackets open at once; a name with more is not decoded. */
enum { MAX_OPEN = 64 };

static const char *name_of_builtin(char letter)
{
	static const struct {
		char letter;
		const char *name;
	} builtins[] = {
		{'v', "void"},
		{'b', "bool"},
		{'c', "char"},
		{'a', "signed char"},
		{'h', "unsigned char"},
		{'s', "short"},
		{'t', "unsigned short"},
		{'i', "int"},
		{'j', "unsigned int"},
		{'l', "long"},
		{'m', "unsigned long"},
		{'x', "long long"},
		{'y', "unsigned long long"},
		{'f', "float"},
		{'d', "double"},
	};
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (builtins[i].letter == letter)
			return builtins[i].name;
	}
	return NULL;
}

/* Read a length and the name after it, and move *at past both. False if there is none. */
static bool read_source_name(const char **at, const char **out_start, size_t *out_length)
{
	size_t length = 0;
	const char *digit = *at;
	while (text_is_digit(*digit) && length < 10000)
		length = length * 10 + (size_t)(*digit++ - '0');
	if (length == 0 || memchr(digit, '\0', length))
		return false;
	*out_start = digit;
	*out_length = length;
	*at = digit + length;
	return true;
}

/* "_GLOBAL__N_1" of gcc and clang, "_GLOBAL__N__0a1b_file_cu" of nvcc. */
static void add_source_name(const char *start, size_t length, struct text *out)
{
	static const char anonymous[] = "_GLOBAL__N_";
	if (length >= strlen(anonymous) && !memcmp(start, anonymous, strlen(anonymous)))
		text_add(out, "(anonymous namespace)");
	else
		text_add_foreign(out, start, length);
}

/* Append a number: its type, 'n' if it is negative, digits, 'E'. False if it is anything else. */
static bool add_literal(struct template_text *arguments, const char **at)
{
	char number[24];
	struct text text = text_in(number, sizeof(number));
	const char *digits = *at + 2;
	if ((*at)[0] != 'L' || !(*at)[1] || !strchr("bchastijlmxy", (*at)[1]))
		return false;
	if (*digits == 'n') {
		text_add(&text, "-");
		digits++;
	}
	size_t n = strspn(digits, "0123456789");
	if (n == 0 || digits[n] != 'E')
		return false;
	if ((*at)[1] == 'b')
		text_add(&text, *digits == '0' ? "false" : "true");
	else
		text_add_foreign(&text, digits, n);
	*at = digits + n + 1;
	return template_text_add(arguments, number, strlen(number), !text.cut);
}

static bool add_argument(struct template_text *arguments, const char **at)
{
	const char *builtin = name_of_builtin(**at);
	if (builtin) {
		++*at;
		return template_text_add(arguments, builtin, strlen(builtin), true);
	}
	const char *start = NULL;
	size_t length = 0;
	if (read_source_name(at, &start, &length))
		return template_text_add(arguments, start, length, **at != 'I') && **at != 'I';
	return add_literal(arguments, at);
}

/* Append the arguments after 'I', up to its 'E' or as far as they are understood. */
static void add_arguments(const char *at, struct text *out)
{
	struct template_text arguments = template_text_begin(out);
	while (*at != 'E') {
		if (!add_argument(&arguments, &at)) {
			template_text_cut(&arguments);
			break;
		}
	}
	template_text_end(&arguments);
}

/* Skip "S_", "S1A_", "St", a part that was named before, or "T_", "T0_", a parameter. */
static const char *skip_reference(const char *at)
{
	const char *end = at + 1;
	if (*at == 'S' && *end >= 'a' && *end <= 'z')
		return end + 1;
	end += strspn(end, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	return *end == '_' ? end + 1 : NULL;
}

/* Skip "12_", the rest of an array's or a lambda's code. */
static const char *skip_number(const char *at)
{
	at += strspn(at, "0123456789");
	return *at == '_' ? at + 1 : NULL;
}

/* Skip one code that is not a bracket. NULL if it is unknown. */
static const char *skip_code(const char *at, char open)
{
	if (text_is_digit(*at) && open == 'L' && at[-1] != 'L')
		return at + strspn(at, "0123456789"); /* the value, after its type */
	const char *start = NULL;
	size_t length = 0;
	if (text_is_digit(*at))
		return read_source_name(&at, &start, &length) ? at : NULL;
	if (*at == 'S' || *at == 'T')
		return skip_reference(at);
	if (*at == 'A')
		return skip_number(at + 1);
	if (*at == 'D')
		return at[1] && strchr("nhpisu", at[1]) ? at + 2 : NULL;
	return strchr("PROKVCGnabcdefghijlmostvwxyz", *at) ? at + 1 : NULL;
}

/* The codes that opened the current brackets, innermost last. */
struct nesting {
	char open[MAX_OPEN];
	size_t depth;
};

/*
 * Skip one code. Arguments, nested names, literals, functions, packs and lambdas are open until an
 * 'E'. A lambda, "Ul", has a number after its 'E'. NULL if the code is unknown.
 */
static const char *skip_any(struct nesting *nesting, const char *at)
{
	bool is_lambda = at[0] == 'U' && at[1] == 'l';
	if (is_lambda || strchr("INLFJ", *at)) {
		if (nesting->depth == MAX_OPEN)
			return NULL;
		nesting->open[nesting->depth++] = *at;
		return at + (is_lambda ? 2 : 1);
	}
	if (*at != 'E')
		return skip_code(at, nesting->open[nesting->depth - 1]);
	return nesting->open[--nesting->depth] == 'U' ? skip_number(at + 1) : at + 1;
}

/* Skip the template arguments whose 'I' is at `at`, with their 'E'. NULL if a part is unknown. */
static const char *skip_arguments(const char *at)
{
	struct nesting nesting = {.depth = 0};
	do
		at = skip_any(&nesting, at);
	while (at && *at && nesting.depth > 0);
	return nesting.depth == 0 ? at : NULL;
}

/* A name being read. The arguments of its last template are only appended at the end. */
struct reading {
	const char *at;
	const char *arguments; /* after their 'I'; NULL: none */
	struct text *out;
	size_t n; /* names so far */
};

/* Read one name with its template arguments. False if there is none. */
static bool read_name(struct reading *reading)
{
	size_t length = 0;
	const char *start = NULL;
	if (!reading->at || !read_source_name(&reading->at, &start, &length))
		return false;
	text_add(reading->out, reading->n++ > 0 ? "::" : "");
	add_source_name(start, length, reading->out);
	reading->arguments = NULL;
	if (*reading->at == 'I') {
		reading->arguments = reading->at + 1;
		reading->at = skip_arguments(reading->at);
	}
	return true;
}

bool mangled_name_add(const char *mangled, enum short_name_style style, struct text *out)
{
	char buffer[4 * SHORT_NAME_MAX];
	struct text text = text_in(buffer, sizeof(buffer));
	struct reading reading = {.out = &text};
	bool is_nested = strncmp(mangled, "_ZN", strlen("_ZN")) == 0;
	if (strncmp(mangled, "_Z", strlen("_Z")) != 0)
		return false;
	reading.at = mangled + strlen(is_nested ? "_ZN" : "_Z");
	reading.at += is_nested ? strspn(reading.at, "rVKRO") : 0;
	while (read_name(&reading) && is_nested)
		;
	if (!reading.at || reading.n == 0 || (is_nested && *reading.at != 'E'))
		return false;
	if (reading.arguments && style == SHORT_NAME_TEMPLATE)
		add_arguments(reading.arguments, &text);
	short_name_add_cut(buffer, (size_t)(text.at - buffer), out);
	return true;
}
