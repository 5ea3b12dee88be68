/* runtime.c - the error texts of a libcudart, and no more; RUNTIME distinguishes the copies. */
const char *cudaGetErrorString(int error);
const char *cudaGetErrorName(int error);

const char *cudaGetErrorString(int error)
{
	return error == 700 ? RUNTIME ": bad address" : RUNTIME ": another error";
}

const char *cudaGetErrorName(int error)
{
	return error == 700 ? RUNTIME ": cudaErrorIllegalAddress" : RUNTIME ": cudaErrorAnother";
}
