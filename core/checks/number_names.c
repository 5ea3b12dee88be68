/*
 * number_names.c - tables. A vector of CUDA's counts as its elements.
 */
#include "checks/number_names.h"

#include <string.h>

enum check_type number_names_class(const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum check_type type;
	} classes[] = {
		{"__half", CHECK_F16},         {"__half2", CHECK_F16},
		{"Half", CHECK_F16},           {"half_t", CHECK_F16},
		{"__nv_bfloat16", CHECK_BF16}, {"__nv_bfloat162", CHECK_BF16},
		{"BFloat16", CHECK_BF16},      {"bfloat16_t", CHECK_BF16},
		{"__nv_fp8_e4m3", CHECK_E4M3}, {"Float8_e4m3fn", CHECK_E4M3},
		{"float_e4m3_t", CHECK_E4M3},  {"__nv_fp8_e5m2", CHECK_E5M2},
		{"Float8_e5m2", CHECK_E5M2},   {"float_e5m2_t", CHECK_E5M2},
		{"float2", CHECK_F32},         {"float3", CHECK_F32},
		{"float4", CHECK_F32},         {"double2", CHECK_F64},
	};
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strlen(classes[i].name) == length && !memcmp(name, classes[i].name, length))
			return classes[i].type;
	return CHECK_GUESS;
}

enum check_type number_names_builtin(char letter)
{
	switch (letter) {
	case 'f':
		return CHECK_F32;
	case 'd':
		return CHECK_F64;
	case 'i':
	case 'j':
		return CHECK_I32;
	case 'l':
	case 'm':
	case 'x':
	case 'y':
		return CHECK_I64;
	case 'h':
	case 'b':
		return CHECK_U8;
	default:
		return CHECK_GUESS;
	}
}
