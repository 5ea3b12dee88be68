/*
 * python.c - find the interpreter by the symbols that every build of CPython exports, however its
 * library was loaded, and reject one that does not look as it should. Other files read it later.
 */
#include "record/python/python.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/elf_lookup.h"
#include "base/hot.h"
#include "record/files/meta.h"
#include "record/host/cancellation.h"
#include "record/journal/modules.h"
#include "record/python/python_codes.h"
#include "record/python/python_parts.h"

static struct python python;                   /* written under look_lock, before it is published */
READ_MOSTLY const struct python *python_found; /* published with release order */
static uint64_t n_discovered; /* atomic: modules_discovered() before the last look */
static pthread_mutex_t look_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_over = true;  /* off, found or rejected: stop looking; under look_lock */
static char status_text[96]; /* for a person; written once, under look_lock, with is_over */

/* Find a symbol of the interpreter, a function or an object. */
static void find_symbol(const struct elf_object *object, const char *name, void *out_pointer)
{
	void *address = elf_object_symbol(object, name);
	memcpy(out_pointer, &address, sizeof(address));
}

static void *read_pointer(const void *object, size_t offset)
{
	void *pointer = NULL;
	memcpy(&pointer, (const char *)object + offset, sizeof(pointer));
	return pointer;
}

/* Return NULL, or what is wrong with the symbols. */
static const char *check_symbols(const struct elf_object *object, const void *type_type)
{
	if (!python.is_finalizing || !python.code_type || !python.text_type || !python.bytes_type ||
	    !type_type)
		return "lacks symbols that CPython has";
	if (elf_object_symbol(object, "_Py_NegativeRefcount"))
		return "a debug build, whose objects are laid out otherwise";
	return NULL;
}

/* Return NULL, or the difference from the layout. A type's deallocator must be the interpreter's
 * own code. */
static const char *check_types(const struct elf_object *object, const void *type_type)
{
	const struct python_layout *layout = python.layout;
	const void *dealloc = read_pointer(python.code_type, layout->dealloc);
	if (read_pointer(python.code_type, layout->type) != type_type ||
	    read_pointer(python.text_type, layout->type) != type_type ||
	    read_pointer(python.bytes_type, layout->type) != type_type)
		return "its types are not where they should be";
	if (!elf_object_contains(object, dealloc))
		return "another tool watches its code objects";
	return NULL;
}

static const char *check_version(const struct elf_object *object, unsigned minor, bool is_early)
{
	const void *runtime = elf_object_symbol(object, "_PyRuntime");
	if (is_early)
		return "a test release";
	python.version = (uint16_t)(3u << 8 | minor);
	python.layout = python_layout_find(minor, runtime);
	if (python.layout)
		return NULL;
	return python_layout_is_free_threaded(minor, runtime) ? "free-threaded, unknown version"
							      : "unknown version";
}

/* Return NULL if the interpreter in `object` can be read, else why not. Under look_lock. */
static const char *examine(const struct elf_object *object, unsigned minor, bool is_early)
{
	find_symbol(object, "PyGILState_GetThisThreadState", &python.thread_state);
	find_symbol(object, "Py_IsFinalizing", &python.is_finalizing);
	if (!python.is_finalizing)
		find_symbol(object, "_Py_IsFinalizing", &python.is_finalizing);
	find_symbol(object, "PyCode_Type", &python.code_type);
	find_symbol(object, "PyUnicode_Type", &python.text_type);
	find_symbol(object, "PyBytes_Type", &python.bytes_type);
	const void *type_type = NULL;
	find_symbol(object, "PyType_Type", &type_type);
	const char *wrong = check_version(object, minor, is_early);
	if (!wrong)
		wrong = check_symbols(object, type_type);
	return wrong ? wrong : check_types(object, type_type);
}

static void meet(const struct elf_object *object)
{
	const char *(*get_version)(void) = NULL;
	unsigned minor = 0;
	bool is_early = false;
	find_symbol(object, "Py_GetVersion", &get_version);
	const char *version = get_version ? get_version() : "";
	size_t length = python_layout_read_version(version, &minor, &is_early);
	const char *wrong = length ? examine(object, minor, is_early) : "no version of CPython 3";
	(void)snprintf(status_text, sizeof(status_text), "CPython %.*s%s%s%s", (int)length, version,
		       !wrong && python.layout->is_free_threaded ? " free-threaded" : "",
		       wrong ? ": " : "", wrong ? wrong : "");
	if (!wrong) {
		python_codes_watch(&python);
		__atomic_store_n(&python_found, &python, __ATOMIC_RELEASE);
	}
	is_over = true;
}

/* Its functions and types are used from now on, so it must stay. The program itself always does. */
static bool is_pinned(const struct elf_object *object)
{
	return !object->path[0] || dlopen(object->path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Find it again after it is pinned: before, it could be unloaded at any moment. Under look_lock. */
static void look(void)
{
	static const char name[] = "PyGILState_GetThisThreadState";
	const void *found = elf_next_symbol(name, NULL);
	struct elf_object object;
	if (found && elf_object_at(found, &object) == 0 && is_pinned(&object) &&
	    elf_object_at(found, &object) == 0 && elf_object_symbol(&object, name) == found)
		meet(&object);
}

void python_start(bool is_wanted)
{
	if (!is_wanted)
		return;
	pthread_mutex_lock(&look_lock);
	is_over = false;
	look();
	const char *status = is_over ? status_text : "none";
	pthread_mutex_unlock(&look_lock);
	meta_note(META_PYTHON, status);
}

/* If another thread is looking already, it will find the interpreter. */
static void look_in_turn(void)
{
	if (pthread_mutex_trylock(&look_lock))
		return;
	/* Read this before the look: modules discovered meanwhile cause another look. */
	__atomic_store_n(&n_discovered, modules_discovered(), __ATOMIC_RELAXED);
	int cancellation = cancellation_hold();
	bool was_over = is_over;
	if (!was_over)
		look();
	bool is_news = is_over && !was_over;
	pthread_mutex_unlock(&look_lock);
	if (is_news)
		meta_note(META_PYTHON, status_text);
	cancellation_restore(cancellation);
}

void python_discover(void)
{
	if (!python_running() &&
	    modules_discovered() != __atomic_load_n(&n_discovered, __ATOMIC_RELAXED))
		look_in_turn();
}
