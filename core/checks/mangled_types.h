/*
 * mangled_types.h - reads which types of numbers a kernel's parameters point to, from its mangled
 * C++ name (Itanium ABI).
 */
#ifndef CULPRIT_CHECKS_MANGLED_TYPES_H
#define CULPRIT_CHECKS_MANGLED_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check_format.h"

enum { MANGLED_MAX_PARAMETERS = 32 };

struct mangled_types {
	uint32_t n;                            /* parameters */
	uint8_t types[MANGLED_MAX_PARAMETERS]; /* enum check_type; CHECK_GUESS: not said */
	uint32_t consts;                       /* bits of the parameters that point to const */
	/*
	 * The only type of floats that the signature and its template arguments mention, among them
	 * c10::Half and c10::BFloat16; CHECK_GUESS: none, or several. Pointers in structures and to
	 * bytes mostly lead to it, as PyTorch's do, or to integers.
	 */
	uint8_t only_float;
};

/*
 * Read the name. False, and *out is all CHECK_GUESS, if it is not mangled or has parts that are not
 * known here. Allocates nothing. Any thread.
 */
bool mangled_types_read(const char *mangled, struct mangled_types *out);

#endif
