/*
 * test_entry_points.c - each wrapper passes every argument and the result through unchanged, runs
 * the pipeline as its role says, and hands over the arguments as the table describes them.
 *
 * A function does not care what its arguments mean here, so all 637 are called alike: with more
 * integers, floating-point numbers and stack words than any of them takes. The right outcome is
 * found by calling the stand-in for the driver's function directly, with the same words.
 */
#include <errno.h>
#include <stdint.h>

#include "call.h"
#include "check.h"
#include "driver.h"
#include "entry.h"
#include "lifecycle.h"
#include "process.h"
#include "symbol_lookup.h"

enum { MAX_ARGS_BYTES = 512 };

/* The arguments as the driver saw them, in the layout of args_<name>. */
static struct {
	unsigned n_calls;
	enum driver_call id;
	CUresult result; /* what it is to return */
	unsigned char args[MAX_ARGS_BYTES];
} driver_side;

/* What the pipeline saw, and what it is to do. */
static struct {
	bool is_open;         /* call_enter returns */
	CUresult replacement; /* call_leave and call_failed return */
	unsigned n_entered, n_left, n_failed, n_ready;
	enum driver_call id;
	CUresult result;
	unsigned char args[MAX_ARGS_BYTES];
} pipeline;

static size_t args_size(enum driver_call id)
{
	static const size_t sizes[] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = sizeof(struct args_##name),
#include "driver_calls.def"
#undef DRIVER_CALL
	};
	return sizes[id];
}

static CUresult record(enum driver_call id, const void *args, size_t size)
{
	driver_side.n_calls++;
	driver_side.id = id;
	memcpy(driver_side.args, args, size);
	return driver_side.result;
}

/* Assigned one by one: padding stays as memset left it, and can be compared. */
#define UNPACK(...) __VA_ARGS__
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, ...) \
	static CUresult stand_in_##name params                                                     \
	{                                                                                          \
		struct args_##name got = {UNPACK args};                                            \
		static_assert(sizeof(got) <= MAX_ARGS_BYTES, #name);                               \
		return record(CALL_##name, &got, sizeof(got));                                     \
	}
#include "driver_calls.def"
#undef DRIVER_CALL

bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	CHECK(frame != NULL);
	*call = (struct call){.id = id};
	pipeline.n_entered++;
	memcpy(pipeline.args, args, args_size(id));
	return pipeline.is_open;
}

CUresult call_leave(struct call *call, CUresult result)
{
	pipeline.n_left++;
	pipeline.id = call->id;
	pipeline.result = result;
	return pipeline.replacement;
}

CUresult call_failed(enum driver_call id, CUresult result, void *frame)
{
	CHECK(frame != NULL);
	pipeline.n_failed++;
	pipeline.id = id;
	pipeline.result = result;
	return pipeline.replacement;
}
