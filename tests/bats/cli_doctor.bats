#!/usr/bin/env bats
# `culprit doctor` with a driver, without one, and in environments that limit culprit.

load cli

# The loader must find no driver, whatever this machine has.
without_driver() {
	mkdir -p no-driver
	echo 'this is no library' >no-driver/libcuda.so.1
	LD_LIBRARY_PATH=$PWD/no-driver culprit "$@"
}

@test "doctor: without a driver it gives advice and exits with status 5" {
	without_driver doctor
	[[ $status -eq 5 && $output == *"  fail  driver"*"-> install NVIDIA's driver"* ]]
	[[ $output == *"  ok    doors       calls of linked programs reach culprit"* ]]
	[[ $output == *"culprit cannot name a launch here"* ]]
	without_driver doctor --format json
	[[ $status -eq 5 ]]
	python3 -S -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["works"] is False
states = {check["name"]: check["state"] for check in answer["checks"]}
assert states["driver"] == "fail" and states["library"] == "ok", states
' <<<"$output"
}

@test "doctor: every check passes on simcuda" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	mkdir scratch
	TMPDIR=$PWD/scratch LD_LIBRARY_PATH=$simcuda culprit doctor --dir .
	echo "$output"
	[[ $status -eq 0 && $output != *"  fail "* ]]
	for way in "of linked programs" "found by dlsym" "found by cuGetProcAddress"; do
		[[ $output == *"ok    doors       calls $way reach culprit"* ]]
	done
	[[ $output =~ "ok    devices     "[1-9][0-9]*": "[A-Za-z] ]]
	[[ $output == *"ok    recording"* && $output == *"ok    markers"* ]]
	[[ $output =~ "ok    progress    the driver's progress counters were found"(", but no states of kernels")?": "[1-9]" channels, verified "[1-9][0-9]*" time"s?" and correct" ]]
	[[ $output == *"warn  fault       there is no /dev/nvidia-uvm-tools"* ]]
	# Python is this machine's.
	[[ $(processor) != "$(uname -m)" || $output == *" python      python3: CPython "* ]]
	[[ $output == *"  C library   glibc 2."* ]]
	[[ -z $(ls scratch) ]]
}

@test "doctor: it says which driver and runtime were not tried on a GPU" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	SIMCUDA_DRIVER=12.4 LD_LIBRARY_PATH=$simcuda culprit doctor --dir .
	[[ $output == *"ok    driver      "*", CUDA 12.4 (tried on a simulated driver only)"* ]]
	SIMCUDA_DRIVER=12.7 LD_LIBRARY_PATH=$simcuda culprit doctor --dir .
	[[ $output == *"ok    driver      "*", CUDA 12.7 (untried)"* ]]
	use_tools cc
	mkdir runtime
	# Preloaded, so that it is found before NVIDIA's copy beside the command.
	printf 'int cudaRuntimeGetVersion(int *out) { *out = 12340; return 0; }' |
		cc -shared -fPIC -Wl,-soname,libcudart.so.13 -x c -o runtime/libcudart.so.13 -
	LD_PRELOAD=$PWD/runtime/libcudart.so.13 LD_LIBRARY_PATH=$simcuda culprit doctor --dir .
	[[ $output == *"ok    driver      "*", CUDA 13.0"$'\n'* ]]
	[[ $output == *"ok    runtime     "*"runtime/libcudart.so.13, CUDA 12.34 (untried)"* ]]
}

@test "doctor: it says which Python interpreters can be read, and why one cannot" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	mapfile -t pythons < <("$root/tests/python/interpreters" "$(processor)" | cut -d' ' -f2)
	for python in "${pythons[@]}"; do
		LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python "$python"
		[[ $output == *"ok    python      $python: CPython 3."*", frames are recorded"* ]]
	done
	LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python ./nothing
	[[ $status -eq 0 && $output == *"warn  python      ./nothing: not found, or not a Python interpreter"* ]]
	LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python /bin/true
	[[ $status -eq 0 && $output == *"warn  python      /bin/true: not found, or not a Python interpreter"* ]]
	LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python /bin/true --strict
	[[ $status -eq 5 ]]
	printf '%s\n' '#!/bin/sh' "echo '{\"error\": \"no ctypes\"}'" >python
	chmod +x python
	LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python ./python
	[[ $status -eq 0 && $output == *"warn  python      ./python: no ctypes"* ]]
}

# distribution FOLDER: make a Python distribution of another project called culprit.
distribution() {
	mkdir -p "$1/culprit-9.9.dist-info"
	printf 'Metadata-Version: 2.1\nName: culprit\nVersion: 9.9\n' >"$1/culprit-9.9.dist-info/METADATA"
}

@test "doctor: it names another program called culprit in PATH" {
	mkdir other empty
	printf '#!/bin/sh\n' >other/culprit
	chmod +x other/culprit
	PATH=$PWD/empty:$PWD/other:$PATH without_driver doctor
	[[ $output == *"warn  command     \`culprit\` is another program here, $PWD/other/culprit; this one is $(realpath "$culprit")"* ]]
	PATH=$(dirname "$culprit"):$PWD/other:$PATH without_driver doctor
	[[ $output == *"ok    command     $(realpath "$culprit"); another program of this name, $PWD/other/culprit, is later in PATH"* ]]
	PATH=$(dirname "$culprit"):$PATH without_driver doctor
	[[ $output == *"ok    command     $(realpath "$culprit")"$'\n'* ]]
}

@test "doctor: it names another project's Python distribution called culprit" {
	need_preload python3
	distribution site
	# Python then writes a line in two pieces, and the pipe must still be open for the second one.
	PYTHONUNBUFFERED=1 PYTHONPATH=$PWD/site without_driver doctor
	[[ $output == *"warn  command     the Python distribution culprit 9.9 of another project is in $PWD/site, and may have replaced the command"* ]]
	[[ -z $stderr ]]
	without_driver doctor
	[[ $output != *"Python distribution culprit"* ]]
}

@test "doctor: it names settings and environments that limit culprit" {
	CULPRIT_MARKERS=sideways CUDA_DEVICE_MAX_CONNECTIONS=1 CULPRIT_DIR=/nonexistent without_driver \
		doctor
	[[ $output == *"warn  settings    CULPRIT_MARKERS='sideways'"* ]]
	[[ $output == *"warn  environment CUDA_DEVICE_MAX_CONNECTIONS=1"* ]]
	[[ $output == *"warn  bundles     /nonexistent: No such file or directory"* ]]
	[[ $output == *"ok    progress    the driver's progress counters were not checked"* ]]
	CULPRIT_MARKRES=inline CULPRIT_FROB=1 CULPRIT_DISABLE=1 without_driver doctor
	[[ $output == *"warn  settings    CULPRIT_MARKRES is no setting; did you mean CULPRIT_MARKERS?"* ]]
	[[ $output == *"warn  settings    CULPRIT_FROB is no setting"$'\n'* ]]
	[[ $output == *"fail  settings    CULPRIT_DISABLE is set: nothing is recorded"* ]]
	# Not even root can make a directory in /proc.
	without_driver doctor --dir /proc
	[[ $output == *"warn  bundles     /proc: "* && $output != *"/proc: writable"* ]]
	CULPRIT_LIBRARY=/nonexistent without_driver doctor
	[[ $status -eq 5 && $output == *"  fail  library"* ]]
}

@test "doctor: it explains how culprit run extends LD_PRELOAD" {
	cp "$build/lib/libculprit.so" ./other.so
	LD_PRELOAD=$PWD/other.so without_driver doctor
	[[ $output == *"culprit run puts libculprit.so after these"* ]]
	LD_PRELOAD=$PWD/other.so CULPRIT_DISABLE=1 culprit run -- printenv LD_PRELOAD
	[[ $output == "$PWD/other.so:$(realpath "$build/lib/libculprit.so")" ]]
}

@test "doctor: it warns about a small /dev/shm" {
	unshare -rm true || skip "needs a mount name space"
	for size in 64m 1m; do
		run unshare -rm bash -c 'mount -t tmpfs -o size='$size' none /dev/shm && "$@"' - \
			"$build/bin/culprit" doctor --dir .
		[[ $output == *"warn  memory      /dev/shm: half of it, "*"--shm-size"* ]]
	done
	run unshare -rm bash -c 'mount -t tmpfs -o size=200m none /dev/shm && "$@"' - \
		"$build/bin/culprit" doctor --dir .
	[[ $output == *"ok    memory      /dev/shm: half of it, 100 MiB"* ]]
}
