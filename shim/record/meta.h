/*
 * meta.h - meta.json: what a bundle is about, for people and for the tools.
 */
#ifndef CULPRIT_RECORD_META_H
#define CULPRIT_RECORD_META_H

#include "settings.h"

/* Writes the file into the open bundle; trouble leaves the bundle without it. Any thread, once. */
void meta_write(const struct settings *settings);

/*
 * The process's current directory when it was written, NULL: none is known. Valid from then on.
 */
const char *meta_directory(void);

#endif
