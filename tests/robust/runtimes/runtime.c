/*
 * runtime.c - as much of a libcudart as its texts; RUNTIME tells one from another.
 */
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
