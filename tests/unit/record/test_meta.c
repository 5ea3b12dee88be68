/*
 * Unit tests of meta.json: facts from the start stay in the file, whatever is reported later, in a
 * program that has changed its directory and lets time pass.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/rank.h"
#include "base/settings.h"
#include "record/driver/driver.h"
#include "record/files/bundle_directory.h"
#include "record/files/directory.h"
#include "record/files/meta.h"
#include "record/host/clock.h"
#include "support/check.h"

static char file[128 * 1024];
static int n_written;
static time_t now = 1000000000;

/* Replaces the C library's function, for meta.c alone (--wrap). */
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	CHECK_EQUAL(clock, CLOCK_REALTIME);
	*out = (struct timespec){.tv_sec = now, .tv_nsec = 5};
	return 0;
}

uint64_t clock_ns(void)
{
	return 77;
}

static CUresult count_devices(int *out_n)
{
	*out_n = 1;
	return CUDA_SUCCESS;
}

static CUresult get_device(CUdevice *out_device, int ordinal)
{
	*out_device = ordinal;
	return CUDA_SUCCESS;
}

static CUresult get_name(char *out, int size, CUdevice device)
{
	(void)device;
	(void)snprintf(out, (size_t)size, "the \"first\" device");
	return CUDA_SUCCESS;
}

/* An old driver lacks the second version. */
static CUresult get_no_uuid(CUuuid *out, CUdevice device)
{
	(void)device;
	(void)out;
	return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult get_uuid(CUuuid *out, CUdevice device)
{
	(void)device;
	for (int i = 0; i < 16; i++)
		out->bytes[i] = (char)(i % 2 ? -2 - i / 2 : i);
	return CUDA_SUCCESS;
}

struct driver real = {.cuDeviceGetCount = count_devices,
		      .cuDeviceGet = get_device,
		      .cuDeviceGetName = get_name,
		      .cuDeviceGetUuid_v2 = get_no_uuid,
		      .cuDeviceGetUuid = get_uuid};

int driver_version(void)
{
	return 13000;
}

const char *bundle_wanted_path(void)
{
	return "/the/bundle";
}

const char *bundle_path(void)
{
	return bundle_wanted_path();
}

void bundle_memory_write(const char *name, const char *bytes, size_t size)
{
	CHECK_STRING(name, BUNDLE_META_NAME);
	CHECK(size < sizeof(file));
	CHECK(size >= strlen(file)); /* it is never cut, so it has never the end of a longer text */
	memcpy(file, bytes, size);
	file[size] = '\0';
	n_written++;
}

int directory_write(int directory_fd, const char *name, const char *bytes, size_t size)
{
	CHECK_EQUAL(directory_fd, 7);
	CHECK_STRING(name, BUNDLE_META_NAME);
	CHECK(strlen(file) == size && !memcmp(file, bytes, size));
	return -EIO;
}

int directory_write_new(int directory_fd, const char *name, const char *bytes, size_t size)
{
	(void)directory_write(directory_fd, name, bytes, size);
	return -EEXIST;
}

static void check_has(const char *member)
{
	if (!strstr(file, member))
		(void)fprintf(stderr, "%s", file);
	CHECK(strstr(file, member) != NULL);
}

static void check_fixed(const char *directory)
{
	char member[4200];
	(void)snprintf(member, sizeof(member), "\n \"directory\": \"%s\",\n", directory);
	check_has(member);
	check_has("\n \"start_time\": \"2001-09-09T01:46:40Z\",\n");
	check_has("\n \"realtime_ns\": 1000000000000000005,\n \"monotonic_ns\": 77,\n");
	check_has("\n \"run\": \"the run\",\n");
	check_has("\n \"ranks\": {\"RANK\": \"3\", \"LOCAL_RANK\": \"a \\\"1\\\"\"},\n");
	(void)snprintf(member, sizeof(member), "\n \"parent_pid\": %d,\n \"parent\": \"",
		       getppid());
	check_has(member);
	CHECK_STRING(meta_rank(), "3");
	check_has("\n \"bundle\": \"/the/bundle\",\n");
	check_has("\n \"devices\": [\"the \\\"first\\\" device\"],\n");
	check_has("\n \"device_uuids\": [\"00fe02fd-04fc-06fb-08fa-0af90cf80ef7\"],\n");
	CHECK_STRING(meta_directory(), directory);
}

static void ignore(void *unused, const char *line)
{
	(void)unused;
	(void)line;
}

int main(void)
{
	static struct settings settings;
	settings_read(&settings, ignore, NULL);
	(void)snprintf(settings.run, sizeof(settings.run), "the run");
	char directory[4096];
	CHECK(getcwd(directory, sizeof(directory)) != NULL);
	for (int i = 0; i < N_RANK_VARIABLES; i++)
		(void)unsetenv(rank_variables[i]);
	(void)setenv("RANK", "3", 1);
	(void)setenv("LOCAL_RANK", "a \"1\"", 1);

	meta_note(META_STACK_SOURCE, "own");
	CHECK_EQUAL(n_written, 0);
	CHECK(meta_directory() == NULL);
	meta_open(&settings);
	CHECK_EQUAL(n_written, 1);
	check_fixed(directory);
	check_has(",\n \"stack_source\": \"own\",\n \"python\": \"off\",\n \"coredumps\": "
		  "\"off\",\n \"memory\": \"off\",\n \"progress\": \"off\",\n \"fault\": "
		  "\"off\"\n}\n");

	CHECK_EQUAL(chdir("/"), 0);
	now += 100;
	(void)setenv("RANK", "4", 1);
	meta_note(META_PYTHON, "CPython 3.12.1");
	CHECK_EQUAL(n_written, 2);
	check_fixed(directory);
	check_has(",\n \"stack_source\": \"own\",\n \"python\": \"CPython 3.12.1\",\n"
		  " \"coredumps\": \"off\",\n \"memory\": \"off\",\n \"progress\": \"off\",\n "
		  "\"fault\": \"off\"\n}\n");

	CHECK_EQUAL(meta_save_first(7), -EEXIST);
	meta_note_files("\"strings\", \"ring-0\"", 0);
	CHECK_EQUAL(meta_save(7), -EIO);
	check_has("\n \"files\": [\"strings\", \"ring-0\"],\n \"journal\": \"whole\"\n}\n");
	meta_note_files("\"strings\"", -ENOSPC);
	CHECK_EQUAL(meta_save(7), -EIO);
	check_has("\n \"files\": [\"strings\"],\n"
		  " \"journal\": \"lost: No space left on device\"\n}\n");
	meta_note(META_PYTHON, "off");
	check_has("\n \"python\": \"off\",\n");
	check_has(" \"journal\": \"lost: No space left on device\"\n}           \n");
	return 0;
}
