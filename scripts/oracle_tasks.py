"""oracle_tasks.py - what each thread of a program does that is not over in time: its call of the kernel, and
words of its stack that may be return addresses. The kernel's own stack needs root."""

import contextlib
import os
import struct

STACK_BYTES = 16 * 1024


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read().strip()
    except OSError as error:
        return f"({error.strerror})"


def code_of(pid):
    """[(start, end, file)] of the mappings with code."""
    mappings = []
    for line in read(f"/proc/{pid}/maps").splitlines():
        place, rights, offset, _, _, *name = line.split(maxsplit=5)
        if "x" in rights and name:
            start, end = (int(part, 16) for part in place.split("-"))
            mappings.append((start, end, int(offset, 16), name[0]))
    return mappings


def place_of(address, mappings):
    for start, end, offset, name in mappings:
        if start <= address < end:
            return f"{os.path.basename(name)}+0x{address - start + offset:x}"
    return None


def callers(memory, stack, mappings):
    try:
        content = os.pread(memory, STACK_BYTES, stack)
    except OSError:
        return []
    words = struct.unpack(f"<{len(content) // 8}Q", content[: len(content) // 8 * 8])
    return [place for place in (place_of(word, mappings) for word in words) if place]


def tasks_write(pid, path):
    """Write the file. It is not whole if the process ends meanwhile, or may not be read."""
    with contextlib.suppress(OSError):
        write_tasks(pid, path)


def write_tasks(pid, path):
    mappings = code_of(pid)
    with open(path, "w") as out, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for tid in sorted(os.listdir(f"/proc/{pid}/task"), key=int):
            task = f"/proc/{pid}/task/{tid}"
            call = read(f"{task}/syscall")
            print(f"{tid} {read(f'{task}/comm')}: {read(f'{task}/wchan')}: {call}", file=out)
            print(read(f"{task}/stack"), file=out)
            parts = call.split()
            if len(parts) < 3:
                continue
            print(f"  {place_of(int(parts[-1], 16), mappings)}", file=out)
            for place in callers(memory.fileno(), int(parts[-2], 16), mappings):
                print(f"  {place}", file=out)
