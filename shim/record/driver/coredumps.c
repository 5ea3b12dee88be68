/*
 * coredumps.c - the driver's core dump settings, and the file. verdict/ reads what a dump says, and
 * failure/ draws the conclusions.
 */
#include "record/driver/coredumps.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/hot.h"
#include "record/driver/driver.h"
#include "record/driver/environment.h"

/* CU_COREDUMP_FILE takes 1023 characters (cuda.h); a '%' in it starts a pattern. */
enum { DRIVER_PATH_SIZE = 1024 };

enum status {
	STATUS_OFF,
	STATUS_ON,
	STATUS_USERS_OWN,
	STATUS_NO_BUNDLE,
	STATUS_BAD_PATH,
	STATUS_UNSUPPORTED,
	STATUS_REFUSED,
};

static const char *const status_texts[] = {
	[STATUS_OFF] = "off",
	[STATUS_ON] = "on",
	[STATUS_USERS_OWN] = "left to CUDA_*COREDUMP* settings of the user's own",
	[STATUS_NO_BUNDLE] = "impossible: there is no bundle on disk",
	[STATUS_BAD_PATH] = "impossible: the bundle's path is too long for the driver, or has a %",
	[STATUS_UNSUPPORTED] = "impossible: the driver cannot be asked for them",
	[STATUS_REFUSED] = "refused by the driver",
};

/* In older drivers every dump kills the process: CU_COREDUMP_SKIP_ABORT came with these flags. */
enum { SINCE_GENERATION_FLAGS = 12050 };

READ_MOSTLY bool coredumps_watched;

static enum status status;          /* written at start only, before recording starts */
static char path[DRIVER_PATH_SIZE]; /* written at the start only */

static bool is_enabled_for_all(void)
{
	bool is_on = false;
	size_t size = sizeof(is_on);
	return driver_knows(CALL_cuCoredumpGetAttributeGlobal) &&
	       real.cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is_on, &size) ==
		       CUDA_SUCCESS &&
	       is_on;
}

bool coredumps_are_on(void)
{
	bool is_on = false;
	size_t size = sizeof(is_on);
	if (is_enabled_for_all())
		return true;
	return driver_knows(CALL_cuCoredumpGetAttribute) &&
	       real.cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is_on, &size) ==
		       CUDA_SUCCESS &&
	       is_on;
}

/* Enable dumps in the last step, so that a rejection half way leaves them off. */
static CUresult switch_on(void)
{
	size_t size = strlen(path) + 1;
	CUresult result = real.cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, path, &size);
	unsigned int flags = CU_COREDUMP_LIGHTWEIGHT_FLAGS | CU_COREDUMP_SKIP_ABORT;
	bool on = true;
	size = sizeof(flags);
	if (result == CUDA_SUCCESS)
		result = real.cuCoredumpSetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags,
							   &size);
	size = sizeof(on);
	if (result == CUDA_SUCCESS)
		result = real.cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on,
							   &size);
	return result;
}

static enum status try_to_start(const char *directory)
{
	if (environment_has_coredumps() || is_enabled_for_all())
		return STATUS_USERS_OWN;
	if (driver_version() < SINCE_GENERATION_FLAGS)
		return STATUS_UNSUPPORTED;
	if (!directory[0])
		return STATUS_NO_BUNDLE;
	int length = snprintf(path, sizeof(path), "%s/" BUNDLE_COREDUMP_NAME, directory);
	if (length < 0 || (size_t)length >= sizeof(path) || strchr(path, '%'))
		return STATUS_BAD_PATH;
	switch (switch_on()) {
	case CUDA_SUCCESS:
		return STATUS_ON;
	case CUDA_ERROR_NOT_SUPPORTED:
		return STATUS_UNSUPPORTED;
	default:
		return STATUS_REFUSED;
	}
}

void coredumps_start(const char *directory)
{
	status = try_to_start(directory);
	__atomic_store_n(&coredumps_watched, status == STATUS_ON, __ATOMIC_RELAXED);
}

const char *coredumps_status(void)
{
	return status_texts[status];
}

bool coredumps_are_missing(void)
{
	return status > STATUS_USERS_OWN;
}

void coredumps_give_up(void)
{
	__atomic_store_n(&coredumps_watched, false, __ATOMIC_RELAXED);
}

bool coredumps_have_one(void)
{
	return access(path, F_OK) == 0;
}

const char *coredumps_path(void)
{
	return path;
}
