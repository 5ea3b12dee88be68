/*
 * bundle_files.h - the journal's files of a bundle, from its directory into the view.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_FILES_H
#define CULPRIT_TOOLS_BUNDLE_FILES_H

#include "bundle/bundle_contents.h"

/*
 * Reads every file of the journal in directory `directory_fd`, and reports each that is broken or
 * truncated. A missing file is no problem, except the strings.
 */
void bundle_read_files(struct bundle *bundle, int directory_fd);

/* Reports a problem with the file `name` of the bundle's directory. */
void bundle_tell_file(struct bundle *bundle, const char *name, const char *text);

#endif
