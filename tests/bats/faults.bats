#!/usr/bin/env bats
# The table "faults", on simcuda with the simulated kernel modules of libsimkernel.so.

load cli

setup() {
	simcuda=$build/lib/simcuda
	[[ -e $build/lib/libsimkernel.so && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	cd "$BATS_TEST_TMPDIR"
}

# under_culprit [variable=value...] COMMAND...: with both libraries, culprit's first.
under_culprit() {
	timeout 60 env LD_LIBRARY_PATH="$simcuda" LD_PRELOAD="$build/lib/libculprit.so $build/lib/libsimkernel.so" \
		CULPRIT_DIR="$PWD" CULPRIT_QUIET=1 "$@"
}

# faults_of SCENARIO [variable=value...]: run it, and print the table without times.
faults_of() {
	local scenario=$1
	shift
	rm -rf culprit-*
	under_culprit "$@" "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" "$scenario" >/dev/null || true
	"$culprit" dump --file faults culprit-* | sed 's/ at=.*//; s/ raw_ns=[0-9]*//; s/^fault [0-9]*: //'
}

# has TEXT, lacks TEXT: about $faults.
has() {
	[[ $faults == *"$1"* ]] || { echo "missing: $1"; echo "$faults"; return 1; }
}

lacks() {
	[[ $faults != *"$1"* ]] || { echo "there: $1"; echo "$faults"; return 1; }
}

@test "a memory fault has its page and access, and no exception" {
	local scenario access
	for scenario in stray_store:write stray_load:read host_pointer:write use_after_free:write; do
		access=${scenario#*:}
		faults=$(faults_of "${scenario%:*}")
		has "kind=events-read n=1 lost=0 context=1 device=0"
		has "kind=event access=$access page=0x"
		has "kind=times-read n=2 lost=0 context=1 device=0"
		has "kind=timed access=$access page=0x"
		has " gpu_ns="
		has "kind=states-read n=0 lost=0"
		has "mmu_info=0x81012100"
		lacks kind=exception
	done
}

@test "an exception of an SM has its address and program counter, and no memory event" {
	local scenario esr
	for scenario in misaligned:0x502000f shared_out_of_bounds:0xc01000e stack_overflow:0x302000e; do
		esr=${scenario#*:}
		faults=$(faults_of "${scenario%:*}")
		has "kind=events-read n=0 lost=0"
		has "kind=states-read n=1 lost=0"
		has "warp_esr=$esr global_esr=0x20"
		has " pc=0x"
		lacks "kind=event "
	done
	has "context=1 device=0 sm=7"
}

@test "a trap has an SM's state without a warp, an assertion has none at all" {
	faults=$(faults_of trap)
	has "kind=events-read n=0"
	has "kind=states-read n=0 lost=0 context=1 device=0 global_esr=0x20"
	faults=$(faults_of device_assert)
	has "kind=events-read n=0"
	lacks kind=states-read
}

@test "the drivers of 550 and 555 have other layouts" {
	local driver
	for driver in 550 555; do
		faults=$(faults_of stray_load SIMKERNEL=$driver)
		has "kind=events-read n=1 lost=0"
		has "kind=event access=read page=0x"
		has "type=2 reason=1 processor=1"
		has "kind=timed access=read page=0x"
	done
}

@test "without the times of faults, the event is there" {
	faults=$(faults_of stray_load SIMKERNEL=untimed)
	has "kind=event access=read page=0x"
	lacks kind=times-read
	lacks kind=timed
}

@test "managed memory ends the events, and the list of MMU faults has the page" {
	faults=$(faults_of managed)
	lacks kind=events-read
	lacks kind=times-read
	has "kind=states-read n=0"
	has "kind=mmu-list-read n=1 lost=0 context=1 device=0"
	has "kind=mmu access=write page=0x"
	grep -q '"fault": "the program uses managed memory"' culprit-*/meta.json
}

@test "a pool of managed memory ends the events, too" {
	local call
	for call in cuMemPoolCreate cuMemGetDefaultMemPool cuMemGetMemPool; do
		rm -rf culprit-*
		run under_culprit ROBUST_CALL=$call "$build/bin/tests/robust" fault_managed_pool
		echo "$call: $output"
		[[ $output == *"pinned: 2"*"managed: 0"* ]]
		faults=$("$culprit" dump --file faults culprit-*)
		lacks kind=events-read
		has "kind=mmu access=write"
	done
}

@test "without nvidia-uvm-tools the driver is asked for the MMU's faults" {
	local why
	for why in absent refused; do
		faults=$(faults_of stray_load SIMKERNEL=$why)
		lacks kind=events-read
		has "kind=states-read n=0"
		has "kind=mmu-list-read n=1 lost=0 context=1 device=0 source=0x5c000003"
		has "kind=mmu access=read page=0x"
	done
	faults=$(faults_of misaligned SIMKERNEL=absent)
	lacks kind=mmu
	faults=$(faults_of stray_load SIMKERNEL=absent,gvisor)
	lacks kind=mmu
	has "kind=states-read n=0"
}

@test "63 of 158 events fit, and the others are counted" {
	faults=$(faults_of stray_store SIMKERNEL=many)
	has "kind=events-read n=158 lost=95"
	[[ $(grep -c 'kind=event ' <<<"$faults") -eq 63 ]]
}

@test "without the kernel modules, and with the setting off, the table is empty" {
	rm -rf culprit-*
	LD_LIBRARY_PATH=$simcuda LD_PRELOAD=$build/lib/libculprit.so CULPRIT_DIR=$PWD CULPRIT_QUIET=1 \
		"$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" stray_store >/dev/null || true
	[[ $("$culprit" dump --file faults culprit-*) == "# faults: 0 rows, 0 lost" ]]
	[[ -z $(faults_of stray_store CULPRIT_FAULT=off) ]]
	"$culprit" dump --file failure culprit-* | grep "code=700"
}

@test "the files of the events come and go with the contexts" {
	run under_culprit "$build/bin/tests/robust" fault_resets
	echo "$output"
	[[ $output == *"wrong: 0"* && $output == *"open: 2"* ]]
	faults=$("$culprit" dump --file faults culprit-*)
	has "kind=event "
}

@test "a checkpoint finds no file of the events, and one that is refused brings it back" {
	run under_culprit "$build/bin/tests/robust" fault_checkpoint
	echo "$output"
	[[ $output == "refused checkpoint "[1-9]* ]]
	[[ $output == *"after it: 2"* && $output == *"checkpointed: 0"* ]]
	faults=$("$culprit" dump --file faults culprit-*)
	lacks kind=events-read
	has "kind=mmu access=write"
}

@test "another process's exception is a row like ours; wrong addresses are kept as they are said" {
	faults=$(faults_of misaligned SIMKERNEL=foreign)
	has "kind=states-read n=2 lost=0"
	has "sm=3 warp_esr=0x102000e"
	has "sm=7 warp_esr=0x502000f"
	faults=$(faults_of stray_load SIMKERNEL=lie)
	has "kind=event access=read"
}

@test "events that contradict themselves say nothing, nor does a state of an unknown layout" {
	faults=$(faults_of stray_load SIMKERNEL=garbage)
	lacks kind=events-read
	lacks "kind=event "
	has kind=states-read
	faults=$(faults_of misaligned SIMKERNEL=layout)
	lacks kind=states-read
	has "kind=events-read n=0"
}

@test "a forked child has no file of the events" {
	run under_culprit "$build/bin/tests/robust" fault_children
	echo "$output"
	[[ $output == *"child: 0"* && $output == *"parent: 2"* ]]
	[[ $output != *ordinary* ]]
	faults=$("$culprit" dump --file faults culprit-*)
	has "kind=event "
}

@test "a number that the program took is left alone, and the events prove nothing" {
	run under_culprit "$build/bin/tests/robust" fault_numbers_taken
	echo "$output"
	[[ $output == *"still mine"* ]]
	faults=$("$culprit" dump --file faults culprit-*)
	lacks kind=events-read
	has kind=states-read
}

# Each of these calls fails, whenever culprit makes it.
@test "whatever fails on the way to the events: the program does not notice, and no file stays" {
	local call parent
	for call in open mmap fstat readlinkat fcntl getrlimit; do
		rm -rf culprit-* met
		run timeout 60 env LD_LIBRARY_PATH="$simcuda" FAIL_CALL=$call:1-100000:12 FAIL_MET="$PWD/met" \
			LD_PRELOAD="$build/lib/libfailing_calls.so $build/lib/libculprit.so $build/lib/libsimkernel.so" \
			CULPRIT_DIR="$PWD" CULPRIT_QUIET=1 "$build/bin/tests/robust" fault_children
		echo "$call: $output"
		case $call in getrlimit) parent=2 ;; *) parent=0 ;; esac
		[[ $status -eq 1 && -e met ]]
		[[ $output == "child: 0"$'\n'"parent: $parent"$'\n'*"cuCtxSynchronize 700" ]]
	done
}

@test "ioctl is as without culprit" {
	run timeout 60 env LD_LIBRARY_PATH="$simcuda" LD_PRELOAD="$build/lib/libsimkernel.so" \
		"$build/bin/tests/robust" fault_ioctls
	local alone=$output
	run under_culprit "$build/bin/tests/robust" fault_ioctls
	echo "$output"
	# The number of the error is the system's, or an emulator's.
	[[ $output == "$alone" && $output == *"bad descriptor: -1 "[1-9]* ]]
}

@test "a redacted bundle keeps no address that may be data" {
	faults_of stray_store >/dev/null
	"$culprit" pack -o packed.tar.gz culprit-* >/dev/null
	faults=$(tar -xOf packed.tar.gz records.txt | grep "^fault ")
	has "kind=event access=write"
	lacks page=
}
