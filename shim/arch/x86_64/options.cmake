# Options of the compiler and the linker for the shim on x86-64.

# Where indirect calls may only reach marked places, and returns are checked (Intel CET), a library
# without the marks is refused.
set(ARCH_OPTIONS -fcf-protection=full)
# Small structures are set and copied in line: the generic tuning begins a "rep stos" for 128 bytes.
# Calls of the C library take no detour: one line of code less for each that a launch makes.
set(ARCH_TUNING -fno-plt -mtune=skylake)
# All our objects have the marks of CET. The C library's start files may lack them (Debian): their
# _init and _fini, which do nothing here, are not called.
set(ARCH_MARKS -Wl,-z,ibt,-z,shstk -Wl,-init=none,-fini=none)
