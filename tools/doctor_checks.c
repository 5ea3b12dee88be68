/*
 * doctor_checks.c - what the probes say about the driver, the ways by which calls reach culprit,
 * and what it records.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "probe.h"

static const char no_driver_advice[] =
	"install NVIDIA's driver; in a container, start it with the GPU (docker run --gpus all); "
	"elsewhere set LD_LIBRARY_PATH to where libcuda.so.1 is";
static const char no_init_advice[] =
	"see whether nvidia-smi lists a GPU; CUDA_ERROR_NO_DEVICE is 100, "
	"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH 803";

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static int number_of(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

/* Did the driver start in this probe? */
static bool has_driver(const json_t *probe)
{
	const json_t *driver = json_object_get(probe, "driver");

	return driver && !*text_of(driver, "error") && !number_of(driver, "init");
}

static void check_devices(struct doctor *doctor)
{
	const json_t *devices = json_object_get(doctor->alone, "devices");
	size_t n = json_array_size(devices);
	const char *first = json_string_value(json_array_get(devices, 0));

	if (n)
		doctor_find(doctor, "devices", FINDING_OK, NULL, "%zu: %s%s", n,
			    first ? first : "?", n > 1 ? ", ..." : "");
	else
		doctor_find(doctor, "devices", FINDING_FAIL,
			    "see CUDA_VISIBLE_DEVICES and nvidia-smi", "the driver shows none");
}

void doctor_check_driver(struct doctor *doctor)
{
	const json_t *driver = json_object_get(doctor->alone, "driver");
	const char *error = text_of(driver, "error");
	int version = number_of(driver, "version");
	int init = number_of(driver, "init");

	if (!driver) {
		doctor_find(doctor, "driver", FINDING_FAIL,
			    "see whether nvidia-smi answers, and the kernel's log",
			    "a process that only starts the driver does not end well");
		return;
	}
	if (*error) {
		doctor_find(doctor, "driver", FINDING_FAIL, no_driver_advice, "%s", error);
		return;
	}
	if (init) {
		doctor_find(doctor, "driver", FINDING_FAIL, no_init_advice,
			    "%s: cuInit fails with error %d", text_of(driver, "path"), init);
		return;
	}
	doctor_find(doctor, "driver", version < 11040 ? FINDING_WARN : FINDING_OK,
		    version < 11040 ? "culprit is made for 11.4 and later" : NULL, "%s, CUDA %d.%d",
		    text_of(driver, "path"), version / 1000, version % 1000 / 10);
	check_devices(doctor);
}

static void check_door(struct doctor *doctor, const char *door, const char *text)
{
	const json_t *doors = json_object_get(doctor->preloaded, "doors");
	const char *file = text_of(doors, door);

	if (!strcmp(file, doctor->library))
		doctor_find(doctor, "doors", FINDING_OK, NULL, "%s reach culprit", text);
	else
		doctor_find(doctor, "doors", FINDING_FAIL,
			    "another preloaded library takes these calls and does not hand them on",
			    "%s go to %s", text, *file ? file : "nothing");
}

void doctor_check_doors(struct doctor *doctor)
{
	if (!doctor->library[0])
		return;
	if (!doctor->preloaded) {
		doctor_find(doctor, "doors", FINDING_FAIL,
			    "run any program with LD_PRELOAD set to the library and see what the "
			    "loader says",
			    "a process with libculprit.so does not end well");
		return;
	}
	check_door(doctor, "linked", "calls of linked programs");
	if (!has_driver(doctor->preloaded)) {
		doctor_find(doctor, "doors", FINDING_WARN, NULL,
			    "dlsym and cuGetProcAddress not tried: they need a driver");
		return;
	}
	check_door(doctor, "dlsym", "calls found by dlsym");
	check_door(doctor, "cuGetProcAddress", "calls found by cuGetProcAddress");
}

bool doctor_find_submission(const struct bundle *bundle, struct journal_record *out)
{
	const struct bundle_view *view = &bundle->view;

	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		for (uint64_t place = 0; place < view->rings[slot].n_rows; place++)
			if (view_record(view, slot, place, out) && out->kind == RECORD_SUBMISSION &&
			    !strncmp(view_string(view, out->call, NULL), PROBE_SUBMISSION,
				     strlen(PROBE_SUBMISSION)))
				return true;
	return false;
}

static void check_stack(struct doctor *doctor, const struct journal_record *record)
{
	const char *source = bundle_meta_text(doctor->bundle, "stack_source");
	uint32_t nodes[64];
	size_t n = view_stack_frames(&doctor->bundle->view, record->stack, nodes, 64);

	if (!n)
		doctor_find(doctor, "stacks", FINDING_WARN,
			    "launches will be named without the lines that made them",
			    "none was recorded (source: %s)", source);
	else if (!strcmp(source, "own"))
		doctor_find(doctor, "stacks", FINDING_OK, NULL, "%zu frames by our own walk", n);
	else
		doctor_find(doctor, "stacks", FINDING_WARN,
			    "a C library from 2.35 on lets culprit walk stacks itself, many times "
			    "faster",
			    "%zu frames by %s", n, source);
}

static void check_marker(struct doctor *doctor, const struct journal_record *record)
{
	if (record->flags & (RECORD_MARKED_SIDE | RECORD_MARKED_INLINE))
		doctor_find(doctor, "markers", FINDING_OK, NULL,
			    "the GPU reports its progress by stream memory operations");
	else
		doctor_find(doctor, "markers", FINDING_WARN,
			    "verdicts rest on synchronisation and order alone; a newer driver may "
			    "help",
			    "the driver refuses stream memory operations");
}

void doctor_check_recording(struct doctor *doctor)
{
	struct journal_record record;
	int work = number_of(doctor->preloaded, "work");

	if (!has_driver(doctor->preloaded))
		return;
	if (work) {
		doctor_find(doctor, "recording", FINDING_FAIL,
			    "see whether other CUDA programs work on this GPU",
			    "a memset on the GPU fails with error %d", work);
		return;
	}
	if (!doctor->bundle || !doctor_find_submission(doctor->bundle, &record)) {
		doctor_find(doctor, "recording", FINDING_FAIL,
			    "this is a fault of culprit: please report it with this output",
			    "a memset on the GPU did not show up in %s",
			    doctor->bundle ? "the journal" : "a bundle: there is none");
		return;
	}
	doctor_find(doctor, "recording", FINDING_OK, NULL,
		    "a memset on the GPU is in the journal, with its stream and order");
	check_stack(doctor, &record);
	check_marker(doctor, &record);
}
