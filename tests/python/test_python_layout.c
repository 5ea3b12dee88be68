/*
 * test_python_layout.c - tests which interpreters have a known layout. If an interpreter has a
 * table of offsets, it must agree.
 */
#include "record/python/python_layout.h"
#include "support/check.h"

enum { N_WORDS = 128 };

/* Fill in the words that matter at the start of 3.13.0's _PyRuntime, by their indexes. */
static void fill_3_13(uint64_t *words)
{
	memset(words, 0, N_WORDS * sizeof(*words));
	memcpy(words, "xdebugpy", 8);
	words[1] = 0x030d00f0;
	words[23] = 72;  /* thread_state.current_frame */
	words[29] = 8;   /* interpreter_frame.previous */
	words[30] = 0;   /* .executable */
	words[31] = 56;  /* .instr_ptr */
	words[33] = 70;  /* .owner */
	words[35] = 112; /* code_object.filename */
	words[37] = 128; /* .qualname */
	words[38] = 136; /* .linetable */
	words[39] = 68;  /* .firstlineno */
	words[43] = 200; /* .co_code_adaptive */
	words[45] = 8;   /* pyobject.ob_type */
}

static void test_old_versions(void)
{
	CHECK(!python_layout_find(7, NULL));
	for (unsigned minor = 8; minor <= 12; minor++) {
		const struct python_layout *layout = python_layout_find(minor, NULL);
		CHECK(layout != NULL);
		CHECK_EQUAL(layout->minor, minor);
		CHECK(!layout->is_free_threaded);
		CHECK_EQUAL(layout->frames == PYTHON_FRAME_OBJECTS, minor <= 10);
	}
	for (unsigned minor = 13; minor < 20; minor++)
		CHECK(!python_layout_find(minor, NULL));
}

static void test_own_table(void)
{
	static const int compared[] = {0, 1, 2, 23, 29, 30, 31, 33, 35, 37, 38, 39, 43, 45};
	uint64_t words[N_WORDS];
	fill_3_13(words);
	CHECK_EQUAL(python_layout_find(13, words)->code.instructions, 200);
	CHECK(!python_layout_find(14, words));
	words[1] = 0x030d12f0; /* another release of it */
	CHECK(python_layout_find(13, words) != NULL);
	for (size_t i = 0; i < sizeof(compared) / sizeof(compared[0]); i++) {
		fill_3_13(words);
		words[compared[i]] += 1 << 16;
		CHECK(!python_layout_find(13, words));
	}
}

/*
 * The frame's layout is the same, but objects are larger. The free-threaded layout of 3.14 is
 * refused.
 */
static void test_free_threaded(void)
{
	uint64_t words[N_WORDS];
	fill_3_13(words);
	CHECK(!python_layout_is_free_threaded(13, words));
	words[2] = 1;
	CHECK(!python_layout_find(13, words));
	words[35] = 128;
	words[37] = 144;
	words[38] = 152;
	words[39] = 84;
	words[43] = 216;
	words[45] = 24;
	CHECK(python_layout_find(13, words)->is_free_threaded);
	CHECK(python_layout_is_free_threaded(13, words));
	words[1] = 0x030e00f0;
	CHECK(python_layout_is_free_threaded(14, words));
	CHECK(!python_layout_find(14, words));
}

static void test_versions(void)
{
	static const struct {
		const char *text;
		size_t length;
		unsigned minor;
		bool is_early;
	} versions[] = {
		{"3.11.7 (main, Dec  8 2023) [GCC]", 6, 11, false},
		{"3.8.18", 6, 8, false},
		{"3.14.0a1 (main)", 8, 14, true},
		{"3.14.0b12 (main)", 9, 14, true},
		{"3.14.0rc1 (main)", 9, 14, false},
		{"2.7.18 (default)", 0, 0, false},
		{"3.x.0 (main)", 0, 0, false},
		{"3.14 (main)", 0, 0, false},
		{"", 0, 0, false},
	};
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		unsigned minor = 0;
		bool is_early = false;
		CHECK_EQUAL(python_layout_read_version(versions[i].text, &minor, &is_early),
			    versions[i].length);
		CHECK_EQUAL(minor, versions[i].minor);
		CHECK_EQUAL(is_early, versions[i].is_early);
	}
}

int main(void)
{
	test_versions();
	test_old_versions();
	test_own_table();
	test_free_threaded();
	return 0;
}
