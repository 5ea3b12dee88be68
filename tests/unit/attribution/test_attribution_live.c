/*
 * test_attribution_live.c - attribution in a process whose other threads continue to submit. The
 * verdict may get weaker while rings wrap under the reader, but it never names another launch. Run
 * under the thread sanitizer, the test also shows that live rows are read as such.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "attribution/attribution.h"
#include "support/check.h"
#include "support/verdict_case.h"

enum { N_VERDICTS = 300, WRITER_TID = CASE_TID + 1 };

struct writer {
	pthread_t thread;
	struct journal_record *rows;
	uint64_t capacity;
	uint64_t first; /* number of the first row it writes */
	struct stream_row *stream;
	_Atomic bool is_over;
};

/* The recorder's protocol: the commit word is zero while the row's other words are stored. */
static void store_record(struct journal_record *location, const struct journal_record *record)
{
	_Atomic uint64_t *words = (_Atomic uint64_t *)(void *)location;
	const uint64_t *source = (const uint64_t *)(const void *)record;
	atomic_store_explicit(&words[0], 0, memory_order_relaxed);
	for (size_t i = 1; i < sizeof(*record) / sizeof(uint64_t); i++)
		atomic_store_explicit(&words[i], source[i], memory_order_release);
	atomic_store_explicit(&words[0], source[0], memory_order_release);
}

static void *write_submissions(void *argument)
{
	struct writer *writer = argument;
	uint64_t ordinal = writer->stream->submitted;
	for (uint64_t number = writer->first; !atomic_load(&writer->is_over); number++) {
		const struct journal_record record = {.commit = number + 1,
						      .sequence = 1000 + number,
						      .ordinal = ++ordinal,
						      .tid = WRITER_TID,
						      .stream = 2,
						      .kind = RECORD_SUBMISSION,
						      .work = WORK_KERNEL};
		store_record(&writer->rows[number % writer->capacity], &record);
		atomic_store_explicit((_Atomic uint64_t *)&writer->stream->submitted, ordinal,
				      memory_order_release);
		if (ordinal % 64 == 0)
			atomic_store_explicit((_Atomic uint64_t *)&writer->stream->synced,
					      ordinal - 8, memory_order_release);
	}
	return NULL;
}

static void begin_writer(struct verdict_case *c, struct writer *writer)
{
	/* Its ring is the second. One submission to begin with makes it. */
	builder_submit(&c->builder, WRITER_TID, 2, WORK_KERNEL);
	*writer = (struct writer){
		.rows = (struct journal_record *)(void *)(c->builder.rings[1].bytes +
							  sizeof(struct file_header)),
		.capacity = c->builder.ring_capacity,
		.first = c->builder.ring_rows[1],
		.stream = builder_stream_row(&c->builder, 2),
	};
}

static void judge_once(struct verdict_case *c)
{
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch != NULL);
	CHECK_EQUAL(attribute(&c->view, scratch, size, &c->verdict), 0);
	CHECK(c->verdict.class != VERDICT_UNKNOWN);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 1);
	free(scratch);
}

int main(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 1);
	(void)case_stream(c);
	builder_fail(&c->builder, 700, CASE_TID, "cuCtxSynchronize");
	struct writer writer;
	begin_writer(c, &writer);
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(pthread_create(&writer.thread, NULL, write_submissions, &writer), 0);
	for (int i = 0; i < N_VERDICTS; i++)
		judge_once(c);
	atomic_store(&writer.is_over, true);
	CHECK_EQUAL(pthread_join(writer.thread, NULL), 0);
	case_end(c);
	return 0;
}
