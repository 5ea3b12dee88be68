/* chain_second.c - the only library that chain_first.c must find. */
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
