/*
 * path_pattern.c - expands the pattern in one pass, into a buffer of its own.
 */
#include "base/path_pattern.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rank.h"
#include "base/text.h"

enum { NAME_SIZE = 128 };

static void add_host(struct text *text)
{
	char name[HOST_NAME_MAX + 1];
	if (!gethostname(name, sizeof(name)))
		text_add(text, name);
}

/* Expand the "{NAME}" after "%q". Return what follows, or NULL if it is anything else. */
static const char *add_variable(const char *at, struct text *text)
{
	const char *end = *at == '{' ? strchr(at, '}') : NULL;
	size_t length = end ? (size_t)(end - at - 1) : 0;
	char name[NAME_SIZE];
	if (!length || length >= sizeof(name))
		return NULL;
	memcpy(name, at + 1, length);
	name[length] = '\0';
	text_add(text, getenv(name));
	return end + 1;
}

/* Expand the placeholder after a "%". Return what follows, or NULL if it is unknown. */
static const char *add_placeholder(const char *at, struct text *text)
{
	switch (*at) {
	case '%':
		text_add(text, "%");
		break;
	case 'p':
		text_addf(text, "%d", (int)getpid());
		break;
	case 't':
		text_addf(text, "%lld", (long long)time(NULL));
		break;
	case 'h':
		add_host(text);
		break;
	case 'r':
		text_add(text, rank_here().rank);
		break;
	case 'q':
		return add_variable(at + 1, text);
	default:
		return NULL;
	}
	return at + 1;
}

int path_pattern_expand(const char *pattern, char *out, size_t capacity)
{
	char buffer[PATH_MAX];
	struct text text = text_in(buffer, capacity < sizeof(buffer) ? capacity : sizeof(buffer));
	while (*pattern) {
		char byte[2] = {*pattern++};
		if (*byte != '%')
			text_add(&text, byte);
		else if (!(pattern = add_placeholder(pattern, &text)))
			return -EINVAL;
	}
	if (text.cut || !*buffer)
		return -EINVAL;
	memcpy(out, buffer, (size_t)(text.at - buffer) + 1);
	return 0;
}

size_t path_pattern_of(const char *path, char *out, size_t capacity)
{
	size_t length = 0;
	for (; *path; path++)
		for (int times = *path == '%' ? 2 : 1; times; times--, length++)
			if (length + 1 < capacity)
				out[length] = *path;
	if (capacity)
		out[length < capacity ? length : capacity - 1] = '\0';
	return length;
}
