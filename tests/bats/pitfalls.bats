#!/usr/bin/env bats
# Problems that have broken interposers of libcuda before, one test per pitfall. The programs are in
# tests/pitfalls. The driver is a fake one with just the behaviour in question. Unless a test says
# otherwise, a program must print the same under culprit as without it.

build=${CULPRIT_BUILD:-$BATS_TEST_DIRNAME/../../build}
shim=$build/lib/libculprit.so
programs=$build/lib/pitfalls

load programs

setup() {
	unset CULPRIT_DISABLE
	export CULPRIT_DIR=$BATS_TEST_TMPDIR CULPRIT_QUIET=1
	use_programs
	use_driver new
}

# use_driver new|old|versioned|none|simcuda: choose what libcuda.so.1 is.
use_driver() {
	local folder=$programs/$1
	[[ $1 != simcuda ]] || folder=$build/lib/simcuda
	export LD_LIBRARY_PATH=$folder:$programs
}

# capture [NAME=VALUE...] PROGRAM ARGUMENT...: like bats' run, which warns of status 127; a deadlock
# exits with status 124.
capture() {
	status=0
	output=$(timeout -k 1 300 env "$@" 2>&1) || status=$?
	echo "$output"
}

# under_culprit PROGRAM ARGUMENT...: with the shim preloaded.
under_culprit() {
	capture LD_PRELOAD="$shim" "$@"
}

# same_output PROGRAM ARGUMENT...: its output and status are the same as without culprit, except for
# the addresses of the wrappers. Leaves its output under culprit in $output.
same_output() {
	local plain plain_status
	capture "$@"
	plain=$output plain_status=$status
	under_culprit "$@"
	((status == plain_status))
	[[ ${output//libculprit.so/libcuda.so.1} == "$plain" ]]
}

has_line() {
	grep -qxF -- "$1" <<<"$output"
}

# lacks PATTERN: no line of the standard input matches it (bats lets a bare "! command" pass).
lacks() {
	if grep -E -- "$1"; then false; fi
}

exported() {
	nm -D --defined-only "$shim" | awk '{ print $3 }' | sort
}

@test "pitfall 1: cuGetProcAddress_v2 is ours, and so is what it returns" {
	same_output "$programs/pitfall-lookup" get-v2
	has_line "cuGetProcAddress_v2: cuGetProcAddress_v2 in libculprit.so"
	has_line "no status wanted: 0"
	has_line "cuInit: cuInit in libculprit.so"
}

@test "pitfall 1: a driver without cuGetProcAddress_v2" {
	use_driver old
	same_output "$programs/pitfall-lookup" names
	has_line "cuGetProcAddress_v2: none"
	has_line "cuLaunchKernel: cuLaunchKernel in libculprit.so"
	same_output "$programs/pitfall-lookup" get-v1
	has_line "cuLaunchKernel: cuLaunchKernel in libculprit.so"
}

@test "pitfall 1: a call that the driver is too old for returns an error" {
	use_driver old
	under_culprit "$programs/pitfall-linked" absent
	((status == 0))
	has_line "cuLaunchKernelEx: 801"
	has_line "cuGetProcAddress_v2: 801"
}

@test "pitfall 2: before cuInit, for itself, and in the version asked for" {
	same_output "$programs/pitfall-lookup" get-v2
	has_line "cuCtxCreate 2000: 0 0: cuCtxCreate in libculprit.so"
	has_line "cuCtxCreate 4000: 0 0: cuCtxCreate_v2 in libculprit.so"
	has_line "cuCtxCreate 12000: 0 0: cuCtxCreate_v3 in libculprit.so"
	has_line "cuCtxCreate 12050: 0 0: cuCtxCreate_v4 in libculprit.so"
	has_line "cuGetProcAddress 11030: 0 0: cuGetProcAddress in libculprit.so"
	has_line "cuGetProcAddress 12000: 0 0: cuGetProcAddress_v2 in libculprit.so"
	has_line "cuNoSuchCall 13000: 500 1: none"
}

@test "pitfall 3: the real cuInit calls dlsym and gets its own functions" {
	same_output "$programs/pitfall-lookup" init
	has_line "cuInit: 0"
}

@test "pitfall 4: names that only begin like the driver's" {
	same_output "$programs/pitfall-names"
	has_line "cudnnCreate: cudnnCreate in libother-names.so"
	has_line "cuMemAlloc: cuMemAlloc in libother-names.so"
	has_line "cuMemAlloc of the driver: cuMemAlloc in libculprit.so"
}

@test "pitfall 4: a null handle, without a driver, finds nothing" {
	use_driver none
	same_output "$programs/pitfall-lookup" without-driver
	[[ $(grep -c "^cuInit: none" <<<"$output") == 3 ]]
	[[ $(grep -c "^dlerror: set" <<<"$output") == 3 ]]
}

@test "pitfall 5: RTLD_NEXT and RTLD_DEFAULT mean the caller's" {
	same_output "$programs/pitfall-chain"
	has_line "chain_next: second"
	has_line "chain_default: second only"
}

@test "pitfall 6: dlsym and dlvsym under both symbol versions" {
	use_driver versioned
	same_output "$programs/pitfall-versions"
	for function in dlsym dlvsym; do
		has_line "oldest $function: cuLaunchKernel in libculprit.so"
		has_line "newest $function: cuLaunchKernel in libculprit.so"
	done
	has_line "wrong version: none"
}

@test "pitfall 6: a program's own dlsym, which forwards to the C library's" {
	same_output "$programs/pitfall-own_dlsym"
	has_line "own dlsym: cuLaunchKernel in libculprit.so"
	[[ $output == *"libc's: "*" in libc.so.6"* ]]
}

@test "pitfall 6: dlerror is as without culprit" {
	same_output "$programs/pitfall-lookup" dlerror
	has_line "after a failure: its error"
}

@test "pitfall 7: dlopen keeps its caller's RUNPATH" {
	exported | lacks '^dlopen$'
	unset LD_LIBRARY_PATH
	same_output "$programs/pitfall-runpath"
	has_line found
}

@test "pitfall 8: entry points of a newer driver pass" {
	same_output "$programs/pitfall-lookup" names
	has_line "cuLaunchFuture: cuLaunchFuture in libcuda.so.1"
	same_output "$programs/pitfall-lookup" get-v2
	has_line "cuLaunchFuture 99000: 0 0: cuLaunchFuture in libcuda.so.1"
}

@test "pitfall 8: what an older driver lacks is found by no look-up" {
	use_driver old
	same_output "$programs/pitfall-lookup" lacked
	has_line "cuLaunchKernelEx: none"
	has_line "cuLaunchKernel: cuLaunchKernel in libculprit.so"
}

@test "pitfall 8: a shim named libcuda.so.1 does not take itself for the driver" {
	mkdir "$BATS_TEST_TMPDIR/disguise"
	cp "$shim" "$BATS_TEST_TMPDIR/disguise/libcuda.so.1"
	export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/disguise:$programs
	capture LD_PRELOAD=libcuda.so.1 "$programs/pitfall-lookup" init
	((status == 0))
	has_line "cuInit: none"
}

@test "pitfall 9: every entry point of the table is exported, and nothing else" {
	calls=$BATS_TEST_DIRNAME/../../core/base/driver_calls.def
	sed -n 's/^DRIVER_CALL(\([A-Za-z0-9_]*\),.*/\1/p' "$calls" >"$BATS_TEST_TMPDIR/table"
	grep -q "each of the $(wc -l <"$BATS_TEST_TMPDIR/table") driver entry points" "$calls"
	printf '%s\n' abort cudaGetErrorString cuEventCheckError culpritFailure culpritRangeEnd \
		culpritRangeStart dlclose dlsym dlvsym ioctl \
		InitializeInjectionNvtx2 InitializeInjectionNvtxExtension >>"$BATS_TEST_TMPDIR/table"
	diff <(sort "$BATS_TEST_TMPDIR/table") <(exported)
}

@test "pitfall 9: the processor's guard of indirect jumps lets in every entry point, and nothing else" {
	mapfile -t names < <(exported)
	capture "$programs/pitfall-guarded" "$shim" "${names[@]}"
	((status == 0))
	[[ $output != "this processor has no guard" ]] || skip "$output"
	has_line "0 of ${#names[@]} without"
	readelf -n "$shim" | grep 'AArch64 feature: BTI'
	has_line refused || has_line "this processor has no guard"
}

@test "pitfall 10: the output of a failed call is not touched" {
	same_output "$programs/pitfall-lookup" closed-output
	has_line 500
}

@test "pitfall 11: no launch asks the environment or walks the loaded objects" {
	capture LD_PRELOAD="$programs/libcounter.so:$shim" "$programs/pitfall-counted"
	((status == 0))
	[[ $output == 0 ]]
}

@test "pitfall 12: a child by fork" {
	same_output "$programs/pitfall-linked" fork
	has_line "child: 0"
	has_line "child's status: 7"
	has_line "parent: 0"
}

@test "pitfall 12: exec of a shell" {
	same_output "$programs/pitfall-linked" exec
	has_line "from the shell"
	under_culprit sh -c 'cat /dev/null | sort | wc -l; exit 3'
	((status == 3))
}

@test "pitfall 12: a program without CUDA pays for the mapping alone" {
	command -v strace || skip "strace is not installed"
	calls_after_loading() {
		strace -f "$@" 2>&1 >/dev/null | sed '1,/munmap.*/d' | sed 's/(.*//'
	}
	diff <(calls_after_loading "$programs/pitfall-runpath") \
		<(calls_after_loading "$programs/pitfall-runpath") >"$BATS_TEST_TMPDIR/difference" ||
		skip "strace shows calls of an emulator: they differ without culprit, too"
	diff <(calls_after_loading "$programs/pitfall-runpath") \
		<(calls_after_loading -E LD_PRELOAD="$shim" "$programs/pitfall-runpath")
}

@test "pitfall 13: the unwinder of C++ exceptions stays the program's" {
	exported | lacks '^(_Unwind_|backtrace)'
	same_output "$programs/pitfall-throwing"
	has_line "caught: from the depth"
	has_line "unwinder: _Unwind_RaiseException in libgcc_s.so.1"
}

@test "pitfall 14: libc is all that the shim needs" {
	run readelf -d "$shim"
	echo "$output"
	[[ -z $(grep NEEDED <<<"$output" | grep -vE '\[(libc\.so\.6|ld-linux-x86-64\.so\.2|ld-linux-aarch64\.so\.1)\]') ]]
	grep -q 'NEEDED.*libc.so.6' <<<"$output"
	grep -q 'SONAME.*\[libculprit.so\]' <<<"$output"
	grep -q BIND_NOW <<<"$output"
}

@test "pitfall 15: looking up in a constructor while another thread makes the first call" {
	capture "$programs/pitfall-open_constructor"
	has_line "look-up: found"
	for _ in {1..20}; do
		under_culprit "$programs/pitfall-open_constructor"
		((status == 0))
		has_line "look-up: found"
		has_line "first call: 0"
		has_line "dlclose: 0"
		has_line gone
	done
}

@test "an abort shows the host's own frames alone, and its handler runs" {
	use_driver simcuda
	same_output "$programs/pitfall-aborts"
	has_line "signal 6, more than two frames: 1, foreign ones: 0"
}

@test "pitfall 16: a capture in the strictest mode is not disturbed" {
	use_driver simcuda
	same_output "$programs/pitfall-capture"
	has_line "end: 0"
	has_line "3 nodes"
	has_line "2 runs"
}

@test "pitfall 17: code 4 while the process exits is not a failure" {
	same_output "$programs/pitfall-linked" late
	has_line "cuMemFree: 0"
	has_line "late cuMemFree: 4"
}

@test "calls through the PLT are wrapped" {
	under_culprit "$programs/pitfall-linked" launch
	has_line "cuLaunchKernel: cuLaunchKernel in libculprit.so"
	has_line "cuLaunchKernel: 0"
	has_line "the driver saw 1 launch(es)"
}

@test "a call through the PLT loads the driver if it is not loaded" {
	capture "$programs/pitfall-weak"
	has_line "cuInit: none"
	under_culprit "$programs/pitfall-weak"
	has_line "cuInit: 0"
	use_driver none
	under_culprit "$programs/pitfall-weak"
	((status == 0))
	has_line "cuInit: 100"
}

@test "errno is left alone" {
	same_output "$programs/pitfall-linked" errno
	has_line "errno: 1234"
}

@test "another interposer in front of us sees each call, and so does the driver" {
	for preloaded in "$programs/libhook.so:$shim" "$shim:$programs/libhook.so"; do
		capture LD_PRELOAD="$preloaded" "$programs/pitfall-linked" launch
		((status == 0))
		has_line "the driver saw 1 launch(es)"
	done
	capture LD_PRELOAD="$programs/libhook.so:$shim" "$programs/pitfall-linked" launch
	has_line hook
}

@test "no driver: the program's own error, nothing from us" {
	use_driver none
	same_output "$programs/pitfall-lookup" names
	[[ $output == *"cannot open shared object file"* ]]
	same_output "$programs/pitfall-linked" launch
	((status == 127))
}

@test "CULPRIT_DISABLE=1 leaves every look-up alone" {
	export CULPRIT_DISABLE=1
	same_output "$programs/pitfall-lookup" get-v2
	lacks libculprit.so <<<"$output"
	same_output "$programs/pitfall-linked" errno
}

@test "a driver opened by an absolute path is wrapped" {
	use_driver none
	same_output "$programs/pitfall-lookup" names "$programs/new/libcuda.so.1"
	has_line "cuLaunchKernel: cuLaunchKernel in libculprit.so"
}

@test "RTLD_DEEPBIND: a plug-in's dlsym is wrapped, its linked calls are not" {
	same_output "$programs/pitfall-open_deep"
	has_line "linked: cuLaunchKernel in libculprit.so"
	under_culprit "$programs/pitfall-open_deep" deep
	has_line "linked: cuLaunchKernel in libcuda.so.1"
}

@test "dlmopen: a driver in another namespace is left alone" {
	same_output "$programs/pitfall-lookup" namespace
	has_line "cuLaunchKernel: cuLaunchKernel in libcuda.so.1"
}

@test "AT_SECURE: nothing is wrapped in a program with raised rights" {
	((EUID == 0)) || skip "needs root, to make a program with raised rights"
	command -v setpriv || skip "setpriv is not installed"
	local place compiler
	compiler=$(sed -n 's/^set(CMAKE_C_COMPILER "\(.*\)")/\1/p' "$build"/CMakeFiles/*/CMakeCCompiler.cmake)
	place=$(mktemp -d /var/tmp/culprit-secure.XXXXXX)
	chmod 755 "$place"
	cp "$shim" "$programs/new/libcuda.so.1" "$place"
	"$compiler" -D_GNU_SOURCE -o "$place/lookup" -x c - -x none \
		-L"$place" -Wl,--no-as-needed -l:libculprit.so -Wl,-rpath,"$place" <<-'PROGRAM'
		#include <dlfcn.h>
		#include <stdio.h>
		#include <sys/auxv.h>
		int main(int argc, char **argv)
		{
			Dl_info info;
			dladdr(dlsym(dlopen(argv[argc - 1], RTLD_NOW), "cuLaunchKernel"), &info);
			printf("secure %lu: %s\n", getauxval(AT_SECURE), info.dli_fname);
		}
	PROGRAM
	chmod 4755 "$place/lookup"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$place/lookup" "$place/libcuda.so.1"
	rm -r "$place"
	echo "$output"
	[[ $output != "secure 0:"* ]] || skip "the system raises no program's rights here"
	[[ $output == "secure 1: $place/libcuda.so.1" ]]
}
