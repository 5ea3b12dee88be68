#!/usr/bin/env -S python3 -S
"""Run a command on a terminal, and print what it would show there.

usage: terminal.py COLUMNS COMMAND [ARGUMENT]...     exit status: the command's
"""
import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    columns, command = int(sys.argv[1]), sys.argv[2:]
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        os.execvp(command[0], command)
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
