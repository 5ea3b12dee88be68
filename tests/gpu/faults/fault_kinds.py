"""fault_kinds - how to make each fault with the kernels of kernels.cu, and the truth about it.

Programs print the truth as "expect KEY=VALUE...", as faults.cu does; the keys are described there.
"""

import ctypes
import dataclasses

Pointer, Int, Long = ctypes.c_void_p, ctypes.c_int, ctypes.c_long
FREED_SIZE = 256 << 20
OUTSIDE_LOCAL, OUTSIDE_SHARED = 1 << 28, 1 << 20  # far outside the kernels' arrays
INVALID = 0xDEADBEEF12345678
STRIDE = 2 << 20


@dataclasses.dataclass
class Places:
    """Addresses: 1 MiB, 4 KiB for results, memory that was freed, memory of malloc()."""

    memory: int
    out: int
    freed: int
    host: int

    @property
    def far(self):
        """Return an address where nothing is."""
        return self.memory + (1 << 40)


@dataclasses.dataclass
class Launch:
    """A launch that fails, the arguments of a good one (None: there is none), and the truth."""

    kernel: str
    bad: list
    good: list
    truth: dict
    grid: int = 1
    block: int = 1


def page_of(address):
    return f"0x{address & ((1 << 49) - 1) & ~4095:x}"


def memory_truth(access, address=None):
    truth = {"kind": "event", "access": access}
    return truth if address is None else {**truth, "page": page_of(address)}


def exception_truth(esr, access, size, address):
    truth = {"kind": "exception", "esr": f"0x{esr:x}", "access": access, "bytes": size}
    return truth if address is None else {**truth, "address": f"0x{address:x}"}


def print_truth(kernel, truth):
    """Print the truth. Only exceptions have a line: the one that is marked with the kernel's name."""
    line = {"line": kernel} if truth["kind"] == "exception" else {}
    print("expect", *(f"{key}={value}" for key, value in {**truth, "kernel": kernel, **line}.items()), flush=True)


def store(at, address):
    return Launch("store", [Pointer(address)], [Pointer(at.memory)], memory_truth("write", address))


def load(at, address, truth):
    return Launch("load", [Pointer(address), Pointer(at.out)], [Pointer(at.memory), Pointer(at.out)], truth)


def read_memory(at, address):
    return load(at, address, memory_truth("read", address))


def make_array(kernel, at, outside):
    """Return a launch outside a kernel's array. Its good launch writes the array's address to out[1]."""
    return Launch(kernel, [Int(outside), Pointer(at.out)], [Int(0), Pointer(at.out)],
                  exception_truth(0xe, "write", 4, None))


def make_stack(at):
    launch = make_array("overflow_stack", at, 1 << 20)
    del launch.truth["bytes"]  # the compiler decides which access is first
    return launch


def at_one(kernel, at, offset, truth):
    """Return a launch of a kernel whose only argument is an address in the memory."""
    return Launch(kernel, [Pointer(at.memory + offset)], [Pointer(at.memory)], truth)


KINDS = {
    "null": lambda at: store(at, 0),
    "small": lambda at: store(at, 0x1234),
    "store": lambda at: store(at, at.far + 4100),
    "load": lambda at: read_memory(at, at.far + 68),
    "atomic": lambda at: Launch("add", [Pointer(at.far)], [Pointer(at.memory)], memory_truth("atomic", at.far), 1, 32),
    "freed": lambda at: store(at, at.freed + FREED_SIZE // 2 + 49380),
    "host": lambda at: read_memory(at, at.host + 64),
    "code": lambda at: Launch("run_data", [Pointer(0x12345670)], [Pointer(0)], memory_truth("read")),
    "many": lambda at: Launch("store_pages", [Pointer(at.far), Long(STRIDE)], [Pointer(at.memory), Long(4)],
                              {**memory_truth("write", at.far), "stride": STRIDE, "pages": 64 * 256}, 64, 256),
    "misaligned": lambda at: load(at, at.memory + 1, exception_truth(0xf, "read", 4, at.memory + 1)),
    "vector": lambda at: Launch("load_vector", [Pointer(at.memory + 8), Pointer(at.out)],
                                [Pointer(at.memory), Pointer(at.out)], exception_truth(0xf, "read", 16, at.memory + 8)),
    "wide": lambda at: at_one("add_wide", at, 4, exception_truth(0xf, "atomic", 8, at.memory + 4)),
    "inlined": lambda at: at_one("store_inlined", at, 2, exception_truth(0xf, "write", 4, at.memory + 2)),
    "invalid": lambda at: load(at, INVALID, exception_truth(0xe, "read", 4, INVALID)),
    "local": lambda at: make_array("store_local", at, OUTSIDE_LOCAL),
    "shared": lambda at: make_array("store_shared", at, OUTSIDE_SHARED),
    "stack": make_stack,
    "trap": lambda at: Launch("stop", [Int(1)], [Int(0)], {"kind": "none"}),
    "assert": lambda at: Launch("claim", [Int(5)], [Int(64)], {"kind": "none"}, 1, 32),
}


def make_host_memory():
    """Return memory of malloc(): keep it, and use ctypes.addressof()."""
    return ctypes.create_string_buffer(b"\1" * (1 << 20))


def make_launch(kind, at, launch, read_out):
    """Return the Launch of a kind, after a good one. launch(kernel, grid, block, arguments); read_out(index)."""
    case = KINDS[kind](at)
    launch(case.kernel, case.grid, case.block, case.good)
    if case.kernel in ("store_local", "store_shared"):
        case.truth["address"] = f"0x{read_out(1) + 4 * case.bad[0].value:x}"
    return case
