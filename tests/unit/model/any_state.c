/*
 * any_state.c - see any_state.h.
 */
#include "model/any_state.h"

#include <string.h>

#include "model/random_pick.h"

enum { FAR_FACTOR = 0x80000 };

uint32_t any_pick(struct any_bundle *any, uint32_t n)
{
	return random_pick(&any->random, n);
}

bool any_chance(struct any_bundle *any, uint32_t percent)
{
	return any_pick(any, 100) < percent;
}

uint64_t any_address(struct any_bundle *any)
{
	uint64_t area = ANY_MEMORY + (uint64_t)any_pick(any, ANY_AREAS) * ANY_AREA;
	switch (any_pick(any, 7)) {
	case 0:
		return area + ANY_SPAN; /* right after it */
	case 1:
		return area + any_pick(any, ANY_AREA);
	case 2:
		return ANY_HOST + 8 * (uint64_t)any_pick(any, 3);
	default:
		return area + 8 * (uint64_t)any_pick(any, 4);
	}
}

void any_fill_arguments(struct any_bundle *any, unsigned char bytes[ANY_ARGUMENTS])
{
	static const uint32_t numbers[] = {0, 1, 1, 1, 2, 0x400, FAR_FACTOR, (uint32_t)-0x400};
	uint64_t pointer = any_address(any);
	uint64_t other = any_chance(any, 70) ? ANY_MEMORY : any_address(any);
	uint32_t number = numbers[any_pick(any, sizeof(numbers) / sizeof(*numbers))];
	memset(bytes, 0, ANY_ARGUMENTS);
	memcpy(bytes, &pointer, sizeof(pointer));
	memcpy(bytes + 8, &number, sizeof(number));
	memcpy(bytes + 16, &other, sizeof(other));
}
