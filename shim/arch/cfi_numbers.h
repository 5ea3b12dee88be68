/*
 * cfi_numbers.h - registers and extra instructions in call frame information, by architecture. A
 * test of the interpreter defines CFI_OF_AARCH64 to run it with these numbers elsewhere.
 */
#ifndef CULPRIT_ARCH_CFI_NUMBERS_H
#define CULPRIT_ARCH_CFI_NUMBERS_H

#include <stdbool.h>

#if defined(__aarch64__) || defined(CFI_OF_AARCH64)
/*
 * From "DWARF for the Arm 64-bit Architecture" (aadwarf64). The return address is in x30. Two
 * instructions, 0x2c and 0x2d, say that it is signed from here on, or no longer. They have no
 * operands. x86-64 compilers do not use these numbers.
 */
enum { CFI_FP = 29, CFI_SP = 31, CFI_RETURN_ADDRESS = 30, CFI_SIGNS = true };
#else
/* From the System V ABI. The return address has a column of its own. */
enum { CFI_FP = 6, CFI_SP = 7, CFI_RETURN_ADDRESS = 16, CFI_SIGNS = false };
#endif

#endif
