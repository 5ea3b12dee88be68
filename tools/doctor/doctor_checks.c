/*
 * doctor_checks.c - findings about the driver, the ways by which calls reach culprit, and the
 * recording of a submission.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundle/bundle_meta.h"
#include "doctor/examination.h"
#include "doctor/probe.h"
#include "versions/versions.h"

static const char no_driver_advice[] =
	"install NVIDIA's driver; start a container with the GPU (docker run --gpus all); "
	"otherwise set LD_LIBRARY_PATH to the directory of libcuda.so.1";
static const char no_init_advice[] =
	"check that nvidia-smi lists a GPU; error 100 is CUDA_ERROR_NO_DEVICE, "
	"803 is CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static int number_of(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

bool doctor_has_driver(const json_t *probe)
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
		findings_add(&doctor->findings, "devices", FINDING_OK, NULL, "%zu: %s%s", n,
			     first ? first : "?", n > 1 ? ", ..." : "");
	else
		findings_add(&doctor->findings, "devices", FINDING_FAIL,
			     "check CUDA_VISIBLE_DEVICES and nvidia-smi",
			     "the driver lists no device");
}

/* Append "CUDA 12.4 (untried)"; the parentheses are left out for a version tried on a GPU. */
static void add_version(struct text *text, int version, enum trial trial)
{
	char number[32];
	version_text(version, number, sizeof(number));
	text_addf(text, "CUDA %s", number);
	if (trial != TRIAL_GPU)
		text_addf(text, " (%s)", tried_text(trial));
}

/* Check the installed runtime. A program may bring its own: see versions in the JSON report. */
static void check_runtime(struct doctor *doctor)
{
	const json_t *runtime = json_object_get(doctor->alone, "runtime");
	int version = number_of(runtime, "version");
	char shown[128];
	struct text text = text_in(shown, sizeof(shown));
	if (!version)
		return;
	add_version(&text, version, tried_runtime(version));
	findings_add(&doctor->findings, "runtime", FINDING_OK, NULL, "%s, %s",
		     text_of(runtime, "path"), shown);
}

void doctor_check_driver(struct doctor *doctor)
{
	const json_t *driver = json_object_get(doctor->alone, "driver");
	const char *error = text_of(driver, "error");
	int version = number_of(driver, "version");
	int init = number_of(driver, "init");
	char shown[128];
	struct text text = text_in(shown, sizeof(shown));
	if (!driver) {
		findings_add(&doctor->findings, "driver", FINDING_FAIL,
			     "check nvidia-smi and the kernel log (dmesg)",
			     "a test process that only starts the driver crashed or hung");
		return;
	}
	if (*error) {
		findings_add(&doctor->findings, "driver", FINDING_FAIL, no_driver_advice, "%s",
			     error);
		return;
	}
	if (init) {
		findings_add(&doctor->findings, "driver", FINDING_FAIL, no_init_advice,
			     "%s: cuInit fails with error %d", text_of(driver, "path"), init);
		return;
	}
	add_version(&text, version, tried_driver(version));
	findings_add(&doctor->findings, "driver", version < 12000 ? FINDING_WARN : FINDING_OK,
		     version < 12000 ? "culprit needs CUDA 12.0 or later" : NULL, "%s, %s",
		     text_of(driver, "path"), shown);
	check_runtime(doctor);
	check_devices(doctor);
}

static void check_hook(struct doctor *doctor, const char *hook, const char *text)
{
	const json_t *hooks = json_object_get(doctor->preloaded, "doors");
	const char *file = text_of(hooks, hook);
	if (!strcmp(file, doctor->library))
		findings_add(&doctor->findings, "doors", FINDING_OK, NULL, "%s reach culprit",
			     text);
	else
		findings_add(
			&doctor->findings, "doors", FINDING_FAIL,
			"another preloaded library intercepts these calls and does not pass them "
			"on",
			"%s do not reach culprit; they go to %s", text,
			*file ? file : "no library");
}

void doctor_check_hooks(struct doctor *doctor)
{
	if (!doctor->library[0])
		return;
	if (!doctor->preloaded) {
		findings_add(&doctor->findings, "doors", FINDING_FAIL,
			     "run any program with LD_PRELOAD set to the library and read the "
			     "loader's messages",
			     "a test process with libculprit.so crashed or hung");
		return;
	}
	check_hook(doctor, "linked", "calls of linked programs");
	if (!doctor_has_driver(doctor->preloaded)) {
		findings_add(&doctor->findings, "doors", FINDING_WARN, NULL,
			     "dlsym and cuGetProcAddress not checked: they need a driver");
		return;
	}
	check_hook(doctor, "dlsym", "calls found by dlsym");
	check_hook(doctor, "cuGetProcAddress", "calls found by cuGetProcAddress");
}

bool doctor_find_submission(const struct bundle *bundle, struct journal_record *out)
{
	const struct bundle_view *view = &bundle->view;
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		for (uint64_t index = 0; index < view->rings[slot].n_rows; index++)
			if (view_record(view, slot, index, out) && out->kind == RECORD_SUBMISSION &&
			    !strncmp(view_string(view, out->call, NULL), PROBE_SUBMISSION,
				     strlen(PROBE_SUBMISSION)))
				return true;
	return false;
}

static void check_stack(struct doctor *doctor, const struct journal_record *record)
{
	const char *source = bundle_meta_text(doctor->bundle->meta, "stack_source");
	uint32_t nodes[64];
	size_t n = view_stack_frames(&doctor->bundle->view, record->stack, nodes, 64);
	if (!n)
		findings_add(&doctor->findings, "stacks", FINDING_WARN,
			     "reports will name launches without their source lines",
			     "no stack was recorded (source: %s)", source);
	else
		findings_add(&doctor->findings, "stacks", FINDING_OK, NULL, "%zu frames recorded",
			     n);
}

static void check_marker(struct doctor *doctor, const struct journal_record *record)
{
	if (record->flags & (RECORD_MARKED_SIDE | RECORD_MARKED_INLINE))
		findings_add(&doctor->findings, "markers", FINDING_OK, NULL,
			     "the GPU reports its progress by stream memory operations");
	else
		findings_add(&doctor->findings, "markers", FINDING_WARN,
			     "verdicts rest on synchronisation and stream order alone; try a newer "
			     "driver",
			     "the driver refuses stream memory operations");
}

/* Check whether the driver's progress counters were found and, where verified, correct. */
void doctor_check_progress(struct doctor *doctor)
{
	static const char advice[] =
		"verdicts rest on markers; use --markers inline to prove the order of work";
	const struct bundle_view *view = doctor->bundle ? &doctor->bundle->view : NULL;
	const char *found = view ? bundle_meta_text(doctor->bundle->meta, "progress") : "";
	unsigned long long n_checks = 0;
	uint32_t n_channels = 0;
	uint32_t n_refused = 0;
	if (!view || !doctor_has_driver(doctor->preloaded)) {
		findings_add(&doctor->findings, "progress", FINDING_OK, NULL,
			     "the driver's progress counters were not checked");
		return;
	}
	for (uint32_t index = 1; index <= view->tables[JOURNAL_CHANNELS].n_rows; index++) {
		uint32_t id = view_id_at(view, JOURNAL_CHANNELS, index);
		const struct channel_row *channel = view_channel(view, id);
		if (!channel)
			continue;
		n_channels++;
		n_refused += channel->trust == CHANNEL_REFUSED;
		n_checks += channel->n_checks;
	}
	if (n_checks && !n_refused)
		findings_add(&doctor->findings, "progress", FINDING_OK, NULL,
			     "%s: %u channel%s, verified %llu time%s and correct", found,
			     n_channels, n_channels == 1 ? "" : "s", n_checks,
			     n_checks == 1 ? "" : "s");
	else if (n_refused)
		findings_add(&doctor->findings, "progress", FINDING_WARN, advice,
			     "the driver's progress counters contradict known facts: %s", found);
	else
		findings_add(&doctor->findings, "progress", FINDING_OK, NULL, "%s; not verified",
			     found);
}

/* Check whether memory faults will have an address without a GPU core dump. */
void doctor_check_fault(struct doctor *doctor)
{
	static const char on[] = "nvidia-uvm reports memory faults";
	const char *fault = doctor->bundle ? bundle_meta_text(doctor->bundle->meta, "fault") : "";

	if (!doctor->bundle || !doctor_has_driver(doctor->preloaded) || !strcmp(fault, "off"))
		findings_add(&doctor->findings, "fault", FINDING_OK, NULL,
			     "the driver's fault events were not checked");
	else if (!strcmp(fault, on))
		findings_add(&doctor->findings, "fault", FINDING_OK, NULL, "%s", fault);
	else
		findings_add(&doctor->findings, "fault", FINDING_WARN,
			     "in a container, add --device /dev/nvidia-uvm-tools, or memory faults "
			     "may have no address (docs/fault.md)",
			     "%s", fault);
}

void doctor_check_recording(struct doctor *doctor)
{
	int work = number_of(doctor->preloaded, "work");
	if (!doctor_has_driver(doctor->preloaded))
		return;
	if (work) {
		findings_add(&doctor->findings, "recording", FINDING_FAIL,
			     "check whether other CUDA programs work on this GPU",
			     "a memset on the GPU fails with error %d", work);
		return;
	}
	struct journal_record record;
	if (!doctor->bundle || !doctor_find_submission(doctor->bundle, &record)) {
		findings_add(&doctor->findings, "recording", FINDING_FAIL,
			     "this is a bug in culprit: please report it with this output",
			     "a memset on the GPU was not recorded: %s",
			     doctor->bundle ? "the journal lacks it" : "there is no bundle");
		return;
	}
	findings_add(&doctor->findings, "recording", FINDING_OK, NULL,
		     "a memset on the GPU was recorded, with its stream and order");
	check_stack(doctor, &record);
	check_marker(doctor, &record);
}
