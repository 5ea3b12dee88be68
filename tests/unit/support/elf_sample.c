/*
 * elf_sample.c - a library for test_elf_lookup, linked with each kind of hash table: functions of
 * two versions, an indirect one, and one that it only uses.
 */
int sample_plain(void);
int sample_old(void);
int sample_new(void);
int sample_indirect(void);
int sample_elsewhere(void);
int sample_calls_elsewhere(void);

int sample_plain(void)
{
	return 1;
}

int sample_old(void)
{
	return 2;
}

int sample_new(void)
{
	return 3;
}
__asm__(".symver sample_old, sample_versioned@SAMPLE_1");
__asm__(".symver sample_new, sample_versioned@@SAMPLE_2");

static int chosen(void)
{
	return 4;
}

static int (*choose(void))(void)
{
	return chosen;
}

int sample_indirect(void) __attribute__((ifunc("choose")));

int sample_calls_elsewhere(void)
{
	return sample_elsewhere();
}
