/*
 * python_lines.h - finds the line of Python source that an instruction was compiled from, in the
 * line table of its code object. The bytes are foreign, and none is trusted.
 */
#ifndef CULPRIT_VIEW_PYTHON_LINES_H
#define CULPRIT_VIEW_PYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return the line of the instruction `position` bytes into a code object, as PyCode_Addr2Line does.
 * `table` is all of co_lnotab (before Python 3.10) or co_linetable, `version` is major << 8 | minor
 * of the Python that made it, `first_line` is co_firstlineno. Returns 0 if the instruction has no
 * line, the table does not say, or the version's format is unknown. Allocates nothing. Any thread.
 */
uint32_t python_lines_find(const uint8_t *table, size_t size, uint16_t version, uint32_t first_line,
			   uint32_t position);

#endif
