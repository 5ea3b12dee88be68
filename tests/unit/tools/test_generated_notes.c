/*
 * test_generated_notes.c - which comments of a generated file are shown with a line of it.
 */
#include "symbols/source_lines.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static struct generated_notes notes;
static char directory[] = "/tmp/culprit-notes-XXXXXX";
static char path[sizeof(directory) + 16];

static void write_file(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");
	CHECK(file && fwrite(text, 1, size, file) == size && fclose(file) == 0);
}

/* Looks at line `line` of `text`. Returns the first note, or "". */
static const char *note_at(const char *text, uint32_t line)
{
	write_file(text, strlen(text));
	generated_notes_read(&notes, path, line);
	return notes.n ? notes.texts[0] : "";
}

static const char module[] =
	"# Topologically Sorted Source Nodes: [of, kernel]\n"   /* 1 */
	"triton_poi_fused_0 = async_compile.triton('''\n"       /* 2 */
	"''')\n"                                                /* 3 */
	"def call(args):\n"                                     /* 4 */
	"    early.run(1)\n"                                    /* 5 */
	"    # File: net.py:12 in forward, code: x = relu(x)\n" /* 6 */
	"    # Topologically Sorted Source Nodes: [x], Original ATen: [aten.relu]\n"
	"    stream0 = get_raw_stream(0)\n"                    /* 8 */
	"    triton_poi_fused_0.run(buf0)\n"                   /* 9 */
	"    extern_kernels.mm(buf0)\n"                        /* 10 */
	"    # Unsorted Source Nodes: [], Original ATen: []\n" /* 11 */
	"    triton_poi_fused_0.run(buf1)\n"                   /* 12 */
	"    # Source Nodes: [y]";                             /* 13 */

static void test_launches(void)
{
	CHECK_STRING(note_at(module, 9), "File: net.py:12 in forward, code: x = relu(x)");
	CHECK_EQUAL(notes.n, 2);
	CHECK_STRING(notes.texts[1],
		     "Topologically Sorted Source Nodes: [x], Original ATen: [aten.relu]");
	/* Another launch's comment, another function's, an empty one. */
	CHECK_STRING(note_at(module, 10), "");
	CHECK_STRING(note_at(module, 5), "");
	CHECK_STRING(note_at(module, 12), "");
	CHECK_STRING(note_at(module, 2), "Topologically Sorted Source Nodes: [of, kernel]");
}

static void test_ends(void)
{
	CHECK_STRING(note_at(module, 0), "");
	CHECK_STRING(note_at(module, 1), "");
	CHECK_STRING(note_at(module, 14), "");
	CHECK_STRING(note_at(module, UINT32_MAX), "");
	CHECK_STRING(note_at("", 1), "");
	CHECK_STRING(note_at("\n", 2), "");
	CHECK_STRING(note_at("# Source Nodes: [a]\n", 2), "Source Nodes: [a]");
	CHECK_STRING(note_at("# Source Nodes: [a]", 1), "");
	CHECK_STRING(note_at("#", 1), "");
	CHECK_STRING(note_at("#\n##\nf()", 3), "");
}

static void test_long_note(void)
{
	char text[2048] = "# Source Nodes: [";
	memset(text + strlen(text), 'x', 1500);
	strcat(text, "]\nf()\n");
	CHECK_EQUAL(strlen(note_at(text, 2)), GENERATED_NOTE_SIZE - 1);
	CHECK_STRING(notes.texts[0] + GENERATED_NOTE_SIZE - 4, "...");
	/* More comments than are kept. */
	text[0] = '\0';
	for (int i = 0; i < 20; i++)
		strcat(text, "# File: a.py\n");
	strcat(text, "f()");
	CHECK_STRING(note_at(text, 21), "File: a.py");
	CHECK_EQUAL(notes.n, GENERATED_MAX_NOTES);
}

static void test_no_file(void)
{
	static const char *const paths[] = {"/nonexistent/x.py", "/dev/null", "/tmp", "", "x.py"};
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		notes.n = 1;
		generated_notes_read(&notes, paths[i], 1);
		CHECK_EQUAL(notes.n, 0);
	}
	CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
	generated_notes_read(&notes, path, 1); /* does not wait for a writer */
	CHECK_EQUAL(notes.n, 0);
}

int main(void)
{
	CHECK(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/c.py", directory);
	test_launches();
	test_ends();
	test_long_note();
	write_file("# Source Nodes: [a]\0\nf()", 24);
	generated_notes_read(&notes, path, 2);
	CHECK_EQUAL(notes.n, 1);
	test_no_file();
	CHECK(unlink(path) == 0 && rmdir(directory) == 0);
	return 0;
}
