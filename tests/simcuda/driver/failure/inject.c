/*
 * inject.c - read SIMCUDA_INJECT once and count the calls that it names.
 */
#include "failure/inject.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure/failure.h"
#include "settings.h"
#include "sim.h"

struct injection {
	const char *name;
	size_t name_length;
	unsigned n_calls_left;
	CUresult code;
	bool is_sticky;
};

/* Guarded by sim_lock. */
static struct injection *injections;
static size_t n_injections;

/* An invalid setting ends the process, because a test without its injection proves nothing. */
static void refuse(const char *text)
{
	fprintf(stderr, "simcuda: SIMCUDA_INJECT: not name:n:code[:sticky]: %s\n", text);
	_exit(EXIT_FAILURE);
}

static bool is_call_name(const struct injection *injection)
{
	for (int call = 0; call < N_DRIVER_CALLS; call++)
		if (strlen(driver_calls[call].name) == injection->name_length &&
		    memcmp(driver_calls[call].name, injection->name, injection->name_length) == 0)
			return true;
	return false;
}

/* Parse one injection. Return the text after it. */
static const char *parse_one(const char *text, struct injection *out)
{
	unsigned code = 0;
	int length = 0;
	out->name = text;
	out->name_length = strcspn(text, ":");
	if (sscanf(text + out->name_length, ":%u:%u%n", &out->n_calls_left, &code, &length) != 2 ||
	    out->n_calls_left == 0 || code == 0 || !is_call_name(out))
		refuse(text);
	out->code = (CUresult)code;
	text += out->name_length + (size_t)length;
	out->is_sticky = strncmp(text, ":sticky", 7) == 0;
	if (out->is_sticky)
		text += 7;
	if (*text != ',' && *text != '\0')
		refuse(text);
	return *text == ',' ? text + 1 : text;
}

static void parse(void)
{
	const char *text = settings.injections;
	injections = sim_alloc((strlen(text) / 4 + 1) * sizeof(*injections));
	while (*text)
		text = parse_one(text, &injections[n_injections++]);
}

static bool is_due(struct injection *injection, const char *name)
{
	return strlen(name) == injection->name_length &&
	       memcmp(name, injection->name, injection->name_length) == 0 &&
	       injection->n_calls_left > 0 && --injection->n_calls_left == 0;
}

/* Fail the process; an earlier failure that is not visible yet becomes visible. */
static void become_sticky(CUresult code)
{
	failure_begin(code, 0, EVERY_CONTEXT);
	failure_tell_waiter();
}

CUresult inject_result(enum driver_call call)
{
	CUresult result = CUDA_SUCCESS;
	if (!settings.injections)
		return CUDA_SUCCESS;
	if (!injections)
		parse();
	for (size_t i = 0; i < n_injections; i++) {
		if (!is_due(&injections[i], driver_calls[call].name))
			continue;
		result = injections[i].code;
		if (injections[i].is_sticky)
			become_sticky(result);
	}
	return result;
}
