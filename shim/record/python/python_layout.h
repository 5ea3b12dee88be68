/*
 * python_layout.h - where CPython keeps the members that a walk over its frames reads. Each minor
 * version has one layout, since its structures do not change. Unknown versions are not walked.
 */
#ifndef CULPRIT_RECORD_PYTHON_LAYOUT_H
#define CULPRIT_RECORD_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames before 3.11 are objects of their own; since then they are in a stack of the thread's. */
enum python_frames { PYTHON_FRAME_OBJECTS, PYTHON_INTERPRETER_FRAMES };

/* In struct python_layout: this version has no such member. */
#define PYTHON_NO_MEMBER UINT16_MAX

/* Offsets in bytes, by the names of CPython's structures. */
struct python_layout {
	uint8_t minor; /* of 3.minor */
	bool is_free_threaded;
	uint8_t frames;     /* enum python_frames */
	uint8_t lasti_unit; /* PYTHON_FRAME_OBJECTS: bytes that f_lasti counts */
	struct {
		uint16_t frame;  /* PyThreadState: frame; cframe; current_frame */
		uint16_t cframe; /* _PyCFrame.current_frame, between the two in 3.11 and 3.12 */
	} thread;
	struct {
		uint16_t previous; /* f_back */
		uint16_t code;     /* f_code, f_executable */
		uint16_t position; /* f_lasti, an int; prev_instr, instr_ptr: into the code */
		uint16_t owner;    /* one byte: enum python_owner */
	} frame;
	struct {
		uint16_t first_line;
		uint16_t file;
		uint16_t name;            /* co_qualname where there is one */
		uint16_t lines;           /* co_lnotab, co_linetable */
		uint16_t instructions;    /* co_code_adaptive */
		uint16_t first_traceable; /* in instructions of two bytes */
	} code;
	uint16_t type;    /* PyObject.ob_type */
	uint16_t dealloc; /* PyTypeObject.tp_dealloc */
	struct {
		uint16_t size; /* PyVarObject.ob_size */
		uint16_t bytes;
	} bytes;
	struct {
		uint16_t length; /* PyASCIIObject, in characters */
		uint16_t state;
		uint16_t ascii; /* the characters of such an object, which follow it */
		uint16_t wide;  /* the characters of a PyCompactUnicodeObject */
	} text;
};

/* The owner of an interpreter frame. From PYTHON_OWNER_SHIM on, it does not run Python code. */
enum python_owner {
	PYTHON_OWNER_THREAD,
	PYTHON_OWNER_GENERATOR,
	PYTHON_OWNER_FRAME,
	PYTHON_OWNER_SHIM
};

/*
 * Read a version such as "3.11.7 (main, ...". Return its length, and whether it is a test release;
 * 0: it is not of CPython 3. Any thread.
 */
size_t python_layout_read_version(const char *text, unsigned *out_minor, bool *out_is_early);

/*
 * Return the layout of this interpreter, whose _PyRuntime is at `runtime`; NULL if it is unknown.
 * Since 3.13 the interpreter itself has a table of most offsets: if one differs, the result is
 * NULL. Any thread.
 */
const struct python_layout *python_layout_find(unsigned minor, const void *runtime);

/* True if it was built without the global interpreter lock. Any thread. */
bool python_layout_is_free_threaded(unsigned minor, const void *runtime);

#endif
