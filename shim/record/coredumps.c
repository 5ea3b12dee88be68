/*
 * coredumps.c - the driver's core dump settings, and the file. What a dump says is found out in
 * verdict/, what follows from it in call/failure.c.
 */
#include "coredumps.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "bundle_names.h"
#include "driver.h"
#include "hot.h"

/* CU_COREDUMP_FILE takes 1023 characters (cuda.h); a '%' in it begins a pattern. */
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

READ_MOSTLY bool coredumps_watched;

static enum status status;          /* written at the start only, before recording begins */
static char path[DRIVER_PATH_SIZE]; /* written at the start only */

static bool is_enabled_for_all(void)
{
	bool is_on = false;
	size_t size = sizeof(is_on);
	return real.cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is_on, &size) ==
		       CUDA_SUCCESS &&
	       is_on;
}

bool coredumps_are_on(void)
{
	bool is_on = false;
	size_t size = sizeof(is_on);
	if (is_enabled_for_all())
		return true;
	return real.cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is_on, &size) ==
		       CUDA_SUCCESS &&
	       is_on;
}

/* All but CUDA_COREDUMP_SHOW_PROGRESS, which says nothing about whether and where. */
static bool has_users_variables(void)
{
	static const char *const names[] = {
		"CUDA_ENABLE_COREDUMP_ON_EXCEPTION",
		"CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION",
		"CUDA_ENABLE_USER_TRIGGERED_COREDUMP",
		"CUDA_ENABLE_LIGHTWEIGHT_COREDUMP",
		"CUDA_COREDUMP_FILE",
		"CUDA_COREDUMP_PIPE",
		"CUDA_COREDUMP_GENERATION_FLAGS",
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return true;
	}
	return false;
}

/* The setting is the last step, so that a refusal half way leaves dumps off. */
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

static enum status try_to_start(void)
{
	int length;
	if (has_users_variables() || is_enabled_for_all())
		return STATUS_USERS_OWN;
	bundle_ensure();
	if (!bundle_path()[0])
		return STATUS_NO_BUNDLE;
	length = snprintf(path, sizeof(path), "%s/" BUNDLE_COREDUMP_NAME, bundle_path());
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

void coredumps_start(bool wanted)
{
	if (!wanted)
		return;
	status = try_to_start();
	__atomic_store_n(&coredumps_watched, status == STATUS_ON, __ATOMIC_RELAXED);
	bundle_describe();
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
