/*
 * unknown_settings.h - variables that look like settings but are not. A misspelt setting silently
 * does nothing.
 */
#ifndef CULPRIT_TOOLS_UNKNOWN_SETTINGS_H
#define CULPRIT_TOOLS_UNKNOWN_SETTINGS_H

/* Call `tell` with a line for each CULPRIT_* variable of the environment that has no effect. */
void unknown_settings_report(void (*tell)(void *data, const char *line), void *data);

#endif
