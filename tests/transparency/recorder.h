/*
 * recorder.h - the call recorder: a library that is preloaded in front of culprit, or of nothing,
 * and writes down each driver call as the program saw it. Two logs of a program that does the same
 * twice are equal, whatever the addresses and process ids.
 *
 * A line of the log is "THREAD CALL RESULT OUT...": the thread by its place in the tree of threads
 * (main, main.1 is the first that it started), the exported name, and the numbers and texts that a
 * successful call gave back. Lines of one thread are in order. $RECORDER_LOG is the folder of the
 * logs, one file for each process, named by its id; without it nothing is written.
 */
#ifndef CULPRIT_TRANSPARENCY_RECORDER_H
#define CULPRIT_TRANSPARENCY_RECORDER_H

/*
 * Our function for the call whose next function lies at ADDRESS, and its name; NULL and untouched
 * for every other address. Any thread.
 */
const void *recorder_wrapper(const void *address, const char **out_name);

#endif
