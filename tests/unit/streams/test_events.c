/*
 * test_events.c - the point of an event: its last recording, unless that had none.
 */
#include "record/streams/events.h"

#include "support/check.h"

static CUevent event_of(uintptr_t handle)
{
	return (CUevent)handle;
}

static void check_point(uintptr_t handle, uint32_t stream, uint64_t ordinal)
{
	struct event_point point = {0};
	CHECK(events_find(event_of(handle), &point));
	CHECK_EQUAL(point.stream, stream);
	CHECK_EQUAL(point.ordinal, ordinal);
}

static void test_points(void)
{
	struct event_point point;
	const uint64_t large = ((uint64_t)1 << 47) + 5;
	events_recorded(event_of(0x10), (struct event_point){.stream = 3, .ordinal = 7});
	events_recorded(event_of(0x20), (struct event_point){.stream = 16383, .ordinal = large});
	check_point(0x10, 3, 7);
	check_point(0x20, 16383, large);
	CHECK(!events_find(event_of(0x30), &point));
	CHECK(!events_find(NULL, &point));
	events_recorded(event_of(0x10), (struct event_point){.stream = 4, .ordinal = 9});
	check_point(0x10, 4, 9);
}

static void test_forgotten(void)
{
	struct event_point point;
	events_forgotten(event_of(0x10));
	CHECK(!events_find(event_of(0x10), &point));
	check_point(0x20, 16383, ((uint64_t)1 << 47) + 5);
	events_distrust();
	CHECK(!events_find(event_of(0x20), &point));
}

int main(void)
{
	test_points();
	test_forgotten();
	return 0;
}
