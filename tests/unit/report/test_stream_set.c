/*
 * test_stream_set.c - the streams of suspects that are shown as one: all of a few, or that there
 * are more.
 */
#include "attribution/stream_set.h"

#include "support/check.h"

/* The streams `first` to `last`. */
static struct stream_set set_of(uint32_t first, uint32_t last)
{
	struct stream_set set = {0};
	for (uint32_t id = first; id <= last; id++)
		stream_set_add(&set, id);
	return set;
}

static void test_add(void)
{
	struct stream_set set = set_of(1, STREAM_SET_MAX);
	stream_set_add(&set, STREAM_SET_MAX);
	CHECK_EQUAL(set.n, STREAM_SET_MAX);
	stream_set_add(&set, STREAM_SET_MAX + 1);
	stream_set_add(&set, STREAM_SET_MAX + 2);
	CHECK_EQUAL(set.n, STREAM_SET_MAX + 1);
}

static void test_add_all(void)
{
	struct stream_set set = set_of(1, 3);
	const struct stream_set other = set_of(3, 5);
	stream_set_add_all(&set, &other);
	CHECK_EQUAL(set.n, 5);
	for (uint32_t i = 0; i < set.n; i++)
		CHECK_EQUAL(set.members[i], i + 1);
}

/* Together they are more than fit. */
static void test_add_too_many(void)
{
	struct stream_set set = set_of(STREAM_SET_MAX + 1, STREAM_SET_MAX + 1);
	const struct stream_set full = set_of(1, STREAM_SET_MAX);
	const struct stream_set more = set_of(1, STREAM_SET_MAX + 1);
	stream_set_add_all(&set, &full);
	CHECK_EQUAL(set.n, STREAM_SET_MAX + 1);
	set = set_of(1, 2);
	stream_set_add_all(&set, &more);
	CHECK_EQUAL(set.n, STREAM_SET_MAX + 1);
}

int main(void)
{
	test_add();
	test_add_all();
	test_add_too_many();
	return 0;
}
