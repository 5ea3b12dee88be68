/*
 * chain_second.c - what chain_first.c must find, and nothing else.
 */
const char *chain_name(void);
const char *chain_second_only(void);

const char *chain_name(void)
{
	return "second";
}

const char *chain_second_only(void)
{
	return "second only";
}
