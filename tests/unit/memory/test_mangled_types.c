/*
 * test_mangled_types.c - types of numbers in the signatures of kernels, as compilers make them.
 */
#include "checks/mangled_types.h"

#include <string.h>

#include "support/check.h"

enum {
	G = CHECK_GUESS,
	F = CHECK_F32,
	D = CHECK_F64,
	H = CHECK_F16,
	B = CHECK_BF16,
	I = CHECK_I32,
	L = CHECK_I64
};

struct known {
	const char *mangled;
	uint32_t n;
	uint8_t types[8];
	uint8_t only_float;
	uint32_t consts;
};

static const struct known all[] = {
	/* void saxpy(float *, const float *, int) */
	{"_Z5saxpyPfPKfi", 3, {F, F, G}, F, 2},
	/* void layers::scale<float>(float*, float const*, float, int) */
	{"_ZN6layers5scaleIfEEvPT_PKS1_S1_i", 4, {F, F, G, G}, F, 2},
	{"_ZN6layers5scaleI6__halfEEvPT_PKS2_S2_i", 4, {H, H, G, G}, H, 2},
	/* void mixed<float, __nv_bfloat16>(T *, U const *, long const *, void *) */
	{"_Z5mixedIf13__nv_bfloat16EvPT_PKT0_PKlPv", 4, {F, B, L, G}, G, 6},
	/* at::native::vectorized_elementwise_kernel<4, FillFunctor<c10::Half>, std::array<char*,1>>
	 */
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_"
	 "11FillFunctorIN3c104HalfEEESt5arrayIPcLm1EEE"
	 "EviT0_T1_",
	 3,
	 {G, G, G},
	 H,
	 0},
	/* The same with a lambda of (c10::BFloat16). */
	{"_ZN2at6native29vectorized_elementwise_kernelILi4EZZZNS0_15exp_kernel_cudaERNS_"
	 "18TensorIteratorBaseE"
	 "ENKUlvE_clEvENKUlvE2_clEvEUlN3c108BFloat16EE_St5arrayIPcLm2EEEEviT0_T1_",
	 3,
	 {G, G, G},
	 B,
	 0},
	/* A copy from float to half: two types. */
	{"_ZN3lib4copyIf6__halfEEvPKT_PT0_i", 3, {F, H, G}, G, 1},
	/* Pointers to pointers, references and complex numbers. */
	{"_Z6tablesPPfRKiPSt7complexIfE", 3, {G, I, F}, F, 2},
	{"_ZN6layers8multiplyIfEEviNS_7tensorsIT_EE", 2, {G, G}, F, 0},
	/* const comes with a template's argument; a pointer to pointers to const, and a const one.
	 */
	{"_Z3sumIKfdEvPT_PT0_", 2, {F, D}, G, 1},
	{"_Z3allPPKfPKPfPVKf", 3, {G, G, F}, F, 6},
};

int main(void)
{
	struct mangled_types types;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		CHECK(mangled_types_read(all[i].mangled, &types));
		CHECK_EQUAL(types.n, all[i].n);
		for (uint32_t k = 0; k < all[i].n; k++)
			CHECK_EQUAL(types.types[k], all[i].types[k]);
		CHECK_EQUAL(types.only_float, all[i].only_float);
		CHECK_EQUAL(types.consts, all[i].consts);
	}
	/* Every name that is cut short, or has a wrong letter, ends without harm. */
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char name[512];
		for (size_t at = 0; at < strlen(all[i].mangled); at++) {
			for (const char *wrong = "IEPSTN9_ZJDX"; *wrong; wrong++) {
				strcpy(name, all[i].mangled);
				name[at] = *wrong;
				(void)mangled_types_read(name, &types);
			}
			name[at] = '\0';
			(void)mangled_types_read(name, &types);
		}
	}
	/* An index that is too high, and packs in packs. */
	CHECK(!mangled_types_read("_Z1fTZZZ", &types));
	CHECK(!mangled_types_read("_Z1fSZZZ", &types));
	static char packs[100000] = "_Z1fI";
	memset(packs + strlen("_Z1fI"), 'J', sizeof(packs) - sizeof("_Z1fI"));
	CHECK(!mangled_types_read(packs, &types));
	/* A pack is one argument. */
	CHECK(mangled_types_read("_Z1fIJfEdEvPT0_", &types) && types.n == 1);
	CHECK_EQUAL(types.types[0], D);
	CHECK(!mangled_types_read("triton_poi_fused_add_0", &types));
	CHECK(!mangled_types_read("", &types));
	return 0;
}
