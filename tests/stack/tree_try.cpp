/* tree_try.cpp - the node of a call tree that its callees leave by a C++ exception. */
#include "tree.h"

extern "C" void tree_throw()
{
	throw 1;
}

extern "C" int tree_try(int depth)
{
	struct region region;
	int sum = 0;
	region.outer = *innermost_region();
	region.is_try = 1;
	*innermost_region() = &region;
	try {
		sum = tree_call((int)(random_next() % TREE_FUNCTIONS) << 16 |
				(depth > 0 ? depth - 1 : 0));
	} catch (int) {
		sum = 1;
	}
	*innermost_region() = region.outer;
	return sum + scope();
}
