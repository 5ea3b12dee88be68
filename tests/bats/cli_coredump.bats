#!/usr/bin/env bats
# GPU core dumps: `culprit dump` of a core dump, and `culprit report` of a core dump and a bundle. The
# dumps were written on an H200; the bundle is made to match one of them.

load cli

dumps=$root/tests/fixtures/coredumps

# sample NAME: unpack a dump into the current directory as NAME.
sample() {
	gzip -dc "$dumps/$1.cudacore.gz" >"$1"
}

@test "dump: shows a core dump's devices, grids, exceptions and source lines" {
	sample load
	culprit dump load
	[[ $status -eq 0 && -z $stderr ]]
	grep -qx 'core dump: driver 580.159, CUDA 13.0, written 20..-..-..T..:..:..Z' <<<"$output"
	grep -qx 'device 0: NVIDIA H200, sm_90, 132 SMs' <<<"$output"
	grep -q '^grid 7: bad_load(float const\*, float\*, int)<<<(8,1,1),(128,1,1)>>> function=0x55b8c9dbdd20' \
		<<<"$output"
	grep -qx '  parameters: 20 bytes: 00008034 a97f0000 00009034 a97f0000 a0860100' <<<"$output"
	[[ $(grep -c '^SM .* exception=14 (illegal address) pc=0x7fa9377a1620$' <<<"$output") -eq 8 ]]
	[[ ${lines[-2]} == 'fault: grid 7 bad_load(float const*, float*, int) at core2.cu:12, block (0,0,0) thread (0,0,0): illegal address' ]]
}

@test "dump: shows a warp that has exited, a trap, and a dump without a fault" {
	for name in store_warp_exited trap hang_user_triggered; do sample "$name"; done
	culprit dump store_warp_exited
	[[ ${lines[-2]} == 'fault: a warp that has exited, in bad_store(int*, int) at coredump.cu:11: illegal address' ]]
	culprit dump trap
	[[ ${lines[-2]} == 'fault: grid 7 bad_trap() at core2.cu:15, block (0,0,0) thread (7,0,0): trap' ]]
	culprit dump hang_user_triggered
	[[ $status -eq 0 && ${lines[-1]} == 'fault: none' ]]
	culprit dump --output out.txt trap
	[[ $status -eq 0 && -z $output ]]
	grep -q '^fault: ' out.txt
}

# nvdisasm_that COMMAND: put an nvdisasm in PATH that runs a shell command.
nvdisasm_that() {
	mkdir -p bin
	printf '#!/bin/sh\n%s\n' "$1" >bin/nvdisasm
	chmod +x bin/nvdisasm
	PATH=$PWD/bin:$PATH
}

@test "dump: shows the instruction, as nvdisasm prints it" {
	sample inlined
	nvdisasm_that 'echo "$*" >asked; od -An -tx1 "$3" >bytes; printf "\t.headerflags\n        /*0000*/   STG.E desc[UR4][R2.64], R5 ;\n"'
	culprit dump inlined
	[[ $status -eq 0 && -z $stderr ]]
	[[ ${lines[-1]} =~ ^'  instruction 0x'[0-9a-f]{12}7986' 0x'[0-9a-f]{16}': 4-byte write: STG.E desc[UR4][R2.64], R5'$ ]]
	[[ $(<asked) == '-b SM90 /dev/fd/3' && $(<bytes) == ' 86 79 '* ]]
}

@test "dump: an nvdisasm that fails, prints nothing or something else is not used" {
	sample inlined
	for command in 'exit 1' 'printf "/*0000*/ EXIT"' 'printf "/*0000*/ \n\n EXIT ;"' 'yes' 'kill -9 $$'; do
		nvdisasm_that "$command"
		culprit dump inlined
		complains 0 'culprit dump: nvdisasm: no instruction in its output'
		[[ ${lines[-1]} == '  instruction 0x'*': 4-byte write' ]]
	done
}

# Under qemu-user, a program that is missing does so.
@test "dump: an nvdisasm that exits with 127 is missing" {
	sample inlined
	nvdisasm_that 'exit 127'
	culprit dump inlined
	[[ $status -eq 0 && -z $stderr && ${lines[-1]} == '  instruction 0x'*': 4-byte write' ]]
}

@test "dump: names the functions that were inlined into the kernel, and their lines" {
	sample inlined
	PATH=/usr/bin:/bin culprit dump inlined
	[[ ${lines[-1]} == '  instruction 0x'*': 4-byte write' ]]
	[[ $output == *'fault: grid 44 store_inlined(char*) at faults.cu:54 poke  <- faults.cu:58 poke_twice  <- faults.cu:63, block (0,0,0) thread (0,0,0): misaligned address'* ]]
}

@test "dump: refuses files that are not core dumps, and shows the part of a truncated one" {
	echo text >text
	culprit dump text
	complains 3 'culprit dump: text: is not a GPU core dump'
	: >empty
	culprit dump empty
	complains 3 'culprit dump: empty: is not a GPU core dump'
	culprit dump "$BASH"
	complains 3 "culprit dump: $BASH: is not a GPU core dump"
	sample trap
	head -c 100000 ./trap >./cut
	culprit dump cut
	complains 4 'culprit dump: cut: truncated; showing the part that is there'
}

@test "report: the bundle's own core dump convicts" {
	"$make_bundle" coredump bundle
	culprit report bundle
	[[ $status -eq 0 && $output == *' — narrowed: '* && $output != *'on the device'* ]]
	sample load
	mv load bundle/core.nvcudmp
	culprit report bundle
	[[ $status -eq 0 && -z $stderr ]]
	[[ ${lines[0]} == *' — exact: launch #7, bad_load [pid 1234]' ]]
	grep -qx '  on the device   core2.cu:12, block (0,0,0) thread (0,0,0): illegal address' <<<"$output"
	grep -qx '  evidence        core dump: function, parameters and grid match #7' <<<"$output"
	grep -qx '                  core dump: the driver let work behind #7 run all the same' <<<"$output"
}

@test "report --coredump: a dump from elsewhere, as text and JSON" {
	"$make_bundle" coredump bundle
	sample load
	culprit report --coredump load bundle
	[[ $status -eq 0 && ${lines[0]} == *' — exact: launch #7, bad_load [pid 1234]' ]]
	culprit report --coredump load --format json bundle
	[[ $status -eq 0 ]]
	python3 -S -c '
import json, sys
report = json.load(sys.stdin)
assert report["verdict"] == "exact" and report["suspects"][0]["submission"] == 7
dump = report["coredump"]
assert dump["used"] and dump["file"] == "load" and dump["time"] > 0
place = dump["place"]
assert (place["file"], place["line"], place["exception"]) == ("core2.cu", 12, "illegal address")
assert place["block"] == [0, 0, 0] and place["thread"] == [0, 0, 0]
assert place["directory"] == "/home/u/src/faults" and place["pc"] == "0x7fa9377a1620"
grid = dump["grids"][0]
assert (grid["id"], grid["kernel"]) == (7, "_Z8bad_loadPKfPfi")
assert grid["grid"] == [8, 1, 1] and grid["block"] == [128, 1, 1] and dump["places"] == []
assert report["evidence"][0]["kind"] == "coredump_grid"
' <<<"$output"
	culprit report --format json bundle
	[[ $(python3 -S -c 'import json, sys; print(json.load(sys.stdin)["coredump"])' <<<"$output") == None ]]
}

@test "report --coredump: inlined functions as JSON, and without private paths" {
	"$make_bundle" coredump bundle
	sample inlined
	culprit report --coredump inlined --format json bundle
	[[ $status -eq 0 && $output == *alice* ]]
	python3 -S -c '
import json, sys
place = json.load(sys.stdin)["coredump"]["grids"][0]["place"]
assert (place["function"], place["inlined"], place["line"]) == ("_Z13store_inlinedPc", "_Z4pokePc", 54)
folder = "/home/alice/cu/tests/gpu/faults"
assert place["callers"] == [
    {"inlined": "_Z10poke_twicePc", "directory": folder, "file": "faults.cu", "line": 58},
    {"inlined": None, "directory": folder, "file": "faults.cu", "line": 63}], place
' <<<"$output"
	culprit report --redact --coredump inlined --format json bundle
	[[ $status -eq 0 && $output == *poke_twice* && $output != *alice* ]]
}

@test "report --coredump: a dump of another error or of another launch convicts no launch" {
	"$make_bundle" coredump bundle
	for name in misaligned load_in_graph store_warp_exited; do sample "$name"; done
	culprit report --coredump misaligned bundle
	[[ $status -eq 0 && ${lines[0]} == *' — narrowed: '* ]]
	grep -q 'weaker: the core dump is not of this failure' <<<"$output"
	culprit report --coredump load_in_graph bundle
	[[ $status -eq 0 && ${lines[0]} == *' — narrowed: '* ]]
	grep -q 'weaker: no submission fits what the core dump says' <<<"$output"
	culprit report --format json --coredump load_in_graph bundle
	[[ $(python3 -S -c 'import json, sys; print(json.load(sys.stdin)["coredump"]["used"])' <<<"$output") == False ]]
}

@test "report: an older core dump, a broken one, none, and one for two bundles" {
	"$make_bundle" coredump bundle
	sample load
	sed -i 's/2001-09-09T/2090-01-01T/' bundle/meta.json
	culprit report --coredump load bundle
	[[ ${lines[0]} == *' — narrowed: '* ]]
	complains 4 "culprit report: load: was written before the bundle's process began; it is not used"
	sed -i 's/2090/2020/' bundle/meta.json
	culprit report --coredump load bundle
	[[ $status -eq 0 && ${lines[0]} == *' — exact: launch #7, bad_load [pid 1234]' ]]
	echo text >bundle/core.nvcudmp
	culprit report bundle
	[[ ${lines[0]} == *' — narrowed: '* ]]
	complains 4 'culprit report: bundle/core.nvcudmp: is not a GPU core dump'
	culprit report --coredump load bundle
	[[ $status -eq 4 && ${lines[0]} == *' — exact: launch #7, bad_load [pid 1234]' ]]
	rm bundle/core.nvcudmp
	ln -s ../load bundle/core.nvcudmp
	culprit report bundle
	complains 4 'culprit report: bundle/core.nvcudmp: is a symbolic link, which culprit does not follow'
	rm bundle/core.nvcudmp
	culprit report --coredump nowhere bundle
	complains 3 'culprit report: nowhere: No such file or directory'
	culprit report --coredump load bundle bundle
	complains 2 'culprit report: --coredump is of one process, but 2 bundles are given'
}

@test "report: a process that the driver killed before it saw the error" {
	"$make_bundle" coredump bundle
	rm bundle/failure
	culprit report bundle
	[[ $status -eq 7 && ${lines[0]} == 'culprit: no call seen by culprit reported a failure; '* ]]
	for name in load trap hang_user_triggered; do sample "$name"; done
	culprit report --coredump load bundle
	[[ $status -eq 0 && ${lines[0]} == 'culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — likely: launch #7, bad_load [pid 1234]' ]]
	[[ $stderr == 'culprit report: bundle: the process ended before it saw an error; the core dump tells of CUDA_ERROR_ILLEGAL_ADDRESS' ]]
	# Another process's dump, and one of no fault, make no failure of it.
	for name in trap hang_user_triggered; do
		culprit report --coredump "$name" bundle
		[[ $status -eq 7 && ${lines[0]} == 'culprit: no call seen by culprit reported a failure; '* && -z $stderr ]]
	done
}
