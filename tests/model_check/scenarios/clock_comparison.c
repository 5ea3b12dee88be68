/*
 * clock_comparison.c - a check of a channel compares the clocks again while another thread reads
 * the comparison. One comparison is too far off to prove anything, and the other is too long before
 * or after the work. The distance of one and the time of the other would prove something.
 *
 * Variants: "far-first"; "far-last".
 */
#include <string.h>

#include "attribution/clue_parts.h"
#include "model.h"
#include "record/host/clock.h"
#include "record/progress/progress_channels.h"

enum { SOON_NS = 250000, PAYLOAD = 7 };

/* The clocks show the same. The work's channel went on soon after the submission. */
#define SUBMITTED_NS UINT64_C(2000000000)
#define STARTED_NS   (SUBMITTED_NS + 10000)
#define LONG_NS      (UINT64_C(2) * CLOCK_DRIFT * SOON_NS)

static struct channel_row row;
static struct progress_counter counter;
static struct progress_channels channels;
static struct progress_channel channel;
static struct bundle_view view;
static uint64_t now_ns;

uint64_t clock_ns(void)
{
	return now_ns;
}

uint64_t clock_raw_ns(void)
{
	return now_ns;
}

bool progress_counter_reaches(const volatile struct progress_counter *word, uint32_t payload)
{
	return word->payload == payload;
}

uint32_t view_id_at(const struct bundle_view *rows, enum journal_file file, uint32_t place)
{
	(void)rows;
	(void)file;
	return place;
}

const struct channel_row *trusted_channels_row(const struct bundle_view *rows,
					       const struct trusted_channels *trust, uint32_t id)
{
	(void)rows;
	(void)trust;
	return id == 1 ? &row : NULL;
}

int64_t time_least_apart(const struct progress *progress)
{
	(void)progress;
	return INT64_MIN;
}

static void compare(void)
{
	progress_channels_check(&channels, &channel, PAYLOAD);
}

static void judge(void)
{
	const struct journal_record work = {.time_ns = SUBMITTED_NS};
	static struct progress progress = {.view = &view};
	MODEL_CHECK(!late_has_finished_soon(&progress, &work, 1, SOON_NS));
}

void scenario_setup(const char *variant)
{
	bool is_far_first = strcmp(variant, "far-first") == 0;
	now_ns = is_far_first ? STARTED_NS + LONG_NS : STARTED_NS;
	view.tables[JOURNAL_CHANNELS].n_rows = 1;
	row.started_gpu_ns = STARTED_NS;
	row.apart_ns = is_far_first ? SOON_NS : 0;
	row.compared_ns = is_far_first ? STARTED_NS : STARTED_NS - LONG_NS;
	counter.payload = PAYLOAD;
	counter.gpu_ns = is_far_first ? now_ns : now_ns - SOON_NS;
	channel.word = &counter;
	channel.row = &row;
	model_thread(compare);
	model_thread(compare);
	model_thread(judge);
}

void scenario_end(void)
{
	MODEL_CHECK(row.apart_ns == (int64_t)(now_ns - counter.gpu_ns));
	MODEL_CHECK(row.compared_ns == now_ns);
}
