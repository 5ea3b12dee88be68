/*
 * Unit test of arch/frame.h: what a frame's saves can express, and what they answer.
 */
#include "arch/frame.h"

#include "support/check.h"

/* The processor saves the return address itself, or a function does. */
enum { IP = FRAME_HAS_LINK ? -24 : -8 };

static void refuses(int64_t ip, int64_t fp)
{
	struct frame_saves saves = {.fp = 1};
	CHECK(!frame_saves_make(&saves, ip, fp));
	CHECK(saves.fp == 1);
}

static void test_refusals(void)
{
	const int64_t wrong[] = {INT64_MIN, INT64_MIN + 8, -(1 << 20), -12, 8, INT64_MAX};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		refuses(wrong[i], -16);
		refuses(IP, wrong[i]);
	}
}

static void test_answers(void)
{
	const uint64_t cfa = 0x7fff0000;
	struct frame_saves saves;
	CHECK(frame_saves_make(&saves, IP, 0));
	CHECK(frame_ip_is_saved(saves) && frame_saved_ip(saves, cfa) == cfa + (uint64_t)IP);
	CHECK(frame_saved_fp(saves, cfa) == 0);
	CHECK(frame_saves_make(&saves, IP, -16) && frame_saved_fp(saves, cfa) == cfa - 16);
	if (FRAME_HAS_LINK)
		CHECK(frame_saves_make(&saves, 0, 0) && !frame_ip_is_saved(saves));
}

int main(void)
{
	test_refusals();
	test_answers();
	return 0;
}
