/*
 * doctor_python.c - check that culprit records Python frames, by a small script that runs on the
 * user's interpreter.
 */
#include <string.h>

#include "bundle/bundle_meta.h"
#include "doctor/examination.h"
#include "doctor/probe.h"

/* The function of the script that makes the submission. */
#define PROBING_FUNCTION "probe"

const char doctor_python_script[] =
	"import json\n"
	"def " PROBING_FUNCTION "():\n"
	"    import ctypes\n"
	"    driver = ctypes.CDLL('libcuda.so.1')\n"
	"    device, context = ctypes.c_int(), ctypes.c_void_p()\n"
	"    memory, size = ctypes.c_uint64(), ctypes.c_size_t(4)\n"
	"    return (driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0)\n"
	"            or driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)\n"
	"            or driver.cuCtxSetCurrent(context)\n"
	"            or driver.cuMemAlloc_v2(ctypes.byref(memory), size)\n"
	"            or driver." PROBE_SUBMISSION "(memory, 0, size, None)\n"
	"            or driver.cuCtxSynchronize())\n"
	"try:\n"
	"    print(json.dumps({'work': " PROBING_FUNCTION "()}), end='')\n"
	"except Exception as error:\n"
	"    print(json.dumps({'error': str(error)}), end='')\n";

static const char advice[] = "culprit reads release builds of CPython 3.8 to 3.14; launches of "
			     "other interpreters are named by their native frames";

/* True if the submission's innermost Python frame is the script's function. */
static bool has_frames(const struct bundle *bundle)
{
	const struct bundle_view *view = &bundle->view;
	uint32_t frame = 0;
	struct journal_record record;
	if (!doctor_find_submission(bundle, &record) ||
	    !view_python_frames(view, record.stack, &frame, 1))
		return false;
	const struct python_code_row *code =
		view_python_code(view, view_python_frame(view, frame)->code);
	return code && !strcmp(view_string(view, code->name, NULL), PROBING_FUNCTION);
}

void doctor_check_python(struct doctor *doctor)
{
	const char *error = json_string_value(json_object_get(doctor->python_probe, "error"));
	if (!doctor_has_driver(doctor->preloaded))
		return; /* without a driver, nothing can be recorded */
	if (!doctor->python_probe && doctor->is_python_named) {
		findings_add(&doctor->findings, "python", FINDING_WARN,
			     "--python needs the path of a Python interpreter",
			     "%s: not found, or not a Python interpreter", doctor->python);
		return;
	}
	if (!doctor->python_probe) {
		findings_add(&doctor->findings, "python", FINDING_OK, NULL,
			     "%s: not checked: not found, or it crashed or hung", doctor->python);
		return;
	}
	if (error || !doctor->python_bundle) {
		findings_add(&doctor->findings, "python", FINDING_WARN,
			     "the check needs Python's ctypes", "%s: %s", doctor->python,
			     error ? error : "nothing was recorded");
		return;
	}
	const char *status = bundle_meta_text(doctor->python_bundle->meta, "python");
	if (has_frames(doctor->python_bundle))
		findings_add(&doctor->findings, "python", FINDING_OK, NULL,
			     "%s: %s, frames are recorded", doctor->python, status);
	else
		findings_add(&doctor->findings, "python", FINDING_WARN, advice, "%s: %s",
			     doctor->python, status);
}
