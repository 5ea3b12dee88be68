/*
 * failure_class.c - looks up rows of failures.def, by a linear search of twelve rows.
 */
#include "base/failure_class.h"

#include <stddef.h>

#include "base/journal_format.h"

enum raised_by { KERNELS, ANY_WORK, HARDWARE };

struct failure_facts {
	int32_t code;
	enum raised_by raised_by;
	const char *name;
	const char *text;
};

static const struct failure_facts failures[] = {
#define FAILURE(code_, name_, raised_by_, text_) {code_, raised_by_, #name_, text_},
#include "base/failures.def"
#undef FAILURE
};

static const struct failure_facts *find_failure(int32_t code)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		if (failures[i].code == code)
			return &failures[i];
	}
	return NULL;
}

bool failure_is_sticky(int32_t code)
{
	return find_failure(code) != NULL;
}

const char *failure_name(int32_t code)
{
	const struct failure_facts *facts = find_failure(code);
	return facts ? facts->name : NULL;
}

const char *failure_text(int32_t code)
{
	const struct failure_facts *facts = find_failure(code);
	return facts ? facts->text : NULL;
}

bool failure_is_hardware(int32_t code)
{
	const struct failure_facts *facts = find_failure(code);
	return facts && facts->raised_by == HARDWARE;
}

bool failure_may_come_from(int32_t code, uint8_t work)
{
	const struct failure_facts *facts = find_failure(code);
	if (work == WORK_HOST_FUNC || failure_is_hardware(code))
		return false;
	if (!facts || facts->raised_by == ANY_WORK)
		return true;
	return work != WORK_COPY && work != WORK_MEMSET && work != WORK_MEMOP;
}
