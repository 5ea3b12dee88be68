/*
 * asked_dump.h - GPU core dumps that the user triggers by writing a byte into a pipe.
 */
#ifndef SIMCUDA_ASKED_DUMP_H
#define SIMCUDA_ASKED_DUMP_H

/* Make the pipe that the environment names, and start a thread that reads it. Lock held. */
void asked_dump_start(void);

#endif
