/*
 * plugin.c - a library that is linked with libcuda: opened with RTLD_DEEPBIND it has the driver's
 * own functions, whatever was preloaded.
 */
#include "doors/doors.h"

const struct door_calls *oracle_plugin_calls(void)
{
	static const struct door_calls calls = {
#define ROW(member, name) .member = (name),
		DOOR_CALLS(ROW)
#undef ROW
	};

	return &calls;
}
