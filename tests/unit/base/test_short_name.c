/*
 * test_short_name.c - names of kernels and functions as they come from compilers and frameworks,
 * and as people say them.
 */
#include "base/short_name.h"

#include "base/short_name_text.h"
#include "support/check.h"

struct name_case {
	const char *name;
	const char *kernel;
	const char *plain; /* NULL: as `kernel` */
};

static const struct name_case cases[] = {
	/* Names that are as short as they get. */
	{"scatter", "scatter", NULL},
	{"", "", NULL},
	{"triton_poi_fused_add_relu_0", "triton_poi_fused_add_relu_0", NULL},
	{"sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1",
	 "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1", NULL},
	/* Functions. */
	{"scatter(float*)", "scatter", NULL},
	{"ns::scatter(float*, int) const", "ns::scatter", NULL},
	{"f(int) [clone .cold]", "f", NULL},
	{"f [clone .cold]", "f", NULL},
	{"std::string::size[abi:cxx11]() const", "std::string::size[abi:cxx11]", NULL},
	/* Templates. */
	{"void math::scatter<float>(float*, float*)", "math::scatter<float>", "math::scatter"},
	{"void ns::scatter<int, ns::pair<int, 4> >(float*, int)", "ns::scatter<int, …>",
	 "ns::scatter"},
	{"unsigned long ns::k<3, (unsigned char)7>(int)", "ns::k<3, …>", "ns::k"},
	{"void k<-1, true>()", "k<-1, true>", "k"},
	{"void k<>()", "k<>", "k"},
	{"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
	 "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
	 "at::native::vectorized_elementwise_kernel<4, …>",
	 "at::native::vectorized_elementwise_kernel"},
	{"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
	 "at::native::MeanOps<float, float, float, float>, unsigned int, float, 4, 4> >"
	 "(at::native::ReduceOp<float, at::native::MeanOps<float, float, float, float>, unsigned "
	 "int, float, 4, 4>)",
	 "at::native::reduce_kernel<512, 1, …>", "at::native::reduce_kernel"},
	{"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<"
	 "at::native::CUDAFunctor_add<float> >(at::TensorIteratorBase&, "
	 "at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1}>(int, "
	 "at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> >"
	 "(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1})",
	 "at::native::elementwise_kernel<128, 2, …>", "at::native::elementwise_kernel"},
	{"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>"
	 "(cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params)",
	 "cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>", "cutlass::Kernel2"},
	{"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int>, "
	 "void> >(cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int>, void>::Params)",
	 "cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<…>>",
	 "cutlass::device_kernel"},
	{"void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::"
	 "ParallelForAgent<thrust::cuda_cub::__uninitialized_fill::functor<float>, unsigned "
	 "long>, unsigned long>(unsigned long)",
	 "thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::"
	 "ParallelForAgent<…>, unsigned long>",
	 "thrust::cuda_cub::core::_kernel_agent"},
	{"void outer<int>::inner<float>()", "outer::inner<float>", "outer::inner"},
	{"void outer<int>::inner(float)", "outer::inner", NULL},
	{"void k<(1>2), 3>()", "k<…>", "k"},
	{"void k<&ns::f>()", "k<&ns::f>", "k"},
	{"void k<ns::ID const (&) [20], int>()", "k<…>", "k"},
	/* Anonymous namespaces and lambdas. */
	{"void (anonymous namespace)::k<int>(int)", "(anonymous namespace)::k<int>",
	 "(anonymous namespace)::k"},
	{"void a::(anonymous namespace)::k(int)", "a::(anonymous namespace)::k", NULL},
	{"void k<(anonymous namespace)::f(int)>()", "k<…>", "k"},
	{"void k<__nv_dl_wrapper_t<__nv_dl_tag<void (*)(float*), &run, 1u>, float*> >()",
	 "k<__nv_dl_wrapper_t<…>>", "k"},
	{"run(int)::{lambda(int, float*)#2}::operator()(int, float*) const",
	 "run()::{lambda#2}::operator()", NULL},
	{"auto run(int)::{lambda(auto:1)#1}::operator()<int>(int) const",
	 "run()::{lambda#1}::operator()<int>", "run()::{lambda#1}::operator()"},
	{"ns::{unnamed type#1}::f()", "ns::{unnamed type#1}::f", NULL},
	/* Operators have brackets of their own. */
	{"S::operator<<(int)", "S::operator<<", NULL},
	{"S::operator<(S const&) const", "S::operator<", NULL},
	{"bool ns::operator< <int>(ns::S<int> const&)", "ns::operator<<int>", "ns::operator<"},
	{"S& S::operator->()", "S::operator->", NULL},
	{"S::operator()(int)", "S::operator()", NULL},
	{"S::operator unsigned int() const", "S::operator unsigned int", NULL},
	{"void k<&S::operator> >()", "k<&S::operator>>", "k"},
	{"operator_like(int)", "operator_like", NULL},
	{"my_operator<3>(int)", "my_operator<3>", "my_operator"},
	/* Text that is not a name of this kind stays unchanged. */
	{"<<<<", "<<<<", NULL},
	{"f(", "f(", NULL},
	{"void (*f(int))(int)", "void (*f(int))(int)", NULL},
	{"k<1>>2", "k>2", NULL},
	{" ", " ", NULL},
	{">", ">", NULL},
	{"a)b}c", "a)b}c", NULL},
	/* Mangled names, where there is no demangler. */
	{"_Z7scatterPf", "scatter", NULL},
	{"_Z7scatterIfEvPT_S1_", "scatter<float>", "scatter"},
	{"_ZN4math7scatterIfEEvPT_S2_", "math::scatter<float>", "math::scatter"},
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_"
	 "11FillFunctorIfEESt5arrayIPcLm1EEEEvi"
	 "T0_T1_",
	 "at::native::vectorized_elementwise_kernel<4, …>",
	 "at::native::vectorized_elementwise_kernel"},
	{"_ZN7cutlass7Kernel2I43cutlass_80_simt_sgemm_256x128_8x4_nn_align1EEvNT_6ParamsE",
	 "cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>", "cutlass::Kernel2"},
	{"_ZN12_GLOBAL__N_11kILin1ELb1EEEvi", "(anonymous namespace)::k<-1, true>",
	 "(anonymous namespace)::k"},
	{"_ZN5outerIiE5innerIfEEvv", "outer::inner<float>", "outer::inner"},
	{"_ZN5outerIN2ns3BoxIPKcLj3EEEE5innerEv", "outer::inner", NULL},
	{"_Z1kILN2ns4EnumE1EL4Enum2EEvv", "k<…>", "k"},
	{"_Z1kIZ3runvEUlfE_Evv", "_Z1kIZ3runvEUlfE_Evv", NULL},
	{"_Z1kIJidEEvv", "k<…>", "k"},
	{"_Z1kI3BoxIiEEvv", "k<Box<…>, …>", "k"},
	{"_ZNK1S1fEv", "S::f", NULL},
	{"_ZN1SC1Ev", "_ZN1SC1Ev", NULL},
	{"_ZN1SplERKS_", "_ZN1SplERKS_", NULL},
	{"_Z", "_Z", NULL},
	{"_ZN", "_ZN", NULL},
	{"_ZN3abc", "_ZN3abc", NULL},
	{"_Z99abc", "_Z99abc", NULL},
	{"_Z1kI", "_Z1kI", NULL},
	{"_Z1kIEEEE", "k<>", "k"},
};

static const char *shorten(void (*add)(const char *name, struct text *out), const char *name)
{
	static char buffer[1024];
	struct text text = text_in(buffer, sizeof(buffer));
	add(name, &text);
	return buffer;
}

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *plain = cases[i].plain ? cases[i].plain : cases[i].kernel;
		CHECK_STRING(shorten(short_name_add_kernel, cases[i].name), cases[i].kernel);
		CHECK_STRING(shorten(short_name_add, cases[i].name), plain);
	}
}

static void test_long(void)
{
	char name[4096];
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	const char *text = shorten(short_name_add_kernel, name);
	CHECK_EQUAL(strlen(text), SHORT_NAME_MAX + strlen("…"));
	CHECK_STRING(text + SHORT_NAME_MAX, "…");
	/* Not through the middle of a character. */
	for (size_t i = 1; i + 1 < sizeof(name); i += 2)
		memcpy(name + i, "\xc3\xa9", 2);
	text = shorten(short_name_add_kernel, name);
	CHECK(!strchr(text, '?') && strstr(text, "…"));
	/* As many brackets as there are bytes. */
	for (size_t i = 0; i + 1 < sizeof(name); i++)
		name[i] = "<({"[i % 3];
	CHECK(strlen(shorten(short_name_add_kernel, name)) > 0);
	memcpy(name, "_Z1k", 4);
	memset(name + 4, 'I', sizeof(name) - 5);
	CHECK(strlen(shorten(short_name_add_kernel, name)) > 0);
}

/* Any bytes: no fault, no control character, always bounded. */
static void test_random(void)
{
	static const char alphabet[] = "<>(){}:, _ZNIELS0123kfo\033\xff*operator";
	uint64_t random = 88172645463325252u; /* xorshift64 */
	for (int i = 0; i < 200000; i++) {
		char name[48];
		size_t length = (size_t)(random >> 17) % sizeof(name);
		for (size_t n = 0; n < sizeof(name); n++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			name[n] = alphabet[(random >> 33) % (sizeof(alphabet) - 1)];
		}
		if (i % 2)
			memcpy(name, "_ZN", 3);
		name[length] = '\0';

		/* In a block of its own, so that a sanitizer sees a read past its end. */
		char *copy = strdup(name);

		CHECK(copy);
		const char *text =
			shorten(i % 4 < 2 ? short_name_add : short_name_add_kernel, copy);
		CHECK(!strchr(text, '\033') && strlen(text) <= SHORT_NAME_MAX + strlen("…"));
		free(copy);
	}
}

int main(void)
{
	test_cases();
	test_long();
	test_random();
	return 0;
}
