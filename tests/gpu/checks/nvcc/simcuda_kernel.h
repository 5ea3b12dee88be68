/*
 * simcuda_kernel.h - in place of simcuda's, so that nvcc compiles
 * tests/simcuda/tests/kernels/layers.cu for a GPU. A template that is used anywhere becomes a
 * kernel of the module.
 */
#ifndef GPU_SIMCUDA_KERNEL_H
#define GPU_SIMCUDA_KERNEL_H

#define SIMCUDA_EXPORT(type, name) const char *const name

template <auto kernel> struct simcuda_glue {
	static const char *describe(const char *name, int max_threads)
	{
		(void)max_threads;
		return kernel ? name : nullptr;
	}
};

#endif
