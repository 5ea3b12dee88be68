# Options of the compiler and the linker for the shim on aarch64.

# Return addresses are signed, and indirect calls may only reach marked places. Processors without
# either take these instructions for no operation. Atomics are inline: the compiler's library for
# them chooses at start, in code without the marks, and a process on any processor may load us.
set(ARCH_OPTIONS -mbranch-protection=standard -mno-outline-atomics)
set(ARCH_TUNING)
# The C library's start files may lack the marks (Debian), and the loader calls what is in them. The
# other files of the C library that lack them are called directly, since there is a PLT.
set(ARCH_MARKS -Wl,-z,force-bti -nostartfiles)
