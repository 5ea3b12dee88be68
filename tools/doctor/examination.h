/*
 * examination.h - the state of `culprit doctor`: results of its probes, and the checks that turn
 * them into findings.
 */
#ifndef CULPRIT_TOOLS_EXAMINATION_H
#define CULPRIT_TOOLS_EXAMINATION_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "bundle/bundle.h"
#include "doctor/findings.h"
#include "hardware/hardware_story.h"
#include "hardware/hardware_watch.h"

/* One examination of this machine. */
struct doctor {
	const char *directory;        /* for bundles */
	char library[PATH_MAX];       /* "" if it was not found */
	json_t *alone;                /* probe's output without culprit; NULL: it crashed or hung */
	json_t *preloaded;            /* with culprit; NULL: it crashed, hung or was not run */
	struct bundle *bundle;        /* of the preloaded probe, or NULL */
	const char *python;           /* interpreter to probe */
	bool is_python_named;         /* the user named the interpreter */
	json_t *python_probe;         /* output of doctor_python_script under culprit, or NULL */
	struct bundle *python_bundle; /* of that run, or NULL */
	struct hardware_watch hardware; /* of the GPUs, while the probes run */
	struct hardware_story story;    /* what they say */
	struct findings findings;
};

/* A script that makes a submission; it prints {"work": result} or {"error": text}. */
extern const char doctor_python_script[];

/* Run the probes and read their bundles. */
void doctor_probe(struct doctor *doctor);

/*
 * Check one subject each and add the findings about it. A printed finding has a state and a name.
 * `grep -rn '"markers"' tools/doctor/` finds the texts of "markers". Some texts quote others:
 * - "progress", "fault" and "python" quote the probe's meta.json, written by meta_note() in shim/.
 * - "settings" quotes settings_read() and unknown_settings_report().
 * - "python" may also quote the error of doctor_python_script.
 * - "hardware" quotes hardware_watch_problem(), hardware_watch_advice() and hardware_story_find().
 * - "driver" quotes the dlerror() of the probe.
 * The last line of all is in findings.c.
 */
void doctor_check_driver(struct doctor *doctor);
void doctor_check_hooks(struct doctor *doctor);
void doctor_check_recording(struct doctor *doctor);
void doctor_check_progress(struct doctor *doctor);
void doctor_check_fault(struct doctor *doctor);
void doctor_check_hardware(struct doctor *doctor);
void doctor_check_python(struct doctor *doctor);
void doctor_check_others(struct doctor *doctor);
void doctor_check_tools(struct doctor *doctor);
void doctor_check_directory(struct doctor *doctor);
void doctor_check_environment(struct doctor *doctor);

/* True if the driver started in this probe; NULL: it was not made, or it crashed. */
bool doctor_has_driver(const json_t *probe);

/* Find the record of a probe's submission in its bundle. Return false if it has none. */
bool doctor_find_submission(const struct bundle *bundle, struct journal_record *out);

#endif
