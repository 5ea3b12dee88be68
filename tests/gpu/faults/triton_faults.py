"""Triton: a fault of each kind that its language can make, some by inline assembly.

usage: triton_faults.py KIND [busy]     KIND is of KINDS below
"culprit: KERNEL" marks the lines where that kernel's fault is. Triton asks the driver about pointers
and refuses those to nothing, so addresses are numbers here.
"""

import ctypes
import sys

import torch
import triton
import triton.language as tl

import fault_kinds
import torch_faults

WARP = tl.constexpr(32)
LOAD_VECTOR = tl.constexpr("{ .reg .b32 a<3>; ld.volatile.global.v4.b32 {$0, a0, a1, a2}, [$1]; }")
STORE_LOCAL = tl.constexpr("{ .local .align 4 .b32 v[64]; .reg .b64 t, u; mov.u64 t, v; add.u64 u, t, $2; "
                           "st.local.b32 [u], 5; and.b64 u, $2, 252; add.u64 u, t, u; ld.local.b32 $1, [u]; "
                           "mov.u64 $0, v; }")
STORE_SHARED = tl.constexpr("{ .shared .align 4 .b32 v[4]; .reg .b64 t; mov.u64 t, v; add.u64 t, t, $1; "
                            "st.volatile.shared.b32 [t], 5; mov.u64 $0, v; }")
TRAP = tl.constexpr("{ .reg .pred p; setp.ne.b64 p, $1, 0; @p trap; mov.u64 $0, $1; }")
assembly = tl.inline_asm_elementwise
number = triton.jit(do_not_specialize=["address"])


@number
def store(address: tl.int64, out):
    tl.store(address.to(tl.pointer_type(tl.int32)), 1)  # culprit: store


@number
def load(address: tl.int64, out):
    tl.store(out, tl.load(address.to(tl.pointer_type(tl.int32))))  # culprit: load


@number
def add(address: tl.int64, out):
    tl.atomic_add(address.to(tl.pointer_type(tl.int32)), 1)  # culprit: add


@number
def add_wide(address: tl.int64, out):
    tl.atomic_add(address.to(tl.pointer_type(tl.int64)), 1)  # culprit: add_wide


@number
def store_pages(address: tl.int64, out):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    tl.store((address + i.to(tl.int64) * (2 << 20)).to(tl.pointer_type(tl.int32)), 1)  # culprit: store_pages


@triton.jit
def poke(address):
    tl.store(address.to(tl.pointer_type(tl.int32)), 1)  # culprit: store_inlined


@triton.jit
def poke_twice(address):
    poke(address)
    poke(address + 8)


@number
def store_inlined(address: tl.int64, out):
    poke_twice(address)


@number
def load_vector(address: tl.int64, out):
    every = tl.zeros((WARP,), tl.int64) + address
    value = assembly(LOAD_VECTOR, "=r,l", [every], tl.int32, is_pure=False, pack=1)  # culprit: load_vector
    tl.store(out + tl.arange(0, WARP), value)


# These kernels are given an offset, and write the address of their array to the results.
@number
def store_local(address: tl.int64, out):
    every = tl.zeros((WARP,), tl.int64) + address
    types: tl.constexpr = (tl.int64, tl.int32)
    start, value = assembly(STORE_LOCAL, "=l,=r,l", [every], types, is_pure=False, pack=1)  # culprit: store_local
    tl.store(out + tl.arange(0, WARP), start.to(tl.int32))
    tl.store(out + WARP + tl.arange(0, WARP), value)


@number
def store_shared(address: tl.int64, out):
    every = tl.zeros((WARP,), tl.int64) + address
    start = assembly(STORE_SHARED, "=l,l", [every], tl.int64, is_pure=False, pack=1)  # culprit: store_shared
    tl.store(out + tl.arange(0, WARP), start.to(tl.int32))


@number
def stop(address: tl.int64, out):
    every = tl.zeros((WARP,), tl.int64) + address
    value = assembly(TRAP, "=l,l", [every], tl.int64, is_pure=False, pack=1)
    tl.store(out + tl.arange(0, WARP), value.to(tl.int32))


@triton.jit(do_not_specialize=["address"], debug=True)
def claim(address: tl.int64, out):
    tl.device_assert(address == 0, "out of range")
    tl.store(out, 1)


def fault(kernel, where, good, truth, grid=1):
    return kernel, where, good, truth, grid


def exception(kernel, at, offset, access, size, esr=0xf):
    address = at.memory + offset
    return fault(kernel, address, at.memory, fault_kinds.exception_truth(esr, access, size, address))


def memory(kernel, at, address, access):
    return fault(kernel, address, at.memory, fault_kinds.memory_truth(access, address))


def outside(kernel, offset):
    return fault(kernel, offset, 0, fault_kinds.exception_truth(0xe, "write", 4, None))


KINDS = {
    "null": lambda at: memory(store, at, 0, "write"),
    "small": lambda at: memory(store, at, 0x1234, "write"),
    "store": lambda at: memory(store, at, at.far + 4100, "write"),
    "load": lambda at: memory(load, at, at.far + 68, "read"),
    "atomic": lambda at: memory(add, at, at.far, "atomic"),
    "freed": lambda at: memory(store, at, at.freed + fault_kinds.FREED_SIZE // 2 + 49380, "write"),
    "host": lambda at: memory(load, at, at.host + 64, "read"),
    "many": lambda at: fault(store_pages, at.far, None, {**fault_kinds.memory_truth("write", at.far),
                                                         "stride": fault_kinds.STRIDE, "pages": 64 * 256}, 64),
    "misaligned": lambda at: exception(load, at, 1, "read", 4),
    "vector": lambda at: exception(load_vector, at, 8, "read", 16),
    "wide": lambda at: exception(add_wide, at, 4, "atomic", 8),
    "inlined": lambda at: exception(store_inlined, at, 2, "write", 4),
    "invalid": lambda at: exception(load, at, fault_kinds.INVALID - at.memory, "read", 4, 0xe),
    "local": lambda at: outside(store_local, 4 * fault_kinds.OUTSIDE_LOCAL),
    "shared": lambda at: outside(store_shared, 4 * fault_kinds.OUTSIDE_SHARED),
    "trap": lambda at: fault(stop, 1, 0, {"kind": "none"}),
    "assert": lambda at: fault(claim, 1, 0, {"kind": "none"}),
}


def launch(kernel, address, out, grid=1):
    signed = address - (1 << 64) if address >= 1 << 63 else address
    kernel[(grid,)](signed, out, num_warps=1)


def main(kind, beside=""):
    memory_block = torch.zeros(1 << 20, dtype=torch.uint8, device="cuda")
    out = torch.zeros(1024, dtype=torch.int32, device="cuda")
    host = fault_kinds.make_host_memory()
    torch.cuda.synchronize()
    at = fault_kinds.Places(memory_block.data_ptr(), out.data_ptr(), 0, ctypes.addressof(host))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(10):
            launch(load, at.memory, out)
        kernel, where, good, truth, grid = KINDS[kind](at)
        if good is not None:
            launch(kernel, good, out)
    torch.cuda.synchronize()
    if kind == "freed":
        at.freed = torch_faults.make_freed()
        kernel, where, good, truth, grid = KINDS[kind](at)
    if kernel in (store_local, store_shared):
        truth["address"] = f"0x{int(out[0]) + where:x}"
    if beside == "busy":
        torch_faults.start_busy()
    fault_kinds.print_truth(kernel.__name__, truth)
    return torch_faults.report(lambda: (launch(kernel, where, out, grid), launch(load, at.memory, out)), stream)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
