/*
 * print_number.h - numbers as text, several times as fast as printf: a line has a dozen of them.
 */
#ifndef CULPRIT_TOOLS_PRINT_NUMBER_H
#define CULPRIT_TOOLS_PRINT_NUMBER_H

#include "base/text.h"

void print_decimal(uint64_t value, struct text *out);

/* "0x7f6c34808a00" */
void print_hexadecimal(uint64_t value, struct text *out);

#endif
