/*
 * test_python_stack.c - Python stacks of an interpreter that is made of plain memory, so that the
 * sanitizers can check it. Threads call, return and capture while code objects die and others are
 * created in their places. Every stack is read back from the journal and compared.
 */
#include <pthread.h>

#include "record/host/recording.h"
#include "record/journal/bundle.h"
#include "record/python/python.h"
#include "record/python/python_codes.h"
#include "record/python/python_parts.h"
#include "record/python/python_stack.h"
#include "record/python/python_walk.h"
#include "support/check.h"
#include "view/bundle_view.h"

enum {
	THREADS = 4,
	CODES = 200, /* places for code objects */
	MAX_DEPTH = PYTHON_FRAMES + 20,
	FIRST_TRACEABLE = 3, /* in instructions */
	OBJECT_BYTES = 256,
	FRAME_BYTES = 128,
	SHIFTS = 8, /* depths at which the same frame may lie, from one time to another */
	N_ROWS = 1 << 22,
	NATIVE = N_ROWS + 1, /* a native stack's id, unlike all others */
	CAPTURES = 10000,    /* of each thread */
};

struct object {
	_Alignas(16) unsigned char bytes[OBJECT_BYTES];
};

static struct table tables[N_JOURNAL_FILES];
static struct python python;
static struct object type_type, code_type, text_type, bytes_type;

/* The interpreter's lock guards the code objects, their contents, and how many frames run each. */
static pthread_mutex_t interpreter_lock = PTHREAD_MUTEX_INITIALIZER;
static struct code {
	struct object object, name, file, lines;
	unsigned n_frames;
	unsigned number; /* no two objects have the same */
} codes[CODES];
static unsigned n_made;
static long n_deaths;

/* A thread of the interpreter, and its frames. Only that thread uses this. */
struct runner {
	uint64_t seed;
	struct python_cache *cache;
	struct python_join last;
	struct object thread, cframe;
	_Alignas(16) unsigned char locations[2 * (MAX_DEPTH + SHIFTS)][FRAME_BYTES];
	unsigned char *frames[MAX_DEPTH]; /* outermost first, each one of places[] */
	unsigned shift;
	struct {
		struct code *code;
		unsigned number;
		uint32_t position;
		bool is_shown;
	} wanted[MAX_DEPTH];
	size_t depth;
};
static __thread struct runner *self;

struct table *bundle_table(enum journal_file kind)
{
	return &tables[kind];
}

/* The interpreter exists from the start, so no search is needed. */
const struct python *python_found = &python;

static void *thread_state(void)
{
	return self ? self->thread.bytes : NULL;
}

static int is_finalizing(void)
{
	return 0;
}

static unsigned random_below(unsigned limit)
{
	self->seed ^= self->seed << 13;
	self->seed ^= self->seed >> 7;
	self->seed ^= self->seed << 17;
	return (unsigned)(self->seed >> 11) % limit;
}

static void put_pointer(unsigned char *object, size_t offset, const void *pointer)
{
	memcpy(object + offset, &pointer, sizeof(pointer));
}

static void put_number(unsigned char *object, size_t offset, int64_t number, size_t size)
{
	memcpy(object + offset, &number, size);
}

/* A str of one-byte characters that are ASCII. */
static void make_text(unsigned char *object, const char *text)
{
	const struct python_layout *layout = python.layout;
	put_pointer(object, layout->type, text_type.bytes);
	put_number(object, layout->text.length, (int64_t)strlen(text), 8);
	put_number(object, layout->text.state, 1 << 2 | 1 << 5 | 1 << 6, 4);
	memcpy(object + layout->text.ascii, text, strlen(text));
}

/* Under the interpreter's lock. */
static void make_code(struct code *code)
{
	const struct python_layout *layout = python.layout;
	char name[32];
	code->number = ++n_made;
	(void)snprintf(name, sizeof(name), "%u", code->number);
	make_text(code->name.bytes, name);
	make_text(code->file.bytes, "file.py");
	put_pointer(code->lines.bytes, layout->type, bytes_type.bytes);
	put_number(code->lines.bytes, layout->bytes.size, (int64_t)(code->number % 20), 8);
	put_pointer(code->object.bytes, layout->type, code_type.bytes);
	put_pointer(code->object.bytes, layout->code.name, code->name.bytes);
	put_pointer(code->object.bytes, layout->code.file, code->file.bytes);
	put_pointer(code->object.bytes, layout->code.lines, code->lines.bytes);
	put_number(code->object.bytes, layout->code.first_line, (int64_t)code->number, 4);
	if (layout->frames == PYTHON_INTERPRETER_FRAMES)
		put_number(code->object.bytes, layout->code.first_traceable, FIRST_TRACEABLE, 4);
}

/* Do what the interpreter would do: the memory is no longer a code object. */
static void deallocate(void *object)
{
	memset(object, 0xdd, OBJECT_BYTES);
	n_deaths++;
}

/*
 * Free the code object as Py_DECREF does at the last reference. Called under the interpreter's
 * lock.
 */
static void kill_code(struct code *code)
{
	void (*dealloc)(void *);
	memcpy(&dealloc, code_type.bytes + python.layout->dealloc, sizeof(dealloc));
	dealloc(code->object.bytes);
	make_code(code);
}

static void link_frames(void)
{
	const struct python_layout *layout = python.layout;
	for (size_t i = 0; i < self->depth; i++)
		put_pointer(self->frames[i], layout->frame.previous,
			    i ? self->frames[i - 1] : NULL);
	const void *innermost = self->depth ? self->frames[self->depth - 1] : NULL;
	if (layout->thread.cframe == PYTHON_NO_MEMBER) {
		put_pointer(self->thread.bytes, layout->thread.frame, innermost);
		return;
	}
	put_pointer(self->cframe.bytes, layout->thread.cframe, innermost);
	put_pointer(self->thread.bytes, layout->thread.frame, self->cframe.bytes);
}

/* Frames that are still being set up, and the interpreter's own frames, are not shown. */
static void set_position(size_t index, uint32_t instruction)
{
	const struct python_layout *layout = python.layout;
	unsigned char *frame = self->frames[index];
	const struct code *code = self->wanted[index].code;
	unsigned owner = random_below(8) ? PYTHON_OWNER_THREAD : random_below(4);
	self->wanted[index].position = 2 * instruction;
	self->wanted[index].is_shown = true;
	if (layout->frames == PYTHON_FRAME_OBJECTS) {
		put_number(frame, layout->frame.position, 2 * instruction / layout->lasti_unit, 4);
		return;
	}
	put_pointer(frame, layout->frame.position,
		    code->object.bytes + layout->code.instructions + 2 * (size_t)instruction);
	frame[layout->frame.owner] = (unsigned char)owner;
	self->wanted[index].is_shown =
		owner != PYTHON_OWNER_SHIM &&
		(owner == PYTHON_OWNER_GENERATOR || instruction >= FIRST_TRACEABLE);
}

/* Under the interpreter's lock. */
static void enter(void)
{
	size_t index = self->depth++;
	if (!index)
		self->shift = random_below(SHIFTS);
	self->frames[index] = self->locations[2 * (index + self->shift) + random_below(2)];
	struct code *code = &codes[random_below(CODES)];
	code->n_frames++;
	self->wanted[index].code = code;
	self->wanted[index].number = code->number;
	put_pointer(self->frames[index], python.layout->frame.code, code->object.bytes);
	set_position(index, random_below(10));
}

static void leave(void)
{
	struct code *code = self->wanted[--self->depth].code;
	if (--code->n_frames == 0 && random_below(2))
		kill_code(code);
}

/* Make a few calls or returns, as a program between two launches; now and then go deep. */
static void run_some(void)
{
	size_t wanted = self->depth + random_below(7);
	wanted = wanted > 3 ? wanted - 3 : 0;
	if (!random_below(50))
		wanted = random_below(32) ? 0 : MAX_DEPTH;
	if (wanted > MAX_DEPTH)
		wanted = MAX_DEPTH;
	pthread_mutex_lock(&interpreter_lock);
	while (self->depth > wanted)
		leave();
	while (self->depth < wanted)
		enter();
	pthread_mutex_unlock(&interpreter_lock);
	if (self->depth)
		set_position(self->depth - 1, random_below(10));
	link_frames();
}

static const struct python_frame_row *frame_row(uint32_t id)
{
	return table_row(&tables[JOURNAL_PYTHON_FRAMES], id);
}

static void check_code(const struct python_frame_row *row, size_t index)
{
	const struct python_code_row *code = table_row(&tables[JOURNAL_PYTHON_CODES], row->code);
	const char *name = table_row(&tables[JOURNAL_STRINGS], code->name);
	CHECK_EQUAL(row->position, self->wanted[index].position);
	CHECK_EQUAL(code->first_line, self->wanted[index].number);
	CHECK_EQUAL(strtoul(name + sizeof(uint32_t), NULL, 10), self->wanted[index].number);
	CHECK_EQUAL(code->lines_size, self->wanted[index].number % 20);
}

/* True if the walk counts the frame. It skips the interpreter's own frames at once. */
static bool is_walked(size_t index)
{
	const struct python_layout *layout = python.layout;
	return layout->frames == PYTHON_FRAME_OBJECTS ||
	       self->frames[index][layout->frame.owner] < PYTHON_OWNER_SHIM;
}

static void check_stack(uint32_t stack)
{
	const struct stack_row *joint = table_row(&tables[JOURNAL_STACKS], stack);
	const struct python_frame_row *row = joint ? frame_row((uint32_t)joint->offset) : NULL;
	size_t n_walked = 0, index = self->depth;
	for (; index-- > 0 && n_walked < PYTHON_FRAMES; n_walked += is_walked(index)) {
		if (!self->wanted[index].is_shown)
			continue;
		CHECK(row != NULL);
		check_code(row, index);
		row = frame_row(row->parent);
	}
	while (index + 1 > 0 && !is_walked(index))
		index--;
	bool is_cut = n_walked == PYTHON_FRAMES && index + 1 > 0;
	CHECK_EQUAL(row && row->code == 0, is_cut);
	CHECK(!row || (is_cut && !row->parent));
	if (joint)
		CHECK(joint->module == STACK_PYTHON && joint->parent == NATIVE);
}

static void *run(void *seed)
{
	self = calloc(1, sizeof(*self));
	CHECK(self != NULL);
	self->seed = (uintptr_t)seed;
	for (int i = 0; i < CAPTURES; i++) {
		run_some();
		uint32_t stack = python_stack_join(&self->cache, NATIVE, &self->last);
		check_stack(stack == NATIVE ? 0 : stack);
		/* Capturing again gives the same id, whether the stack is cached or not. */
		CHECK_EQUAL(python_stack_join(&self->cache, NATIVE, &self->last), stack);
		CHECK_EQUAL(python_stack_join(&self->cache, NATIVE, NULL), stack);
	}
	free(self);
	self = NULL;
	return NULL;
}

static void open_tables(void)
{
	static const struct {
		enum journal_file kind;
		size_t row_size;
	} shapes[] = {
		{JOURNAL_STRINGS, sizeof(struct string_row)},
		{JOURNAL_STACKS, sizeof(struct stack_row)},
		{JOURNAL_PYTHON_FRAMES, sizeof(struct python_frame_row)},
		{JOURNAL_PYTHON_CODES, sizeof(struct python_code_row)},
		{JOURNAL_PYTHON_LINES, sizeof(struct python_lines_row)},
	};
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		CHECK_EQUAL(table_open(&tables[shapes[i].kind], NULL, shapes[i].kind,
				       shapes[i].row_size, N_ROWS),
			    0);
}

int main(int n_arguments, char **arguments)
{
	void (*original)(void *) = deallocate;
	pthread_t threads[THREADS];
	CHECK_EQUAL(n_arguments, 2);
	open_tables();
	python = (struct python){
		.layout = python_layout_find((unsigned)atoi(arguments[1]), NULL),
		.thread_state = thread_state,
		.is_finalizing = is_finalizing,
		.code_type = code_type.bytes,
		.text_type = text_type.bytes,
		.bytes_type = bytes_type.bytes,
	};
	CHECK(python.layout != NULL);
	put_pointer(code_type.bytes, python.layout->type, type_type.bytes);
	memcpy(code_type.bytes + python.layout->dealloc, &original, sizeof(original));
	recording_begin();
	python_codes_watch(&python);
	for (size_t i = 0; i < CODES; i++)
		make_code(&codes[i]);
	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(pthread_create(&threads[i], NULL, run, (void *)(i + 12345)), 0);
	for (size_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	printf("%ld code objects died\n", n_deaths);
	/*
	 * The number depends on the code that the other threads are running; 38 to 900 were seen.
	 */
	CHECK(n_deaths > 0);
	return 0;
}
