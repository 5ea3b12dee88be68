/* open_deep.c - open the plug-in, with RTLD_DEEPBIND if an argument is given. */
#include <stdint.h>

#include "where.h"

int main(int argc, char **argv)
{
	int flags = RTLD_NOW | RTLD_LOCAL | (argc > 1 ? RTLD_DEEPBIND : 0);
	void *plugin = dlopen("libdeep.so", flags);
	void (*deep_where)(void) = (void (*)(void))(uintptr_t)dlsym(plugin, "deep_where");

	(void)argv;
	deep_where();
	return 0;
}
