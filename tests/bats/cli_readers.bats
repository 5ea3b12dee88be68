#!/usr/bin/env bats
# Limits on what reading a bundle may wait for and open: files and servers that never answer, pipes,
# devices, core dumps of many gigabytes.

load cli

# A failed program whose debug information is in a file beside it; its report has lines.
fail_with_separate_lines() {
	[[ -x $build/bin/corpus ]] || skip "no fault corpus in this build"
	use_tools objcopy
	cp --remove-destination "$build/bin/corpus" program
	objcopy --only-keep-debug program program.debug
	objcopy --strip-debug --add-gnu-debuglink=program.debug program
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	LD_LIBRARY_PATH=$simcuda culprit run --quiet -- ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 ]]
	culprit report culprit-program-*
	[[ $status -eq 0 && -z $stderr && $output == *"launched from   "*.c:[0-9]* ]]
}

# bounded COMMAND...: as culprit, but a command that hangs fails.
bounded() {
	run --separate-stderr timeout -k 1 120 "$culprit" "$@"
}

# names_functions: the report has names, from the program's own symbols, and no lines.
names_functions() {
	((status == 0)) && [[ $output == *"launched from   main (program)"* || $output == *"(program)"* ]] &&
		[[ $output != *"launched from   "*.c:[0-9]* ]]
}

@test "a pipe where the debug information should be is given up, with a message" {
	fail_with_separate_lines
	rm program.debug
	mkfifo program.debug
	bounded report --symbol-wait 1 culprit-program-*
	echo "$output$stderr"
	names_functions
	complains 0 "culprit report: $(realpath program): its separate debug information was given up: it took too long"
	bounded report --symbol-wait 1 --format json culprit-program-*
	python3 -S -c '
import json, sys
missed = json.load(sys.stdin)["missed_symbols"]
assert len(missed) == 1 and missed[0]["module"].endswith("/program"), missed
assert "given up" in missed[0]["problem"], missed
' <<<"$output"
}

# listen: a server that accepts and never answers; its port is $port, what it accepted is in accepted.
listen() {
	python3 -S -c '
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
kept = []
while True:
    kept.append(server.accept())
    open("accepted", "a").write("one\n")
' >port &
	server=$!
	until [[ -s port ]]; do sleep 0.05; done
	port=$(<port)
}

@test "a debuginfod server that never answers is asked once and given up, with a message" {
	ldconfig -p | grep -q libdebuginfod || skip "no libdebuginfod here"
	fail_with_separate_lines
	rm program.debug
	listen
	export DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/cache
	bounded report --symbol-wait 1 culprit-program-*
	kill "$server"
	echo "$output$stderr"
	[[ -s accepted ]] || skip "libdw asks no server here"
	names_functions
	((${#stderr_lines[@]} == 1))
	says "culprit report: *: its separate debug information was given up: it took too long"
}

@test "--symbol-wait takes seconds" {
	"$make_bundle" failed failed
	for value in 0 -1 x 3601 ""; do
		culprit report --symbol-wait "$value" failed
		complains 2 "culprit report: --symbol-wait '$value': expected 1 to 3600; see culprit help report"
	done
	culprit report --symbol-wait 3600 failed
	((status == 0))
}

# name_module PATH: the bundle says that its program was that; 16 characters, as it is.
name_module() {
	rm -rf named
	"$make_bundle" failed named
	[[ ${#1} == 16 ]]
	sed -i "s#/home/user/train#$1#" named/strings
	grep -q "$1" named/strings
}

@test "pipes and devices that a bundle names are not opened" {
	fifo=$(mktemp -u "/tmp/XXXXXXXXXXX")
	mkfifo "$fifo"
	name_module "$fifo"
	# Its writer continues when another process opens the other end.
	(echo >"$fifo" && echo >opened) &
	for verb in report "report --format json" dump; do
		bounded $verb named
		((status == 0))
	done
	[[ ! -e opened ]]
	cat "$fifo" >/dev/null
	wait
	[[ -e opened ]]
	rm "$fifo"
	command -v strace >/dev/null && strace -o probe true || skip "no strace here"
	! grep -q __asan_init "$culprit" || skip "the sanitizer does not run under strace"
	name_module /dev////////zero
	strace -f -o trace -e trace=open,openat,openat2 "$culprit" report named >/dev/null
	grep '/dev////////zero' trace
	run grep '/dev////////zero' trace
	[[ $output == *O_PATH* ]]
	run -1 grep -v O_PATH <(grep '/dev////////zero' trace)
}

@test "pipes in the bundles of a folder, which is read ahead, keep no reader waiting" {
	mkdir folder
	for i in {1..12}; do
		"$make_bundle" failed "folder/culprit-train-$i"
		mkfifo "folder/culprit-train-$i/ring-7" "folder/culprit-train-$i/report.json"
	done
	for verb in list report status; do
		bounded $verb folder
		((status == 4 && ${#stderr_lines[@]} == 12))
		[[ ${stderr_lines[0]} == *"/ring-7: is not a regular file" ]]
	done
}

@test "a file that breaks the reader of debug information is its module's trouble alone" {
	fail_with_separate_lines
	# As if libdw had died of it.
	cat >killer.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		void *dwfl_report_elf(void *dwfl, const char *name, const char *path, int fd,
				      unsigned long base, _Bool adds)
		{
			void *(*next)(void *, const char *, const char *, int, unsigned long, _Bool) =
				dlsym(RTLD_NEXT, "dwfl_report_elf");
			if (strstr(path, "/program")) {
				fputs("tried ", fopen(getenv("TRIED"), "a"));
				fflush(NULL);
				abort();
			}
			return next(dwfl, name, path, fd, base, adds);
		}
	END
	use_tools cc
	cc -shared -fPIC -o killer.so killer.c
	export TRIED=$PWD/tried
	run --separate-stderr env LD_PRELOAD="$PWD/killer.so" "$culprit" report culprit-program-*
	echo "$output$stderr"
	complains 0 "culprit report: $(realpath program): not read: its debug information breaks the reader"
	[[ $output == *"launched from   program+0x"* ]]
	# A second bundle of the program does not try again what the first has: all of it, then less.
	[[ $(<tried) == "tried tried " ]]
	cp -r culprit-program-* culprit-program-1
	rm tried
	run --separate-stderr env LD_PRELOAD="$PWD/killer.so" "$culprit" report culprit-program-*
	((status == 0 && ${#stderr_lines[@]} == 1))
	[[ $(<tried) == "tried tried " && $output == *"and 1 more process"* ]]
}

@test "a pipe planted in the bundle keeps no program waiting" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	cat >planter.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/stat.h>
		int mkdir(const char *path, mode_t mode)
		{
			int (*next)(const char *, mode_t) = dlsym(RTLD_NEXT, "mkdir");
			int result = next(path, mode);
			char pipe_path[4096];
			snprintf(pipe_path, sizeof(pipe_path), "%s/%s", path, getenv("PLANT"));
			if (!result && strstr(path, "culprit-") && !strstr(path, "/dev/shm"))
				mkfifo(pipe_path, 0600);
			return result;
		}
	END
	use_tools cc
	cc -shared -fPIC -o planter.so planter.c
	for name in meta.json verdict.txt strings ring-0 failure; do
		mkdir "dir-$name"
		run --separate-stderr env PLANT=$name LD_PRELOAD="$build/lib/libculprit.so:$PWD/planter.so" \
			LD_LIBRARY_PATH="$simcuda" CULPRIT_DIR="dir-$name" timeout -k 1 60 "$build/bin/corpus" \
			--kernels "$build/lib/simcuda-kernels" stray_store
		echo "$name: $status $stderr"
		planted=("dir-$name"/culprit-*/"$name")
		[[ -p ${planted[0]} ]]
		((status == 1)) && [[ $stderr == *"culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)"* ]]
		# The next run is not stuck either. It moves what was left in memory into its
		# bundle.
		bounded run -- true
		((status == 0))
		rm "${planted[0]}"
		bounded run -- true
	done
}

# peak_memory FILE COMMAND...: the most memory that it had, in KiB.
peak_memory() {
	python3 -S - "$@" <<-'PY'
		import resource, subprocess, sys
		done = subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "w"), timeout=120)
		assert done.returncode in (0, 3, 4), done
		print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	PY
}

@test "a core dump of 4 GiB, most of it holes or memory, is not read into memory" {
	"$make_bundle" coredump bundle
	cp "$build/tests/fixtures/coredumps/load.cudacore" dump
	culprit report --coredump dump bundle
	((status == 0))
	echo "$output" >before
	truncate -s 4G dump
	peak=$(peak_memory after "$culprit" report --coredump dump bundle)
	echo "peak $peak KiB"
	diff before after
	((peak < 200 * 1024))
	peak=$(peak_memory after "$culprit" dump dump)
	((peak < 200 * 1024))
	# The GPU's memory, which no reader looks at: 512 MiB of it.
	python3 -S - <<-'PY'
		import os, struct
		size = os.path.getsize("dump")
		with open("dump", "r+b") as dump:
		    header = bytearray(dump.read(64))
		    table, = struct.unpack_from("<Q", header, 40)
		    n, = struct.unpack_from("<H", header, 60)
		    dump.seek(table)
		    rows = dump.read(64 * n)
		    dump.seek(1 << 30)
		    for _ in range(512):
		        dump.write(b"x" * (1 << 20))
		    dump.seek(2 << 30)
		    dump.write(rows + struct.pack("<IIQQQQIIQQ", 0, 0x80000002, 0, 0, 1 << 30, 512 << 20,
		                                  0, 0, 0, 0))
		    struct.pack_into("<Q", header, 40, 2 << 30)
		    struct.pack_into("<H", header, 60, n + 1)
		    dump.seek(0)
		    dump.write(header)
	PY
	peak=$(peak_memory after "$culprit" report --coredump dump bundle)
	echo "peak $peak KiB"
	diff before after
	((peak < 200 * 1024))
}

@test "a core dump that claims millions of sections is refused" {
	"$make_bundle" coredump bundle
	cp "$build/tests/fixtures/coredumps/load.cudacore" dump
	truncate -s 4G dump
	python3 -S - <<-'PY'
		import struct
		with open("dump", "r+b") as dump:
		    header = bytearray(dump.read(64))
		    struct.pack_into("<Q", header, 40, 1 << 20)
		    struct.pack_into("<H", header, 60, 0)
		    dump.seek(0)
		    dump.write(header)
		    dump.seek((1 << 20) + 32)
		    dump.write(struct.pack("<Q", 60 << 20))
	PY
	bounded report --coredump dump bundle
	complains 3 "culprit report: dump: is not a GPU core dump"
}
