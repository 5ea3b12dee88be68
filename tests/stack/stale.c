/*
 * stale.c - a library whose one function has a frame of FRAME_SIZE bytes. Two such libraries,
 * loaded in turn at one address, have the same return address in different frames.
 */
int work(int (*callback)(void));

int work(int (*callback)(void))
{
	volatile char array[FRAME_SIZE];
	array[0] = (char)callback();
	array[FRAME_SIZE - 1] = array[0];
	return array[FRAME_SIZE - 1];
}
