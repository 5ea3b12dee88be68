#!/usr/bin/env bats
# `culprit doctor`: with a driver, without, and in surroundings that limit culprit.

load cli

# The loader must find no driver, whatever this machine has.
without_driver() {
	mkdir -p no-driver
	echo 'this is no library' >no-driver/libcuda.so.1
	LD_LIBRARY_PATH=$PWD/no-driver culprit "$@"
}

@test "doctor: a machine without a driver gets advice, and status 5" {
	without_driver doctor
	[[ $status -eq 5 && $output == *"  fail  driver"*"-> install NVIDIA's driver"* ]]
	[[ $output == *"  ok    doors       calls of linked programs reach culprit"* ]]
	[[ $output == *"culprit cannot name a launch here"* ]]
	without_driver doctor --format json
	[[ $status -eq 5 ]]
	python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["works"] is False
states = {check["name"]: check["state"] for check in answer["checks"]}
assert states["driver"] == "fail" and states["library"] == "ok", states
' <<<"$output"
}

@test "doctor: all is well on simcuda" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	mkdir scratch
	TMPDIR=$PWD/scratch LD_LIBRARY_PATH=$simcuda culprit doctor --dir .
	echo "$output"
	[[ $status -eq 0 && $output != *"  fail "* ]]
	for way in "of linked programs" "found by dlsym" "found by cuGetProcAddress"; do
		[[ $output == *"ok    doors       calls $way reach culprit"* ]]
	done
	[[ $output == *"ok    recording"* && $output == *"ok    markers"* ]]
	[[ $output == *" python      python3: CPython "* ]]
	[[ -z $(ls scratch) ]]
}

@test "doctor: which Pythons can be read, and why one cannot" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	mapfile -t pythons < <("$root/tests/python/interpreters" | cut -d' ' -f2)
	for python in "${pythons[@]}"; do
		LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python "$python"
		[[ $output == *"ok    python      $python: CPython 3."*", frames are recorded"* ]]
	done
	LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python ./nothing
	[[ $output == *"python      ./nothing: not here"* ]]
	printf '%s\n' '#!/bin/sh' "echo '{\"error\": \"no ctypes\"}'" >python
	chmod +x python
	LD_LIBRARY_PATH=$simcuda culprit doctor --dir . --python ./python
	[[ $status -eq 0 && $output == *"warn  python      ./python: no ctypes"* ]]
}

@test "doctor: settings and surroundings that limit culprit are named" {
	CULPRIT_MARKERS=sideways CUDA_DEVICE_MAX_CONNECTIONS=1 CULPRIT_DIR=/nonexistent without_driver \
		doctor
	[[ $output == *"warn  settings    CULPRIT_MARKERS='sideways'"* ]]
	[[ $output == *"warn  environment CUDA_DEVICE_MAX_CONNECTIONS=1"* ]]
	[[ $output == *"warn  bundles     /nonexistent: No such file or directory"* ]]
	CULPRIT_LIBRARY=/nonexistent without_driver doctor
	[[ $status -eq 5 && $output == *"  fail  library"* ]]
}
