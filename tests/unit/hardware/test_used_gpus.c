/*
 * test_used_gpus.c - which GPUs a bundle's process used, and since when.
 */
#include "analysis/used_gpus.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "support/bundle_builder.h"
#include "support/check.h"

static struct hardware all;
static struct bundle bundle;
static struct bundle_builder builder;

static char directory[] = "/tmp/culprit-used-gpus-XXXXXX";
static bool is_ours; /* the directory */

int bundle_open_to_write(const struct bundle *of)
{
	CHECK(of == &bundle);
	return is_ours ? open(directory, O_RDONLY | O_DIRECTORY) : -1;
}

static void read_meta(const char *text)
{
	json_decref(bundle.meta);
	bundle.meta = json_loads(text, 0, NULL);
	CHECK(bundle.meta != NULL);
}

/* Fill `all` with the GPUs of these one-letter UUIDs. */
static void begin(const char *uuids)
{
	memset(&all, 0, sizeof(all));
	memset(&bundle, 0, sizeof(bundle));
	all.watched_ns = 1;
	for (; *uuids; uuids++)
		all.gpus[all.n_gpus++].uuid[0] = *uuids;
	builder_begin(&builder, 16);
}

static void end(void)
{
	free(bundle.hardware);
	json_decref(bundle.meta);
	builder_end(&builder);
}

/* The UUIDs of the selected GPUs. */
static const char *selected(void)
{
	static char text[HARDWARE_MAX_GPUS + 1];
	text[0] = '\0';
	for (uint32_t i = 0; bundle.hardware && i < bundle.hardware->n_gpus; i++)
		strcat(text, bundle.hardware->gpus[i].uuid);
	return text;
}

static const char *note(const char *meta)
{
	builder_view(&builder, &bundle.view);
	read_meta(meta);
	used_gpus_note(&bundle, &all);
	return selected();
}

/* Each context's device counts once; devices that meta.json does not name have no GPU. */
static void test_devices(void)
{
	begin("abcd");
	builder_context(&builder, 2, "device");
	builder_context(&builder, 2, "device");
	builder_context(&builder, 0, "device");
	CHECK_STRING(note("{\"device_uuids\": [\"a\", \"b\", \"d\"]}"), "ad");
	end();
	begin("abcd");
	all.n_gpus++; /* one without a UUID */
	builder_context(&builder, 1, "device");
	builder_context(&builder, 3, "device");
	builder_context(&builder, UINT32_MAX, "device");
	CHECK_STRING(note("{\"device_uuids\": [\"a\", \"\", \"c\"]}"), "");
	CHECK(bundle.hardware == NULL);
	CHECK_STRING(note("{\"device_uuids\": [1, 2, 3, \"b\"]}"), "b");
	CHECK_STRING(note("{}"), "b"); /* what was known before stays */
	used_gpus_note(&bundle, NULL);
	CHECK_STRING(selected(), "b");
	end();
}

/* A job on more GPUs than are kept. */
static void test_many(void)
{
	begin("a");
	json_t *uuids = json_array();
	for (uint32_t device = 0; device <= HARDWARE_MAX_GPUS; device++) {
		char uuid[16];
		(void)snprintf(uuid, sizeof(uuid), "%u", device);
		json_array_append_new(uuids, json_string(device < HARDWARE_MAX_GPUS ? uuid : "a"));
		builder_context(&builder, device, "device");
	}
	builder_view(&builder, &bundle.view);
	bundle.meta = json_pack("{s:o}", "device_uuids", uuids);
	used_gpus_note(&bundle, &all);
	CHECK_STRING(selected(), "");
	end();
}

static uint64_t first_ns(const char *meta)
{
	builder_view(&builder, &bundle.view);
	read_meta(meta);
	struct hardware_span span = used_gpus_span(&bundle);
	CHECK_STRING(span.first, "its first work");
	CHECK_EQUAL(span.last_ns, 0);
	return span.first_ns;
}

/* The first submission in time, in all threads; the start, if a ring has lost records. */
static void test_span(void)
{
	const char *start = "{\"monotonic_ns\": 30}";
	begin("a");
	CHECK_EQUAL(first_ns(start), 30);
	uint32_t context = builder_context(&builder, 0, "device");
	uint32_t stream = builder_stream(&builder, context, STREAM_LEGACY, 0, 0);
	builder_record(&builder, 1, RECORD_SYNC)->time_ns = 40;
	CHECK_EQUAL(first_ns(start), 30);
	builder_submit(&builder, 1, stream, WORK_KERNEL)->time_ns = 70;
	builder_submit(&builder, 2, stream, WORK_KERNEL)->time_ns = 50;
	builder_submit(&builder, 2, stream, WORK_KERNEL)->time_ns = 60;
	CHECK_EQUAL(first_ns(start), 50);
	CHECK_EQUAL(first_ns("{}"), 50);
	for (uint32_t i = 0; i < 17; i++)
		builder_submit(&builder, 1, stream, WORK_KERNEL)->time_ns = 80;
	CHECK_EQUAL(first_ns(start), 30);
	CHECK_EQUAL(first_ns("{\"monotonic_ns\": -1}"), 0);
	CHECK_EQUAL(first_ns("{}"), 0);
	end();
}

/* Return the size of the stored file; -1: there is none. No descriptor is left. */
static int store(void)
{
	char path[sizeof(directory) + 32];
	int before = dup(STDERR_FILENO);
	close(before);
	used_gpus_store(&bundle);
	int after = dup(STDERR_FILENO);
	close(after);
	CHECK_EQUAL(after, before);
	(void)snprintf(path, sizeof(path), "%s/%s", directory, BUNDLE_HARDWARE_NAME);
	struct stat status;
	bool is_there = !stat(path, &status);
	CHECK(!is_there || (status.st_mode & 0777) == 0600);
	return is_there ? (int)status.st_size : -1;
}

/* The file is written anew, or not at all. */
static void test_store(void)
{
	struct rlimit limit;
	CHECK(mkdtemp(directory) != NULL);
	begin("abcd");
	builder_context(&builder, 0, "device");
	is_ours = true;
	CHECK_EQUAL(store(), -1); /* nothing is known */
	CHECK_STRING(note("{\"device_uuids\": [\"a\"]}"), "a");
	is_ours = false;
	CHECK_EQUAL(store(), -1);
	is_ours = true;
	strcpy(bundle.hardware->driver, "580.159.04");
	int size = store();
	CHECK(size > 100);
	bundle.hardware->driver[3] = '\0';
	CHECK_EQUAL(store(), size - 7);
	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &limit), 0);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &(struct rlimit){50, limit.rlim_max}), 0);
	CHECK_EQUAL(store(), -1);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	CHECK_EQUAL(rmdir(directory), 0);
	end();
}

int main(void)
{
	test_store();
	test_devices();
	test_many();
	test_span();
	return 0;
}
