"""nvrtc_kernels.py - compiles the kernels of the corpus with an NVRTC of another toolkit, for scripts/make-cuda12.

usage: nvrtc_kernels.py LIBNVRTC ARCHITECTURE OUT KERNEL.cu...

Leaves OUT/KERNEL.fatbin, which is machine code: the driver loads either. NVRTC has none of
the C library's files; what the kernels need of them it knows.
"""
import ctypes
import os
import sys

def strings(*texts):
    return (ctypes.c_char_p * len(texts))(*texts)


def text_of(nvrtc, program, what):
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{what}")(program, text)
    return text.raw


def compile_kernel(nvrtc, architecture, path):
    program = ctypes.c_void_p()
    folder = os.path.dirname(os.path.abspath(path))
    options = strings(f"-arch=sm_{architecture}".encode(), b"-lineinfo", f"-I{folder}".encode())
    with open(path, "rb") as source:
        failed = nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.read(), os.path.abspath(path).encode(), 1,
                                          strings(b""), strings(b"assert.h"))
    if failed or nvrtc.nvrtcCompileProgram(program, len(options), options):
        sys.exit(f"{path}: {text_of(nvrtc, program, 'ProgramLog').decode()}")
    return text_of(nvrtc, program, "CUBIN")


def main():
    library, architecture, out, *kernels = sys.argv[1:]
    nvrtc = ctypes.CDLL(library)
    for path in kernels:
        code = compile_kernel(nvrtc, architecture, path)
        name = os.path.splitext(os.path.basename(path))[0]
        with open(os.path.join(out, name + ".fatbin"), "wb") as image:
            image.write(code)


if __name__ == "__main__":
    main()
