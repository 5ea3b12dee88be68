"""Whose tensor a pointer led to: PyTorch's own record of its memory, joined with the verdict.

To the driver a tensor is a part of one of PyTorch's segments, and so it is in a report. Which block of it,
and who allocated that, PyTorch alone knows, if it was asked to remember:

    from culprit import torch_memory

    torch.cuda.memory._record_memory_history()
    torch_memory.keep()

An exception that ends the program, or a thread, is then followed by what PyTorch has of the pointers that
the suspects were given. `explain()` returns the same for a handler of one's own.

It is never asked at the failure itself: the thread that sees that may hold the allocator's lock, lack the
interpreter's, or be in a destructor. Python code that handles an exception runs as any other, and a
snapshot is made of the allocator's own lists, without a call of the driver. So blocks are as they are then:
one may have been given back, and been given to somebody else, since the launch.
"""

import sys
import threading

from culprit import library, verdict

MAX_SUSPECTS = 3
MAX_FRAMES = 3
FREES = ("free_completed", "free_requested")


def _size(n):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n < 1024 or unit == "GiB":
            return f"{n} B" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024


def block_at(snapshot, address):
    """(segment, block, begin of the block) that the address lies in, or None."""
    for segment in snapshot["segments"]:
        begin = segment["address"]
        if not begin <= address < begin + segment["total_size"]:
            continue
        for block in segment["blocks"]:
            begin = block.get("address", begin)
            if begin <= address < begin + block["size"]:
                return segment, block, begin
            begin += block["size"]
    return None


def events_at(snapshot, address):
    """The newest allocation that the address was in, and the newest free behind it: each or None."""
    allocated = freed = None
    for trace in snapshot.get("device_traces") or []:
        for event in trace:
            if event["action"] not in ("alloc", *FREES):
                continue
            if not event["addr"] <= address < event["addr"] + event["size"]:
                continue
            if event["action"] == "alloc":
                allocated, freed = event, None
            else:
                freed = event
    return allocated, freed


def _place(frames):
    """The innermost frames of the user's own Python code; of any Python code where there are none."""
    python = [frame for frame in frames or [] if frame["filename"].endswith(".py")]
    own = [frame for frame in python if "/torch/" not in frame["filename"]]
    return "  <- ".join(f"{frame['filename']}:{frame['line']} {frame['name']}" for frame in (own or python)[:MAX_FRAMES])


def _lines_of(snapshot, address):
    """What PyTorch has of the address, the first line without its begin; [] where it has nothing."""
    found = block_at(snapshot, address)
    allocated, freed = events_at(snapshot, address)
    if not found and not allocated and not freed:
        return []
    if not found:
        lines = ["in no segment of PyTorch's any more"]
    else:
        segment, block, begin = found
        lines = [f"{address - begin} bytes into a block of {_size(block['size'])} ({block['state']}) of the segment "
                 f"of {_size(segment['total_size'])} at 0x{segment['address']:x}"]
    is_live = found and block["state"] != "inactive"
    made = _place(block.get("frames")) if is_live else _place(allocated["frames"]) if allocated else ""
    if freed and not is_live:
        lines.append(f"    freed       {_place(freed['frames']) or 'by no Python code that is known'}")
    lines.append(f"    allocated   {made}" if made else "    allocated   where is not known: was "
                 "torch.cuda.memory._record_memory_history() on?")
    return lines


def _pointers_of(suspect):
    for argument in suspect.get("arguments") or []:
        if argument.get("size") == 8 and argument.get("hex"):
            yield argument["index"], int.from_bytes(bytes.fromhex(argument["hex"]), "little")


def join(facts, snapshot):
    """What PyTorch's snapshot has of the pointers of a report's suspects, as lines; [] for nothing."""
    lines = []
    for suspect in (facts.get("suspects") or [])[:MAX_SUSPECTS]:
        for index, address in _pointers_of(suspect):
            told = _lines_of(snapshot, address)
            if told:
                name = suspect.get("name") or suspect.get("call")
                lines.append(f"  #{suspect['submission']} {name}, argument {index}: 0x{address:x} is {told[0]}")
                lines += told[1:]
    return lines


def explain():
    """The text, for people; "" where nothing failed, no culprit is there, or PyTorch knows nothing of it."""
    torch, found = sys.modules.get("torch"), library.find()
    failure = found.failure() if found else None
    if torch is None or failure is None or not failure.bundle:
        return ""
    try:
        lines = join(verdict.of_bundle(failure.bundle).facts, torch.cuda.memory._snapshot())
    except (verdict.NoReport, AttributeError, KeyError, RuntimeError, TypeError) as trouble:
        return f"culprit: PyTorch's memory could not be read: {trouble!r}\n"
    return "\n".join(["culprit: PyTorch's memory, as it is by now:", *lines, ""]) if lines else ""


def keep():
    """Has explain() printed behind the traceback of an exception that nobody catches. Start-up, once."""
    def wrap(hook):
        def told(*arguments):
            hook(*arguments)
            sys.stderr.write(explain())
        return told

    sys.excepthook = wrap(sys.excepthook)
    threading.excepthook = wrap(threading.excepthook)
