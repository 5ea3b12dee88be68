/*
 * other_names.c - a library with names that look like the driver's, and one that is spelled like an
 * entry point but is not the driver's.
 */
int cudnnCreate(void);
int cublasCreate_v2(void);
int cufftExecC2C(void);
int cudaMalloc(void);
int cuMyOwnFunction(void);
int cuMemAlloc(void);

int cudnnCreate(void)
{
	return 1;
}

int cublasCreate_v2(void)
{
	return 2;
}

int cufftExecC2C(void)
{
	return 3;
}

int cudaMalloc(void)
{
	return 4;
}

int cuMyOwnFunction(void)
{
	return 5;
}

int cuMemAlloc(void)
{
	return 6;
}
