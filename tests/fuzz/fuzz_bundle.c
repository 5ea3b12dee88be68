/*
 * fuzz_bundle.c - any bytes as the files of a bundle, through everything that reads bundles: view,
 * attribution, report. Input: files one after another, each behind its length as a u32.
 *
 * With clang, -DCULPRIT_FUZZ=ON makes it a libFuzzer program; replay.c runs it on stored inputs.
 */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "report_text.h"

/* More scratch than a bundle of the largest input can rightly need. */
enum { MAX_FILES = 64, MAX_SCRATCH = 256 << 20 };

struct fuzz_files {
	void *bytes[MAX_FILES];
	size_t n;
};

/* Each file in a block of its own, so that a read past its end is seen. */
static void add_file(struct fuzz_files *files, struct bundle_view *view, const uint8_t *bytes,
		     size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		abort();
	memcpy(copy, bytes, size);
	files->bytes[files->n++] = copy;
	(void)bundle_view_add(view, copy, size, NULL);
}

static void add_files(struct fuzz_files *files, struct bundle_view *view, const uint8_t *data,
		      size_t size)
{
	while (size > sizeof(uint32_t) && files->n < MAX_FILES) {
		uint32_t length;

		memcpy(&length, data, sizeof(length));
		data += sizeof(length);
		size -= sizeof(length);
		if (length == 0 || length > size)
			length = (uint32_t)size;
		add_file(files, view, data, length);
		data += length;
		size -= length;
	}
}

/* Answers that a symbol source may give, chosen by the question. */
static size_t answer_frames(void *state, uint32_t module_id, const struct module_row *module,
			    const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	if (offset % 4 == 0 || (module && module->start > module->end))
		return 0;
	for (size_t i = 0; i < max && i < offset % 4; i++)
		out[i] = (struct source_frame){.function = path,
					       .file = offset % 3 ? path : NULL,
					       .line = (uint32_t)offset};
	return offset % 4;
}

static const char *answer_name(void *state, const char *mangled)
{
	(void)state;
	return mangled[0] == '_' ? NULL : mangled;
}

static size_t answer_notes(void *state, const char *path, uint32_t line, const char **out,
			   size_t max)
{
	(void)state;
	for (size_t i = 0; i < max && i < line % 4; i++)
		out[i] = path;
	return line % 4 < max ? line % 4 : max;
}

static void report_all(const struct bundle_view *view, const struct verdict *verdict)
{
	static char buffer[REPORT_TEXT_SIZE];
	const struct symbol_source symbols = {
		.frames = answer_frames, .demangle = answer_name, .notes = answer_notes};
	const struct report report = {view, verdict, &symbols, "./bundle", "/home/user"};
	struct text text = text_in(buffer, sizeof(buffer));

	report_text(&report, &text);
	if (strlen(buffer) != (size_t)(text.at - buffer) || strchr(buffer, '\033'))
		abort();
}

/* What must hold of every verdict, whatever the bytes were. */
static void check_verdict(const struct verdict *verdict)
{
	if ((verdict->class == VERDICT_UNKNOWN) != (verdict->n_suspects == 0) ||
	    (verdict->class == VERDICT_UNKNOWN) == (verdict->unknown_reason == UNKNOWN_NOT) ||
	    (verdict->class >= VERDICT_LIKELY && verdict->n_suspects != 1) ||
	    verdict->n_evidence > VERDICT_MAX_EVIDENCE || verdict->n_streams > VERDICT_MAX_STREAMS)
		abort();
}

static void judge(const struct bundle_view *view)
{
	static struct verdict verdict;
	size_t size = attribution_scratch(view);
	void *scratch;

	if (size > MAX_SCRATCH)
		return;
	scratch = malloc(size ? size : 1);
	if (!scratch)
		abort();
	if (attribute(view, scratch, size, &verdict) != 0)
		abort();
	free(scratch);
	check_verdict(&verdict);
	report_all(view, &verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bundle_view view;
	struct fuzz_files files = {.n = 0};

	memset(&view, 0, sizeof(view));
	add_files(&files, &view, data, size);
	judge(&view);
	for (size_t i = 0; i < files.n; i++)
		free(files.bytes[i]);
	return 0;
}
