#!/usr/bin/env bats
# Programs and places that the library cannot be loaded into, or only with marks: static, 32-bit and
# musl programs, processes with enforced control flow, sandboxes that kill for a system call.

load cli

@test "run: a static program, and a script for one, run as ever and get one line" {
	printf '#include <stdio.h>\nint main(void) { puts("here"); return 7; }\n' >program.c
	cc -static -o program program.c || skip "no static C library here"
	culprit run -- ./program
	complains 7 "culprit run: './program' is linked statically: nothing can be loaded into it, so what it does itself is not recorded"
	[[ $output == here ]]
	PATH=$PWD:$PATH culprit run -- program
	complains 7 "culprit run: 'program' is linked statically: nothing can be loaded into it, so what it does itself is not recorded"
	printf '#!%s\n' "$PWD/program" >script
	chmod +x script
	culprit run -- ./script
	complains 7 "culprit run: './script' is linked statically: nothing can be loaded into it, so what it does itself is not recorded"
	culprit run --quiet -- ./program
	[[ $status -eq 7 && -z $stderr ]]
	cc -static-pie -o pie program.c && culprit run -- ./pie && [[ $stderr == *"linked statically"* ]]
}

@test "run: an ordinary program gets no message" {
	need_preload /bin/true
	for command in true /bin/true; do
		run --separate-stderr "$culprit" run -- "$command"
		[[ $stderr != *recorded* && $stderr != *loaded* ]]
	done
	: >empty
	chmod +x empty
	culprit run -- ./empty
	[[ $stderr != *recorded* ]]
}

@test "run: a program for musl runs, without the library" {
	# Its loader, which shows what it was given, and is not the C library's to start.
	cat >loader.c <<-'END'
		static long call(long number, long first, const void *second, long third)
		{
			__asm__ volatile("syscall" : "+a"(number) : "D"(first), "S"(second), "d"(third)
					 : "rcx", "r11", "memory");
			return number;
		}
		__attribute__((used)) void begin(long *stack)
		{
			const char **names = (const char **)(stack + *stack + 2);
			for (; *names; names++)
				for (long i = 0; (*names)[i] == "LD_PRELOAD"[i];)
					if (++i == 10)
						call(1, 1, *names, 20);
			call(1, 1, "here", 4);
			call(60, 3, 0, 0);
		}
		__asm__(".globl _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");
	END
	cc -O1 -fno-stack-protector -fcf-protection=none -static -nostdlib -o ld-musl-x86_64.so.1 loader.c \
		-Wl,-Ttext-segment=0x70000000
	echo 'int main(void) { return 0; }' >program.c
	cc -Wl,--dynamic-linker="$PWD/ld-musl-x86_64.so.1" -o program program.c
	culprit run -- ./program
	complains 3 "culprit run: './program' is built for musl: the library, which is for glibc, is not loaded into it and what it starts"
	[[ $output == here ]]
}

@test "run: a 32-bit program runs, and its loader's line is explained" {
	printf '.globl _start\n_start: movl $1, %%eax\nmovl $5, %%ebx\nint $0x80\n' >program.s
	[[ -e /lib/ld-linux.so.2 ]] || skip "no 32-bit loader here"
	as --32 -o program.o program.s && echo 'int unused;' >library.c &&
		gcc -m32 -shared -nostdlib -fPIC -o libunused.so library.c &&
		ld -m elf_i386 -dynamic-linker /lib/ld-linux.so.2 -o program program.o ./libunused.so ||
		skip "no 32-bit assembler here"
	./program || [[ $? == 5 ]] || skip "no 32-bit programs here"
	culprit run -- ./program
	echo "$stderr"
	[[ $status -eq 5 ]]
	says "culprit run: './program' is a 32-bit program: the library is for 64-bit ones, so what it does itself is not recorded"
	says "*libculprit.so* cannot be preloaded (wrong ELF class: ELFCLASS64): ignored."
}

@test "the library has the marks of control-flow enforcement, and a landing pad wherever one jumps to" {
	command -v readelf objdump >/dev/null || skip "no binutils here"
	[[ $(processor) == x86_64 ]] || skip "these marks are those of x86-64; pitfalls.bats has the others"
	library=$build/lib/libculprit.so
	readelf -n "$library" | grep -q 'x86 feature: IBT, SHSTK'
	run -1 grep -E '\((INIT|FINI)\)' <(readelf -d "$library")
	python3 -S - "$library" <<-'PY'
		import re, subprocess, sys
		library = sys.argv[1]
		def output(*command):
		    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
		section = re.search(r"\.text +PROGBITS +(\w+) (\w+) (\w+)", output("readelf", "-SW", library))
		start, offset, size = (int(number, 16) for number in section.groups())
		text = open(library, "rb").read()[offset:offset + size]
		places = {}
		for line in output("nm", "-D", "--defined-only", library).splitlines():
		    address, kind, name = line.split()[:3]
		    if kind in "Tt":
		        places[int(address, 16)] = name
		exported = len(places)
		for line in output("readelf", "-rW", library).splitlines():
		    found = re.search(r"R_X86_64_RELATIVE\s+(\w+)", line)
		    if found:
		        places.setdefault(int(found.group(1), 16), "a table")
		inside = {at: name for at, name in places.items() if start <= at < start + size}
		assert exported > 600 and len(inside) > exported, (exported, len(inside))
		# Labels of switch tables are not functions: gcc jumps to them without tracking.
		functions = {int(line.split()[0], 16) for line in output("nm", library).splitlines()
		             if line.split()[1] in "tT"} if ".symtab" in output("readelf", "-SW", library) else inside
		bare = [name for at, name in inside.items() if at in functions
		        and text[at - start:at - start + 4] != b"\xf3\x0f\x1e\xfa"]
		assert not bare, bare
	PY
}

# calls FILE: the names of the system calls in a trace, each once.
calls() {
	sed -E 's/^[0-9]+ +//' "$1" | grep -oE '^(<\.\.\. )?[a-z_0-9]+' | sed 's/^<... //' | sort -u
}

@test "sandboxes: culprit adds only the documented system calls" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	[[ $(processor) == "$(uname -m)" ]] || skip "strace shows the system calls of an emulator"
	command -v strace >/dev/null && strace -o probe true || skip "no strace here"
	export LD_LIBRARY_PATH=$simcuda
	strace -f -o plain "$build/bin/tests/robust" everything >/dev/null 2>&1 || true
	strace -f -o under -E LD_PRELOAD="$build/lib/libculprit.so" -E CULPRIT_DIR="$PWD" \
		"$build/bin/tests/robust" everything >/dev/null 2>&1 || true
	ls culprit-robust-*/failure # it was there, and wrote its bundle
	sed -n 's/^| `\([^|]*\)` |.*/\1/p' "$root/docs/contributing/sandboxes.md" | tr -d '` ' | tr ',' '\n' |
		sort -u >documented
	[[ -s documented ]]
	comm -13 <(calls plain) <(calls under) >added
	cat added
	grep -qx fallocate added
	comm -23 added documented >missing
	[[ ! -s missing ]] || { echo "not in docs/contributing/sandboxes.md:" && cat missing && false; }
}
