/*
 * bundle_contents.c - counts what was wrong with a bundle.
 */
#include "bundle/bundle_contents.h"

#include "command/message.h"

void bundle_tell_problem(struct bundle *bundle, const char *path, const char *text)
{
	bundle->n_problems++;
	message("%s: %s", path, text);
}
