/*
 * user.c - a framework's library that is linked with a runtime.
 */
const char *cudaGetErrorString(int error);
const char *cudaGetErrorName(int error);
const char *user_text(int error);
const char *user_name(int error);
const char *user_jump(int error);

/* Written after the call; otherwise the compiler turns the call into a jump. */
static const char *volatile last_text;

const char *user_text(int error)
{
	last_text = cudaGetErrorString(error);
	return last_text;
}

/* Ends with a jump, so that the runtime does not see this library as the caller. */
const char *user_jump(int error)
{
	return cudaGetErrorString(error);
}

const char *user_name(int error)
{
	return cudaGetErrorName(error);
}
