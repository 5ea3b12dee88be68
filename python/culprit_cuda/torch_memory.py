"""Whose tensor a pointer led to: PyTorch's own record of its memory, joined with the verdict.

To the driver a tensor is a part of one of PyTorch's segments, and so it is in a report. Which block of it,
and who allocated that, PyTorch alone knows, if it was asked to remember:

    from culprit_cuda import torch_memory

    torch.cuda.memory._record_memory_history()
    torch_memory.keep()

An exception that ends the program, or a thread, is then followed by what PyTorch has of the pointers that
the suspects were given, and the bundle gets it too: `culprit report` and `culprit memory --at` tell it where
they speak of the memory. `explain()` does the same for a handler of one's own, and returns the text. A program
that goes on after the failure, or never handles it, has the bundle completed when it ends.

It is never asked at the failure itself: the thread that sees that may hold the allocator's lock, lack the
interpreter's, or be in a destructor. Python code that handles an exception runs as any other, and a
snapshot is made of the allocator's own lists, without a call of the driver. So blocks are as they are then:
one may have been given back, and been given to somebody else, since the launch.
"""

import atexit
import bisect
import itertools
import json
import os
import sys
import threading

from culprit_cuda import library, verdict

MAX_SUSPECTS = 3
MAX_FRAMES = 3
FREES = ("free_completed", "free_requested")
# The bundle's file, and what its reader takes of it: tools/bundle/blocks_read.c.
FILE = "torch-blocks.json"
MAX_BLOCKS = 64
MAX_WORDS = 512
MAX_FRAMES_KEPT = 8
MAX_STRING = 256
STATES = {"active_allocated": "in_use", "active_pending_free": "awaited", "active_awaiting_free": "awaited",
          "inactive": "free"}
_kept = set()  # bundles that have it


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


def histories_of(snapshot, addresses):
    """Return each address's newest allocation, and the newest free after it: each or None."""
    ordered = sorted(set(addresses))
    histories = {address: (None, None) for address in ordered}
    for trace in snapshot.get("device_traces") or []:
        for event in trace:
            if event["action"] not in ("alloc", *FREES):
                continue
            first = bisect.bisect_left(ordered, event["addr"])
            for address in ordered[first:bisect.bisect_left(ordered, event["addr"] + event["size"])]:
                allocated = histories[address][0]
                histories[address] = (event, None) if event["action"] == "alloc" else (allocated, event)
    return histories


def _python(frames):
    """The frames of the user's own Python code; of any Python code where there are none."""
    python = [frame for frame in frames or [] if frame["filename"].endswith(".py")]
    own = [frame for frame in python if "/torch/" not in frame["filename"]]
    return own or python


def _place(frames):
    """The innermost of them."""
    return "  <- ".join(f"{frame['filename']}:{frame['line']} {frame['name']}" for frame in _python(frames)[:MAX_FRAMES])


def _lines_of(snapshot, address):
    """Return what PyTorch knows of the address, as lines; [] if it knows nothing."""
    found = block_at(snapshot, address)
    allocated, freed = histories_of(snapshot, [address])[address]
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


def _words_of(suspect):
    """Whatever may be a pointer, those of structures too: the kernels of PyTorch get their tensors in them."""
    for argument in suspect.get("arguments") or []:
        value = bytes.fromhex(argument.get("hex") or "")
        for at in range(-argument.get("offset", 0) % 8, len(value) - 7, 8):
            yield int.from_bytes(value[at:at + 8], "little")


def _faults_of(facts):
    """The addresses or pages at which the GPU stopped."""
    for fault in (facts.get("fault") or {}).get("faults") or []:
        yield int(fault.get("address") or "0", 16)


def _kept_frames(frames):
    return [{"file": frame["filename"][:MAX_STRING], "line": frame["line"], "function": frame["name"][:MAX_STRING]}
            for frame in _python(frames)[:MAX_FRAMES_KEPT]]


def _kept_block(found, allocated, freed):
    """Return the entry of the bundle's file for an address with this block and history, or None."""
    if found:
        _, block, start = found
        size, state = block["size"], STATES.get(block["state"])
    elif freed:
        start, size, state = freed["addr"], freed["size"], "gone"
    else:
        return None
    if state is None:
        return None
    made = block.get("frames") if state in ("in_use", "awaited") else allocated["frames"] if allocated else []
    return {"start": f"0x{start:x}", "size": size, "state": state, "allocated": _kept_frames(made),
            "freed": _kept_frames(freed["frames"]) if freed and state != "in_use" else []}


def blocks_of(facts, snapshot):
    """The blocks that the fault's address and the words of a report's suspects lie in, each once, in this order, and
    those of the first suspects first."""
    words = itertools.chain(_faults_of(facts), *map(_words_of, facts.get("suspects") or []))
    addresses = list(itertools.islice(dict.fromkeys(word for word in words if word >> 32), MAX_WORDS))
    blocks = {}
    for address, history in histories_of(snapshot, addresses).items():
        block = _kept_block(block_at(snapshot, address), *history)
        if block:
            blocks.setdefault(block["start"], (addresses.index(address), block))
    return [block for _, block in sorted(blocks.values(), key=lambda row: row[0])][:MAX_BLOCKS]


def _write(bundle, blocks):
    """Whole or not at all: in place of none, and of no link."""
    folder = os.open(bundle, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        part = f".{FILE}-{os.getpid()}"
        fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
        try:
            with os.fdopen(fd, "w") as file:
                json.dump({"blocks": blocks}, file)
            os.rename(part, FILE, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            os.unlink(part, dir_fd=folder)
            raise
    finally:
        os.close(folder)


def _keep(bundle, facts, snapshot):
    """Writes them into the bundle, once. Where there is no room, the text is all there is."""
    if bundle in _kept:
        return
    _kept.add(bundle)
    blocks = blocks_of(facts, snapshot)
    try:
        if blocks:
            _write(bundle, blocks)
    except OSError:
        pass


def join(facts, snapshot):
    """Return what PyTorch's snapshot has of the suspects' pointers, as lines; [] if nothing."""
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
        facts, snapshot = verdict.of_bundle(failure.bundle).facts, torch.cuda.memory._snapshot()
        _keep(failure.bundle, facts, snapshot)
        lines = join(facts, snapshot)
    except (verdict.NoReport, AttributeError, KeyError, RuntimeError, TypeError) as trouble:
        return f"culprit: PyTorch's memory could not be read: {trouble!r}\n"
    return "\n".join(["culprit: PyTorch's memory, as it is by now:", *lines, ""]) if lines else ""


def _explain_at_end():
    if not _kept:
        explain()


def keep():
    """Has explain() printed behind the traceback of an exception that nobody catches, and the bundle completed at
    the end of a program that caught it. Start-up, once."""
    def wrap(hook):
        def told(*arguments):
            hook(*arguments)
            sys.stderr.write(explain())
        return told

    sys.excepthook = wrap(sys.excepthook)
    threading.excepthook = wrap(threading.excepthook)
    atexit.register(_explain_at_end)
