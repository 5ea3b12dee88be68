/*
 * unknown_settings.h - variables that look like settings and are none: a slip in a name is a
 * setting that silently does nothing.
 */
#ifndef CULPRIT_TOOLS_UNKNOWN_SETTINGS_H
#define CULPRIT_TOOLS_UNKNOWN_SETTINGS_H

/* Tells one line of each variable CULPRIT_* of the environment that nobody reads. */
void unknown_settings_tell(void (*tell)(void *data, const char *line), void *data);

#endif
