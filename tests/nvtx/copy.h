/*
 * copy.h - NVTX as one library of a program has it. Each library that includes NVIDIA's header has
 * its own copy of NVTX, which looks up a tool separately.
 */
#ifndef CULPRIT_TESTS_NVTX_COPY_H
#define CULPRIT_TESTS_NVTX_COPY_H

#include <stdint.h>

/* The form in which the text of a range is passed. */
enum form {
	FORM_ASCII,
	FORM_WIDE,
	FORM_ATTRIBUTES,
	FORM_WIDE_ATTRIBUTES,
	FORM_REGISTERED,
	FORM_NONE,
	FORM_PAYLOAD, /* binary data, by the extension for them */
};

/*
 * Each function returns what NVTX returns. A domain is created at each use; NULL is the default
 * domain. The text is freed before the function returns.
 */
struct copy {
	int (*push)(enum form form, const char *domain, const char *text);
	int (*pop)(enum form form, const char *domain);
	uint64_t (*start)(enum form form, const char *domain, const char *text);
	void (*end)(enum form form, const char *domain, uint64_t id);
	void (*destroy)(void); /* the domain that was created last */
	/* The plain calls alone, to measure. */
	int (*push_string)(const char *text);
	uint64_t (*start_string)(const char *text);
};

extern const struct copy first_copy, second_copy;

#endif
