/*
 * elastic_error.c - the JSON that torch.distributed.elastic.multiprocessing.errors writes and reads
 * (as of PyTorch 2.15): {"message": {"message", "extraInfo": {"py_callstack", "timestamp"}}}. The
 * summary shows py_callstack. torchrun raises if it cannot parse the file, so the file is whole or
 * absent.
 */
#include "failure/elastic_error.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "record/files/store.h"
#include "record/host/aside.h"
#include "report/report_page.h"

static char path[PATH_MAX]; /* "": not wanted; written at start only */

/* Escaping may double each byte of both texts. */
static char json[2 * REPORT_TEXT_SIZE + 2048];
static size_t json_size;
static char temporary[PATH_MAX + 32];

/* The file may also be on a dead file server. */
static const uint64_t longest_wait_ns = 500000000;

void elastic_error_start(void)
{
	const char *wanted = secure_getenv("TORCHELASTIC_ERROR_FILE");
	if (wanted && wanted[0] == '/' && strlen(wanted) < sizeof(path))
		(void)snprintf(path, sizeof(path), "%s", wanted);
}

/* The texts of reports are UTF-8, and newlines are their only control characters. */
static void add_string(struct text *text, const char *string)
{
	text_add(text, "\"");
	for (const char *byte = string; *byte; byte++) {
		if (*byte == '\n')
			text_add(text, "\\n");
		else if (*byte == '"' || *byte == '\\')
			text_addf(text, "\\%c", *byte);
		else
			text_addf(text, "%c", (unsigned char)*byte < ' ' ? ' ' : *byte);
	}
	text_add(text, "\"");
}

/* Write a temporary file and link it: the name gets a whole file only, and the first one only. */
static void publish_aside(void)
{
	const char *bytes = json;
	size_t size = json_size;
	if (store_is_over_limit(size))
		return;
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	bool is_whole = write(fd, bytes, size) == (ssize_t)size;
	if (close(fd) == 0 && is_whole)
		(void)!link(temporary, path);
	(void)unlink(temporary);
}

void elastic_error_write(const char *headline, const char *report)
{
	struct text text = text_in(json, sizeof(json));
	struct timespec now = {0};
	if (!path[0])
		return;
	(void)snprintf(temporary, sizeof(temporary), "%s.culprit-%d", path, getpid());
	(void)clock_gettime(CLOCK_REALTIME, &now);
	text_add(&text, "{\"message\": {\"message\": ");
	add_string(&text, headline);
	text_add(&text, ", \"extraInfo\": {\"py_callstack\": ");
	add_string(&text, report);
	/* torchrun passes this string to int(), so it holds digits only. */
	text_addf(&text, ", \"timestamp\": \"%lld\"}}}\n", (long long)now.tv_sec);
	json_size = (size_t)(text.at - json);
	if (!text.cut)
		(void)aside_do(publish_aside, longest_wait_ns);
}
