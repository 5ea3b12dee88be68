/*
 * doctor_hardware.c - findings about NVML, and what the GPUs say through it.
 */
#include <string.h>

#include "base/text.h"
#include "doctor/examination.h"

enum { WAIT_MS = 2000, LINE_SIZE = 512 };

/* Append whether reports will have Xids. */
static void add_watch(const struct hardware *hardware, struct text *out)
{
	for (uint32_t i = 0; i < hardware->n_gpus; i++) {
		const struct hardware_gpu *gpu = &hardware->gpus[i];
		if (gpu->events != ANSWER_KNOWN) {
			text_addf(out, "; Xids of GPU %u are not watched (%s)", gpu->index,
				  gpu->events == ANSWER_NO_PERMISSION ? "no permission"
								      : "not supported");
			return;
		}
	}
	text_add(out, "; Xids are watched");
}

static void add_findings(struct doctor *doctor, const struct hardware *hardware)
{
	const struct hardware_span now = {.is_moment = true};
	struct hardware_story *story = &doctor->story;
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	hardware_story_find(hardware, &now, story);
	text_addf(&text, "driver ");
	text_add_foreign(&text, hardware->driver, strlen(hardware->driver));
	text_addf(&text, ", %u GPU%s: ", hardware->n_gpus, hardware->n_gpus == 1 ? "" : "s");
	text_add(&text, story->n_lines ? story->lines[0] : "nothing is counted");
	add_watch(hardware, &text);
	bool is_suspect = story->cause > CAUSE_PROGRAM;
	findings_add(&doctor->findings, "hardware", is_suspect ? FINDING_WARN : FINDING_OK,
		     is_suspect ? story->lines[1] : NULL, "%s", line);
}

/* Check whether reports can say if the hardware failed, and whether it seems to have. */
void doctor_check_hardware(struct doctor *doctor)
{
	const struct hardware *hardware = hardware_watch_take(&doctor->hardware, WAIT_MS);
	bool is_missed = doctor_has_driver(doctor->alone);
	if (hardware && hardware->n_gpus)
		add_findings(doctor, hardware);
	else
		findings_add(&doctor->findings, "hardware", is_missed ? FINDING_WARN : FINDING_OK,
			     is_missed ? hardware_watch_advice(&doctor->hardware) : NULL,
			     "%s: reports will not say whether the hardware failed",
			     hardware ? "NVML lists no GPU"
				      : hardware_watch_problem(&doctor->hardware));
}
