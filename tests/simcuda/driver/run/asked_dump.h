/*
 * asked_dump.h - a GPU core dump that the user asks for while a kernel runs: a byte into a pipe.
 */
#ifndef SIMCUDA_ASKED_DUMP_H
#define SIMCUDA_ASKED_DUMP_H

/* Makes the pipe that the environment names, and reads it from then on. Lock held. */
void asked_dump_start(void);

#endif
