/*
 * recorder.h - the call recorder: a library that is preloaded alone or in front of culprit, and
 * logs each driver call as the program saw it. Two logs of a program that does the same twice are
 * equal, whatever the addresses and process ids.
 *
 * A line of the log is "THREAD CALL RESULT OUT...": the thread by its place in the tree of threads
 * (main, main.1 is the first that it started), the exported name, and the numbers and texts that a
 * successful call returned. Lines of one thread are in order. $RECORDER_LOG is the folder of the
 * logs, one file for each process, named by its id; without it nothing is written.
 */
#ifndef CULPRIT_TRANSPARENCY_RECORDER_H
#define CULPRIT_TRANSPARENCY_RECORDER_H

/*
 * Return the recorder's function for the call whose next function is at ADDRESS, and its name. For
 * every other address, return NULL and leave *out_name unchanged. Any thread.
 */
const void *recorder_wrapper(const void *address, const char **out_name);

#endif
