/*
 * test_error_string.c - which texts of an error name the culprit. The failure is simulated here.
 */
#include "failure/error_string.h"

#include <pthread.h>

#include "failure/failure.h"
#include "record/host/recording.h"
#include "support/check.h"

static const CUresult CODE = CUDA_ERROR_ILLEGAL_ADDRESS;

static const char *culprit; /* NULL: there is no verdict */
static uint32_t is_recording = true;
uint32_t *recording_flag = &is_recording;
static unsigned n_locked, n_questions;

const char *failure_culprit(CUresult code, const char **out_verdict)
{
	n_questions++;
	*out_verdict = "exact";
	return code == CODE ? culprit : NULL;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	CHECK(lock && n_locked == 0);
	n_locked++;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
	CHECK(lock && n_locked == 1);
	n_locked--;
	return 0;
}

static const char *annotate(CUresult code, const char *text)
{
	error_string_annotate(code, &text);
	CHECK_EQUAL(n_locked, 0);
	return text;
}

static void check_plain(CUresult code, const char *text)
{
	CHECK(annotate(code, text) == text);
}

static void test_plain(void)
{
	culprit = "kernel";
	check_plain(CODE, "text"); /* is not wanted */
	error_string_start(false);
	check_plain(CODE, "text");
	CHECK_EQUAL(n_questions, 0);
	error_string_start(true);
	check_plain(CUDA_ERROR_INVALID_VALUE, "text");
	check_plain(CODE, NULL);
	is_recording = false;
	check_plain(CODE, "text");
	is_recording = true;
	culprit = NULL;
	check_plain(CODE, "text");
	culprit = "kernel";
}

/* A text never changes, and each has one place. The last one finds no room. */
static void test_annotated(void)
{
	static const char *const texts[] = {"one", "two", "three", "four"};
	const char *annotated[4];
	check_plain(CODE, "two\nlines");
	for (int i = 0; i < 4; i++) {
		char wanted[64];
		(void)snprintf(wanted, sizeof(wanted), "%s (culprit: kernel, exact)", texts[i]);
		annotated[i] = annotate(CODE, texts[i]);
		CHECK_STRING(annotated[i], wanted);
	}
	check_plain(CODE, "five");
	for (int i = 0; i < 4; i++)
		CHECK(annotate(CODE, texts[i]) == annotated[i]);
	CHECK_STRING(annotated[0], "one (culprit: kernel, exact)");
}

int main(void)
{
	test_plain();
	test_annotated();
	return 0;
}
