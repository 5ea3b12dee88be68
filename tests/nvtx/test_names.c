/*
 * Unit tests of the texts and names that NVTX passes to us: cut, wide, invalid, registered, too
 * many.
 */
#include "record/journal/strings.h"
#include "record/nvtx/nvtx_names.h"
#include "support/check.h"

uint32_t strings_intern(const char *bytes, size_t length)
{
	(void)bytes;
	return (uint32_t)length;
}

static void check_text(const struct nvtx_text *text, const char *wanted, bool is_cut)
{
	CHECK_EQUAL(text->size, strlen(wanted));
	CHECK(memcmp(text->bytes, wanted, text->size) == 0);
	CHECK_EQUAL(text->is_cut, is_cut);
}

static void test_texts(void)
{
	char letters[NVTX_TEXT_MAX + 2] = "";
	struct nvtx_text text;

	nvtx_text_set(&text, NULL);
	check_text(&text, "", false);
	memset(letters, 'x', NVTX_TEXT_MAX);
	nvtx_text_set(&text, letters);
	check_text(&text, letters, false);
	/* A letter of two bytes, of which the second no longer fits. */
	memcpy(letters + NVTX_TEXT_MAX - 1, "\303\244", 2);
	nvtx_text_set(&text, letters);
	letters[NVTX_TEXT_MAX - 1] = '\0';
	check_text(&text, letters, true);
	/* This text is not UTF-8, so it may be cut anywhere. */
	memset(letters, 0x80, NVTX_TEXT_MAX + 1);
	nvtx_text_set(&text, letters);
	CHECK_EQUAL(text.size, NVTX_TEXT_MAX);
}

static void test_wide_texts(void)
{
	const wchar_t sizes[] = {'a', 0x7ff, 0xffff, 0x10ffff, 0xd800, 0x110000, (wchar_t)-1, 0};
	wchar_t letters[NVTX_TEXT_MAX + 2] = {0};
	struct nvtx_text text;

	nvtx_text_set_wide(&text, NULL);
	check_text(&text, "", false);
	nvtx_text_set_wide(&text, sizes);
	check_text(&text, "a\337\277\357\277\277\364\217\277\277???", false);
	for (int i = 0; i < NVTX_TEXT_MAX; i++)
		letters[i] = 'x';
	nvtx_text_set_wide(&text, letters);
	CHECK_EQUAL(text.size, NVTX_TEXT_MAX);
	CHECK(!text.is_cut);
	letters[NVTX_TEXT_MAX - 1] = 0xe4;
	nvtx_text_set_wide(&text, letters);
	CHECK_EQUAL(text.size, NVTX_TEXT_MAX - 1);
	CHECK(text.is_cut);
}

static void test_names(void)
{
	const struct nvtx_name *name = nvtx_name_of("NCCL");
	char text[2 * NVTX_TEXT_MAX] = "";
	const struct nvtx_name *one, *other;

	CHECK(name && nvtx_is_name(name));
	CHECK(nvtx_name_of("NCCL") == name);
	CHECK(nvtx_name_of_wide(L"NCCL") == name);
	CHECK(nvtx_name_of("NCCM") != name);
	CHECK(!nvtx_is_name(NULL));
	CHECK(!nvtx_is_name((const char *)name + 8));
	CHECK(!nvtx_is_name(text));
	/* The two texts are equal up to the length that is kept. */
	memset(text, 'x', sizeof(text) - 1);
	one = nvtx_name_of(text);
	text[sizeof(text) - 2] = 'y';
	other = nvtx_name_of(text);
	CHECK(one && other && one != other);
	/* More names than the limit: existing names stay. */
	for (int i = 0; i < 40000; i++) {
		(void)snprintf(text, sizeof(text), "name %d", i);
		(void)nvtx_name_of(text);
	}
	CHECK(nvtx_name_of("NCCL") == name);
	CHECK_EQUAL(nvtx_name_string(name), strlen("NCCL"));
	CHECK_EQUAL(nvtx_name_string(NULL), 0);
}

int main(void)
{
	CHECK(nvtx_names_start());
	test_texts();
	test_wide_texts();
	test_names();
	return 0;
}
